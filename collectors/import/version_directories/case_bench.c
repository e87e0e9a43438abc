/* Reads benchmark.md: times of the chosen version and of references. Each column becomes a run.
 *
 * The tool profiles the solution for every column, so the hardware metrics of a reference column
 * may be the solution's, apart from noise. Metrics of a column that all agree with the solution are
 * therefore not stored as a profile of the reference. They are kept in `extra` and noted in the
 * report. */
#include <math.h>
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_COLUMNS 16
#define SAME_WITHIN 0.03 /* repeated profiles of one kernel differ by up to 2 % */

struct column {
    const char *name;
    struct lore_run run;
    struct lore_case_unmapped_list rest;
    struct lore_md_row *rows; /* table rows, parallel to run.metrics */
    size_t n_rows, cap_rows;
};
struct bench {
    struct lore_case *c;
    const struct lore_import_file *file;
    const char *solution, *reference;
    bool pass, fail;
    struct column columns[MAX_COLUMNS]; /* [0]: the solution */
    size_t n;
    struct lore_kvs method;
};

static void
take_field(struct bench *b, const struct lore_md_table *t, const struct lore_md_row *row)
{
    struct lore_arena *arena = b->c->in->arena;
    const char *key = row->cells[0], *text = row->n == 2 ? row->cells[1] : NULL;

    if (!text)
        lore_case_keep_row(b->c, &b->columns[0].rest, t, row);
    else if (lore_streqi(key, "Solution"))
        b->solution = text;
    else if (lore_streqi(key, "Reference"))
        b->reference = text;
    else if (lore_streqi(key, "Correctness"))
        b->pass = lore_streqi(text, "PASS"), b->fail = lore_streqi(text, "FAIL");
    else if (!lore_case_field(b->c, &b->columns[0].run, key, text))
        lore_case_add_text(arena, &b->method, lore_slug(arena, key), text);
}

/* The column of B for column I of T, added when it is new; NULL: too many columns. */
static struct column *
column_of(struct bench *b, const struct lore_md_table *t, size_t i)
{
    const char *name = t->header.cells[i];

    if (lore_streqi(name, "Solution"))
        return &b->columns[0];
    for (size_t k = 1; k < b->n; k++) {
        if (lore_streqi(b->columns[k].name, name))
            return &b->columns[k];
    }
    if (b->n == MAX_COLUMNS)
        return NULL;
    b->columns[b->n].name = name;
    return &b->columns[b->n++];
}

static bool
set_timing(struct lore_summary *s, const char *label, const char *cell)
{
    const struct {
        const char *label;
        struct lore_f64 *out;
    } rows[] = {{"Execution Time (ms)", &s->mean_ns}, {"Mean Time (ms)", &s->mean_ns},
        {"Median Time (ms)", &s->median_ns}, {"Min Time (ms)", &s->min_ns},
        {"Max Time (ms)", &s->max_ns}, {"Std dev (ms)", &s->std_ns}};
    const char *rest;
    double v;

    if (!lore_md_number(cell, &v, &rest, NULL) || *rest != '\0' || v < 0 || v > 9e9)
        return false;
    if (lore_streqi(label, "Samples") && v >= 1) {
        s->n = (struct lore_i64){true, (int64_t)v};
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (lore_streqi(label, rows[i].label)) {
            *rows[i].out = (struct lore_f64){true, lore_build_ns(v)};
            s->set = true;
            return true;
        }
    }
    return false;
}

static void
take_timing(struct bench *b, const struct lore_md_table *t, const struct lore_md_row *row)
{
    bool taken = row->n == t->header.n;

    for (size_t i = 1; taken && i < row->n; i++) {
        struct column *column = column_of(b, t, i);
        taken = column != NULL && set_timing(&column->run.summary, row->cells[0], row->cells[i]);
    }
    if (!taken)
        lore_case_keep_row(b->c, &b->columns[0].rest, t, row);
}

static bool
has_metric(const struct column *column, const char *name)
{
    for (size_t i = 0; i < column->run.metrics.n; i++) {
        if (strcmp(column->run.metrics.v[i].name, name) == 0)
            return true;
    }
    return false;
}

static void
add_metric(struct bench *b, struct column *column, const struct lore_metric_def *def,
    const struct lore_md_row *row, size_t cell)
{
    struct lore_arena *arena = b->c->in->arena;
    struct lore_metrics *list = &column->run.metrics;
    double value = 0;
    int digits = 0;

    (void)!lore_md_number(row->cells[cell], &value, NULL, &digits);
    lore_build_metric(arena, list, def->name, def->unit, value);
    list->v[list->n - 1].precision_lost =
        digits > 0 && digits <= 3 && strpbrk(row->cells[cell], "eE");
    *LORE_PUSH(arena, column->rows, column->n_rows, column->cap_rows) = *row;
}

