/* Reads a leaderboard in Markdown: a table with the columns Operator and Best Speedup. Each
 * operator may have a folder beside it with notes.md, baseline.cu and v<N>_<tag>.cu. Every row
 * becomes an experiment from the baseline to the best version. Its speedups are claims relative to
 * the first version; a typical range is stored as low and high. A row such as "Baseline optimal"
 * without a number is also a result. Failed attempts become separate experiments.
 *
 * Each id is derived from one row, source file or note, so importing a grown board again adds only
 * the new parts. The board does not record lineage; the importer assumes that each version derives
 * from the one with the next lower number. */
#include "collectors/import/leaderboard/leaderboard_md.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collectors/import/importers.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

struct board {
    struct lore_import *in;
    struct lore_leaderboard_entry *v;
    size_t n, cap;
};

/* The next leaderboard below DIR after AFTER. Only Markdown is loaded. */
static struct lore_import_file *
next_board(const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after)
{
    struct lore_import_file *f = NULL;

    for (; (f = lore_tree_next_path(t, dir, after)); after = f) {
        size_t n = strlen(f->path);
        if (n > 3 && strcmp(f->path + n - 3, ".md") == 0 && lore_tree_open(t, f) && f->utf8 &&
            strstr(f->text, "| Operator") && strstr(f->text, "Best Speedup"))
            return f;
    }
    return NULL;
}

/* Is F directly in DIR? */
static bool
is_directly_in(const struct lore_import_file *f, const char *dir)
{
    size_t n = strlen(dir);
    return !strchr(f->path + (n ? n + 1 : 0), '/');
}

bool
lore_leaderboard_detect(const struct lore_import_tree *t, const char *unit)
{
    struct lore_import_file *f = NULL;

    while ((f = next_board(t, unit, f))) {
        if (is_directly_in(f, unit))
            return true;
    }
    return false;
}

/* ---- rows ---- */

/* "[row_topk](row_topk/)" -> "row_topk" */
static const char *
without_link(struct lore_arena *arena, const char *cell)
{
    const char *end = cell[0] == '[' ? strstr(cell, "](") : NULL;
    return end ? lore_strndup(arena, cell + 1, (size_t)(end - cell - 1)) : cell;
}

static const char *
cell(struct lore_arena *arena, const struct lore_md_table *t, const struct lore_md_row *row,
    const char *name)
{
    for (size_t i = 0; i < t->header.n && i < row->n; i++) {
        const char *head = t->header.cells[i];
        /* "(Typical)" */
        if (lore_streqi(head, name) ||
            (head[0] == '(' && strncasecmp(head + 1, name, strlen(name)) == 0))
            return without_link(arena, row->cells[i]);
    }
    return "";
}

