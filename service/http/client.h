/* Who sent a request: the address that limits and the log go by. Behind a proxy it is in
 * X-Forwarded-For, which anybody may send, so it counts only from proxies that are trusted. */
#ifndef LORE_HTTP_CLIENT_H
#define LORE_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

/* An IPv4 or IPv6 network; IPv4 addresses as ::ffff:a.b.c.d. */
struct lore_net {
    unsigned char address[16];
    int bits;
};
struct lore_nets {
    struct lore_net *v;
    size_t n;
};
/* Read "127.0.0.0/8, ::1, 10.1.2.3". LORE_INVALID at trusted_proxies names what is no network. */
enum lore_status lore_nets_read(const char *text, struct lore_arena *arena, struct lore_nets *out,
    struct lore_err *err) LORE_MUST;

struct lore_client {
    const char *address; /* "192.0.2.7" */
    const char *via;     /* the proxy that handed the request on; NULL: none */
    const char *key;     /* whose quota counts: the address; of IPv6 its /64 network */
    bool is_local;       /* from this machine itself: loopback, without a proxy */
};
/* The client of a connection from PEER. FORWARDED: the values of X-Forwarded-For in order, joined
 * by commas, or NULL. From a trusted peer the last address that is not a trusted proxy is the
 * client; a part that is no address ends the search. Texts live in ARENA. */
struct lore_client lore_client_of(const char *peer, const char *forwarded,
    const struct lore_nets *trusted, struct lore_arena *arena);

#endif
