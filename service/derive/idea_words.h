/* Two claims in words: do they say the same? Words without their endings and without those that say
 * nothing, pairs of neighbours, names and numbers, and which way a value is to go. Pure. */
#ifndef LORE_DERIVE_IDEA_WORDS_H
#define LORE_DERIVE_IDEA_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_idea_term { /* a word, or two that stand side by side */
    uint64_t hash;
    double weight;
    bool name; /* tile_size_x, bf16: says exactly what is meant */
};
enum { LORE_IDEA_NUMBERS = 16, LORE_IDEA_OBJECT = 3, LORE_IDEA_NAMES = 4, LORE_IDEA_PARTS = 6 };
struct lore_idea_words {
    struct lore_idea_term *v; /* by hash, each once */
    size_t n, n_names;
    struct {
        uint64_t part[LORE_IDEA_PARTS]; /* tile, size, x */
        size_t n;
    } parted[LORE_IDEA_NAMES]; /* the first names that are made of several words */
    size_t n_parted;
    uint64_t order; /* of all words as they stand; 0: none */
    double number[LORE_IDEA_NUMBERS];
    size_t n_numbers;
    bool from_set, to_set; /* "from 2 to 4", "2 -> 4", "4 instead of 2" */
    double from, to;
    int way;                           /* the first verb: +1 raise, add; -1 lower, remove; 0 */
    uint64_t object[LORE_IDEA_OBJECT]; /* the words after it */
    size_t n_object;
};
/* TEXT may be NULL. Of a long one the first 2,000 bytes count. */
void lore_idea_words_read(const char *text, struct lore_arena *arena, struct lore_idea_words *out);
/* The same words in the same order, whatever the case and the punctuation. */
bool lore_idea_words_same(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* They change the same thing in opposite directions. */
bool lore_idea_words_opposed(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* Weight of common terms over weight of all, or most of that over the weight of the shorter claim:
 * 0 to 1. 0 where they are opposed, go to different values, or name different things or numbers.
 * Percentages and gains ("1.3x") are what is hoped for, not what is done, and do not count. */
double lore_idea_words_alike(const struct lore_idea_words *a, const struct lore_idea_words *b);

/* The words that names of WORDS are made of: what a campaign calls its parameters. */
struct lore_idea_objects {
    uint64_t *v;
    size_t n, cap;
};
void lore_idea_objects_add(
    struct lore_idea_objects *o, const struct lore_idea_words *words, struct lore_arena *arena);
/* Both speak of OBJECTS, and each of one that the other leaves out: tile size x, tile size y. */
bool lore_idea_objects_differ(const struct lore_idea_objects *objects,
    const struct lore_idea_words *a, const struct lore_idea_words *b);

#endif
