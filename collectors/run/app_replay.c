/* Runs a whole program once per counter pass. The first pass tells how many there are: the
 * capture library reports how many it made and how many it needs. */
#include "collectors/run/app_replay.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/run/metric_sets.h"
#include "collectors/run/trace_counters.h"
#include "collectors/run/trace_read.h"
#include "service/base/text.h"

static uint64_t
passes_needed(const struct lore_trace *t)
{
    uint64_t most = 1;

    for (size_t i = 0; i < t->n_states; i++) {
        if (t->states[i].code == LORE_CAP_COUNTER_PARTIAL && t->states[i].b > most)
            most = t->states[i].b;
    }
    return most < LORE_REPLAY_MOST_PASSES ? most : LORE_REPLAY_MOST_PASSES;
}

/* Drop the library's "1 of 5" states once all passes were made. */
static void
drop_partial(struct lore_trace *t, uint64_t made)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->n_states; i++) {
        if (t->states[i].code != LORE_CAP_COUNTER_PARTIAL || t->states[i].b > made ||
            t->states[i].b == 0)
            t->states[kept++] = t->states[i];
    }
    t->n_states = kept;
}

/* --- joining --- */

static int
by_kernel(const void *a, const void *b)
{
    const struct lore_trace_group *x = a, *y = b;
    struct lore_cap_shape s = x->shape, t = y->shape;
    int c = strcmp(x->symbol, y->symbol);

    s.id = t.id = s.name = t.name = 0; /* numbers of one process */
    return c ? c : memcmp(&s, &t, sizeof s);
}

static int
by_total(const void *a, const void *b)
{
    const struct lore_trace_group *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return by_kernel(a, b);
}

void
lore_trace_join(struct lore_trace *t, struct lore_arena *arena)
{
    size_t kept = 0;

    if (t->n_groups < 2)
        return;
    qsort(t->groups, t->n_groups, sizeof *t->groups, by_kernel);
    for (size_t i = 1; i < t->n_groups; i++) {
        struct lore_trace_group *g = &t->groups[kept], *next = &t->groups[i];
        if (by_kernel(g, next) != 0) {
            t->groups[++kept] = *next;
            continue;
        }
        lore_trace_counters_join(g, next, arena);
    }
    t->n_groups = kept + 1;
    qsort(t->groups, t->n_groups, sizeof *t->groups, by_total);
}

/* --- running --- */

/* Select the metrics in NAMES that do not depend on the moment at which counting begins. A pass of
 * a whole program marks the range that it counts, and the mark is set some 45 us before the kernel.
 * Metrics relative to elapsed time would be far too small for a short kernel, and nothing would
 * show it. */
static const char *
countable(const char *names, struct lore_arena *arena, size_t *left_out)
{
    const char *kept = "";

    for (*left_out = 0; *names;) {
        size_t n = strcspn(names, ",");
        const char *name = lore_strndup(arena, names, n);
        names += n + (names[n] == ',');
        if (lore_metric_sets_is_elapsed(name))
            ++*left_out;
        else
            kept = lore_format(arena, "%s%s%s", kept, *kept ? "," : "", name);
    }
    return kept;
}

static void
say_left_out(struct lore_trace *t, struct lore_arena *arena, size_t n)
{
    if (n > 0)
        *LORE_PUSH(arena, t->states, t->n_states, t->cap_states) =
            (struct lore_trace_state){.code = LORE_CAP_COUNTER_PARTIAL,
                .text = lore_format(arena,
                    "%zu metric%s relative to elapsed time %s left out: with --replay app the time "
                    "begins before the kernel",
                    n, n == 1 ? "" : "s", n == 1 ? "is" : "are")};
}

static enum lore_status
one_pass(const struct lore_launch *l, uint64_t pass, struct lore_arena *arena,
    struct lore_launch_result *launched, struct lore_err *err)
{
    struct lore_launch one = *l;

    one.capture.replay = lore_format(arena, "app:%llu", (unsigned long long)pass);
    return lore_launch_run(&one, launched, err);
}

/* Every pass that L's counters need, each an execution of the program. */
static enum lore_status
all_passes(const struct lore_launch *l, struct lore_arena *arena, struct lore_trace *out,
    struct lore_launch_result *launched, struct lore_err *err)
{
    uint64_t passes, made = 1;
    enum lore_status status = one_pass(l, 0, arena, launched, err);

    if (status == LORE_OK)
        status = lore_trace_read(l->capture.dir, 0, arena, out, err);
    if (status != LORE_OK)
        return status;
    for (passes = passes_needed(out); made < passes && status == LORE_OK; made++)
        status = one_pass(l, made, arena, launched, err);
    if (status == LORE_OK)
        status = lore_trace_read(l->capture.dir, 0, arena, out, err);
    if (status != LORE_OK)
        return status;
    drop_partial(out, made);
    lore_trace_join(out, arena);
    return LORE_OK;
}

enum lore_status
lore_app_replay(const struct lore_launch *l, bool app, struct lore_arena *arena,
    struct lore_trace *out, struct lore_launch_result *launched, struct lore_err *err)
{
    struct lore_launch some = *l;
    enum lore_status status;
    size_t left_out = 0;

    if (!app) {
        status = lore_launch_run(l, launched, err);
        /* a counter pass records no durations: the first run has them */
        return status == LORE_OK ? lore_trace_read(l->capture.dir, 0, arena, out, err) : status;
    }
    memset(launched, 0, sizeof *launched);
    some.capture.counters = countable(l->capture.counters, arena, &left_out);
    status = *some.capture.counters ? all_passes(&some, arena, out, launched, err) : LORE_OK;
    say_left_out(out, arena, left_out);
    return status;
}
