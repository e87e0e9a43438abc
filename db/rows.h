/* Stored rows: the record plus the fields that the service adds. Getters of one record fill its
 * struct completely, so that lore_wire_members reproduces the submission (times as the same instant
 * in UTC, canonical names, the catalogue's unit for a metric without one). Lists fill the fields
 * with a column. `rest` is JSON object text as stored: the whole record or its members without a
 * column; NULL: none. Getters put its members into the struct, too. */
#ifndef LORE_DB_ROWS_H
#define LORE_DB_ROWS_H

#include "service/base/arena.h"
#include "service/wire/effect.h"
#include "service/wire/record.h"

struct lore_kernel_row {
    struct lore_kernel k;
    int64_t seq, received_us;
    int64_t n_versions, n_experiments;
    const char *family, *rest, *document;
};
struct lore_version_row {
    struct lore_version v;
    int64_t seq, received_us, created_us;
    const char *rest, *document, *op, *kernel_name, *language, *project;
    struct lore_source_row {
        const char *file, *blob;
        int64_t bytes;
    } * files;
    size_t n_files;
};
struct lore_environment_row {
    struct lore_environment e;
    const char *hard_hash, *soft_hash, *rest, *document;
    int64_t seq, received_us, captured_us;
};
struct lore_workload_row {
    const char *id, *op, *canonical, *label, *dims, *dtype, *layout;
};
struct lore_run_row {
    struct lore_run r;
    struct lore_workload_row workload;
    int64_t seq, received_us, measured_us;
    const char *rest, *document, *op, *kernel, *kernel_name, *language, *project, *version_label;
    const char *copy_of, *copy_of_project; /* the run that it repeats; NULL: no copy */
    bool retracted;                        /* the run, or its version, is retracted */
    const char *beyond; /* why its time is impossible, so that it does not count; NULL: it is not */
    bool disputes;      /* its failed check is bare and about a version of others */
    struct lore_f64 time_ns; /* median of its samples, else as stated */
};
static inline bool
lore_run_counts(const struct lore_run_row *r)
{
    return !r->retracted && !r->beyond;
}
struct lore_hypothesis_row {
    struct lore_hypothesis h;
    int64_t seq, received_us, claimed_us;
    const char *rest, *document;
};
/* The scope and title of an insight. */
struct lore_lesson {
    const char *id, *kind, *title, *op, *family, *language, *chip, *technique, *labels;
    const char *arch, *vendor; /* set when the lesson names no chip; NULL: unknown */
};
/* What lessons may be about: an operator, its family, or one of the techniques; each may be absent.
 */
struct lore_lesson_scope {
    const char *op, *family, *const *techniques;
    size_t n_techniques;
};
struct lore_outcome_row {
    const char *policy, *effect, *correctness, *process, *rules, *flags, *basis;
    const char *error_type; /* of a run that ended before it was timed; NULL: none */
    struct lore_f64 speedup, low, high, before_ns, after_ns;
    struct lore_f64 gain; /* what counts of the speedup (outcome.h); unset: all of it */
    bool disagrees;
    int64_t at_us, superseded_us;
};
/* The bottleneck inferred from metrics for an experiment that states none; labels 0: none. */
struct lore_derived_bottleneck {
    uint32_t labels;      /* bits of enum lore_label */
    const char *rule_set; /* the rule set that inferred them */
    const char *basis;    /* run_before | stated | earlier_run; NULL without labels */
    const char *run;      /* the run with the metrics; NULL: those that the experiment states */
};
struct lore_experiment_row {
    struct lore_experiment
        e; /* ids, title, techniques (slug + raw), notes, claim numbers; runs only in get */
    const char *op, *family, *kernel_name, *language, *project;
    struct lore_workload_row workload;
    struct lore_outcome_row outcome; /* the verdict in force */
    struct lore_derived_bottleneck derived;
    const char *copy_of, *copy_of_project; /* the experiment that it repeats; NULL: no copy */
    bool masked, withheld;                 /* withheld: may not be passed on */
    bool disputes;                         /* its failed verdict is about a version of others */
    int64_t seq, received_us, happened_us;
    const char *rest, *document;
};
struct lore_attribution_row {
    struct lore_attribution a;
    int64_t seq;
    const char *rest;
    bool retracted; /* no longer in force */
};
struct lore_insight_row {
    struct lore_insight i;
    int64_t seq, received_us;
    const char *rest, *document;
};
struct lore_document_row {
    int64_t seq, bytes, received_us;
    const char *id, *hash, *actor, *author, *author_kind, *author_model;
};
struct lore_mask_row {
    bool masked;
    const char *reason, *actor;
    int64_t at_us;
};
struct lore_event_row {
    int64_t seq, at_us;
    const char *actor, *kind, *subject;
};

#endif
