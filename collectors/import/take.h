/* Reads members of JSON objects so that nothing is lost: members that were read are remembered,
 * and the rest is written to `extra`. A member of a wrong type, out of range, too long or a
 * placeholder ("<what changed>") is not read and therefore remains. */
#ifndef LORE_IMPORT_TAKE_H
#define LORE_IMPORT_TAKE_H

#include "collectors/import/import.h"

struct lore_take {
    struct lore_import *in;
    const struct lore_json **slots; /* open addressing over addresses */
    size_t n, cap;
};

/* Lengths of the wire: names and texts. */
#define LORE_TAKE_NAME 200
#define LORE_TAKE_LINE 2000
#define LORE_TAKE_TEXT ((size_t)64 << 10)

/* NODE and all below it were read. */
void lore_take_mark(struct lore_take *t, const struct lore_json *node);
/* Each reads member KEY of OBJECT (NULL and null are absent) and says whether there was a value;
 * *out is left alone otherwise. Empty text is absent. */
bool lore_take_text(struct lore_take *t, const struct lore_json *object, const char *key,
    size_t most, const char **out);
bool lore_take_f64(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_f64 *out);
/* The same for what cannot be negative. */
bool lore_take_amount(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_f64 *out);
/* 0 to 1e9. */
bool lore_take_count(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_i64 *out);
bool
lore_take_bool(struct lore_take *t, const struct lore_json *object, const char *key, bool *out);
/* Text that is a path: an absolute one is cut to its file name. */
bool lore_take_path(
    struct lore_take *t, const struct lore_json *object, const char *key, const char **out);
/* Any scalar as JSON text into KVS under its key; paths cut. */
bool lore_take_kv(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_kvs *kvs);
/* Milliseconds (UNIT 1e6) or microseconds (1e3) as nanoseconds. */
bool lore_take_ns(struct lore_take *t, const struct lore_json *object, const char *key, double unit,
    struct lore_f64 *out);
/* What remains of NODE as JSON text, paths cut; NULL when nothing does. Items of a list that was
 * read in part keep their position as key. Each remaining path is listed once, as that of WHAT. */
const char *lore_take_rest(struct lore_take *t, const struct lore_json *node, const char *what);
/* {"NAME": JSON, …} of N pairs, those with text NULL left out; NULL when all are. */
struct lore_named {
    const char *name, *json;
};
const char *lore_take_extra(struct lore_arena *arena, const struct lore_named *parts, size_t n);

#endif
