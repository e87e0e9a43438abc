/* CSV of rocprofv3 and rocprof: kernel traces, counters by row or by column, API traces and
 * statistics, PC samples. The columns tell what a file is, whatever its name; they differ between
 * the layouts of 2024 and 2025. The agents' file beside it names the chip. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/profilers/amd.h"
#include "collectors/import/profilers/census.h"
#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/profilers.h"
#include "collectors/import/profilers/rocprof.h"
#include "collectors/import/rows.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { KEPT_MAX = 1 << 20 };

/* ---- rows ---- */

static struct lore_launched *
launch(struct lore_rocprof *r, const struct lore_rows *rows, bool counted)
{
    struct lore_launch_row x;

    lore_arena_reset(&r->row);
    if (!lore_amd_launch(rows->row, &r->row, &x)) {
        lore_import_note(r->in, LORE_IL_EXTRA, "%s line %zu: a row without a kernel, not read",
            r->in->at->path, rows->line);
        return NULL;
    }
    x.counted = counted && !r->timed;
    if (r->one_process) /* a run per counter, whose dispatches are the same */
        x.process = 0;
    if (x.dur_ns < 0 && lore_row_any(rows->row, "Start_Timestamp|BeginNs"))
        lore_import_note(r->in, LORE_IL_DOUBTS,
            "%s: its timestamps are no whole nanoseconds (a spreadsheet rounds them), so the "
            "launches have no times",
            r->in->at->path);
    struct lore_launched *s = lore_launches_add(r->l, &x);
    lore_amd_resources(r->l, s, rows->row);
    return s;
}

static void
put_counter(struct lore_rocprof *r, struct lore_launched *s, const char *name,
    const struct lore_json *value)
{
    double v = value->f;

    if (value->type != LORE_J_NUMBER) {
        lore_launched_fact(r->l, s, name, lore_kvs_quote(&r->row, value->str));
        return;
    }
    if (r->level && lore_streq(name, "SQ_ACCUM_PREV_HIRES")) /* it sums up the level */
        name = lore_format(&r->row, "%s_ACCUM", r->level);
    if (!lore_launched_metric(r->l, s, name, NULL, v)) /* counted again in another pass */
        (void)lore_launched_metric(
            r->l, s, lore_format(&r->row, "%s (%s)", name, r->in->file), NULL, v);
}

static void
take_counter(struct lore_rocprof *r, const struct lore_rows *rows)
{
    const char *name = lore_row_text(rows->row, "Counter_Name");
    const struct lore_json *value = lore_json_get(rows->row, "Counter_Value");
    struct lore_launched *s = launch(r, rows, true);

    if (name && value)
        put_counter(r, s, name, value);
    else if (name)
        lore_launched_missing(r->l, s, name, LORE_MISS_NOT_COLLECTED);
}

static void
take_kernel(struct lore_rocprof *r, const struct lore_rows *rows)
{
    (void)launch(r, rows, false);
}

/* A row for each dispatch with a column for each counter; without counters, a trace. */
static void
take_wide(struct lore_rocprof *r, const struct lore_rows *rows)
{
    bool counters = false;

    for (size_t i = 0; i < rows->n_columns && !counters; i++)
        counters = !lore_amd_describes(rows->columns[i]);
    struct lore_launched *s = launch(r, rows, counters);
    for (const struct lore_json *c = rows->row->child; c; c = c->next)
        if (!lore_amd_describes(c->key))
            put_counter(r, s, c->key, c);
}

/* Statistics are kept as they are. */
static void
take_statistics(struct lore_rocprof *r, const struct lore_rows *rows)
{
    if (r->kept.len > KEPT_MAX) {
        lore_import_note(
            r->in, LORE_IL_EXTRA, "%s line %zu: statistics, not read", r->in->at->path, rows->line);
        return;
    }
    if (r->kept.len == 0) {
        lore_jsonw_begin(&r->w, &r->kept, false);
        lore_w_obj(&r->w);
        lore_w_key(&r->w, "statistics");
        lore_w_arr(&r->w);
    }
    lore_w_obj(&r->w);
    if (r->joined)
        lore_w_kstr(&r->w, "file", r->in->file);
    for (const struct lore_json *c = rows->row->child; c; c = c->next) {
        lore_w_key(&r->w, c->key);
        lore_w_node(&r->w, c);
    }
    lore_w_obj_end(&r->w);
}

