/* CSV of Nsight Compute: `ncu --csv` and `ncu --import X.ncu-rep --csv`. The raw page has a row per
 * launch and a row of units under the header; the other pages have a row per launch and metric,
 * named by the labels of its sections, and rows with the advice of its rules. Lines of ncu itself
 * (==PROF==) and of the profiled program may stand anywhere. Launches are replayed for every few
 * counters, so their durations are metrics and no samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/index.h"
#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/profilers.h"
#include "collectors/import/rows.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define DURATION "gpu__time_duration.sum"
#define PCT ".avg.pct_of_peak_sustained_elapsed"
#define ACTIVE ".avg.pct_of_peak_sustained_active"
enum { ADVICE_MAX = 512 << 10, TEXT_MAX = 1000, NOTES = 20 };

/* What Nsight Compute's sections call the metrics of its raw page. A label that stands for two
 * metrics has the base unit of each. */
static const struct {
    const char *label, *unit, *metric;
} labels[] = {
    {"Achieved Active Warps Per SM", NULL, "sm__warps_active.avg.per_cycle_active"},
    {"Achieved Occupancy", NULL, "sm__warps_active" ACTIVE},
    {"Avg. Active Threads Per Warp", NULL, "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Avg. Executed Instructions Per Scheduler", NULL, "smsp__inst_executed.avg"},
    {"Avg. Issued Instructions Per Scheduler", NULL, "smsp__inst_issued.avg"},
    {"Block Limit Barriers", NULL, "launch__occupancy_limit_barriers"},
    {"Block Limit Registers", NULL, "launch__occupancy_limit_registers"},
    {"Block Limit SM", NULL, "launch__occupancy_limit_blocks"},
    {"Block Limit Shared Mem", NULL, "launch__occupancy_limit_shared_mem"},
    {"Block Limit Warps", NULL, "launch__occupancy_limit_warps"},
    {"Block Size", NULL, "launch__block_size"},
    {"Compute (SM) Throughput", NULL, "sm__throughput" PCT},
    {"DRAM Frequency", NULL, "dram__cycles_elapsed.avg.per_second"},
    {"DRAM Throughput", NULL, "gpu__dram_throughput" PCT},
    {"Driver Shared Memory Per Block", NULL, "launch__shared_mem_per_block_driver"},
    {"Duration", NULL, DURATION},
    {"Dynamic Shared Memory Per Block", NULL, "launch__shared_mem_per_block_dynamic"},
    {"Elapsed Cycles", NULL, "gpc__cycles_elapsed.max"},
    {"Eligible Warps Per Scheduler", NULL, "smsp__warps_eligible.avg.per_cycle_active"},
    {"Executed Instructions", NULL, "smsp__inst_executed.sum"},
    {"Executed Ipc Active", NULL, "sm__inst_executed.avg.per_cycle_active"},
    {"Executed Ipc Elapsed", NULL, "sm__inst_executed.avg.per_cycle_elapsed"},
    {"Function Cache Configuration", NULL, "launch__func_cache_config"},
    {"Grid Size", NULL, "launch__grid_size"},
    {"Issued Instructions", NULL, "smsp__inst_issued.sum"},
    {"Issued Ipc Active", NULL, "sm__inst_issued.avg.per_cycle_active"},
    {"L1/TEX Cache Throughput", NULL, "l1tex__throughput" ACTIVE},
    {"L1/TEX Hit Rate", NULL, "l1tex__t_sector_hit_rate.pct"},
    {"L2 Cache Throughput", NULL, "lts__throughput" PCT},
    {"L2 Hit Rate", NULL, "lts__t_sector_hit_rate.pct"},
    {"Max Bandwidth", NULL, "gpu__compute_memory_request_throughput" PCT},
    {"Mem Busy", NULL, "gpu__compute_memory_access_throughput" PCT},
    {"Memory Throughput", "%", "gpu__compute_memory_throughput" PCT},
    {"Memory Throughput", "byte/s", "dram__bytes.sum.per_second"},
    {"One or More Eligible", NULL, "smsp__issue_active" ACTIVE},
    {"Registers Per Thread", NULL, "launch__registers_per_thread"},
    {"SM Active Cycles", NULL, "sm__cycles_active.avg"},
    {"SM Frequency", NULL, "gpc__cycles_elapsed.avg.per_second"},
    {"SM [%]", NULL, "sm__throughput" PCT},
    {"SOL L1/TEX Cache", NULL, "l1tex__throughput" ACTIVE},
    {"SOL L2 Cache", NULL, "lts__throughput" PCT},
    {"SOL Memory", NULL, "gpu__compute_memory_throughput" PCT},
    {"SOL SM", NULL, "sm__throughput" PCT},
    {"Static Shared Memory Per Block", NULL, "launch__shared_mem_per_block_static"},
    {"Theoretical Active Warps per SM", NULL, "sm__maximum_warps_avg_per_active_cycle"},
    {"Theoretical Occupancy", NULL, "sm__maximum_warps_per_active_cycle_pct"},
    {"Threads", NULL, "launch__thread_count"},
    {"Waves Per SM", NULL, "launch__waves_per_multiprocessor"},
    {"# SMs", NULL, "launch__sm_count"},
};

