/* What the verdicts on one experiment are made from, as stored, and storing what was derived from
 * it (facts.c, derived.c). service/verdicts reads and writes through this header; nothing is judged
 * here. Text lives in the arena unless said. */
#ifndef LORE_DB_FACTS_H
#define LORE_DB_FACTS_H

#include "db/read.h"

struct lore_fact_experiment {
    int64_t seq, document; /* document: its submission */
    const char *kernel, *hypothesis, *from_version, *to_version;
    const char *rest, *campaign; /* JSON: what no column took, of it and of its campaign */
    const char *chip;            /* NULL: not recorded */
    uint32_t labels;             /* declared bottleneck: bits of enum lore_label */
    bool judged;                 /* a verdict is in force */
    bool says_bottleneck;        /* in labels, or in words that none of them means */
    enum lore_evidence evidence;
    struct lore_metrics stated[2]; /* before, after */
    struct lore_claim claim;
    struct lore_texts violations; /* rules that the author names as broken */
};
/* LORE_NOTFOUND: no such experiment. */
enum lore_status lore_fact_experiment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_fact_experiment *out, struct lore_err *err) LORE_MUST;

struct lore_fact_run {
    bool after; /* which side of the experiment it is of */
    const char *id, *version, *workload, *dtype, *chip, *tool;
    const char *environment; /* hash of its hard fields */
    int64_t seq, document, measured_us;
    const int64_t *samples; /* borrowed from the row */
    size_t n_samples;
    struct lore_f64 stated_ns; /* median, mean or minimum, the first that is stated */
    bool checked;              /* correctness is recorded */
    enum lore_check correctness;
    bool failed;          /* it ended in an error */
    const char *rest;     /* borrowed from the row */
    const void *metrics;  /* packed (metrics.h) */
    size_t metrics_bytes; /* 0: none */
};
typedef enum lore_status (*lore_fact_run_fn)(
    void *ctx, const struct lore_fact_run *run, struct lore_err *err);
/* The runs of EXPERIMENT (seq) that are not retracted, before first. */
enum lore_status lore_fact_runs(struct lore_db *db, int64_t experiment, struct lore_arena *a,
    lore_fact_run_fn fn, void *ctx, struct lore_err *err) LORE_MUST;
/* Other runs with a check, at most LORE_FACT_CHECKS: of a version, but for the runs after of
 * EXPERIMENT, those that passed or those that did not; or of a kernel's baseline, which is among
 * its first versions. Only version, workload, dtype, correctness and rest are set. */
enum { LORE_FACT_CHECKS = 32 };
enum lore_fact_which { LORE_FACT_PASSES, LORE_FACT_FAILURES, LORE_FACT_BASELINE };
enum lore_status
lore_fact_checks(struct lore_db *db, enum lore_fact_which which, const char *of, int64_t experiment,
    struct lore_arena *a, lore_fact_run_fn fn, void *ctx, struct lore_err *err) LORE_MUST;
/* The version of a run stored shortly before run SEQ with the very metrics of LIKE, and of another
 * version; *out NULL: none. */
enum lore_status lore_fact_near(struct lore_db *db, int64_t seq, const struct lore_fact_run *like,
    struct lore_arena *a, const char **out, struct lore_err *err) LORE_MUST;
/* The newest run like LIKE (version, workload, hard environment, chip) that has metrics, of
 * documents up to DOCUMENT; *run NULL: none. "Earlier" is by the order of documents, not by what
 * happens to be stored, so that a rebuild finds what was found when the experiment came. */
enum lore_status lore_fact_earlier(struct lore_db *db, int64_t document,
    const struct lore_fact_run *like, struct lore_arena *a, struct lore_metrics *metrics,
    const char **run, struct lore_err *err) LORE_MUST;
/* Samples, stated time, check and error of one run, samples in ARENA; zeroed: no such run. */
enum lore_status lore_fact_timing(struct lore_db *db, const char *run, struct lore_arena *a,
    struct lore_fact_run *out, struct lore_err *err) LORE_MUST;
/* Hashes of a version's source files, in order. */
enum lore_status lore_fact_sources(struct lore_db *db, const char *version, struct lore_arena *a,
    struct lore_texts *out, struct lore_err *err) LORE_MUST;
/* The submission that brought a hypothesis; 0: there is none. */
enum lore_status lore_fact_hypothesis(
    struct lore_db *db, const char *id, int64_t *document, struct lore_err *err) LORE_MUST;

/* A technique of an experiment with one look at the compiled code of VERSION; status NULL: nobody
 * looked. By position, then in the order in which the looks were stored. */
struct lore_fact_use {
    int64_t position;
    const char *technique, *status, *verification;
};
typedef enum lore_status (*lore_fact_use_fn)(
    void *ctx, const struct lore_fact_use *use, struct lore_err *err);
enum lore_status lore_fact_uses(struct lore_db *db, int64_t experiment, const char *version,
    struct lore_arena *a, lore_fact_use_fn fn, void *ctx, struct lore_err *err) LORE_MUST;

/* --- what was derived (derived.c) --- */
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
/* Store one more of EXPERIMENT (seq); forget all of it. */
enum lore_status lore_put_judgement(struct lore_db *db, int64_t experiment,
    const struct lore_judgement_row *row, struct lore_err *err) LORE_MUST;
enum lore_status
lore_forget_judgements(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_technique_verdict(struct lore_db *db, int64_t experiment,
    const struct lore_technique_verdict_row *row, struct lore_err *err) LORE_MUST;
enum lore_status lore_forget_technique_verdicts(
    struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* The bottleneck that metrics show; labels must not be 0. */
enum lore_status lore_put_bottleneck(struct lore_db *db, int64_t experiment,
    const struct lore_derived_bottleneck *b, struct lore_arena *a, struct lore_err *err) LORE_MUST;
enum lore_status
lore_forget_bottleneck(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* After the verdicts on EXPERIMENT were stored: the narrow rows that say them again, and what the
 * experiment is the outcome of. FILTER: the row for lists too, where the outcome did not write it.
 */
enum lore_status lore_verdicts_stored(struct lore_db *db, int64_t experiment, bool filter,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;

/* Claims with a probability and how they ended, per author: for calibration. */
struct lore_forecast_row {
    const char *author, *hypothesis, *experiment, *effect, *correctness;
    struct lore_f64 probability;
};
enum lore_status lore_list_forecasts(struct lore_db *db, const char *author, struct lore_arena *a,
    struct lore_forecast_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
