/* Reads correctness.md and adds the runs of a version.
 *
 * The header of the tensor table has bars inside cells ("Max |Δ|"), so the parser needs the known
 * header. Tolerances, verdict and tensors become the correctness of a separate run without times,
 * because the checked shape may differ from the timed shape. */
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static const char *const headers[] = {
    "Tensor|Type|Pass|Max |Δ||Mean |Δ||Mean Rel|Mismatches", NULL};

static void
set_language(struct lore_case *c, const char *text)
{
    enum lore_language language = lore_language_find(text);

    if (language == LORE_LANG_NONE && lore_starts(text, "cuda"))
        language = LORE_LANG_CUDA;
    if (c->language == LORE_LANG_NONE)
        c->language = language;
}

static void
set_dims(struct lore_case *c, struct lore_run *run, const char *text)
{
    struct lore_err err = {0};

    if (strspn(text, "{} \t") == strlen(text))
        return; /* "{}" means not stated */
    if (lore_dims_parse(text, c->in->arena, &run->workload.dims, &err) != LORE_OK) {
        lore_case_set_text(c->in->arena, &run->method, "dims_text", text);
        lore_import_note(
            c->in, LORE_IL_EXTRA, "%s: dims \"%s\" not understood", c->in->at->path, text);
        return;
    }
    run->workload.set = run->workload.dims.n > 0;
    run->workload.op = c->op;
}

bool
lore_case_field(struct lore_case *c, struct lore_run *run, const char *key, const char *text)
{
    if (lore_streqi(key, "Kernel"))
        lore_case_add_text(c->in->arena, &run->method, "source_file", text);
    else if (lore_streqi(key, "Backend") || lore_streqi(key, "Implementation"))
        set_language(c, text);
    else if (lore_streqi(key, "GPU") || lore_streqi(key, "Arch"))
        lore_case_set_chip(c, &run->method, lore_slug(c->in->arena, key), text);
    else if (lore_streqi(key, "Dims"))
        set_dims(c, run, text);
    else
        return false;
    return true;
}

/* "atol=0.0001  rtol=0.001" */
static bool
set_tolerance(struct lore_correctness *k, const char *text)
{
    const struct {
        const char *name;
        struct lore_f64 *out;
    } rows[] = {{"atol=", &k->atol}, {"rtol=", &k->rtol}};

    for (size_t i = 0; i < 2; i++) {
        const char *at = strstr(text, rows[i].name);
        double v;
        if (at && lore_md_number(at + 5, &v, NULL, NULL) && v >= 0)
            *rows[i].out = (struct lore_f64){true, v};
    }
    return k->atol.set || k->rtol.set;
}

static void
set_result(struct lore_correctness *k, const char *text)
{
    k->set = true;
    k->message = text;
    if (strstr(text, "FAIL") || strstr(text, "fail"))
        k->status = LORE_C_FAIL;
    else if (strstr(text, "PASS") || strstr(text, "pass"))
        k->status = LORE_C_PASS;
    else
        k->status = LORE_C_NOT_CHECKED;
}

static bool
check_field(struct lore_case *c, struct lore_run *run, const char *key, const char *text)
{
    const char *rest;
    double n;

    if (lore_case_field(c, run, key, text))
        return true;
    if (lore_streqi(key, "Reference"))
        run->correctness.reference = lore_case_truncate(c->in->arena, text, 1900);
    else if (lore_streqi(key, "Result"))
        set_result(&run->correctness, text);
    else if (lore_streqi(key, "Buf/ptr") && lore_md_number(text, &n, &rest, NULL) &&
             strcmp(rest, " elems") == 0)
        lore_case_set_f64(c->in->arena, &run->method, "buffer_elems", n);
    else if (lore_streqi(key, "Tolerance") && set_tolerance(&run->correctness, text))
        lore_case_set_text(c->in->arena, &run->method, "tolerance", text);
    else
        return false;
    return true;
}

/* Parse a cell that holds only a number, a dash or nothing; false: CELL holds other text. */
static bool
set_difference(struct lore_f64 *out, const char *cell)
{
    const char *rest;

    out->set = lore_md_number(cell, &out->v, &rest, NULL);
    return out->set ? *rest == '\0' : strcmp(cell, "—") == 0 || *cell == '\0';
}

static bool
set_pass(const char **out, const char *cell)
{
    if (strcmp(cell, "✓") == 0 || lore_streqi(cell, "yes"))
        *out = "yes";
    else if (strcmp(cell, "✗") == 0 || lore_streqi(cell, "no"))
        *out = "no";
    return *out;
}

/* Store the cell of column H in X. False when part of the cell has no field. */
static bool
take_cell(struct lore_arena *arena, const char *h, const char *cell, struct lore_tensor *x)
{
    struct lore_f64 n = {0};

    if (lore_streqi(h, "Tensor"))
        x->name = lore_case_truncate(arena, cell, 190);
    else if (lore_streqi(h, "Type"))
        x->type = lore_case_truncate(arena, cell, 190);
    else if (lore_streqi(h, "Pass"))
        return set_pass(&x->pass, cell);
    else if (lore_streq(h, "Max |Δ|"))
        return set_difference(&x->max_abs, cell);
    else if (lore_streq(h, "Mean |Δ|"))
        return set_difference(&x->mean_abs, cell);
    else if (lore_streqi(h, "Mean Rel"))
        return set_difference(&x->mean_rel, cell);
    else if (!lore_streqi(h, "Mismatches") || !set_difference(&n, cell))
        return false;
    else if (n.set && n.v >= 0 && n.v < 1e18)
        x->mismatches = (struct lore_i64){true, (int64_t)n.v};
    return true;
}

