/* Makes one run record: environment, launch, samples, counters, correctness and error. A failed
 * program is a run too. If no kernel of a successful program was seen, the error gives the reason.
 */
#include <stdio.h>
#include <string.h>

#include "collectors/run/collect.h"
#include "collectors/run/collect_parts.h"
#include "collectors/run/command_filter.h"
#include "collectors/run/device_of.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

enum { KERNELS_MAX = 64, NAME_SHOWN = 2000 };

/* ---- device and environment ---- */

void
lore_collect_device(
    struct lore_collecting *b, struct lore_run *run, const struct lore_trace_group *g)
{
    const struct lore_trace_device *d = lore_device_of_group(&b->c->trace, g);
    const struct lore_host_device *h = lore_device_of_host(b->c->host, d);
    struct lore_submission *doc = b->doc;
    struct lore_environment e = {0};

    if (!h) {
        const struct lore_chip *chip = d && d->name ? lore_chip_find(d->name) : NULL;
        run->chip = chip ? chip->name : NULL;
        return;
    }
    run->chip = h->chip;
    lore_host_environment(b->arena, b->c->host, h, b->c->what.show_host, &e);
    run->environment = e.id;
    for (size_t i = 0; i < doc->n_environments; i++)
        if (strcmp(doc->environments[i].id, e.id) == 0)
            return;
    *LORE_PUSH(b->arena, doc->environments, doc->n_environments, doc->cap_environments) = e;
    lore_host_specs(b->arena, h, &e, doc);
}

/* ---- the launch ---- */

static const char *
triple(struct lore_arena *arena, const uint32_t v[3])
{
    return lore_format(arena, "%ux%ux%u", v[0], v[1], v[2]);
}

static void
put_launch(struct lore_arena *arena, struct lore_kvs *kvs, const struct lore_trace_group *g)
{
    static const char *const apis[] = {NULL, "stream", "cooperative", "graph", "device"};
    const struct lore_cap_shape *s = &g->shape;

    lore_collect_text(arena, kvs, "kernel", g->name);
    if (!lore_streq(g->symbol, g->name))
        lore_collect_text(arena, kvs, "symbol", g->symbol);
    lore_collect_text(arena, kvs, "grid", triple(arena, s->grid));
    lore_collect_text(arena, kvs, "block", triple(arena, s->block));
    if (s->known & LORE_CAP_HAS_CLUSTER)
        lore_collect_text(arena, kvs, "cluster", triple(arena, s->cluster));
    if (s->known & LORE_CAP_HAS_REGISTERS)
        lore_collect_number(arena, kvs, "registers_per_thread", s->registers);
    if (s->known & LORE_CAP_HAS_SHARED) {
        lore_collect_number(arena, kvs, "static_shared_bytes", s->static_shared_bytes);
        lore_collect_number(arena, kvs, "dynamic_shared_bytes", s->dynamic_shared_bytes);
    }
    if (s->known & LORE_CAP_HAS_LOCAL)
        lore_collect_number(arena, kvs, "local_bytes_per_thread", s->local_bytes_per_thread);
    lore_collect_number(arena, kvs, "streams", g->streams);
    if (s->api < sizeof apis / sizeof *apis)
        lore_collect_text(arena, kvs, "api", apis[s->api]);
}

/* ---- extra: kernels of the iteration, copies, machine code ---- */

