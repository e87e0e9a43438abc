/* Sorts launches into groups of one kernel and one launch shape. Up to the cap every launch becomes
 * a sample; beyond it, reservoir sampling (algorithm R) with a fixed seed gives the same samples
 * for the same file. Sums include every launch. */
#include <stdlib.h>
#include <string.h>

#include "collectors/run/trace_counters.h"
#include "collectors/run/trace_file.h"
#include "service/base/text.h"
#include "service/wire/fields.h"

/* 104 days, the longest time that a document may state: a longer kernel is a record that was not
 * filled in. */
static const uint64_t longest_ns = (uint64_t)LORE_MAX_NS;

struct lore_trace_shape *
lore_trace_shape_find(struct lore_trace_file *f, uint32_t id)
{
    int64_t at = lore_trace_ids_find(&f->shape_ids, id);
    return at < 0 ? NULL : &f->shapes[at];
}

static bool
may_add_group(struct lore_trace_file *f, size_t at)
{
    struct lore_trace *t = f->trace;
    /* both arrays may double */
    size_t more = (t->n_groups + 8) * (2 * sizeof *t->groups + 2 * sizeof *f->shapes + 64);

    if (t->n_groups < LORE_TRACE_MOST_GROUPS && lore_trace_has_room(f, more))
        return true;
    lore_trace_complain(f, LORE_TRACE_NO_ROOM, "more kernels and launch shapes than are kept", at);
    return false;
}

static const char *
range_text(struct lore_trace_file *f, uint32_t range)
{
    const struct lore_trace_text *t = range != 0 ? lore_trace_name(f, range) : NULL;

    return t ? t->text : NULL;
}

void
lore_trace_take_shape(struct lore_trace_file *f, const struct lore_cap_shape *s, size_t at)
{
    struct lore_trace *t = f->trace;

    if (s->id == 0 || lore_trace_shape_find(f, s->id)) {
        lore_trace_complain(f, LORE_TRACE_BAD_SHAPE, "a launch shape's id is not new", at);
        return;
    }
    if (!may_add_group(f, at))
        return;
    struct lore_trace_text *name = lore_trace_name(f, s->name);
    if (!name)
        lore_trace_complain(f, LORE_TRACE_BAD_SHAPE, "a kernel's name is not in the file", at);
    if (name && !name->readable)
        name->readable = lore_trace_readable(f->arena, name->text);
    lore_trace_ids_put(&f->shape_ids, f->arena, s->id, f->n_shapes);
    *LORE_PUSH(f->arena, f->shapes, f->n_shapes, f->cap_shapes) =
        (struct lore_trace_shape){.group = t->n_groups,
            .random = 0x9e3779b97f4a7c15u ^ ((uint64_t)s->id << 32),
            .first_start = UINT64_MAX};
    *LORE_PUSH(f->arena, t->groups, t->n_groups, t->cap_groups) = (struct lore_trace_group){
        .symbol = name ? name->text : "(name lost)",
        .name = name ? name->readable : "(name lost)",
        .range = range_text(f, s->range),
        .shape = *s,
        .pid = f->process->pid,
    };
}

/* --- launches --- */

/* xorshift64*: the same numbers everywhere, which rand() does not promise. */
static uint64_t
random_below(uint64_t *state, uint64_t n)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint64_t)(((unsigned __int128)(*state * 0x2545f4914f6cdd1du) * n) >> 64);
}

/* The shape S of the launches in RANGE: one with a group of its own. S itself when the text is not
 * in the file, or there are too many. */
static struct lore_trace_shape *
in_range(
    struct lore_trace_file *f, struct lore_trace_shape *s, uint32_t id, uint32_t range, size_t at)
{
    struct lore_trace *t = f->trace;
    const uint64_t key = (uint64_t)range << 32 | id;
    int64_t known = lore_trace_ids_find(&f->ranged, key);
    const char *text = range_text(f, range);
    struct lore_trace_group group;

    if (known >= 0)
        return &f->shapes[known];
    if (!text || f->ranged.n == LORE_TRACE_MOST_RANGED || !may_add_group(f, at)) {
        lore_trace_complain(f, LORE_TRACE_BAD_RANGE,
            text ? "more ranges than are kept; further launches belong to none"
                 : "a range whose text is not in the file",
            at);
        return s;
    }
    s->apart = true;
    group = (struct lore_trace_group){.symbol = t->groups[s->group].symbol,
        .name = t->groups[s->group].name,
        .range = text,
        .shape = t->groups[s->group].shape,
        .pid = f->process->pid};
    lore_trace_ids_put(&f->ranged, f->arena, key, f->n_shapes);
    *LORE_PUSH(f->arena, f->shapes, f->n_shapes, f->cap_shapes) = (struct lore_trace_shape){
        .group = t->n_groups, .random = 0x9e3779b97f4a7c15u ^ key, .first_start = UINT64_MAX};
    *LORE_PUSH(f->arena, t->groups, t->n_groups, t->cap_groups) = group;
    return &f->shapes[f->n_shapes - 1];
}

