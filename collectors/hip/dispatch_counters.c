/* The profiler asks before each dispatch which counters to collect, and hands over their values
 * when the dispatch has ended. A GPU counts only a few at once, so the names are divided into
 * passes: as many in each, in their order, as the profiler accepts. Every execution of the program
 * makes one pass (application replay); a kernel cannot be repeated from here.
 *
 * A counter has a value for each die, channel or engine; their sum is written, as rocprofv3 does.
 * The counters of a GPU are looked up at its first dispatch: while one thread does that, dispatches
 * of others are not counted. */
#include "collectors/hip/dispatch_counters.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "collectors/capture/counting.h"
#include "collectors/capture/store.h"
#include "collectors/hip/facts.h"
#include "collectors/hip/kernels.h"
#include "collectors/hip/ranges.h"

enum { GPUS = 128, IN_PASS = 64, SHAPES = 1 << 16 };

static struct gpu {
    _Atomic(uint64_t) agent; /* 1 + its handle; 0: free */
    atomic_bool ready;
    uint64_t config;       /* 0: nothing is counted */
    uint64_t ids[IN_PASS]; /* counters of the pass that is made */
    const char *texts[IN_PASS];
    uint32_t names[IN_PASS]; /* ids in the channel */
    size_t n;
} gpus[GPUS];
static const struct lore_rocp *api;
static struct lore_channel *channel;
static struct lore_counting settings;
static atomic_uint *seen; /* launches of each shape, by its id */

/* ---- which counters, in which pass ---- */

struct found { /* for each name, whether the GPU has it, and its id */
    uint64_t ids[LORE_COUNTING_NAMES];
    bool has[LORE_COUNTING_NAMES];
};

static int
take_counters(uint64_t agent, uint64_t *counters, size_t n, void *data)
{
    struct found *found = data;

    (void)agent;
    for (size_t i = 0; i < n; i++) {
        struct lore_rocp_counter info = {0};
        int status = api->query_counter_info(counters[i], LORE_ROCP_COUNTER_VERSION, &info);
        for (size_t k = 0; status == 0 && info.name && k < settings.n_names; k++)
            if (strcmp(info.name, settings.names[k]) == 0) {
                found->has[k] = true;
                found->ids[k] = counters[i];
            }
    }
    return 0;
}

/* Whether AGENT can count the N counters at once. */
static bool
fits(uint64_t agent, uint64_t *ids, size_t n)
{
    uint64_t config = 0; /* another number would name a set that is to be enlarged */

    return n <= IN_PASS && api->create_counter_config(agent, ids, n, &config) == 0 &&
           api->destroy_counter_config(config) == 0;
}

/* Divide the counters that the GPU has into passes, and keep those of the one that is made. Returns
 * the number of passes. */
static size_t
divide(struct gpu *g, uint64_t agent, const struct found *found)
{
    uint64_t ids[IN_PASS + 1];
    size_t n = 0, pass = 0;

    for (size_t k = 0; k < settings.n_names; k++) {
        ids[n] = found->ids[k];
        if (found->has[k] && fits(agent, ids, n + 1)) {
            n++;
        } else if (found->has[k] && n > 0 && fits(agent, &ids[n], 1)) {
            ids[0] = ids[n];
            n = 1;
            pass++;
        } else {
            lore_channel_state(channel, LORE_CAP_COUNTER_UNKNOWN, settings.names[k], 0, 0);
            continue;
        }
        if (pass == settings.pass) {
            g->ids[g->n] = found->ids[k];
            g->texts[g->n] = settings.names[k];
            g->names[g->n++] = lore_channel_name(channel, settings.names[k]);
        }
    }
    return pass + (n > 0);
}

static void
prepare(struct gpu *g, uint64_t agent)
{
    struct found *found = lore_store_pages(sizeof *found);
    size_t passes;

    if (!found)
        return;
    api->iterate_agent_supported_counters(agent, take_counters, found);
    passes = divide(g, agent, found);
    munmap(found, sizeof *found);
    if (g->n > 0 && api->create_counter_config(agent, g->ids, g->n, &g->config) != 0)
        g->config = 0;
    if (passes > 1)
        lore_channel_state(channel, LORE_CAP_COUNTER_PARTIAL, NULL, 1, passes);
    else if (passes == 1)
        lore_channel_state(channel, LORE_CAP_COUNTER_DONE, NULL, 1, 0);
    lore_channel_flush(channel);
}

