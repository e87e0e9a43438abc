/* Verdicts on experiments. This module reads facts from the database, passes them to the rules of
 * service/derive, and stores the results.
 *
 * lore_verdicts_judge runs on the writer's connection and in its transaction; lore_verdicts_rebuild
 * opens its own. The other functions run on any connection. */
#ifndef LORE_VERDICTS_VERDICTS_H
#define LORE_VERDICTS_VERDICTS_H

#include "db/facts.h"
#include "db/put.h"
#include "db/rebuild.h"
#include "service/derive/ablation.h"
#include "service/derive/claims.h"
#include "service/derive/claims_rule.h"

/* Derive and store again all verdicts on EXPERIMENT: outcome, bottleneck, judgements, technique
 * verdicts. Call it for a new experiment, and when an attribution, verification or check arrives
 * that concerns an experiment. SCRATCH holds the facts; the caller resets it. */
enum lore_status lore_verdicts_judge(struct lore_db *db, const char *experiment,
    struct lore_arena *scratch, int64_t now_us, struct lore_err *err) LORE_MUST;
/* Judge all experiments again by the rules of this program, and rebuild all other derived rows
 * (lore_rebuild). */
enum lore_status lore_verdicts_rebuild(
    struct lore_db *db, int64_t now_us, struct lore_rebuilt *out, struct lore_err *err) LORE_MUST;

/* limits.c: the bottlenecks that the metrics of RUN show; 0: none, or it states some. Pure: for the
 * threads that prepare documents. */
uint32_t lore_verdicts_shown(const struct lore_run *run, struct lore_arena *a);
/* Set aside the configurations of a stored sweep that are faster than its chip allows. */
enum lore_status lore_verdicts_sweep(
    const struct lore_put_ctx *c, const struct lore_sweep *sweep, struct lore_err *err) LORE_MUST;
/* Set a stored run aside if its time is shorter than its chip allows; likewise an experiment, by
 * the time that it states. Call them before experiments are judged. */
enum lore_status lore_verdicts_run(
    const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err) LORE_MUST;
enum lore_status lore_verdicts_statement(
    const struct lore_put_ctx *c, const struct lore_experiment *e, struct lore_err *err) LORE_MUST;
/* Derive all of this again. */
enum lore_status
lore_verdicts_runs(const struct lore_put_ctx *c, bool *changed, struct lore_err *err) LORE_MUST;
/* Compute the stored limits again after hardware numbers changed; ALL: of every place. *changed: a
 * limit changed. */
enum lore_status lore_verdicts_limits(
    const struct lore_put_ctx *c, bool all, bool *changed, struct lore_err *err) LORE_MUST;

/* versions.c: the techniques that V shows. Pure: for the threads that prepare documents. Returns
 * false when it shows nothing. Texts live in ARENA or are static. */
bool lore_verdicts_version(
    const struct lore_version *v, struct lore_arena *arena, struct lore_version_shown *out);
/* Whether what is derived for runs and versions is missing or of older rules: the database is older
 * than this program, and lore_verdicts_rebuild must run. */
enum lore_status
lore_verdicts_are_old(struct lore_db *db, bool *out, struct lore_err *err) LORE_MUST;

/* Metrics and time of one side of an experiment: of its runs, else as stated. */
struct lore_side_measurements {
    struct lore_metrics metrics;
    struct lore_f64 duration_ns;
};
/* Compare the total gain, from the times of OUTCOME, with the sum of the gains that ablations
 * attribute to single techniques. *out is zeroed when no ablation was submitted. */
enum lore_status lore_verdicts_synergy(struct lore_db *db, const char *experiment,
    const struct lore_outcome_row *outcome, struct lore_arena *a, struct lore_synergy *out,
    struct lore_err *err) LORE_MUST;
/* The check of a whole hypothesis: its verdict (improved, regressed, neutral, invalid, untested;
 * NULL: no hypothesis), its decision rule and its watch list. It is not stored but derived on each
 * call. */
struct lore_claim_check {
    const char *verdict;
    bool has_rule; /* false: decided is meaningless */
    struct lore_rule_decision decided;
    const struct lore_watched *watch;
    size_t n_watch;
};
enum lore_status lore_verdicts_claim_check(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_claim_check *out, struct lore_err *err) LORE_MUST;

#endif
