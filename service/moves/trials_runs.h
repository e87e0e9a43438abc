/* Finding versions and places among the trials. Private to moves/. */
#ifndef LORE_MOVES_TRIALS_RUNS_H
#define LORE_MOVES_TRIALS_RUNS_H

#include "service/moves/trials_tables.h"

/* NULL when the version is unknown. */
struct trial_version *lore_trials_find(const struct lore_trials *t, const char *version);
uint32_t
lore_trials_place_of(struct lore_trials *t, const char *chip, const char *workload, double size);

#endif
