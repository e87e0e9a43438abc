/* Reads members of JSON objects so that nothing is lost. The reader marks the members that it
 * has read and writes all others to `extra`. Members of a wrong type, out of range, too long, or
 * with a placeholder ("<what changed>") are not read, so they go to `extra`. */
#ifndef LORE_IMPORT_TAKE_H
#define LORE_IMPORT_TAKE_H

#include "collectors/import/import.h"

struct lore_take {
    struct lore_import *in;
    bool cells; /* the records are rows of a text format: a number is also a text as written */
    struct lore_texts mapped;       /* members whose words a map turns into its own */
    const struct lore_json **slots; /* hash table of the nodes that were read */
    size_t n, cap;
};
/* Forget what was read, before the next record takes the memory of this one. */
void lore_take_clear(struct lore_take *t);

/* Maximum lengths of names and texts in the submission format. */
#define LORE_TAKE_NAME 200
#define LORE_TAKE_LINE 2000
#define LORE_TAKE_TEXT ((size_t)64 << 10)

/* Mark NODE as read, with everything below it. */
void lore_take_mark(struct lore_take *t, const struct lore_json *node);
/* Whether NODE itself was marked. */
bool lore_take_marked(const struct lore_take *t, const struct lore_json *node);
/* Each function reads member KEY of OBJECT and returns whether there was a value; without one, *out
 * is unchanged. OBJECT may be NULL. A JSON null and an empty text count as absent. What is returned
 * lives in t->in->arena, so OBJECT and KEY may go. */
bool lore_take_text(struct lore_take *t, const struct lore_json *object, const char *key,
    size_t max_len, const char **out);
bool lore_take_f64(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_f64 *out);
/* The same, but a negative number is not read. */
bool lore_take_amount(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_f64 *out);
/* An integer from 0 to 1e9. */
bool lore_take_count(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_i64 *out);
bool
lore_take_bool(struct lore_take *t, const struct lore_json *object, const char *key, bool *out);
/* Text that holds a path; an absolute path is cut to its file name. */
bool lore_take_path(
    struct lore_take *t, const struct lore_json *object, const char *key, const char **out);
/* Add any scalar to KVS as JSON text under KEY, with absolute paths cut to file names. */
bool lore_take_kv(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_kvs *kvs);
/* Milliseconds (UNIT 1e6) or microseconds (1e3) as nanoseconds. */
bool lore_take_ns(struct lore_take *t, const struct lore_json *object, const char *key, double unit,
    struct lore_f64 *out);
/* The members of NODE that were not read, as JSON text with absolute paths cut; NULL: all were
 * read. In a partly read list, the position of an item becomes its key. The report lists each of
 * these members once, by the file name WHAT and its JSON path. */
const char *lore_take_rest(struct lore_take *t, const struct lore_json *node, const char *what);
/* {"NAME": JSON, …} from N pairs without those whose JSON is NULL; NULL when no pair is left. */
struct lore_named {
    const char *name, *json;
};
const char *lore_take_extra(struct lore_arena *arena, const struct lore_named *parts, size_t n);

#endif
