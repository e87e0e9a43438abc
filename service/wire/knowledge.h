/* Records besides runs and experiments: facts about chips and techniques, plans, and decisions
 * about records. Same conventions as record.h, which includes this. */
#ifndef LORE_WIRE_KNOWLEDGE_H
#define LORE_WIRE_KNOWLEDGE_H

#include "service/wire/record_base.h"

/* A document that states facts: a spec sheet, a wiki page. Its text is stored, so that quotes can
 * be checked against it. */
struct lore_source_document {
    const char *id, *title, *path; /* required; path: in its repository */
    const char *text;              /* required: its text, UTF-8 */
    const char *commit, *published_at;
    struct lore_provenance provenance; /* url, licence, redistribution */
    const char *extra;
};

/* One hardware number with its source, or the statement that no source gives it. */
struct lore_spec {
    const char *id, *chip, *metric; /* required; metric: "hbm_bandwidth" */
    struct lore_f64 value;          /* either this */
    enum lore_missing unknown;      /* or this: why there is no value */
    const char *unit, *qualifier;   /* "TB/s"; "dense", "boost clock" */
    const char *evidence_class;     /* required; see tables_knowledge.c */
    const char *source_document;    /* id; with line and quote, unless a device gave the value */
    struct lore_i64 line;
    const char *quote;
    const char *environment; /* id; for what was measured or reported by the device */
    struct lore_kvs method;  /* kind: memcpy, size_bytes … */
    const char *measured_at, *note;
    struct lore_provenance provenance;
    const char *extra;
};

struct lore_def_trigger {
    bool set;
    const char *metric;        /* verbatim */
    struct lore_f64 good, bad; /* values at which the technique is not needed, and is needed */
    const char *direction;     /* low_is_bad | high_is_bad */
};
struct lore_signature {
    const char *target; /* sass | amdgcn */
    struct lore_texts patterns;
    const char *require; /* any | all */
    struct lore_i64 min_count;
    const char *note;
};
/* A technique as some catalogue describes it. */
struct lore_technique_def {
    const char *id, *technique; /* required; technique: canonical slug */
    const char *slug;           /* as its catalogue names it */
    const char *title, *axis, *layer, *summary, *min_arch, *typical_gain, *reference;
    struct lore_i64 priority;
    struct lore_texts features, preconditions, conflicts, complements, coupled;
    struct lore_def_trigger trigger;
    struct lore_signature *signatures;
    size_t n_signatures, cap_signatures;
    struct lore_provenance provenance;
    const char *extra;
};

/* Whether the compiled code of a version shows a technique. */
struct lore_verification {
    const char *id, *version, *technique; /* required */
    const char *status; /* verified | missing | not_applicable | unavailable | inconclusive */
    const char *tool, *kernel_symbol, *signature; /* signature: name and version of the pattern */
    struct lore_texts found, missing;
    struct lore_kvs counts; /* opcode -> instructions */
    const char *note;
    struct lore_provenance provenance;
    const char *extra;
};

struct lore_target {
    const char *metric, *unit, *direction; /* up | down */
    struct lore_f64 value, current, fraction_of_peak;
    const char *spec; /* id of the spec the value comes from */
    const char *met;  /* yes | no | unknown */
};
/* A series of experiments with a goal: one agent session, one optimisation run. */
struct lore_campaign {
    const char *id, *label;               /* required */
    const char *kernel, *baseline, *chip; /* ids of kernel and version */
    struct lore_workload workload;
    const char *goal, *author;
    struct lore_i64 iterations;       /* planned; fixed at the start */
    struct lore_i64 expected_records; /* experiments that must arrive */
    struct lore_f64 noise_threshold_pct;
    const char *input_hash;
    struct lore_kvs config;
    struct lore_target *targets;
    size_t n_targets, cap_targets;
    const char *started_at, *ended_at, *stop_reason, *retrospective;
    struct lore_provenance provenance;
    const char *extra;
};

/* Something worth trying that nobody has tried. */
struct lore_direction {
    const char *id, *text; /* required */
    const char *kernel, *experiment, *campaign, *technique, *rationale, *author;
    struct lore_i64 rank; /* 1: most promising */
    struct lore_provenance provenance;
    const char *extra;
};

/* The configurations of a sweep, one value of each list per configuration (sweep.h). */
struct lore_sweep_data;
struct lore_sweep_column {
    const char *name; /* required */
    const char *unit, *technique;
    const char *values; /* required: a series (series.h) */
};
struct lore_sweep_failed {
    const char *type, *said, *at; /* at: numbers of configurations, from 0, ascending */
};
struct lore_configurations {
    bool set;
    struct lore_i64 count;
    struct lore_sweep_column *parameters, *metrics;
    size_t n_parameters, cap_parameters, n_metrics, cap_metrics;
    const char *times_ns;   /* a series of numbers */
    const char *samples_ns; /* "1 2 3;4 5 6": lists of integers, one per configuration */
    struct lore_sweep_failed *failures;
    size_t n_failures, cap_failures;
    const struct lore_sweep_data *data; /* all of it, read; set by the decoder */
};
struct lore_sweep_best {
    struct lore_i64 configuration;
    const char *version; /* id */
};
/* One search of a tuner over the parameters of a kernel, on one chip and workload. */
struct lore_sweep {
    const char *id, *kernel; /* required */
    const char *chip, *environment;
    struct lore_workload workload;
    const char *tool, *strategy, *objective, *statistic, *author, *campaign, *searched_at;
    enum lore_evidence evidence; /* default: measured with samples, else claimed */
    struct lore_configurations configurations;
    struct lore_sweep_best *best; /* its best configurations, which are versions */
    size_t n_best, cap_best;
    struct lore_provenance provenance;
    const char *extra;
};

#define LORE_MAX_SUBJECTS 20000 /* of one decision: what one quarantine may hold */
/* A decision about stored records. It changes how they count, not the records. */
struct lore_curation {
    const char *id, *action;    /* required; see tables_knowledge.c for what each may name */
    struct lore_texts subjects; /* ids of the records it is about */
    const char *canonical;      /* merge: the member that counts for the group */
    const char *state;          /* review: draft | reviewed | rejected */
    const char *reason, *at, *author;
    struct lore_kvs values; /* restart: seed, next_ordinal …; close: stop_reason */
    const char *extra;
};

#endif