static void
write_kernels(struct lore_jsonw *w, const struct lore_measure *m, struct lore_arena *arena)
{
    lore_w_key(w, "kernels");
    lore_w_arr(w);
    for (size_t i = 0; i < m->n_groups && i < KERNELS_MAX; i++) {
        const struct lore_trace_group *g = m->groups[i];
        lore_w_obj(w);
        lore_w_kstr(w, "name",
            lore_strndup(arena, g->name, lore_utf8_prefix(g->name, strnlen(g->name, NAME_SHOWN))));
        lore_w_kstr(w, "grid", triple(arena, g->shape.grid));
        lore_w_kstr(w, "block", triple(arena, g->shape.block));
        lore_w_ki64(w, "launches", (int64_t)g->launches);
        lore_w_ki64(w, "total_ns", g->total_ns);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

const char *const lore_collect_copies[LORE_CAP_TOTALS_N] = {
    "host_to_device", "device_to_host", "device_to_device", "other", "fill"};

static void
write_copies(struct lore_jsonw *w, const struct lore_cap_totals *t)
{
    lore_w_key(w, "copies");
    lore_w_obj(w);
    for (int i = 0; i < LORE_CAP_TOTALS_N; i++) {
        if (t->of[i].count == 0)
            continue;
        lore_w_key(w, lore_collect_copies[i]);
        lore_w_obj(w);
        lore_w_ki64(w, "count", (int64_t)t->of[i].count);
        lore_w_ki64(w, "bytes", (int64_t)t->of[i].bytes);
        lore_w_ki64(w, "ns", (int64_t)t->of[i].ns);
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
}

struct lore_isa_kernel
lore_collect_isa_kernel(const struct lore_collecting *b, const struct lore_trace_group *g)
{
    const struct lore_trace_device *d = lore_device_of_group(&b->c->trace, g);

    return (struct lore_isa_kernel){.symbol = g->symbol,
        .isa = d && d->major ? lore_format(b->arena, "sm_%u%u", d->major, d->minor) : NULL,
        .registers = g->shape.known & LORE_CAP_HAS_REGISTERS ? g->shape.registers : 0};
}

static const char *
extra_of(struct lore_collecting *b, const struct lore_measure *m)
{
    struct lore_buf out = {.max = 1 << 20};
    struct lore_jsonw w;
    const char *text = NULL;

    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    if (m->n_groups > 1)
        write_kernels(&w, m, b->arena);
    if (m->other_groups > 0) {
        lore_w_key(&w, "not_measured");
        lore_w_obj(&w);
        lore_w_ki64(&w, "kernels", (int64_t)m->other_groups);
        lore_w_ki64(&w, "launches", (int64_t)m->other_launches);
        lore_w_ki64(&w, "total_ns", m->other_ns);
        lore_w_obj_end(&w);
    }
    write_copies(&w, &b->c->trace.totals);
    if (!b->c->what.no_command)
        lore_command_write(&w, b->c->argv, b->arena);
    if (m->n_groups > 0 && !b->c->what.no_isa) {
        const struct lore_isa_kernel kernel = lore_collect_isa_kernel(b, m->groups[0]);
        lore_w_key(&w, "isa");
        lore_isa_facts_write(&w, &b->isa, &kernel, b->arena);
    }
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        text = lore_strndup(b->arena, out.data, out.len);
    lore_buf_free(&out);
    return text;
}

/* ---- the error ---- */

enum { NAMES_SHOWN = 3 };

const char *
lore_collect_unmatched(const struct lore_observations *c, struct lore_arena *arena)
{
    const struct lore_trace *t = &c->trace;
    const char *seen = "", *last = NULL;
    size_t shown = 0;

    for (size_t i = 0; i < t->n_groups; i++) { /* one kernel has a group per launch shape */
        if (last && strcmp(last, t->groups[i].name) == 0)
            continue;
        last = t->groups[i].name;
        if (shown++ == NAMES_SHOWN)
            break;
        seen = lore_format(arena, "%s%s%.*s", seen, *seen ? ", " : "",
            (int)lore_utf8_prefix(last, strnlen(last, 120)), last);
    }
    return lore_format(arena,
        "no kernel that was launched matches --kernel-regex %.200s; seen: %s%s",
        c->what.kernel_regex ? c->what.kernel_regex : "", seen, shown > NAMES_SHOWN ? ", …" : "");
}

void
lore_collect_failure(
    struct lore_collecting *b, const struct lore_measure *m, struct lore_failure *e)
{
    const struct lore_launch_result *app = &b->c->app;
    struct lore_texts problems = {0};
    enum lore_cap_state_code first;

    if (app->exit_status != 0 || app->signal != 0) {
        e->set = true;
        e->type = "runtime";
        e->stage = "run";
        e->code = app->signal ? lore_format(b->arena, "signal %d", app->signal)
                              : lore_format(b->arena, "exit %d", app->exit_status);
        const char *name = app->signal ? sigabbrev_np(app->signal) : NULL;
        e->message =
            app->signal
                ? lore_format(b->arena, "the program was killed by signal %d%s%s%s", app->signal,
                      name ? " (SIG" : "", name ? name : "", name ? ")" : "")
                : lore_format(b->arena, "the program ended with status %d", app->exit_status);
        return;
    }
    if (m->n_groups > 0)
        return;
    lore_collect_problems(b->c, b->arena, &problems, &first);
    e->set = true;
    e->type =
        b->c->no_device || first == LORE_CAP_VENDOR_MISSING || first == LORE_CAP_VENDOR_TOO_OLD
            ? "environment"
            : "profiling";
    e->stage = "capture";
    e->message = problems.n             ? problems.v[0]
                 : b->c->no_device      ? b->c->no_device
                 : b->c->trace.n_groups ? lore_collect_unmatched(b->c, b->arena)
                                        : "the program launched no kernel";
}

void
lore_collect_launches(struct lore_collecting *b, const struct lore_measure *m, struct lore_run *run)
{
    const struct lore_trace_group *g = m->groups[0];

    put_launch(b->arena, &run->launch, g);
    lore_collect_triton_launch(b, g, &run->launch);
    lore_collect_metrics(b, run, g);
    if (run->metrics.n > 0 && m->n_groups > 1)
        lore_collect_text(b->arena, &run->method, "metrics_of", g->name);
    run->samples_ns = m->samples;
    run->n_samples = run->cap_samples = m->n;
    run->first_ns = (struct lore_i64){m->has_first, m->first_ns};
}

struct lore_run *
lore_collect_run(struct lore_collecting *b, const char *version, const struct lore_measure *m)
{
    const struct lore_run_options *w = &b->c->what;
    struct lore_submission *doc = b->doc;
    struct lore_run *run = LORE_PUSH(b->arena, doc->runs, doc->n_runs, doc->cap_runs);
    const struct lore_trace_group *g = m->n_groups ? m->groups[0] : NULL;

    run->id = lore_build_new_id(b->arena);
    run->version = version;
    run->role = w->role                                            ? w->role
                : w->ablates                                       ? LORE_ROLE_ABLATION
                : lore_collect_kind(w) == LORE_V_BASELINE && w->op ? LORE_ROLE_BASELINE
                : lore_collect_kind(w) == LORE_V_LIBRARY           ? LORE_ROLE_REFERENCE
                                                                   : LORE_ROLE_CANDIDATE;
    run->evidence = m->n ? LORE_EV_MEASURED : LORE_EV_CLAIMED;
    run->measured_at = b->measured_at;
    run->tool = "warplore run";
    lore_collect_device(b, run, g);
    lore_collect_method_of_program(b, &run->method);
    lore_collect_method_of_launches(b, &run->method, m);
    if (g) {
        lore_collect_launches(b, m, run);
        const struct lore_isa_claim claim = {
            version, lore_collect_isa_kernel(b, g), &w->techniques};
        if (!w->no_isa)
            lore_isa_facts_verify(&b->isa, &claim, b->arena, doc);
    }
    run->correctness = b->c->correctness;
    if (!run->correctness.set)
        run->correctness = (struct lore_correctness){.set = true, .status = LORE_C_NOT_CHECKED};
    lore_collect_failure(b, m, &run->error);
    run->extra = extra_of(b, m);
    return run;
}
