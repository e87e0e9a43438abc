/* CUPTI holds one external correlation id of ours per thread, the id of the range that counts. It
 * writes a record with that id for every recorded call to the driver. So calls are recorded from
 * the first such range on, and never in a program without any. */
#include "collectors/cupti/ties.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/ranges.h"

/* The kind of ids that is ours; PyTorch's profiler uses the other two for its own. */
#define KIND CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2

static const struct lore_cupti *api;
static struct lore_channel *channel;
static atomic_bool tied;
static pthread_once_t first = PTHREAD_ONCE_INIT;

static void
refused(CUptiResult r)
{
    lore_channel_state(channel, LORE_CAP_RANGES_REFUSED, lore_cupti_words(api, r), (uint64_t)r, 0);
}

static void
record_calls(void)
{
    CUptiResult r = api->ActivityEnable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);

    for (size_t i = 0; i < lore_cupti_n_launches && r == CUPTI_SUCCESS; i++)
        if (api->ActivityEnableDriverApi)
            r = api->ActivityEnableDriverApi(lore_cupti_launches[i], 1);
    if (r == CUPTI_SUCCESS && !api->ActivityEnableDriverApi)
        r = api->ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER);
    if (r == CUPTI_SUCCESS)
        atomic_store(&tied, true);
    else
        refused(r);
}

static void
tell(uint32_t before, uint32_t now)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    CUptiResult r;
    uint64_t last;

    if (before != 0)
        (void)api->ActivityPopExternalCorrelationId(KIND, &last);
    if (now == 0)
        return;
    (void)pthread_once(&first, record_calls);
    r = api->ActivityPushExternalCorrelationId(KIND, now);
    if (r != CUPTI_SUCCESS && !atomic_flag_test_and_set(&said))
        refused(r);
}

void
lore_ties_start(const struct lore_cupti *cupti, struct lore_channel *c, bool ties)
{
    api = cupti;
    channel = c;
    ties =
        ties && cupti->ActivityPushExternalCorrelationId && cupti->ActivityPopExternalCorrelationId;
    lore_ranges_start(c, ties ? tell : NULL);
}

void
lore_ties_report(void)
{
    const char *nvtx = secure_getenv("NVTX_INJECTION64_PATH"),
               *ours = secure_getenv("CUDA_INJECTION64_PATH");
    const char *slash = nvtx ? strrchr(nvtx, '/') : NULL;
    bool other = nvtx && nvtx[0] && ours && strcmp(nvtx, ours) != 0;

    lore_ranges_report(channel, other ? slash ? slash + 1 : nvtx : NULL);
}

bool
lore_ties_on(void)
{
    return atomic_load_explicit(&tied, memory_order_relaxed);
}

void
lore_ties_take(const CUpti_ActivityExternalCorrelation *e)
{
    const struct lore_cap_tie t = {e->correlationId, (uint32_t)e->externalId};

    if (e->externalKind == KIND)
        lore_channel_tie(channel, &t);
}
