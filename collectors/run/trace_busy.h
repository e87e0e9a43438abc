/* How long at least one of a process's kernels ran: the length of the union of launches, which
 * come roughly in order of time and may overlap on several streams. A window of disjoint intervals
 * is kept open; a launch that starts before the window counts from its beginning on. */
#ifndef LORE_RUN_TRACE_BUSY_H
#define LORE_RUN_TRACE_BUSY_H

#include <stddef.h>
#include <stdint.h>

enum { LORE_TRACE_OPEN = 64 }; /* intervals: far more than launches arrive out of order */

/* A zeroed struct is valid and empty. */
struct lore_trace_busy {
    struct {
        uint64_t from, to;
    } open[LORE_TRACE_OPEN]; /* disjoint, in order */
    size_t n;
    uint64_t closed_to;         /* time before this is counted */
    uint64_t closed_ns;         /* length of the intervals that left the window */
    uint64_t first_ns, last_ns; /* from the first start to the last end */
};
void lore_trace_busy_add(struct lore_trace_busy *b, uint64_t from, uint64_t to);
/* The length of the union so far. */
uint64_t lore_trace_busy_ns(const struct lore_trace_busy *b);

#endif
