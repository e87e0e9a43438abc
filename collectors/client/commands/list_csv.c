/* Rows of a list as CSV or as JSON lines (list_csv.h), for spreadsheets and scripts. Numbers are as
 * the service gave them, in the units of the column's name; a field that is empty is not known.
 * Experiments have chosen columns. Other lists have those that their rows have: a member of an
 * object is "stats.median_ns", a list of texts is joined. */
#include "collectors/client/commands/list_csv.h"

#include <string.h>

#include "collectors/client/commands/fetching.h"
#include "collectors/client/report/board.h"
#include "collectors/client/report/sheet.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "collectors/import/index.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

struct column {
    const char *title, *path;
};
static const struct column of_experiments[] = {{"experiment", "id"}, {"title", "title"},
    {"operator", "operator"}, {"project", "project"}, {"kernel", "kernel_name"},
    {"language", "language"}, {"chip", "chip"}, {"workload", "workload.label"},
    {"techniques", "techniques"}, {"bottleneck", "labels"},
    {"bottleneck_by", "labels_from.rule_set"}, {"effect", "outcome.effect"},
    {"correctness", "outcome.correctness"}, {"process", "outcome.process"},
    {"speedup", "outcome.speedup"}, {"low", "outcome.low"}, {"high", "outcome.high"},
    {"before_ns", "outcome.before_ns"}, {"after_ns", "outcome.after_ns"},
    {"basis", "outcome.basis"}, {"evidence", "evidence"}, {"typed_outcome", "typed_outcome"},
    {"masked", "masked"}, {"author", "author"}, {"happened_at", "happened_at"},
    {"received_at", "received_at"}};

struct table {
    struct lore_cli *cli;
    struct column *columns;
    size_t n, cap;
    struct lore_index known; /* number of a path's column + 1 */
};

/* ---- cells ---- */

static bool
is_plain(const struct lore_json *list)
{
    for (const struct lore_json *m = list->child; m; m = m->next)
        if (m->type == LORE_J_OBJECT || m->type == LORE_J_ARRAY)
            return false;
    return true;
}

static const char *
json_of(struct lore_cli *cli, const struct lore_json *node)
{
    struct lore_buf b = {.max = 8u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &b, false);
    lore_w_node(&w, node);
    const char *text =
        lore_jsonw_end(&w, NULL) == LORE_OK ? lore_strndup(cli->arena, b.data, b.len) : "";
    lore_buf_free(&b);
    return text;
}

/* The text of M; a list of objects that have names is their names. */
static const char *
text_of(struct lore_cli *cli, const struct lore_json *m)
{
    const char *names = NULL;

    switch (m->type) {
    case LORE_J_NULL:
        return "";
    case LORE_J_BOOL:
        return m->i ? "true" : "false";
    case LORE_J_ARRAY:
        names = lore_fetch_list(cli->arena, m, "name", " + ");
        if (!names && (m->len == 0 || is_plain(m)))
            names = "";
        for (const struct lore_json *v = m->child; v && names && !*names; v = v->next)
            for (const char *all = ""; v; v = v->next)
                names = all =
                    lore_format(cli->arena, "%s%s%s", all, *all ? " + " : "", text_of(cli, v));
        return names ? names : json_of(cli, m);
    case LORE_J_OBJECT:
        return json_of(cli, m);
    default:
        return m->str;
    }
}

static void
put_cell(struct lore_cli *cli, struct lore_buf *out, const struct lore_json *m)
{
    const char *text = m ? lore_sheet_plain(cli->arena, text_of(cli, m)) : "";

    if (m && m->type == LORE_J_NUMBER) /* a negative number is no formula */
        lore_buf_puts(out, text);
    else
        lore_report_csv_field(out, text);
}

/* ---- columns ---- */

/* Note the column of M under PATH, and those below it. */
static void
find_columns(struct table *t, const struct lore_json *m, const char *path, unsigned depth)
{
    struct lore_arena *arena = t->cli->arena;

    if (m->type == LORE_J_OBJECT && depth < 4) {
        for (const struct lore_json *c = m->child; c; c = c->next)
            find_columns(
                t, c, *path ? lore_format(arena, "%s.%s", path, c->key) : c->key, depth + 1);
        return;
    }
    size_t *at = lore_index_at(arena, &t->known, path);
    if (*at > 0 || m->type == LORE_J_NULL)
        return;
    *LORE_PUSH(arena, t->columns, t->n, t->cap) = (struct column){path, path};
    *at = t->n;
}

