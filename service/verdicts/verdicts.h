/* Verdicts on experiments: reads their facts from the database, has service/derive judge them, and
 * stores what follows. The one place where storage and the rules of judging meet.
 *
 * Judging runs on the writer's connection, inside its transaction; the readers below run on any. */
#ifndef LORE_VERDICTS_VERDICTS_H
#define LORE_VERDICTS_VERDICTS_H

#include "db/facts.h"
#include "db/rebuild.h"
#include "service/derive/ablation.h"
#include "service/derive/claims.h"
#include "service/derive/claims_rule.h"

/* Derive and store everything derived about EXPERIMENT again: outcome, bottleneck, judgements of
 * claims, technique verdicts. Call it after a new experiment, and after an attribution, a
 * verification or a check that bears on one. SCRATCH holds the facts; the caller resets it. */
enum lore_status lore_verdicts_judge(struct lore_db *db, const char *experiment,
    struct lore_arena *scratch, int64_t now_us, struct lore_err *err) LORE_MUST;
/* lore_rebuild with the verdicts of this program. */
enum lore_status lore_verdicts_rebuild(
    struct lore_db *db, int64_t now_us, struct lore_rebuilt *out, struct lore_err *err) LORE_MUST;

/* Metrics and time of one side of an experiment: of its runs, else as stated. */
struct lore_verdicts_measured {
    struct lore_metrics metrics;
    struct lore_f64 duration_ns;
};
/* The total gain, by OUTCOME's times, against the sum of what ablations give to single techniques.
 * *out is zeroed when no ablation was submitted. */
enum lore_status lore_verdicts_synergy(struct lore_db *db, const char *experiment,
    const struct lore_outcome_row *outcome, struct lore_arena *a, struct lore_synergy *out,
    struct lore_err *err) LORE_MUST;
/* The hypothesis as a whole: its verdict (improved, regressed, neutral, invalid, untested; NULL: no
 * hypothesis), its decision rule, what it said to watch. Derived when asked. */
struct lore_claim_check {
    const char *verdict;
    bool has_rule; /* else decided says nothing */
    struct lore_decided decided;
    const struct lore_watched *watch;
    size_t n_watch;
};
enum lore_status lore_verdicts_claim_check(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_claim_check *out, struct lore_err *err) LORE_MUST;

#endif