/* The slot for the launch that comes after N others, or NULL when it does not become a sample. */
static struct lore_trace_sample *
slot(struct lore_trace_file *f, struct lore_trace_shape *s, struct lore_trace_group *g, uint64_t n)
{
    size_t need = 2 * (s->cap_samples + 8) * sizeof *g->samples;

    if (!s->full && g->n_samples < f->samples &&
        (g->n_samples < s->cap_samples || lore_trace_has_room(f, need)))
        return LORE_PUSH(f->arena, g->samples, g->n_samples, s->cap_samples);
    s->full = true; /* never grow again: otherwise late launches would be over-represented */
    g->sampled = true;
    uint64_t i = random_below(&s->random, n + 1);
    return i < g->n_samples ? &g->samples[i] : NULL;
}

static void
note_stream(struct lore_trace_file *f, struct lore_trace_shape *s, uint32_t stream)
{
    size_t low = 0, high = s->n_streams;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->streams[mid] == stream)
            return;
        if (s->streams[mid] < stream)
            low = mid + 1;
        else
            high = mid;
    }
    if (s->n_streams == LORE_TRACE_MOST_STREAMS || !lore_trace_has_room(f, 16 * (s->n_streams + 8)))
        return;
    (void)LORE_PUSH(f->arena, s->streams, s->n_streams, s->cap_streams);
    memmove(s->streams + low + 1, s->streams + low, (s->n_streams - 1 - low) * sizeof *s->streams);
    s->streams[low] = stream;
}

void
lore_trace_take_launch(
    struct lore_trace_file *f, const struct lore_cap_launch *l, uint32_t range, size_t at)
{
    struct lore_trace_shape *s = lore_trace_shape_find(f, l->shape);

    if (!s || l->dur_ns > longest_ns || l->start_ns > INT64_MAX) {
        f->lost_here++;
        lore_trace_complain(f, LORE_TRACE_BAD_LAUNCH,
            s ? "a launch without usable times" : "a launch of a shape that is not in the file",
            at);
        return;
    }
    if (range != 0)
        s = in_range(f, s, l->shape, range, at);
    struct lore_trace_group *g = &f->trace->groups[s->group];
    int64_t dur = (int64_t)l->dur_ns;
    struct lore_trace_sample *keep = slot(f, s, g, g->launches);
    if (keep)
        *keep = (struct lore_trace_sample){g->launches, l->start_ns, dur};
    if (g->launches == 0 || dur < g->min_ns)
        g->min_ns = dur;
    if (dur > g->max_ns)
        g->max_ns = dur;
    if (__builtin_add_overflow(g->total_ns, dur, &g->total_ns))
        g->total_ns = INT64_MAX;
    if (l->start_ns < s->first_start) {
        s->first_start = l->start_ns;
        g->first_ns = dur;
    }
    note_stream(f, s, l->stream);
    g->launches++;
    f->process->launches++;
    if (__builtin_add_overflow(f->process->total_ns, dur, &f->process->total_ns))
        f->process->total_ns = INT64_MAX;
    lore_trace_busy_add(&f->busy, l->start_ns, l->start_ns + l->dur_ns);
}

/* --- the end of a file --- */

static int
by_start(const void *a, const void *b)
{
    const struct lore_trace_sample *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Remove the groups whose launches are all in those of ranges. */
static void
drop_empty(struct lore_trace_file *f)
{
    struct lore_trace *t = f->trace;
    size_t kept = t->n_groups - f->n_shapes; /* groups of other files */

    for (size_t i = 0; i < f->n_shapes; i++) {
        const struct lore_trace_group *g = &t->groups[f->shapes[i].group];
        if (!f->shapes[i].apart || g->launches > 0 || g->metrics.n > 0)
            t->groups[kept++] = *g;
    }
    t->n_groups = kept;
}

void
lore_trace_finish_groups(struct lore_trace_file *f)
{
    f->process->span_ns = (int64_t)(f->busy.last_ns - f->busy.first_ns);
    f->process->busy_ns = (int64_t)lore_trace_busy_ns(&f->busy);
    for (size_t i = 0; i < f->n_shapes; i++) {
        struct lore_trace_shape *s = &f->shapes[i];
        struct lore_trace_group *g = &f->trace->groups[s->group];

        if (g->n_samples > 1)
            qsort(g->samples, g->n_samples, sizeof *g->samples, by_start);
        g->streams = (uint32_t)s->n_streams;
        lore_trace_counters_sum_up(g, f->arena);
    }
    drop_empty(f);
}
