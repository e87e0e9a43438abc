/* The accumulated launches, for launches.c, which fills them in, and record.c, which makes the
 * profile of them. */
#ifndef LORE_IMPORT_PROFILERS_LAUNCHES_PRIVATE_H
#define LORE_IMPORT_PROFILERS_LAUNCHES_PRIVATE_H

#include "collectors/import/import.h"
#include "collectors/import/index.h"
#include "service/base/buf.h"

enum {
    LORE_LAUNCHES_MEMORY = 128 << 20,
    LORE_LAUNCHES_SAMPLES = 500, /* of a shape */
    LORE_LAUNCHES_INTERVALS = 1000000,
    LORE_LAUNCHES_PROCESSES = 1024,
    LORE_LAUNCHES_DEVICES = 64,
    LORE_LAUNCHES_FACTS = 500, /* of a shape */
    LORE_LAUNCHES_NAME = 200,  /* bytes of a metric's name */
};

struct lore_launches_sum { /* of one metric of one shape */
    uint32_t name;
    enum lore_missing missing;
    int64_t n;
    double mean, m2, min, max;
    int64_t launch; /* the last one that it was read in, and its value there */
    double last;
    uint32_t pass; /* that it was read in */
    bool summed;   /* over instances: only the mean is known */
};
struct lore_launches_process {
    int64_t id, device, launches, total_ns;
};
struct lore_launches_device {
    int64_t number;
    const char *name;
};
struct lore_launches_kernel {
    const char *name, *symbol;
    int64_t launches, total_ns;
};
struct lore_launched {
    uint32_t kernel;
    size_t number; /* among the shapes, from 1 */
    int64_t grid[3], block[3], device;
    int64_t launches, timed, total_ns, min_ns, max_ns, first_ns;
    int64_t samples[LORE_LAUNCHES_SAMPLES];
    size_t n_samples, stride, skipped;
    bool counted;
    struct lore_launches_sum *sums;
    size_t n_sums, cap_sums;
    uint32_t *at; /* of each name its place in sums, plus one */
    size_t n_at;
    struct lore_kvs facts;
    uint8_t processes[LORE_LAUNCHES_PROCESSES / 8]; /* a bit for each that launched it */
};
struct lore_launches_name {
    const char *name, *unit;
};
struct lore_launches_interval {
    int64_t process, start, end;
};
struct lore_launches {
    struct lore_import *in;
    struct lore_arena arena;
    struct lore_index *kernels_at, *shapes_at, *names_at;
    struct lore_index *ids_at; /* of a launch: its number << 32 | that of its shape, 0: none */
    struct lore_launches_kernel *kernels;
    size_t n_kernels, cap_kernels;
    struct lore_launched **shapes;
    size_t n_shapes, cap_shapes;
    struct lore_launches_name *names;
    size_t n_names, cap_names;
    struct lore_launches_interval *intervals;
    size_t n_intervals, cap_intervals;
    bool full;         /* of memory: something was only counted */
    bool no_intervals; /* more than the limit, or one without a start */
    uint32_t pass;
    int64_t current; /* number of the launch added last */
    int64_t launches, total_ns, unshaped, lost_metrics;
    struct lore_launches_process *processes;
    size_t n_processes, cap_processes;
    struct lore_launches_device *devices;
    size_t n_devices, cap_devices;
    struct lore_profile_copy *copies;
    size_t n_copies, cap_copies;
    struct lore_buf key;
};

#endif
