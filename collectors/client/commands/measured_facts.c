/* Details of a comparison beside its verdict: launch facts that differ between A and B, and notes
 * that limit the trust in the number. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collectors/client/commands/measured.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

const char *
lore_command_show_pct(struct lore_cli *cli, double fraction)
{
    return lore_format(cli->arena, fabs(fraction) < 0.1 ? "%.2f %%" : "%.1f %%", 100 * fraction);
}

const char *
lore_command_show_speedup(struct lore_cli *cli, const struct lore_comparison *c)
{
    if (!c->bounded)
        return lore_format(cli->arena, "%.4fx", c->speedup);
    return lore_format(cli->arena, "%.4fx [%.4f, %.4f]", c->speedup, c->low, c->high);
}

/* --- what differs --- */

struct list {
    struct lore_arena *arena;
    struct lore_differs *v;
    size_t n, cap;
};

static void
differ(struct list *l, const char *fact, const char *a, const char *b)
{
    if (!lore_streq(a, b))
        *LORE_PUSH(l->arena, l->v, l->n, l->cap) = (struct lore_differs){fact, a, b};
}

static const char *
dims(struct lore_arena *arena, const uint32_t v[3])
{
    return lore_format(arena, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, v[0], v[1], v[2]);
}

static void
differ_known(struct list *l, const char *fact, bool known, uint32_t a, uint32_t b)
{
    if (known)
        differ(l, fact, lore_format(l->arena, "%" PRIu32, a), lore_format(l->arena, "%" PRIu32, b));
}

static const char *
count(struct lore_arena *arena, uint64_t v)
{
    return lore_format(arena, "%" PRIu64, v);
}

struct lore_differs *
lore_measured_differs(const struct lore_measured *m, size_t *n)
{
    struct list l = {.arena = m->cli->arena};
    const struct lore_abba_program *of = m->programs.of;
    const struct lore_trace_group *ga = lore_measured_kernel(m, 0),
                                  *gb = lore_measured_kernel(m, 1);

    *n = 0;
    if (!ga || !gb)
        return NULL;
    const struct lore_cap_shape *a = &ga->shape, *b = &gb->shape;
    uint32_t known = a->known & b->known;
    differ(&l, "kernel", ga->name, gb->name);
    differ(&l, "grid", dims(l.arena, a->grid), dims(l.arena, b->grid));
    differ(&l, "block", dims(l.arena, a->block), dims(l.arena, b->block));
    if (known & LORE_CAP_HAS_CLUSTER)
        differ(&l, "cluster", dims(l.arena, a->cluster), dims(l.arena, b->cluster));
    differ_known(&l, "registers", known & LORE_CAP_HAS_REGISTERS, a->registers, b->registers);
    differ_known(&l, "static shared bytes", known & LORE_CAP_HAS_SHARED, a->static_shared_bytes,
        b->static_shared_bytes);
    differ_known(&l, "dynamic shared bytes", known & LORE_CAP_HAS_SHARED, a->dynamic_shared_bytes,
        b->dynamic_shared_bytes);
    differ_known(&l, "local bytes per thread", known & LORE_CAP_HAS_LOCAL,
        a->local_bytes_per_thread, b->local_bytes_per_thread);
    differ(&l, "kernels per iteration", count(l.arena, of[0].like.n_groups),
        count(l.arena, of[1].like.n_groups));
    differ(&l, "launches per iteration", count(l.arena, of[0].like.per_iteration),
        count(l.arena, of[1].like.per_iteration));
    differ(&l, "iterations", count(l.arena, of[0].like.iterations),
        count(l.arena, of[1].like.iterations));
    *n = l.n;
    return l.v;
}

/* --- notes --- */

static void
note(struct lore_arena *arena, struct lore_texts *out, const char *fmt, ...) LORE_PRINTF(3, 4);

static void
note(struct lore_arena *arena, struct lore_texts *out, const char *fmt, ...)
{
    char text[400];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (size_t i = 0; i < out->n; i++) /* both sides of a calibration are one program */
        if (lore_streq(out->v[i], text))
            return;
    *LORE_PUSH(arena, out->v, out->n, out->cap) = lore_strdup(arena, text);
}

static void
note_side(const struct lore_measured *m, unsigned i, struct lore_texts *out)
{
    const struct lore_abba_side *s = &m->result.side[i];
    const struct lore_abba_program *p = &m->programs.of[i];
    struct lore_arena *arena = m->cli->arena;

    if (s->lost > 0)
        note(arena, out, "%s: %" PRIu64 " launch records were lost, in %zu processes", p->letter,
            s->lost, s->lossy);
    if (p->patched > 0)
        note(arena, out,
            "%s: the times of %zu processes are sums of kernel medians, because their launch "
            "counts differ from the other processes'",
            p->letter, p->patched);
    if (s->launches_max > s->launches_min + s->launches_min / 50)
        note(arena, out, "%s: launch counts vary from process to process, %" PRIu64 " to %" PRIu64,
            p->letter, s->launches_min, s->launches_max);
    for (size_t k = 0; k < p->like.notes.n; k++)
        note(arena, out, "%s: %s", p->letter, p->like.notes.v[k]);
}

void
lore_measured_notes(const struct lore_measured *m, struct lore_texts *out)
{
    const struct lore_comparison *c = &m->result.c;
    struct lore_arena *arena = m->cli->arena;

    if (c->drift.drifts)
        note(arena, out,
            "times drifted by %+.1f %% over the session (p = %.1g); pairs ran next to each other, "
            "so it cancels in the ratio",
            100 * expm1(c->drift.change), c->drift.p);
    if (c->outliers > 0)
        note(arena, out, "%zu of %zu pairs are outliers; their ratios were moved to the limit",
            c->outliers, c->n);
    if (c->widened > 1)
        note(arena, out,
            "neighbouring pairs are correlated (r = %.2f): this makes the interval %.1f times "
            "wider",
            c->neighbours, c->widened);
    if (m->result.c.n > 0 && !c->bounded)
        note(arena, out, "%zu pairs are too few for an interval", c->n);
    note_side(m, 0, out);
    note_side(m, 1, out);
}
