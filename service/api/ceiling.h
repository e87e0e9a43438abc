/* Which measured ceiling a problem is held against: a short copy measures a cache, and another
 * environment may run at other clocks. */
#ifndef LORE_API_CEILING_H
#define LORE_API_CEILING_H

#include "db/store.h"

struct lore_ceiling {
    const char *spec;
    bool own;              /* measured in the problem's own environment, by its hard fields */
    struct lore_f64 bytes; /* what was moved to measure it, method.size_bytes */
};
/* Of N ceilings, newest first: those of the own environment before others; then the smallest that
 * is not below BYTES, then one that states no size, then the largest below. With BYTES not set the
 * newest. The index; N for none. */
size_t lore_ceiling_choose(const struct lore_ceiling *all, size_t n, struct lore_f64 bytes);

#endif