static void
take_hardware(struct bench *b, const struct lore_md_table *t, const struct lore_md_row *row)
{
    const struct lore_metric_def *def = lore_case_metric(row->cells[0]);
    bool taken = def && row->n == t->header.n;
    const char *rest;
    double value;

    for (size_t i = 1; taken && i < row->n; i++) {
        const struct column *column = column_of(b, t, i);
        taken = column != NULL && !has_metric(column, def->name) &&
                lore_md_number(row->cells[i], &value, &rest, NULL) && *rest == '\0';
    }
    if (!taken)
        lore_case_keep_row(b->c, &b->columns[0].rest, t, row);
    for (size_t i = 1; taken && i < row->n; i++) {
        struct column *column = column_of(b, t, i);
        if (!has_metric(column, def->name)) /* two columns may have the same name */
            add_metric(b, column, def, row, i);
        else
            lore_case_keep_row(b->c, &column->rest, t, row);
    }
}

static void
take_table(struct bench *b, const struct lore_md_table *t)
{
    bool metric = lore_streqi(t->header.cells[0], "Metric");
    bool hardware = lore_starts(t->section, "Hardware");

    if (lore_starts(t->section, "Timing (CUDA Events)"))
        lore_case_set_text(b->c->in->arena, &b->method, "timer", "cuda_event");
    for (size_t i = 0; i < t->n; i++) {
        if (!metric)
            take_field(b, t, &t->rows[i]);
        else if (hardware)
            take_hardware(b, t, &t->rows[i]);
        else
            take_timing(b, t, &t->rows[i]);
    }
}

/* ---- doubts ---- */

static bool
nearly_equal(double a, double b)
{
    return fabs(a - b) <= SAME_WITHIN * fmax(fabs(a), fabs(b));
}

/* Move the metrics of a reference column to `extra` when all agree with the solution's. */
static void
drop_copied_profile(struct bench *b, struct column *column)
{
    const struct lore_metrics *own = &b->columns[0].run.metrics;
    struct lore_metrics *list = &column->run.metrics;
    struct lore_arena *arena = b->c->in->arena;
    size_t same = 0;

    for (size_t i = 0; i < list->n && i < own->n; i++)
        same += strcmp(list->v[i].name, own->v[i].name) == 0 &&
                nearly_equal(list->v[i].value, own->v[i].value);
    if (list->n == 0 || same != list->n)
        return;
    lore_import_note(b->c->in, LORE_IL_DOUBTS,
        "%s: the hardware metrics of %s are those of the solution; not stored as its profile",
        b->file->path, column->name);
    for (size_t i = 0; i < list->n; i++)
        lore_case_keep_text(b->c, &column->rest, "Hardware Metrics", column->rows[i].line,
            lore_format(arena, "%s = %.9g for %s", column->rows[i].cells[0], list->v[i].value,
                column->name));
    list->n = 0;
}

/* Compare a stated speedup, "Speedup (vs X) | 1.27x", with the times. */
static void
check_speedup(struct bench *b, const struct lore_md_row *row)
{
    const struct lore_summary *own = &b->columns[0].run.summary;
    double stated, half_unit;

    if (!lore_starts(row->cells[0], "Speedup (vs ") || row->n < 2 ||
        !lore_case_printed(row->cells[1], &stated, &half_unit))
        return;
    const char *name = row->cells[0] + strlen("Speedup (vs ");
    bool median = strstr(name, "median");
    for (size_t k = 1; k < b->n; k++) {
        const struct lore_summary *s = &b->columns[k].run.summary;
        struct lore_f64 before = median ? s->median_ns : s->mean_ns;
        struct lore_f64 after = median ? own->median_ns : own->mean_ns;
        if (!lore_starts(name, b->columns[k].name) || !before.set || !after.set || after.v <= 0)
            continue;
        if (fabs(before.v / after.v - stated) > half_unit + 0.01 * stated)
            lore_import_note(b->c->in, LORE_IL_CONFLICTS,
                "%s line %zu: %s %s, but the times give %.3f", b->file->path, row->line,
                row->cells[0], row->cells[1], before.v / after.v);
    }
}

/* ---- records ---- */

/* The index of the benchmarked version, found by its file name. When several versions have the
 * name, the best version counts if it is one of them. -1: unknown. */
static int
solution_version(const struct bench *b)
{
    const struct lore_case *c = b->c;
    int found = -1;
    size_t matches = 0;

    for (size_t i = 0; b->solution != NULL && i < c->n; i++) {
        const struct lore_import_file *source = c->versions[i].source;
        const char *label = c->versions[i].label;
        if (lore_starts(b->solution, label) && b->solution[strlen(label)] == '.')
            return (int)i;
        if (!source || !lore_streq(lore_build_basename(source->path), b->solution))
            continue;
        matches++;
        if (found < 0 || (int)i == c->best)
            found = (int)i;
    }
    return matches == 1 || found == c->best ? found : -1;
}

