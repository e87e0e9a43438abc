/* Derived verdicts beside the outcome: claims judged against measurements, techniques judged by
 * ablation and compiled code (judgement.c, technique_verdict.c), and what deriving them needs. */
#ifndef LORE_DB_VERDICTS_H
#define LORE_DB_VERDICTS_H

#include "db/read.h"
#include "service/derive/ablation.h"
#include "service/derive/claims.h"
#include "service/derive/claims_rule.h"

struct lore_judgement_row {
    const char *experiment, *metric, *verdict, *why;
    struct lore_f64 before, after;
    int64_t position;
};
struct lore_technique_verdict_row {
    const char *experiment, *technique, *verdict, *contributed, *isa, *policy, *why;
    int64_t position;
};
/* Of one experiment, in order. */
enum lore_status
lore_list_judgements(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_judgement_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status
lore_list_technique_verdicts(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_technique_verdict_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Total gain against the sum of what ablations give to single techniques, by OUTCOME's times.
 * *known: some ablation was submitted. */
enum lore_status
lore_get_synergy(struct lore_db *db, const char *experiment, const struct lore_outcome_row *outcome,
    struct lore_arena *a, bool *known, struct lore_synergy *out, struct lore_err *err) LORE_MUST;
/* The hypothesis as a whole: its verdict (improved, regressed, neutral, invalid, untested; NULL: no
 * hypothesis), its decision rule, what it said to watch. Derived when asked. */
struct lore_claim_check {
    const char *verdict;
    bool has_rule; /* else decided says nothing */
    struct lore_decided decided;
    const struct lore_watched *watch;
    size_t n_watch;
};
enum lore_status lore_get_claim_check(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_claim_check *out, struct lore_err *err) LORE_MUST;
/* Derive and store everything derived about EXPERIMENT again: outcome, judgements, technique
 * verdicts. After a new experiment, and after an attribution or a verification that bears on it. */
enum lore_status lore_judge_experiment(struct lore_db *db, const char *experiment,
    struct lore_arena *scratch, int64_t now_us, struct lore_err *err) LORE_MUST;
/* Metrics and time of one side of an experiment: of its runs, else as stated. */
struct lore_measured {
    struct lore_metrics metrics;
    struct lore_f64 duration_ns;
};
enum lore_status lore_get_measured(struct lore_db *db, const char *experiment, bool after,
    struct lore_arena *a, struct lore_measured *out, struct lore_err *err) LORE_MUST;
/* Claims with a probability and how they ended, per author: for calibration. */
struct lore_forecast_row {
    const char *author, *hypothesis, *experiment, *effect, *correctness;
    struct lore_f64 probability;
};
enum lore_status lore_list_forecasts(struct lore_db *db, const char *author, struct lore_arena *a,
    struct lore_forecast_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* One line of the export: a stored submission, oldest first. Withheld ones have no text. */
struct lore_export_row {
    int64_t seq, received_us;
    const char *id, *actor, *text; /* text: exact bytes, UTF-8; NULL: withheld */
};
enum lore_status lore_list_export(struct lore_db *db, int64_t after, size_t limit, size_t max_bytes,
    struct lore_arena *a, struct lore_export_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Whether there is any record that may not be passed on. */
enum lore_status lore_has_withheld(struct lore_db *db, bool *out, struct lore_err *err) LORE_MUST;
/* Whether one of these records is of a document that may not be passed on. */
enum lore_status lore_any_withheld(struct lore_db *db, const char *const *ids, size_t n, bool *out,
    struct lore_err *err) LORE_MUST;
/* Every fact as canonical text, sorted by kind and id, without what the service adds (order of
 * arrival, times, actors): two databases with equal dumps hold the same facts. */
enum lore_status lore_db_dump(struct lore_db *db, bool (*line)(void *ctx, const char *text),
    void *ctx, struct lore_err *err) LORE_MUST;

#endif
