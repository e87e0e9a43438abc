/* The rows of one table of a Markdown text, over the parser of markdown.h. */
#include <string.h>

#include "collectors/import/markdown.h"
#include "collectors/import/rows_source.h"

struct table {
    const struct lore_md_table *of;
    size_t at;
};

static enum lore_rows_step
step_markdown(struct lore_rows *r)
{
    struct table *t = r->source->state;

    if (t->at == t->of->n)
        return LORE_ROWS_END;
    const struct lore_md_row *row = &t->of->rows[t->at++];
    struct lore_json *o = lore_rows_object(r, row->n);
    r->line = row->line;
    for (size_t i = 0; i < row->n; i++)
        lore_rows_cell(r, o, lore_rows_column(r, i), row->cells[i], strlen(row->cells[i]));
    r->row = o;
    return LORE_ROWS_READ;
}

enum lore_status
lore_rows_markdown(struct lore_import *in, size_t nth, struct lore_rows *r, struct lore_err *err)
{
    struct lore_md md = {.n_tables = 0};

    if (lore_rows_begin(in, step_markdown, r, err) != LORE_OK)
        return LORE_INVALID;
    struct lore_window *w = &r->source->window;
    while (lore_window_more(w))
        ;
    if (!w->ended)
        return lore_fail(err, LORE_INVALID, "Markdown of more than %zu bytes", LORE_WINDOW_MAX);
    lore_md_parse(lore_import_kept(in), lore_window_bytes(w), w->buf.len - w->pos, NULL, &md);
    if (nth >= md.n_tables)
        return lore_fail(err, LORE_INVALID, "%zu tables, no table %zu", md.n_tables, nth + 1);
    struct table *t = r->source->state = lore_alloc(lore_import_kept(in), sizeof *t);
    t->of = &md.tables[nth];
    r->cells = true;
    lore_rows_name(r, t->of->header.cells, t->of->header.n);
    return LORE_OK;
}
