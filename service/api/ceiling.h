/* Chooses the measured bandwidth ceiling that fits a problem. A measurement may not fit, because a
 * small copy measures a cache and another environment may run at other clocks. */
#ifndef LORE_API_CEILING_H
#define LORE_API_CEILING_H

#include "db/store.h"

struct lore_ceiling {
    const char *spec;
    bool own;              /* measured in the problem's own environment, by its hard fields */
    struct lore_f64 bytes; /* bytes moved by the measurement, method.size_bytes */
};
/* Index of the best of N ceilings, which are sorted newest first; N for none. Own environment
 * first; then the smallest of at least BYTES, one without a size, the largest below BYTES. Without
 * BYTES, the newest. */
size_t lore_ceiling_choose(const struct lore_ceiling *all, size_t n, struct lore_f64 bytes);

#endif
