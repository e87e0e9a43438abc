/* The names behind `--metrics`: sets of counters with help, and the expansion of a user's text.
 * Names are NVIDIA's, verbatim. Only the chip knows its counters. So a name is refused here only
 * when its form is impossible or the device's own list lacks it. */
#ifndef LORE_RUN_METRIC_SETS_H
#define LORE_RUN_METRIC_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

struct lore_metric_set {
    const char *name; /* "basic" */
    const char *help; /* one sentence */
    const char *const *names;
    size_t n;
};
/* Every set, smallest first; "none" has no names. */
const struct lore_metric_set *lore_metric_sets(size_t *n);
/* Expand TEXT, set and metric names separated by commas, into *out for LORE_ENV_COUNTERS: each name
 * once, separated by commas, in ARENA; NULL for none. DEVICE: base metric names of the device
 * ("dram__bytes"), as WARPLORE_COUNTERS=list writes them; N_DEVICE 0: not known. LORE_INVALID
 * "unknown_metric" with the nearest names as the hint; LORE_TOOBIG past 1024 names. */
enum lore_status lore_metric_sets_expand(const char *text, const char *const *device,
    size_t n_device, struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;
/* Whether NAME is in a set. If so its spelling is right, and a chip that refuses it lacks the
 * counter. */
bool lore_metric_sets_contain(const char *name);
/* Whether NAME measures elapsed time, or is relative to elapsed time or cycles. */
bool lore_metric_sets_is_elapsed(const char *name);
/* The names nearest to NAME, "a, b, c", without NAME; "" when none is near. */
const char *lore_metric_sets_suggest(
    const char *name, const char *const *device, size_t n_device, struct lore_arena *arena);

#endif
