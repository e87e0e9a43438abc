/* Makes the profile of a program whose operator nobody named: one record with a line per kernel,
 * and below it its launch shapes. The launches of all processes are merged. A shape keeps what a
 * run needs, so that `warplore adopt` can make one of it; its samples are those of one process,
 * because samples of several processes have no common order. */
#include <stdlib.h>
#include <string.h>

#include "collectors/run/collect.h"
#include "collectors/run/collect_parts.h"
#include "collectors/run/command_filter.h"
#include "collectors/run/device_of.h"
#include "collectors/run/isa_shape.h"
#include "service/base/text.h"
#include "service/stats/stats.h"
#include "service/wire/build.h"

/* What the largest document holds; an agent sends 8 MiB. */
enum {
    LINES = 300,
    SHAPES = 512, /* of all lines */
    OF_A_LINE = 16,
    COUNTED = 64, /* shapes with counters and machine code */
    SAMPLES = 400,
    PROCESSES = 1024,
    NAME_KEPT = 2000,
    PROGRAM_NAME = 200,
};

/* Groups of one kernel, or of one kernel and launch shape: a part of the sorted list. */
struct part {
    const struct lore_trace_group **v;
    size_t n;
    int64_t total_ns;
    uint64_t launches;
};

static int64_t
add_ns(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static struct lore_i64
number(uint64_t v)
{
    const uint64_t most = UINT64_C(1) << 53; /* exact in every JSON reader */

    return (struct lore_i64){true, (int64_t)(v < most ? v : most)};
}

/* ---- order ---- */

/* A kernel that is compiled for several problem sizes has one name and grid, but uses other
 * resources in each: they tell its variants apart. */
static int
by_shape(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    const uint32_t uses[][2] = {{a->shape.dynamic_shared_bytes, b->shape.dynamic_shared_bytes},
        {a->shape.static_shared_bytes, b->shape.static_shared_bytes},
        {a->shape.registers, b->shape.registers},
        {a->shape.local_bytes_per_thread, b->shape.local_bytes_per_thread}};
    int c = memcmp(a->shape.grid, b->shape.grid, sizeof a->shape.grid);

    c = c ? c : memcmp(a->shape.block, b->shape.block, sizeof a->shape.block);
    c = c ? c : memcmp(a->shape.cluster, b->shape.cluster, sizeof a->shape.cluster);
    for (size_t i = 0; c == 0 && i < sizeof uses / sizeof *uses; i++)
        c = (uses[i][0] > uses[i][1]) - (uses[i][0] < uses[i][1]);
    return c ? c : strcmp(a->range ? a->range : "", b->range ? b->range : "");
}

static int
by_kernel(const void *x, const void *y)
{
    const struct lore_trace_group *a = *(const struct lore_trace_group *const *)x,
                                  *b = *(const struct lore_trace_group *const *)y;
    int c = strcmp(a->symbol, b->symbol);

    c = c ? c : by_shape(a, b);
    if (c == 0 && a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    return c ? c : (a->pid > b->pid) - (a->pid < b->pid);
}

static int
by_process(const void *x, const void *y)
{
    const struct lore_trace_group *a = *(const struct lore_trace_group *const *)x,
                                  *b = *(const struct lore_trace_group *const *)y;

    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    return (a->shape.device > b->shape.device) - (a->shape.device < b->shape.device);
}

static int
by_total(const void *x, const void *y)
{
    const struct part *a = x, *b = y;

    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    return strcmp(a->v[0]->symbol, b->v[0]->symbol); /* qsort is not stable */
}

/* Split P where neighbours differ, longest part first. */
static struct part *
split(struct lore_arena *arena, const struct part *p,
    bool (*same)(const struct lore_trace_group *, const struct lore_trace_group *), size_t *n)
{
    struct part *out = lore_alloc_array(arena, p->n + 1, sizeof *out);

    *n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (i == 0 || !same(p->v[i - 1], p->v[i]))
            out[(*n)++] = (struct part){.v = &p->v[i]};
        struct part *last = &out[*n - 1];
        last->n++;
        last->total_ns = add_ns(last->total_ns, p->v[i]->total_ns);
        last->launches += p->v[i]->launches;
    }
    qsort(out, *n, sizeof *out, by_total);
    return out;
}

static bool
same_kernel(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return strcmp(a->symbol, b->symbol) == 0;
}

static bool
same_shape(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return by_shape(a, b) == 0;
}

static bool
same_process(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return a->pid == b->pid;
}

static bool
same_device(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return by_process(&a, &b) == 0;
}

/* The groups of P by process, the busiest first. */
static struct part *
processes_of(struct lore_arena *arena, const struct part *p, size_t *n)
{
    struct part sorted = *p;

    sorted.v = lore_memdup(arena, p->v, p->n * sizeof *p->v);
    qsort(sorted.v, sorted.n, sizeof *sorted.v, by_process);
    return split(arena, &sorted, same_process, n);
}

/* ---- the median of several reservoirs ---- */

static struct lore_f64
median_of(const struct part *p)
{
    LORE_SCRATCH arena = {0};
    struct lore_stats_weighed *v = NULL;
    size_t n = 0, cap = 0;

    for (size_t k = 0; k < p->n; k++) {
        const struct lore_trace_group *g = p->v[k];
        for (size_t s = 0; s < g->n_samples; s++)
            if (g->samples[s].dur_ns >= 0)
                *LORE_PUSH(&arena, v, n, cap) = (struct lore_stats_weighed){
                    g->samples[s].dur_ns, (double)g->launches / (double)g->n_samples};
    }
    return n > 0 ? (struct lore_f64){true, lore_stats_weighed_median_ns(v, n)}
                 : (struct lore_f64){0};
}

/* ---- lines ---- */

static const char *
cut(struct lore_arena *arena, const char *name, size_t most)
{
    size_t n = strlen(name);

    return n <= most ? name
                     : lore_format(arena, "%.*s…", (int)lore_utf8_prefix(name, most - 4), name);
}

static void
put_extremes(const struct part *p, struct lore_profile_shape *s)
{
    int64_t min = INT64_MAX, max = 0;

    for (size_t i = 0; i < p->n; i++) {
        min = p->v[i]->min_ns < min ? p->v[i]->min_ns : min;
        max = p->v[i]->max_ns > max ? p->v[i]->max_ns : max;
    }
    s->min_ns = number((uint64_t)min);
    s->max_ns = number((uint64_t)max);
}

/* Shape number NTH of the profile. */
static void
put_shape(
    struct lore_collecting *b, const struct part *p, size_t nth, struct lore_profile_shape *out)
{
    const struct lore_trace_group *g = p->v[0]; /* of the process that spent the most time in it */
    struct lore_run run = {0};
    struct lore_kvs launch = {0};
    struct lore_measure m;
    size_t processes;

    lore_measure_one(g, &b->c->what, SAMPLES, b->arena, &m);
    lore_collect_device(b, &run, g);
    lore_collect_method_of_launches(b, &run.method, &m);
    lore_collect_launches(b, &m, &run);
    for (size_t i = 0; i < run.launch.n; i++) /* the line has the names */
        if (!lore_choice("kernel|symbol", run.launch.v[i].key))
            lore_kvs_set(b->arena, &launch, run.launch.v[i].key, run.launch.v[i].value);
    (void)processes_of(b->arena, p, &processes);
    *out = (struct lore_profile_shape){.launches = number(p->launches),
        .total_ns = number((uint64_t)p->total_ns),
        .processes = number(processes),
        .median_ns = median_of(p),
        .chip = run.chip,
        .environment = run.environment,
        .range = g->range,
        .launch = launch,
        .method = run.method,
        .samples_ns = run.samples_ns,
        .n_samples = run.n_samples,
        .cap_samples = run.n_samples,
        .first_ns = run.first_ns};
    put_extremes(p, out);
    if (nth >= COUNTED)
        return;
    out->metrics = run.metrics;
    if (lore_collect_kept_code(b->c) || b->isa.n_objects > 0) {
        const struct lore_isa_kernel kernel = lore_collect_isa_kernel(b, g);
        lore_isa_shape_put(&b->isa, &kernel, b->arena, out);
    }
}

static void
put_line(struct lore_collecting *b, const struct part *p, size_t *shapes_left,
    struct lore_profile_line *out)
{
    size_t n_processes, n;
    const struct part *processes = processes_of(b->arena, p, &n_processes);
    const struct part *shapes = split(b->arena, p, same_shape, &n);
    const struct lore_trace_group *g = p->v[0];

    *out = (struct lore_profile_line){
        .kernel = *g->name ? cut(b->arena, g->name, NAME_KEPT) : "(no name)",
        .symbol = lore_streq(g->symbol, g->name) ? NULL : cut(b->arena, g->symbol, NAME_KEPT),
        .launches = number(p->launches),
        .total_ns = number((uint64_t)p->total_ns),
        .processes = number(n_processes),
        .median_ns = median_of(p),
        .process_min_ns = number((uint64_t)processes[n_processes - 1].total_ns),
        .process_max_ns = number((uint64_t)processes[0].total_ns)};
    for (size_t i = 0; i < n && i<OF_A_LINE && * shapes_left> 0; i++, --*shapes_left)
        put_shape(b, &shapes[i], SHAPES - *shapes_left,
            LORE_PUSH(b->arena, out->shapes, out->n_shapes, out->cap_shapes));
}

/* ---- processes and copies ---- */

/* "NVIDIA H200 #1": of most of the time of process PID. */
static const char *
device_name(struct lore_collecting *b, const struct part *devices, size_t n, uint32_t pid)
{
    const struct lore_trace_group *g = NULL;

    for (size_t i = 0; i < n && !g; i++)
        if (devices[i].v[0]->pid == pid)
            g = devices[i].v[0];
    const struct lore_trace_device *d = g ? lore_device_of_group(&b->c->trace, g) : NULL;
    const struct lore_host_device *h = lore_device_of_host(b->c->host, d);
    if (!d || !d->name)
        return NULL;
    return cut(b->arena, /* the host's number: every process may call its own device 0 */
        lore_format(b->arena, "%s #%u", d->name, h ? h->ordinal : g->shape.device), PROGRAM_NAME);
}

static int
by_process_total(const void *a, const void *b)
{
    const struct lore_profile_process *x = a, *y = b;

    return (x->total_ns.v < y->total_ns.v) - (x->total_ns.v > y->total_ns.v);
}

static void
put_processes(struct lore_collecting *b, const struct part *all, struct lore_program_profile *p)
{
    const struct lore_trace *t = &b->c->trace;
    struct part sorted = *all;
    double span = 0, busy = 0;
    size_t n;

    sorted.v = lore_memdup(b->arena, all->v, all->n * sizeof *all->v);
    qsort(sorted.v, sorted.n, sizeof *sorted.v, by_process);
    const struct part *devices = split(b->arena, &sorted, same_device, &n);
    for (size_t i = 0; i < t->n_processes && p->n_processes < PROCESSES; i++) {
        const struct lore_trace_process *from = &t->processes[i];
        if (from->launches == 0)
            continue;
        *LORE_PUSH(b->arena, p->processes, p->n_processes, p->cap_processes) =
            (struct lore_profile_process){.launches = number(from->launches),
                .total_ns = number((uint64_t)from->total_ns),
                .span_ns = number((uint64_t)from->span_ns),
                .busy_ns = number((uint64_t)from->busy_ns),
                .device = device_name(b, devices, n, from->pid)};
        span += (double)from->span_ns;
        busy += (double)from->busy_ns;
    }
    if (p->n_processes > 1)
        qsort(p->processes, p->n_processes, sizeof *p->processes, by_process_total);
    if (span > 0)
        p->idle_pct = (struct lore_f64){true, busy < span ? 100 * (1 - busy / span) : 0};
}

static void
put_copies(struct lore_collecting *b, struct lore_program_profile *p)
{
    for (int i = 0; i < LORE_CAP_TOTALS_N; i++) {
        const struct lore_cap_totals *t = &b->c->trace.totals;
        if (t->of[i].count > 0)
            *LORE_PUSH(b->arena, p->copies, p->n_copies, p->cap_copies) =
                (struct lore_profile_copy){lore_collect_copies[i], number(t->of[i].count),
                    number(t->of[i].bytes), number(t->of[i].ns)};
    }
}

static const char *
command_of(struct lore_collecting *b)
{
    LORE_BUF out = {.max = 1 << 20};
    struct lore_jsonw w;

    if (b->c->what.no_command)
        return NULL;
    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_command_write(&w, b->c->argv, b->arena);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, NULL) == LORE_OK ? lore_strndup(b->arena, out.data, out.len) : NULL;
}

