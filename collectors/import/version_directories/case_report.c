/* Reads the parts of final_report.md about one version. The table of strategies gives techniques,
 * the rationale gives notes, the table of outcomes gives a claim. case_close.c has the rest.
 *
 * A version applies only the strategies that are ticked for it but not for its parent; the other
 * ticks are inherited. A tick with a changed remark ("2 tiles", then "4 tiles") counts as applied
 * again. "x" means yes in some tables and no in others; x_is_yes decides by the other marks of the
 * table. */
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define MAX_USES 16

const struct lore_md_table *
lore_case_table(const struct lore_case *c, const char *section)
{
    for (size_t i = 0; c->report_file != NULL && i < c->report.n_tables; i++) {
        if (lore_starts(c->report.tables[i].section, section))
            return &c->report.tables[i];
    }
    return NULL;
}

int
lore_case_column(const struct lore_md_table *t, const struct lore_case_version *v)
{
    for (size_t i = 1; t != NULL && i < t->header.n; i++) {
        const char *end;
        if (lore_case_number(t->header.cells[i], &end) == v->ordinal &&
            (*end == '\0' || *end == ' '))
            return (int)i;
    }
    return -1;
}

const char *
lore_case_cell(const struct lore_md_row *row, int column)
{
    return column >= 0 && (size_t)column < row->n ? row->cells[column] : NULL;
}

/* ---- parts that later steps need ---- */

/* Parse "v0→v1: text", "v1 (x): text" or "v0 -> v1" into versions and text. *FROM is -1 when only
 * one version is named. */
static bool
step_of(const char *s, long long *from, long long *to, const char **text)
{
    const char *end;

    *from = -1;
    *to = lore_case_number(s, &end);
    if (*to < 0)
        return false;
    end += strspn(end, " ");
    const char *arrow = lore_starts(end, "→")    ? end + strlen("→")
                        : lore_starts(end, "->") ? end + 2
                                                 : NULL;
    if (arrow) {
        long long next = lore_case_number(arrow + strspn(arrow, " "), &end);
        if (next < 0)
            return false;
        *from = *to;
        *to = next;
    }
    end += strspn(end, " ");
    if (*end == '(' && strchr(end, ')')) /* skip the remark in "v4 (float4): …" */
        end = strchr(end, ')') + 1;
    *text = *end == ':' ? end + 1 + strspn(end + 1, " ") : end;
    return *end == ':' || *end == '\0';
}

static void
set_reported(struct lore_case *c, const char *text)
{
    long long from, to;
    const char *rest;

    if (!step_of(text, &from, &to, &rest) || lore_case_index(c, to) < 0)
        return;
    if (from < 0)
        from = lore_case_quoted_version(rest, true);
    if (from < 0 || from >= to)
        return;
    c->versions[lore_case_index(c, to)].reported = lore_case_index(c, from);
}

static void
read_lineage(struct lore_case *c)
{
    const struct lore_md_table *t = lore_case_table(c, "Hypothesis Outcomes");

    for (size_t i = 0; i < c->report.n_lines; i++) {
        if (c->report.lines[i].bullet > 0)
            set_reported(c, lore_md_plain(c->in->arena, c->report.lines[i].text));
    }
    for (size_t i = 0; t != NULL && i < t->n; i++)
        set_reported(c, t->rows[i].cells[0]);
}

/* Set the date of the case from the first date such as "2026-05-10" in TEXT. */
static void
read_date(struct lore_case *c, const char *text)
{
    int64_t us;

    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        if (strspn(p, "0123456789") != 4 || p[4] != '-')
            continue;
        const char *day = lore_strndup(c->in->arena, p, 10);
        if (lore_time_parse(day, &us, NULL) == LORE_OK && us > 0) {
            c->date = day;
            c->ms = us / 1000;
            return;
        }
    }
}

static void
read_best(struct lore_case *c)
{
    for (size_t i = 0; i < c->report.n_lines; i++) {
        const char *text = lore_md_plain(c->in->arena, c->report.lines[i].text);
        if (lore_starts(text, "Best version:"))
            c->best =
                lore_case_index(c, lore_case_number(text + 13 + strspn(text + 13, " "), NULL));
    }
}

