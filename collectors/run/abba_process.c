/* Each process has its own run folder, which is read and removed before the next process starts:
 * otherwise fifty processes of a million launches each would fill a disk. */
#include "collectors/run/abba_process.h"

#include <stdio.h>
#include <string.h>

#include "collectors/run/rundir.h"
#include "collectors/run/trace_read.h"
#include "service/base/text.h"

/* Fail because no launch of P was measured. The error names the kernels that did not match; if
 * there are none, it gives the capture library's message or another reason. */
static enum lore_status
no_launches(const struct lore_abba_program *p, const struct lore_trace *t, struct lore_err *err)
{
    const char *message = NULL;

    for (size_t i = 0; i < t->n_states; i++) {
        if (t->states[i].code != LORE_CAP_ATTACHED && t->states[i].code != LORE_CAP_RANGES_SEEN)
            message = t->states[i].text ? t->states[i].text : "the capture library could not watch";
    }
    if (t->n_groups > 0 && p->what.kernel_regex) {
        enum lore_status status = lore_fail_at(err, LORE_INVALID, "no_launches", "kernel-regex",
            "%s: no kernel matches \"%.100s\"", p->letter, p->what.kernel_regex);
        lore_err_hint(err, "seen: %.100s%s%.100s%s", t->groups[0].name, t->n_groups > 1 ? ", " : "",
            t->n_groups > 1 ? t->groups[1].name : "", t->n_groups > 2 ? ", …" : "");
        return status;
    }
    enum lore_status status = lore_fail_at(err, LORE_INVALID, "no_launches", "",
        "%s (%.140s): no kernel launch was seen", p->letter, p->shown);
    lore_err_hint(err, "%s",
        p->launched.other_library ? "another injection library is set in the environment"
        : message                 ? message
        : t->n_processes > 0      ? "it ran and launched no kernel"
                                  : "it loads no GPU library");
    return status;
}

static bool
same_kernel(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return lore_streq(a->symbol, b->symbol) &&
           memcmp(a->shape.grid, b->shape.grid, sizeof a->shape.grid) == 0 &&
           memcmp(a->shape.block, b->shape.block, sizeof a->shape.block) == 0;
}

/* The first launch includes loading the kernel; leave it out if at least two others remain. */
static double
group_median(const struct lore_trace_group *g, struct lore_arena *arena)
{
    double *v = lore_alloc_array(arena, g->n_samples + 1, sizeof *v);
    size_t n = 0;

    for (size_t i = 0; i < g->n_samples; i++) {
        if (g->samples[i].index > 0 || g->n_samples < 3)
            v[n++] = (double)g->samples[i].dur_ns;
    }
    return n > 0 ? lore_trend_median(v, n, arena) : 0;
}

/* The time of P's iteration as a sum of T's medians; 0 when one of its kernels is not in T. */
static double
sum_of_medians(
    const struct lore_abba_program *p, const struct lore_trace *t, struct lore_arena *arena)
{
    double sum = 0;

    for (size_t i = 0; i < p->like.n_groups; i++) {
        const struct lore_trace_group *want = p->like.groups[i], *found = NULL;
        for (size_t k = 0; k < t->n_groups && !found; k++)
            found = same_kernel(want, &t->groups[k]) ? &t->groups[k] : NULL;
        double median = found ? group_median(found, arena) : 0;
        if (median <= 0)
            return 0;
        sum += median * (double)want->launches / (double)p->like.iterations;
    }
    return sum;
}

static double
median_of(const struct lore_measure *m, struct lore_arena *arena)
{
    double *v = lore_alloc_array(arena, m->n + 1, sizeof *v);

    for (size_t i = 0; i < m->n; i++)
        v[i] = (double)m->samples[i];
    return m->n > 0 ? lore_trend_median(v, m->n, arena) : 0;
}

static bool
same_structure(const struct lore_measure *a, const struct lore_measure *b)
{
    return a->n_groups == b->n_groups && a->per_iteration == b->per_iteration &&
           a->reservoir == b->reservoir;
}

enum lore_status
lore_abba_time(struct lore_abba_program *p, const struct lore_trace *t, bool keep,
    struct lore_arena *arena, struct lore_abba_process *out, struct lore_err *err)
{
    const struct lore_cap_loss *l = &t->loss;
    struct lore_measure m;
    enum lore_status status = lore_measure_all(t, &p->what, arena, &m, err);

    if (status != LORE_OK)
        return status;
    if (m.n_groups == 0)
        return no_launches(p, t, err);
    out->iterations = m.iterations;
    out->launches = m.launches;
    out->lost = l->dropped + l->bad + l->no_memory + l->write_failed;
    out->time_ns = median_of(&m, arena);
    if (keep) {
        p->like = m;
    } else if (out->lost > 0 || !same_structure(&m, &p->like)) {
        double sum = sum_of_medians(p, t, arena);
        p->patched++;
        out->time_ns = sum > 0 ? sum : out->time_ns;
    }
    if (out->time_ns > 0)
        return LORE_OK;
    return lore_fail_at(err, LORE_INVALID, "no_launches", "",
        "%s (%.140s): its kernels took no time", p->letter, p->shown);
}

static enum lore_status
check_end(const struct lore_abba_program *p, size_t nth, const struct lore_launch_result *l,
    struct lore_err *err)
{
    char which[48] = "its first run", how[48];

    if (l->exit_status == 0)
        return LORE_OK;
    if (nth > 0)
        (void)snprintf(which, sizeof which, "run %zu", nth + 1);
    if (l->signal)
        (void)snprintf(how, sizeof how, "was killed by signal %d", l->signal);
    else
        (void)snprintf(how, sizeof how, "ended with status %d", l->exit_status);
    enum lore_status status = lore_fail_at(err, LORE_INVALID, "program_failed", "",
        "%s (%.140s) %s in %s", p->letter, p->shown, how, which);
    lore_err_hint(err, "--show-output shows what it prints");
    return status;
}

static enum lore_status
run(const struct lore_abba_programs *all, const struct lore_abba_program *p, const char *dir,
    struct lore_launch_result *launched, struct lore_err *err)
{
    struct lore_launch l = {.argv = p->argv,
        .capture.dir = dir,
        .capture.backend = all->backend,
        .quiet = !all->show_output};

    return lore_launch_run(&l, launched, err);
}

enum lore_status
lore_abba_process_measure(
    void *ctx, unsigned side, size_t nth, struct lore_abba_process *out, struct lore_err *err)
{
    struct lore_abba_programs *all = ctx;
    struct lore_abba_program *p = &all->of[side];
    struct lore_arena own = {0}, *arena = nth == 0 ? all->arena : &own;
    struct lore_rundir dir = {0};
    struct lore_launch_result launched = {0};
    struct lore_trace trace = {0};

    enum lore_status status = lore_rundir_make(&own, &dir, err);
    if (status != LORE_OK) {
        lore_arena_free(&own);
        return status;
    }
    status = run(all, p, dir.path, &launched, err);
    if (nth == 0)
        p->launched = launched;
    if (status == LORE_OK)
        status = check_end(p, nth, &launched, err);
    if (status == LORE_OK)
        status = lore_trace_read(dir.path, LORE_TRACE_SAMPLES, arena, &trace, err);
    if (nth == 0)
        p->trace = trace;
    if (status == LORE_OK)
        status = lore_abba_time(p, nth == 0 ? &p->trace : &trace, nth == 0, arena, out, err);
    out->wall_us = launched.wall_us;
    lore_rundir_remove(&dir);
    lore_arena_free(&own);
    return status;
}
