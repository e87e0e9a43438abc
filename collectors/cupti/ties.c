/* A callback at the launch ties the correlation id, which the kernel's record will have, to the
 * range of the thread. It is asked for at the first range that says something, and never in a
 * program without any.
 *
 * CUPTI's own way, external correlation ids, comes too late in such a program: CUPTI 13.0 makes no
 * records of calls to the driver in a context that was there before they were enabled. */
#include "collectors/cupti/ties.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/ranges.h"
#include "collectors/cupti/subscriber.h"

static const struct lore_cupti *api;
static struct lore_channel *channel;
static atomic_bool tied;
static pthread_once_t first = PTHREAD_ONCE_INIT;

static void
on_call(CUpti_CallbackId id, const void *data)
{
    const CUpti_CallbackData *call = data;
    const struct lore_cap_tie t = {call->correlationId, lore_ranges_current(NULL)};

    (void)id;
    if (call->callbackSite == CUPTI_API_ENTER && t.range != 0)
        lore_channel_tie(channel, &t);
}

static void
hear_of_launches(void)
{
    CUpti_SubscriberHandle subscriber;
    CUptiResult r = lore_subscriber_take(api, CUPTI_CB_DOMAIN_DRIVER_API, on_call, &subscriber);

    atomic_store(&tied, r == CUPTI_SUCCESS); /* before the first launch with a tie */
    for (size_t i = 0; i < lore_cupti_n_launches && r == CUPTI_SUCCESS; i++)
        r = api->EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, lore_cupti_launches[i]);
    if (r != CUPTI_SUCCESS)
        lore_channel_state(
            channel, LORE_CAP_RANGES_REFUSED, lore_cupti_words(api, r), (uint64_t)r, 0);
}

static void
tell(uint32_t before, uint32_t now)
{
    (void)before;
    if (now != 0)
        (void)pthread_once(&first, hear_of_launches);
}

void
lore_ties_start(const struct lore_cupti *cupti, struct lore_channel *c, bool ties)
{
    api = cupti;
    channel = c;
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
