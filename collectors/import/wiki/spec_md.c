/* Reads a hardware specification in Markdown. It has sections about products, with tables of peak
 * rates and parameters, and sections about the architecture. A number in such a table becomes a
 * spec of the product in the heading above it, with line and quote. Nothing is copied between
 * products: "same as H100" is only listed in the report. Numbers about the architecture are
 * recorded for the product that the document is about, with a note.
 *
 * Numbers are recorded as stated, even when they look wrong; the service detects conflicts. Tables
 * with other columns are kept only in the stored text of the document. */
#include "collectors/import/wiki/spec_md.h"

#include <math.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/spec_names.h"
#include "service/wire/build.h"

struct reader {
    struct lore_import *in;
    struct lore_md md;
    const char *document;
    const struct lore_chip *subject; /* product that the document is about; NULL: none */
    bool published;                  /* the document says that its numbers come from the vendor */
};
/* The context of a table: the section above it. */
struct context {
    const struct lore_chip *chip; /* NULL: no product */
    bool architecture; /* the heading names no product; `chip` is the document's subject */
    const char *heading;
};

/* Whether TEXT begins with "# Hardware comparison …" and has a table whose columns are products. */
static bool
is_comparison(const char *text)
{
    const char *word = strcasestr(text, "hardware comparison");

    return lore_starts(text, "# ") && word && word < text + strcspn(text, "\n") &&
           (strstr(text, "\n| L2 Cache |") || strcasestr(text, "bandwidth |"));
}

bool
lore_hardware_spec_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    size_t n = strlen(unit);

    if (!f || !f->utf8 || n < 3 || strcmp(unit + n - 3, ".md") != 0)
        return false;
    if (is_comparison(f->text))
        return true;
    const char *peaks = strstr(f->text, "| Precision |");
    const char *line_end = peaks ? strchr(peaks, '\n') : NULL;
    const char *word = peaks ? strcasestr(peaks, "peak") : NULL;
    return (word && line_end && word < line_end) ||
           (strstr(f->text, "| Parameter | Value") && strcasestr(f->text, "| Memory Bandwidth |"));
}

/* The length of S[0..N) without its last word, when that is a number, GB, GPU, Center or Data; 0:
 * it is another word. */
static size_t
without_last_word(const char *s, size_t n)
{
    static const char *const words[] = {"GB", "GPU", "Center", "Data"};
    size_t start = n;

    while (start > 0 && s[start - 1] != ' ')
        start--;
    bool drop = start > 0 && strspn(s + start, "0123456789") >= n - start;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        drop |= strlen(words[i]) == n - start && strncmp(s + start, words[i], n - start) == 0;
    while (drop && start > 0 && s[start - 1] == ' ')
        start--;
    return drop ? start : 0;
}

/* The product of a heading such as "NVIDIA H100 SXM (sm_90, Hopper)"; NULL: none. */
static const struct lore_chip *
product_of(struct lore_arena *arena, const char *heading)
{
    size_t n = strcspn(heading, "(");

    while (n > 0 && heading[n - 1] == ' ')
        n--;
    for (; n > 0; n = without_last_word(heading, n)) {
        const struct lore_chip *c = lore_chip_find(lore_strndup(arena, heading, n));
        if (c)
            return c->product ? c : NULL;
    }
    return NULL;
}

/* The product named by the first word of TEXT that names one; NULL: none. */
static const struct lore_chip *
product_in(struct lore_arena *arena, const char *text)
{
    static const char separators[] = " _.,:;()*/-";

    for (const char *p = text + strspn(text, separators); *p;) {
        size_t n = strcspn(p, separators);
        const char *next = p + n + strspn(p + n, separators);
        const struct lore_chip *c = lore_chip_find(lore_strndup(arena, p, n));
        if (c && c->product && !lore_chip_variant(next, strcspn(next, separators)))
            return c;
        p = next;
    }
    return NULL;
}

