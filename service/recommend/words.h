/* The sentences of an answer. Private to recommend/. */
#ifndef LORE_RECOMMEND_WORDS_H
#define LORE_RECOMMEND_WORDS_H

#include "service/recommend/scan.h"

enum { LORE_NAMED = 2 }; /* more operators than these are not named */
struct lore_words_names {
    uint32_t op[LORE_NAMED], n; /* interned, in the order of their first rows; n may be more */
};
/* What a second look at the rows of a technique tells: its first sentence is about the experiments
 * here (operator and chip) when there are any, else about those at the closest level. */
struct lore_words_seen {
    double median; /* speedup of those, when measured > 0 of them have one */
    size_t measured;
    struct lore_words_names near,
        far;   /* operators of those; operators that it won on beyond those */
    int years; /* how much older than the newest experiment they are, the newest of them */
};
/* What is known of a tried technique. */
const char *lore_words_why(
    const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_seen *seen);
const char *lore_words_untried(
    const struct lore_scan *s, const struct lore_technique *known, const struct lore_tried *t);
const char *lore_words_summary(const struct lore_scan *s, bool empty);
/* The closest level at which T was tried. */
enum lore_tally_level lore_words_closest(const struct lore_tried *t);

#endif