void
lore_case_read_report(struct lore_case *c)
{
    struct lore_import_file *file = lore_tree_file(c->in->tree, c->in->unit, "final_report.md");

    if (!file)
        return;
    c->in->records++;
    lore_import_open(c->in, file);
    if (!file->utf8) {
        lore_import_refuse_line(c->in, 0, "not UTF-8 text");
        return;
    }
    c->report_file = file;
    lore_md_parse(c->in->arena, file->text, file->len, NULL, &c->report);
    read_date(c, c->report.title);
    read_best(c);
    read_lineage(c);
    const struct lore_md_table *t = lore_case_table(c, "Version Iteration Comparison");
    for (size_t i = 0; t != NULL && i < t->n; i++) {
        if (!lore_streqi(t->rows[i].cells[0], "Bottleneck"))
            continue;
        for (size_t k = 0; k < c->n; k++)
            c->versions[k].bottleneck =
                lore_case_cell(&t->rows[i], lore_case_column(t, &c->versions[k]));
    }
}

/* ---- techniques ---- */

static bool
x_is_yes(const struct lore_md_table *t)
{
    bool ticks = false, dashes = false;

    for (size_t i = 0; i < t->n; i++) {
        for (size_t k = 1; k < t->rows[i].n; k++) {
            const char *cell = t->rows[i].cells[k];
            ticks |= lore_starts(cell, "✓") || lore_starts(cell, "yes");
            dashes |= strcmp(cell, "-") == 0 || strcmp(cell, "—") == 0;
        }
    }
    return dashes && !ticks;
}

/* Whether CELL is a tick; X_TICKS says that "x" means yes. *REMARK gets the text after the mark. A
 * cell with only a remark ("4 rows") is a tick, too. */
static bool
is_ticked(const char *cell, bool x_ticks, const char **remark)
{
    static const char *const marks[] = {"✓", "✔", "✅", "yes", "Yes", "x", "X"};
    static const char *const crosses[] = {"✗", "✘", "❌", "no", "No", "-", "–", "—", "N/A"};

    *remark = "";
    for (size_t i = 0; cell != NULL && i < 7; i++) {
        size_t n = strlen(marks[i]);
        if (!lore_starts(cell, marks[i]) ||
            (i >= 5 && (!x_ticks || (cell[n] != '\0' && cell[n] != ' '))))
            continue;
        *remark = cell + n + strspn(cell + n, " ");
        return true;
    }
    for (size_t i = 0; cell != NULL && i < sizeof crosses / sizeof *crosses; i++) {
        if (lore_starts(cell, crosses[i]))
            return false;
    }
    if (!cell || *cell == '\0' || ((*cell == 'x' || *cell == 'X') && strlen(cell) == 1))
        return false;
    *remark = cell;
    return true;
}

/* Common row names of reports that are not aliases in the catalogue, with their slugs. */
static const struct {
    const char *row, *slug;
} row_names[] = {
    {"cache_modifier", "memory.cache_hints"},
    {"coalesced_global_memory_access", "memory.coalesced_access"},
    {"const_restrict_ldg_path", "memory.readonly_path"},
    {"cp.async_async_prefetch", "memory.async_copy"},
    {"deeper_sw_pipelining", "memory.multi_stage_pipeline"},
    {"fast_math_exp2", "compute.fast_exp"},
    {"fast_math_intrinsic", "compute.fast_math"},
    {"finer_grid_parallelism", "launch.more_parallelism"},
    {"higher_occupancy", "latency.increase_occupancy"},
    {"padding_to_eliminate_bank_conflicts", "memory.smem_padding"},
};

/* The catalogue's technique for NAME; NULL: none. Tried in this order: the whole name, the name
 * without its remark in parentheses, a common row name, the remark alone ("Multi-tile fusion
 * (reduce barriers)"). */
static const char *
known_technique(struct lore_arena *arena, const char *name)
{
    const char *open = strchr(name, '('), *close = open != NULL ? strchr(open, ')') : NULL;
    const char *bare = close != NULL ? lore_strndup(arena, name, (size_t)(open - name)) : name;
    const struct lore_technique *t = lore_technique_find(name);

    if (!t)
        t = lore_technique_find(bare);
    for (size_t i = 0; t == NULL && i < sizeof row_names / sizeof *row_names; i++) {
        if (strcmp(lore_slug(arena, bare), row_names[i].row) == 0)
            t = lore_technique_find(row_names[i].slug);
    }
    if (!t && close)
        t = lore_technique_find(lore_strndup(arena, open + 1, (size_t)(close - open) - 1));
    return t ? t->slug : NULL;
}

static void
add_use(struct lore_case *c, struct lore_experiment *x, const char *name, const char *remark,
    const char *status)
{
    struct lore_arena *arena = c->in->arena;
    const char *slug = known_technique(arena, name);

    if (x->n_techniques == MAX_USES)
        return;
    struct lore_use *u = LORE_PUSH(arena, x->techniques, x->n_techniques, x->cap_techniques);
    u->name = slug != NULL ? slug : lore_case_truncate(arena, name, 1900);
    u->raw = *remark != '\0' ? lore_format(arena, "%s %s", name, remark) : name;
    u->raw = lore_case_truncate(arena, u->raw, 1900);
    u->status = status;
    if (*remark != '\0')
        lore_case_set_text(arena, &u->params, "remark", remark);
    if (slug)
        lore_import_note(c->in, LORE_IL_NAMES, "\"%s\": technique %s", name, slug);
}

