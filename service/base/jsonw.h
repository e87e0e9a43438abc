/* A JSON writer into a lore_buf. Mistakes by the caller (a key outside an object, a NaN) are
 * sticky, and lore_jsonw_end reports them. Text that is not UTF-8 is an error. */
#ifndef LORE_BASE_JSONW_H
#define LORE_BASE_JSONW_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/buf.h"
#include "service/base/json.h"

struct lore_jsonw {
    struct lore_buf *out;
    int bad; /* first mistake; 0 when none */
    unsigned depth;
    uint64_t objects[2], filled[2]; /* a bit per open level: is it an object, is something in it? */
    bool pretty;
    bool keyed, begun; /* a key waits for its value; something was written */
    /* lore_jsonw_only: the members of objects at level only_at; cut_at: where the text of an
     * unlisted member begins, which the next piece of its object removes, when `cutting` */
    const char *const *only;
    size_t n_only, cut_at;
    unsigned only_at;
    bool cut_filled, cutting;
};

void lore_jsonw_begin(struct lore_jsonw *w, struct lore_buf *out, bool pretty);
/* Write only the members NAMES of the objects at nesting level LEVEL (the root has 1). Call it
 * before anything is written. NAMES is borrowed. */
void lore_jsonw_only(struct lore_jsonw *w, unsigned level, const char *const *names, size_t n);
/* LORE_INVALID when a call was wrong, LORE_TOOBIG when OUT overflowed. */
enum lore_status lore_jsonw_end(struct lore_jsonw *w, struct lore_err *err) LORE_MUST;

void lore_w_obj(struct lore_jsonw *w);
void lore_w_obj_end(struct lore_jsonw *w);
void lore_w_arr(struct lore_jsonw *w);
void lore_w_arr_end(struct lore_jsonw *w);
void lore_w_key(struct lore_jsonw *w, const char *key);
void lore_w_str(struct lore_jsonw *w, const char *s); /* NULL writes null */
void lore_w_strn(struct lore_jsonw *w, const char *s, size_t n);
void lore_w_i64(struct lore_jsonw *w, int64_t v);
void lore_w_f64(struct lore_jsonw *w, double v); /* shortest text that reads back equal */
void lore_w_bool(struct lore_jsonw *w, bool v);
void lore_w_null(struct lore_jsonw *w);
void lore_w_node(struct lore_jsonw *w, const struct lore_json *node); /* a parsed value as it was */
void lore_w_raw(struct lore_jsonw *w,
    const char *json); /* text that is already valid JSON; NULL or "" writes null */
/* key + value in one call; the _opt forms write nothing when s is NULL or empty. */
void lore_w_kstr(struct lore_jsonw *w, const char *key, const char *s);
void lore_w_kstr_opt(struct lore_jsonw *w, const char *key, const char *s);
void lore_w_ki64(struct lore_jsonw *w, const char *key, int64_t v);
void lore_w_kf64(struct lore_jsonw *w, const char *key, double v);
void lore_w_kbool(struct lore_jsonw *w, const char *key, bool v);
void lore_w_ktime(struct lore_jsonw *w, const char *key, int64_t us); /* RFC 3339 UTC */

#endif
