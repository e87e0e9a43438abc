/* Joins counters of the second run to kernels of the first by name, grid, block and dynamic shared
 * memory. A requested metric without a value gets the reason, never a zero. Also turns the capture
 * library's states into sentences. */
#include <stdlib.h>
#include <string.h>

#include "collectors/run/collect_parts.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { METRIC_NAME_MAX = 200, PROBLEM_MAX = 2000 };

static bool
same_launch(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return lore_streq(a->symbol, b->symbol) &&
           memcmp(a->shape.grid, b->shape.grid, sizeof a->shape.grid) == 0 &&
           memcmp(a->shape.block, b->shape.block, sizeof a->shape.block) == 0 &&
           a->shape.dynamic_shared_bytes == b->shape.dynamic_shared_bytes;
}

static const struct lore_trace_group *
counted_group(const struct lore_trace *counters, const struct lore_trace_group *g)
{
    for (size_t i = 0; i < counters->n_groups; i++)
        if (same_launch(&counters->groups[i], g) && counters->groups[i].metrics.n > 0 &&
            lore_streq(counters->groups[i].range, g->range))
            return &counters->groups[i];
    return NULL;
}

/* A damaged capture may contain any text as a metric's name. */
static bool
is_name(const char *name)
{
    return *name && strlen(name) <= METRIC_NAME_MAX;
}

static bool
has_metric(const struct lore_metrics *m, const char *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->v[i].name, name) == 0)
            return true;
    return false;
}

/* Why NAME has no value. */
static enum lore_missing
why_missing(const struct lore_trace *t, const char *name)
{
    enum lore_missing why = LORE_MISS_NOT_COLLECTED;

    for (size_t i = 0; i < t->n_states; i++) {
        const struct lore_trace_state *s = &t->states[i];
        if (s->code == LORE_CAP_COUNTER_UNKNOWN && lore_streq(s->text, name))
            return LORE_MISS_COUNTER_UNSUPPORTED;
        if (s->code == LORE_CAP_PERMISSION)
            why = LORE_MISS_PERMISSION_DENIED;
        else if (s->code == LORE_CAP_VENDOR_MISSING || s->code == LORE_CAP_VENDOR_TOO_OLD)
            why = LORE_MISS_TOOL_UNAVAILABLE;
    }
    bool lost = t->loss.dropped || t->loss.bad || t->loss.no_memory || t->loss.write_failed;
    return why == LORE_MISS_NOT_COLLECTED && lost ? LORE_MISS_LOST : why;
}

static void
add_missing(struct lore_collecting *b, struct lore_run *run, const char *name)
{
    if (has_metric(&run->metrics, name))
        return;
    struct lore_metric *m = LORE_PUSH(b->arena, run->metrics.v, run->metrics.n, run->metrics.cap);
    m->name = name;
    m->missing = why_missing(&b->c->counters, name);
}