static void
add_techniques(struct lore_case *c, const struct lore_case_version *v, struct lore_experiment *x)
{
    const struct lore_md_table *t = lore_case_table(c, "Optimization Strategies");
    int own = lore_case_column(t, v), before = -1;
    size_t applied = 0;

    if (own < 0)
        return;
    if (v->parent >= 0)
        before = lore_case_column(t, &c->versions[v->parent]);
    bool x_ticks = x_is_yes(t);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < t->n; i++) {
            const char *remark, *old = "";
            bool now = is_ticked(lore_case_cell(&t->rows[i], own), x_ticks, &remark);
            bool had = is_ticked(lore_case_cell(&t->rows[i], before), x_ticks, &old);
            if (pass == 0 && now && (!had || strcmp(remark, old) != 0)) {
                add_use(c, x, t->rows[i].cells[0], remark, NULL);
                applied++;
            } else if (pass == 1 && !now) {
                add_use(c, x, t->rows[i].cells[0], "", "not_applied");
            }
        }
    }
    if (applied > 1)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s: %zu strategies at once; the gain of each is unknown", v->dir, applied);
}

/* ---- notes and claims ---- */

static void
add_note(struct lore_arena *arena, struct lore_experiment *x, const char *text)
{
    if (text && *text != '\0')
        x->notes = x->notes != NULL ? lore_format(arena, "%s\n%s", x->notes, text) : text;
}

/* Add the rationale of V to the notes: "**v1→v2:** Used shared memory …". */
static void
add_rationale(struct lore_case *c, const struct lore_case_version *v, struct lore_experiment *x)
{
    for (size_t i = 0; i < c->report.n_lines; i++) {
        const struct lore_md_line *l = &c->report.lines[i];
        const char *text = lore_md_plain(c->in->arena, l->text), *rest;
        long long from, to;
        if (l->bullet > 0 && step_of(text, &from, &to, &rest) && to == v->ordinal && *rest != '\0')
            add_note(c->in->arena, x, rest);
    }
    const struct lore_md_table *t = lore_case_table(c, "NCU + KBS Synthesis");
    for (size_t i = 0; t != NULL && i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        if (row->n >= 4 && lore_case_number(row->cells[0], NULL) == v->ordinal)
            add_note(c->in->arena, x,
                lore_format(c->in->arena, "%s: %s", row->cells[1], row->cells[row->n - 1]));
    }
}

static const struct lore_md_row *
outcome_row(const struct lore_case *c, const struct lore_case_version *v)
{
    const struct lore_md_table *t = lore_case_table(c, "Hypothesis Outcomes");
    long long from, to;
    const char *rest;

    for (size_t i = 0; t != NULL && i < t->n; i++) {
        if (t->rows[i].n == t->header.n && t->rows[i].n >= 6 &&
            step_of(t->rows[i].cells[0], &from, &to, &rest) && to == v->ordinal)
            return &t->rows[i];
    }
    return NULL;
}

/* The first word of an outcome, which is the verdict: "REGRESSION (0.0524→0.0734)", "Neutral — 0.2%
 * change". */
static const char *
first_word(struct lore_arena *arena, const char *text)
{
    return lore_slug(arena, lore_strndup(arena, text, strcspn(text, " (—,.;:")));
}

static void
add_claim(struct lore_case *c, const struct lore_case_version *v, struct lore_experiment *x)
{
    struct lore_arena *arena = c->in->arena;
    const struct lore_md_row *row = outcome_row(c, v);
    const char *said = v->claim >= 0 ? c->claims[v->claim].t.outcome : NULL;

    if (row)
        said = row->cells[4];
    if (!said || *said == '\0')
        return;
    x->claim.set = true;
    x->claim.base = LORE_BASE_PARENT;
    x->claim.outcome = lore_case_truncate(arena, first_word(arena, said), 180);
    x->lesson = row != NULL ? row->cells[5] : said;
    if (row)
        x->bottleneck.evidence = row->cells[1];
}

void
lore_case_apply_report(
    struct lore_case *c, const struct lore_case_version *v, struct lore_experiment *x)
{
    const char *before = v->parent >= 0 ? c->versions[v->parent].bottleneck : NULL;

    if (before)
        (void)lore_build_labels(c->in->arena, &x->bottleneck, before);
    add_techniques(c, v, x);
    add_rationale(c, v, x);
    add_claim(c, v, x);
}