/* What is kept besides launches, as JSON; NULL: nothing. */
static const char *
extra_of(struct lore_rocprof *r)
{
    const char *census = lore_census_json(r->census, r->in->arena);

    if (r->kept.len == 0)
        return census;
    lore_w_arr_end(&r->w);
    lore_w_obj_end(&r->w);
    if (lore_jsonw_end(&r->w, NULL) != LORE_OK)
        return census;
    return census ? lore_format(r->in->arena, "%.*s,%s", (int)r->kept.len - 1, r->kept.data,
                        census + 1) /* the members of both */
                  : lore_strndup(r->in->arena, r->kept.data, r->kept.len);
}

static void
take_call(struct lore_rocprof *r, const struct lore_rows *rows)
{
    const char *domain = lore_row_text(rows->row, "Domain|Kind"),
               *name = lore_row_text(rows->row, "Function|Name");
    int64_t start, end;
    bool timed = lore_row_i64(rows->row, "Start_Timestamp", &start) &&
                 lore_row_i64(rows->row, "End_Timestamp", &end) && end >= start;

    lore_census_add(r->census, domain ? domain : "calls", name ? name : "(no name)", 1,
        timed ? end - start : -1);
    r->not_read = "its calls are kept as numbers and times by name";
}

static void
take_copy(struct lore_rocprof *r, const struct lore_rows *rows)
{
    static const char *const kinds_of[][2] = {{"HOST_TO_DEVICE", "host_to_device"},
        {"DEVICE_TO_HOST", "device_to_host"}, {"DEVICE_TO_DEVICE", "device_to_device"}};
    const char *direction = lore_row_text(rows->row, "Direction"), *kind = "other";
    int64_t start, end, bytes = -1, ns = -1;

    for (size_t i = 0; i < sizeof kinds_of / sizeof *kinds_of; i++)
        if (direction && strstr(direction, kinds_of[i][0]))
            kind = kinds_of[i][1];
    if (lore_row_i64(rows->row, "Start_Timestamp", &start) &&
        lore_row_i64(rows->row, "End_Timestamp", &end) && end >= start)
        ns = end - start;
    (void)lore_row_i64(rows->row, "Size|Bytes", &bytes);
    lore_launches_copy(r->l, kind, 1, bytes, ns);
}

/* PC samples: how often each instruction of a kernel was met; of a dispatch, where no trace of the
 * run says which kernel that is. */
static void
take_sample(struct lore_rocprof *r, const struct lore_rows *rows)
{
    const char *code = lore_row_text(rows->row, "Instruction"),
               *at = lore_row_text(rows->row, "Instruction_Comment"),
               *dispatch = lore_row_text(rows->row, "Dispatch_Id");
    int64_t id;
    const char *kernel =
        lore_row_i64(rows->row, "Dispatch_Id", &id) ? lore_launches_kernel_of(r->l, 0, id) : NULL;

    lore_arena_reset(&r->row);
    lore_census_add(r->census,
        kernel ? lore_format(&r->row, "pc_samples of %s", kernel)
               : lore_format(&r->row, "pc_samples of dispatch %s", dispatch ? dispatch : "?"),
        at     ? lore_format(&r->row, "%s; %s", code ? code : "?", at)
        : code ? code
               : "?",
        1, -1);
    r->not_read =
        "its samples are kept as numbers by instruction; times and lane masks are not read";
}

/* ---- recognition by columns ---- */

/* What a file with these columns holds. */
static const struct kind {
    const char *a, *b, *c;
    void (*take)(struct lore_rocprof *r, const struct lore_rows *rows);
} kinds[] = {
    {"Counter_Name", "Counter_Value", "Kernel_Name", take_counter},
    {"Sample_Timestamp", "Instruction", "Dispatch_Id", take_sample},
    {"Name", "Calls", "TotalDurationNs", take_statistics},
    {"Kind", "Direction", "Start_Timestamp", take_copy},
    {"Function", "Start_Timestamp", "End_Timestamp", take_call},
    {"Kernel_Name", "Start_Timestamp", "Dispatch_Id", take_kernel},
    {"Kernel_Name", "Dispatch_ID", "Grid_Size", take_wide},
    {"KernelName", "grd", "wgr", take_wide},
    {NULL, NULL, NULL, NULL},
};

/* Whether the first line of TEXT has the column NAME, quoted or not. */
static bool
has_column(const char *text, const char *name)
{
    size_t line = strcspn(text, "\r\n"), n = strlen(name);

    for (const char *p = text; (p = strstr(p, name)) && (size_t)(p - text) + n <= line; p += n) {
        bool begins = p == text || strchr(",;\t\"", p[-1]), ends = strchr(",;\t\"\r\n", p[n]);
        if (begins && ends)
            return true;
    }
    return false;
}

static const struct kind *
kind_of(const char *text)
{
    for (const struct kind *k = kinds; k->a; k++)
        if (has_column(text, k->a) && has_column(text, k->b) && has_column(text, k->c))
            return k;
    return NULL;
}