static const char *
reference_version(struct bench *b, const struct column *column)
{
    struct lore_case *c = b->c;
    struct lore_submission *doc = c->in->doc;
    struct lore_arena *arena = c->in->arena;
    const char *name =
        lore_streqi(column->name, "Reference") && b->reference ? b->reference : column->name;
    const struct lore_import_file *source = lore_tree_file(c->in->tree, c->in->unit, "ref.py");
    struct lore_version v = {.kind = LORE_V_LIBRARY};

    v.label = name = lore_case_truncate(arena, name, 180);
    v.kernel = lore_build_kernel(arena, doc, c->op, LORE_LANG_LIBRARY, name);
    bool from_source = strstr(name, "orch") || lore_streqi(name, "ref.py");
    if (from_source && source && source->utf8 && source->len > 0) {
        struct lore_source *s = LORE_PUSH(arena, v.sources, v.n_sources, v.cap_sources);
        s->file = "ref.py";
        s->text = source->text;
    }
    v.provenance.system = LORE_CASE_SYSTEM;
    v.id = lore_case_derive_id(c, LORE_K_VERSION, &v);
    *LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions) = v;
    return v.id;
}

static void
add_column(struct bench *b, struct column *column, const char *version)
{
    struct lore_case *c = b->c;
    struct lore_submission *doc = c->in->doc;
    struct lore_run *run = &column->run;
    struct lore_kvs none = {0};
    bool own = column == b->columns;

    run->version = version;
    run->role = own ? LORE_ROLE_CANDIDATE : LORE_ROLE_REFERENCE;
    run->evidence = LORE_EV_IMPORTED;
    run->chip = c->chip;
    run->environment = lore_case_add_env(c, NULL);
    run->workload = b->columns[0].run.workload;
    for (size_t i = 0; i < b->method.n; i++)
        lore_kvs_set(c->in->arena, &run->method, b->method.v[i].key, b->method.v[i].value);
    run->tool = "benchmark";
    if (own && (b->pass || b->fail)) {
        run->correctness.set = true;
        run->correctness.status = b->pass ? LORE_C_PASS : LORE_C_FAIL;
        run->correctness.reference = b->reference;
    }
    run->provenance.system = LORE_CASE_SYSTEM;
    run->provenance.path = "benchmark.md";
    run->extra = lore_case_extra(c->in->arena, &none, &column->rest);
    run->id = lore_case_derive_id(c, LORE_K_RUN, run);
    *LORE_PUSH(c->in->arena, doc->runs, doc->n_runs, doc->cap_runs) = *run;
}

static void
add_columns(struct bench *b)
{
    struct lore_case *c = b->c;
    int solution = solution_version(b);

    if (solution < 0 || b->columns[0].run.summary.set == false) {
        lore_import_refuse_line(c->in, 0,
            solution < 0 ? "no version has the named solution file" : "no time for the solution");
        return;
    }
    if (!b->columns[0].run.workload.set)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s: no dims; its times cannot be compared with others", b->file->path);
    add_column(b, &b->columns[0], c->versions[solution].id);
    for (size_t i = 1; i < b->n; i++) {
        drop_copied_profile(b, &b->columns[i]);
        if (b->columns[i].run.summary.set || b->columns[i].run.metrics.n > 0)
            add_column(b, &b->columns[i], reference_version(b, &b->columns[i]));
    }
}

void
lore_case_read_bench(struct lore_case *c)
{
    struct lore_import_file *file = lore_tree_file(c->in->tree, c->in->unit, "benchmark.md");
    struct bench b = {.c = c, .file = file, .n = 1};
    struct lore_md md;

    if (!file)
        return;
    c->in->records++;
    lore_import_open(c->in, file);
    if (!file->utf8) {
        lore_import_refuse_line(c->in, 0, "not UTF-8 text");
        return;
    }
    b.columns[0].name = "Solution";
    lore_md_parse(c->in->arena, file->text, file->len, NULL, &md);
    for (size_t i = 0; i < md.n_tables; i++)
        take_table(&b, &md.tables[i]);
    for (size_t i = 0; i < md.n_tables; i++) {
        for (size_t r = 0; r < md.tables[i].n; r++)
            check_speedup(&b, &md.tables[i].rows[r]);
    }
    for (size_t i = 0; i < md.n_lines; i++) {
        const struct lore_md_line *l = &md.lines[i];
        if (l->level == 0)
            lore_case_keep_text(c, &b.columns[0].rest, l->section, l->line, l->text);
    }
    add_columns(&b);
}