static struct context
context_of(const struct reader *r, size_t line)
{
    struct context p = {.chip = r->subject, .architecture = true, .heading = ""};

    for (size_t i = 0; i < r->md.n_lines && r->md.lines[i].line < line; i++) {
        const struct lore_md_line *l = &r->md.lines[i];
        if (l->level < 1 || l->level > 2)
            continue;
        const struct lore_chip *c = product_of(r->in->arena, l->text);
        p.chip = c ? c : r->subject;
        p.architecture = !c;
        p.heading = l->text;
    }
    return p;
}

/* The evidence class of a row. A number computed from an official total is "derived". */
static const char *
evidence_of(const struct reader *r, const struct lore_md_row *row)
{
    static const char *const derived[] = {"×", "Based on", "divided by", " GPUs)"};
    bool official = false;

    for (size_t i = 1; i < row->n; i++) {
        official |= strstr(row->cells[i], "fficial") != NULL;
        for (size_t k = 0; i > 1 && k < sizeof derived / sizeof *derived; k++) {
            if (strstr(row->cells[i], derived[k]))
                return "derived";
        }
    }
    return official || r->published ? "vendor_published" : "repository_reference";
}

/* The text of the last column as a remark; "" when it is a dash or another number. */
static const char *
remark_of(struct lore_arena *arena, const struct lore_md_row *row)
{
    const char *last = row->n > 2 ? row->cells[row->n - 1] : "";
    struct lore_spec_md_value v;

    if (strcmp(last, "—") == 0 || (lore_spec_value_parse(arena, last, &v) && !*v.rest))
        return "";
    return last;
}

static void
append_note(struct lore_arena *arena, const char **note, const char *words)
{
    if (words && *words)
        *note = *note ? lore_format(arena, "%s; %s", *note, words) : words;
}

/* Add a spec for value V in ROW. Text around the number becomes the note. */
static void
add_value(struct reader *r, const struct context *p, const struct lore_md_row *row,
    const char *metric, const struct lore_spec_md_value *v, const char *unit)
{
    struct lore_arena *arena = r->in->arena;
    const char *note = NULL;

    r->in->records++;
    if (strlen(metric) > 200) {
        lore_import_refuse_line(
            r->in, row->line, "the name of the quantity is longer than 200 bytes");
        return;
    }
    const struct lore_spec_citation at = {"hardware-spec", p->chip->name, r->document, row->line};
    struct lore_spec *s = lore_spec_md_add(r->in, &at, metric, v, unit);
    s->evidence_class = evidence_of(r, row);
    if (v->approximate)
        append_note(arena, &note, "approximate");
    if (v->up_to)
        append_note(arena, &note, "up to");
    append_note(arena, &note, v->rest);
    append_note(arena, &note, remark_of(arena, row));
    if (p->architecture)
        append_note(arena, &note,
            lore_format(arena, "stated for the architecture (%s); the document is about %s",
                p->heading, p->chip->title));
    s->note = note;
}

/* ---- peak rates ---- */

#define PEAKS_MAX 8

/* The number formats in the first cell of a row of peak rates. `matrix`: rates of matrix units, not
 * of vector units. */
struct peaks {
    const char *types[PEAKS_MAX];
    size_t n;
    bool matrix, sparse;
};

/* Parse the number formats in CELL: "FP16 / BF16 (Matrix)", "FP32 (Tensor Core / TF32)", "FP64
 * CUDA". *MATRIX: matrix units; *SAID (may be NULL): the cell names the units. */
static size_t
types_of(struct lore_arena *arena, const char *cell, const char **out, size_t most, bool *matrix,
    bool *said)
{
    const char *paren = strchr(cell, '(');
    size_t n = paren ? (size_t)(paren - cell) : strlen(cell), count = 0;

    *matrix = strstr(cell, "atrix") || strstr(cell, "Tensor");
    if (said)
        *said = *matrix || strstr(cell, "CUDA") || strstr(cell, "ector");
    if (paren && strstr(paren, "TF32")) {
        out[0] = "tf32";
        return 1;
    }
    for (size_t at = 0; at < n && count < most;) {
        size_t len = strcspn(cell + at, "/,(");
        const char *p = cell + at + strspn(cell + at, " ");
        at += len + 1;
        len = strcspn(p, " /,(");
        if (len == 0)
            continue;
        out[count++] = lore_strndup(arena, p, len);
        *matrix |= !paren && lore_spec_matrix_only(out[count - 1]);
    }
    return count;
}

