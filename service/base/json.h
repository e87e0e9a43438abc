/* A strict JSON parser on top of yajl. These are errors that name the JSON path: duplicate keys,
 * NaN and infinities, numbers that overflow, invalid UTF-8, U+0000, trailing bytes, and input that
 * is too deep or too long. The tree lives in the arena. Every node has a pointer to its parent, so
 * later errors can name its path, too. */
#ifndef LORE_BASE_JSON_H
#define LORE_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

enum lore_json_type {
    LORE_J_NULL,
    LORE_J_BOOL,
    LORE_J_NUMBER,
    LORE_J_STRING,
    LORE_J_ARRAY,
    LORE_J_OBJECT
};

struct lore_json {
    enum lore_json_type type;
    bool is_int;             /* NUMBER: written without . or exponent and fits int64 */
    uint32_t len;            /* STRING: bytes; ARRAY, OBJECT: children */
    uint32_t key_len, index; /* index within the parent */
    const char *key;         /* name within an object; NULL elsewhere */
    const char *str;         /* STRING: text; NUMBER: digits as written; NUL-terminated */
    int64_t i;               /* BOOL: 0 or 1; NUMBER with is_int */
    double f;                /* NUMBER */
    struct lore_json *child, *next, *parent;
};

struct lore_json_limits {
    uint32_t depth, string_bytes, array_items, nodes; /* 0: 32, 48 MiB, 100,000, 2,000,000 */
};

/* Parse LEN bytes. LIMITS may be NULL for the defaults. Codes: invalid_json, duplicate_key,
 * invalid_number, invalid_utf8, too_deep, too_long. LORE_TOOBIG when the tree would need the last
 * quarter of the arena, which is reserved for the caller's data. Inside a guard (guard.h), the
 * guarded work ends instead. */
enum lore_status
lore_json_parse(const char *text, size_t len, const struct lore_json_limits *limits,
    struct lore_arena *arena, struct lore_json **out, struct lore_err *err) LORE_MUST;

/* Whether the N bytes at S are a number as JSON writes it. */
bool lore_json_is_number(const char *s, size_t n);
/* Make NODE the number TEXT of N characters, which lore_json_is_number accepts and NODE borrows.
 * False: it is outside the range of a double; NODE is unchanged. */
bool lore_json_number(const char *text, size_t n, struct lore_json *node);
/* Member KEY of an object, or NULL (also when NODE is NULL or no object). */
const struct lore_json *lore_json_get(const struct lore_json *node, const char *key);
/* The path of NODE from the root: `runs[3].device`; "$" for the root. Always NUL-terminated. */
void lore_json_path(const struct lore_json *node, char *out, size_t size);
/* "number", "string", ...: static text. */
const char *lore_json_type_name(enum lore_json_type type);
/* Typed getters over a member of OBJECT. Absent or null leaves *out alone and returns LORE_OK; a
 * wrong type fails with code wrong_type and the path. */
enum lore_status lore_json_text(const struct lore_json *object, const char *key, const char **out,
    struct lore_err *err) LORE_MUST;
enum lore_status lore_json_f64(
    const struct lore_json *object, const char *key, double *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_json_i64(
    const struct lore_json *object, const char *key, int64_t *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_json_bool(
    const struct lore_json *object, const char *key, bool *out, struct lore_err *err) LORE_MUST;
/* BLAKE2b-256 over the value with keys sorted and numbers by value: equal for documents with the
 * same values. */
void lore_json_digest(const struct lore_json *node, unsigned char out[32]);

#endif
