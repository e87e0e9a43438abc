/* Which device a group of launches ran on. A process numbers the devices that it sees, so an
 * ordinal does not identify a device: two processes may call different devices 0. */
#ifndef LORE_RUN_DEVICE_OF_H
#define LORE_RUN_DEVICE_OF_H

#include "collectors/host/host.h"
#include "collectors/run/trace.h"

/* The device of G as its own process described it, else as other processes did if they agree. NULL:
 * not described, or G is NULL. */
const struct lore_trace_device *
lore_device_of_group(const struct lore_trace *t, const struct lore_trace_group *g);
/* The device of HOST that matches D: by uuid where both have one, else by ordinal. If no ordinal
 * matches: the device if HOST has only one. If D is NULL, the first. NULL: none. HOST may be
 * NULL. */
const struct lore_host_device *
lore_device_of_host(const struct lore_host *host, const struct lore_trace_device *d);

#endif