static const char *
row_json(struct lore_arena *arena, const struct lore_md_table *t, const struct lore_md_row *row)
{
    struct lore_buf b = {.max = 1u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < row->n; i++) {
        bool needs_name = i >= t->header.n || !*t->header.cells[i];
        for (size_t k = 0; k < i && !needs_name; k++)
            needs_name = strcmp(t->header.cells[k], t->header.cells[i]) == 0;
        lore_w_kstr(&w, needs_name ? lore_format(arena, "column %zu", i + 1) : t->header.cells[i],
            row->cells[i]);
    }
    lore_w_obj_end(&w);
    const char *out =
        lore_jsonw_end(&w, NULL) == LORE_OK ? lore_strndup(arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

static struct lore_leaderboard_entry *
entry_of(struct board *b, const char *name)
{
    for (size_t i = 0; i < b->n; i++) {
        if (strcmp(b->v[i].name, name) == 0)
            return &b->v[i];
    }
    struct lore_leaderboard_entry *e = LORE_PUSH(b->in->arena, b->v, b->n, b->cap);
    e->name = name;
    e->impl = e->bottleneck = e->speedup = e->typical = e->status = e->details = "";
    e->best = e->attempts = -1;
    return e;
}

static void
merge_cell(struct board *b, struct lore_leaderboard_entry *e, const char **field, const char *text,
    const char *name)
{
    if (!*text || strcmp(*field, text) == 0)
        return;
    if (**field)
        lore_import_note(b->in, LORE_IL_CONFLICTS, "%s: %s is \"%s\" and \"%s\" in another table",
            e->name, name, *field, text);
    else
        *field = text;
}

static void
take_row(struct board *b, const struct lore_md_table *t, const struct lore_md_row *row)
{
    struct lore_arena *arena = b->in->arena;
    const char *name = cell(arena, t, row, "Operator");

    b->in->records++;
    if (!*name || strlen(name) > 100) {
        lore_import_refuse_line(b->in, row->line, "Operator: missing or longer than 100 bytes");
        return;
    }
    size_t before = b->n;
    struct lore_leaderboard_entry *e = entry_of(b, name);
    if (b->n == before && e->file)
        b->in->records--; /* a second table about the same operator is not a new entry */
    merge_cell(b, e, &e->impl, cell(arena, t, row, "Impl"), "Impl");
    merge_cell(b, e, &e->bottleneck, cell(arena, t, row, "Bottleneck"), "Bottleneck");
    merge_cell(b, e, &e->speedup, cell(arena, t, row, "Best Speedup"), "Best Speedup");
    merge_cell(b, e, &e->typical, cell(arena, t, row, "Typical"), "Typical");
    merge_cell(b, e, &e->status, cell(arena, t, row, "Status"), "Status");
    merge_cell(b, e, &e->details, cell(arena, t, row, "Details"), "Details");
    const char *raw = row_json(arena, t, row);
    e->raw = e->raw && raw ? lore_format(arena, "%s,%s", e->raw, raw) : raw;
    if (!e->file) {
        e->file = b->in->at->path;
        e->line = row->line;
    }
}

static void
read_tables(struct board *b)
{
    struct lore_import_file *f = NULL;

    while ((f = next_board(b->in->tree, b->in->unit, f))) {
        struct lore_md md;
        lore_import_open(b->in, f);
        lore_md_parse(b->in->arena, f->text, f->len, NULL, &md);
        for (size_t i = 0; i < md.n_tables; i++) {
            const struct lore_md_table *t = &md.tables[i];
            bool speedups = false;
            for (size_t k = 0; k < t->header.n; k++)
                speedups |= lore_streqi(t->header.cells[k], "Best Speedup");
            for (size_t k = 0; speedups && k < t->n; k++)
                take_row(b, t, &t->rows[k]);
        }
    }
}

/* ---- folders ---- */

/* The version number in a file name: 2 with its tag for "v2_warp_level_reduce.cu", 0 for
 * "baseline.cu", -1 for other names. */
static int64_t
source_number(struct lore_arena *arena, const char *path, const char **tag)
{
    static const char *const ends[] = {".cu", ".hip", ".cpp", ".py", ".s", ".cuh"};
    const char *name = lore_build_basename(path), *dot = strrchr(name, '.');
    bool source = false;
    int64_t n = 0;

    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        source |= strcmp(dot, ends[i]) == 0;
    *tag = NULL;
    if (!source)
        return -1;
    if (strncmp(name, "baseline.", 9) == 0)
        return 0;
    size_t digits = name[0] == 'v' ? strspn(name + 1, "0123456789") : 0;
    if (digits == 0 || digits > 6)
        return -1;
    for (size_t i = 1; i <= digits; i++)
        n = n * 10 + (name[i] - '0');
    const char *rest = name + 1 + digits;
    if (rest[0] == '_' && dot > rest + 1)
        *tag = lore_strndup(arena, rest + 1, (size_t)(dot - rest - 1));
    return rest == dot || *tag ? n : -1;
}

static int
by_number(const void *a, const void *b)
{
    const struct lore_leaderboard_version *x = a, *y = b;
    return x->n < y->n ? -1 : x->n > y->n;
}

/* Find the folders of operators by their notes and source files. */
static void
read_folders(struct board *b)
{
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next(b->in->tree, b->in->unit, f))) {
        const char *tag = NULL, *name = lore_build_basename(f->path);
        int64_t n = source_number(b->in->arena, f->path, &tag);
        bool notes = strcmp(name, "notes.md") == 0;
        if (!f->utf8 || (n < 0 && !notes) || is_directly_in(f, b->in->unit))
            continue;
        const char *dir = lore_strndup(b->in->arena, f->path, (size_t)(name - f->path) - 1);
        struct lore_leaderboard_entry *e = entry_of(b, lore_build_basename(dir));
        if (e->dir && strcmp(e->dir, dir) != 0)
            continue; /* a second folder of the same name: its files are stored as artifacts only */
        e->dir = dir;
        if (notes) {
            e->notes = f;
            continue;
        }
        struct lore_leaderboard_version *v =
            LORE_PUSH(b->in->arena, e->versions, e->n_versions, e->cap_versions);
        *v = (struct lore_leaderboard_version){.file = f, .n = n, .tag = tag};
        f->read = true;
    }
    for (size_t i = 0; i < b->n; i++) {
        if (b->v[i].n_versions > 1)
            qsort(b->v[i].versions, b->v[i].n_versions, sizeof *b->v[i].versions, by_number);
        if (!b->v[i].file)
            lore_import_note(
                b->in, LORE_IL_DOUBTS, "%s: the folder has no row in the table", b->v[i].name);
    }
}

