/* The one subscription that CUPTI allows, shared by activity.c (modules) and ties.c (launches). The
 * program's own profiler (such as PyTorch's) needs it, so we take it only when we use it. */
#ifndef LORE_CUPTI_SUBSCRIBER_H
#define LORE_CUPTI_SUBSCRIBER_H

#include "collectors/cupti/cupti_api.h"

/* Whether another client is subscribed: CUPTI_SUCCESS, none is. Not while the subscription is ours.
 */
CUptiResult lore_subscriber_probe(const struct lore_cupti *api);
typedef void lore_subscriber_listener(CUpti_CallbackId id, const void *data);
/* Take it, or use it too: LISTENER gets the callbacks of DOMAIN that are enabled on *out. */
CUptiResult lore_subscriber_take(const struct lore_cupti *api, CUpti_CallbackDomain domain,
    lore_subscriber_listener *listener, CUpti_SubscriberHandle *out);
void lore_subscriber_end(const struct lore_cupti *api); /* if it was taken */

#endif
