/* The stored facts behind the verdicts on one experiment (facts.c), and the results derived from
 * them (derived.c). service/verdicts reads and writes through this header; db judges nothing.
 * Strings live in the arena unless a comment says otherwise. */
#ifndef LORE_DB_FACTS_H
#define LORE_DB_FACTS_H

#include "db/read.h"

struct lore_fact_experiment {
    int64_t seq, document; /* document: seq of its submission */
    const char *kernel, *hypothesis, *from_version, *to_version, *workload;
    const char *rest, *campaign; /* JSON: its own, its campaign's */
    const char *chip;            /* NULL: not recorded */
    uint32_t labels;             /* declared bottleneck, as bits of enum lore_label */
    bool judged;                 /* a verdict is in force */
    bool says_bottleneck; /* it states a bottleneck, as labels or in words that match no label */
    enum lore_evidence evidence;
    struct lore_metrics stated[2]; /* before, after */
    struct lore_claim claim;
    struct lore_texts violations; /* process rules that the author admits to have broken */
};
/* LORE_NOTFOUND: no such experiment. */
enum lore_status lore_fact_experiment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_fact_experiment *out, struct lore_err *err) LORE_MUST;

struct lore_fact_run {
    bool after; /* true for a run after the change */
    const char *id, *version, *workload, *dtype, *chip, *tool;
    const char *environment; /* hash of the hard fields */
    int64_t seq, document, measured_us;
    const int64_t *samples; /* borrowed from the row */
    size_t n_samples;
    struct lore_f64 stated_ns; /* median, mean or minimum: the first one that is stated */
    bool checked;              /* correctness is recorded */
    enum lore_check correctness;
    bool failed;          /* the run ended in an error */
    const char *rest;     /* of lore_fact_runs: borrowed from the row */
    const void *metrics;  /* packed (metrics.h) */
    size_t metrics_bytes; /* 0: none */
};
typedef enum lore_status (*lore_fact_run_fn)(
    void *ctx, const struct lore_fact_run *run, struct lore_err *err);
/* Read the runs of EXPERIMENT (seq) that are not retracted; runs before the change come first. */
enum lore_status lore_fact_runs(struct lore_db *db, int64_t experiment, struct lore_arena *a,
    lore_fact_run_fn fn, void *ctx, struct lore_err *err) LORE_MUST;
/* List other checked runs, at most LORE_FACT_CHECKS. PASSES, FAILURES: passing or failing runs of
 * the to-version of X, without its runs after the change. BASELINE: runs of its kernel's
 * baseline, which is searched among its first 8 versions. Only version, workload, dtype, checked,
 * correctness and rest are set. */
enum { LORE_FACT_CHECKS = 32 };
enum lore_fact_which { LORE_FACT_PASSES, LORE_FACT_FAILURES, LORE_FACT_BASELINE };
struct lore_fact_checks {
    struct lore_fact_run *v;
    size_t n;
};
enum lore_status lore_fact_checks(struct lore_db *db, const struct lore_fact_experiment *x,
    enum lore_fact_which which, struct lore_arena *a, struct lore_fact_checks *out,
    struct lore_err *err) LORE_MUST;
/* Find the version of a run that was stored shortly before run SEQ and has exactly the metrics of
 * LIKE, but another version. *out is NULL when there is none. */
enum lore_status
lore_fact_same_metrics(struct lore_db *db, int64_t seq, const struct lore_fact_run *like,
    struct lore_arena *a, const char **out, struct lore_err *err) LORE_MUST;
/* Find the newest run like LIKE (version, workload, hard environment, chip) that has metrics, in
 * documents up to DOCUMENT; its id is NULL when there is none. Later documents are left out, so
 * that a rebuild finds the same run as the first derivation. */
struct lore_fact_profile {
    const char *run;
    struct lore_metrics metrics;
};
enum lore_status
lore_fact_earlier(struct lore_db *db, int64_t document, const struct lore_fact_run *like,
    struct lore_arena *a, struct lore_fact_profile *out, struct lore_err *err) LORE_MUST;
/* Read samples, stated time, check and error of one run; samples in ARENA. The result is zero when
 * there is no such run. */
enum lore_status lore_fact_timing(struct lore_db *db, const char *run, struct lore_arena *a,
    struct lore_fact_run *out, struct lore_err *err) LORE_MUST;
/* List the hashes of a version's source files, in order. */
enum lore_status lore_fact_sources(struct lore_db *db, const char *version, struct lore_arena *a,
    struct lore_texts *out, struct lore_err *err) LORE_MUST;
/* The seq of the submission of a hypothesis; 0 when it is not stored. */
enum lore_status lore_fact_hypothesis(
    struct lore_db *db, const char *id, int64_t *document, struct lore_err *err) LORE_MUST;

/* A technique of X with one inspection of the compiled code of its to-version; status NULL: not
 * inspected. Ordered by position, then by the order in which the inspections were stored. */
struct lore_fact_use {
    int64_t position;
    const char *technique, *raw, *status, *verification; /* raw: as written */
};
enum lore_status lore_fact_uses(struct lore_db *db, const struct lore_fact_experiment *x,
    struct lore_arena *a, struct lore_fact_use **out, size_t *n, struct lore_err *err) LORE_MUST;

/* The least share of its line's best time that FROM_VERSION of X has, as experiments stored before
 * X show on the same workload and chip; 0: none shows that it is slower. */
enum lore_status lore_fact_share(struct lore_db *db, const struct lore_fact_experiment *x,
    double *out, struct lore_err *err) LORE_MUST;

/* --- derived results (derived.c) --- */
struct lore_judgement_row {
    const char *experiment, *metric, *verdict, *why;
    struct lore_f64 before, after;
    int64_t position;
};
struct lore_technique_verdict_row {
    const char *experiment, *technique, *verdict, *contributed, *isa, *policy, *why;
    int64_t position;
};
/* The judgements of one experiment, in order. */
enum lore_status
lore_db_list_judgements(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_judgement_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_list_technique_verdicts(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_technique_verdict_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Add a judgement of EXPERIMENT (seq). The forget functions delete all rows of one experiment. */
enum lore_status lore_put_judgement(struct lore_db *db, int64_t experiment,
    const struct lore_judgement_row *row, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_forget_judgements(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_technique_verdict(struct lore_db *db, int64_t experiment,
    const struct lore_technique_verdict_row *row, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_forget_technique_verdicts(
    struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* Store the bottleneck inferred from metrics; labels must not be 0. */
enum lore_status lore_put_bottleneck(struct lore_db *db, int64_t experiment,
    const struct lore_derived_bottleneck *b, struct lore_arena *a, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_forget_bottleneck(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* Store that the version after X has SHARE of the speed of the best before it; 0: delete that.
 * Nothing is stored when X starts from a library or from another kernel. */
enum lore_status lore_put_behind(struct lore_db *db, const struct lore_fact_experiment *x,
    double share, struct lore_err *err) LORE_MUST;
/* Update the rows that depend on the verdicts: those of drv_experiment and drv_experiment_entry,
 * and the links to the advice whose outcome X is. Call it after the verdicts are stored. */
enum lore_status lore_verdicts_update_rows(struct lore_db *db, const struct lore_fact_experiment *x,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;

/* The hypotheses of AUTHOR (NULL: of all) with the outcomes of their experiments, for calibration.
 * A hypothesis may state no probability. */
struct lore_forecast_row {
    const char *author, *hypothesis, *experiment, *effect, *correctness;
    struct lore_f64 probability;
};
enum lore_status
lore_db_list_forecasts(struct lore_db *db, const char *author, struct lore_arena *a,
    struct lore_forecast_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
