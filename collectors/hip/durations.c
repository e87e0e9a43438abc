/* The profiler fills a buffer and hands it over on its own thread. The buffer is lossless: when it
 * is full, a launching thread waits until it was handed over. Our thread asks for what has come
 * since the last time. A record without a valid start and end is counted as bad; its time is not
 * estimated. */
#include "collectors/hip/durations.h"

#include <stdatomic.h>

#include "collectors/capture/periodic.h"
#include "collectors/capture/store.h"
#include "collectors/hip/facts.h"
#include "collectors/hip/kernels.h"
#include "collectors/hip/ranges.h"

/* About five thousand dispatches; it is handed over when seven eighths are full. */
enum { BUFFER_BYTES = 1 << 20, WATERMARK = BUFFER_BYTES / 8 * 7, SHAPES = 1 << 16 };

static const struct lore_rocp *api;
static struct lore_channel *channel;
static uint64_t buffer;
static atomic_size_t taken;
static uint8_t *described; /* by shape: its facts are written; NULL: no memory, so they are not */

static bool
timed(uint64_t start, uint64_t end)
{
    return start != 0 && end >= start;
}

/* Once for each shape; buffers are handed over one after the other. */
static void
take_facts(const struct lore_rocp_dispatch_info *d, uint32_t shape)
{
    if (!described || shape >= SHAPES || described[shape])
        return;
    described[shape] = 1;
    lore_hip_facts_write(channel, d, shape, 0);
}

static void
take_dispatch(const struct lore_rocp_dispatch *d, struct lore_cap_loss *loss)
{
    struct lore_cap_launch l = {.start_ns = d->start_ns, .dur_ns = d->end_ns - d->start_ns};
    struct lore_cap_shape shape;

    if (d->size < sizeof *d - sizeof d->info.reserved || !timed(d->start_ns, d->end_ns)) {
        loss->bad++;
        return;
    }
    lore_kernels_shape(channel, &d->info, &shape);
    shape.range = lore_hip_ranges_of(d->correlation);
    l.stream = (uint32_t)d->info.queue;
    l.shape = shape.name == 0 ? 0 : lore_channel_shape(channel, &shape);
    if (l.shape == 0) {
        loss->no_memory++;
        return;
    }
    take_facts(&d->info, l.shape);
    lore_channel_launch(channel, &l);
}

static void
take_copy(const struct lore_rocp_copy *m, struct lore_cap_loss *loss)
{
    static const int which[] = {[LORE_ROCP_COPY_H2D] = LORE_CAP_COPY_H2D,
        [LORE_ROCP_COPY_D2H] = LORE_CAP_COPY_D2H,
        [LORE_ROCP_COPY_D2D] = LORE_CAP_COPY_D2D};
    bool known = m->operation >= LORE_ROCP_COPY_H2D && m->operation <= LORE_ROCP_COPY_D2D;

    if (m->size < sizeof *m || !timed(m->start_ns, m->end_ns))
        loss->bad++;
    else
        lore_channel_total(channel, known ? which[m->operation] : LORE_CAP_COPY_OTHER, m->bytes,
            m->end_ns - m->start_ns);
}

static void
filled(uint64_t context, uint64_t from, struct lore_rocp_header **records, size_t n, void *data,
    uint64_t dropped)
{
    static uint64_t
        dropped_before; /* the profiler counts from the start; its calls do not overlap */
    struct lore_cap_loss loss = {.dropped = dropped - dropped_before};

    (void)context, (void)from, (void)data;
    dropped_before = dropped;
    for (size_t i = 0; i < n; i++) {
        const struct lore_rocp_header *h = records[i];
        if (h->category != LORE_ROCP_CATEGORY_TRACING)
            continue;
        if (h->kind == LORE_ROCP_BUFFER_DISPATCH)
            take_dispatch(h->payload, &loss);
        else if (h->kind == LORE_ROCP_BUFFER_COPY)
            take_copy(h->payload, &loss);
    }
    lore_channel_lost(channel, &loss);
    atomic_fetch_add(&taken, n);
}

/* On our thread: ask for what has come; false: nothing. */
static bool
collect(void)
{
    size_t before = atomic_load(&taken);

    api->flush_buffer(buffer); /* refused while the buffer is being handed over anyway */
    lore_channel_flush(channel);
    return atomic_load(&taken) != before;
}

const char *
lore_durations_configure(
    const struct lore_rocp *rocp, uint64_t context, struct lore_channel *c, int *status)
{
    static const int kinds[] = {LORE_ROCP_BUFFER_DISPATCH, LORE_ROCP_BUFFER_COPY};

    api = rocp;
    channel = c;
    described = lore_store_pages(SHAPES);
    *status = api->create_buffer(
        context, BUFFER_BYTES, WATERMARK, LORE_ROCP_POLICY_LOSSLESS, filled, NULL, &buffer);
    if (*status != 0)
        return "rocprofiler_create_buffer";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *status = api->configure_buffer_tracing_service(context, kinds[i], NULL, 0, buffer);
        if (*status != 0)
            return "rocprofiler_configure_buffer_tracing_service";
    }
    return NULL;
}

void
lore_durations_start(void)
{
    lore_periodic_start(collect);
}

void
lore_durations_stop(void)
{
    lore_periodic_stop();
    api->flush_buffer(buffer);
}
