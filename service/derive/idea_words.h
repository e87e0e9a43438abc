/* Similarity of two claims in free text. It compares word stems without stop words, pairs of
 * adjacent words, names, numbers, and the direction of the change. Pure functions. */
#ifndef LORE_DERIVE_IDEA_WORDS_H
#define LORE_DERIVE_IDEA_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_idea_term { /* a word or a pair of adjacent words */
    uint64_t hash;
    double weight;
    bool name; /* an identifier: tile_size_x, bf16 */
};
enum {
    LORE_IDEA_NUMBERS = 16,
    LORE_IDEA_OBJECT = 3,
    LORE_IDEA_NAMES = 4,
    LORE_IDEA_PARTS = 6,
    LORE_IDEA_SETTINGS = 12,
    LORE_IDEA_DENIED = 4
};
struct lore_idea_words {
    struct lore_idea_term *v; /* sorted by hash, distinct */
    size_t n, n_names;
    struct {
        uint64_t part[LORE_IDEA_PARTS]; /* hashes of tile, size, x */
        size_t n;
    } compound[LORE_IDEA_NAMES]; /* the first names that consist of several words */
    size_t n_compound;
    uint64_t order; /* hash of all words in order; 0: no words */
    uint64_t *set;  /* hashes of all words, stop words too; sorted, distinct */
    size_t n_set;
    struct {
        uint64_t name, value; /* hashes; the value of tile=[64,128] is the whole list */
    } setting[LORE_IDEA_SETTINGS];
    size_t n_settings;
    double number[LORE_IDEA_NUMBERS];
    size_t n_numbers;
    bool from_set, to_set; /* "from 2 to 4", "2 -> 4", "4 instead of 2", "tile=4 (was 2)" */
    double from, to;
    int direction; /* of the first verb: +1 raise, add; -1 lower, remove; 0 none */
    uint64_t object[LORE_IDEA_OBJECT]; /* the words after the verb */
    size_t n_object;
    uint64_t denied[LORE_IDEA_DENIED]; /* of "fp32, not fp16", "rather than X", "instead of X" */
    size_t n_denied;                   /* not among `v` and `set` */
};
/* TEXT may be NULL. Only its first 2,000 bytes are read. */
void lore_idea_words_read(const char *text, struct lore_arena *arena, struct lore_idea_words *out);
/* The same words in the same order, whatever the case and the punctuation. */
bool lore_idea_words_same(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* Whether the claims have opposite directions and a common object. If a claim states both the old
 * and the new value, no common object is needed. */
bool lore_idea_words_opposed(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* Whether one of the claims says in contrast that it does without a word of the other. */
bool lore_idea_words_denied(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* The Jaccard index of the two sets of words. */
double lore_idea_words_jaccard(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* Whether the claims set other values: different new values, or no common number. */
bool lore_idea_words_other_values(const struct lore_idea_words *a, const struct lore_idea_words *b);
/* Similarity from 0 to 1. It is the larger of two ratios: the weight of the common terms over the
 * weight of all terms, and 0.9 times the weight of the common terms over the weight of the shorter
 * claim. The second ratio needs a shorter claim of weight 3 or more. The similarity is 0 if the
 * claims are opposed, set other values, have more different than equal settings of common names, or
 * share fewer than half of the shorter list of numbers. It is also 0 if both claims contain names
 * but share none, or if only one contains compound names and the other does not spell one out.
 * Percentages and factors with a decimal point ("1.3x") are ignored: they state the expected gain,
 * not the change.
 */
double lore_idea_words_similarity(const struct lore_idea_words *a, const struct lore_idea_words *b);

/* The parts of the compound names in several claims: tile_size_x gives tile, size and x. They
 * usually name parameters. */
struct lore_idea_objects {
    uint64_t *v;
    size_t n, cap;
};
void lore_idea_objects_add(
    struct lore_idea_objects *o, const struct lore_idea_words *words, struct lore_arena *arena);
/* Whether each claim mentions one of OBJECTS that the other does not, such as tile size x and tile
 * size y. */
bool lore_idea_objects_differ(const struct lore_idea_objects *objects,
    const struct lore_idea_words *a, const struct lore_idea_words *b);

#endif