/* ---- records ---- */

static const char *
add_version(struct lore_import *in, struct lore_leaderboard_entry *e,
    struct lore_leaderboard_version *v, const char *parent)
{
    struct lore_submission *doc = in->doc;
    char hex[LORE_HASH_HEX] = "none";

    if (v->file)
        lore_hash_hex(v->file->text, v->file->len, hex);
    v->id = lore_build_id(in->arena, 0, "leaderboard-version|%s|%lld|%s|%s|%s", e->kernel,
        (long long)v->n, v->tag ? v->tag : "", hex, parent ? parent : "");
    struct lore_version *out =
        LORE_PUSH(in->arena, doc->versions, doc->n_versions, doc->cap_versions);
    out->id = v->id;
    out->kernel = e->kernel;
    out->kind = v->n == 0 ? LORE_V_BASELINE : LORE_V_CANDIDATE;
    out->ordinal = (struct lore_i64){v->n > 0, v->n};
    out->label = v->n == 0 ? "baseline" : lore_format(in->arena, "v%lld", (long long)v->n);
    out->tag = v->tag && strlen(v->tag) <= 200 ? v->tag : NULL;
    out->provenance.system = LORE_LEADERBOARD_SYSTEM;
    out->provenance.external_id = lore_format(in->arena, "%s/%s", e->name, out->label);
    if (v->file) {
        struct lore_source *s =
            LORE_PUSH(in->arena, out->sources, out->n_sources, out->cap_sources);
        *s = (struct lore_source){lore_build_basename(v->file->path), v->file->text};
    }
    if (parent) {
        struct lore_parent *p =
            LORE_PUSH(in->arena, out->parents, out->n_parents, out->cap_parents);
        *p = (struct lore_parent){parent, LORE_E_DERIVED_FROM};
        out->extra = "{\"lineage_inferred\":true}";
    }
    return v->id;
}

const char *
lore_leaderboard_version_id(struct lore_import *in, struct lore_leaderboard_entry *e, int64_t n)
{
    if (n < 0)
        return NULL;
    for (size_t i = 0; i < e->n_versions; i++) {
        if (e->versions[i].n == n)
            return e->versions[i].id;
    }
    struct lore_leaderboard_version *v =
        LORE_PUSH(in->arena, e->versions, e->n_versions, e->cap_versions);
    *v = (struct lore_leaderboard_version){.n = n};
    return add_version(in, e, v, NULL);
}

