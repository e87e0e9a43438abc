/* Describes how a run was measured: the timer, the skipped iterations, the losses and the
 * statistics of the samples. */
#include <string.h>

#include "collectors/run/collect_parts.h"
#include "collectors/run/device_of.h"
#include "collectors/run/ledger.h"
#include "collectors/run/noise_floor.h"
#include "service/stats/stats.h"
#include "service/wire/wire.h"

static void
put_measure(struct lore_arena *arena, struct lore_kvs *kvs, const struct lore_measure *m)
{
    if (m->n_groups == 0)
        return;
    lore_collect_number(arena, kvs, "warmup", m->left_out);
    lore_collect_number(arena, kvs, "iterations", m->iterations);
    lore_collect_text(arena, kvs, "iterations_found", m->rule);
    lore_collect_number(arena, kvs, "launches", m->launches);
    lore_collect_number(arena, kvs, "launches_per_iteration", m->per_iteration);
    lore_collect_number(arena, kvs, "kernels", m->n_groups);
    lore_collect_number(arena, kvs, "samples_kept", m->n);
    lore_kvs_set(arena, kvs, "reservoir", m->reservoir ? "true" : "false");
    lore_collect_text(arena, kvs, "statistic", "median");
}

static void
put_loss(struct lore_arena *arena, struct lore_kvs *kvs, const struct lore_trace *t)
{
    bool ended = t->n_processes > 0;

    lore_collect_number(arena, kvs, "dropped", t->loss.dropped);
    lore_collect_number(arena, kvs, "bad", t->loss.bad);
    lore_collect_number(arena, kvs, "no_memory", t->loss.no_memory);
    lore_collect_number(arena, kvs, "write_failed", t->loss.write_failed);
    for (size_t i = 0; i < t->n_processes; i++)
        ended = ended && t->processes[i].ended;
    lore_kvs_set(arena, kvs, "ended", ended ? "true" : "false");
    lore_collect_number(arena, kvs, "processes", t->n_processes);
}

/* What became of the ranges: without a line NVTX did not load the library, or none was opened. */
static void
put_ranges(struct lore_arena *arena, struct lore_kvs *kvs, const struct lore_trace *t)
{
    uint64_t opened = 0, telling = 0;
    const char *other = NULL;

    for (size_t i = 0; i < t->n_states; i++) {
        const struct lore_trace_state *s = &t->states[i];
        if (s->code != LORE_CAP_RANGES_SEEN)
            continue;
        opened += s->a;
        telling += s->b;
        other = other ? other : s->text;
    }
    lore_collect_text(arena, kvs, "ranges_went_to", other);
    if (opened == 0)
        return;
    lore_collect_number(arena, kvs, "ranges_opened", opened);
    lore_collect_number(arena, kvs, "ranges_telling", telling);
}

static void
put_passes(struct lore_collecting *b, struct lore_kvs *kvs)
{
    const struct lore_trace *t = &b->c->counters;
    const char *cache = "all";
    bool counted = false;

    for (size_t i = 0; i < t->n_states; i++) {
        if (t->states[i].code == LORE_CAP_COUNTER_DONE) {
            lore_collect_number(b->arena, kvs, "counter_passes", t->states[i].a);
            counted = true;
        } else if (t->states[i].code == LORE_CAP_COUNTER_UNCLEAN) {
            cache = "none";
        }
    }
    lore_collect_text(b->arena, kvs, "cache", counted ? cache : NULL);
    lore_collect_text(b->arena, kvs, "counter_statistic", counted ? "median" : NULL);
}

static void
put_tool(struct lore_collecting *b, struct lore_kvs *kvs)
{
    const struct lore_trace *t = &b->c->trace;
    const char *backend = b->c->backend    ? b->c->backend->name
                          : t->n_processes ? t->processes[0].backend
                                           : NULL;

    lore_collect_text(
        b->arena, kvs, "timer", backend ? lore_format(b->arena, "%s activity", backend) : NULL);
    lore_collect_text(b->arena, kvs, "collector", "warplore " WARPLORE_VERSION);
    if (t->n_processes && t->processes[0].backend_version)
        lore_collect_number(b->arena, kvs, "backend_version", t->processes[0].backend_version);
    if (b->c->app.wall_us > 0)
        lore_collect_number(b->arena, kvs, "app_wall_us", (uint64_t)b->c->app.wall_us);
    if (b->c->counters_asked)
        put_passes(b, kvs);
}

/* Add the calibrated noise between processes, which the samples of one process cannot show. A
 * damaged file is ignored here; `calibrate` reports it. */
static void
put_floor(struct lore_collecting *b, struct lore_kvs *kvs, const struct lore_measure *m)
{
    struct lore_floors all = {0};
    struct lore_err ignored;

    if (m->n_groups == 0 || m->n == 0 ||
        lore_floors_read(lore_ledger_dir(b->arena, b->c->state_dir), b->arena, &all, &ignored) !=
            LORE_OK)
        return;
    const struct lore_trace_device *d = lore_device_of_group(&b->c->trace, m->groups[0]);
    const struct lore_host_device *h = lore_device_of_host(b->c->host, d);
    const char *device = h && h->uuid ? h->uuid : d && d->uuid ? d->uuid : "not named";
    const char *chip = h && h->chip   ? h->chip
                       : h && h->name ? h->name
                       : d && d->name ? d->name
                                      : "not named";
    struct lore_stats s;
    lore_stats(m->samples, m->n, b->arena, &s);
    const struct lore_floor *f = lore_floors_find(&all, device, chip, s.median);
    if (f)
        lore_kvs_set(
            b->arena, kvs, "noise_floor_pct", lore_format(b->arena, "%.4g", 100 * f->floor));
}

void
lore_collect_method_of_launches(
    struct lore_collecting *b, struct lore_kvs *kvs, const struct lore_measure *m)
{
    struct lore_flags flags;

    put_measure(b->arena, kvs, m);
    lore_flags_of(m->samples, m->n, m->per_iteration, b->arena, &flags);
    lore_flags_put(b->arena, &flags, kvs);
    put_floor(b, kvs, m);
    lore_collect_clocks(b, kvs, m);
    for (size_t i = 0; i < m->notes.n; i++)
        lore_collect_text(b->arena, kvs, lore_format(b->arena, "note_%zu", i + 1), m->notes.v[i]);
}

void
lore_collect_method_of_program(struct lore_collecting *b, struct lore_kvs *kvs)
{
    struct lore_texts problems = {0};
    enum lore_cap_state_code first;

    put_tool(b, kvs);
    put_loss(b->arena, kvs, &b->c->trace);
    put_ranges(b->arena, kvs, &b->c->trace);
    lore_collect_problems(b->c, b->arena, &problems, &first);
    for (size_t i = 0; i < problems.n; i++)
        lore_collect_text(
            b->arena, kvs, lore_format(b->arena, "problem_%zu", i + 1), problems.v[i]);
}
