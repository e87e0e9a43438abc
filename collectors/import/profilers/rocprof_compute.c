/* Workload folders of rocprof-compute (omniperf before ROCm 6.2): pmc_perf.csv with the counters of
 * all passes, by column or by row; a file for each level counter; times without counting; a line
 * about the system; ceilings that its own benchmark reached. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/profilers/profilers.h"
#include "collectors/import/profilers/rocprof.h"
#include "collectors/import/rows.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

bool
lore_rocprof_compute_detect(const struct lore_import_tree *t, const char *unit)
{
    return lore_tree_file(t, unit, "pmc_perf.csv") && lore_tree_file(t, unit, "sysinfo.csv");
}

struct workload {
    struct lore_import *in;
    struct lore_rocprof r;
    struct lore_kvs hard, soft;
    const char *program, *tool_version, *roofline;
};

/* Open NAME of the folder; false: there is none. */
static bool
open_file(struct workload *w, const char *name)
{
    struct lore_import_file *f = lore_tree_file(w->in->tree, w->in->unit, name);

    if (f)
        lore_import_open(w->in, f);
    return f != NULL;
}

/* ---- the system ---- */

static void
take_system(struct workload *w, const struct lore_json *row)
{
    static const char *const names[][2] = {{"rocm_version", "rocm"}, {"linux_distro", "os"},
        {"linux_kernel_version", "kernel"}, {"amd_gpu_kernel_version", "driver"},
        {"cpu_model", "cpu"}, {"vbios", "vbios"}, {"gpu_arch", "isa"}};
    struct lore_arena *a = w->in->arena;
    const char *command = lore_row_text(row, "command"), *model = lore_row_text(row, "gpu_model");

    w->r.chip_name = model ? lore_strdup(a, model) : NULL;
    w->r.isa = lore_strdup(a, lore_row_text(row, "gpu_arch"));
    lore_profiler_set(a, &w->soft, "device", w->r.chip_name);
    w->program = command ? lore_strdup(a,
                               lore_build_basename(lore_strndup(a, command, strcspn(command, " "))))
                         : lore_strdup(a, lore_row_text(row, "workload_name"));
    for (const struct lore_json *c = row->child; c; c = c->next) {
        const char *key = c->key;
        if (lore_streq(c->str, "NA"))
            lore_import_note(w->in, LORE_IL_EXTRA, "%s: %s is NA, not read", w->in->at->path, key);
        if (lore_streq(key, "gpu_model") || lore_streq(c->str, "NA"))
            continue;
        if (lore_choice("compute_partition|memory_partition", key)) {
            lore_profiler_set(a, &w->hard, lore_strdup(a, key), lore_strdup(a, c->str));
            continue;
        }
        if (lore_streq(key, "hostname")) {
            lore_profiler_set(a, &w->soft, "host", lore_profiler_hashed(a, c->str));
            lore_import_note(
                w->in, LORE_IL_EXTRA, "%s: hostname is kept as a hash", w->in->at->path);
            continue;
        }
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            key = lore_streq(key, names[i][0]) ? names[i][1] : key;
        lore_kvs_set(a, &w->soft, lore_strdup(a, key),
            c->type == LORE_J_NUMBER ? lore_strdup(a, c->str) : lore_kvs_quote(a, c->str));
    }
}

static enum lore_status
read_system(struct workload *w, struct lore_err *err)
{
    LORE_ROWS rows = {0};

    (void)open_file(w, "sysinfo.csv");
    enum lore_status status = lore_rows_csv(w->in, 0, NULL, &rows, err);
    if (status == LORE_OK && lore_rows_next(&rows))
        take_system(w, rows.row);
    while (status == LORE_OK && lore_rows_next(&rows))
        lore_import_note(w->in, LORE_IL_EXTRA, "%s line %zu: a second system, not read",
            w->in->at->path, rows.line);
    return status;
}

/* ---- the ceilings ---- */

/* A bandwidth of DRAM is a number of the chip; the others stay as they are, in extra. */
static void
put_ceiling(struct workload *w, const struct lore_json *row, const char *chip, const char *env)
{
    struct lore_submission *doc = w->in->doc;
    double v;

    if (!chip || !env || !lore_row_f64(row, "HBMBw", &v) || v <= 0)
        return;
    struct lore_spec *s = LORE_PUSH(w->in->arena, doc->specs, doc->n_specs, doc->cap_specs);
    *s = (struct lore_spec){.chip = chip,
        .metric = "hbm_bandwidth",
        .value = {true, v},
        .unit = "GB/s",
        .evidence_class = "measured",
        .environment = env};
    lore_kvs_set(w->in->arena, &s->method, "kind", "\"rocprof-compute roofline\"");
    s->provenance.system = "rocprof-compute";
    s->id = lore_build_id(w->in->arena, 0, "spec|%s|%s|roofline|%.9g", chip, env, v);
}