/* Add one peak rate per number format of OF, each with the value in CELL. */
static void
add_peaks(struct reader *r, const struct context *p, const struct lore_md_row *row,
    const char *cell, const struct peaks *of)
{
    struct lore_spec_md_value v;

    if (!lore_spec_value_parse(r->in->arena, cell, &v))
        return;
    for (size_t k = 0; k < of->n; k++) {
        const char *unit = NULL;
        const char *metric =
            lore_spec_peak(r->in->arena, of->types[k], of->matrix, of->sparse, &unit);
        if (metric) {
            add_value(r, p, row, metric, &v, unit);
            continue;
        }
        r->in->records++;
        lore_import_refuse_line(
            r->in, row->line, "\"%s\" is not a known number format", of->types[k]);
    }
}

static void
take_peaks(struct reader *r, const struct lore_md_table *t, const struct context *p)
{
    struct peaks of = {0};

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        of.n = types_of(r->in->arena, row->cells[0], of.types, PEAKS_MAX, &of.matrix, NULL);
        for (size_t c = 1; c < row->n && c < t->header.n; c++) {
            of.sparse = strstr(t->header.cells[c], "parsity") != NULL;
            if (of.sparse || strcasestr(t->header.cells[c], "peak"))
                add_peaks(r, p, row, row->cells[c], &of);
        }
    }
}

/* ---- parameters ---- */

static void
take_parameter(struct reader *r, const struct lore_md_row *row, const struct context *p,
    const char *cell, bool any_quantity)
{
    const struct lore_spec_name *name = lore_spec_name_find(row->cells[0]);
    struct lore_spec_md_value v;

    if (strstr(row->cells[0], "same as") || strstr(cell, "ame as")) {
        lore_import_note(r->in, LORE_IL_DOUBTS,
            "%s line %zu: \"%s\" refers to another product; not recorded", r->in->at->path,
            row->line, row->cells[0]);
        return;
    }
    bool number = lore_spec_value_parse(r->in->arena, cell, &v);
    /* a quantity without a catalogue name must be one plain number */
    if (!number || (!name && (!any_quantity || v.computed || (*v.rest && *v.rest != '(') ||
                                 strcasestr(row->cells[0], "capability")))) {
        lore_import_note(r->in, LORE_IL_EXTRA, "%s line %zu: %s: %s; kept in the document",
            r->in->at->path, row->line, row->cells[0],
            number ? "unknown quantity" : "no number, or a range");
        return;
    }
    const char *metric = name ? name->name : lore_slug(r->in->arena, row->cells[0]);
    const char *unit = name ? name->unit : "count";
    if (*metric)
        add_value(r, p, row, metric, &v, unit);
}

static void
take_parameters(
    struct reader *r, const struct lore_md_table *t, const struct context *p, bool any_quantity)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->rows[i].n >= 2)
            take_parameter(r, &t->rows[i], p, t->rows[i].cells[1], any_quantity);
    }
}

/* ---- ridge points ---- */

/* Whether the ridge point in FORMULA ("81.7 / 5.3 ≈ 15.4") is for matrix units: false when its
 * numerator is a vector peak of CHIP. */
static bool
is_matrix_ridge(const struct reader *r, const char *chip, const char *type, const char *formula)
{
    double numerator = 0;
    const char *vector = lore_spec_peak(r->in->arena, type, false, false, NULL);

    if (lore_spec_matrix_only(type) || !lore_md_number(formula, &numerator, NULL, NULL) || !vector)
        return true;
    for (size_t i = 0; i < r->in->doc->n_specs; i++) {
        const struct lore_spec *s = &r->in->doc->specs[i];
        if (lore_streq(s->chip, chip) && strcmp(s->metric, vector) == 0 &&
            fabs(s->value.v - numerator) < 1e-6 * numerator)
            return false;
    }
    return true;
}

