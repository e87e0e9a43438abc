/* Addresses of clients (client.h). */
#include "service/http/client.h"

#include <arpa/inet.h>
#include <string.h>

#include "service/base/text.h"

#define TEXT_MAX 64

static const unsigned char v4_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool
is_v4(const unsigned char address[16])
{
    return memcmp(address, v4_prefix, sizeof v4_prefix) == 0;
}

/* Read the N bytes of TEXT as an address; also with a port, "192.0.2.7:80" or "[::1]:80", as some
 * proxies write them. */
static bool
read_address(const char *text, size_t n, unsigned char out[16])
{
    char s[TEXT_MAX] = "";
    char *end;

    if (n == 0 || n >= sizeof s)
        return false;
    memcpy(s, text, n);
    if (s[0] == '[') {
        end = strchr(s, ']');
        if (!end || (end[1] != '\0' && end[1] != ':'))
            return false;
        *end = '\0';
        return inet_pton(AF_INET6, s + 1, out) == 1;
    }
    end = strchr(s, ':');
    if (end && !strchr(end + 1, ':'))
        *end = '\0';
    if (inet_pton(AF_INET6, s, out) == 1)
        return true;
    memcpy(out, v4_prefix, sizeof v4_prefix);
    return inet_pton(AF_INET, s, out + 12) == 1;
}

static bool
is_in(const unsigned char address[16], const struct lore_net *net)
{
    int bytes = net->bits / 8, rest = net->bits % 8;

    return memcmp(address, net->address, (size_t)bytes) == 0 &&
           (rest == 0 || ((address[bytes] ^ net->address[bytes]) >> (8 - rest)) == 0);
}

static bool
is_trusted(const unsigned char address[16], const struct lore_nets *trusted)
{
    for (size_t i = 0; i < trusted->n; i++)
        if (is_in(address, &trusted->v[i]))
            return true;
    return false;
}

/* "10.0.0.0/8": N bytes of TEXT. */
static bool
read_net(const char *text, size_t n, struct lore_net *out)
{
    const char *slash = memchr(text, '/', n);
    size_t len = slash ? (size_t)(slash - text) : n;
    int bits = 0, most;

    if (!read_address(text, len, out->address) || memchr(text, '[', n))
        return false;
    most = is_v4(out->address) ? 32 : 128;
    out->bits = 128;
    if (!slash)
        return true;
    if (len + 1 == n || n - len > 4)
        return false;
    for (size_t i = len + 1; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        bits = bits * 10 + (text[i] - '0');
    }
    out->bits = bits + 128 - most;
    return bits <= most;
}

enum lore_status
lore_nets_read(
    const char *text, struct lore_arena *arena, struct lore_nets *out, struct lore_err *err)
{
    size_t cap = 0;

    *out = (struct lore_nets){0};
    for (const char *p = text != NULL ? text : ""; *p != '\0';) {
        size_t n = strcspn(p, ", ");
        struct lore_net net;

        if (n > 0 && !read_net(p, n, &net)) {
            (void)lore_fail_at(err, LORE_INVALID, "invalid_option", "trusted_proxies",
                "trusted_proxies: %.*s is not an address or network", (int)(n < 60 ? n : 60), p);
            lore_err_hint(err, "for example 10.0.0.0/8");
            return LORE_INVALID;
        }
        if (n > 0)
            *LORE_PUSH(arena, out->v, out->n, cap) = net;
        p += n + (p[n] != '\0');
    }
    return LORE_OK;
}

/* The quota of an IPv6 client is that of its /64, because one host may use all addresses in it. */
static const char *
key_of(const unsigned char address[16], const char *text, struct lore_arena *arena)
{
    unsigned char net[16] = {0};
    char out[INET6_ADDRSTRLEN] = "";

    if (is_v4(address))
        return text;
    memcpy(net, address, 8);
    (void)inet_ntop(AF_INET6, net, out, sizeof out);
    return lore_format(arena, "%s/64", out);
}

static const char *
write_address(const unsigned char address[16], struct lore_arena *arena)
{
    char out[INET6_ADDRSTRLEN] = "";

    if (is_v4(address))
        (void)inet_ntop(AF_INET, address + 12, out, sizeof out);
    else
        (void)inet_ntop(AF_INET6, address, out, sizeof out);
    return lore_strdup(arena, out);
}

static bool
is_loopback(const unsigned char address[16])
{
    static const unsigned char v6[16] = {[15] = 1};

    return is_v4(address) ? address[12] == 127 : memcmp(address, v6, sizeof v6) == 0;
}

/* The last part of the comma-separated LIST before *END, and its length in *N. Moves *END before
 * its comma. */
static const char *
last_part(const char *list, const char **end, size_t *n)
{
    const char *stop = *end, *start;

    while (stop > list && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    start = stop;
    while (start > list && start[-1] != ',')
        start--;
    *end = start > list ? start - 1 : start;
    while (start < stop && (*start == ' ' || *start == '\t'))
        start++;
    *n = (size_t)(stop - start);
    return start;
}

struct lore_client
lore_client_of(const char *peer, const char *forwarded, const struct lore_nets *trusted,
    struct lore_arena *arena)
{
    unsigned char address[16], before[16];
    struct lore_client c = {.address = peer, .key = peer};
    bool handed_on = false;

    if (!read_address(peer, strlen(peer), address))
        return c;
    if (forwarded) {
        for (const char *end = forwarded + strlen(forwarded); end > forwarded;) {
            size_t n;
            const char *part = last_part(forwarded, &end, &n);

            if (!is_trusted(address, trusted) || !read_address(part, n, before))
                break;
            memcpy(address, before, sizeof address);
            handed_on = true;
        }
    }
    c.address = write_address(address, arena);
    c.key = key_of(address, c.address, arena);
    c.via = handed_on ? peer : NULL;
    c.is_local = !handed_on && !forwarded && is_loopback(address);
    return c;
}
