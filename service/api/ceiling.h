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
/* Index of the best of N ceilings, which are sorted newest first; N for none. Ceilings
 * from the problem's own environment come first. Among equals the order is: the smallest size of at
 * least BYTES, an unknown size, the largest size below BYTES. Without BYTES, the newest is best. */
size_t lore_ceiling_choose(const struct lore_ceiling *all, size_t n, struct lore_f64 bytes);

#endif
