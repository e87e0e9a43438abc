/* Makes the profile of the accumulated launches: lines and shapes with the most time first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/launches_private.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/stats/stats.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

/* What a profile has room for. */
enum {
    LINES = 300,
    SHAPES = 512, /* of all lines */
    OF_A_LINE = 64,
    METRICS = 4000,         /* of a shape */
    METRIC_BYTES = 4 << 20, /* of all shapes, as JSON */
    NAME_KEPT = 2000,
    PROGRAM_NAME = 200,
};

struct making {
    struct lore_launches *l;
    struct lore_arena *arena;      /* of the record */
    struct lore_launched **shapes; /* by kernel, then longest first */
    size_t shapes_left, metric_bytes, lost_shapes, lost_metrics;
    bool spread; /* a metric differs between launches */
    const struct lore_program_profile *p;
};

static struct lore_i64
number(int64_t v)
{
    const int64_t most = INT64_C(1) << 53; /* exact in every JSON reader */

    return (struct lore_i64){true, v < most ? v : most};
}

static const char *
cut(struct lore_arena *arena, const char *name, size_t most)
{
    size_t n = strlen(name);

    return n <= most ? lore_strdup(arena, name)
                     : lore_format(arena, "%.*s…", (int)lore_utf8_prefix(name, most - 4), name);
}

/* ---- order ---- */

static int
by_kernel(const void *a, const void *b)
{
    const struct lore_launched *x = *(struct lore_launched *const *)a,
                               *y = *(struct lore_launched *const *)b;

    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return (x->launches < y->launches) - (x->launches > y->launches);
}

struct rank {
    const struct lore_launches_kernel *kernel;
    struct lore_launched **shapes;
    size_t n;
};

static int
by_total(const void *a, const void *b)
{
    const struct lore_launches_kernel *x = ((const struct rank *)a)->kernel,
                                      *y = ((const struct rank *)b)->kernel;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    if (x->launches != y->launches)
        return x->launches > y->launches ? -1 : 1;
    return strcmp(x->name, y->name); /* qsort is not stable */
}

/* ---- the median of several shapes ---- */

static struct lore_f64
median_of(struct lore_launched *const *shapes, size_t n_shapes)
{
    LORE_SCRATCH arena = {0};
    struct lore_stats_weighed *v = NULL;
    size_t n = 0, cap = 0;

    for (size_t k = 0; k < n_shapes; k++) {
        const struct lore_launched *s = shapes[k];
        double each = (double)s->launches / (double)(s->n_samples ? s->n_samples : 1);
        for (size_t j = 0; j < s->n_samples; j++)
            *LORE_PUSH(&arena, v, n, cap) = (struct lore_stats_weighed){s->samples[j], each};
        if (s->n_samples == 0 && s->timed == 1)
            *LORE_PUSH(&arena, v, n, cap) = (struct lore_stats_weighed){s->first_ns, 1};
    }
    return n > 0 ? (struct lore_f64){true, lore_stats_weighed_median_ns(v, n)}
                 : (struct lore_f64){0};
}

/* ---- a shape ---- */

/* The processes that launched one of the shapes. */
static struct lore_i64
processes_of(struct lore_launched *const *shapes, size_t n)
{
    int64_t count = 0;

    for (size_t i = 0; i < LORE_LAUNCHES_PROCESSES / 8; i++) {
        unsigned bits = 0;
        for (size_t k = 0; k < n; k++)
            bits |= shapes[k]->processes[i];
        count += __builtin_popcount(bits);
    }
    return (struct lore_i64){count > 0, count};
}

/* "132x8x1"; one number where only the product is known. */
static const char *
extent(struct lore_arena *arena, const int64_t v[3])
{
    const char *text = v[1] > 0 ? lore_format(arena, "%lldx%lldx%lld", (long long)v[0],
                                      (long long)v[1], (long long)(v[2] > 0 ? v[2] : 1))
                                : lore_format(arena, "%lld", (long long)v[0]);

    return lore_kvs_quote(arena, text);
}

