/* Turns a spec sheet into spec values. Numbers are recorded only when the sheet names a product,
 * because a fact about an architecture need not hold for each of its products. The wiki parsed its
 * sheets from Markdown tables, and some values come from neighbouring columns. Values that cannot
 * be peak rates are not recorded; the document's extra holds them with the reason. */
#include <math.h>
#include <string.h>

#include "collectors/import/wiki/gpu_wiki.h"
#include "collectors/import/wiki/hardware_wiki.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/spec_names.h"
#include "service/wire/build.h"

#define QUOTE_MAX 300
#define KNOWN "summary peak_compute memory compute_units usage_notes unavailable"

struct sheet {
    struct lore_import *in;
    const struct lore_json *facts;
    const struct lore_chip *chip;
    const char *document, *evidence;
    struct lore_provenance provenance;
    struct lore_texts doubts;
    size_t specs;
};

/* ---- citing ---- */

/* Line LINE of the file without its indentation; NULL when it is empty or longer than QUOTE_MAX. */
static const char *
line_text(struct lore_import *in, size_t line)
{
    const char *p = in->text;

    for (size_t i = 1; i < line && *p; i++) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    p += strspn(p, " \t");
    size_t n = strcspn(p, "\r\n");
    return n > 0 && n <= QUOTE_MAX ? lore_strndup(in->arena, p, n) : NULL;
}

static struct lore_spec *
add_spec(struct sheet *s, const char *metric, const struct lore_json *node, const char *evidence)
{
    struct lore_import *in = s->in;
    struct lore_submission *doc = in->doc;
    struct lore_spec *x = LORE_PUSH(in->arena, doc->specs, doc->n_specs, doc->cap_specs);
    char path[160];

    lore_json_path(node, path, sizeof path);
    x->id = lore_build_id(in->arena, 0, "hardware-wiki-spec|%s|%s", s->document, path);
    x->chip = s->chip->name;
    x->metric = strpbrk(metric, " :<\t\r\n") ? lore_slug(in->arena, metric) : metric;
    x->evidence_class = evidence;
    x->source_document = s->document;
    x->line = (struct lore_i64){true, (int64_t)lore_json_line(in->text, node)};
    x->quote = line_text(in, (size_t)x->line.v);
    if (!x->quote) /* a file without line breaks: quote the key instead */
        x->quote = lore_format(in->arena, "\"%s\"", node->key);
    x->provenance = s->provenance;
    s->specs++;
    return x;
}

static void
doubt(struct sheet *s, const struct lore_json *node, const char *why)
{
    char path[160];

    lore_json_path(node, path, sizeof path);
    lore_build_text(s->in->arena, &s->doubts,
        lore_format(s->in->arena, "%s%s%s: %s", path, node->type == LORE_J_NUMBER ? " = " : "",
            node->type == LORE_J_NUMBER ? node->str : "", why));
    lore_import_note(s->in, LORE_IL_DOUBTS, "%s %s%s%s: %s", lore_build_basename(s->in->at->path),
        path, node->type == LORE_J_NUMBER ? " = " : "",
        node->type == LORE_J_NUMBER ? node->str : "", why);
}

/* ---- peak rates ---- */

static const char *
evidence_of(struct sheet *s, const struct lore_json *node)
{
    const char *own = lore_wiki_text(node, "provenance");
    const char *class = own ? lore_spec_evidence(own) : s->evidence;

    if (!class)
        doubt(s, node, "its provenance is not one that is known; not entered");
    return class;
}

static bool
is_matrix(const struct lore_json *row)
{
    const char *kind = lore_wiki_text(row, "unit_kind");
    return kind && (strstr(kind, "tensor") || strstr(kind, "matrix"));
}

/* Whether the row is from a table of ridge points: "206 / 5.3 ≈ 38.9". */
static bool
is_equation(const struct lore_json *row)
{
    const char *use = lore_wiki_text(row, "use_case");
    return use && strchr(use, '/') && (strstr(use, "≈") || strchr(use, '~'));
}

/* Whether an FP16 rate differs from the BF16 rate. Matrix units run both at the same rate, so such
 * a row has a wrong label. */
static bool
contradicts_bf16(const struct sheet *s, const struct lore_json *row, double dense)
{
    const struct lore_json *rows = lore_json_get(s->facts, "peak_compute");
    double other = 0;

    if (!is_matrix(row) || !lore_streq(lore_wiki_text(row, "dtype"), "fp16"))
        return false;
    for (const struct lore_json *r = rows->child; r; r = r->next) {
        if (is_matrix(r) && lore_streq(lore_wiki_text(r, "dtype"), "bf16") &&
            lore_json_f64(r, "dense", &other, NULL) == LORE_OK && other > 0)
            return fabs(dense - other) > 0.02 * other;
    }
    return false;
}