/* A binary report, in a folder or named alone where no ncu is. */
bool
lore_ncu_rep_detect(const struct lore_import_tree *t, const char *unit)
{
    static const char end[] = ".ncu-rep";
    size_t n = strlen(unit);

    (void)t;
    return n > sizeof end - 1 && strcmp(unit + n - (sizeof end - 1), end) == 0;
}

enum lore_status
lore_ncu_rep_read(struct lore_import *in, struct lore_err *err)
{
    return lore_fail(err, LORE_UNSUPPORTED,
        "a binary report: name it alone where ncu is, or print it: ncu --import %s --csv --page "
        "raw",
        in->file);
}

struct ncu {
    struct lore_import *in;
    struct lore_launches *l;
    struct lore_locale locale;
    struct lore_kvs device; /* attributes, as JSON */
    const char *program, *chip_name, *cc;
    const char **units; /* of the raw page, by column; NULL: not read yet */
    size_t n_units;
    struct lore_index *columns, *advice_at;
    struct lore_buf advice;
    struct lore_jsonw w;
    size_t rules, repeated;
    bool renamed;
    struct lore_arena row; /* what one row needs */
};

bool
lore_ncu_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    const char *name = f ? strstr(f->head, "Kernel Name") : NULL;

    return name && strstr(f->head, "\"ID\"") && strstr(f->head, "Process ID") &&
           (strstr(name, "Metric Name") || strstr(name, ".sum") || strstr(name, ".avg") ||
               strstr(name, "launch__") || strstr(name, ".pct"));
}

/* ---- the launch ---- */

/* "(256, 1, 1)" or "256x1x1" or "256". */
static void
read_extent(const char *text, int64_t out[3])
{
    const char *p = text ? text : "";

    for (size_t i = 0; i < 3 && *p; i++) {
        p += strcspn(p, "0123456789");
        if (*p)
            out[i] = strtoll(p, (char **)(uintptr_t)&p, 10);
    }
    for (size_t i = 0; i < 3; i++)
        out[i] = out[i] < 0 || out[i] > INT64_C(1) << 40 ? 0 : out[i];
    out[1] = out[0] > 0 && out[1] == 0 ? 1 : out[1];
    out[2] = out[0] > 0 && out[2] == 0 ? 1 : out[2];
}

static struct lore_launched *
add_launch(struct ncu *n, const struct lore_json *row)
{
    struct lore_launch_row x = {.kernel = lore_row_text(row, "Kernel Name"),
        .start_ns = -1,
        .dur_ns = -1,
        .device = -1,
        .id = -1,
        .counted = true};

    if (!x.kernel)
        return NULL;
    read_extent(lore_row_text(row, "Grid Size"), x.grid);
    read_extent(lore_row_text(row, "Block Size"), x.block);
    (void)lore_row_i64(row, "ID", &x.id);
    (void)lore_row_i64(row, "Process ID", &x.process);
    (void)lore_row_i64(row, "Device", &x.device);
    if (n->chip_name)
        lore_launches_device(n->l, x.device, n->chip_name);
    if (!n->program && lore_row_text(row, "Process Name"))
        n->program = lore_strdup(n->in->arena, lore_row_text(row, "Process Name"));
    if (!n->cc && lore_row_text(row, "CC"))
        n->cc = lore_strdup(n->in->arena, lore_row_text(row, "CC"));
    return lore_launches_add(n->l, &x);
}

