/* Reads the other files of a workspace: plans and reports of versions, the reports of baseline and
 * bottleneck, the legacy memory.md, and rows of AMD's thread traces. A report repeats numbers of
 * the record; differences are noted as conflicts. */
#include <math.h>
#include <string.h>

#include "collectors/import/workspace/workspace.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_LOOKUPS 200
#define MAX_ATT_ROWS 200

static size_t
column(const struct lore_md_table *t, const char *name)
{
    for (size_t i = 0; i < t->header.n; i++) {
        if (lore_streqi(t->header.cells[i], name))
            return i;
    }
    return SIZE_MAX;
}

static const char *
cell(const struct lore_md_row *row, size_t i)
{
    return i < row->n && *row->cells[i] ? row->cells[i] : NULL;
}

static bool
has_lookup(const struct lore_experiment *x, const char *query)
{
    for (size_t i = 0; i < x->n_lookups; i++) {
        if (strcmp(x->lookups[i].query, query) == 0)
            return true;
    }
    return false;
}

static void
take_search_log(struct lore_workspace *at, const struct lore_md *md, struct lore_experiment *x)
{
    const struct lore_md_table *t = lore_md_find(md, "Search Log", "Source");

    for (size_t i = 0; t && i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        const char *query = cell(row, column(t, "Query"));
        if (!query || strlen(query) > LORE_TAKE_LINE || x->n_lookups >= MAX_LOOKUPS ||
            has_lookup(x, query))
            continue;
        struct lore_lookup *l = LORE_PUSH(at->in->arena, x->lookups, x->n_lookups, x->cap_lookups);
        const char *source = cell(row, 0);
        l->query = query;
        l->source = source && strlen(source) <= LORE_TAKE_NAME ? source : NULL;
        l->finding = cell(row, column(t, "Finding"));
        l->use = cell(row, column(t, "Actionability"));
    }
}

/* Fill an empty field with the text of SECTION. */
static void
fill_from_section(
    struct lore_workspace *at, const struct lore_md *md, const char *section, const char **field)
{
    const char *text = *field ? NULL : lore_workspace_section(at->in->arena, md, section);

    if (text && text[0] != '<')
        *field = text;
}

void
lore_workspace_plan(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_experiment *x, struct lore_hypothesis *h)
{
    size_t actions = 0;

    if (!v->plan)
        return;
    lore_import_open(at->in, v->plan);
    take_search_log(at, &v->plan_md, x);
    fill_from_section(at, &v->plan_md, "Optimization Action", &h->change);
    fill_from_section(at, &v->plan_md, "Expected Impact", &h->claim);
    fill_from_section(at, &v->plan_md, "Risks and Rollback", &h->risk);
    fill_from_section(at, &v->plan_md, "Input Evidence", &h->rationale);
    if (!h->claim)
        h->claim = h->change;
    if (v->plan->len <= LORE_TAKE_TEXT)
        h->raw_text = v->plan->text;
    for (size_t i = 0; i < v->plan_md.n_lines; i++) {
        const struct lore_md_line *l = &v->plan_md.lines[i];
        actions += l->level > 0 && lore_starts(l->text, "Action ");
    }
    if (actions > 1)
        lore_import_note(at->in, LORE_IL_DOUBTS,
            "%s plans %zu actions; the workflow allows one per iteration", v->plan->path, actions);
}

/* ---- the iteration's report ---- */

static const struct {
    const char *row, *key, *unit;
} reported[] = {{"latency(us)", "latency_us", "us"}, {"TFLOPS", "tflops", "TFLOPS"},
    {"bandwidth(GB/s)", "bandwidth_gbps", "GB/s"},
    {"TFLOPS peak utilization(%)", "tflops_peak_utilization_pct", "%"},
    {"bandwidth peak utilization(%)", "bandwidth_peak_utilization_pct", "%"}};

