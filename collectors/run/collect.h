/* Turns a trace into one submission: selects the measured launches, their version and workload, and
 * computes their statistics. */
#ifndef LORE_RUN_COLLECT_H
#define LORE_RUN_COLLECT_H

#include "collectors/run/collected.h"
#include "service/base/buf.h"

/* Make the submission: kernel, version, environment, runs and verifications, the hypothesis if one
 * is given, and an experiment if there is a parent. Ids of kernels, versions and environments are
 * derived from content, ids of runs are new. Without an operator, *out has one profile and no runs,
 * and neither when there is nothing to store: the program succeeded and no selected kernel was
 * launched. lore_collect_summary then says why. Text lives in ARENA. Errors name the option. */
enum lore_status lore_collect(struct lore_observations *c, struct lore_arena *arena,
    struct lore_submission *out, struct lore_err *err) LORE_MUST;
/* Check before the program starts that lore_collect can use WHAT. Files must be readable,
 * expressions must compile, ids and paths must be valid, and the hypothesis must name a change.
 * Errors name the option. */
enum lore_status lore_collect_check(
    const struct lore_run_options *what, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* After DOC was spooled, note its runs in the ledger, so that a later version finds the runs of its
 * parent. A failure costs later comparisons, not this record. */
enum lore_status lore_collect_add_to_ledger(const struct lore_observations *c,
    const struct lore_submission *doc, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Write the summary for the terminal: kernels, medians, flags, losses. Of a profile, the losses
 * alone. */
void lore_collect_summary(const struct lore_observations *c, const struct lore_submission *doc,
    struct lore_arena *arena, struct lore_buf *out);
/* "correctness: fail: exit status 1; row 17 differs" */
const char *lore_collect_check_text(const struct lore_correctness *c, struct lore_arena *arena);
/* A sentence that --kernel-regex matches no kernel, with the names of some kernels of the trace. */
const char *lore_collect_unmatched(const struct lore_observations *c, struct lore_arena *arena);
/* Read warplore.yaml (TEXT of file NAME) into the members of *what that no option has set. Keys are
 * the options' names, with '_' or '-'; relative paths are relative to NAME's folder. */
enum lore_status lore_options_yaml(const char *text, size_t n, const char *name,
    struct lore_arena *arena, struct lore_run_options *what, struct lore_err *err) LORE_MUST;

#endif
