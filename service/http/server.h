/* The HTTP server: it receives requests through civetweb, passes them through the gate (gate.h) and
 * the dispatcher, and sends the replies. Only server.c includes civetweb. */
#ifndef LORE_HTTP_SERVER_H
#define LORE_HTTP_SERVER_H

#include "service/base/status.h"

struct lore_app;
struct lore_server;
/* Listen on LISTEN ("127.0.0.1:8787") with THREADS workers. A non-loopback address needs
 * ALLOW_REMOTE. */
enum lore_status lore_server_start(struct lore_app *app, const char *listen, int threads,
    int allow_remote, struct lore_server **out, struct lore_err *err) LORE_MUST;
/* Check LISTEN as lore_server_start would, without opening a socket. */
enum lore_status
lore_server_check_listen(const char *listen, int allow_remote, struct lore_err *err) LORE_MUST;
/* The address it listens on: "127.0.0.1:8787". For port 0 it has the port that the system chose. */
const char *lore_server_address(const struct lore_server *server);
/* Refuse new requests, finish those in flight, then stop. */
void lore_server_stop(struct lore_server *server);

#endif
