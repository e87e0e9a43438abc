/* What can be wrong with JSON text, found and worded; only json.c calls this. */
#ifndef LORE_BASE_JSONBAD_H
#define LORE_BASE_JSONBAD_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

/* The first place where TEXT is not UTF-8, escapes U+0000 or half a surrogate pair: what it is
 * (static text) and its offset. NULL when there is none. */
const char *lore_json_bad_text(const char *text, size_t len, size_t *at);
/* A place where yajl stopped. */
struct lore_json_stop {
    const char *text;
    size_t len, at;   /* AT: what yajl consumed; past LEN when it only missed the end */
    const char *path; /* of the value to come */
    const char *why;  /* yajl's own words */
    bool done;        /* a whole value came before */
};

/* Word a syntax error, with line, column, path and a hint. */
enum lore_status lore_json_syntax(const struct lore_json_stop *s, struct lore_err *err);

#endif
