/* Finding versions and places among the trials. Private to moves/. */
#ifndef LORE_MOVES_TRIALS_RUNS_H
#define LORE_MOVES_TRIALS_RUNS_H

#include "service/moves/trials_tables.h"
#include "service/wire/feed.h"

/* NULL when the version is unknown. */
struct trial_version *lore_trials_find(const struct lore_trials *t, const char *version);
/* The configuration of V's settings, with MORE (may be NULL) beside them. */
uint32_t
lore_trials_state_of(struct lore_trials *t, const struct lore_trial_version *v, const char *more);
/* STATE is written in these languages, too. */
void lore_trials_written_in(struct lore_trials *t, uint32_t state, uint32_t languages);
/* What changing PARAMETER of OP is called. */
void lore_trials_call(
    struct lore_trials *t, const char *op, const char *parameter, const char *technique);
/* What a run says of STATE in PLACE; of R the evidence, the check, the error and the time count. */
void lore_trials_result(
    struct lore_trials *t, uint32_t state, uint32_t place, const struct lore_trial_run *r);
uint32_t
lore_trials_place_of(struct lore_trials *t, const char *chip, const char *workload, double size);

#endif
