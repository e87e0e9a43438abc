/* Measures durations with CUPTI's activity records. Life cycle: start inside the program's cuInit
 * -> CUPTI requests buffers and returns them full on its own thread -> stop from exit().
 *
 * CUPTI serves one client. We subscribe to test for another client and unsubscribe at once, because
 * the program's own profiler (such as PyTorch's) may subscribe later and must still work. Such a
 * profiler replaces our callbacks; we notice because our buffers no longer return. Only when the
 * machine code of modules is wanted, or a range says what is computed, do we stay subscribed.
 *
 * CUPTI's periodic flush returns only full buffers, so our thread regularly requests the completed
 * records. We hold no lock during a CUPTI call. */
#include "collectors/cupti/cupti_api.h"

#include <stdatomic.h>
#include <stdio.h>

#include "collectors/capture/periodic.h"
#include "collectors/cupti/modules.h"
#include "collectors/cupti/pool.h"
#include "collectors/cupti/records.h"
#include "collectors/cupti/subscriber.h"

static const struct lore_cupti *api;
static struct lore_channel *channel;
static atomic_size_t completed;

static void CUPTIAPI
requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *buffer = lore_pool_get();
    *size = *buffer ? LORE_POOL_BYTES : 0; /* without one CUPTI drops records and counts them */
    *max_records = 0;
}

static void CUPTIAPI
filled(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    struct lore_cap_loss loss = {0};
    CUpti_Activity *record = NULL;
    CUptiResult r = CUPTI_SUCCESS;
    size_t dropped = 0;

    (void)context; /* NULL, and stream 0: a buffer belongs to no context */
    (void)stream;
    (void)size;
    if (!buffer || !lore_pool_has(buffer))
        return;
    while (valid > 0 && (r = api->ActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
        lore_records_take(channel, api->version, record, &loss);
    if (r != CUPTI_SUCCESS && r != CUPTI_ERROR_MAX_LIMIT_REACHED)
        loss.bad++;
    if (api->ActivityGetNumDroppedRecords(NULL, 0, &dropped) == CUPTI_SUCCESS)
        loss.dropped = dropped;
    lore_channel_lost(channel, &loss);
    lore_pool_put(buffer);
    atomic_fetch_add(&completed, 1);
}

/* Collect what CUPTI has completed; false: no buffer came back. */
static bool
collect(void)
{
    size_t before = atomic_load(&completed);

    if (lore_pool_out() > 0)
        api->ActivityFlushAll(0);
    lore_channel_flush(channel);
    return atomic_load(&completed) != before;
}

static bool
refused(enum lore_cap_state_code code, const char *what, CUptiResult r)
{
    char text[256];

    snprintf(text, sizeof text, "%s: %s (%d)", what, lore_cupti_words(api, r), (int)r);
    lore_channel_state(channel, code, text, (uint64_t)r, 0);
    return false;
}

static void
on_resource(CUpti_CallbackId id, const void *data)
{
    lore_modules_take(id, data);
}

static void
keep_modules(void)
{
    CUpti_SubscriberHandle subscriber;
    CUptiResult r = lore_subscriber_take(api, CUPTI_CB_DOMAIN_RESOURCE, on_resource, &subscriber);

    if (r == CUPTI_SUCCESS)
        r = lore_modules_enable(api, subscriber);
    if (r != CUPTI_SUCCESS)
        refused(LORE_CAP_VENDOR_ERROR, "machine code of modules", r);
}

/* Set an option that only reduces overhead; an older library may not know it. */
static void
tune(void)
{
    uint8_t zeroed = 1;
    size_t size = sizeof zeroed;

    api->ActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
}

static enum lore_cap_state_code
code_of(CUptiResult r)
{
    switch (r) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_NOT_COMPATIBLE:
        return LORE_CAP_OTHER_PROFILER;
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return LORE_CAP_PERMISSION;
    default:
        return LORE_CAP_VENDOR_ERROR;
    }
}

bool
lore_activity_start(const struct lore_cupti *cupti, struct lore_channel *c)
{
    static const CUpti_ActivityKind other_kinds[] = {
        CUPTI_ACTIVITY_KIND_DEVICE,
        CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_MEMSET,
    };
    CUptiResult r;

    api = cupti;
    channel = c;
    r = lore_subscriber_probe(api);
    if (r != CUPTI_SUCCESS)
        return refused(code_of(r), "another profiler", r);
    tune();
    r = api->ActivityRegisterCallbacks(requested, filled);
    if (r != CUPTI_SUCCESS)
        return refused(code_of(r), "activity callbacks", r);
    r = api->ActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    if (r != CUPTI_SUCCESS)
        return refused(code_of(r), "kernel records", r);
    for (size_t i = 0; i < sizeof other_kinds / sizeof *other_kinds; i++)
        if ((r = api->ActivityEnable(other_kinds[i])) != CUPTI_SUCCESS)
            refused(LORE_CAP_VENDOR_ERROR, "copies, fills and devices", r);
    if (lore_modules_wanted())
        keep_modules();
    lore_channel_state(c, LORE_CAP_ATTACHED, NULL, cupti->version, cupti->driver);
    lore_periodic_start(collect);
    return true;
}

/* Whether CUPTI still calls our callbacks, tested by recording a harmless driver call. True when
 * the test is not possible. */
static bool
still_delivered(void)
{
    CUresult(CUDAAPI * version)(int *) = NULL;
    size_t before = atomic_load(&completed);
    int ignored;

    *(void **)&version = lore_cupti_driver("cuDriverGetVersion");
    if (!version || api->ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER) != CUPTI_SUCCESS)
        return true;
    version(&ignored);
    api->ActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER);
    api->ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    return atomic_load(&completed) != before;
}

void
lore_activity_stop(void)
{
    CUptiResult asked;
    bool delivered;

    lore_periodic_stop();
    api->ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    lore_subscriber_end(api);
    asked = lore_subscriber_probe(api);
    delivered = still_delivered();
    if (asked != CUPTI_SUCCESS || !delivered)
        lore_channel_state(channel, LORE_CAP_REPLACED,
            "another profiler took CUPTI while the program ran: launches since then are missing",
            (uint64_t)asked, delivered);
}