struct lore_experiment *
lore_leaderboard_experiment(
    struct lore_import *in, const struct lore_leaderboard_entry *e, const char *key)
{
    struct lore_submission *doc = in->doc;
    struct lore_experiment *x =
        LORE_PUSH(in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);

    x->id =
        lore_build_id(in->arena, 0, "leaderboard|%s|%s|%s", e->kernel, e->chip ? e->chip : "", key);
    x->kernel = e->kernel;
    x->chip = e->chip;
    x->evidence = LORE_EV_IMPORTED;
    x->provenance.system = LORE_LEADERBOARD_SYSTEM;
    return x;
}

bool
lore_leaderboard_range(const char *text, double *low, double *high)
{
    const char *rest = NULL;

    if (!lore_md_number(text, low, &rest, NULL))
        return false;
    rest += strspn(rest, " x");
    if (lore_starts(rest, "×"))
        rest += strlen("×");
    rest += strspn(rest, " ");
    if (lore_starts(rest, "–") || lore_starts(rest, "—"))
        rest += strlen("–");
    else if (*rest == '-')
        rest++;
    else
        return false;
    return lore_md_number(rest, high, NULL, NULL) && *low >= 0 && *low <= *high && *high < 1e9;
}

void
lore_leaderboard_claim_row(
    struct lore_import *in, struct lore_leaderboard_entry *e, struct lore_experiment *x)
{
    double v = 0, low = 0, high = 0;

    e->used = true;
    x->claim.set = true;
    x->claim.base = LORE_BASE_FIRST;
    if (!x->claim.outcome && *e->status && strlen(e->status) <= 200)
        x->claim.outcome = e->status;
    if (lore_md_number(e->speedup, &v, NULL, NULL) && v >= 0 && v < 1e9)
        x->claim.speedup = (struct lore_f64){true, v};
    if (lore_leaderboard_range(e->typical, &low, &high)) {
        x->claim.speedup_low = (struct lore_f64){true, low};
        x->claim.speedup_high = (struct lore_f64){true, high};
    } else if (*e->typical) {
        lore_import_note(in, LORE_IL_DOUBTS, "%s: typical \"%s\" is not a range; kept in extra",
            e->name, e->typical);
    }
    if (x->claim.speedup.set && x->claim.speedup_high.set && v > high)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: the best speed-up (%s) lies above the typical range (%s)", e->name, e->speedup,
            e->typical);
    if (*e->bottleneck && !lore_build_labels(in->arena, &x->bottleneck, e->bottleneck))
        lore_import_note(in, LORE_IL_LABELS, "\"%s\": not understood; kept as text", e->bottleneck);
    else if (*e->bottleneck)
        lore_import_note(in, LORE_IL_LABELS, "\"%s\": %s", e->bottleneck,
            lore_labels_text(in->arena, lore_labels_parse(e->bottleneck, NULL)));
    if (*e->details)
        x->notes = x->notes ? lore_format(in->arena, "%s\n%s", x->notes, e->details) : e->details;
    x->provenance.path = e->file;
    if (e->raw)
        x->extra = lore_format(in->arena, "{\"leaderboard\":[%s]}", e->raw);
}

static void
set_names(struct lore_import *in, struct lore_leaderboard_entry *e)
{
    e->op = lore_operator_name(in->arena, e->name);
    if (!*e->op)
        e->op = "unnamed";
    if (strcmp(e->op, e->name) != 0)
        lore_import_note(in, LORE_IL_NAMES, "%s: operator %s", e->name, e->op);
    e->language = *e->impl ? lore_language_find(e->impl) : LORE_LANG_NONE;
    if (e->language == LORE_LANG_NONE) {
        e->language = LORE_LANG_OTHER;
        lore_import_note(in, LORE_IL_NAMES, "%s: implementation \"%s\": language other", e->name,
            *e->impl ? e->impl : "not recorded");
    }
    e->kernel = lore_build_kernel(in->arena, in->doc, e->op, e->language, e->name);
    if ((*e->status == 'V' || *e->status == 'v') && e->status[1] >= '0' && e->status[1] <= '9') {
        double n = -1;
        if (lore_md_number(e->status + 1, &n, NULL, NULL) && n >= 0 && n < 1e6)
            e->best = (int64_t)n;
    }
    const char *at = strstr(e->details, " attempts");
    while (at && at > e->details && at[-1] >= '0' && at[-1] <= '9')
        at--;
    double n = -1;
    if (at && lore_md_number(at, &n, NULL, NULL) && n >= 0 && n < 1000)
        e->attempts = (int64_t)n;
}