static void
compare(struct lore_workspace *at, const struct lore_workspace_version *v, const char *key,
    double value)
{
    const struct lore_json *p =
        v->file ? lore_json_get(lore_import_json(v->file), "performance") : NULL;
    const struct lore_json *m = lore_json_get(p, key);

    if (m && m->type == LORE_J_NUMBER && fabs(m->f - value) > 0.006 * fabs(m->f) + 1e-9)
        lore_import_note(at->in, LORE_IL_CONFLICTS, "%s says %s is %.6g, the record says %s",
            v->report->path, key, value, m->str);
}

static void
take_cell(struct lore_workspace *at, struct lore_metrics *out, const char *name, const char *unit,
    const char *text)
{
    double value = 0;

    for (size_t i = 0; i < out->n; i++) {
        if (strcmp(out->v[i].name, name) == 0)
            return;
    }
    if (text && lore_md_number(text, &value, NULL, NULL))
        lore_build_metric(at->in->arena, out, name, unit, value);
}

void
lore_workspace_report(
    struct lore_workspace *at, const struct lore_workspace_version *v, struct lore_experiment *x)
{
    double value = 0;

    if (!v->report)
        return;
    lore_import_open(at->in, v->report);
    const struct lore_md_table *t = lore_md_find(&v->report_md, NULL, "Metric");
    for (size_t i = 0; t && i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        for (size_t k = 0; k < sizeof reported / sizeof *reported; k++) {
            if (!lore_streqi(row->cells[0], reported[k].row))
                continue;
            take_cell(at, &x->metrics_before, reported[k].key, reported[k].unit, cell(row, 1));
            take_cell(at, &x->metrics_after, reported[k].key, reported[k].unit, cell(row, 2));
            if (cell(row, 2) && lore_md_number(cell(row, 2), &value, NULL, NULL))
                compare(at, v, reported[k].key, value);
        }
    }
    x->notes = lore_workspace_section(at->in->arena, &v->report_md, "ISA Metric Progress");
    lore_import_note(at->in, LORE_IL_EXTRA,
        "reports: the column Change is computed from the columns before it; kept in the "
        "stored file only");
}

/* ---- notes ---- */

static void
add_note(struct lore_workspace *at, struct lore_import_file *f, const char *title, const char *body)
{
    struct lore_submission *doc = at->in->doc;
    char hex[LORE_HASH_HEX];

    if (!body || !*body || strlen(body) > LORE_TAKE_TEXT)
        return;
    lore_import_open(at->in, f);
    lore_hash_hex(body, strlen(body), hex);
    struct lore_insight *n =
        LORE_PUSH(at->in->arena, doc->insights, doc->n_insights, doc->cap_insights);
    n->id = lore_build_id(at->in->arena, 0, "workspace-note|%s|%s|%s", at->context, title, hex);
    n->kind = "note";
    n->title = title;
    n->body = body;
    n->op = at->op;
    n->chip = at->chip;
    n->language = at->language;
    n->confidence = "source_reported";
    n->provenance.system = LORE_WORKSPACE_SYSTEM;
    n->provenance.path = lore_build_basename(f->path);
}

static void
label_note(struct lore_workspace *at, const struct lore_md *md)
{
    const char *bound = lore_workspace_section(at->in->arena, md, "Bound Type");
    struct lore_insight *n = &at->in->doc->insights[at->in->doc->n_insights - 1];
    struct lore_diagnosis d = {0};

    if (bound && lore_build_labels(at->in->arena, &d, bound))
        n->labels = d.labels;
}

void
lore_workspace_notes(struct lore_workspace *at)
{
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next(at->in->tree, at->in->unit, f))) {
        const char *name = lore_build_basename(f->path);
        bool bottleneck = strcmp(name, "bottleneck_report.md") == 0;
        struct lore_md md;
        if (!f->utf8 || f->len > LORE_TAKE_TEXT ||
            (!bottleneck && strcmp(name, "baseline_report.md") != 0))
            continue;
        lore_md_parse(at->in->arena, f->text, f->len, NULL, &md);
        size_t before = at->in->doc->n_insights;
        const char *title = md.title && strlen(md.title) <= LORE_TAKE_NAME ? md.title : name;
        add_note(at, f, title, f->text);
        if (bottleneck && at->in->doc->n_insights > before)
            label_note(at, &md);
    }
}

