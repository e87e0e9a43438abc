/* The names behind `--metrics`: sets of counters with help, and what a user's text expands to.
 * Names are NVIDIA's, verbatim. Whether a chip has a counter is known on the chip alone, so a name
 * is refused here only when it cannot be one, or when the device's own list does not have it. */
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
/* The names that TEXT asks for: sets and metric names, separated by commas, each name once, as a
 * comma-separated text in ARENA for LORE_ENV_COUNTERS; NULL for none. DEVICE: base metric names of
 * the device ("dram__bytes"), as WARPLORE_COUNTERS=list writes them; N_DEVICE 0: not known.
 * LORE_INVALID "unknown_metric" with the nearest names as the hint; LORE_TOOBIG past 1024 names. */
enum lore_status lore_metric_sets_expand(const char *text, const char *const *device,
    size_t n_device, struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;
/* Whether NAME stands in a set: then it is spelled right, and a chip that refuses it lacks it. */
bool lore_metric_sets_have(const char *name);
/* Whether NAME counts time, or relates something to the time or cycles that went by, busy or not.
 */
bool lore_metric_sets_elapsed(const char *name);
/* The names nearest to NAME, "a, b, c", without NAME; "" when none is near. */
const char *lore_metric_sets_near(
    const char *name, const char *const *device, size_t n_device, struct lore_arena *arena);

#endif
