/* activity.c takes the subscription at the start; ties.c takes it later, on a thread of the
 * program. */
#include "collectors/cupti/subscriber.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUpti_SubscriberHandle ours;
static bool taken;
static lore_subscriber_listener *_Atomic listeners[CUPTI_CB_DOMAIN_SIZE];

static void CUPTIAPI
on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    lore_subscriber_listener *listener =
        domain < CUPTI_CB_DOMAIN_SIZE ? atomic_load(&listeners[domain]) : NULL;

    (void)user;
    if (listener)
        listener(id, data);
}

CUptiResult
lore_subscriber_probe(const struct lore_cupti *api)
{
    CUpti_SubscriberHandle mine;
    CUptiResult r = api->Subscribe(&mine, on_callback, NULL);

    if (r == CUPTI_SUCCESS)
        api->Unsubscribe(mine);
    return r;
}

CUptiResult
lore_subscriber_take(const struct lore_cupti *api, CUpti_CallbackDomain domain,
    lore_subscriber_listener *listener, CUpti_SubscriberHandle *out)
{
    CUptiResult r = CUPTI_SUCCESS;

    atomic_store(&listeners[domain], listener);
    pthread_mutex_lock(&lock);
    if (!taken)
        r = api->Subscribe(&ours, on_callback, NULL);
    taken = r == CUPTI_SUCCESS;
    *out = ours;
    pthread_mutex_unlock(&lock);
    return r;
}

void
lore_subscriber_end(const struct lore_cupti *api)
{
    pthread_mutex_lock(&lock);
    if (taken)
        api->Unsubscribe(ours);
    taken = false;
    pthread_mutex_unlock(&lock);
}
