/* The board: the best version per operator, language, chip and workload; on a terminal, as Markdown
 * or as CSV. */
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/fetching.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/report/board.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_leaderboard_opts[] = {
    LORE_OPT_OPERATOR,
    LORE_OPT_FAMILY,
    LORE_OPT_LANGUAGE,
    LORE_OPT_PROJECT,
    LORE_OPT_CHIP,
    LORE_OPT_WORKLOAD,
    LORE_OPT_BOTTLENECK,
    LORE_OPT_EVIDENCE,
    {"checked", 0, NULL, false, "Rank only versions checked as correct on this workload"},
    {"any-shape", 0, NULL, false, "Also rank versions checked as correct only on other workloads"},
    LORE_OPT_SORT,
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    LORE_OPT_MARKDOWN,
    LORE_OPT_CSV,
    {"excluded", 0, NULL, false,
        "With --markdown: also the excluded versions, with the reason; with --csv: only those"},
    {NULL, 0, NULL, false, NULL},
};

/* "1.73x vs softmax_library": the speedup NAME of a row. */
static const char *
speedup_of(struct lore_cli *cli, const struct lore_json *row, const char *name)
{
    const struct lore_json *s = lore_json_get(row, name);
    const char *base = lore_answer_text(s, "base_name");
    const char *size;
    double v, low = 0, high = 0;

    if (!lore_answer_number(s, "value", &v))
        return NULL;
    if (!base || !*base)
        base = lore_answer_text(s, "base");
    size = lore_answer_number(s, "low", &low) && lore_answer_number(s, "high", &high)
               ? lore_format(cli->arena, "%.3g-%.3gx", low, high)
               : lore_answer_show_factor(cli, v);
    return base ? lore_format(cli->arena, "%s vs %s", size, base) : size;
}

/* How many other versions may be as fast. */
static const char *
ties_of(struct lore_cli *cli, const struct lore_json *row)
{
    const struct lore_json *tied = lore_json_get(row, "tied");

    return tied && tied->len > 0 ? lore_format(cli->arena, "%u", (unsigned)tied->len) : NULL;
}

/* "73 % compute": the share of the chip's peak, and the rate that limits it. */
static const char *
peak_of(struct lore_cli *cli, const struct lore_json *row)
{
    double pct;

    return lore_answer_number(row, "peak_pct", &pct)
               ? lore_format(cli->arena, "%.0f %% %s", pct, lore_answer_text(row, "limiter"))
               : NULL;
}

static const char *
interval_of(struct lore_cli *cli, const struct lore_json *row)
{
    const struct lore_json *i = lore_json_get(row, "interval");
    double low, high;

    return lore_answer_number(i, "low_ns", &low) && lore_answer_number(i, "high_ns", &high)
               ? lore_format(cli->arena, "%s-%s", lore_answer_show_ns(cli, low),
                     lore_answer_show_ns(cli, high))
               : NULL;
}

/* "1", or "1-2" where a test cannot tell. */
static const char *
rank_of(struct lore_cli *cli, const struct lore_json *row)
{
    long long low = lore_answer_int(row, "rank"), high = lore_answer_int(row, "rank_high");

    if (low == 0)
        return NULL;
    return low == high ? lore_format(cli->arena, "%lld", low)
                       : lore_format(cli->arena, "%lld-%lld", low, high);
}

/* The status; a disputed best says by whom. */
static const char *
best_of(struct lore_cli *cli, const struct lore_json *row)
{
    const struct lore_json *disputed = lore_json_get(row, "disputed");
    const char *status = lore_answer_text(row, "status");

    return disputed && disputed->type == LORE_J_OBJECT
               ? lore_format(
                     cli->arena, "%s (disputed by %s)", status, lore_answer_text(disputed, "by"))
               : status;
}

static void
add_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    double ns = 0;

    lore_table_cell(cli, t, lore_answer_text(r, "operator"));
    lore_table_cell(cli, t, lore_answer_text(r, "language"));
    lore_table_cell(cli, t, lore_answer_text(r, "chip"));
    lore_table_cell(cli, t, lore_answer_text(lore_json_get(r, "workload"), "label"));
    lore_table_cell(cli, t, best_of(cli, r));
    lore_table_cell(cli, t,
        lore_answer_number(r, "time_ns", &ns) && ns > 0 ? lore_answer_show_ns(cli, ns) : NULL);
    lore_table_cell(cli, t, peak_of(cli, r));
    lore_table_cell(cli, t, speedup_of(cli, r, "vs_library"));
    lore_table_cell(cli, t, lore_answer_text(r, "evidence"));
    lore_table_cell(cli, t, interval_of(cli, r));
    lore_table_cell(cli, t, rank_of(cli, r));
    lore_table_cell(cli, t, ties_of(cli, r));
    lore_table_cell(cli, t, speedup_of(cli, r, "speedup"));
    lore_table_cell(cli, t, lore_rows_limits(cli, r));
    lore_table_cell(cli, t,
        lore_format(cli->arena, "%lld/%lld/%lld", lore_answer_int(r, "won"),
            lore_answer_int(r, "neutral"), lore_answer_int(r, "lost")));
    lore_table_cell(cli, t, lore_answer_text(r, "project"));
}