/* Read one row by the headers of its columns. False when a cell has no field or the row has no
 * name. */
static bool
take_tensor(struct lore_arena *arena, const struct lore_md_table *t, const struct lore_md_row *row,
    struct lore_tensor *x)
{
    bool whole = row->n == t->header.n;

    for (size_t i = 0; i < row->n && i < t->header.n; i++)
        whole = take_cell(arena, t->header.cells[i], row->cells[i], x) && whole;
    return whole && x->name && *x->name != '\0';
}

static void
take_tensors(struct lore_case *c, struct lore_case_version *v, const struct lore_md_table *t)
{
    struct lore_correctness *k = &v->check.correctness;

    for (size_t i = 0; i < t->n; i++) {
        struct lore_tensor x = {0};
        if (!take_tensor(c->in->arena, t, &t->rows[i], &x) || k->n_tensors == 200) {
            lore_case_keep_row(c, &v->check_rest, t, &t->rows[i]);
            if (!x.name || *x.name == '\0' || k->n_tensors == 200)
                continue;
        }
        *LORE_PUSH(c->in->arena, k->tensors, k->n_tensors, k->cap_tensors) = x;
        if (x.max_abs.set && (!k->max_abs_err.set || x.max_abs.v > k->max_abs_err.v))
            k->max_abs_err = x.max_abs;
        if (x.mismatches.set) {
            k->mismatches.set = true;
            k->mismatches.v += x.mismatches.v;
        }
    }
}

/* Add a preview row such as "| kernel | 0.19 | 2.16 |" to the tensor named in the heading. */
static void
take_preview(struct lore_case *c, struct lore_case_version *v, const struct lore_md_table *t,
    const struct lore_md_row *row)
{
    struct lore_correctness *k = &v->check.correctness;
    const char *text = "";

    for (size_t i = 1; i < row->n; i++)
        text = lore_format(c->in->arena, "%s%s%s", text, i > 1 ? " " : "", row->cells[i]);
    text = lore_case_truncate(c->in->arena, text, 1900);
    for (size_t i = 0; i < k->n_tensors; i++) {
        if (strcmp(k->tensors[i].name, t->section) != 0)
            continue;
        if (lore_streqi(row->cells[0], "kernel"))
            k->tensors[i].preview = text;
        else if (lore_streqi(row->cells[0], "ref"))
            k->tensors[i].preview_reference = text;
        else
            break;
        return;
    }
    lore_case_keep_row(c, &v->check_rest, t, row);
}

static void
take_check_table(
    struct lore_case *c, struct lore_case_version *v, const struct lore_md_table *t, bool first)
{
    if (lore_streqi(t->header.cells[0], "Tensor")) {
        take_tensors(c, v, t);
        return;
    }
    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        if (!first)
            take_preview(c, v, t, row);
        else if (row->n != 2 || !check_field(c, &v->check, row->cells[0], row->cells[1]))
            lore_case_keep_row(c, &v->check_rest, t, row);
    }
}

void
lore_case_read_check(struct lore_case *c, struct lore_case_version *v)
{
    struct lore_import_file *file = v->correctness;
    struct lore_md md;

    if (!file)
        return;
    c->in->records++;
    lore_import_open(c->in, file);
    lore_md_parse(c->in->arena, file->text, file->len, headers, &md);
    for (size_t i = 0; i < md.n_tables; i++)
        take_check_table(c, v, &md.tables[i], i == 0);
    for (size_t i = 0; i < md.n_lines; i++) {
        if (md.lines[i].level == 0)
            lore_case_keep_text(
                c, &v->check_rest, md.lines[i].section, md.lines[i].line, md.lines[i].text);
    }
    if (!v->check.correctness.set) {
        lore_import_refuse_line(c->in, 0, "no field \"Result\"");
        return;
    }
    v->has_check = true;
    v->check.tool = "correctness_check";
}

static void
add_run(struct lore_case *c, struct lore_case_version *v, struct lore_run *run,
    const struct lore_case_unmapped_list *rest, const struct lore_import_file *file)
{
    struct lore_submission *doc = c->in->doc;
    struct lore_kvs none = {0};

    run->version = v->id;
    run->role = v == c->versions ? LORE_ROLE_BASELINE : LORE_ROLE_CANDIDATE;
    run->evidence = LORE_EV_IMPORTED;
    run->chip = c->chip;
    run->environment = lore_case_add_env(c, v);
    run->provenance.system = LORE_CASE_SYSTEM;
    run->provenance.path =
        lore_format(c->in->arena, "%s/%s", v->label, lore_build_basename(file->path));
    run->extra = lore_case_extra(c->in->arena, &none, rest);
    run->id = lore_case_derive_id(c, LORE_K_RUN, run);
    lore_build_text(c->in->arena, &v->runs, run->id);
    *LORE_PUSH(c->in->arena, doc->runs, doc->n_runs, doc->cap_runs) = *run;
}

void
lore_case_add_runs(struct lore_case *c, struct lore_case_version *v)
{
    if (v->has_check)
        add_run(c, v, &v->check, &v->check_rest, v->correctness);
    if (v->has_profile)
        add_run(c, v, &v->profile, &v->profile_rest, v->summary != NULL ? v->summary : v->details);
}
