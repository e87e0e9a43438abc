/* The names behind `--metrics`: sets of counters with help, and the expansion of a user's text.
 * Names are the vendor's, verbatim. Only the chip knows its counters. So a name is refused here
 * only when its form is impossible or the device's own list lacks it. */
#ifndef LORE_RUN_METRIC_SETS_H
#define LORE_RUN_METRIC_SETS_H

#include "collectors/run/metric_family.h"
#include "service/base/arena.h"

struct lore_metric_chip {
    const char *vendor; /* "nvidia", "amd"; else as nvidia */
    const char *const
        *names; /* base names of the device's counters ("dram__bytes"); n 0: not known */
    size_t n;
};
/* Every set of a vendor, smallest first; "none" has no names. */
const struct lore_metric_set *lore_metric_sets(const char *vendor, size_t *n);
/* Expand TEXT, set and metric names separated by commas, into *out for LORE_ENV_COUNTERS: each name
 * once, separated by commas, in ARENA; NULL for none. LORE_INVALID "unknown_metric" with the
 * nearest names as the hint; LORE_TOOBIG past 1024 names. */
enum lore_status lore_metric_sets_expand(const char *text, const struct lore_metric_chip *chip,
    struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;
/* Whether NAME is in a set. If so its spelling is right, and a chip that refuses it lacks the
 * counter. */
bool lore_metric_sets_contain(const char *name);
/* Whether NAME measures elapsed time, or is relative to elapsed time or cycles. */
bool lore_metric_sets_is_elapsed(const char *name);
/* The names nearest to NAME, "a, b, c", without NAME; "" when none is near. */
const char *lore_metric_sets_suggest(
    const char *name, const struct lore_metric_chip *chip, struct lore_arena *arena);

#endif