static void
add_ridge(struct reader *r, const struct lore_chip *chip, const char *types_cell,
    const char *formula, size_t line)
{
    struct lore_spec_md_value v;
    const char *types[8];
    bool says_matrix = false, says_units = false;
    size_t n = types_of(r->in->arena, types_cell, types, 8, &says_matrix, &says_units);

    if (!lore_spec_value_parse(r->in->arena, formula, &v))
        return;
    v.unit = "";
    for (size_t k = 0; k < n; k++) {
        bool matrix = says_units ? says_matrix : is_matrix_ridge(r, chip->name, types[k], formula);
        const char *metric = lore_spec_ridge(r->in->arena, types[k], matrix);
        if (!metric)
            continue;
        r->in->records++;
        const struct lore_spec_citation at = {"hardware-spec", chip->name, r->document, line};
        struct lore_spec *s = lore_spec_md_add(r->in, &at, metric, &v, "FLOP/B");
        s->evidence_class = "derived";
        s->note = formula;
    }
}

static size_t
column(const struct lore_md_table *t, const char *word)
{
    for (size_t i = 0; i < t->header.n; i++) {
        if (strstr(t->header.cells[i], word))
            return i;
    }
    return SIZE_MAX;
}

static void
take_ridges(struct reader *r, const struct lore_md_table *t)
{
    size_t ridge = column(t, "Ridge"), type = column(t, "Precision"), gpu = column(t, "GPU");

    for (size_t i = 0; i < t->n && type != SIZE_MAX; i++) {
        const struct lore_md_row *row = &t->rows[i];
        const struct lore_chip *chip = r->subject;
        if (row->n <= ridge || row->n <= type)
            continue;
        if (gpu != SIZE_MAX && gpu < row->n)
            chip = product_of(r->in->arena, row->cells[gpu]);
        if (chip)
            add_ridge(r, chip, row->cells[type], row->cells[ridge], row->line);
    }
}

/* Read ridge points from bullets such as "FP64: 81.7 / 5.3 ≈ **15.4 FLOPs/Byte**" below a line such
 * as "**Roofline knee points for MI300X**:". */
static void
take_ridge_bullets(struct reader *r)
{
    const struct lore_chip *chip = NULL;

    for (size_t i = 0; i < r->md.n_lines; i++) {
        const struct lore_md_line *l = &r->md.lines[i];
        if (l->bullet == 0) {
            bool about = strstr(l->text, "knee point") || strstr(l->text, "idge point");
            chip = about ? product_in(r->in->arena, l->text) : NULL;
            continue;
        }
        const char *plain = lore_md_plain(r->in->arena, l->text);
        const char *colon = strchr(plain, ':');
        if (!chip || !colon || !strstr(plain, "≈"))
            continue;
        const char *types = lore_strndup(r->in->arena, plain, (size_t)(colon - plain));
        const char *formula = colon + 1 + strspn(colon + 1, " ");
        add_ridge(r, chip, types, formula, l->line);
    }
}

/* Bullets such as "Memory Bandwidth: 2,039 GB/s". */
static void
take_bullets(struct reader *r)
{
    for (size_t i = 0; i < r->md.n_lines; i++) {
        const struct lore_md_line *l = &r->md.lines[i];
        const char *plain = l->bullet > 0 ? lore_md_plain(r->in->arena, l->text) : "";
        const char *colon = strchr(plain, ':');
        if (!colon)
            continue;
        const char *cells[] = {lore_strndup(r->in->arena, plain, (size_t)(colon - plain)),
            colon + 1 + strspn(colon + 1, " ")};
        struct context p = context_of(r, l->line);
        if (p.chip && lore_spec_name_find(cells[0]))
            take_parameter(r, &(struct lore_md_row){l->line, cells, 2}, &p, cells[1], false);
    }
}

