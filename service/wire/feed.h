/* Rows with which the database fills the in-memory indexes of advice, board and moves. Text is
 * borrowed: an index copies what it keeps. NULL text: not recorded. */
#ifndef LORE_WIRE_FEED_H
#define LORE_WIRE_FEED_H

#include "service/wire/effect.h"
#include "service/wire/record.h"

/* --- advice: one row per experiment and technique --- */

/* Evidence on whether a technique caused its experiment's gain. */
enum lore_share {
    LORE_SHARE_OPEN,  /* no evidence against it */
    LORE_SHARE_INERT, /* in the code, and as fast without it */
    LORE_SHARE_ABSENT /* not in the code that ran */
};
struct lore_evidence_in {
    const char *experiment; /* ULID */
    const char *op, *family, *language;
    const char *chip;      /* catalogue name */
    const char *workload;  /* id */
    const char *technique; /* slug; NULL: the experiment names none (still counted) */
    uint32_t labels;       /* bottleneck before */
    bool labels_derived;   /* inferred from metrics, not declared */
    enum lore_effect effect;
    enum lore_check correctness;
    bool process_broken, masked;
    enum lore_evidence evidence;
    bool said_lost; /* not measured, but its author reported a failure */
    enum lore_share share;
    bool step;      /* of a tuning sweep: evidence for its own operator only */
    double speedup; /* 0: not measured */
    int64_t seq;    /* sequence number of the experiment */
    int64_t at_us;  /* when it happened; 0: not recorded */
};

/* --- board: one row per run (a timing of a version on a workload) or per experiment --- */

struct lore_entry {
    const char *op, *family, *chip, *workload, *workload_label; /* NULL: not recorded */
    enum lore_language language;
    const char *kernel, *kernel_name, *project, *version, *version_label;
    enum lore_version_kind version_kind;
    const char *run;                      /* ULID, or NULL for an experiment */
    const char *experiment;               /* ULID, or NULL for a run */
    double time_ns, low_ns, high_ns;      /* median and p10..p90; 0: not known */
    double median_low_ns, median_high_ns; /* lore_level_interval of the samples; 0: none */
    size_t n_samples;
    const char *env_hard; /* hash; NULL: not recorded */
    const char *method;   /* the tool that timed it; NULL: not recorded, equal only to NULL */
    enum lore_evidence evidence;
    enum lore_check correctness;
    bool disputes; /* a bare failure about a version of others: it does not fail the version */
    bool masked, retracted, version_retracted, failed;
    const char *beyond;  /* why its time is impossible; NULL: it is not */
    uint32_t labels;     /* bottlenecks: of a run, or of the version before an experiment */
    bool labels_derived; /* inferred from metrics, not declared */
    bool copy;           /* it repeats a record that counts elsewhere, and is hidden */
    /* experiments only */
    bool runs_checked; /* its runs have checks; a pass of the experiment itself does not count */
    double speedup, speedup_low, speedup_high; /* 0: none */
    enum lore_base base;
    const char *base_name;
    enum lore_effect effect; /* of the experiment, for counting wins and losses */
    bool said_lost;          /* effect not_measured, but its author reported a failure */
    int64_t seq, at_us;
};

/* The shortest time of a workload on a chip at the peak rates. */
struct lore_limit_in {
    const char *workload, *chip;
    double peak_ns; /* 0: unknown */
    bool memory;    /* the memory's rate is the limit, else the rate of operations */
};

/* --- moves: versions with their parameters, runs as times, experiments as moves --- */

struct lore_moves_setting {
    const char *param, *text; /* text NULL: a number */
    double number;
};
struct lore_trial_version {
    const char *id, *op, *kernel, *kernel_name;
    const struct lore_moves_setting *settings;
    size_t n; /* 0: no parameters; it is a configuration of its own, once it has run */
    enum lore_language language; /* NONE: unknown */
};
struct lore_trial_run {
    const char *version, *chip, *workload; /* workload NULL: not recorded */
    double size;                           /* log2 of the problem's size; 0: not known */
    const char *kind; /* of the workload: its data type and layout; NULL: not known */
    enum lore_evidence evidence;
    enum lore_check correctness;
    bool error;     /* it did not build, or did not run */
    double time_ns; /* 0: none */
};
/* All configurations of a search on one chip and workload. */
struct lore_sweep_data;
struct lore_trial_sweep {
    int64_t seq;
    const char *id, *op, *kernel, *kernel_name, *chip, *workload;
    enum lore_language language;
    double size;      /* log2 of the problem's size; 0: not known */
    const char *kind; /* of the workload; NULL: not known */
    enum lore_evidence evidence;
    const struct lore_sweep_data *data; /* parameters, times and failures */
};
struct lore_trial_move {
    const char *from, *to, *chip, *workload; /* from, to: versions */
    double size;
    int64_t seq; /* of the experiment */
    bool counts; /* it is not hidden, and it was measured or failed */
    enum lore_evidence evidence;
    double log_speedup;
    bool failed;
    const char *technique; /* what the experiment calls the change; NULL: several names, or none */
};

#endif