/* The groups that were launched, by kernel. */
static struct part
launched(const struct lore_trace_group **v, size_t n)
{
    struct part all = {.v = v};

    for (size_t i = 0; i < n; i++) {
        if (v[i]->launches == 0) /* a damaged file may contain a shape without launches */
            continue;
        all.v[all.n++] = v[i];
        all.total_ns = add_ns(all.total_ns, v[i]->total_ns);
        all.launches += v[i]->launches;
    }
    if (all.n > 1)
        qsort(all.v, all.n, sizeof *all.v, by_kernel);
    return all;
}

enum lore_status
lore_collect_profile(struct lore_collecting *b)
{
    const struct lore_run_options *w = &b->c->what;
    const struct lore_trace_group **v;
    struct lore_program_profile p = {.id = lore_build_new_id(b->arena),
        .program = cut(b->arena, b->program.name, PROGRAM_NAME),
        .program_hash = b->program.content,
        .author = w->author,
        .tool = "warplore run",
        .measured_at = b->measured_at};
    const struct lore_measure none = {0};
    size_t n, kernels, shapes_left = SHAPES;
    bool failed = b->c->app.exit_status != 0 || b->c->app.signal != 0;
    enum lore_status status =
        lore_measure_match(&b->c->trace, w->kernel_regex, b->arena, &v, &n, b->err);

    if (status != LORE_OK)
        return status;
    const struct part all = launched(v, n);
    if (all.n == 0 && !failed)
        return LORE_OK;
    const struct part *lines = split(b->arena, &all, same_kernel, &kernels);
    for (size_t i = 0; i < kernels && i < LINES; i++)
        put_line(b, &lines[i], &shapes_left, LORE_PUSH(b->arena, p.lines, p.n_lines, p.cap_lines));
    p.kernels = number(kernels);
    p.launches = number(all.launches);
    p.total_ns = number((uint64_t)all.total_ns);
    if (p.n_lines > 0 && p.lines[0].n_shapes > 0) {
        p.chip = p.lines[0].shapes[0].chip;
        p.environment = p.lines[0].shapes[0].environment;
    }
    lore_collect_method_of_program(b, &p.method);
    put_processes(b, &all, &p);
    put_copies(b, &p);
    if (failed)
        lore_collect_failure(b, &none, &p.error);
    p.extra = command_of(b);
    *LORE_PUSH(b->arena, b->doc->profiles, b->doc->n_profiles, b->doc->cap_profiles) = p;
    return LORE_OK;
}
