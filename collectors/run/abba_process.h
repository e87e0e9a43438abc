/* One process of a comparison: runs it under the capture library and measures its kernels. The
 * time of a process is the median over its iterations, as in `warplore run` (group_measure.h).
 * The warm-up decides which kernels belong to an iteration. When a process lost records, or its
 * launches do not match the warm-up, its time is the sum of the medians of the same kernels, and
 * `patched` counts it. */
#ifndef LORE_RUN_ABBA_PROCESS_H
#define LORE_RUN_ABBA_PROCESS_H

#include "collectors/run/abba.h"
#include "collectors/run/group_measure.h"
#include "collectors/run/launch.h"
#include "collectors/run/trace.h"

struct lore_abba_program {
    const char *letter;           /* "A" */
    const char *shown;            /* the command as typed */
    char *const *argv;            /* ended by NULL */
    struct lore_run_options what; /* kernel_regex, iterations, warmup: as for `warplore run` */
    struct lore_trace trace;      /* of its warm-up, once that ran */
    struct lore_measure like;     /* what the warm-up measured; groups point into `trace` */
    struct lore_launch_result launched; /* the warm-up */
    size_t patched;                     /* number of processes whose time is a sum of medians */
};
struct lore_abba_programs { /* the ctx of lore_abba_process_measure */
    struct lore_abba_program of[2];
    const struct lore_backend *backend;
    struct lore_arena *arena; /* keeps the traces of the warm-ups */
    bool show_output;         /* else the programs write to /dev/null */
};
/* A lore_abba_measure. LORE_INVALID "program_failed" (status or signal), "no_launches" (names the
 * kernels that were seen, or the reason why there were none); else the error of lore_launch_run. */
enum lore_status lore_abba_process_measure(
    void *ctx, unsigned side, size_t nth, struct lore_abba_process *out, struct lore_err *err);
/* Compute the time of T, the trace of one process of P. KEEP: T is the warm-up, and its measure
 * becomes P->like. LORE_INVALID "no_launches". */
enum lore_status lore_abba_time(struct lore_abba_program *p, const struct lore_trace *t, bool keep,
    struct lore_arena *arena, struct lore_abba_process *out, struct lore_err *err) LORE_MUST;

#endif
