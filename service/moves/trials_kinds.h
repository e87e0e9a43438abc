/* Kinds of workloads that configurations have run on. Private to moves/. */
#ifndef LORE_MOVES_TRIALS_KINDS_H
#define LORE_MOVES_TRIALS_KINDS_H

#include "service/moves/trials_tables.h"

#define TRIAL_ANY_KIND (UINT32_MAX - 1)
/* A run of KIND (may be NULL) is coming to PLACE; STATE has its first run there. */
void lore_trials_kind_is(struct lore_trials *t, uint32_t place, const char *kind);
void lore_trials_kind_joins(struct lore_trials *t, uint32_t state, uint32_t place);
/* A kind by number: TRIAL_ANY_KIND for NULL, LORE_INTERN_NONE for one that nothing ran on. */
uint32_t lore_trials_kind_find(const struct lore_trials *t, const char *kind);
/* Whether PLACE is of that kind, or of none that is known. */
bool lore_trials_kind_goes(const struct lore_trials *t, uint32_t place, uint32_t kind);
/* Whether a configuration has a result on a workload of that kind, or of none that is known; and
 * how many of an operator have. */
bool lore_trials_of_kind(const struct lore_trials *t, uint32_t state, uint32_t kind);
size_t lore_trials_count(const struct lore_trials *t, uint32_t op, uint32_t kind);
/* The kind of a workload; NULL: not known. */
const char *lore_trials_work_kind(const struct lore_trials *t, const char *workload);

#endif
