/* How reports send requests to the service and read its answers. All requests go through one
 * function, which the command line, a test with canned answers or a fake supplies. Addresses are
 * paths with their query; answers live as long as the arena. */
#ifndef LORE_CLIENT_ASK_FETCH_H
#define LORE_CLIENT_ASK_FETCH_H

#include <stdbool.h>

#include "service/base/buf.h"
#include "service/base/json.h"

struct lore_fetch {
    /* GET PATH. LORE_NOTFOUND when the service has no such record. */
    enum lore_status (*get)(
        void *ctx, const char *path, const struct lore_json **out, struct lore_err *err);
    void *ctx;
    struct lore_arena *arena;
    struct lore_buf *notes; /* notes for the reader of the result, one line each; NULL: drop them */
};
/* Answers in the order they came. */
struct lore_fetched {
    const struct lore_json **v;
    size_t n, cap;
};

/* One answer; *out stays NULL when there is no such thing. */
enum lore_status lore_fetch_one(const struct lore_fetch *fetch, const char *path,
    const struct lore_json **out, struct lore_err *err) LORE_MUST;
/* Every row of a list, page by page; PATH may have a query ("…?kernel=X"). A list that the service
 * does not know has no rows. */
enum lore_status lore_fetch_all(const struct lore_fetch *fetch, const char *path,
    struct lore_fetched *out, struct lore_err *err) LORE_MUST;
/* TEXT, percent-encoded for a query string. */
const char *lore_fetch_escape(struct lore_arena *arena, const char *text);
void lore_fetch_note(const struct lore_fetch *fetch, const char *fmt, ...) LORE_PRINTF(2, 3);

/* --- reading --- */
const char *
lore_fetch_text(const struct lore_json *object, const char *key); /* text; NULL: none or "" */
bool lore_fetch_number(const struct lore_json *object, const char *key, double *out); /* number */
bool lore_fetch_bool(const struct lore_json *object, const char *key); /* is it true? */
const struct lore_json *lore_fetch_first(
    const struct lore_json *object, const char *key); /* first element of a list, or NULL */
/* The member if it is an object, else NULL. */
const struct lore_json *lore_fetch_object(const struct lore_json *object, const char *key);
/* Join a list of texts, or the MEMBER of each of its objects, with BETWEEN; NULL for none. */
const char *lore_fetch_list(struct lore_arena *arena, const struct lore_json *list,
    const char *member, const char *between);
/* Bottleneck labels that a person or a tool stated for experiment X, "memory+sync"; NULL for
 * none. Labels that the service derived from metrics are left out: they must not return to the
 * service as statements. */
const char *lore_fetch_stated_labels(struct lore_arena *arena, const struct lore_json *x);

#endif