/* Note when a sheet of an AMD product uses NVIDIA's names for its vector or matrix units. */
static void
note_kind(struct sheet *s, const struct lore_json *row, bool matrix)
{
    const char *kind = lore_wiki_text(row, "unit_kind");

    if (kind && lore_streq(s->chip->vendor, "amd") &&
        (strstr(kind, "cuda") || strstr(kind, "tensor")))
        lore_import_note(s->in, LORE_IL_LABELS, "unit_kind \"%s\" of an AMD product: %s units",
            kind, matrix ? "matrix" : "vector");
}

static void
add_rate(struct sheet *s, const struct lore_json *row, const struct lore_json *node, bool sparse)
{
    const char *dtype = lore_wiki_text(row, "dtype"), *unit = NULL;
    const char *printed = lore_wiki_text(row, "unit"), *use = lore_wiki_text(row, "use_case");
    bool matrix = is_matrix(row) || lore_spec_matrix_only(dtype);
    const char *metric = lore_spec_peak(s->in->arena, dtype, matrix, sparse, &unit);
    const char *evidence = evidence_of(s, row);

    if (!evidence)
        return;
    note_kind(s, row, matrix);
    struct lore_spec *x = add_spec(s, metric, node, evidence);
    x->value = (struct lore_f64){true, node->f};
    x->unit = unit;
    x->note = use;
    if (printed && strcmp(printed, unit) != 0)
        x->note = lore_format(
            s->in->arena, "%s%sthe source prints %s", use ? use : "", use ? "; " : "", printed);
}

static void
read_sparse(struct sheet *s, const struct lore_json *row, double dense)
{
    const struct lore_json *sparse = lore_json_get(row, "sparse_2to4");
    const char *dtype = lore_wiki_text(row, "dtype");

    if (!sparse || sparse->type != LORE_J_NUMBER)
        return;
    if (lore_streq(dtype, "fp64") || lore_streq(dtype, "fp32"))
        doubt(s, sparse, "this type has no 2:4 sparsity: a cell of another column; not entered");
    else if (sparse->f < 1.9 * dense || sparse->f > 2.1 * dense)
        doubt(s, sparse, "not twice the dense rate: a cell of another column; not entered");
    else
        add_rate(s, row, sparse, true);
}

static void
read_rate(struct sheet *s, const struct lore_json *row)
{
    const struct lore_json *dense = lore_json_get(row, "dense");
    const char *dtype = lore_wiki_text(row, "dtype");

    if (!dense || dense->type != LORE_J_NUMBER) {
        doubt(s, row, "no dense rate; not entered");
        return;
    }
    if (!dtype || !lore_spec_peak(s->in->arena, dtype, true, false, NULL)) {
        doubt(s, row, "the type is not one that is known; not entered");
        return;
    }
    if (is_equation(row)) {
        doubt(s, row, "its use_case is an equation: a row of another table; not entered");
        return;
    }
    if (contradicts_bf16(s, row, dense->f)) {
        doubt(s, row, "fp16 differs from bf16 on matrix units: the label is wrong; not entered");
        return;
    }
    if (!is_matrix(row) && lore_spec_matrix_only(dtype))
        doubt(s, row, "vector units do not compute this type: entered as a matrix rate");
    add_rate(s, row, dense, false);
    read_sparse(s, row, dense->f);
}

/* ---- counts and sizes ---- */

static const char *
unit_of(const char *key, const struct lore_spec_name *name)
{
    static const char *const suffixes[][2] = {{"_kb", "KB"}, {"_mb", "MB"}, {"_gb", "GB"},
        {"_mhz", "MHz"}, {"_tbps", "TB/s"}, {"_gbps", "GB/s"}};

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *at = strstr(key, suffixes[i][0]);
        size_t n = strlen(suffixes[i][0]);
        if (at && (at[n] == '\0' || at[n] == '_'))
            return suffixes[i][1];
    }
    return name ? name->unit : "count";
}

static void
add_unknown(struct sheet *s, const struct lore_json *node, const char *metric, const char *why)
{
    struct lore_spec *x = add_spec(s, metric, node, s->evidence ? s->evidence : "derived");

    x->unknown = LORE_MISS_NO_SOURCE;
    x->note = why;
}

static const char *
name_of(const char *key)
{
    const struct lore_spec_name *name = lore_spec_name_find(key);
    return name ? name->name : key;
}

static bool
has_metric(const struct lore_json *object, const char *metric)
{
    for (const struct lore_json *m = object ? object->child : NULL; m; m = m->next) {
        if (strcmp(name_of(m->key), metric) == 0)
            return true;
    }
    return false;
}

/* Record METRIC as unknown when the sheet does not mention it, so that the gap is visible in
 * comparisons. */
static void
add_if_missing(struct sheet *s, const char *section, const char *metric)
{
    const struct lore_json *object = lore_json_get(s->facts, section);

    if (!has_metric(object, metric) && !has_metric(lore_json_get(s->facts, "unavailable"), metric))
        add_unknown(s, object ? object : s->facts, metric, "the source does not say it");
}