/* Two metrics of one name in different units: the second one gets its unit into the name. */
static const char *
own_name(
    struct lore_arena *arena, const struct lore_metrics *m, const struct lore_launches_name *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (lore_streq(m->v[i].name, name->name))
            return lore_format(arena, "%s [%s]", name->name, name->unit ? name->unit : "no unit");
    return lore_strdup(arena, name->name);
}

static void
put_metric(struct making *m, const struct lore_launches_sum *sum, struct lore_metrics *out)
{
    const struct lore_launches_name *name = &m->l->names[sum->name];
    size_t bytes = strlen(name->name) + (sum->n > 1 ? 160 : 60);

    if (out->n == METRICS || m->metric_bytes + bytes > METRIC_BYTES) {
        m->lost_metrics++;
        return;
    }
    m->metric_bytes += bytes;
    struct lore_metric metric = {.name = own_name(m->arena, out, name),
        .unit = lore_strdup(m->arena, name->unit),
        .missing = sum->n == 0 ? sum->missing : LORE_MISS_NONE,
        .value = sum->mean};
    if (sum->n > 1)
        metric.n = (struct lore_i64){true, sum->n};
    if (sum->n > 1 && !sum->summed) {
        metric.std = (struct lore_f64){true, sqrt(sum->m2 / (double)(sum->n - 1))};
        metric.min = (struct lore_f64){true, sum->min};
        metric.max = (struct lore_f64){true, sum->max};
    }
    m->spread = m->spread || (sum->n > 1 && sum->min < sum->max);
    *LORE_PUSH(m->arena, out->v, out->n, out->cap) = metric;
}

static void
put_method(struct making *m, const struct lore_launched *s, struct lore_kvs *out)
{
    struct lore_arena *a = m->arena;

    lore_kvs_set(a, out, "launches", lore_format(a, "%lld", (long long)s->launches));
    lore_kvs_set(a, out, "launches_per_iteration", "1");
    lore_kvs_set(
        a, out, "samples_kept", lore_format(a, "%zu", s->counted ? (size_t)0 : s->n_samples));
    lore_kvs_set(a, out, "reservoir", s->stride > 1 ? "true" : "false");
    lore_kvs_set(a, out, "statistic", "\"median\"");
    if (s->counted)
        lore_kvs_set(a, out, "timed_while_counted", "true");
}

static void
put_shape(struct making *m, struct lore_launched *s, struct lore_profile_shape *out)
{
    struct lore_arena *a = m->arena;

    *out = (struct lore_profile_shape){.launches = number(s->launches),
        .total_ns = number(s->total_ns),
        .processes = processes_of(&s, 1),
        .median_ns = median_of(&s, 1),
        .chip = m->p->chip,
        .environment = m->p->environment};
    if (s->timed > 0) {
        out->min_ns = number(s->min_ns);
        out->max_ns = number(s->max_ns);
    }
    if (s->first_ns >= 0)
        out->first_ns = number(s->first_ns);
    if (s->grid[0] > 0)
        lore_kvs_set(a, &out->launch, "grid", extent(a, s->grid));
    if (s->block[0] > 0)
        lore_kvs_set(a, &out->launch, "block", extent(a, s->block));
    for (size_t i = 0; i < s->facts.n; i++)
        lore_kvs_set(a, &out->launch, lore_strdup(a, s->facts.v[i].key),
            lore_strdup(a, s->facts.v[i].value));
    if (s->device >= 0)
        lore_kvs_set(a, &out->launch, "device", lore_format(a, "%lld", (long long)s->device));
    put_method(m, s, &out->method);
    if (s->timed == 1 && !s->counted) { /* the only launch is the sample */
        out->samples_ns = lore_memdup(a, &s->first_ns, sizeof s->first_ns);
        out->n_samples = out->cap_samples = 1;
        out->first_ns.set = false;
    } else if (s->n_samples > 0 && !s->counted) {
        out->samples_ns = lore_memdup(a, s->samples, s->n_samples * sizeof *s->samples);
        out->n_samples = out->cap_samples = s->n_samples;
    }
    for (size_t i = 0; i < s->n_sums; i++)
        put_metric(m, &s->sums[i], &out->metrics);
}

