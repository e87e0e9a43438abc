/* Where a probability comes from, and which experiment would change the answer. Private to
 * recommend/. */
#ifndef LORE_RECOMMEND_EXPLAIN_H
#define LORE_RECOMMEND_EXPLAIN_H

#include "service/recommend/lists.h"

/* Fill steps, if_won and if_lost of every piece of advice that OUT lists, and out->telling. */
void
lore_explain(const struct lore_scan *s, const struct lore_lists *lists, struct lore_answer *out);

#endif