bool
lore_rocprof_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    return f && kind_of(f->head);
}

enum lore_status
lore_rocprof_file(struct lore_rocprof *r, struct lore_err *err)
{
    LORE_ROWS rows = {0};
    const struct kind *kind = kind_of(r->in->at->head);
    enum lore_status status = lore_rows_csv(r->in, 0, kind ? kind->a : NULL, &rows, err);

    if (status == LORE_OK && !kind)
        return lore_fail(err, LORE_INVALID, "its columns are none that rocprof writes");
    r->not_read = NULL;
    lore_launches_pass(r->l);
    if (status == LORE_OK)
        lore_profiler_say_columns(r->in, rows.columns, rows.n_columns,
            "Kind|Domain|Guid|Queue_*|queue-*|Stream_Id|Thread_Id|tid|TID|Kernel_Id|Kernel_ID|"
            "Correlation_*|Wave_Size*|wave_size*|sig|obj*|XCC_Index*|DispatchNs|CompleteNs|"
            "Exec_Mask|Sample_Timestamp|Source_Agent_Id|Destination_Agent_Id|device",
            "Start_Timestamp|End_Timestamp|BeginNs|EndNs|Grid_Size*|Workgroup_Size*|grd|wgr|"
            "Dispatch_*|Index|Process_Id|pid|PID|Agent_Id|GPU_ID|gpu-id|Direction|Kernel_Name|"
            "KernelName|Counter_Value");
    while (status == LORE_OK && lore_rows_next(&rows))
        kind->take(r, &rows);
    if (r->not_read)
        lore_import_note(r->in, LORE_IL_EXTRA, "%s: %s", r->in->at->path, r->not_read);
    return status;
}

/* ---- the agents ---- */

static bool
is_agents(const char *path)
{
    static const char end[] = "agent_info.csv";
    size_t n = strlen(path);

    return n >= sizeof end - 1 && strcmp(path + n - (sizeof end - 1), end) == 0;
}

/* The GPU of the agents' file in the folder of the current file. */
static void
read_agents(struct lore_rocprof *r, struct lore_kvs *soft)
{
    struct lore_import_file *f = NULL, *at = (struct lore_import_file *)(uintptr_t)r->in->at;
    const char *slash = strrchr(at->path, '/');
    const char *dir = slash ? lore_strndup(r->in->arena, at->path, (size_t)(slash - at->path)) : "";
    struct lore_err ignored;

    while ((f = lore_tree_next(r->in->tree, dir, f)))
        if (is_agents(f->path) && strchr(f->path + strlen(dir) + (slash != NULL), '/') == NULL)
            break;
    if (!f)
        return;
    lore_import_open_with(r->in, f);
    LORE_ROWS rows = {0};
    if (lore_rows_csv(r->in, 0, "Agent_Type", &rows, &ignored) == LORE_OK)
        while (!r->chip_name && lore_rows_next(&rows)) {
            if (!lore_streq(lore_row_text(rows.row, "Agent_Type"), "GPU"))
                continue;
            r->chip_name = lore_strdup(r->in->arena, lore_row_text(rows.row, "Product_Name"));
            r->isa = lore_strdup(r->in->arena, lore_row_text(rows.row, "Name"));
            for (const struct lore_json *c = rows.row->child; c; c = c->next)
                lore_profiler_set(r->in->arena, soft, lore_format(r->in->arena, "agent_%s", c->key),
                    lore_strdup(r->in->arena, c->str));
        }
    lore_rows_close(&rows);
    lore_import_open(r->in, at);
}

void
lore_rocprof_begin(struct lore_rocprof *r, struct lore_import *in)
{
    *r = (struct lore_rocprof){.in = in};
    r->l = lore_launches_begin(in);
    r->census = lore_census_begin(in->arena);
}

void
lore_rocprof_end(struct lore_rocprof *r)
{
    lore_launches_free(r->l);
    lore_arena_free(&r->row);
    lore_buf_free(&r->kept);
}

/* ---- the files of one run ---- */

/* How much of NAME, "312_kernel_trace.csv", names the run and not what the file holds. */
static size_t
run_of(const char *name)
{
    static const char *const parts[] = {"kernel_trace", "counter_collection", "pc_sampling",
        "memory_copy_trace", "hip_api", "hsa_api", "kernel_stats", "domain_stats",
        "memory_copy_stats", "marker_api", "rccl_api", "scratch_memory"};
    const char *first = NULL;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *at = strstr(name, parts[i]);
        first = at && (!first || at < first) ? at : first;
    }
    return first && (first == name || first[-1] == '_') ? (size_t)(first - name) : SIZE_MAX;
}