static void
put_line(struct making *m, const struct rank *r, struct lore_profile_line *out)
{
    *out = (struct lore_profile_line){.kernel = cut(m->arena, r->kernel->name, NAME_KEPT),
        .symbol = r->kernel->symbol ? cut(m->arena, r->kernel->symbol, NAME_KEPT) : NULL,
        .launches = number(r->kernel->launches),
        .total_ns = number(r->kernel->total_ns),
        .processes = processes_of(r->shapes, r->n),
        .median_ns = median_of(r->shapes, r->n)};
    for (size_t i = 0; i < r->n; i++) {
        if (i == OF_A_LINE || m->shapes_left == 0) {
            m->lost_shapes += r->n - i;
            break;
        }
        m->shapes_left--;
        put_shape(
            m, r->shapes[i], LORE_PUSH(m->arena, out->shapes, out->n_shapes, out->cap_shapes));
    }
}

static void
put_lines(struct making *m, struct lore_program_profile *p)
{
    struct lore_launches *l = m->l;
    struct rank *ranks = lore_alloc_array(&l->arena, l->n_kernels + 1, sizeof *ranks);

    for (size_t i = 0; i < l->n_kernels; i++)
        ranks[i].kernel = &l->kernels[i];
    if (l->n_shapes > 1)
        qsort(l->shapes, l->n_shapes, sizeof(struct lore_launched *), by_kernel);
    for (size_t i = 0; i < l->n_shapes; i++) {
        struct rank *r = &ranks[l->shapes[i]->kernel];
        if (r->n++ == 0)
            r->shapes = &l->shapes[i];
    }
    qsort(ranks, l->n_kernels, sizeof *ranks, by_total);
    for (size_t i = 0; i < l->n_kernels && i < LINES; i++)
        put_line(m, &ranks[i], LORE_PUSH(m->arena, p->lines, p->n_lines, p->cap_lines));
    p->kernels = number((int64_t)l->n_kernels);
}

/* ---- processes ---- */

static int
by_start(const void *a, const void *b)
{
    const struct lore_launches_interval *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* Span and busy time of one process, whose intervals are V[0..N). */
static void
sweep(const struct lore_launches_interval *v, size_t n, int64_t *span, int64_t *busy)
{
    int64_t end = v[0].start, start = v[0].start;

    *busy = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i].end > end) {
            *busy += v[i].end - (v[i].start > end ? v[i].start : end);
            end = v[i].end;
        }
    }
    *span = end - start;
}

static const char *
device_name(struct making *m, int64_t device)
{
    for (size_t i = 0; i < m->l->n_devices; i++)
        if (m->l->devices[i].number == device)
            return cut(m->arena,
                lore_format(m->arena, "%s #%lld", m->l->devices[i].name, (long long)device),
                PROGRAM_NAME);
    return NULL;
}

static int
by_process_total(const void *a, const void *b)
{
    const struct lore_profile_process *x = a, *y = b;

    return (x->total_ns.v < y->total_ns.v) - (x->total_ns.v > y->total_ns.v);
}

static void
put_processes(struct making *m, struct lore_program_profile *p)
{
    struct lore_launches *l = m->l;
    double span = 0, busy = 0;

    if (l->n_intervals > 1)
        qsort(l->intervals, l->n_intervals, sizeof *l->intervals, by_start);
    for (size_t i = 0; i < l->n_processes; i++) {
        const struct lore_launches_process *from = &l->processes[i];
        struct lore_profile_process *to =
            LORE_PUSH(m->arena, p->processes, p->n_processes, p->cap_processes);
        *to = (struct lore_profile_process){.launches = number(from->launches),
            .total_ns = number(from->total_ns),
            .device = device_name(m, from->device)};
        size_t at = 0, n = 0;
        while (at < l->n_intervals && l->intervals[at].process != from->id)
            at++;
        while (at + n < l->n_intervals && l->intervals[at + n].process == from->id)
            n++;
        if (l->no_intervals || n == 0)
            continue;
        int64_t s, b;
        sweep(&l->intervals[at], n, &s, &b);
        to->span_ns = number(s);
        to->busy_ns = number(b);
        span += (double)s;
        busy += (double)b;
    }
    if (p->n_processes > 1)
        qsort(p->processes, p->n_processes, sizeof *p->processes, by_process_total);
    if (span > 0)
        p->idle_pct = (struct lore_f64){true, busy < span ? 100 * (1 - busy / span) : 0};
}

