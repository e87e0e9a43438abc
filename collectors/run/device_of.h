/* Which device a group of launches ran on. A process numbers the devices that it sees, so the
 * number alone names none: two processes may call different devices 0. */
#ifndef LORE_RUN_DEVICE_OF_H
#define LORE_RUN_DEVICE_OF_H

#include "collectors/host/host.h"
#include "collectors/run/trace.h"

/* As G's process described it; NULL when it did not, or G is NULL. */
const struct lore_trace_device *
lore_device_of_group(const struct lore_trace *t, const struct lore_trace_group *g);
/* The device of HOST that D is: by uuid where both have one, else by number; the only one when D
 * does not say. NULL: none of them, or nobody can tell. HOST may be NULL. */
const struct lore_host_device *
lore_device_of_host(const struct lore_host *host, const struct lore_trace_device *d);

#endif
