/* Finds mistakes in JSON text and writes their messages. Only json.c calls this. */
#ifndef LORE_BASE_JSONBAD_H
#define LORE_BASE_JSONBAD_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

/* Find the first byte of TEXT that is not UTF-8, or the first escape of U+0000 or half a surrogate
 * pair. Returns a description (static text) and its offset in *at, or NULL for none. */
const char *lore_json_bad_text(const char *text, size_t len, size_t *at);
/* A place where yajl stopped. */
struct lore_json_stop {
    const char *text;
    size_t len, at;   /* AT: bytes that yajl consumed; past LEN when the text ended too early */
    const char *path; /* of the value to come */
    const char *why;  /* yajl's error message */
    bool done;        /* a whole value came before */
};

/* Write the message of a syntax error, with line, column, path and a hint. */
enum lore_status lore_json_syntax(const struct lore_json_stop *s, struct lore_err *err);

#endif