/* ---- the whole ---- */

static void
say_losses(struct making *m, const struct lore_program_profile *p)
{
    const struct lore_launches *l = m->l;
    const char *file = l->in->at ? l->in->at->path : l->in->unit;

    if (l->n_kernels > p->n_lines)
        lore_import_note(l->in, LORE_IL_EXTRA,
            "%s: the %zu kernels with the least time have no line of their own; they count in the "
            "totals",
            file, l->n_kernels - p->n_lines);
    if (m->lost_shapes > 0)
        lore_import_note(l->in, LORE_IL_EXTRA,
            "%s: %zu launch shapes with little time are only in the totals of their kernels", file,
            m->lost_shapes);
    if (l->unshaped > 0)
        lore_import_note(l->in, LORE_IL_EXTRA,
            "%s: more launch shapes than memory holds; %lld launches are only counted", file,
            (long long)l->unshaped);
    if (m->spread)
        lore_import_note(l->in, LORE_IL_EXTRA,
            "%s: metrics of several launches of a shape are kept as mean, spread, least and most",
            file);
    if (m->lost_metrics + (size_t)l->lost_metrics > 0)
        lore_import_note(l->in, LORE_IL_EXTRA,
            "%s: %zu metrics have no room in a profile, of the launch shapes with the least time",
            file, m->lost_metrics + (size_t)l->lost_metrics);
}

/* The id follows from the content, so that another file with the same launches is the same profile.
 */
static enum lore_status
identify(struct lore_import *in, struct lore_program_profile *p, struct lore_err *err)
{
    LORE_BUF text = {.max = 64u << 20};
    struct lore_submission doc = {.format = LORE_WIRE_VERSION, .profiles = p, .n_profiles = 1};
    char hex[LORE_HASH_HEX];

    p->provenance.system = p->tool; /* so that licence and redistribution are set */
    p->id = doc.id = "00000000000000000000000000";
    enum lore_status status = lore_build_encode(&doc, &text, err);
    if (status != LORE_OK)
        return status;
    lore_hash_hex(text.data, text.len, hex);
    p->id = lore_build_id(in->arena, 0, "profile|%s", hex);
    return LORE_OK;
}

enum lore_status
lore_launches_finish(struct lore_launches *l, struct lore_program_profile *p, struct lore_err *err)
{
    struct making m = {.l = l, .arena = l->in->arena, .shapes_left = SHAPES, .p = p};
    struct lore_submission *doc = l->in->doc;

    if (l->launches == 0 && l->n_copies == 0 && !p->extra)
        return lore_fail(err, LORE_INVALID, "it has no launch of a kernel");
    p->program = cut(m.arena, p->program && *p->program ? p->program : l->in->file, PROGRAM_NAME);
    p->launches = number(l->launches);
    p->total_ns = number(l->total_ns);
    put_lines(&m, p);
    put_processes(&m, p);
    for (size_t i = 0; i < l->n_copies; i++) {
        struct lore_profile_copy c = l->copies[i];
        c.kind = lore_strdup(m.arena, c.kind);
        *LORE_PUSH(m.arena, p->copies, p->n_copies, p->cap_copies) = c;
    }
    say_losses(&m, p);
    enum lore_status status = identify(l->in, p, err);
    if (status != LORE_OK)
        return status;
    *LORE_PUSH(m.arena, doc->profiles, doc->n_profiles, doc->cap_profiles) = *p;
    l->in->records++;
    return LORE_OK;
}
