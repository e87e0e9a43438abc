/* The range that counts is told to the profiler as an external correlation, which every dispatch of
 * the thread then carries in its record: so the range is that of the launching call, however late
 * the kernel runs, and whichever thread hands the record over. */
#include "collectors/hip/ranges.h"

#include "collectors/capture/ranges.h"

static const struct lore_rocp *api;
static uint64_t of_context;
static bool watched;
static _Thread_local uint64_t thread; /* as the profiler numbers this one */

static void
tell(uint32_t before, uint32_t now)
{
    uint64_t left;

    if (before != 0)
        (void)api->pop_external_correlation_id(of_context, thread, &left);
    if (now != 0)
        (void)api->push_external_correlation_id(of_context, thread, now);
}

static void
marked(struct lore_rocp_callback c, void *user, void *data)
{
    struct lore_rocp_event e;

    (void)user, (void)data;
    if (!lore_rocp_event(&c, LORE_ROCP_MARKER, &e) || e.phase != LORE_ROCP_PHASE_ENTER)
        return;
    thread = c.thread;
    if (e.operation == LORE_ROCP_MARKER_PUSH)
        (void)lore_ranges_push(0, ((const struct lore_rocp_marker *)e.payload)->message);
    else if (e.operation == LORE_ROCP_MARKER_POP)
        (void)lore_ranges_pop(0);
}

void
lore_hip_ranges_configure(
    struct lore_rocp *rocp, const void *caller, uint64_t context, struct lore_channel *c)
{
    api = rocp;
    of_context = context;
    watched =
        !lore_rocp_open_ranges(rocp, caller) && rocp->configure_callback_tracing_service(context,
                                                    LORE_ROCP_MARKER, NULL, 0, marked, NULL) == 0;
    if (watched)
        lore_ranges_start(c, tell);
}

uint32_t
lore_hip_ranges_of(const uint64_t correlation[2])
{
    return watched && correlation[1] <= UINT32_MAX ? (uint32_t)correlation[1] : 0;
}
