/* Everything about one kernel's versions, loaded for the handlers that tell or change its story. */
#ifndef LORE_API_HISTORY_H
#define LORE_API_HISTORY_H

#include "service/api/object.h"
#include "service/api/timing.h"
#include "service/derive/lineage.h"
#include "service/http/http.h"

/* One version with what was found out about it; texts and rows live in the arena. */
struct lore_history_version {
    const struct lore_version_row *version;
    const struct lore_experiment_row *experiment; /* that made it: visible ones first, then
                                                   * those from a version of the kernel, newest */
    const struct lore_experiment_row **made;      /* all that did, newest first */
    size_t n_made, cap_made;
    const char *run;        /* that stands for it on the workload; NULL: not timed there */
    double time_ns;         /* 0: not known */
    const char *elsewhere;  /* "chip h200": its time does not compare with the others'; NULL */
    enum lore_check check;  /* the worst that any check said */
    bool hidden;            /* it has experiments, and all are hidden */
    bool retracted;         /* this and the next: lore_history_read_hidden */
    const char *hidden_why; /* of the experiment that stands for it; NULL: not hidden */
};
struct lore_history {
    struct lore_history_version *told; /* by version, in the order of `steps[].in` */
    struct lore_lineage line;
    struct lore_timing timing; /* what most versions were timed by; their times compare */
    bool timed;                /* by runs; else only workload and chip are set, as asked for */
    int64_t older_versions, older_experiments; /* not read: there are too many */
};
struct lore_history_of {
    const char *workload, *chip; /* NULL: the group of times that most versions are in decides */
};
/* The parameters `workload` and `chip`. */
enum lore_status lore_history_asked(
    const struct lore_req *req, struct lore_history_of *out, struct lore_err *err) LORE_MUST;
/* Find out why T's version is hidden, if it is, and whether it was taken back itself. */
enum lore_status lore_history_read_hidden(
    struct lore_db *db, struct lore_history_version *t, struct lore_err *err) LORE_MUST;
/* Members of answers: of struct lore_history_version whether it is hidden; of struct lore_history
 * where its times were taken, and how much was not read. */
extern const struct lore_object lore_history_hidden_object, lore_history_place_object,
    lore_history_older_object;
/* A time is the median of a run's samples, else its summary; without a run, what the experiment's
 * verdict used, unless other workloads were timed. Speedups and the champion are among times that
 * compare only. LORE_NOTFOUND for an unknown kernel. The newest 2,000 versions and 4,000
 * experiments are read: of a kernel that was tuned by a program, with thousands, baseline and
 * champion are among those. */
enum lore_status
lore_history_load(struct lore_db *db, const char *kernel, const struct lore_history_of *of,
    struct lore_arena *arena, struct lore_history *out, struct lore_err *err) LORE_MUST;

#endif
