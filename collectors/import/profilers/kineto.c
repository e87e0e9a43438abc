/* Traces of the PyTorch profiler (Kineto) in Chrome's trace format: an object with the list
 * traceEvents, or that list alone. Times are microseconds. Kernels become launches; copies and
 * fills are counted; everything else of a duration is counted by category and name. */
#include <math.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/profilers/census.h"
#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/profilers.h"
#include "collectors/import/rows.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

bool
lore_kineto_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    const char *text = f ? f->head + strspn(f->head, " \t\r\n") : "";

    if (*text == '{')
        return strstr(text, "\"traceEvents\"") != NULL;
    return *text == '[' && strstr(text, "\"ph\"") && strstr(text, "\"ts\"");
}

struct kineto {
    struct lore_import *in;
    struct lore_launches *l;
    struct lore_census *census;
    struct lore_arena row;
    int64_t first_ns; /* the earliest kernel; negative: none yet */
    size_t marks;     /* events without a duration */
};

static int64_t
nanoseconds(const struct lore_json *event, const char *key)
{
    double us;

    return lore_row_f64(event, key, &us) && us >= 0 && us < 9e15 ? (int64_t)llround(us * 1000) : -1;
}

/* The numbers of a list: "grid": [1, 2, 3]. */
static void
read_list(const struct lore_json *list, int64_t out[3])
{
    size_t i = 0;

    for (const struct lore_json *m = list ? list->child : NULL; m && i < 3; m = m->next)
        if (m->type == LORE_J_NUMBER && m->is_int && m->i >= 0)
            out[i++] = m->i;
    for (i = 0; i < 3; i++)
        out[i] = out[0] > 0 && out[i] == 0 ? 1 : out[i];
}

static void
put_numbers(struct kineto *k, struct lore_launched *s, const struct lore_json *args)
{
    static const char *const facts[][2] = {{"registers per thread", "registers_per_thread"},
        {"shared memory", "shared_bytes"}, {"cluster", "cluster"}};
    static const char *const metrics[] = {
        "est. achieved occupancy %", "blocks per SM", "warps per SM"};
    double v;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const struct lore_json *node = lore_json_get(args, facts[i][0]);
        if (node && node->type == LORE_J_NUMBER)
            lore_launched_fact(k->l, s, facts[i][1], node->str);
    }
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (lore_row_f64(args, metrics[i], &v))
            (void)lore_launched_metric(
                k->l, s, metrics[i], strchr(metrics[i], '%') ? "%" : NULL, v);
}

static void
add_kernel(struct kineto *k, const struct lore_json *event, const char *name)
{
    const struct lore_json *args = lore_json_get(event, "args");
    struct lore_launch_row x = {.kernel = name,
        .start_ns = nanoseconds(event, "ts"),
        .dur_ns = nanoseconds(event, "dur"),
        .device = -1,
        .id = -1};

    if (x.start_ns >= 0 && (k->first_ns < 0 || x.start_ns < k->first_ns))
        k->first_ns = x.start_ns;
    read_list(lore_json_get(args, "grid"), x.grid);
    read_list(lore_json_get(args, "block"), x.block);
    (void)lore_row_i64(args, "device", &x.device);
    put_numbers(k, lore_launches_add(k->l, &x), args);
}

/* "Memcpy HtoD (Pageable -> Device)"; "Memset (Device)" */
static void
add_copy(struct kineto *k, const struct lore_json *event, const char *name)
{
    static const char *const kinds[][2] = {{"HtoD", "host_to_device"}, {"DtoH", "device_to_host"},
        {"DtoD", "device_to_device"}, {"PtoP", "device_to_device"},
        {"HostToDevice", "host_to_device"}, {"DeviceToHost", "device_to_host"},
        {"DeviceToDevice", "device_to_device"}, {"Memset", "fill"}};
    const char *kind = "other";
    int64_t bytes = -1;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(name, kinds[i][0])) {
            kind = kinds[i][1];
            break;
        }
    (void)lore_row_i64(lore_json_get(event, "args"), "bytes", &bytes);
    lore_launches_copy(k->l, kind, 1, bytes, nanoseconds(event, "dur"));
}

static void
add_event(struct kineto *k, const struct lore_json *event)
{
    const char *phase = lore_row_text(event, "ph"), *category = lore_row_text(event, "cat"),
               *name = lore_row_text(event, "name");

    if (!lore_streq(phase, "X") || !name)
        k->marks++;
    else if (lore_streqi(category, "kernel"))
        add_kernel(k, event, name);
    else if (lore_streqi(category, "gpu_memcpy") || lore_streqi(category, "gpu_memset") ||
             lore_streqi(category, "memcpy") || lore_streqi(category, "memset"))
        add_copy(k, event, name);
    else
        lore_census_add(
            k->census, category ? category : "events", name, 1, nanoseconds(event, "dur"));
}

