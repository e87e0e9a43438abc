/* The sentences of an answer. Private to recommend/. */
#ifndef LORE_RECOMMEND_WORDS_H
#define LORE_RECOMMEND_WORDS_H

#include "service/recommend/scan.h"

/* What is known of a tried technique. */
const char *lore_words_why(
    const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_seen *seen);
const char *lore_words_untried(
    const struct lore_scan *s, const struct lore_technique *known, const struct lore_tried *t);
const char *lore_words_summary(const struct lore_scan *s, bool empty);
/* The closest level at which T was tried. */
enum lore_tally_level lore_words_closest(const struct lore_tried *t);

#endif
