/* Finding our own open sockets. The HTTP library does not expose its descriptors, so we look
 * through /proc/self/fd. */
#ifndef LORE_HTTP_SOCKETS_H
#define LORE_HTTP_SOCKETS_H

/* Call VISIT for every descriptor above standard error. Another thread may close or reuse a
 * descriptor meanwhile, so VISIT checks that it is the right one. */
void lore_sockets_each(void (*visit)(int fd, void *ctx), void *ctx);
/* Shut the socket that listens on PORT down: the thread that accepts from it wakes, and new
 * connections are refused. */
void lore_sockets_stop_listening(int port);

#endif
