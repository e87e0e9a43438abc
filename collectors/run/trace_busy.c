#include "collectors/run/trace_busy.h"

#include <string.h>

/* Count the earliest interval and drop it from the window. */
static void
close_first(struct lore_trace_busy *b)
{
    b->closed_ns += b->open[0].to - b->open[0].from;
    b->closed_to = b->open[0].to;
    memmove(&b->open[0], &b->open[1], --b->n * sizeof b->open[0]);
}

void
lore_trace_busy_add(struct lore_trace_busy *b, uint64_t from, uint64_t to)
{
    size_t at, end;

    if (b->last_ns == 0 || from < b->first_ns)
        b->first_ns = from;
    if (to > b->last_ns)
        b->last_ns = to;
    if (b->n == LORE_TRACE_OPEN)
        close_first(b);
    from = from < b->closed_to ? b->closed_to : from;
    if (from >= to)
        return;
    for (at = b->n; at > 0 && b->open[at - 1].to >= from; at--) /* the last one is likely */
        ;
    for (end = at; end < b->n && b->open[end].from <= to; end++) {
        from = b->open[end].from < from ? b->open[end].from : from;
        to = b->open[end].to > to ? b->open[end].to : to;
    }
    memmove(&b->open[at + 1], &b->open[end], (b->n - end) * sizeof b->open[0]);
    b->n = b->n - (end - at) + 1;
    b->open[at].from = from;
    b->open[at].to = to;
}

uint64_t
lore_trace_busy_ns(const struct lore_trace_busy *b)
{
    uint64_t ns = b->closed_ns;

    for (size_t i = 0; i < b->n; i++)
        ns += b->open[i].to - b->open[i].from;
    return ns;
}
