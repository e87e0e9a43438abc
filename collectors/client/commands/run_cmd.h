/* State shared by the steps of `warplore run`. The order of the steps is in cmd_run.c. */
#ifndef LORE_CLIENT_COMMANDS_RUN_CMD_H
#define LORE_CLIENT_COMMANDS_RUN_CMD_H

#include "collectors/client/cli.h"
#include "collectors/run/collect.h"
#include "collectors/run/rundir.h"

struct lore_run_job {
    struct lore_cli *cli;
    const struct lore_args *args;
    struct lore_observations c;
    struct lore_host host;
    struct lore_rundir dir;
    const char *metrics; /* names for the chip's counters, comma separated; NULL: none asked */
    const char *cache;   /* of --cache-control; NULL: all */
    const char *out;     /* --out */
    int64_t counter_launches, counter_skip;
    bool quiet, verbose, strict, no_upload, app_replay;
    bool terminal;       /* standard error is one */
    bool progress_shown; /* standard error shows a progress line */
    bool trouble;        /* an error of our own, which --strict turns into an exit status */
};
/* Add a line to standard error, which is printed when the command ends. Nothing with --quiet. */
void lore_run_message(struct lore_run_job *j, const char *fmt, ...) LORE_PRINTF(2, 3);
/* Add an error, also with --quiet, and set j->trouble. */
void lore_run_error_line(struct lore_run_job *j, const struct lore_err *err, const char *what);
/* A lore_launch.tick: after two seconds, updates a progress line on a terminal every second. */
void lore_run_progress(void *job, int64_t elapsed_us);
void lore_run_progress_end(struct lore_run_job *j);

/* run_what.c: options and warplore.yaml into j->c.what. LORE_INVALID names the option. */
enum lore_status lore_run_what(struct lore_run_job *j, struct lore_err *err) LORE_MUST;
/* run_session.c: what the options leave open is that of the session of the working directory. */
enum lore_status lore_run_session(struct lore_run_job *j, struct lore_err *err) LORE_MUST;
/* run_names.c: replace the name of the parent, "v4" or "softmax_cuda:champion", by its id when the
 * service answers in time. */
void lore_run_parent(struct lore_run_job *j);
/* run_names.c: warn about a new name that nearly equals a known operator or technique. */
void lore_run_names(struct lore_run_job *j);
/* run_idea.c: ask the service, and wait 300 ms at most. A BODY is posted; NULL: GET. PATH begins
 * with
 * "/api". NULL unless a good answer came in time: a run must not wait for a service. */
struct lore_json *
lore_run_ask(struct lore_run_job *j, const char *path, const struct lore_buf *body);
/* run_idea.c: print one line when the service answers in time that this idea failed before. */
void lore_run_idea(struct lore_run_job *j);
/* run_metrics.c: expand --metrics into counter names in j->metrics (NULL: none), and list the
 * names. */
enum lore_status lore_run_metrics(struct lore_run_job *j, struct lore_err *err) LORE_MUST;
void lore_run_metrics_report(struct lore_run_job *j); /* the names that the chip did not know */
int lore_run_metrics_list(struct lore_cli *cli);
/* run_check.c: the correctness command; its result in j->c.correctness. */
void lore_run_check(struct lore_run_job *j);
/* run_keep.c: collect the record, write it to the spool or --out, then try to deliver it. */
void lore_run_keep(struct lore_run_job *j);

#endif
