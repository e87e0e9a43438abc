/* The text while it is resolved; shared by words.c (techniques), words_params.c (parameters) and
 * words_negate.c (negations). */
#ifndef LORE_CATALOGUE_WORDS_READ_H
#define LORE_CATALOGUE_WORDS_READ_H

#include "service/base/arena.h"
#include "service/catalogue/tokens.h"
#include "service/catalogue/word_table.h"
#include "service/catalogue/words_index.h"

enum {
    LORE_WORD_TOKENS = 160,
    LORE_WORD_MATCHES = 160,
    LORE_WORD_HITS = 24,
    LORE_WORD_PARAMS = 24
};
struct lore_word_found {  /* a technique in the text */
    uint16_t row;         /* of the technique table */
    bool alias, negated;  /* alias: found as a whole name before a brace */
    uint16_t first, last; /* tokens */
};
struct lore_word_value { /* a parameter in the text */
    uint16_t row;        /* of lore_word_parameters; LORE_WORD_OTHER: see name */
    uint16_t first, last;
    const char *name; /* in the arena; NULL: that of the row */
    const char *from, *to;
    bool later; /* stands behind "to" or an arrow */
};
enum {
    LORE_WORD_OTHER = 0xffff,
    LORE_WORD_FREE = 0,
    LORE_WORD_BLOCKED = 0xff,
    LORE_WORD_NEGATION = 0xfe
};
struct lore_word_reader {
    const char *text;
    struct lore_arena *arena;
    struct lore_token v[LORE_WORD_TOKENS];
    size_t n;                       /* tokens that are read: up to the comment */
    uint8_t used[LORE_WORD_TOKENS]; /* FREE, BLOCKED, NEGATION, or the index of a hit + 1 */
    struct lore_pattern_match match[LORE_WORD_MATCHES];
    size_t n_matches;
    struct lore_word_found hit[LORE_WORD_HITS];
    size_t n_hits;
    struct lore_word_value param[LORE_WORD_PARAMS];
    size_t n_params;
};
/* Whether P may be a parameter of the technique SLUG. */
bool lore_words_takes(const struct lore_word_parameter *p, const char *slug);
/* Read the values of the matches that are parameters, and shapes without a name. */
void lore_words_read_params(struct lore_word_reader *r);
/* Set `negated` of the hits. */
void lore_words_negate(struct lore_word_reader *r);
/* Whether token AT is the word W; false past the end. */
bool lore_words_is(const struct lore_word_reader *r, size_t at, const char *w);
bool lore_words_in(const struct lore_word_reader *r, size_t at, const char *const *list, size_t n);
char lore_words_mark(const struct lore_word_reader *r, size_t at); /* 0: no mark */

#endif
