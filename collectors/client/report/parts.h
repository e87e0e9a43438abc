/* Parts of reports, for the files of this folder. A function that takes OUT writes a section with
 * its heading, unless its comment says otherwise. */
#ifndef LORE_CLIENT_REPORT_PARTS_H
#define LORE_CLIENT_REPORT_PARTS_H

#include "collectors/client/report/sheet.h"
#include "collectors/client/report/story.h"

/* versions.c */
void lore_part_environment(const struct lore_story *s, struct lore_buf *out);
void lore_part_comparison(const struct lore_story *s, struct lore_buf *out);
void lore_part_strategies(const struct lore_story *s, struct lore_buf *out);
void lore_part_decisions(const struct lore_story *s, struct lore_buf *out);
/* hardware.c */
void lore_part_specs(const struct lore_story *s, struct lore_buf *out);
/* Movement of the bottleneck, and declared bottlenecks that metrics contradict; no heading. */
void lore_part_drift(const struct lore_story *s, struct lore_buf *out);
/* claims.c */
void lore_part_hypotheses(const struct lore_story *s, struct lore_buf *out);
void lore_part_attributions(const struct lore_story *s, struct lore_buf *out);
/* Judgements of one experiment as rows of a table begun with lore_part_claims_begin. */
void lore_part_claims_begin(const struct lore_story *s, struct lore_sheet *t, struct lore_buf *out);
void lore_part_claims_of(
    const struct lore_story *s, struct lore_sheet *t, const struct lore_story_step *step);
/* failures.c */
void lore_part_failures(const struct lore_story *s, struct lore_buf *out);
void lore_part_hidden(const struct lore_story *s, struct lore_buf *out);
/* conclusion.c */
enum lore_status lore_part_conclusion(
    const struct lore_story *s, struct lore_buf *out, struct lore_err *err) LORE_MUST;

/* "memory.vectorized_access + sync.fused_pass" of an experiment's techniques; NULL: none named. */
const char *lore_part_techniques(const struct lore_story *s, const struct lore_json *x);
/* "win 1.250× vs v1", "loss 0.800× vs v2, correctness: fail"; NULL without an experiment. */
const char *lore_part_outcome(const struct lore_story *s, const struct lore_json *x);
/* The value of a metric of STEP: from its run, else from its experiment's statement. */
bool lore_part_number(const struct lore_story *s, const struct lore_story_step *step,
    const char *name, double *v, const char **why);
/* "tflops" and "bandwidth_gbps", computed from shape and time of the run, when they were not
 * recorded. */
bool lore_part_derived(const struct lore_story_step *step, const char *name, double *v);
/* A metric's number as a cell shows it: "92.17 %"; NULL when there is none, *why then says why. */
const char *lore_part_quantity(const struct lore_story *s, const struct lore_story_step *step,
    const char *canonical, const char **why);

#endif
