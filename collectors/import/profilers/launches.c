/* Accumulates launches: shapes in a hash table, metrics of a shape by the number of their name,
 * durations in a sample that is thinned out evenly when it is full. Once the memory is full, what
 * is new is only counted. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/launches_private.h"
#include "collectors/import/profilers/profilers.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

/* ---- names and shapes ---- */

struct lore_launches *
lore_launches_begin(struct lore_import *in)
{
    struct lore_launches *l = lore_alloc(in->arena, sizeof *l);

    l->in = in;
    l->kernels_at = lore_alloc(&l->arena, sizeof *l->kernels_at);
    l->shapes_at = lore_alloc(&l->arena, sizeof *l->shapes_at);
    l->names_at = lore_alloc(&l->arena, sizeof *l->names_at);
    l->ids_at = lore_alloc(&l->arena, sizeof *l->ids_at);
    return l;
}

void
lore_launches_free(struct lore_launches *l)
{
    if (!l)
        return;
    lore_buf_free(&l->key);
    lore_arena_free(&l->arena);
}

size_t
lore_launches_count(const struct lore_launches *l)
{
    return (size_t)l->launches;
}

struct lore_launched *
lore_launches_shape(const struct lore_launches *l, size_t i)
{
    return i < l->n_shapes ? l->shapes[i] : NULL;
}

/* Whether nothing new may be kept. */
static bool
is_full(struct lore_launches *l)
{
    l->full = l->full || l->arena.used > LORE_LAUNCHES_MEMORY;
    return l->full;
}

/* The place of the text that FMT makes in INDEX; 0: it is new. NULL: it is new, and memory is full.
 */
static size_t *
place(struct lore_launches *l, struct lore_index *index, const char *fmt, ...) LORE_PRINTF(3, 4);

