/* Experiments as CSV (list_csv.h), for spreadsheets and scripts. Numbers are as the service gave
 * them, in the units of the column's name; a field that is empty is not known. */
#include "collectors/client/commands/list_csv.h"

#include "collectors/client/commands/fetching.h"
#include "collectors/client/report/board.h"
#include "collectors/client/report/sheet.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

static const struct {
    const char *title, *path;
} columns[] = {{"experiment", "id"}, {"title", "title"}, {"operator", "operator"},
    {"project", "project"}, {"kernel", "kernel_name"}, {"language", "language"}, {"chip", "chip"},
    {"workload", "workload.label"}, {"techniques", "techniques"}, {"bottleneck", "labels"},
    {"bottleneck_by", "labels_from.rule_set"}, {"effect", "outcome.effect"},
    {"correctness", "outcome.correctness"}, {"process", "outcome.process"},
    {"speedup", "outcome.speedup"}, {"low", "outcome.low"}, {"high", "outcome.high"},
    {"before_ns", "outcome.before_ns"}, {"after_ns", "outcome.after_ns"},
    {"basis", "outcome.basis"}, {"evidence", "evidence"}, {"typed_outcome", "typed_outcome"},
    {"masked", "masked"}, {"author", "author"}, {"happened_at", "happened_at"},
    {"received_at", "received_at"}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *
field(struct lore_cli *cli, const struct lore_json *row, const char *path)
{
    const struct lore_json *m = lore_rows_at(row, path);
    const char *text = NULL;

    if (!m)
        return "";
    if (m->type == LORE_J_BOOL)
        return m->i ? "true" : "false";
    if (m->type == LORE_J_ARRAY)
        text = lore_fetch_list(cli->arena, m, "name", " + ");
    else
        text = lore_rows_at_text(row, path);
    return !text ? "" : lore_sheet_line(cli->arena, text, false);
}

static size_t
write_rows(struct lore_cli *cli, const struct lore_fetched *rows, struct lore_buf *out)
{
    size_t withheld = 0;

    for (size_t i = 0; i < COLUMNS; i++)
        lore_buf_printf(out, "%s%s", columns[i].title, i + 1 < COLUMNS ? "," : "\r\n");
    for (size_t r = 0; r < rows->n; r++) {
        if (lore_fetch_bool(rows->v[r], "withheld")) {
            withheld++;
            continue;
        }
        for (size_t i = 0; i < COLUMNS; i++) {
            lore_report_csv_field(out, field(cli, rows->v[r], columns[i].path));
            lore_buf_puts(out, i + 1 < COLUMNS ? "," : "\r\n");
        }
    }
    return withheld;
}

int
lore_list_csv(struct lore_cli *cli, const char *path, bool page)
{
    const struct lore_json *root = NULL;
    struct lore_fetched rows = {0};
    struct lore_buf out = {0};
    struct lore_err err = {0};
    struct lore_fetching fetching;
    enum lore_status status;

    lore_fetching_begin(&fetching, cli);
    status = page ? lore_fetch_one(&fetching.fetch, path, &root, &err)
                  : lore_fetch_all(&fetching.fetch, path, &rows, &err);
    if (status != LORE_OK)
        return lore_fetching_end(&fetching, status, &err);
    for (const struct lore_json *r = lore_fetch_first(root, "rows"); r; r = r->next)
        *LORE_PUSH(cli->arena, rows.v, rows.n, rows.cap) = r;
    size_t withheld = write_rows(cli, &rows, &out);
    if (withheld > 0)
        lore_buf_printf(&cli->err, "warplore: %s withheld: the licence forbids redistribution\n",
            lore_answer_show_count(cli, (long long)withheld, "row", "rows"));
    return lore_cli_put(cli, NULL, &out, "the experiments");
}