/* A value that is a number, a text, or missing. */
static void
put_value(struct ncu *n, struct lore_launched *s, const char *name, const char *unit,
    const char *section, const struct lore_json *cell)
{
    double v;

    if (!cell || lore_streq(cell->str, "n/a") || lore_streq(cell->str, "N/A")) {
        lore_launched_missing(
            n->l, s, name, cell ? LORE_MISS_COUNTER_UNSUPPORTED : LORE_MISS_NOT_COLLECTED);
        return;
    }
    if (lore_locale_number(&n->locale, cell->str, &v)) {
        if (!lore_launched_metric(n->l, s, name, unit, v) && section)
            (void)lore_launched_metric(
                n->l, s, lore_format(&n->row, "%s (%s)", name, section), unit, v);
    } else if (strlen(cell->str) <= TEXT_MAX) {
        lore_launched_fact(n->l, s, name, lore_kvs_quote(&n->row, cell->str));
    } else {
        lore_import_note(n->in, LORE_IL_EXTRA, "%s: %s is a text of %zu bytes, not read",
            n->in->at->path, name, strlen(cell->str));
    }
}

/* ---- the raw page ---- */

static bool
is_identity(const char *column)
{
    return lore_choice(
        "ID|Process ID|Process Name|Host Name|Kernel Name|Kernel Time|Context|Stream|"
        "Block Size|Grid Size|Device|CC",
        column);
}

static void
read_units(struct ncu *n, const struct lore_rows *r)
{
    n->units = lore_alloc_array(n->in->arena, r->n_columns + 1, sizeof *n->units);
    n->columns = lore_alloc(n->in->arena, sizeof *n->columns);
    for (size_t i = 0; i < r->n_columns; i++) {
        const struct lore_json *cell = lore_json_get(r->row, r->columns[i]);
        *lore_index_at(n->in->arena, n->columns, r->columns[i]) = i;
        if (cell && !lore_row_text(r->row, "ID"))
            n->units[i] = lore_strdup(n->in->arena, cell->str);
    }
}

/* An attribute of the device: the same for all of its launches. */
static void
put_attribute(struct ncu *n, const char *name, const struct lore_json *cell)
{
    double v;
    bool number = lore_locale_number(&n->locale, cell->str, &v);
    const char *json = number ? lore_build_scalar(&n->row, lore_format(&n->row, "%.17g", v))
                              : lore_kvs_quote(&n->row, cell->str);
    const char *before = lore_kvs_get(&n->device, name);

    if (!before && n->device.n < 900 && strlen(cell->str) <= TEXT_MAX)
        lore_kvs_set(n->in->arena, &n->device, lore_strdup(n->in->arena, name),
            lore_strdup(n->in->arena, json));
    else if (!lore_streq(before, json))
        lore_import_note(n->in, LORE_IL_CONFLICTS,
            "%s: %s differs between launches; the first value is kept", n->in->at->path, name);
    if (!before && lore_streq(name, "device__attribute_display_name"))
        n->chip_name = lore_strdup(n->in->arena, cell->str);
}

static void
read_wide(struct ncu *n, const struct lore_rows *r, struct lore_launched *s)
{
    for (const struct lore_json *cell = r->row->child; cell; cell = cell->next) {
        if (is_identity(cell->key))
            continue;
        size_t *at = lore_index_find(n->columns, cell->key);
        if (lore_starts(cell->key, "device__attribute_"))
            put_attribute(n, cell->key, cell);
        /* rules compare grids with the number of SMs */
        if (!lore_starts(cell->key, "device__attribute_") ||
            lore_streq(cell->key, "device__attribute_multiprocessor_count"))
            put_value(n, s, cell->key, at ? n->units[*at] : NULL, NULL, cell);
    }
}