static void
read_values(struct sheet *s, const char *section)
{
    const struct lore_json *object = lore_json_get(s->facts, section);
    const struct lore_json *unavailable = lore_json_get(s->facts, "unavailable");
    const char *evidence = object ? evidence_of(s, object) : NULL;

    for (const struct lore_json *m = object ? object->child : NULL; m && evidence; m = m->next) {
        const struct lore_spec_name *name = lore_spec_name_find(m->key);
        if (m->type == LORE_J_NULL && !lore_json_get(unavailable, m->key))
            add_unknown(s, m, name_of(m->key), "the source leaves it open");
        if (m->type != LORE_J_NUMBER)
            continue;
        if (!name)
            lore_import_note(s->in, LORE_IL_NAMES,
                "%s.%s: quantity not in the catalogue; recorded under this name", section, m->key);
        struct lore_spec *x = add_spec(s, name ? name->name : m->key, m, evidence);
        x->value = (struct lore_f64){true, m->f};
        x->unit = unit_of(m->key, name);
    }
}

static void
read_unavailable(struct sheet *s)
{
    const struct lore_json *object = lore_json_get(s->facts, "unavailable");

    for (const struct lore_json *m = object ? object->child : NULL; m; m = m->next)
        add_unknown(s, m, name_of(m->key), m->type == LORE_J_STRING ? m->str : NULL);
}

/* ---- the sheet ---- */

/* The chip of the sheet: its product, or the only product with its ISA; NULL: neither is known. */
static const struct lore_chip *
chip_of(struct lore_import *in)
{
    const struct lore_json *identity = lore_json_get(lore_import_json(in->at), "identity");
    const char *product = lore_wiki_text(identity, "product");
    const char *isa = lore_wiki_text(identity, "sm_arch");
    const struct lore_chip *chip = product ? lore_chip_find(product) : NULL, *only = NULL;
    size_t n = 0, found = 0;

    if (chip && chip->product)
        return chip;
    const struct lore_chip *all = lore_chips(&n);
    for (size_t i = 0; isa && i < n; i++) {
        if (!all[i].product || !lore_streq(all[i].isa, isa))
            continue;
        only = &all[i];
        found++;
    }
    if (found == 1) {
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: product not recorded; %s is the only product with ISA %s", in->file, only->name,
            isa);
        return only;
    }
    lore_import_note(in, LORE_IL_DOUBTS,
        "%s: %s%s%s (products with its ISA: %zu); its numbers are only in the document, no spec is "
        "recorded",
        in->file, product ? "\"" : "the sheet names no product", product ? product : "",
        product ? "\" is no product of the catalogue" : "", found);
    return NULL;
}

static const char *
extra_of(struct sheet *s)
{
    struct lore_buf out = {.max = 1u << 20};
    struct lore_jsonw w;

    if (s->doubts.n == 0)
        return NULL;
    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_w_key(&w, "doubts");
    lore_w_arr(&w);
    for (size_t i = 0; i < s->doubts.n; i++)
        lore_w_str(&w, s->doubts.v[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    bool good = lore_jsonw_end(&w, NULL) == LORE_OK;
    const char *text = good ? lore_strndup(s->in->arena, out.data, out.len) : NULL;
    lore_buf_free(&out);
    return text;
}

static void
read_sheet(struct sheet *s)
{
    const struct lore_json *rows = lore_json_get(s->facts, "peak_compute");

    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next)
        read_rate(s, r);
    read_values(s, "memory");
    read_values(s, "compute_units");
    read_unavailable(s);
    add_if_missing(s, "memory", "hbm_bandwidth");
    add_if_missing(s, "compute_units", "compute_units");
    lore_import_unknown_keys(s->in, s->facts, KNOWN);
}

void
lore_hardware_map_sheet(struct lore_import *in)
{
    struct lore_submission *doc = in->doc;
    struct lore_source_document *d = LORE_PUSH(
        in->arena, doc->source_documents, doc->n_source_documents, doc->cap_source_documents);
    struct sheet s = {.in = in, .facts = lore_json_get(lore_import_json(in->at), "facts")};
    const char *title = lore_wiki_text(s.facts, "summary");

    d->id = lore_hardware_id(in, "document");
    d->title = title && strlen(title) <= 200 ? title : in->file;
    d->path = lore_hardware_path(in);
    d->text = in->text;
    d->provenance = lore_hardware_provenance(in);
    s.document = d->id;
    s.provenance = d->provenance;
    s.evidence = lore_spec_evidence(
        lore_wiki_text(lore_json_get(lore_import_json(in->at), "provenance"), "evidence_class"));
    s.chip = chip_of(in);
    if (s.chip)
        read_sheet(&s);
    d->extra = extra_of(&s);
    lore_import_note(in, LORE_IL_EXTRA,
        "usage_notes and other members without a number: kept in the text of the source document");
}
