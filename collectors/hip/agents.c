/* The profiler lists every GPU of the machine, also those that ROCR_VISIBLE_DEVICES hides. What
 * identifies a GPU here and in the probe of collectors/host is the kernel driver's gpu_id, which is
 * written where other vendors have a uuid. */
#include "collectors/hip/agents.h"

#include <string.h>

enum { AGENTS_MAX = 128 };

static struct {
    struct lore_channel *channel;
    uint64_t ids[AGENTS_MAX]; /* by ordinal */
    struct lore_hip_unit units[AGENTS_MAX];
    uint32_t n;
} self;

uint32_t
lore_agents_ordinal(uint64_t id)
{
    for (uint32_t i = 0; i < self.n; i++)
        if (self.ids[i] == id)
            return i;
    return 0;
}

struct lore_hip_unit
lore_agents_unit(uint64_t id)
{
    static const struct lore_hip_unit none;

    for (uint32_t i = 0; i < self.n; i++)
        if (self.ids[i] == id)
            return self.units[i];
    return none;
}

static void
describe(const struct lore_rocp_agent *a)
{
    const char *name = a->product_name && *a->product_name ? a->product_name : a->name;
    struct lore_cap_device d = {.ordinal = self.n,
        .major = a->gfx_version / 10000,
        .minor = a->gfx_version / 100 % 100,
        .units = a->units,
        .warp = a->wave_threads};

    for (int i = 0; i < 8; i++)
        d.uuid[15 - i] = (uint8_t)(a->gpu_id >> 8 * i);
    d.name = lore_channel_name(self.channel, name ? name : "");
    self.units[self.n] = (struct lore_hip_unit){.gfx_version = a->gfx_version,
        .simds = a->simds_per_unit,
        .waves_per_simd = a->waves_per_simd,
        .lds_bytes = a->lds_kib << 10,
        .wave_threads = a->wave_threads};
    self.ids[self.n++] = a->id;
    lore_channel_device(self.channel, &d);
}

static int
listed(uint32_t version, const void **agents, size_t n, void *data)
{
    (void)data;
    for (size_t i = 0; version == LORE_ROCP_AGENT_VERSION && i < n; i++) {
        const struct lore_rocp_agent *a = agents[i];
        if (a->size >= sizeof *a && a->type == LORE_ROCP_AGENT_GPU && self.n < AGENTS_MAX)
            describe(a);
    }
    return 0;
}

int
lore_agents_open(const struct lore_rocp *api, struct lore_channel *c)
{
    self.channel = c;
    return api->query_available_agents(
        LORE_ROCP_AGENT_VERSION, listed, sizeof(struct lore_rocp_agent), NULL);
}
