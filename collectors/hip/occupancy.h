/* How much of a compute unit the work-groups of a kernel can fill: waves that fit at once over the
 * waves that the unit holds. */
#ifndef LORE_HIP_OCCUPANCY_H
#define LORE_HIP_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

struct lore_hip_unit {    /* a compute unit, as the driver reports it */
    uint32_t gfx_version; /* 90402: gfx942 */
    uint32_t simds, waves_per_simd, lds_bytes, wave_threads;
};
struct lore_hip_use {             /* what a kernel needs */
    uint32_t vgprs, agprs, sgprs; /* of a thread; sgprs: of a wave */
    uint32_t group_bytes, group_threads;
};
/* The occupancy in percent. False: the rules of this chip are not known, or no work-group fits. */
bool lore_hip_occupancy(const struct lore_hip_unit *u, const struct lore_hip_use *k, double *pct);

#endif
