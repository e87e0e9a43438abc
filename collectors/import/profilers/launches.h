/* What the readers of profilers' files share: launches go in one by one, in any order, and become
 * one profile. A profiler's file names no operator, so it becomes no run; `warplore adopt` makes
 * one of a line. Launches of one kernel with the same grid, block and device are one shape; a shape
 * keeps the mean, least and most of each metric over its launches. Memory follows the shapes and
 * their metrics, not the launches. */
#ifndef LORE_IMPORT_PROFILERS_LAUNCHES_H
#define LORE_IMPORT_PROFILERS_LAUNCHES_H

#include "collectors/import/import.h"

struct lore_launch_row {
    const char *kernel;       /* as people read it; required */
    const char *symbol;       /* as the compiler named it; NULL: not known */
    int64_t grid[3];          /* in blocks; [0] 0: not known; [1] 0: [0] is the product of all */
    int64_t block[3];         /* in threads, likewise */
    int64_t start_ns, dur_ns; /* dur_ns negative: not known */
    int64_t process, device;
    int64_t id;   /* rows with the same process and id are one launch, of the first row's shape if
                     the kernel is the same; negative: every row is one */
    bool counted; /* counters were read in it, so that its duration is no sample */
};
struct lore_launched; /* the launches of one shape */
struct lore_launches;

/* Begin the profile of the file being read. Free it with lore_launches_end. */
struct lore_launches *lore_launches_begin(struct lore_import *in);
void lore_launches_free(struct lore_launches *l);
/* Count a launch. NULL: there are more shapes than a profile can have; it is counted only. The
 * result is valid until lore_launches_free. */
struct lore_launched *
lore_launches_add(struct lore_launches *l, const struct lore_launch_row *launch);
size_t lore_launches_count(const struct lore_launches *l);
/* The kernel of launch ID of PROCESS; NULL: no such launch was added. */
const char *lore_launches_kernel_of(const struct lore_launches *l, int64_t process, int64_t id);

/* A metric of the launch added last, of shape S. UNIT as the profiler writes it, NULL: none. A
 * metric that stands twice with one value counts once. False: the launch has another value of it.
 */
bool lore_launched_metric(struct lore_launches *l, struct lore_launched *s, const char *name,
    const char *unit, double value);
/* S has no value of NAME, and why. */
void lore_launched_missing(
    struct lore_launches *l, struct lore_launched *s, const char *name, enum lore_missing why);
/* A fact of the launch as JSON: registers_per_thread 32. The first one counts. */
void lore_launched_fact(
    struct lore_launches *l, struct lore_launched *s, const char *key, const char *json);
/* The mean of metric NAME of S. */
bool lore_launched_mean(
    const struct lore_launches *l, const struct lore_launched *s, const char *name, double *out);
/* What follows comes from another execution of the same launches: a metric that has values from an
 * earlier one counts as another value. */
void lore_launches_pass(struct lore_launches *l);
/* Take the times of launches that were added without one from METRIC, in ns. */
void lore_launches_time_by(struct lore_launches *l, const char *metric);
/* The shapes, in order of their first launches: NULL after the last one. */
struct lore_launched *lore_launches_shape(const struct lore_launches *l, size_t i);
/* Add NAME, the sum of the metrics NAME[0], NAME[1] …, to S where it has no such metric. Returns
 * how many sums were added. */
size_t lore_launched_sums(struct lore_launches *l, struct lore_launched *s);

/* N copies or fills: host_to_device, device_to_host, device_to_device, fill, other. BYTES or NS
 * negative: not known. */
void
lore_launches_copy(struct lore_launches *l, const char *kind, int64_t n, int64_t bytes, int64_t ns);

/* The name of device number DEVICE. */
void lore_launches_device(struct lore_launches *l, int64_t device, const char *name);

/* Complete P, of which program, tool, chip, environment, method and extra are set, with the
 * launches, and append it to the document. Its id follows from its content. Lists what a profile
 * has no room for. LORE_INVALID: there is nothing to keep. */
enum lore_status lore_launches_finish(
    struct lore_launches *l, struct lore_program_profile *p, struct lore_err *err) LORE_MUST;

#endif
