/* The parts of a submission that collect.c puts together. For collect*.c alone. */
#ifndef LORE_RUN_COLLECT_PARTS_H
#define LORE_RUN_COLLECT_PARTS_H

#include "collectors/run/collect_ids.h"
#include "collectors/run/flags.h"
#include "collectors/run/group_measure.h"

/* ---- collect_run.c, _method.c, _clocks.c, _metrics.c: one run record ---- */
/* Add a run of VERSION with the results in M; it has no samples when M measured nothing. */
struct lore_run *
lore_collect_run(struct lore_collecting *b, const char *version, const struct lore_measure *m);
extern const char *const lore_collect_copies[LORE_CAP_TOTALS_N]; /* names of the kinds of copies */
/* The parts of it that a profile has, too. M has at least one group in the first. */
void lore_collect_launches(
    struct lore_collecting *b, const struct lore_measure *m, struct lore_run *run);
void lore_collect_device(
    struct lore_collecting *b, struct lore_run *run, const struct lore_trace_group *g);
void lore_collect_failure(
    struct lore_collecting *b, const struct lore_measure *m, struct lore_failure *e);
void lore_collect_method_of_launches(
    struct lore_collecting *b, struct lore_kvs *kvs, const struct lore_measure *m);
void lore_collect_method_of_program(struct lore_collecting *b, struct lore_kvs *kvs);
/* The kernel of group G, for its machine code. */
struct lore_isa_kernel
lore_collect_isa_kernel(const struct lore_collecting *b, const struct lore_trace_group *g);
/* Whether the capture library was asked to keep the modules that the program loaded. */
bool lore_collect_kept_code(const struct lore_observations *c);
/* Clocks, power and throttle reasons of the device that M ran on. */
void
lore_collect_clocks(struct lore_collecting *b, struct lore_kvs *kvs, const struct lore_measure *m);
void lore_collect_metrics(
    struct lore_collecting *b, struct lore_run *run, const struct lore_trace_group *g);
/* Sentences about the problems of both traces. *first: the first problem of the durations' trace;
 * 0: none. */
void lore_collect_problems(const struct lore_observations *c, struct lore_arena *arena,
    struct lore_texts *out, enum lore_cap_state_code *first);

/* ---- collect_profile.c: without an operator ---- */
/* Add the profile of the program to the document. None when it succeeded and no selected kernel was
 * launched. */
enum lore_status lore_collect_profile(struct lore_collecting *b) LORE_MUST;

/* ---- collect_ranges.c: what the ranges around the launches name ---- */
struct lore_ranged { /* the launches of one workload */
    struct lore_workload workload;
    const char *text;        /* of the workload */
    struct lore_trace trace; /* with their groups alone */
};
struct lore_ranged_list {
    struct lore_ranged *v; /* the one with the longest kernel first */
    size_t n, cap;
};
/* The workloads that ranges "warplore:…" name and the options leave open. A range that cannot be
 * read becomes a problem of the trace. */
void lore_collect_ranges(struct lore_collecting *b, struct lore_ranged_list *out);

/* ---- collect_triton.c: what Triton left in its cache ---- */
/* Add to LAUNCH what Triton says of the kernel of G. */
void lore_collect_triton_launch(
    struct lore_collecting *b, const struct lore_trace_group *g, struct lore_kvs *launch);
/* Add the paths of the machine code that it compiled. */
void lore_collect_triton_code(const struct lore_collecting *b, struct lore_texts *out);
/* Add the searches for RUN's kernel, whose record is KERNEL, to the document. */
void lore_collect_triton_sweeps(
    struct lore_collecting *b, const char *kernel, const struct lore_run *run);

/* ---- collect_lineage.c: parent, hypothesis, experiment, attribution ---- */
/* Find the version that --parent names; *out has no version without that option. */
enum lore_status lore_collect_parent(
    struct lore_collecting *b, const char *kernel, struct lore_parent *out) LORE_MUST;
enum lore_status lore_collect_lineage(struct lore_collecting *b, const char *kernel,
    const char *version, const char *parent, struct lore_run *run) LORE_MUST;
/* Set *workload to the id of RUN's workload, and *hard to "CHIP:HASH" with the hash of the hard
 * fields of its environment. Each is "" when RUN has none. */
void lore_collect_context(struct lore_arena *arena, const struct lore_submission *doc,
    const struct lore_run *run, const char **workload, const char **hard);
/* The kind of the version: the user's, else derived from the other options. */
enum lore_version_kind lore_collect_kind(const struct lore_run_options *what);

#endif