/* The values of ROW, by column. */
static void
collect(struct table *t, const struct lore_json *m, const char *path, unsigned depth,
    const struct lore_json **cells)
{
    struct lore_arena *arena = t->cli->arena;

    if (m->type == LORE_J_OBJECT && depth < 4) {
        for (const struct lore_json *c = m->child; c; c = c->next)
            collect(
                t, c, *path ? lore_format(arena, "%s.%s", path, c->key) : c->key, depth + 1, cells);
        return;
    }
    size_t at = *lore_index_at(arena, &t->known, path);
    if (at > 0)
        cells[at - 1] = m;
}

static void
put_titles(struct table *t, struct lore_buf *out)
{
    for (size_t i = 0; i < t->n; i++) {
        lore_report_csv_field(out, t->columns[i].title);
        lore_buf_puts(out, i + 1 < t->n ? "," : "\r\n");
    }
}

static void
put_csv(
    struct lore_cli *cli, const struct lore_fetched *rows, bool experiments, struct lore_buf *out)
{
    struct table t = {.cli = cli};

    if (experiments) {
        t.columns = lore_memdup(cli->arena, of_experiments, sizeof of_experiments);
        t.n = sizeof of_experiments / sizeof *of_experiments;
    }
    for (size_t r = 0; r < rows->n && !experiments; r++)
        find_columns(&t, rows->v[r], "", 0);
    put_titles(&t, out);
    const struct lore_json **cells = lore_alloc_array(cli->arena, t.n + 1, sizeof *cells);
    for (size_t r = 0; r < rows->n; r++) {
        memset(cells, 0, t.n * sizeof *cells);
        if (!experiments)
            collect(&t, rows->v[r], "", 0, cells);
        for (size_t i = 0; i < t.n; i++) {
            put_cell(
                cli, out, experiments ? lore_rows_at(rows->v[r], t.columns[i].path) : cells[i]);
            lore_buf_puts(out, i + 1 < t.n ? "," : "\r\n");
        }
    }
}

static void
put_lines(struct lore_cli *cli, const struct lore_fetched *rows, struct lore_buf *out)
{
    for (size_t r = 0; r < rows->n; r++)
        lore_buf_printf(out, "%s\n", json_of(cli, rows->v[r]));
}

/* ---- rows ---- */

static enum lore_status
fetch(struct lore_fetching *f, const struct lore_listing *l, struct lore_fetched *rows,
    size_t *withheld, struct lore_err *err)
{
    const struct lore_json *root = NULL;
    struct lore_fetched all = {0};
    enum lore_status status = l->page ? lore_fetch_one(&f->fetch, l->path, &root, err)
                                      : lore_fetch_all(&f->fetch, l->path, &all, err);

    for (const struct lore_json *r = lore_fetch_first(root, "rows"); r; r = r->next)
        *LORE_PUSH(f->cli->arena, all.v, all.n, all.cap) = r;
    for (size_t i = 0; i < all.n; i++) {
        if (lore_fetch_bool(all.v[i], "withheld"))
            ++*withheld;
        else
            *LORE_PUSH(f->cli->arena, rows->v, rows->n, rows->cap) = all.v[i];
    }
    return status;
}

int
lore_list_out(struct lore_cli *cli, const struct lore_listing *l)
{
    struct lore_fetched rows = {0};
    struct lore_buf out = {0};
    struct lore_err err = {0};
    struct lore_fetching f;
    size_t withheld = 0;

    lore_fetching_begin(&f, cli);
    enum lore_status status = fetch(&f, l, &rows, &withheld, &err);
    if (status != LORE_OK)
        return lore_fetching_end(&f, status, &err);
    if (l->lines)
        put_lines(cli, &rows, &out);
    else
        put_csv(cli, &rows, l->experiments, &out);
    if (withheld > 0)
        lore_buf_printf(&cli->err, "warplore: %s withheld: the licence forbids redistribution\n",
            lore_answer_show_count(cli, (long long)withheld, "row", "rows"));
    return lore_cli_put(cli, NULL, &out, "the list");
}
