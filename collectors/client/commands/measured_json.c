/* A measured comparison as JSON; docs/compare.md describes the verdict. */
#include <math.h>

#include "collectors/client/commands/measured.h"
#include "service/base/jsonw.h"

static void
write_dims(struct lore_jsonw *w, const char *key, const uint32_t v[3])
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < 3; i++)
        lore_w_i64(w, v[i]);
    lore_w_arr_end(w);
}

static void
write_kernel(struct lore_jsonw *w, const struct lore_trace_group *g)
{
    const struct lore_cap_shape *s = &g->shape;

    lore_w_obj(w);
    lore_w_kstr(w, "name", g->name);
    lore_w_kstr(w, "symbol", g->symbol);
    lore_w_ki64(w, "launches", (int64_t)g->launches);
    write_dims(w, "grid", s->grid);
    write_dims(w, "block", s->block);
    if (s->known & LORE_CAP_HAS_CLUSTER)
        write_dims(w, "cluster", s->cluster);
    if (s->known & LORE_CAP_HAS_REGISTERS)
        lore_w_ki64(w, "registers", s->registers);
    if (s->known & LORE_CAP_HAS_SHARED) {
        lore_w_ki64(w, "static_shared_bytes", s->static_shared_bytes);
        lore_w_ki64(w, "dynamic_shared_bytes", s->dynamic_shared_bytes);
    }
    if (s->known & LORE_CAP_HAS_LOCAL)
        lore_w_ki64(w, "local_bytes_per_thread", s->local_bytes_per_thread);
    lore_w_obj_end(w);
}

static void
write_side(struct lore_jsonw *w, const struct lore_measured *m, unsigned i, bool commands)
{
    const struct lore_abba_program *p = &m->programs.of[i];
    const struct lore_abba_side *s = &m->result.side[i];

    lore_w_obj(w);
    if (commands)
        lore_w_kstr(w, "command", p->shown);
    lore_w_kf64(w, "time_ns", s->median_ns);
    lore_w_ki64(w, "iterations", (int64_t)p->like.iterations);
    lore_w_ki64(w, "lost_records", (int64_t)s->lost);
    lore_w_key(w, "times_ns");
    lore_w_arr(w);
    for (size_t k = 0; k < m->result.pairs; k++)
        lore_w_f64(w, s->times_ns[k]);
    lore_w_arr_end(w);
    lore_w_key(w, "kernels");
    lore_w_arr(w);
    for (size_t k = 0; k < p->like.n_groups; k++)
        write_kernel(w, p->like.groups[k]);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

static void
write_speedup(struct lore_jsonw *w, const struct lore_comparison *c)
{
    lore_w_key(w, "speedup");
    lore_w_obj(w);
    lore_w_kf64(w, "median", c->speedup);
    if (c->bounded) {
        lore_w_kf64(w, "low", c->low);
        lore_w_kf64(w, "high", c->high);
    } else { /* null; the notes give the reason */
        lore_w_key(w, "low");
        lore_w_null(w);
        lore_w_key(w, "high");
        lore_w_null(w);
    }
    lore_w_kf64(w, "confidence_pct", 100 * c->confidence);
    lore_w_obj_end(w);
}

static void
write_noise(struct lore_jsonw *w, const struct lore_comparison *c)
{
    lore_w_key(w, "noise");
    lore_w_obj(w);
    lore_w_kf64(w, "spread_pct", 100 * c->spread);
    lore_w_ki64(w, "outliers", (int64_t)c->outliers);
    lore_w_kf64(w, "neighbours_r", c->neighbours);
    lore_w_kf64(w, "widened", c->widened);
    lore_w_kbool(w, "drifts", c->drift.drifts);
    if (c->drift.n > 0) {
        lore_w_kf64(w, "drift_pct", 100 * expm1(c->drift.change));
        lore_w_kf64(w, "drift_p", c->drift.p);
    }
    lore_w_obj_end(w);
}

static void
write_words(struct lore_jsonw *w, const struct lore_measured *m)
{
    struct lore_texts notes = {0};
    size_t n;
    struct lore_differs *d = lore_measured_differs(m, &n);

    lore_measured_notes(m, &notes);
    lore_w_key(w, "differs");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "fact", d[i].fact);
        lore_w_kstr(w, "a", d[i].a);
        lore_w_kstr(w, "b", d[i].b);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_key(w, "notes");
    lore_w_arr(w);
    for (size_t i = 0; i < notes.n; i++)
        lore_w_str(w, notes.v[i]);
    lore_w_arr_end(w);
}

void
lore_measured_json(const struct lore_measured *m, bool commands, struct lore_buf *out)
{
    const struct lore_comparison *c = &m->result.c;
    const struct lore_compare_plan *plan = &m->session.plan;
    const char *device, *chip;
    struct lore_jsonw w;

    lore_measured_device(m, &device, &chip);
    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "verdict", lore_compare_verdict_name(c->verdict));
    lore_w_kstr(&w, "method", LORE_COMPARE_METHOD);
    write_speedup(&w, c);
    lore_w_kf64(&w, "confidence_over_looks_pct", 100 * plan->confidence);
    lore_w_kf64(&w, "min_effect_pct", 100 * c->min_effect);
    lore_w_kstr(&w, "min_effect_from", m->effect_from);
    if (c->bounded) {
        lore_w_kf64(&w, "detectable_pct", 100 * c->detectable);
        lore_w_kf64(&w, "detectable_power_pct", 100 * LORE_COMPARE_POWER);
    }
    lore_w_ki64(&w, "pairs", (int64_t)m->result.pairs);
    lore_w_ki64(&w, "rounds", (int64_t)m->result.rounds);
    lore_w_ki64(&w, "rounds_at_most", (int64_t)plan->looks[plan->n_looks - 1]);
    lore_w_kstr(&w, "ended_by", lore_abba_end_name(m->result.end));
    lore_w_kf64(&w, "seconds", m->result.seconds);
    lore_w_kstr(&w, "order", "ABBA");
    lore_w_kstr(&w, "backend", m->programs.backend->name);
    lore_w_kstr(&w, "chip", chip);
    write_noise(&w, c);
    lore_w_key(&w, "a");
    write_side(&w, m, 0, commands);
    lore_w_key(&w, "b");
    write_side(&w, m, 1, commands);
    write_words(&w, m);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(out, '\n');
}
