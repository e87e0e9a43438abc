/* Our open sockets. The HTTP library does not hand out its descriptors, so they are found in
 * /proc/self/fd by what they are. */
#ifndef LORE_HTTP_SOCKETS_H
#define LORE_HTTP_SOCKETS_H

/* Call VISIT for every descriptor above standard error. Another thread may close one meanwhile:
 * VISIT makes sure that it has the right one. */
void lore_sockets_each(void (*visit)(int fd, void *ctx), void *ctx);
/* Shut the socket that listens on PORT: its waiting thread wakes, new connections are refused. */
void lore_sockets_stop_listening(int port);

#endif