/* Set the chip from notes.md, because the table has no column for it. */
static void
set_chip(struct lore_import *in, struct lore_leaderboard_entry *e)
{
    const char *p = e->notes ? e->notes->text : "";

    for (; *p && !e->chip; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *key = p + strspn(p, " -*#");
        if (strncasecmp(key, "platform", 8) != 0 && strncasecmp(key, "gpu", 3) != 0 &&
            strncasecmp(key, "hardware", 8) != 0)
            continue;
        const char *value = key + strcspn(key, ":\n");
        value += strspn(value, ":* ");
        size_t n = strcspn(value, "\r\n(,");
        while (n > 0 && strchr(" *", value[n - 1]))
            n--;
        const struct lore_chip *c = lore_chip_find(lore_strndup(in->arena, value, n));
        e->chip = c ? c->name : NULL;
    }
    if (!e->chip)
        lore_import_note(in, LORE_IL_DOUBTS, "%s: no chip recorded; chip unknown", e->name);
}

static void
add_campaign(struct lore_import *in, struct lore_leaderboard_entry *e)
{
    struct lore_submission *doc = in->doc;

    if (e->attempts < 0)
        return;
    e->campaign = lore_build_id(in->arena, 0, "leaderboard-attempts|%s|%s|%lld", e->kernel,
        e->chip ? e->chip : "", (long long)e->attempts);
    struct lore_campaign *c =
        LORE_PUSH(in->arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);
    c->id = e->campaign;
    c->label = lore_format(in->arena, "%s: failed attempts", e->name);
    c->kernel = e->kernel;
    c->chip = e->chip;
    c->expected_records = (struct lore_i64){true, e->attempts};
    c->provenance.system = LORE_LEADERBOARD_SYSTEM;
}

static void
map_entry(struct lore_import *in, struct lore_leaderboard_entry *e)
{
    const char *parent = NULL;

    set_names(in, e);
    set_chip(in, e);
    for (size_t i = 0; i < e->n_versions; i++)
        parent = add_version(in, e, &e->versions[i], parent);
    add_campaign(in, e);
    if (e->notes)
        lore_leaderboard_notes(in, e);
    if (!e->file || e->used)
        return;
    const char *from = e->n_versions > 0 && e->versions[0].n == 0 ? e->versions[0].id : NULL;
    const char *to = lore_leaderboard_version_id(in, e, e->best);
    struct lore_experiment *x = lore_leaderboard_experiment(in, e,
        lore_format(
            in->arena, "row|%s|%s|%s", e->raw ? e->raw : "", from ? from : "", to ? to : ""));
    x->from_version = from;
    x->to_version = to;
    x->title = lore_format(in->arena, "%s: %s", e->name, *e->status ? e->status : "leaderboard");
    if (strlen(x->title) > 200)
        x->title = e->name;
    lore_leaderboard_claim_row(in, e, x);
    x->provenance.external_id = lore_format(in->arena, "%s row", e->name);
}

enum lore_status
lore_leaderboard_read(struct lore_import *in, struct lore_err *err)
{
    struct board b = {.in = in};

    read_tables(&b);
    if (b.n == 0)
        return lore_fail(err, LORE_INVALID, "no table row names an operator");
    read_folders(&b);
    for (size_t i = 0; i < b.n; i++)
        map_entry(in, &b.v[i]);
    return LORE_OK;
}
