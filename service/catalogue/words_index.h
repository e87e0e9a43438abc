/* The phrases of word_table.c and the names of the catalogue as patterns, found by the stem of a
 * word. For words*.c. Built once, never freed. */
#ifndef LORE_CATALOGUE_WORDS_INDEX_H
#define LORE_CATALOGUE_WORDS_INDEX_H

#include "service/catalogue/tokens.h"

enum lore_pattern_kind {
    LORE_PATTERN_NOTHING,   /* row: none */
    LORE_PATTERN_TECHNIQUE, /* row of the technique table */
    LORE_PATTERN_PARAMETER, /* row of lore_word_parameters */
};
enum { LORE_PATTERN_WORDS = 8, LORE_PATTERN_SPAN = 8 };
struct lore_pattern {
    enum lore_pattern_kind kind;
    bool any_order, negated;
    bool head; /* no noun may follow */
    uint16_t row;
    uint16_t first; /* element: index into the elements */
    uint8_t n;      /* elements */
    uint8_t weight; /* elements but '*' */
};
struct lore_pattern_match {
    const struct lore_pattern *pattern;
    uint16_t token[LORE_PATTERN_WORDS]; /* indices of the matched tokens, ascending */
    uint8_t n;
};
/* Call FOUND for every pattern that matches with its first word at token AT of V[0..N). */
void lore_patterns_at(const struct lore_token *v, size_t n, size_t at,
    void (*found)(void *context, const struct lore_pattern_match *m), void *context);
/* Whether a noun stands at AT, so that the words before it only say which: "MFMA stalls". */
bool lore_names_another(const struct lore_token *v, size_t n, size_t at);
/* Whether every phrase was indexed; for tests. */
bool lore_patterns_whole(void);

#endif