/* ---- comparisons ---- */

/* Read a table whose columns are products; false when no column names a product. */
static bool
take_comparison(struct reader *r, const struct lore_md_table *t)
{
    bool any = false;

    for (size_t c = 1; c < t->header.n; c++) {
        const struct lore_chip *chip = product_of(r->in->arena, t->header.cells[c]);
        struct context p = {.chip = chip, .heading = t->header.cells[c]};
        if (!chip)
            continue;
        any = true;
        for (size_t i = 0; i < t->n; i++) {
            const struct lore_md_row *row = &t->rows[i];
            struct lore_spec_md_value v;
            const struct lore_spec_name *name = lore_spec_name_find(row->cells[0]);
            if (c >= row->n || !lore_spec_value_parse(r->in->arena, row->cells[c], &v))
                continue;
            if (name)
                add_value(r, &p, &(struct lore_md_row){row->line, row->cells, 2}, name->name, &v,
                    name->unit);
            else
                lore_import_note(r->in, LORE_IL_EXTRA,
                    "%s line %zu: %s: unknown quantity; kept in the document", r->in->at->path,
                    row->line, row->cells[0]);
        }
    }
    return any;
}

static void
take_table(struct reader *r, const struct lore_md_table *t)
{
    const char *first = t->header.cells[0], *second = t->header.n > 1 ? t->header.cells[1] : "";
    struct context p = context_of(r, t->line);

    if (column(t, "Ridge") != SIZE_MAX) {
        take_ridges(r, t);
        return;
    }
    if (!p.chip) {
        if (take_comparison(r, t))
            return;
        lore_import_note(r->in, LORE_IL_EXTRA,
            "%s line %zu: the section of this table names no product; kept in the document",
            r->in->at->path, t->line);
        return;
    }
    if (lore_streqi(first, "precision") && strcasestr(second, "peak"))
        take_peaks(r, t, &p);
    else if (lore_streqi(first, "parameter") && lore_streqi(second, "value"))
        take_parameters(r, t, &p, true);
    else if (lore_streqi(first, "level") && lore_streqi(second, "size"))
        take_parameters(r, t, &p, false);
    else if (!take_comparison(r, t))
        lore_import_note(r->in, LORE_IL_EXTRA,
            "%s line %zu: a table of \"%s\"; kept in the document", r->in->at->path, t->line,
            first);
}

/* The product in the file's name, else in the first heading of level 1 or 2 that names one. */
static const struct lore_chip *
subject_of(struct reader *r)
{
    const struct lore_chip *c = product_in(r->in->arena, r->in->file);

    for (size_t i = 0; i < r->md.n_lines && !c; i++) {
        if (r->md.lines[i].level == 1 || r->md.lines[i].level == 2)
            c = product_of(r->in->arena, r->md.lines[i].text);
    }
    return c;
}

enum lore_status
lore_hardware_spec_read(struct lore_import *in, struct lore_err *err)
{
    struct reader r = {.in = in};

    lore_md_parse(in->arena, in->at->text, in->at->len, NULL, &r.md);
    r.document = lore_spec_md_document(in, in->at, &r.md);
    if (!r.document)
        return lore_fail(
            err, LORE_INVALID, "expected a non-empty UTF-8 file whose path has at most 1000 bytes");
    r.subject = subject_of(&r);
    r.published = strstr(in->at->text, "'s published") != NULL;
    for (size_t i = 0; i < r.md.n_tables; i++) {
        if (r.md.tables[i].header.n > 0)
            take_table(&r, &r.md.tables[i]);
    }
    take_ridge_bullets(&r);
    take_bullets(&r);
    if (in->doc->n_specs == 0)
        return lore_fail(err, LORE_INVALID, "no hardware number belongs to a known product");
    lore_import_note(in, LORE_IL_NAMES, "%s: about %s", in->at->path,
        r.subject ? r.subject->title : "no single product");
    return LORE_OK;
}
