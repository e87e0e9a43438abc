/* A run's metrics, ready to be asked for by name. A rule asks for a quantity under the names it may
 * go by; what was not recorded stays unknown and keeps the name that was asked for, so that nobody
 * mistakes an absent counter for zero. */
#ifndef LORE_DERIVE_PROFILE_H
#define LORE_DERIVE_PROFILE_H

#include "service/base/arena.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/record.h"

struct lore_profile {
    const struct lore_metric *v;
    const struct lore_metric_def **defs; /* of v[i]; NULL: not in the catalogue */
    size_t n;
    const char *vendor; /* read only metrics of this vendor, and those of none; NULL: of any */
};

/* One quantity. Unknown: `name` is the first name asked for, `missing` says why when the run said
 * so. Known: `name` is the metric's name as recorded. A value that is not finite is unknown. */
struct lore_reading {
    bool known;
    double value;
    const char *name;
    enum lore_missing missing;
};

/* M is borrowed and must outlive the profile. */
struct lore_profile lore_profile_open(const struct lore_metrics *m, struct lore_arena *arena);
/* The same profile with only the metrics of VENDOR ("nvidia", "amd") and of no vendor. */
struct lore_profile lore_profile_of(const struct lore_profile *p, const char *vendor);
/* Whether some metric with a value belongs to VENDOR by the catalogue. */
bool lore_profile_has_vendor(const struct lore_profile *p, const char *vendor);

/* The value under one of NAMES: vendor names, canonical names or labels separated by '|', the best
 * first. A name matches a metric that is called so, or whose row in the catalogue is the same or
 * has it as its canonical name. Among several the measured one wins over the typed one. Names live
 * as long as the profile's metrics and, when unknown, in ARENA. */
struct lore_reading
lore_profile_read(const struct lore_profile *p, const char *names, struct lore_arena *arena);

#endif
