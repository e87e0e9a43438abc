/* Reads a workspace of the GPU kernel optimiser: README.md (the task), memory/v<N>.json (one record
 * per version), plans, reports and profiles. Each record becomes a version, its runs, and an
 * experiment from the last version that did not fail. Sub-experiments, directions, masks and spec
 * lines become separate records.
 *
 * A workspace grows. Ids are derived from the record of a version, its plan, its report and the
 * task in README.md, so a later import adds only the new versions. They do not depend on `masked`,
 * which users toggle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/workspace/workspace.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* The number in "v12" or "V12" at the start of S; -1: none. *REST (may be NULL) points behind
 * it. */
static int64_t
version_number(const char *s, const char **rest)
{
    size_t digits = *s == 'v' || *s == 'V' ? strspn(s + 1, "0123456789") : 0;
    int64_t n = 0;

    if (digits == 0 || digits > 6)
        return -1;
    for (size_t i = 1; i <= digits; i++)
        n = n * 10 + (s[i] - '0');
    if (rest)
        *rest = s + 1 + digits;
    return n;
}

/* N of "memory/v<N>.json" below UNIT; -1 for any other path. */
static int64_t
record_number(const char *unit, const char *path)
{
    size_t n = strlen(unit);
    const char *rest = NULL;

    path += n > 0 ? n + 1 : 0;
    if (!lore_starts(path, "memory/"))
        return -1;
    int64_t v = version_number(path + strlen("memory/"), &rest);
    return v >= 0 && strcmp(rest, ".json") == 0 ? v : -1;
}

bool
lore_workspace_detect(const struct lore_import_tree *t, const char *unit)
{
    const char *dir = unit;
    struct lore_import_file *f = NULL;
    const struct lore_import_file *legacy = lore_tree_file(t, unit, "memory.md");

    while ((f = lore_tree_next_path(t, dir, f))) {
        if (record_number(unit, f->path) >= 0 && lore_tree_open(t, f) &&
            (lore_json_get(lore_import_json(f), "performance") ||
                lore_json_get(lore_import_json(f), "quality_gate") || f->problem))
            return true;
    }
    return legacy && legacy->utf8 && strstr(legacy->text, "## Iteration Log");
}

const char *
lore_workspace_section(struct lore_arena *arena, const struct lore_md *md, const char *section)
{
    struct lore_buf b = {.max = LORE_TAKE_TEXT};

    for (size_t i = 0; i < md->n_lines; i++) {
        const struct lore_md_line *l = &md->lines[i];
        if (l->level == 0 && lore_streqi(l->section, section))
            lore_buf_printf(&b, "%s%s", b.len ? "\n" : "", l->text);
    }
    const char *out = b.len && !b.over ? lore_strndup(arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

struct lore_workspace_version *
lore_workspace_version_find(struct lore_workspace *at, int64_t n)
{
    for (size_t i = 0; i < at->n_versions; i++) {
        if (at->versions[i].n == n)
            return &at->versions[i];
    }
    return NULL;
}

static struct lore_workspace_version *
version_at(struct lore_workspace *at, int64_t n)
{
    struct lore_workspace_version *v = lore_workspace_version_find(at, n);

    if (v)
        return v;
    v = LORE_PUSH(at->in->arena, at->versions, at->n_versions, at->cap_versions);
    v->n = n;
    v->label = lore_format(at->in->arena, "v%lld", (long long)n);
    return v;
}

static int
by_number(const void *a, const void *b)
{
    const struct lore_workspace_version *x = a, *y = b;
    return x->n < y->n ? -1 : x->n > y->n;
}

static void
find_records(struct lore_workspace *at)
{
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next(at->in->tree, at->in->unit, f))) {
        int64_t n = record_number(at->in->unit, f->path);
        if (n < 0)
            continue;
        at->in->records++;
        lore_import_open(at->in, f);
        if (!lore_import_json(f) || lore_import_json(f)->type != LORE_J_OBJECT) {
            lore_import_refuse_line(
                at->in, 0, "%s", f->problem ? f->problem : "expected a JSON object");
            continue;
        }
        version_at(at, n)->file = f;
    }
}

/* Plans and reports name their version in the title: "Iteration V3 Plan". */
static void
find_plans(struct lore_workspace *at)
{
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next(at->in->tree, at->in->unit, f))) {
        size_t n = strlen(f->path);
        struct lore_md md;
        const char *rest = NULL;
        if (!f->utf8 || n < 3 || strcmp(f->path + n - 3, ".md") != 0)
            continue;
        lore_md_parse(at->in->arena, f->text, f->len, NULL, &md);
        if (!md.title || !lore_starts(md.title, "Iteration "))
            continue;
        int64_t number = version_number(md.title + strlen("Iteration "), &rest);
        struct lore_workspace_version *v =
            number < 0 ? NULL : lore_workspace_version_find(at, number);
        bool plan = number >= 0 && strstr(rest, "Plan"),
             report = !plan && strstr(md.title, "Report");
        if (v && plan && !v->plan) {
            v->plan = f;
            v->plan_md = md;
        } else if (v && report && !v->report) {
            v->report = f;
            v->report_md = md;
        } else if (number >= 0 && (plan || report)) {
            lore_import_note(at->in, LORE_IL_DOUBTS, "%s: %s", f->path,
                v ? "a second plan or report of its version; kept as a file"
                  : "there is no record of this version; kept as a file");
        }
    }
}

