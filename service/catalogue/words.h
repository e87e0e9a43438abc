/* One resolver from text to techniques and their parameters: names, aliases, word forms, phrases
 * inside sentences, parameters, negations. Pure; results live in the arena.
 *
 * A name that the catalogue knows as a whole costs one hash lookup. Other text is read once:
 * phrases (word_table.c) are found, the longest first; then parameters with their values; then what
 * is negated ("no swizzle", "swizzle instead of padding"). Once a technique is found, what follows
 * behind a dash or a full stop is taken for a comment, unless nothing was found before. */
#ifndef LORE_CATALOGUE_WORDS_H
#define LORE_CATALOGUE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

enum lore_word_how {
    LORE_WORD_EXACT,     /* the whole text is a slug or title */
    LORE_WORD_ALIAS,     /* the whole text is another name of the catalogue */
    LORE_WORD_PHRASE,    /* words of the text */
    LORE_WORD_PARAMETER, /* only a parameter: "BLOCK_M 128" */
};
struct lore_word_param {
    const char *name;      /* canonical where the table knows it: "num_stages" */
    const char *from, *to; /* from: NULL unless the text states the old value */
};
struct lore_word_hit {
    const char *slug; /* static */
    enum lore_word_how how;
    bool negated;     /* taken out, or said to be absent */
    uint32_t at, len; /* the first mention, in bytes of the text */
    struct lore_word_param *params;
    size_t n_params;
};
struct lore_words {
    struct lore_word_hit *v; /* in the order of the text; each slug once */
    size_t n;
    const char *rest; /* the words that nothing was made of, without stop words; "" for none */
};
/* TEXT may be NULL. Only its first 2,000 bytes are read. */
void lore_words_resolve(const char *text, struct lore_arena *arena, struct lore_words *out);
/* The one technique that TEXT means when it is meant as a name: a known name, or a phrase that
 * resolves to one technique, not negated, with nothing left over. NULL: unknown, or several. */
const char *lore_words_name(const char *text);
/* Whether the technique SLUG is set by a parameter: a tile, a number of stages. */
bool lore_words_has_parameter(const char *slug);
/* The parameters that set SLUG, at most three: "block_k, block_m, block_n, …". */
const char *lore_words_parameters_of(const char *slug, struct lore_arena *arena);
/* Whether the catalogue knows the parameter NAME (canonical). */
bool lore_words_is_parameter(const char *name);
/* Whether values of the parameter NAME (canonical) grow by one, not by a factor. */
bool lore_words_is_counted(const char *name);
/* The canonical name of a parameter: "BLOCK_M", "bm" -> "block_m"; else NAME as a slug. */
const char *lore_words_parameter(const char *name, struct lore_arena *arena);
/* The same of a parameter that is stated of TECHNIQUE. The sides of a register tile are those of a
 * thread, "thread_m", not of a block. */
const char *
lore_words_parameter_of(const char *technique, const char *name, struct lore_arena *arena);

/* At most LORE_WORDS_NEAREST known names near TEXT, the nearest first, for "did you mean". Static
 * texts. Returns their number. */
enum { LORE_WORDS_NEAREST = 3 };
size_t lore_words_nearest(const char *text, const char *out[LORE_WORDS_NEAREST]);     /* slugs */
size_t lore_operators_nearest(const char *text, const char *out[LORE_WORDS_NEAREST]); /* names */

#endif
