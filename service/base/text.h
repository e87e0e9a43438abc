/* Small text helpers. None allocates except where an arena is given. */
#ifndef LORE_BASE_TEXT_H
#define LORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"
#include "service/base/utf8.h"

bool lore_streq(const char *a, const char *b);  /* NULL equals only NULL */
bool lore_streqi(const char *a, const char *b); /* ASCII case-insensitive */
bool lore_starts(const char *s, const char *prefix);
/* Whether an item of the comma-separated LIST (may be NULL) is the LEN bytes of WORD. */
bool lore_text_lists(const char *list, const char *word, size_t len);
int lore_strorder(const char *a, const char *b); /* like strcmp; NULL sorts first */
int lore_by_text(const void *a, const void *b);  /* for qsort of char *, none of them NULL */
/* Whether VALUE is one of CHOICES: "win|neutral|regression". False when CHOICES is NULL. */
bool lore_choice(const char *choices, const char *value);
bool lore_is_digit(char c); /* [0-9], in every locale */
bool lore_is_word(char c);  /* [A-Za-z0-9_] */
/* S in lower case, with one '_' for each run of other characters than [a-z0-9.], and none at either
 * end: "Warp-level DPP" -> "warp_level_dpp". */
char *lore_slug(struct lore_arena *a, const char *s);
/* Whether NAME is probably KNOWN with a typing error: in the words between '_' in which they
 * differ, at most two letters, a quarter of all, are wrong, and not only the numbers differ. */
bool lore_misspells(struct lore_arena *arena, const char *name, const char *known);
/* The index of the nearest of N names by edit distance (at most a third of the length), or -1. */
int lore_nearest(const char *s, const char *const *names, size_t n);
/* Write the shortest decimal text that reads back as V. Returns its length. */
size_t lore_f64_text(double v, char out[32]);
/* Parse all of S as a number. LORE_INVALID names WHAT. */
enum lore_status
lore_parse_i64(const char *s, const char *what, long long *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_parse_f64(const char *s, const char *what, double *out, struct lore_err *err) LORE_MUST;

#endif
