/* The versions of one kernel with their runs and experiments, for history, frontier, drift and
 * restart. */
#ifndef LORE_API_HISTORY_H
#define LORE_API_HISTORY_H

#include "db/line.h"
#include "db/sweep.h"
#include "service/api/object.h"
#include "service/api/timing.h"
#include "service/derive/line.h"
#include "service/derive/lineage.h"
#include "service/http/http.h"

/* One version with its experiments, time and correctness. Texts and rows live in the arena. */
struct lore_history_version {
    const struct lore_version_row *version;
    const struct lore_experiment_row *experiment; /* that made it; preferred: visible, then from a
                                                     version of the kernel, then newest */
    const struct lore_experiment_row **made;      /* all experiments that made it, newest first */
    size_t n_made, cap_made;
    const char *run;        /* its representative run on the workload; NULL: not timed there */
    double time_ns;         /* 0: not known */
    int64_t seq;            /* order of arrival of the run, or of the experiment that states it */
    bool measured;          /* evidence class of the time */
    const char *error_type; /* of its newest failed run, when no run was timed; NULL: none */
    const char *chip;       /* of a stated time; NULL: not recorded, or a run has the time */
    const char *elsewhere;  /* why its time does not compare: "chip h200"; NULL: it does */
    enum lore_check check;  /* the worst result of its checks at the place */
    bool hidden;            /* it has experiments, and all are hidden */
    bool retracted;         /* this and the next are set by lore_history_read_hidden */
    const char *disputed;   /* record that says, without evidence, that it is wrong; NULL: none */
    const char *beyond;     /* why the time of a run is impossible; NULL: none is */
    const char *hidden_why; /* why `experiment` is hidden; NULL: not hidden */
};
struct lore_history_filter {
    const char *workload, *chip; /* NULL: chosen by the conditions of most timed versions */
};
/* A search. Its best time at the place of the history compares with the baseline, unless the search
 * made the baseline. */
struct lore_history_sweep {
    struct lore_sweep_row row;
    struct lore_f64 vs_first;
};
struct lore_history {
    struct lore_history_version *entries; /* indexed by `line.steps[].in` */
    struct lore_lineage line;
    struct lore_timing timing; /* conditions of most timed versions; times under them compare */
    bool timed;                /* some run was timed; else `timing` has only the request's values */
    int64_t older_versions, older_experiments; /* not read: there are too many */
    struct lore_history_filter asked;
    struct lore_line_use_row *left_out; /* what its ablations are made without */
    size_t n_left_out;
    struct lore_history_sweep *sweeps; /* set by lore_history_read_sweeps */
    size_t n_sweeps;
};
/* The parameters `workload` and `chip`. */
enum lore_status lore_history_read_filter(
    const struct lore_req *req, struct lore_history_filter *out, struct lore_err *err) LORE_MUST;
/* Set why T's version is hidden, and whether the version is retracted. */
enum lore_status lore_history_read_hidden(
    struct lore_db *db, struct lore_history_version *t, struct lore_err *err) LORE_MUST;
/* Member tables of answers: whether a lore_history_version is hidden; workload and chip of a
 * lore_history; counts of records that were not read. */
extern const struct lore_object lore_history_hidden_object, lore_history_place_object,
    lore_history_older_object;
/* A time is the median of a run's samples, else its summary. Without a run it is the time of the
 * experiment's verdict, unless other workloads were timed. Only comparable times give speedups and
 * the champion. At most the newest 1,000 versions and 2,000 experiments are read; baseline and
 * champion are chosen among those. LORE_NOTFOUND for an unknown kernel. */
enum lore_status
lore_history_load(struct lore_db *db, const char *kernel, const struct lore_history_filter *of,
    struct lore_arena *arena, struct lore_history *out, struct lore_err *err) LORE_MUST;
/* The fastest version at the place that was asked for; NULL: none was timed. */
const struct lore_history_version *lore_history_champion(const struct lore_history *h);
/* lineage.c: the techniques of the lines of H's versions, in the order of its entries, within the
 * kernel. */
struct lore_line *lore_history_lines(const struct lore_history *h, struct lore_arena *arena);
/* The bottlenecks of VERSION that the experiments starting from it name, as bits. */
uint32_t lore_history_stated_labels(const struct lore_history *h, const char *version);
/* sweeps.c: set the newest 200 searches of KERNEL at the place that was asked for. */
extern const struct lore_object lore_history_sweep_object;
enum lore_status lore_history_read_sweeps(struct lore_db *db, const char *kernel,
    struct lore_history *h, struct lore_arena *arena, struct lore_err *err) LORE_MUST;

#endif