static int
by_duration(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* How long the counted launches took, over the median of the timed ones. Shares of elapsed time
 * hold for the timed launches only when this is near 1. */
static void
put_speed(struct lore_collecting *b, struct lore_run *run, const struct lore_trace_group *timed,
    const struct lore_trace_group *counted)
{
    int64_t *dur = lore_alloc_array(b->arena, timed->n_samples + 1, sizeof *dur);
    int64_t median;

    for (size_t i = 0; i < timed->n_samples; i++)
        dur[i] = timed->samples[i].dur_ns;
    qsort(dur, timed->n_samples, sizeof *dur, by_duration);
    median = dur[timed->n_samples / 2];
    for (size_t i = 0; i < counted->metrics.n && median > 0; i++) {
        const struct lore_metric *m = &counted->metrics.v[i];

        if (m->missing == LORE_MISS_NONE && lore_streq(m->name, "gpu__time_duration.sum"))
            lore_kvs_set(b->arena, &run->method, "counted_over_timed",
                lore_format(b->arena, "%.4f", m->value / (double)median));
    }
}

/* What the library says of a kernel without counting: registers, occupancy. It is known, not
 * measured, so it has no number of launches. */
static void
add_facts(struct lore_collecting *b, struct lore_run *run, const struct lore_trace_group *g)
{
    for (size_t i = 0; i < g->metrics.n; i++) {
        if (!is_name(g->metrics.v[i].name) || has_metric(&run->metrics, g->metrics.v[i].name))
            continue;
        struct lore_metric *m =
            LORE_PUSH(b->arena, run->metrics.v, run->metrics.n, run->metrics.cap);
        *m = g->metrics.v[i];
        m->n.set = false;
    }
}

void
lore_collect_metrics(
    struct lore_collecting *b, struct lore_run *run, const struct lore_trace_group *g)
{
    const char *asked = b->c->counters_asked;
    const struct lore_trace_group *counted = counted_group(&b->c->counters, g);

    if (counted && g->n_samples > 0)
        put_speed(b, run, g, counted);
    for (size_t i = 0; counted && i < counted->metrics.n; i++)
        if (is_name(counted->metrics.v[i].name))
            *LORE_PUSH(b->arena, run->metrics.v, run->metrics.n, run->metrics.cap) =
                counted->metrics.v[i];
    add_facts(b, run, g);
    if (asked && !counted && g->shape.api == LORE_CAP_API_GRAPH)
        lore_collect_text(b->arena, &run->method, "not_counted",
            "it is launched by CUDA graphs, whose kernels are not counted one by one");
    while (asked && *asked) {
        size_t n = strcspn(asked, ",");
        const char *name = lore_strndup(b->arena, asked, n);
        if (is_name(name) && !lore_choice("none|basic|full", name))
            add_missing(b, run, name);
        asked += n + (asked[n] == ',');
    }
}

/* ---- problems ---- */

static const char *
state_words(struct lore_arena *arena, const struct lore_trace_state *s)
{
    const char *text = s->text ? s->text : "";
    const char *colon = *text ? ": " : "";

    switch (s->code) {
    case LORE_CAP_OTHER_PROFILER:
        return lore_format(
            arena, "another profiler was attached, nothing was watched%s%s", colon, text);
    case LORE_CAP_REPLACED:
        return lore_format(arena, "another profiler took over during the run%s%s", colon, text);
    case LORE_CAP_VENDOR_TOO_OLD:
        return lore_format(
            arena, "the driver or its profiling library is too old%s%s", colon, text);
    case LORE_CAP_VENDOR_MISSING:
        return lore_format(arena, "the vendor's profiling library was not found%s%s", colon, text);
    case LORE_CAP_VENDOR_ERROR:
        return lore_format(arena, "the vendor's profiling library refused%s%s", colon, text);
    case LORE_CAP_PERMISSION:
        return lore_format(arena, "counters are not permitted%s%s", colon, text);
    case LORE_CAP_COUNTER_PARTIAL:
        if (s->b == 0)
            return lore_format(arena, "counters: %s", *text ? text : "not all were counted");
        return lore_format(arena, "%llu of %llu counter passes were made%s%s",
            (unsigned long long)s->a, (unsigned long long)s->b, colon, text);
    case LORE_CAP_COUNTER_UNCLEAN:
        return *text ? lore_format(arena, "the L2 was not cleaned before counter passes: %s", text)
                     : NULL; /* as asked */
    case LORE_CAP_RANGES_REFUSED:
        return lore_format(arena, "the launches in NVTX ranges are not known%s%s", colon, text);
    case LORE_CAP_CODE_LEFT_OUT:
        return lore_format(arena,
            "the machine code of %llu loaded modules (%llu bytes) was not kept",
            (unsigned long long)s->a, (unsigned long long)s->b);
    default: /* unknown counters appear as the reason of their metric instead, because there may be
                many */
        return NULL;
    }
}

static void
add_once(struct lore_arena *arena, struct lore_texts *out, const char *text)
{
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->v[i], text) == 0)
            return;
    if (out->n < 32)
        lore_build_text(arena, out,
            lore_strndup(arena, text, lore_utf8_prefix(text, strnlen(text, PROBLEM_MAX))));
}

/* Ranges that came to nothing: a program's author expects them in the record. */
static void
add_ranges(const struct lore_trace *t, struct lore_arena *arena, struct lore_texts *out)
{
    unsigned long long telling = 0;

    for (size_t i = 0; i < t->n_groups; i++)
        if (t->groups[i].range)
            return;
    for (size_t i = 0; i < t->n_states; i++)
        telling += t->states[i].code == LORE_CAP_RANGES_SEEN ? t->states[i].b : 0;
    if (telling > 0 && t->n_groups > 0)
        add_once(arena, out,
            lore_format(
                arena, "%llu ranges say what is computed, and no launch was in one", telling));
}

static void
add_trace(const struct lore_trace *t, struct lore_arena *arena, struct lore_texts *out,
    enum lore_cap_state_code *first)
{
    for (size_t i = 0; i < t->n_states; i++) {
        const char *words = state_words(arena, &t->states[i]);
        if (!words)
            continue;
        add_once(arena, out, words);
        if (first && !*first)
            *first = t->states[i].code;
    }
    for (size_t i = 0; i < t->problems.n; i++)
        add_once(arena, out, t->problems.v[i]);
}

void
lore_collect_problems(const struct lore_observations *c, struct lore_arena *arena,
    struct lore_texts *out, enum lore_cap_state_code *first)
{
    *first = (enum lore_cap_state_code)0;
    if (c->app.other_library)
        add_once(arena, out,
            lore_format(arena,
                "another profiler's library was already there (%s): nothing was watched",
                lore_build_basename(c->app.other_library)));
    add_trace(&c->trace, arena, out, first);
    add_ranges(&c->trace, arena, out);
    add_trace(&c->counters, arena, out, NULL);
}
