/* Everything about one kernel, read once: versions in order with their experiments, runs,
 * verifications and decisions. All numbers are of one workload. */
#ifndef LORE_CLIENT_REPORT_STORY_H
#define LORE_CLIENT_REPORT_STORY_H

#include "collectors/client/ask/fetch.h"

struct lore_story_step {
    const char *id, *label;                  /* "v3" */
    const char *shown;                       /* "v3 (masked)" */
    const struct lore_json *row;             /* of the history */
    const struct lore_json *version;         /* full form, else the history's row */
    const struct lore_json *x;               /* the experiment that made it, full form; NULL */
    const struct lore_json *run;             /* the run that represents it, full form; NULL */
    const struct lore_json *env;             /* of the run; NULL */
    const struct lore_json *diagnosis;       /* of the run, by the rule sets; NULL */
    struct lore_fetched verifications, runs; /* runs: list form, of all workloads, newest first */
    bool baseline, champion, hidden, ablation, library;
    double time_ns, vs_first, vs_parent, vs_best; /* 0: not known */
    /* why its time cannot be compared with the baseline's; NULL: it can */
    const char *not_comparable;
    const char *parent; /* label of the first parent, or NULL */
    const char *edge;   /* kind of that edge: "restart_from"; NULL */
};
struct lore_story {
    const struct lore_fetch *fetch;
    const struct lore_json *kernel;
    const char *kernel_id, *title; /* "softmax [cuda]" */
    const char *workload;          /* label, or NULL */
    const char *workload_id;
    struct lore_story_step *steps; /* in order of lineage, ablations and libraries among them */
    size_t n, cap;
    size_t baseline, champion;             /* index; n: none */
    struct lore_fetched experiments;       /* list form, oldest first, all workloads */
    struct lore_fetched other_experiments; /* experiments that made no step, full form */
    const struct lore_json *chip;          /* chip of the first timed version; NULL: not known */
    const struct lore_json *drift;         /* of the bottleneck; NULL */
    struct lore_fetched campaigns, directions, restarts;
    struct lore_fetched closings; /* curations that closed campaigns, newest first of each */
};

/* Read the story of the kernel with id KERNEL. WORKLOAD NULL: the one that most versions were timed
 * on. LORE_NOTFOUND when there is no such kernel, or the service has no history of it. */
enum lore_status lore_story_read(const struct lore_fetch *fetch, const char *kernel,
    const char *workload, struct lore_story *out, struct lore_err *err) LORE_MUST;
/* Steps that reports show as columns: neither ablations nor libraries. */
bool lore_story_shows(const struct lore_story_step *s);
/* The label of version ID, or its id when it is none of the story's. */
const char *lore_story_label(const struct lore_story *s, const char *id);
/* The hypothesis of the step's experiment, as submitted; NULL: none. */
const struct lore_json *lore_story_hypothesis(const struct lore_story_step *s);
/* Why the step has no time, or no number that depends on it. */
const char *lore_story_no_time(const struct lore_story *story, const struct lore_story_step *s);
/* The correctness of a step: its run's, else its experiment's; NULL when nobody checked. */
const char *lore_story_checked(const struct lore_story_step *s);
/* The bottleneck labels of a step: of each rule set, of its run's record, and of an experiment that
 * starts from it. NULL: there are none. */
const char *lore_story_bottleneck(const struct lore_story *story, const struct lore_story_step *s);

#endif