/* The hash of V's content: its record without `masked`, its row, its plan and its report. */
static const char *
digest_of(struct lore_workspace *at, const struct lore_workspace_version *v)
{
    struct lore_buf b = {0};
    char hex[LORE_HASH_HEX];

    if (v->file)
        lore_buf_puts(
            &b, lore_build_verbatim(at->in->arena, lore_import_json(v->file), "masked", NULL));
    for (size_t i = 0; v->row && i < v->row->n; i++)
        lore_buf_printf(&b, "|%s", v->row->cells[i]);
    if (v->plan)
        lore_buf_add(&b, v->plan->text, v->plan->len);
    if (v->report)
        lore_buf_add(&b, v->report->text, v->report->len);
    lore_hash_hex(b.data ? b.data : "", b.len, hex);
    lore_buf_free(&b);
    return lore_strdup(at->in->arena, hex);
}

static bool
says_fail(const struct lore_json *root, const char *object, const char *key)
{
    const struct lore_json *m = lore_json_get(lore_json_get(root, object), key);
    return m && m->type == LORE_J_STRING && strstr(m->str, "FAIL");
}

/* Set the parents. The workflow resets a failed version, so the next one derives from the last
 * version that passed. */
static void
set_lineage(struct lore_workspace *at)
{
    const char *last = NULL;

    for (size_t i = 0; i < at->n_versions; i++) {
        struct lore_workspace_version *v = &at->versions[i];
        v->parent = last;
        v->id = lore_build_id(at->in->arena, 0, "workspace-version|%s|%s|%s|%s", at->kernel,
            v->label, digest_of(at, v), last ? last : "");
        v->experiment =
            lore_build_id(at->in->arena, 0, "workspace-experiment|%s|%s", v->id, at->context);
        v->failed = v->file && (says_fail(lore_import_json(v->file), "quality_gate", "result") ||
                                   says_fail(lore_import_json(v->file), "correctness", "status"));
        if (!v->failed)
            last = v->id;
    }
    at->baseline = at->n_versions > 0 ? at->versions[0].id : NULL;
}

static void
add_campaign(struct lore_workspace *at)
{
    struct lore_submission *doc = at->in->doc;
    struct lore_campaign *c =
        LORE_PUSH(at->in->arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);
    struct lore_buf b = {.max = 1u << 20};
    struct lore_jsonw w;

    c->id = at->campaign;
    c->label = at->name;
    c->kernel = at->kernel;
    c->chip = at->chip;
    c->workload = at->workload;
    c->goal = at->goal;
    c->config = at->config;
    c->targets = at->targets;
    c->n_targets = at->n_targets;
    c->provenance.system = LORE_WORKSPACE_SYSTEM;
    const struct lore_texts *lists[] = {&at->isa_targets, &at->unsourced, &at->unknown_specs};
    const char *const names[] = {"isa_targets", "unsourced_specs", "unknown_specs"};
    bool any = false;
    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < 3; i++) {
        if (lists[i]->n == 0)
            continue;
        any = true;
        lore_w_key(&w, names[i]);
        lore_w_arr(&w);
        for (size_t k = 0; k < lists[i]->n; k++)
            lore_w_str(&w, lists[i]->v[k]);
        lore_w_arr_end(&w);
    }
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK && any)
        c->extra = lore_strndup(at->in->arena, b.data, b.len);
    lore_buf_free(&b);
}

static void
list_current_kernel(struct lore_workspace *at)
{
    const struct lore_import_file *f = lore_tree_file(at->in->tree, at->in->unit, "kernel.py");

    if (f)
        lore_import_note(
            at->in, LORE_IL_EXTRA, "kernel.py: its version is not recorded; kept as a file");
}

enum lore_status
lore_workspace_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_workspace at = {.in = in};

    find_records(&at);
    lore_workspace_readme(&at);
    lore_workspace_read_memory_md(&at);
    if (at.n_versions == 0)
        return lore_fail(err, LORE_INVALID, "no readable record of a version");
    qsort(at.versions, at.n_versions, sizeof *at.versions, by_number);
    find_plans(&at);
    set_lineage(&at);
    lore_workspace_specs(&at);
    add_campaign(&at);
    for (size_t i = 0; i < at.n_versions; i++) {
        if (at.versions[i].file)
            lore_workspace_map(&at, &at.versions[i]);
        else
            lore_workspace_map_row(&at, &at.versions[i]);
    }
    lore_workspace_notes(&at);
    list_current_kernel(&at);
    lore_import_note(in, LORE_IL_NAMES,
        "lineage: records name no parent; the importer assumes the last earlier version that "
        "failed neither its gate nor its correctness check");
    return LORE_OK;
}