static void
read_roofline(struct workload *w, const char *chip, const char *env, struct lore_jsonw *out)
{
    LORE_ROWS rows = {0};
    struct lore_err why = {0};

    if (!open_file(w, "roofline.csv"))
        return;
    if (lore_rows_csv(w->in, 0, NULL, &rows, &why) != LORE_OK) {
        lore_import_note(w->in, LORE_IL_ERRORS, "%s: %s", w->in->at->path, why.msg);
        return;
    }
    lore_w_key(out, "roofline");
    lore_w_arr(out);
    while (lore_rows_next(&rows)) {
        put_ceiling(w, rows.row, chip, env);
        lore_w_obj(out);
        for (const struct lore_json *c = rows.row->child; c; c = c->next) {
            lore_w_key(out, c->key);
            lore_w_node(out, c);
        }
        lore_w_obj_end(out);
    }
    lore_w_arr_end(out);
}

/* ---- the counters ---- */

/* The other files that have a row for each dispatch: SQ_IFETCH_LEVEL.csv and its like. */
static bool
is_level(const char *name)
{
    size_t n = strlen(name);

    return lore_starts(name, "SQ_") && n > 4 && strcmp(name + n - 4, ".csv") == 0;
}

static enum lore_status
read_counters(struct workload *w, struct lore_err *err)
{
    struct lore_import_file *f = NULL;
    size_t dir = strlen(w->in->unit);
    enum lore_status status = LORE_OK;

    w->r.timed = open_file(w, "timestamps.csv");
    if (w->r.timed)
        status = lore_rocprof_file(&w->r, err);
    if (status == LORE_OK && open_file(w, "pmc_perf.csv"))
        status = lore_rocprof_file(&w->r, err);
    while (status == LORE_OK && (f = lore_tree_next(w->in->tree, w->in->unit, f))) {
        const char *name = f->path + dir + (dir > 0);
        if (!is_level(name))
            continue;
        lore_import_open(w->in, f);
        w->r.level = lore_strndup(w->in->arena, name, strlen(name) - 4);
        status = lore_rocprof_file(&w->r, err);
    }
    w->r.level = NULL;
    return status;
}

/* pmc_dispatch_info.csv repeats dispatch, kernel and device of pmc_perf.csv. */
static void
pass_dispatches(struct workload *w)
{
    if (open_file(w, "pmc_dispatch_info.csv"))
        lore_import_note(w->in, LORE_IL_EXTRA, "%s: the dispatches of pmc_perf.csv again, not read",
            w->in->at->path);
}

static void
add_sums(struct workload *w)
{
    struct lore_launched *s;
    size_t sums = 0;

    for (size_t i = 0; (s = lore_launches_shape(w->r.l, i)); i++)
        sums += lore_launched_sums(w->r.l, s);
    if (sums > 0)
        lore_import_note(w->in, LORE_IL_NAMES,
            "%zu counters were given by channel alone; their sums were added as NAME_sum", sums);
}

static enum lore_status
finish(struct workload *w, struct lore_err *err)
{
    struct lore_program_profile p = {.program = w->program, .tool = "rocprof-compute"};
    LORE_BUF extra = {.max = 1 << 20};
    struct lore_jsonw out;

    add_sums(w);
    p.chip = lore_profiler_chip(w->in, w->r.chip_name, w->r.isa);
    p.environment = lore_profiler_environment(w->in, p.chip, &w->hard, &w->soft);
    lore_profiler_set(w->in->arena, &p.method, "timer",
        w->r.timed ? "rocprof: dispatch timestamps without counters"
                   : "rocprof: dispatch timestamps while counting");
    lore_jsonw_begin(&out, &extra, false);
    lore_w_obj(&out);
    read_roofline(w, p.chip, p.environment, &out);
    lore_w_obj_end(&out);
    if (lore_jsonw_end(&out, err) != LORE_OK)
        return LORE_INVALID;
    if (extra.len > 2)
        p.extra = lore_strndup(w->in->arena, extra.data, extra.len);
    return lore_launches_finish(w->r.l, &p, err);
}

enum lore_status
lore_rocprof_compute_read(struct lore_import *in, struct lore_err *err)
{
    struct workload w = {.in = in};

    lore_rocprof_begin(&w.r, in);
    w.r.one_process = true;
    enum lore_status status = read_system(&w, err);
    if (status == LORE_OK)
        status = read_counters(&w, err);
    if (status == LORE_OK) {
        pass_dispatches(&w);
        status = finish(&w, err);
    }
    lore_rocprof_end(&w.r);
    return status;
}