/* Whether FILE is of the run of the unit, whose files have the same folder and beginning. */
static bool
is_of_run(const struct lore_import *in, const struct lore_import_file *file)
{
    const char *name = strrchr(in->unit, '/'), *other = strrchr(file->path, '/');
    size_t dir = name ? (size_t)(name - in->unit) + 1 : 0,
           other_dir = other ? (size_t)(other - file->path) + 1 : 0;

    size_t run = run_of(in->unit + dir);
    return dir == other_dir && strncmp(in->unit, file->path, dir) == 0 && run != SIZE_MAX &&
           run == run_of(file->path + dir) && strncmp(in->unit + dir, file->path + dir, run) == 0 &&
           strcmp(in->unit, file->path) != 0;
}

struct run_files {
    struct lore_import_file **v;
    size_t n, cap;
};

/* Add the file to the profile and to the unit. */
static enum lore_status
add_file(struct lore_rocprof *r, struct lore_import_file *f, struct lore_err *err)
{
    if (strcmp(f->path, r->in->unit) == 0)
        lore_import_open(r->in, f);
    else
        lore_import_open_with(r->in, f);
    return lore_rocprof_file(r, err);
}

/* The trace first: it has the times of dispatches without counting, and their extents. */
static enum lore_status
read_run(struct lore_rocprof *r, struct lore_err *err)
{
    struct run_files files = {0};
    struct lore_import_file *f = NULL, *unit = lore_tree_file(r->in->tree, "", r->in->unit);
    enum lore_status status = LORE_OK;
    const char *slash = strrchr(r->in->unit, '/');
    const char *dir =
        slash ? lore_strndup(r->in->arena, r->in->unit, (size_t)(slash - r->in->unit)) : "";

    *LORE_PUSH(r->in->arena, files.v, files.n, files.cap) = unit;
    while ((f = lore_tree_next_path(r->in->tree, dir, f)))
        if (!f->taken && is_of_run(r->in, f) && lore_tree_open(r->in->tree, f) && kind_of(f->head))
            *LORE_PUSH(r->in->arena, files.v, files.n, files.cap) = f;
    r->joined = r->one_process = files.n > 1;
    for (int trace = 1; trace >= 0; trace--)
        for (size_t i = 0; i < files.n && status == LORE_OK; i++) {
            (void)lore_tree_open(r->in->tree, files.v[i]);
            const struct kind *kind = kind_of(files.v[i]->head);
            if ((kind && kind->take == take_kernel) != (trace == 1))
                continue;
            status = add_file(r, files.v[i], err);
            r->timed |= trace == 1;
        }
    if (r->joined && status == LORE_OK)
        lore_import_note(
            r->in, LORE_IL_NAMES, "%s: %zu files of one run are one profile", r->in->unit, files.n);
    if (r->joined && run_of(lore_build_basename(r->in->unit)) == 0)
        lore_import_note(r->in, LORE_IL_DOUBTS,
            "%s: the files have no number of a process; they are taken as of one run because they "
            "are in one folder",
            r->in->unit);
    lore_import_open(r->in, unit);
    return status;
}

/* "312" of "312_kernel_trace.csv", else the folder. */
static const char *
program_of(const struct lore_rocprof *r)
{
    const char *name = r->in->file, *dir = r->in->tree->name;
    const char *slash = strrchr(r->in->unit, '/');
    size_t n = run_of(name);

    if (slash)
        dir = lore_build_basename(
            lore_strndup(r->in->arena, r->in->unit, (size_t)(slash - r->in->unit)));
    return n > 1 && n != SIZE_MAX ? lore_strndup(r->in->arena, name, n - 1) : dir;
}

enum lore_status
lore_rocprof_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_rocprof r;
    struct lore_program_profile p = {.tool = "rocprofv3"};
    struct lore_kvs hard = {0}, soft = {0};

    lore_rocprof_begin(&r, in);
    enum lore_status status = read_run(&r, err);
    if (status == LORE_OK) {
        read_agents(&r, &soft);
        if (r.joined)
            p.program = program_of(&r);
        if (lore_launches_count(r.l) > 0 || r.chip_name)
            p.chip = lore_profiler_chip(in, r.chip_name, r.isa);
        p.environment = lore_profiler_environment(in, p.chip, &hard, &soft);
        lore_profiler_set(in->arena, &p.method, "timer", "rocprofiler-sdk: dispatch timestamps");
        if (lore_launches_count(r.l) == 0)
            lore_import_note(in, LORE_IL_DOUBTS,
                "%s: it names no kernel; beside the kernel_trace.csv of its run it becomes a part "
                "of that profile",
                in->at->path);
        p.extra = extra_of(&r);
        status = lore_launches_finish(r.l, &p, err);
    }
    lore_rocprof_end(&r);
    return status;
}
