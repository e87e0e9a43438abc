/* Why the numbers of an answer are what they are, as JSON. */
#ifndef LORE_API_PRESENT_EXPLAIN_H
#define LORE_API_PRESENT_EXPLAIN_H

#include "service/base/jsonw.h"
#include "service/recommend/recommend.h"

/* Members of an object that is open: "steps", "if_won", "if_lost". */
void lore_present_steps(struct lore_jsonw *w, const struct lore_advice *a);
/* Member "telling": the experiment that would change the answer most, or null. */
void lore_present_telling(struct lore_jsonw *w, const struct lore_telling *t);
/* Member "model": its name and numbers (present_model.c). Thread-safe. */
void lore_present_model(struct lore_jsonw *w);

#endif