/* AGENT, prepared; NULL when it is not, or there are too many. */
static struct gpu *
gpu_of(uint64_t agent)
{
    for (struct gpu *g = gpus; g < gpus + GPUS; g++) {
        uint64_t free_one = 0;
        if (atomic_compare_exchange_strong(&g->agent, &free_one, agent + 1)) {
            prepare(g, agent);
            atomic_store(&g->ready, true);
            return g;
        }
        if (free_one == agent + 1)
            return atomic_load(&g->ready) ? g : NULL;
    }
    return NULL;
}

/* ---- dispatches ---- */

/* Before a dispatch: set *CONFIG when it is to be counted, and *USER to its shape and its number.
 */
static void
dispatching(struct lore_rocp_counted d, uint64_t *config, uint64_t *user, void *data)
{
    const struct gpu *g = gpu_of(d.info.agent);
    const char *name = lore_kernels_find(d.info.kernel).name;
    struct lore_cap_shape shape;
    uint32_t id, nth;

    (void)data;
    if (!g || g->config == 0)
        return;
    lore_kernels_shape(channel, &d.info, &shape);
    shape.range = lore_hip_ranges_of(d.correlation);
    id = shape.name == 0 ? 0 : lore_channel_shape(channel, &shape);
    if (id == 0 || id >= SHAPES)
        return;
    nth = atomic_fetch_add(&seen[id], 1);
    if (nth < settings.skip || nth - settings.skip >= settings.launches ||
        !lore_counting_matches(&settings, name ? name : ""))
        return;
    *config = g->config;
    *user = (uint64_t)id << 32 | nth;
}

static void
write_metric(uint64_t user, uint32_t name, double value)
{
    struct lore_cap_metric m = {
        .shape = (uint32_t)(user >> 32), .launch = (uint32_t)user, .metric = name, .value = value};

    if (name != 0)
        lore_channel_metric(channel, &m);
}

/* The place of the counter that has INSTANCE, in the pass of G; G->n: none. Where a counter has an
 * id for each GPU, an instance names another one, so its name decides. */
static size_t
place_of(const struct gpu *g, uint64_t instance)
{
    struct lore_rocp_counter info = {0};
    uint64_t counter;
    size_t i = 0;

    if (api->query_record_counter_id(instance, &counter) != 0)
        return g->n;
    while (i < g->n && g->ids[i] != counter)
        i++;
    if (i < g->n || api->query_counter_info(counter, LORE_ROCP_COUNTER_VERSION, &info) != 0 ||
        !info.name)
        return i;
    for (i = 0; i < g->n && strcmp(g->texts[i], info.name) != 0;)
        i++;
    return i;
}

static void
dispatched(struct lore_rocp_counted d, const struct lore_rocp_value *values, size_t n,
    uint64_t user, void *data)
{
    const struct gpu *g = gpu_of(d.info.agent);
    size_t stride = lore_rocp_stride(values, n, d.info.dispatch);
    struct lore_cap_loss bad = {.bad = 1};
    double sums[IN_PASS] = {0};
    bool counted[IN_PASS] = {false};

    (void)data;
    if (!g || n == 0 || stride == 0) {
        lore_channel_lost(channel, &bad);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct lore_rocp_value v = {0};
        size_t at;
        memcpy(&v, (const char *)values + i * stride, offsetof(struct lore_rocp_value, agent));
        at = place_of(g, v.instance);
        if (at < g->n) {
            sums[at] += v.value;
            counted[at] = true;
        }
    }
    for (size_t i = 0; i < g->n; i++)
        if (counted[i])
            write_metric(user, g->names[i], sums[i]);
    if (settings.pass == 0)
        lore_hip_facts_write(channel, &d.info, (uint32_t)(user >> 32), (uint32_t)user);
}

const char *
lore_dispatch_counters_start(
    const struct lore_rocp *rocp, uint64_t context, struct lore_channel *c, int *status)
{
    api = rocp;
    channel = c;
    seen = lore_store_pages(SHAPES * sizeof *seen);
    if (!seen || !lore_counting_read(&settings, c))
        return "";
    *status = api->configure_callback_dispatch_counting_service(
        context, dispatching, NULL, dispatched, NULL);
    return *status != 0 ? "rocprofiler_configure_callback_dispatch_counting_service" : NULL;
}
