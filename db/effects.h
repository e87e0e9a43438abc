/* Experiments whose verdict or visibility the open transaction may change (effects.c,
 * verification.c, checks.c). For the files of this folder. */
#ifndef LORE_DB_EFFECTS_H
#define LORE_DB_EFFECTS_H

#include "db/put_context.h"

/* Note that experiment ID was hidden or shown, or that it must be judged again. C must have
 * effects. LORE_TOOBIG code too_big: one document affects too many experiments. */
enum lore_status
lore_db_note_shown(const struct lore_put_ctx *c, const char *id, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_note_judged(const struct lore_put_ctx *c, const char *id, struct lore_err *err) LORE_MUST;
/* Note the experiments that VERIFICATION affects; they must be judged again. */
enum lore_status lore_verification_affects(
    const struct lore_put_ctx *c, const char *verification, struct lore_err *err) LORE_MUST;
/* A correctness check of RUN was stored: note the experiments whose verdicts it may change. */
enum lore_status lore_check_affects(
    const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err) LORE_MUST;
/* Note every experiment that RECORD, a run or a version, affects. */
enum lore_status
lore_runs_affect(const struct lore_put_ctx *c, const char *record, struct lore_err *err) LORE_MUST;

#endif
