/* The sizes of a compute unit come from the driver. What it does not report are the allocation
 * rules of the chips with 64-wide waves, from LLVM's AMDGPU target (AMDGPUBaseInfo.cpp:
 * getTotalNumVGPRs, getVGPRAllocGranule, getMaxWorkGroupsPerCU, getLdsDwGranularity; GCNSubtarget:
 * getOccupancyWithNumSGPRs) and AMD's instruction set guides. Chips with other waves have others.
 */
#include "collectors/hip/occupancy.h"

enum { BARRIERS = 16 /* groups of more than one wave that a unit holds */ };

static const struct rules {
    uint32_t first, last; /* gfx versions */
    uint32_t registers, granule;
    bool unified; /* accumulation registers lie in the same file, behind the others, aligned to 4 */
    uint32_t lds_granule;
} rules[] = {
    {90000, 90009, 256, 4, false, 512},
    {90010, 90010, 512, 8, true, 512}, /* gfx90a */
    {90400, 90402, 512, 8, true, 512},
    {90500, 90500, 512, 8, true, 1280},
};

static uint32_t
up(uint32_t v, uint32_t granule)
{
    return (v + granule - 1) / granule * granule;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
waves_by_vectors(const struct rules *r, const struct lore_hip_use *k)
{
    uint32_t larger = k->vgprs > k->agprs ? k->vgprs : k->agprs;
    uint32_t n = !r->unified ? larger : k->agprs > 0 ? up(k->vgprs, 4) + k->agprs : k->vgprs;

    return r->registers / up(n > 0 ? n : 1, r->granule);
}

static uint32_t
waves_by_scalars(uint32_t sgprs)
{
    return sgprs <= 80 ? 10 : sgprs <= 88 ? 9 : sgprs <= 100 ? 8 : 7;
}

bool
lore_hip_occupancy(const struct lore_hip_unit *u, const struct lore_hip_use *k, double *pct)
{
    const struct rules *r = rules, *end = rules + sizeof rules / sizeof *rules;
    uint32_t waves, groups, group_waves;

    while (r < end && (u->gfx_version < r->first || u->gfx_version > r->last))
        r++;
    if (r == end || u->wave_threads != 64 || u->simds == 0 || u->waves_per_simd == 0 ||
        k->group_threads == 0)
        return false;
    group_waves = (k->group_threads + u->wave_threads - 1) / u->wave_threads;
    waves = least(waves_by_vectors(r, k), waves_by_scalars(k->sgprs));
    groups = least(waves, u->waves_per_simd) * u->simds / group_waves;
    if (group_waves > 1)
        groups = least(groups, BARRIERS);
    if (k->group_bytes > 0)
        groups = least(groups, u->lds_bytes / up(k->group_bytes, r->lds_granule));
    if (groups == 0)
        return false;
    *pct = 100.0 * groups * group_waves / (u->simds * u->waves_per_simd);
    return true;
}
