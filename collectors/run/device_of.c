/* Compares uuids. Without them it compares ordinals. Those of a process and of the device probe
 * agree unless the program changes its own list of visible devices. */
#include "collectors/run/device_of.h"

#include "service/base/text.h"

const struct lore_trace_device *
lore_device_of_group(const struct lore_trace *t, const struct lore_trace_group *g)
{
    const struct lore_trace_device *other = NULL;
    bool ambiguous = false;

    for (size_t i = 0; g && i < t->n_devices; i++) {
        const struct lore_trace_device *d = &t->devices[i];
        if (d->ordinal != g->shape.device)
            continue;
        if (d->pid == g->pid)
            return d;
        ambiguous = ambiguous || (other && !lore_streq(other->uuid, d->uuid));
        other = d;
    }
    return ambiguous ? NULL : other;
}

/* Whether A and B have the same hex digits: "GPU-1234-…" and "1234…" do. */
static bool
same_uuid(const char *a, const char *b)
{
    if (!a || !b || !*a || !*b)
        return false;
    a += lore_starts(a, "GPU-") ? 4 : 0;
    b += lore_starts(b, "GPU-") ? 4 : 0;
    for (;; a++, b++) {
        a += *a == '-';
        b += *b == '-';
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

const struct lore_host_device *
lore_device_of_host(const struct lore_host *host, const struct lore_trace_device *d)
{
    if (!host || host->n_devices == 0)
        return NULL;
    for (size_t i = 0; d && i < host->n_devices; i++)
        if (same_uuid(host->devices[i].uuid, d->uuid))
            return &host->devices[i];
    if (d && d->uuid && host->devices[0].uuid)
        return NULL; /* both have uuids, and none is equal */
    for (size_t i = 0; d && i < host->n_devices; i++)
        if (host->devices[i].ordinal == d->ordinal)
            return &host->devices[i];
    return d && host->n_devices > 1 ? NULL : &host->devices[0];
}