enum { PIPE_WIDTH = 160 }; /* of a table that goes to a file; --csv has every column in full */

static void
print_board(struct lore_cli *cli, const char *chip, const struct lore_json *root)
{
    static const struct lore_print_column columns[] = {{"operator", false, true, false},
        {"language", false, false, false}, {"chip", false, false, false},
        {"workload", false, true, false}, {"best", false, true, false},
        {"time", true, false, false}, {"of peak", false, false, true},
        {"against the library", false, true, true}, {"evidence", false, false, true},
        {"interval", false, false, true}, {"rank", true, false, true}, {"ties", true, false, true},
        {"speedup", false, true, true}, {"bottleneck", false, true, true},
        {"w/n/l", false, false, true}, {"project", false, true, true}};
    struct lore_table t = LORE_TABLE(columns);
    int width = cli->width;
    const struct lore_json *rows = lore_json_get(root, "rows");
    size_t before = cli->out.len;

    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next)
        add_row(cli, &t, r);
    if (t.n_cells == 0) {
        lore_buf_puts(&cli->out, "the board is empty\n");
        lore_cmd_list_hint_family(cli, chip);
    } else {
        cli->width = width > 0 ? width : PIPE_WIDTH;
        lore_table_print(cli, &t);
        cli->width = width;
    }
    lore_rows_derived(cli, strchr(cli->out.data + before, '*'));
    if (lore_answer_int(root, "unclassified") > 0)
        lore_buf_printf(&cli->out, "and %s without an operator: --operator unclassified\n",
            lore_answer_show_count(cli, lore_answer_int(root, "unclassified"), "row", "rows"));
    lore_rows_variants(cli, chip, lore_rows_of(root));
    if (lore_answer_text(root, "next"))
        lore_buf_printf(&cli->out, "more: --cursor %s\n", lore_answer_text(root, "next"));
}

/* Build the request from the arguments. */
static void
ask_board(struct lore_query *q, const struct lore_args *args)
{
    static const char *const same[] = {"family", "project", "chip", "workload", "bottleneck",
        "evidence", "sort", "limit", "cursor"};

    lore_query_start(q, "/api/v1/leaderboard");
    lore_query_add(q, "operator", lore_args_get(args, "operator"));
    lore_query_add(q, "language", lore_args_get(args, "language"));
    lore_query_add(q, "words", args->words.n > 0 ? args->words.v[0] : NULL);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        lore_query_add(q, same[i], lore_args_get(args, same[i]));
    lore_query_add(q, "checked", lore_args_has(args, "checked") ? "true" : NULL);
    lore_query_add(q, "any_shape", lore_args_has(args, "any-shape") ? "true" : NULL);
}

/* Rows whose licence permits redistribution; prints how many do not. */
static void
withhold(struct lore_cli *cli, struct lore_fetched *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++) {
        if (!lore_fetch_bool(rows->v[i], "withheld"))
            rows->v[n++] = rows->v[i];
    }
    if (n < rows->n)
        lore_buf_printf(&cli->err,
            "warplore: %s withheld: the licence of their sources forbids redistribution\n",
            lore_answer_show_count(cli, (long long)(rows->n - n), "row", "rows"));
    rows->n = n;
}

/* Write all rows, or one page with --limit or --cursor. */
static int
write_board(struct lore_cli *cli, const struct lore_args *args, enum lore_board_form form)
{
    bool page = lore_args_has(args, "limit") || lore_args_has(args, "cursor");
    const struct lore_json *root = NULL;
    struct lore_fetched rows = {0};
    struct lore_buf out = {0};
    struct lore_err err = {0};
    struct lore_fetching fetching;
    struct lore_query q;

    lore_fetching_begin(&fetching, cli);
    ask_board(&q, args);
    const char *path =
        lore_format(cli->arena, "%s%s", q.path.data, page || q.has_query ? "" : "?words=");
    lore_buf_free(&q.path);
    enum lore_status status = page ? lore_fetch_one(&fetching.fetch, path, &root, &err)
                                   : lore_fetch_all(&fetching.fetch, path, &rows, &err);
    for (const struct lore_json *r = lore_fetch_first(root, "rows"); r; r = r->next)
        *LORE_PUSH(cli->arena, rows.v, rows.n, rows.cap) = r;
    withhold(cli, &rows);
    if (status == LORE_OK)
        status = lore_board_write(
            &fetching.fetch, &rows, form, lore_args_has(args, "excluded"), &out, &err);
    if (status != LORE_OK) {
        lore_buf_free(&out);
        return lore_fetching_end(&fetching, status, &err);
    }
    return lore_cli_put(cli, NULL, &out, "the board");
}

int
lore_cmd_leaderboard(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;
    bool markdown = lore_args_has(args, "markdown"), csv = lore_args_has(args, "csv");

    if (markdown && csv)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--markdown and --csv: choose one");
    if (markdown || csv)
        return write_board(cli, args, csv ? LORE_BOARD_CSV : LORE_BOARD_MARKDOWN);
    if (lore_args_has(args, "excluded") && !cli->json)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--excluded: needs --markdown or --csv");
    ask_board(&q, args);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    if (!cli->json)
        print_board(cli, lore_args_get(args, "chip"), root);
    return code;
}