/* ---- memory.md ---- */

void
lore_workspace_read_memory_md(struct lore_workspace *at)
{
    struct lore_import_file *f = lore_tree_file(at->in->tree, at->in->unit, "memory.md");
    struct lore_md md;

    if (!f || !f->utf8)
        return;
    lore_import_open(at->in, f);
    lore_md_parse(at->in->arena, f->text, f->len, NULL, &md);
    const struct lore_md_table *t = lore_md_find(&md, "Iteration Log", "Version");
    for (size_t i = 0; t && i < t->n; i++) {
        const char *name = t->rows[i].cells[0];
        double n = -1;
        at->in->records++;
        if ((*name != 'v' && *name != 'V') || !lore_md_number(name + 1, &n, NULL, NULL) || n < 0 ||
            n > 1e6) {
            lore_import_refuse_line(
                at->in, t->rows[i].line, "\"%s\" is not a version number", t->rows[i].cells[0]);
            continue;
        }
        if (lore_workspace_version_find(at, (int64_t)n)) {
            lore_import_note(at->in, LORE_IL_EXTRA,
                "memory.md: rows of versions that have a record; kept in the stored file only");
            at->in->records--;
            continue;
        }
        struct lore_workspace_version *v =
            LORE_PUSH(at->in->arena, at->versions, at->n_versions, at->cap_versions);
        v->n = (int64_t)n;
        v->label = lore_format(at->in->arena, "v%lld", (long long)v->n);
        v->row = &t->rows[i];
    }
    add_note(at, f, "Pitfalls", lore_workspace_section(at->in->arena, &md, "Pitfalls"));
}

/* ---- thread traces ---- */

/* Whether PATH is a thread trace of V: profiles/v<N>/…/stats_*.csv. */
static bool
is_att(const struct lore_workspace *at, const struct lore_workspace_version *v, const char *path)
{
    size_t n = strlen(at->in->unit);
    const char *name = lore_build_basename(path);
    const char *prefix = lore_format(at->in->arena, "profiles/%s/", v->label);

    return lore_starts(path + (n ? n + 1 : 0), prefix) && lore_starts(name, "stats_") &&
           strstr(name, ".csv");
}

static size_t
write_rows(struct lore_jsonw *w, const char *text, size_t most)
{
    size_t n = 0;

    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t len = strcspn(p, "\r\n");
        if (len > 0 && n++ < most)
            lore_w_strn(w, p, len);
    }
    return n;
}

const char *
lore_workspace_att(struct lore_workspace *at, const struct lore_workspace_version *v)
{
    struct lore_import_file *f = NULL;
    struct lore_buf b = {.max = 4u << 20};
    struct lore_jsonw w;
    bool any = false;

    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    while ((f = lore_tree_next(at->in->tree, at->in->unit, f))) {
        if (!f->utf8 || !is_att(at, v, f->path))
            continue;
        any = true;
        f->read = true;
        lore_w_key(&w, f->path + strlen(at->in->unit) + (*at->in->unit != '\0'));
        lore_w_arr(&w);
        size_t n = write_rows(&w, f->text, MAX_ATT_ROWS + 1);
        lore_w_arr_end(&w);
        if (n > MAX_ATT_ROWS + 1)
            lore_import_note(at->in, LORE_IL_EXTRA,
                "%s: %zu rows, the first %d in extra, all in the stored file", f->path, n - 1,
                MAX_ATT_ROWS);
    }
    lore_w_obj_end(&w);
    bool good = lore_jsonw_end(&w, NULL) == LORE_OK && any;
    const char *out = good ? lore_strndup(at->in->arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}
