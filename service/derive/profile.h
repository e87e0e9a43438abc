/* Lookup of a run's metrics by name. A rule asks for a quantity by its possible names. A missing
 * quantity is returned as unknown with the name that was asked for, so that it is not mistaken for
 * zero. */
#ifndef LORE_DERIVE_PROFILE_H
#define LORE_DERIVE_PROFILE_H

#include "service/base/arena.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/record.h"

struct lore_profile_key {
    uint32_t name, canonical; /* differ only for other texts; canonical 0: not in the catalogue */
};
struct lore_profile {
    const struct lore_metric *v;
    const struct lore_metric_def **defs; /* of v[i]; NULL: not in the catalogue */
    struct lore_profile_key *keys;       /* of v[i] */
    size_t n;
    const char *vendor; /* if set, only metrics of this vendor and of no vendor are read */
};

/* One quantity. Unknown: `name` is the first requested name, and `missing` is the reason that the
 * run states, if any. Known: `name` is the metric's name as recorded. A value that is not finite is
 * unknown. */
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
 * first. A name matches a metric with this name, this catalogue row or this canonical name. A
 * metric with exactly this name wins, then a profiler's, then one that a person entered. The
 * returned name is borrowed from the metrics, or in ARENA if unknown. */
struct lore_reading
lore_profile_read(const struct lore_profile *p, const char *names, struct lore_arena *arena);

#endif
