/* The trace of one execution of a program: launches grouped by kernel and launch shape, ordered
 * samples, copies, losses, counters. trace_read.h fills it in from capture files. */
#ifndef LORE_RUN_TRACE_H
#define LORE_RUN_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/capture/capture.h"
#include "service/base/arena.h"
#include "service/wire/record.h"

enum { LORE_TRACE_SAMPLES = 4096 }; /* default cap of samples kept per group */

struct lore_trace_sample {
    uint64_t index; /* which launch of the group, from 0 */
    uint64_t start_ns;
    int64_t dur_ns;
};
struct lore_trace_counter {    /* one counter of a kernel and launch shape, launch by launch */
    uint32_t id;               /* of its name in the file */
    enum lore_missing missing; /* the last reason of a launch without a value */
    const char *name;
    double *v;
    size_t n, cap, n_missing;
};
struct lore_trace_group {
    const char *symbol, *name; /* as the vendor gives it; readable */
    const char *range;         /* text of the range that it was launched in; NULL: none */
    struct lore_cap_shape shape;
    uint32_t pid, streams; /* streams: how many different ones */
    uint64_t launches;     /* all of them */
    int64_t first_ns, total_ns, min_ns, max_ns;
    struct lore_trace_sample *samples; /* in order of start; all, or a reservoir (fixed seed) */
    size_t n_samples;
    bool sampled; /* samples is a reservoir: not every launch is in it */
    struct lore_trace_counter *counters;
    size_t n_counters, cap_counters;
    struct lore_metrics metrics; /* medians over the counted launches, or why missing */
    uint32_t counted;            /* launches counted */
};
struct lore_trace_process {
    uint32_t pid;
    const char *backend;
    uint32_t backend_version, driver_version;
    bool ended; /* END was read: the file is complete */
    uint64_t launches;
    int64_t total_ns, span_ns, busy_ns; /* sum of durations; first start to last end; of that, with
                                           at least one kernel running */
    int64_t wall_minus_vendor_ns;       /* add to a vendor time to get wall time */
};
struct lore_trace_device {
    uint32_t pid, ordinal;   /* the number that this process knows it by */
    const char *name, *uuid; /* hex; NULL: not known */
    uint32_t major, minor, units, warp;
};
struct lore_trace_state {
    uint32_t pid;
    enum lore_cap_state_code code;
    const char *text;
    uint64_t a, b;
};
struct lore_trace {
    struct lore_trace_group *groups; /* by total_ns, longest first */
    size_t n_groups, cap_groups;
    struct lore_trace_process *processes;
    size_t n_processes, cap_processes;
    struct lore_trace_device *devices;
    size_t n_devices, cap_devices;
    struct lore_trace_state *states;
    size_t n_states, cap_states;
    struct lore_cap_totals totals; /* sums over processes */
    struct lore_cap_loss loss;
    struct lore_texts problems; /* "FILE: PROBLEM at byte N"; each kind of problem once per file */
};
/* SYMBOL in readable form: C++ names are demangled when the system has a C++ library. */
const char *lore_trace_readable(struct lore_arena *arena, const char *symbol);

#endif
