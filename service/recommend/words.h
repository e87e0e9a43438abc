/* The sentences of an answer. Private to recommend/. */
#ifndef LORE_WORDS_H
#define LORE_WORDS_H

#include "scan.h"

/* What is known of a tried technique; MEDIAN is the median speedup (0: none) of the experiments at
 * the closest level with any. */
const char *lore_words_why(const struct lore_scan *s, const struct lore_tried *t, double median);
const char *lore_words_untried(
    const struct lore_scan *s, const struct lore_technique *known, const struct lore_tried *t);
const char *lore_words_summary(const struct lore_scan *s, bool empty);
/* The closest level at which T was tried. */
enum lore_level lore_closest(const struct lore_tried *t);

#endif