/* ---- the other pages ---- */

/* The metric behind a label, NULL: none is known. */
static const char *
metric_of(const char *label, const char *unit)
{
    (void)lore_profiler_unit(1, &unit);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (lore_streq(labels[i].label, label) &&
            (!labels[i].unit || lore_streq(labels[i].unit, unit)))
            return labels[i].metric;
    return NULL;
}

/* Keep the advice of a rule once per kernel, in extra. */
static void
put_advice(struct ncu *n, const struct lore_rows *r)
{
    static const char *const members[] = {"Kernel Name", "Grid Size", "Section Name", "Rule Name",
        "Rule Type", "Rule Description", "Estimated Speedup Type", "Estimated Speedup"};
    static const char *const keys[] = {
        "kernel", "grid", "section", "rule", "type", "text", "speedup_type", "speedup_pct"};
    const char *key = "";

    for (size_t i = 0; i < 6; i++)
        key = lore_format(&n->row, "%s|%s", key,
            lore_row_text(r->row, members[i]) ? lore_row_text(r->row, members[i]) : "");
    size_t *seen = lore_index_at(n->in->arena, n->advice_at, key);
    if ((*seen)++ > 0) {
        n->repeated++;
        return;
    }
    if (n->advice.len > ADVICE_MAX) {
        lore_import_note(n->in, LORE_IL_EXTRA, "%s line %zu: advice of ncu's rules, not read: %s",
            n->in->at->path, r->line, key);
        return;
    }
    n->rules++;
    lore_w_obj(&n->w);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        double v;
        const char *text = lore_row_text(r->row, members[i]);
        if (text && i == 7 && lore_locale_number(&n->locale, text, &v))
            lore_w_kf64(&n->w, keys[i], v);
        else if (text)
            lore_w_kstr(&n->w, keys[i], text);
    }
    lore_w_obj_end(&n->w);
}

static void
read_long(struct ncu *n, const struct lore_rows *r, struct lore_launched *s)
{
    const char *label = lore_row_text(r->row, "Metric Name"),
               *unit = lore_row_text(r->row, "Metric Unit"),
               *section = lore_row_text(r->row, "Section Name"),
               *body = lore_row_text(r->row, "Body Item Label");

    if (lore_row_text(r->row, "Rule Name"))
        put_advice(n, r);
    if (!label)
        return;
    const char *name = metric_of(label, unit);
    n->renamed = n->renamed || name;
    put_value(n, s, name ? name : label, unit, body ? body : section,
        lore_json_get(r->row, "Metric Value"));
}

/* ---- the file ---- */

/* Learn how numbers are written from the quoted cells of the beginning, behind those that say which
 * launch it is: a compute capability is "9.0" in every locale. */
static void
learn_locale(struct ncu *n, const char *text)
{
    enum { IDENTITY = 11 };
    char cell[64];
    size_t nth = 0;

    for (const char *p = text; *p && !n->locale.certain; p++) {
        if (*p == '\n')
            nth = 0;
        if (*p != '"')
            continue;
        size_t len = strcspn(p + 1, "\"\n");
        if (p[1 + len] != '"')
            continue;
        if (nth++ >= IDENTITY && len > 0 && len < sizeof cell) {
            memcpy(cell, p + 1, len);
            cell[len] = '\0';
            lore_locale_learn(&n->locale, cell);
        }
        p += len + 1;
    }
}

static void
read_rows(struct ncu *n, struct lore_rows *r)
{
    bool is_long = false;

    for (size_t i = 0; i < r->n_columns; i++)
        is_long = is_long || lore_streq(r->columns[i], "Metric Name");
    for (; lore_rows_next(r); lore_arena_reset(&n->row)) {
        if (!n->units && !is_long) {
            read_units(n, r);
            if (!lore_row_text(r->row, "ID"))
                continue; /* it is the row of units */
        }
        struct lore_launched *s = add_launch(n, r->row);
        if (!lore_row_text(r->row, "Kernel Name"))
            lore_import_note(n->in, LORE_IL_EXTRA, "%s line %zu: not a row of the table: %.120s",
                n->in->at->path, r->line, r->row->child ? r->row->child->str : "");
        else if (is_long)
            read_long(n, r, s);
        else
            read_wide(n, r, s);
    }
}

