/* Bottleneck drift. A version whose gaps are not all known has no bound; it is skipped. A change
 * across such versions is marked, because its exact place is unknown. */
#include "service/derive/drift.h"

static struct lore_f64
difference(struct lore_f64 now, struct lore_f64 before)
{
    return now.set && before.set ? (struct lore_f64){true, now.v - before.v} : (struct lore_f64){0};
}

/* "memory (v0..v2)" appended to SUMMARY. */
static const char *
stretch(struct lore_arena *arena, const char *summary, enum lore_bound bound, const char *first,
    const char *last)
{
    const char *arrow = *summary != '\0' ? " -> " : "";

    if (first == last)
        return lore_format(arena, "%s%s%s (%s)", summary, arrow, lore_bound_name(bound), first);
    return lore_format(
        arena, "%s%s%s (%s..%s)", summary, arrow, lore_bound_name(bound), first, last);
}

static const char *
summarise(const struct lore_drift *d, struct lore_arena *arena)
{
    const struct lore_drift_step *first = NULL, *last = NULL;
    const char *text = "";

    for (size_t i = 0; i < d->n; i++) {
        const struct lore_drift_step *s = &d->steps[i];

        if (s->bound == LORE_BOUND_UNKNOWN)
            continue;
        if (s->migrated)
            text = stretch(arena, text, first->bound, first->version, last->version);
        if (!first || s->migrated)
            first = s;
        last = s;
    }
    return !first ? "" : stretch(arena, text, first->bound, first->version, last->version);
}

void
lore_drift_bottleneck(
    const struct lore_drift_in *in, size_t n, struct lore_arena *arena, struct lore_drift *out)
{
    const struct lore_drift_step *known = NULL;

    *out = (struct lore_drift){.n = n};
    out->steps = lore_alloc_array(arena, n + 1, sizeof *out->steps);
    for (size_t i = 0; i < n; i++) {
        const struct lore_gaps *g = &in[i].gaps;
        struct lore_drift_step *s = &out->steps[i];

        *s = (struct lore_drift_step){.version = in[i].version != NULL ? in[i].version : "?",
            .bound = lore_gaps_bound(g),
            .compute = g->compute,
            .memory = g->memory,
            .latency = g->latency};
        if (i > 0) {
            s->d_compute = difference(g->compute, in[i - 1].gaps.compute);
            s->d_memory = difference(g->memory, in[i - 1].gaps.memory);
            s->d_latency = difference(g->latency, in[i - 1].gaps.latency);
        }
        if (s->bound == LORE_BOUND_UNKNOWN) {
            out->n_unknown++;
            continue;
        }
        if (known) {
            s->from = known->bound;
            s->from_version = known->version;
            s->across_unknown = known != s - 1;
            s->migrated = known->bound != s->bound;
            out->n_migrations += s->migrated;
        }
        known = s;
    }
    out->summary = summarise(out, arena);
}
