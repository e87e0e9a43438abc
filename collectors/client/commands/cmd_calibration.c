/* Compares predictions with outcomes: how often an author's probabilities came true, and what
 * became of each expected metric movement. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_calibration_opts[] = {
    {"bins", 0, NULL, false, "Also the reliability bins of each author"},
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_judgements_opts[] = {
    LORE_OPT_AUTHOR,
    {"verdict", 0, "WORD", false, "confirmed, contradicted, partial or not_measured"},
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};

static const struct lore_shown author_columns[] = {
    {"author", "author", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"predicted", "n", LORE_AS_TEXT, LORE_RIGHT},
    {"no probability", "without_probability", LORE_AS_TEXT, LORE_RIGHT},
    {"won", "base_rate", LORE_AS_PERCENT, LORE_RIGHT},
    {"Brier", "brier", LORE_AS_NUMBER, LORE_RIGHT},
    {"off by", "calibration_error", LORE_AS_PERCENT, LORE_RIGHT},
};
static const struct lore_shown bin_columns[] = {
    {"from", "low", LORE_AS_PERCENT, LORE_RIGHT},
    {"to", "high", LORE_AS_PERCENT, LORE_RIGHT},
    {"predicted", "mean_probability", LORE_AS_PERCENT, LORE_RIGHT},
    {"n", "n", LORE_AS_TEXT, LORE_RIGHT},
    {"won", "rate", LORE_AS_PERCENT, LORE_RIGHT},
};
static const struct lore_shown judgement_columns[] = {
    {"experiment", "experiment", LORE_AS_TEXT, 0},
    {"author", "author", LORE_AS_TEXT, LORE_FLEXIBLE | LORE_OPTIONAL},
    {"metric", "metric", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"verdict", "verdict", LORE_AS_WORD, 0},
    {"before", "before", LORE_AS_NUMBER, LORE_RIGHT},
    {"after", "after", LORE_AS_NUMBER, LORE_RIGHT},
};

int
lore_cmd_calibration(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/calibration");
    lore_query_add(&q, "author", args->words.n > 0 ? args->words.v[0] : NULL);
    int code = lore_cli_get(cli, &q, &root);
    if (code == LORE_EXIT_OK)
        code = LORE_ROWS_ANSWER(cli, author_columns, root, "no predictions to judge");
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    lore_buf_puts(&cli->out, "Brier: 0 is perfect, 0.25 is a coin toss\n");
    for (const struct lore_json *r = lore_rows_of(root); r; r = r->next) {
        const struct lore_json *bins = lore_json_get(r, "bins");
        if (!lore_args_has(args, "bins") || !bins || !bins->child)
            continue;
        lore_rows_heading(cli, lore_answer_text(r, "author") ? lore_answer_text(r, "author") : "?");
        (void)LORE_ROWS_PRINT(cli, bin_columns, bins->child);
    }
    return code;
}

int
lore_cmd_judgements(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"author", "verdict", "limit", "cursor", NULL};
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/judgements");
    lore_ask_params(cli, args, params, &q);
    int code = lore_cli_get(cli, &q, &root);
    return code == LORE_EXIT_OK ? LORE_ROWS_ANSWER(cli, judgement_columns, root, "no judgements")
                                : code;
}
