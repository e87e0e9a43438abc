/* The shortest time in which a chip can do a workload, from its least work (work.h) and the peak
 * rates of the chip. Two times: one for a percentage of peak, and a smaller one below which no
 * stated or measured time can be true. Pure. */
#ifndef LORE_DERIVE_LIMIT_H
#define LORE_DERIVE_LIMIT_H

#include "service/wire/work.h"

/* Peak rates of a chip for one data type, without sparsity, in SI units; 0: unknown. */
struct lore_peaks {
    double flops;     /* of the units that usually compute the type: operations per second */
    double any_flops; /* of the fastest units that can honestly compute it */
    double bytes;     /* bytes per second of device memory */
    double cache;     /* bytes of the last cache before it */
};
/* Data sheets state the boost clock; cards run up to a fifth above it. */
#define LORE_LIMIT_MARGIN 1.2
struct lore_limit {
    double peak_ns;  /* time at the peak rates; 0: unknown, or the data fit in the cache */
    double floor_ns; /* no honest run is faster, with the margin; 0: unknown */
    bool memory, floor_memory; /* which rate makes peak_ns, and which floor_ns */
};
/* What the cache may hold from an earlier pass does not count towards floor_ns. */
struct lore_limit lore_limit_of(const struct lore_work *work, const struct lore_peaks *peaks);

#endif
