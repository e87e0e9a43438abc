#include "collectors/hip/facts.h"

#include "collectors/hip/agents.h"
#include "collectors/hip/kernels.h"

static void
write_one(struct lore_channel *c, struct lore_cap_metric m, const char *name, double value)
{
    m.metric = lore_channel_name(c, name);
    m.value = value;
    if (m.metric != 0)
        lore_channel_metric(c, &m);
}

void
lore_hip_facts_write(struct lore_channel *c, const struct lore_rocp_dispatch_info *d,
    uint32_t shape, uint32_t launch)
{
    const struct lore_hip_kernel k = lore_kernels_find(d->kernel);
    const struct lore_hip_unit unit = lore_agents_unit(d->agent);
    const struct lore_hip_use use = {.vgprs = k.vgprs,
        .agprs = k.agprs,
        .sgprs = k.sgprs,
        .group_bytes = d->group_bytes,
        .group_threads = d->workgroup[0] * d->workgroup[1] * d->workgroup[2]};
    const struct lore_cap_metric m = {.shape = shape, .launch = launch};
    const struct {
        const char *name;
        uint32_t value;
    } facts[] = {{"vgpr_count", k.vgprs}, {"accum_vgpr_count", k.agprs}, {"sgpr_count", k.sgprs},
        {"lds_size", d->group_bytes}, {"scratch_size", d->private_bytes}};
    double pct;

    if (!k.name)
        return;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        write_one(c, m, facts[i].name, facts[i].value);
    if (lore_hip_occupancy(&unit, &use, &pct))
        write_one(c, m, "occupancy_theoretical", pct);
}