static const char *
isa_of(struct ncu *n)
{
    int major = 0, minor = 0;

    if (!n->cc || sscanf(n->cc, "%d.%d", &major, &minor) != 2 || major < 1 || minor < 0)
        return NULL;
    return lore_format(n->in->arena, "sm_%d%d", major, minor);
}

/* Facts of the launch that other profilers give, too. */
static void
put_launch_facts(struct ncu *n)
{
    static const char *const facts[][2] = {{"launch__registers_per_thread", "registers_per_thread"},
        {"launch__shared_mem_per_block_static", "static_shared_bytes"},
        {"launch__shared_mem_per_block_dynamic", "dynamic_shared_bytes"}};
    struct lore_launched *s;
    double v;

    for (size_t i = 0; (s = lore_launches_shape(n->l, i)); i++)
        for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
            if (lore_launched_mean(n->l, s, facts[k][0], &v) && v >= 0 && v < 1e9)
                lore_launched_fact(n->l, s, facts[k][1], lore_format(&n->row, "%.0f", v));
}

static enum lore_status
finish(struct ncu *n, struct lore_err *err)
{
    struct lore_program_profile p = {.program = n->program, .tool = "ncu"};
    struct lore_kvs hard = {0};
    struct lore_arena *a = n->in->arena;

    lore_launches_time_by(n->l, DURATION);
    put_launch_facts(n);
    if (n->renamed)
        lore_import_note(n->in, LORE_IL_NAMES,
            "labels of ncu's sections are stored by the metric that they show: \"Duration\" "
            "is " DURATION);
    p.chip = lore_profiler_chip(n->in, n->chip_name, isa_of(n));
    if (n->device.n > 0)
        lore_profiler_set(a, &n->device, "device", n->chip_name);
    lore_profiler_set(a, &n->device, "isa", isa_of(n));
    p.environment = lore_profiler_environment(n->in, p.chip, &hard, &n->device);
    lore_profiler_set(a, &p.method, "timer", "ncu: launches are replayed, one at a time");
    if (n->rules > 0) {
        lore_w_arr_end(&n->w);
        lore_w_obj_end(&n->w);
        if (lore_jsonw_end(&n->w, err) != LORE_OK)
            return LORE_INVALID;
        p.extra = lore_strndup(a, n->advice.data, n->advice.len);
    }
    if (n->repeated > 0)
        lore_import_note(n->in, LORE_IL_EXTRA,
            "%s: advice of ncu's rules, kept once of %zu times that it repeats for a kernel",
            n->in->at->path, n->repeated);
    return lore_launches_finish(n->l, &p, err);
}

enum lore_status
lore_ncu_read(struct lore_import *in, struct lore_err *err)
{
    struct ncu n = {.in = in, .advice = {.max = 4u << 20}};
    LORE_ROWS rows = {0};
    enum lore_status status = lore_rows_csv(in, 0, "Kernel Name", &rows, err);

    if (status != LORE_OK)
        return status;
    n.l = lore_launches_begin(in);
    n.advice_at = lore_alloc(in->arena, sizeof *n.advice_at);
    lore_jsonw_begin(&n.w, &n.advice, false);
    lore_w_obj(&n.w);
    lore_w_key(&n.w, "rules");
    lore_w_arr(&n.w);
    lore_profiler_say_columns(in, rows.columns, rows.n_columns,
        "Host Name|Context|Stream|Kernel Time",
        "ID|Process ID|CC|Block Size|Grid Size|Section Name|Body Item Label|Metric Name|Metric "
        "Unit|Metric Value");
    learn_locale(&n, in->at->head);
    read_rows(&n, &rows);
    status = finish(&n, err);
    lore_launches_free(n.l);
    lore_buf_free(&n.advice);
    lore_arena_free(&n.row);
    return status;
}
