/* Clocks of the device while the measured launches ran. Only samples of that device count and,
 * where there are enough, only those between the first and the last launch: an idle device clocks
 * down, so its clocks before the first launch do not apply to the kernels. */
#include <stdlib.h>

#include "collectors/run/collect_parts.h"
#include "collectors/run/device_of.h"

#define CLOCK_CHANGE_PCT 2 /* smaller changes are normal steps of the clock governor */
enum { ENOUGH = 5 };       /* with fewer samples, lowest and highest mean nothing */

struct span { /* clock samples from the first to the last launch */
    const struct lore_watch_sample *v;
    size_t n;
};

static int
by_int(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

static int32_t
median_clock(struct lore_arena *arena, const struct lore_watch_sample *v, size_t n)
{
    int32_t *mhz = lore_alloc_array(arena, n + 1, sizeof *mhz);
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (v[i].sm_mhz > 0)
            mhz[k++] = v[i].sm_mhz;
    qsort(mhz, k, sizeof *mhz, by_int);
    return k ? mhz[k / 2] : 0;
}

static const struct lore_clocks *
clocks_of(const struct lore_observations *c, const struct lore_trace_group *g)
{
    const struct lore_host_device *d =
        lore_device_of_host(c->host, lore_device_of_group(&c->trace, g));

    for (size_t i = 0; d && i < c->n_clocks; i++)
        if (c->clocks[i].device == d)
            return &c->clocks[i];
    return NULL;
}

/* From the start of the first launch of M to the end of the last. */
static struct span
between_launches(
    const struct lore_trace *t, const struct lore_clocks *clocks, const struct lore_measure *m)
{
    int64_t shift = 0, from = INT64_MAX, to = INT64_MIN; /* us, so that sums do not overflow */
    size_t first = 0, last;

    for (size_t i = 0; m->n_groups > 0 && i < t->n_processes; i++)
        if (t->processes[i].pid == m->groups[0]->pid)
            shift = t->processes[i].wall_minus_vendor_ns / 1000;
    for (size_t i = 0; i < m->n_groups; i++) {
        const struct lore_trace_group *g = m->groups[i];
        if (g->n_samples == 0)
            continue;
        const struct lore_trace_sample *end = &g->samples[g->n_samples - 1];
        int64_t start = (int64_t)(g->samples[0].start_ns / 1000) + shift;
        int64_t stop = (int64_t)(end->start_ns / 1000) + end->dur_ns / 1000 + shift;
        from = start < from ? start : from;
        to = stop > to ? stop : to;
    }
    while (first < clocks->n && clocks->v[first].at_us < from)
        first++;
    for (last = first; last < clocks->n && clocks->v[last].at_us <= to; last++)
        ;
    return (struct span){clocks->v + first, last - first};
}

static const char *
change(struct lore_arena *arena, struct span s)
{
    size_t third = s.n / 3;

    if (third < 2)
        return NULL;
    int32_t before = median_clock(arena, s.v, third);
    int32_t after = median_clock(arena, s.v + s.n - third, third);
    if (before <= 0 || after <= 0 || abs(after - before) * 100 <= CLOCK_CHANGE_PCT * before)
        return NULL;
    return lore_format(arena, "the SM clock %s from %d to %d MHz during the run",
        after < before ? "fell" : "rose", before, after);
}

void
lore_collect_clocks(struct lore_collecting *b, struct lore_kvs *kvs, const struct lore_measure *m)
{
    const struct lore_clocks *clocks = clocks_of(b->c, m->n_groups ? m->groups[0] : NULL);

    if (!clocks || clocks->n == 0)
        return;
    struct span s = between_launches(&b->c->trace, clocks, m);
    bool enough = s.n >= ENOUGH;
    if (enough)
        lore_watch_summary(b->arena, s.v, s.n, kvs);
    else
        lore_watch_summary(b->arena, clocks->v, clocks->n, kvs);
    lore_collect_text(
        b->arena, kvs, "clock_samples_from", enough ? "first to last launch" : "the whole program");
    lore_collect_text(b->arena, kvs, "clock_change", change(b->arena, s));
}
