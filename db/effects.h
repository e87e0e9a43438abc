/* Which experiments are to be judged again, and which were hidden or shown, because of what was
 * stored (effects.c, verification.c, checks.c). For the files of this folder. */
#ifndef LORE_DB_EFFECTS_H
#define LORE_DB_EFFECTS_H

#include "db/put.h"

/* The experiment ID was hidden or shown; is to be judged again. Not for C without effects.
 * LORE_TOOBIG, code too_big: one document bears on too much. */
enum lore_status
lore_note_shown(const struct lore_put_ctx *c, const char *id, struct lore_err *err) LORE_MUST;
enum lore_status
lore_note_judged(const struct lore_put_ctx *c, const char *id, struct lore_err *err) LORE_MUST;
/* The experiments that VERIFICATION bears on are to be judged again. */
enum lore_status lore_verification_bears(
    const struct lore_put_ctx *c, const char *verification, struct lore_err *err) LORE_MUST;
/* A check of RUN was stored; experiments whose verdicts it may change are to be judged again. */
enum lore_status lore_check_bears(
    const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err) LORE_MUST;
/* The same of everything that RECORD, a run or a version, bears on. */
enum lore_status
lore_runs_bear(const struct lore_put_ctx *c, const char *record, struct lore_err *err) LORE_MUST;

#endif
