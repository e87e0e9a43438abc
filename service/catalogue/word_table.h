/* The phrases by which people name techniques and their parameters inside a sentence: data for
 * words_index.c only. The names and aliases of technique_table.c come on top.
 *
 * A phrase is a list of words that follow each other, with stop words skipped; '/' separates words
 * of which one must stand there. '#' is a number or a shape, '@' a shape such as 64x128, '*' at
 * most one word of any sort. '^' before the last word: it must follow, but the phrase leaves it to
 * others. "a & b": both in one clause, in any order, at most six words apart.
 * '!' before a phrase: it says that the technique is absent. '~': it names a thing, and no noun may
 * follow, for which the thing only says which one: "MFMA" but not "MFMA stalls". Words are compared
 * by stems, after synonyms (tokens.c). '|' separates phrases. */
#ifndef LORE_CATALOGUE_WORD_TABLE_H
#define LORE_CATALOGUE_WORD_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct lore_word_phrases {
    const char *slug; /* NULL: the phrase names no technique, whatever its words mean alone */
    const char *phrases;
};
extern const struct lore_word_phrases lore_word_phrases[];
extern const size_t lore_n_word_phrases;

/* Names of the catalogue that inside a sentence usually mean a resource or a problem: "shared
 * memory exceeded". They resolve only when they are the whole text. '|' separates them. */
extern const char lore_words_alone[];

enum lore_word_form {
    LORE_VALUE_BEHIND, /* "BLOCK_M 128" */
    LORE_VALUE_COUNT,  /* one number, behind or before: "4 warps" */
    LORE_VALUE_STEPS,  /* the same, and values grow by one: "4 stages", 5; others double */
    LORE_VALUE_SHAPE,  /* behind, or a shape before: "64x128 tile" */
};
struct lore_word_parameter {
    const char *name; /* "num_stages" */
    const char *slug; /* the technique that the parameter belongs to when the text names none of */
    const char *takers;  /* these; comma-separated */
    const char *phrases; /* how people write it */
    enum lore_word_form form;
};
extern const struct lore_word_parameter lore_word_parameters[];
extern const size_t lore_n_word_parameters;

/* Techniques whose words also name another one: the second is dropped when a text has both. */
struct lore_word_pair {
    const char *slug, *implied;
};
extern const struct lore_word_pair lore_words_implied[];
extern const size_t lore_n_words_implied;

#endif