static size_t *
place(struct lore_launches *l, struct lore_index *index, const char *fmt, ...)
{
    char small[512];
    const char *key = small;
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof small) {
        lore_buf_reset(&l->key);
        key = lore_buf_reserve(&l->key, (size_t)(n < 0 ? 0 : n) + 1);
        if (n < 0 || !key)
            return NULL;
        va_start(ap, fmt);
        (void)vsnprintf(l->key.data, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    return is_full(l) ? lore_index_find(index, key) : lore_index_at(&l->arena, index, key);
}

/* The kernel of a launch; NULL: memory is full. */
static struct lore_launches_kernel *
kernel_of(struct lore_launches *l, const struct lore_launch_row *launch)
{
    const char *symbol = launch->symbol ? launch->symbol : "";
    size_t *at = place(l, l->kernels_at, "%s|%s", symbol, launch->kernel);

    if (!at)
        return NULL;
    if (*at == 0) {
        struct lore_launches_kernel *k =
            LORE_PUSH(&l->arena, l->kernels, l->n_kernels, l->cap_kernels);
        k->name = lore_strdup(&l->arena, launch->kernel);
        k->symbol = *symbol && !lore_streq(symbol, k->name) ? lore_strdup(&l->arena, symbol) : NULL;
        *at = l->n_kernels;
    }
    return &l->kernels[*at - 1];
}

static struct lore_launched *
shape_of(struct lore_launches *l, uint32_t kernel, const struct lore_launch_row *x)
{
    size_t *at = place(l, l->shapes_at, "%u|%lldx%lldx%lld|%lldx%lldx%lld|%lld", kernel,
        (long long)x->grid[0], (long long)x->grid[1], (long long)x->grid[2], (long long)x->block[0],
        (long long)x->block[1], (long long)x->block[2], (long long)x->device);

    if (!at)
        return NULL;
    if (*at == 0) {
        struct lore_launched *s = lore_alloc(&l->arena, sizeof *s);
        *LORE_PUSH(&l->arena, l->shapes, l->n_shapes, l->cap_shapes) = s;
        *at = s->number = l->n_shapes;
        memcpy(s->grid, x->grid, sizeof s->grid);
        memcpy(s->block, x->block, sizeof s->block);
        s->kernel = kernel;
        s->device = x->device;
        s->stride = 1;
        s->min_ns = INT64_MAX;
        s->first_ns = -1;
    }
    return l->shapes[*at - 1];
}

static int64_t
add_ns(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Keep every stride-th duration. When there is no room, drop every other one. */
static void
sample(struct lore_launched *s, int64_t ns)
{
    if (s->skipped++ % s->stride != 0)
        return;
    if (s->n_samples == LORE_LAUNCHES_SAMPLES) {
        for (size_t i = 0; i < LORE_LAUNCHES_SAMPLES / 2; i++)
            s->samples[i] = s->samples[2 * i];
        s->n_samples = LORE_LAUNCHES_SAMPLES / 2;
        s->stride *= 2;
        if ((s->skipped - 1) % s->stride != 0)
            return;
    }
    s->samples[s->n_samples++] = ns;
}

static void
time_it(struct lore_launches *l, struct lore_launched *s, const struct lore_launch_row *x)
{
    l->total_ns = add_ns(l->total_ns, x->dur_ns);
    if (!s)
        return;
    s->total_ns = add_ns(s->total_ns, x->dur_ns);
    s->min_ns = x->dur_ns < s->min_ns ? x->dur_ns : s->min_ns;
    s->max_ns = x->dur_ns > s->max_ns ? x->dur_ns : s->max_ns;
    if (s->timed++ == 0)
        s->first_ns = x->dur_ns;
    else
        sample(s, x->dur_ns);
}

static void
note_process(struct lore_launches *l, struct lore_launched *s, const struct lore_launch_row *x)
{
    size_t i = 0;

    while (i < l->n_processes && l->processes[i].id != x->process)
        i++;
    if (i == l->n_processes) {
        if (i == LORE_LAUNCHES_PROCESSES)
            return;
        *LORE_PUSH(&l->arena, l->processes, l->n_processes, l->cap_processes) =
            (struct lore_launches_process){.id = x->process, .device = x->device};
    }
    if (s)
        s->processes[i / 8] |= (uint8_t)(1u << i % 8);
    l->processes[i].launches++;
    if (x->dur_ns > 0)
        l->processes[i].total_ns = add_ns(l->processes[i].total_ns, x->dur_ns);
    l->no_intervals |= x->counted || x->dur_ns < 0 || x->start_ns < 0;
    if (l->no_intervals || l->n_intervals == LORE_LAUNCHES_INTERVALS || is_full(l))
        l->no_intervals = true;
    else
        *LORE_PUSH(&l->arena, l->intervals, l->n_intervals, l->cap_intervals) =
            (struct lore_launches_interval){
                x->process, x->start_ns, add_ns(x->start_ns, x->dur_ns)};
}

static int64_t
product(const int64_t extents[3])
{
    int64_t all = extents[0];

    for (size_t i = 1; i < 3; i++)
        if (extents[i] > 0 && __builtin_mul_overflow(all, extents[i], &all))
            return -1;
    return all;
}

/* Whether X is a launch of S, which another file may give with the product of its extents alone. */
static bool
is_of(const struct lore_launches *l, const struct lore_launched *s, const struct lore_launch_row *x)
{
    return lore_streq(l->kernels[s->kernel].name, x->kernel) &&
           (product(s->grid) == product(x->grid) || product(x->grid) == 0) &&
           (product(s->block) == product(x->block) || product(x->block) == 0);
}

/* The shape of launch ID that was added before; NULL: none. */
static struct lore_launched *
added_before(const struct lore_launches *l, int64_t process, int64_t id, int64_t *number)
{
    char key[64];

    (void)snprintf(key, sizeof key, "%lld|%lld", (long long)process, (long long)id);
    const size_t *at = lore_index_find(l->ids_at, key);
    size_t i = at ? *at & UINT32_MAX : 0;
    if (at)
        *number = (int64_t)(*at >> 32);
    return i > 0 ? l->shapes[i - 1] : NULL;
}

const char *
lore_launches_kernel_of(const struct lore_launches *l, int64_t process, int64_t id)
{
    int64_t number;
    const struct lore_launched *s = added_before(l, process, id, &number);

    return s ? l->kernels[s->kernel].name : NULL;
}

struct lore_launched *
lore_launches_add(struct lore_launches *l, const struct lore_launch_row *x)
{
    int64_t number = -1;
    struct lore_launched *s = x->id >= 0 ? added_before(l, x->process, x->id, &number) : NULL;

    if (s && is_of(l, s, x)) {
        l->current = number;
        return s;
    }
    struct lore_launches_kernel *k = kernel_of(l, x);
    s = k ? shape_of(l, (uint32_t)(k - l->kernels), x) : NULL;
    if (x->id >= 0) {
        size_t *seen = place(l, l->ids_at, "%lld|%lld", (long long)x->process, (long long)x->id);
        if (!seen || *seen) {
            l->current = seen ? (int64_t)(*seen >> 32) : -1;
            return s;
        }
        *seen = ((size_t)l->launches + 1) << 32 | (s ? s->number : 0);
    }
    l->current = ++l->launches;
    if (k)
        k->launches++;
    l->unshaped += !s;
    if (s) {
        s->launches++;
        s->counted = s->counted || x->counted;
    }
    if (x->dur_ns >= 0) {
        if (k)
            k->total_ns = add_ns(k->total_ns, x->dur_ns);
        time_it(l, s, x);
    }
    note_process(l, s, x);
    return s;
}

/* ---- metrics and facts ---- */

/* The sum of metric NAME in UNIT of S; NULL when there are too many names. */
static struct lore_launches_sum *
sum_of(struct lore_launches *l, struct lore_launched *s, const char *name, const char *unit)
{
    size_t *at = *name && strlen(name) <= LORE_LAUNCHES_NAME
                     ? place(l, l->names_at, "%s|%s", name, unit ? unit : "")
                     : NULL;

    if (!at || (s->n_sums == s->cap_sums && is_full(l)))
        return NULL;
    if (*at == 0) {
        *LORE_PUSH(&l->arena, l->names, l->n_names, l->cap_names) =
            (struct lore_launches_name){lore_strdup(&l->arena, name), lore_strdup(&l->arena, unit)};
        *at = l->n_names;
    }
    size_t number = *at - 1;
    if (number >= s->n_at) {
        size_t n = l->n_names + l->n_names / 2 + 16;
        uint32_t *wider = lore_alloc_array(&l->arena, n, sizeof *wider);
        if (s->n_at > 0)
            memcpy(wider, s->at, s->n_at * sizeof *wider);
        s->at = wider;
        s->n_at = n;
    }
    if (s->at[number] == 0) {
        *LORE_PUSH(&l->arena, s->sums, s->n_sums, s->cap_sums) =
            (struct lore_launches_sum){.name = (uint32_t)number};
        s->at[number] = (uint32_t)s->n_sums;
    }
    return &s->sums[s->at[number] - 1];
}

bool
lore_launched_metric(struct lore_launches *l, struct lore_launched *s, const char *name,
    const char *unit, double value)
{
    double v = lore_profiler_unit(value, &unit);
    struct lore_launches_sum *m = s && isfinite(v) ? sum_of(l, s, name, unit) : NULL;

    if (!m) {
        l->lost_metrics++;
        return true;
    }
    if (m->n > 0 && m->pass != l->pass)
        return !(v < m->min) && !(v > m->max) && !(m->min < m->max);
    if (m->n > 0 && m->launch == l->current && l->current > 0)
        return fabs(v - m->last) <= 1e-12 * fabs(v);
    m->pass = l->pass;
    double before = m->mean;
    m->launch = l->current;
    m->last = v;
    m->n++;
    m->missing = LORE_MISS_NONE;
    m->mean += (v - m->mean) / (double)m->n;
    m->m2 += (v - before) * (v - m->mean);
    m->min = m->n == 1 || v < m->min ? v : m->min;
    m->max = m->n == 1 || v > m->max ? v : m->max;
    return true;
}

void
lore_launches_pass(struct lore_launches *l)
{
    l->pass++;
}

void
lore_launches_time_by(struct lore_launches *l, const char *metric)
{
    for (size_t i = 0; i < l->n_shapes; i++) {
        struct lore_launched *s = l->shapes[i];
        for (size_t k = 0; k < s->n_sums && s->timed == 0; k++) {
            const struct lore_launches_sum *m = &s->sums[k];
            if (m->n == 0 || m->max > 9e15 || m->min < 0 ||
                !lore_streq(l->names[m->name].name, metric))
                continue;
            s->timed = m->n;
            s->total_ns = (int64_t)llround(m->mean * (double)m->n);
            s->min_ns = (int64_t)llround(m->min);
            s->max_ns = (int64_t)llround(m->max);
            s->first_ns = m->n == 1 ? s->total_ns : -1;
            l->kernels[s->kernel].total_ns = add_ns(l->kernels[s->kernel].total_ns, s->total_ns);
            l->total_ns = add_ns(l->total_ns, s->total_ns);
        }
    }
}

void
lore_launched_missing(
    struct lore_launches *l, struct lore_launched *s, const char *name, enum lore_missing why)
{
    struct lore_launches_sum *m = s ? sum_of(l, s, name, NULL) : NULL;

    if (m && m->n == 0)
        m->missing = why;
}

void
lore_launched_fact(
    struct lore_launches *l, struct lore_launched *s, const char *key, const char *json)
{
    if (s && json && s->facts.n < LORE_LAUNCHES_FACTS && !is_full(l) &&
        !lore_kvs_get(&s->facts, key))
        lore_kvs_set(
            &l->arena, &s->facts, lore_strdup(&l->arena, key), lore_strdup(&l->arena, json));
}

bool
lore_launched_mean(
    const struct lore_launches *l, const struct lore_launched *s, const char *name, double *out)
{
    for (size_t i = 0; i < s->n_sums; i++)
        if (s->sums[i].n > 0 && lore_streq(l->names[s->sums[i].name].name, name)) {
            *out = s->sums[i].mean;
            return true;
        }
    return false;
}

/* "TCC_HIT" of "TCC_HIT[3]"; 0: NAME has no number in brackets. */
static size_t
before_index(const char *name)
{
    size_t n = strcspn(name, "["), digits = name[n] ? strspn(name + n + 1, "0123456789") : 0;

    return digits > 0 && lore_streq(name + n + 1 + digits, "]") ? n : 0;
}

size_t
lore_launched_sums(struct lore_launches *l, struct lore_launched *s)
{
    size_t n = s->n_sums, added = 0;
    struct lore_index *sums = lore_alloc(&l->arena, sizeof *sums);
    struct lore_launches_sum *total;

    for (size_t i = 0; i < n; i++) {
        const struct lore_launches_sum part = s->sums[i];
        const char *name = l->names[part.name].name;
        size_t stem = before_index(name);
        double there;
        if (stem == 0 || part.n == 0)
            continue;
        const char *whole = lore_format(&l->arena, "%.*s_sum", (int)stem, name);
        size_t *known = lore_index_at(&l->arena, sums, whole);
        if (*known == 0)
            *known = lore_launched_mean(l, s, whole, &there) ? 1 : 2;
        if (*known == 1 || !(total = sum_of(l, s, whole, l->names[part.name].unit)))
            continue;
        added += total->n == 0;
        total->n = part.n;
        total->mean += part.mean;
        total->summed = true;
    }
    return added;
}

void
lore_launches_copy(struct lore_launches *l, const char *kind, int64_t n, int64_t bytes, int64_t ns)
{
    size_t i = 0;

    if (n <= 0)
        return;
    while (i < l->n_copies && !lore_streq(l->copies[i].kind, kind))
        i++;
    if (i == l->n_copies)
        *LORE_PUSH(&l->arena, l->copies, l->n_copies, l->cap_copies) =
            (struct lore_profile_copy){.kind = lore_strdup(&l->arena, kind)};
    struct lore_profile_copy *c = &l->copies[i];
    c->count = (struct lore_i64){true, add_ns(c->count.v, n)};
    if (bytes >= 0)
        c->bytes = (struct lore_i64){true, add_ns(c->bytes.v, bytes)};
    if (ns >= 0)
        c->total_ns = (struct lore_i64){true, add_ns(c->total_ns.v, ns)};
}

void
lore_launches_device(struct lore_launches *l, int64_t device, const char *name)
{
    for (size_t i = 0; i < l->n_devices; i++)
        if (l->devices[i].number == device)
            return;
    if (name && *name && l->n_devices < LORE_LAUNCHES_DEVICES)
        *LORE_PUSH(&l->arena, l->devices, l->n_devices, l->cap_devices) =
            (struct lore_launches_device){device, lore_strdup(&l->arena, name)};
}
