/* Reads kbs_evidence.md: searches in the knowledge base before a step. Queries become lookups,
 * chosen documents become references, the rest goes to extra. The final report repeats some
 * queries; only new ones are added. */
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static void
add_lookup(struct lore_arena *arena, struct lore_experiment *x, const char *query,
    const char *finding, const char *use)
{
    query = lore_case_truncate(arena, query, 1900);
    for (size_t i = 0; i < x->n_lookups; i++) {
        if (strcmp(x->lookups[i].query, query) == 0)
            return;
    }
    struct lore_lookup *l = LORE_PUSH(arena, x->lookups, x->n_lookups, x->cap_lookups);
    l->source = "kbs";
    l->query = query;
    l->finding = finding;
    l->use = use;
}

static void
add_reference(struct lore_arena *arena, struct lore_experiment *x, const char *doc,
    const char *path, const char *confidence, const char *why)
{
    const char *target = lore_case_truncate(arena, *path != '\0' ? path : doc, 1900);

    for (size_t i = 0; i < x->n_references; i++) {
        if (strcmp(x->references[i].target, target) == 0)
            return;
    }
    struct lore_reference *r = LORE_PUSH(arena, x->references, x->n_references, x->cap_references);
    r->kind = "kbs";
    r->target = target;
    r->description = lore_format(arena, "%s (%s): %s", doc, confidence, why);
}

static void
take_row(struct lore_case *c, const struct lore_md_table *t, const struct lore_md_row *row,
    struct lore_experiment *x, struct lore_case_unmapped_list *rest)
{
    bool four = row->n == 4 && t->header.n == 4;

    if (four && lore_streqi(t->header.cells[1], "Query") && *row->cells[1] != '\0')
        add_lookup(c->in->arena, x, row->cells[1], row->cells[3], row->cells[2]);
    else if (four && lore_streqi(t->header.cells[0], "Doc ID") && *row->cells[0] != '\0')
        add_reference(c->in->arena, x, row->cells[0], row->cells[1], row->cells[2], row->cells[3]);
    else
        lore_case_keep_row(c, rest, t, row);
}

/* Add a row "Version | Query | Doc ID | Canonical path | Confidence | Used for" of the final
 * report. */
static void
take_report_row(struct lore_arena *arena, const struct lore_md_row *row, struct lore_experiment *x)
{
    if (*row->cells[1] != '\0')
        add_lookup(arena, x, row->cells[1], row->cells[2], row->cells[5]);
    if (*row->cells[2] != '\0')
        add_reference(arena, x, row->cells[2], row->cells[3], row->cells[4], row->cells[5]);
}

static bool
parse(struct lore_case *c, const struct lore_case_version *v, struct lore_md *md)
{
    if (!v->kbs)
        return false;
    lore_import_open(c->in, v->kbs);
    lore_md_parse(c->in->arena, v->kbs->text, v->kbs->len, NULL, md);
    return true;
}

const char *
lore_case_kbs_link(struct lore_case *c, const struct lore_case_version *v)
{
    const char *out = NULL;
    struct lore_md md;

    if (!parse(c, v, &md))
        return NULL;
    for (size_t i = 0; i < md.n_lines; i++) {
        if (md.lines[i].level > 0 || !lore_streqi(md.lines[i].section, "Decision Link"))
            continue;
        const char *text = lore_md_plain(c->in->arena, md.lines[i].text);
        out = out != NULL ? lore_format(c->in->arena, "%s\n%s", out, text) : text;
    }
    return out;
}

void
lore_case_apply_kbs(struct lore_case *c, const struct lore_case_version *v,
    struct lore_experiment *x, struct lore_case_unmapped_list *rest)
{
    const struct lore_md_table *t = lore_case_table(c, "KBS Evidence");
    struct lore_md md;

    if (parse(c, v, &md)) {
        c->in->records++;
        for (size_t i = 0; i < md.n_tables; i++) {
            for (size_t r = 0; r < md.tables[i].n; r++)
                take_row(c, &md.tables[i], &md.tables[i].rows[r], x, rest);
        }
        for (size_t i = 0; i < md.n_lines; i++) {
            const struct lore_md_line *l = &md.lines[i];
            if (l->level == 0 && !lore_streqi(l->section, "Decision Link"))
                lore_case_keep_text(c, rest, l->section, l->line, l->text);
        }
    }
    for (size_t i = 0; t != NULL && i < t->n; i++) {
        if (t->rows[i].n == 6 && lore_case_number(t->rows[i].cells[0], NULL) == v->ordinal)
            take_report_row(c->in->arena, &t->rows[i], x);
    }
}

static bool
is_used(const struct lore_case *c, size_t dir)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->versions[i].claim >= 0 && c->claims[c->versions[i].claim].dir == dir)
            return true;
    }
    return false;
}

void
lore_case_orphan_kbs(struct lore_case *c)
{
    struct lore_md md;

    for (size_t i = 0; i < c->n; i++) {
        if (is_used(c, i) || !parse(c, &c->versions[i], &md))
            continue;
        c->in->records++;
        for (size_t k = 0; k < md.n_tables; k++) {
            for (size_t r = 0; r < md.tables[k].n; r++)
                lore_case_keep_row(c, &c->report_rest, &md.tables[k], &md.tables[k].rows[r]);
        }
        for (size_t k = 0; k < md.n_lines; k++) {
            const struct lore_md_line *l = &md.lines[k];
            if (l->level == 0)
                lore_case_keep_text(c, &c->report_rest, l->section, l->line, l->text);
        }
    }
}
