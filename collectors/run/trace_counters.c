/* Keeps the value of each counted launch until a trace is complete, because the passes of one
 * program can lie in several files, and medians of medians are no medians. */
#include "collectors/run/trace_counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/run/trace_file.h"
#include "service/stats/stats.h"

enum { MOST_COUNTERS = 2048 };

/* ---- a frame ---- */

/* Search from the last hit, because every launch has its counters in the same order. */
static struct lore_trace_counter *
counter_of(struct lore_trace_file *f, struct lore_trace_shape *s, uint32_t id)
{
    struct lore_trace_group *g = &f->trace->groups[s->group];

    for (size_t i = 0; i < g->n_counters; i++) {
        size_t at = (s->next_counter + i) % g->n_counters;
        if (g->counters[at].id == id) {
            s->next_counter = at + 1;
            return &g->counters[at];
        }
    }
    if (g->n_counters == MOST_COUNTERS ||
        !lore_trace_has_room(f, 4 * (g->n_counters + 8) * sizeof *g->counters))
        return NULL;
    struct lore_trace_counter *c = LORE_PUSH(f->arena, g->counters, g->n_counters, g->cap_counters);
    *c = (struct lore_trace_counter){.id = id, .name = lore_trace_name(f, id)->text};
    s->next_counter = g->n_counters;
    return c;
}

void
lore_trace_take_metric(struct lore_trace_file *f, const struct lore_cap_metric *m, size_t at)
{
    struct lore_trace_shape *s = lore_trace_shape_find(f, m->shape);
    struct lore_trace_counter *c;

    if (!s || !lore_trace_name(f, m->metric)) {
        lore_trace_complain(f, LORE_TRACE_BAD_METRIC,
            s ? "a counter's name is not in the file"
              : "a counter of a launch shape that is not in the file",
            at);
        return;
    }
    c = counter_of(f, s, m->metric);
    if (!c || (c->n == c->cap && !lore_trace_has_room(f, 4 * (c->n + 8) * sizeof *c->v))) {
        lore_trace_complain(f, LORE_TRACE_NO_ROOM, "no memory for more counters", at);
        return;
    }
    /* values whose variance would overflow count as missing */
    if (m->missing == LORE_MISS_NONE && isfinite(m->value) && fabs(m->value) < 1e150) {
        *LORE_PUSH(f->arena, c->v, c->n, c->cap) = m->value;
        return;
    }
    c->n_missing++;
    c->missing = m->missing > LORE_MISS_NONE && m->missing < LORE_MISS_COUNT
                     ? (enum lore_missing)m->missing
                     : LORE_MISS_LOST;
}

/* ---- a group ---- */

void
lore_trace_counters_add(
    struct lore_trace_group *g, const char *name, double value, struct lore_arena *arena)
{
    struct lore_trace_counter *c = LORE_PUSH(arena, g->counters, g->n_counters, g->cap_counters);

    *c = (struct lore_trace_counter){.name = name};
    *LORE_PUSH(arena, c->v, c->n, c->cap) = value;
    lore_trace_counters_sum_up(g, arena);
}

void
lore_trace_counters_join(
    struct lore_trace_group *g, const struct lore_trace_group *from, struct lore_arena *arena)
{
    for (size_t i = 0; i < from->n_counters; i++) {
        const struct lore_trace_counter *more = &from->counters[i];
        size_t k = 0;

        while (k < g->n_counters && strcmp(g->counters[k].name, more->name) != 0)
            k++;
        if (k == g->n_counters) {
            *LORE_PUSH(arena, g->counters, g->n_counters, g->cap_counters) = *more;
            continue;
        }
        struct lore_trace_counter *c = &g->counters[k];
        for (size_t n = 0; n < more->n; n++)
            *LORE_PUSH(arena, c->v, c->n, c->cap) = more->v[n];
        c->n_missing += more->n_missing;
        c->missing = more->missing != LORE_MISS_NONE ? more->missing : c->missing;
    }
    lore_trace_counters_sum_up(g, arena);
}

static struct lore_metric
summary(const struct lore_trace_counter *c, struct lore_arena *arena)
{
    double *sorted, mean = 0, squares = 0;

    if (c->n == 0)
        return (struct lore_metric){.name = c->name, .missing = c->missing};
    sorted = lore_memdup(arena, c->v, c->n * sizeof *c->v);
    qsort(sorted, c->n, sizeof *sorted, lore_select_by_f64);
    struct lore_metric m = {.name = c->name,
        .value = lore_stats_percentile(sorted, c->n, 0.5),
        .n = {true, (int64_t)c->n}};
    for (size_t i = 0; i < c->n; i++)
        mean += sorted[i] / (double)c->n;
    for (size_t i = 0; i < c->n; i++)
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    if (c->n > 1) {
        m.std = (struct lore_f64){true, sqrt(squares / (double)(c->n - 1))};
        m.min = (struct lore_f64){true, sorted[0]};
        m.max = (struct lore_f64){true, sorted[c->n - 1]};
    }
    return m;
}

void
lore_trace_counters_sum_up(struct lore_trace_group *g, struct lore_arena *arena)
{
    g->metrics.n = 0;
    g->counted = 0;
    for (size_t i = 0; i < g->n_counters; i++) {
        const struct lore_trace_counter *c = &g->counters[i];
        size_t n = c->n + c->n_missing;

        *LORE_PUSH(arena, g->metrics.v, g->metrics.n, g->metrics.cap) = summary(c, arena);
        if (n > g->counted)
            g->counted = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    }
}
