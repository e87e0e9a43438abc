/* The civetweb edge: sockets in, lore_dispatch, sockets out. The only file that knows civetweb.
 * Guards framing before anything else: see docs/architecture.md. */
#ifndef LORE_HTTP_SERVER_H
#define LORE_HTTP_SERVER_H

#include "service/base/status.h"

struct lore_app;
struct lore_server;
/* Listen on LISTEN ("127.0.0.1:8787") with THREADS workers. A non-loopback address needs
 * ALLOW_REMOTE. */
enum lore_status lore_server_start(struct lore_app *app, const char *listen, int threads,
    int allow_remote, struct lore_server **out, struct lore_err *err) LORE_MUST;
/* Would that address be taken? For saying so before anything is opened. */
enum lore_status
lore_listen_check(const char *listen, int allow_remote, struct lore_err *err) LORE_MUST;
/* Where it listens: "127.0.0.1:8787", with the port that the system gave when 0 was asked for. */
const char *lore_server_address(const struct lore_server *server);
/* Refuses new requests, answers what is in flight, then returns. */
void lore_server_stop(struct lore_server *server);

#endif
