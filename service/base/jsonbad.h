/* What can be wrong with JSON text, found and worded; private to json.c. */
#ifndef LORE_JSONBAD_H
#define LORE_JSONBAD_H

#include "json.h"

/* The first place where TEXT is not UTF-8, escapes U+0000 or half a surrogate pair: what it is
 * (static text) and its offset. NULL when there is none. */
const char *lore_json_bad_text(const char *text, size_t len, size_t *at);
/* The first member, in written order, whose key an earlier one has; NULL when all differ. */
const struct lore_json *lore_json_duplicate(const struct lore_json *object);
/* Word the syntax error whose last byte is TEXT[AT - 1] (AT > LEN: the text ended too soon), with
 * line, column, path and a hint. DONE: a whole value was read before it. */
enum lore_status lore_json_syntax(
    const char *text, size_t len, size_t at, const char *path, bool done, struct lore_err *err);

#endif
