/* A pushed range is told to the profiler as an external correlation, which every dispatch of the
 * thread then carries in its record: so the range is that of the launching call, however late the
 * kernel runs, and whichever thread hands the record over. */
#include "collectors/hip/ranges.h"

#include "collectors/capture/ranges.h"

static const struct lore_rocp *api;
static struct lore_channel *channel;
static uint64_t of_context;
static bool watched;

static void
marked(struct lore_rocp_callback c, void *user, void *data)
{
    struct lore_rocp_event e;
    uint64_t left;

    (void)user, (void)data;
    if (!lore_rocp_event(&c, LORE_ROCP_MARKER, &e) || e.phase != LORE_ROCP_PHASE_ENTER)
        return;
    if (e.operation == LORE_ROCP_MARKER_PUSH) {
        lore_ranges_push(channel, ((const struct lore_rocp_marker *)e.payload)->message);
        (void)api->push_external_correlation_id(of_context, c.thread, lore_ranges_current());
    } else if (e.operation == LORE_ROCP_MARKER_POP) {
        lore_ranges_pop();
        (void)api->pop_external_correlation_id(of_context, c.thread, &left);
    }
}

void
lore_hip_ranges_configure(
    struct lore_rocp *rocp, const void *caller, uint64_t context, struct lore_channel *c)
{
    api = rocp;
    channel = c;
    of_context = context;
    watched =
        !lore_rocp_open_ranges(rocp, caller) && rocp->configure_callback_tracing_service(context,
                                                    LORE_ROCP_MARKER, NULL, 0, marked, NULL) == 0;
}

uint32_t
lore_hip_ranges_of(const uint64_t correlation[2])
{
    return watched && correlation[1] <= UINT32_MAX ? (uint32_t)correlation[1] : 0;
}
