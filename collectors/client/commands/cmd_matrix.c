/* The best result per operator and chip: a row per operator, a column per chip. A cell is one row
 * of the board, the best on one workload; times of different workloads do not compare. */
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_matrix_opts[] = {
    LORE_OPT_LANGUAGE,
    LORE_OPT_FAMILY,
    {NULL, 0, NULL, false, NULL},
};

struct chips {
    const char **v;
    size_t n, cap;
};

static const char *
chip_of(const struct lore_json *cell)
{
    const char *chip = lore_answer_text(cell, "chip");
    return chip ? chip : "not recorded";
}

static void
note_chip(struct lore_cli *cli, struct chips *chips, const char *chip)
{
    for (size_t i = 0; i < chips->n; i++) {
        if (lore_streq(chips->v[i], chip))
            return;
    }
    *LORE_PUSH(cli->arena, chips->v, chips->n, chips->cap) = chip;
}

/* "1.16x 68.8 us, 3 shapes", with the gain first, because a narrow terminal cuts the end;
 * without numbers, the board's reason. */
static const char *
show_cell(struct lore_cli *cli, const struct lore_json *c)
{
    long long shapes = lore_answer_int(c, "workloads");
    double ns, speedup;
    const char *out =
        lore_answer_number(c, "speedup", &speedup) ? lore_answer_show_factor(cli, speedup) : "";

    if (*out && (lore_streq(lore_answer_text(c, "status"), "claimed only") ||
                    lore_streq(lore_answer_text(c, "evidence"), "claimed")))
        out = lore_format(cli->arena, "%s claimed", out);
    else if (lore_answer_number(c, "time_ns", &ns))
        out = lore_format(cli->arena, "%s%s%s", out, *out ? " " : "", lore_answer_show_ns(cli, ns));
    if (!*out)
        out = lore_answer_text(c, "status") ? lore_answer_text(c, "status") : "no time";
    return shapes > 1 ? lore_format(cli->arena, "%s, %lld shapes", out, shapes) : out;
}

/* The cells of one operator begin at C; returns the next operator's. */
static const struct lore_json *
add_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *c,
    const struct chips *chips)
{
    const struct lore_json *end = c;
    const char *op = lore_answer_text(c, "operator");

    while (end && lore_streq(lore_answer_text(end, "operator"), op))
        end = end->next;
    lore_table_cell(cli, t, op);
    for (size_t i = 0; i < chips->n; i++) {
        const struct lore_json *at = c;
        while (at != end && !lore_streq(chip_of(at), chips->v[i]))
            at = at->next;
        lore_table_cell(cli, t, at != end ? show_cell(cli, at) : NULL);
    }
    return end;
}

static void
print_matrix(struct lore_cli *cli, const struct lore_json *first)
{
    struct chips chips = {0};

    for (const struct lore_json *c = first; c; c = c->next)
        note_chip(cli, &chips, chip_of(c));
    struct lore_print_column *columns = lore_alloc_array(cli->arena, chips.n + 1, sizeof *columns);
    columns[0] = (struct lore_print_column){"operator", false, false, false};
    for (size_t i = 0; i < chips.n; i++)
        columns[i + 1] = (struct lore_print_column){chips.v[i], false, true, false};
    struct lore_table t = {.columns = columns, .n_columns = chips.n + 1};
    for (const struct lore_json *c = first; c;)
        c = add_row(cli, &t, c, &chips);
    lore_table_print(cli, &t);
    lore_buf_puts(&cli->out,
        "speedups are over the base that warplore leaderboard names; a cell is one workload\n");
}

int
lore_cmd_matrix(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/matrix");
    lore_query_add(&q, "language", lore_args_get(args, "language"));
    lore_query_add(&q, "family", lore_args_get(args, "family"));
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    const struct lore_json *first = lore_rows_of(root);
    if (!cli->json && first)
        print_matrix(cli, first);
    else if (!cli->json)
        lore_buf_puts(&cli->out, "the board is empty\n");
    return code;
}