/* ---- the head ---- */

static void
read_devices(struct kineto *k, const struct lore_json *head, struct lore_program_profile *p)
{
    const struct lore_json *list = lore_json_get(head, "deviceProperties");
    const struct lore_json *first = list && list->type == LORE_J_ARRAY ? list->child : NULL;
    struct lore_kvs hard = {0}, soft = {0};
    const char *isa = NULL, *name = lore_row_text(first, "name");
    struct lore_arena *a = k->in->arena;
    int64_t number, major, minor;

    for (const struct lore_json *d = first; d; d = d->next)
        if (lore_row_i64(d, "id", &number))
            lore_launches_device(k->l, number, lore_row_text(d, "name"));
    if (lore_row_i64(first, "computeMajor", &major) && lore_row_i64(first, "computeMinor", &minor))
        isa = lore_format(a, "sm_%lld%lld", (long long)major, (long long)minor);
    for (const struct lore_json *m = first ? first->child : NULL; m; m = m->next)
        if (m->type == LORE_J_NUMBER && !lore_streq(m->key, "id"))
            lore_kvs_set(a, &soft, lore_format(a, "gpu_%s", m->key), lore_strdup(a, m->str));
    lore_profiler_set(a, &soft, "device", name);
    lore_profiler_set(a, &soft, "isa", isa);
    lore_profiler_set(a, &soft, "cuda", lore_row_text(head, "cuda_runtime_version"));
    lore_profiler_set(a, &soft, "cuda_driver", lore_row_text(head, "cuda_driver_version"));
    p->chip = lore_profiler_chip(k->in, name, isa);
    p->environment = lore_profiler_environment(k->in, p->chip, &hard, &soft);
}

/* When the first kernel began: times count from a base where the trace has one. */
static const char *
began(struct kineto *k, const struct lore_json *head)
{
    char text[LORE_TIME_SIZE];
    int64_t base;

    if (k->first_ns < 0 || !lore_row_i64(head, "baseTimeNanoseconds|baseTimeNanosecond", &base) ||
        base < 0 || base > INT64_MAX - k->first_ns)
        return NULL;
    lore_time_format((base + k->first_ns) / 1000, text);
    return lore_strdup(k->in->arena, text);
}

/* What stands beside the events and is no list of devices. */
static void
note_head(struct kineto *k, const struct lore_json *head)
{
    for (const struct lore_json *m = head ? head->child : NULL; m; m = m->next)
        if (!lore_choice("traceEvents|deviceProperties|cuda_runtime_version|cuda_driver_version|"
                         "schemaVersion|displayTimeUnit|baseTimeNanoseconds|baseTimeNanosecond",
                m->key))
            lore_import_note(k->in, LORE_IL_EXTRA, "%s: %s, not read", k->in->at->path, m->key);
}

static enum lore_status
finish(struct kineto *k, const struct lore_json *head, struct lore_err *err)
{
    struct lore_program_profile p = {.tool = "PyTorch profiler"};

    read_devices(k, head, &p);
    p.measured_at = began(k, head);
    note_head(k, head);
    lore_import_note(k->in, LORE_IL_EXTRA,
        "%s: events are kept by kernel and launch shape or by name; not one by one: ph, cat, ts, "
        "dur, pid, tid, id, bp, s, args (External id, correlation, context, stream, device, grid, "
        "block, bytes)",
        k->in->at->path);
    if (k->marks > 0)
        lore_import_note(k->in, LORE_IL_EXTRA,
            "%s: %zu events without a duration (name of a thread, flow, counter), not read",
            k->in->at->path, k->marks);
    lore_profiler_set(k->in->arena, &p.method, "timer", "Kineto: CUPTI or roctracer activity");
    if (lore_launches_count(k->l) == 0)
        return lore_fail(err, LORE_INVALID, "the trace has no kernel of a GPU");
    p.extra = lore_census_json(k->census, k->in->arena);
    return lore_launches_finish(k->l, &p, err);
}

enum lore_status
lore_kineto_read(struct lore_import *in, struct lore_err *err)
{
    struct kineto k = {.in = in, .first_ns = -1};
    LORE_ROWS rows = {0};
    const char *text = in->at->head + strspn(in->at->head, " \t\r\n");
    enum lore_status status = lore_rows_json(in, *text == '[' ? "" : "traceEvents", &rows, err);

    if (status != LORE_OK)
        return status;
    k.l = lore_launches_begin(in);
    k.census = lore_census_begin(in->arena);
    while (lore_rows_next(&rows))
        add_event(&k, rows.row);
    if (rows.unfinished)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: the file ends in the middle of the trace; the events before its end are read",
            in->at->path);
    status = finish(&k, rows.head, err);
    lore_launches_free(k.l);
    lore_arena_free(&k.row);
    return status;
}
