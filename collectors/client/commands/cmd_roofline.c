/* How near a kernel is to the chip's peak, and where the next attempts should go. The numbers
 * are the service's; an input without a source makes the answer UNKNOWN, never a guess. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_roofline_opts[] = {
    LORE_OPT_CHIP,
    LORE_OPT_DTYPE,
    {"unit", 0, "WORD", false, "vector or matrix units"},
    {"sparse", 0, NULL, false, "Against the peak with structured sparsity"},
    {"flops", 0, "N", false, "Operations of the algorithm"},
    {"bytes", 0, "N", false, "Bytes that must move to and from memory"},
    LORE_OPT_TIME,
    LORE_OPT_RUN,
    {"tile-flops", 0, "N", false, "Operations per tile"},
    {"tile-bytes", 0, "N", false, "Bytes per tile"},
    {"grid-blocks", 0, "N", false, "Blocks of the launch"},
    {NULL, 0, NULL, false, NULL},
};

/* The inputs of the answer: cited numbers, given ones, and unknown ones. */
static void
print_inputs(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *inputs = lore_json_get(root, "inputs");
    const char *unknown = lore_answer_join(cli, lore_json_get(root, "unknown_inputs"), ", ");

    if (inputs && inputs->child)
        lore_rows_heading(cli, "Inputs");
    for (const struct lore_json *i = inputs ? inputs->child : NULL; i; i = i->next) {
        const char *cite = lore_answer_text(i, "cite"), *name = lore_answer_text(i, "name");
        const char *unit = lore_answer_text(i, "unit");
        double v;
        if (cite)
            lore_buf_printf(&cli->out, "%s\n", lore_print_clean(cli, cite));
        else
            lore_buf_printf(&cli->out, "%s: %s\n", name ? lore_print_clean(cli, name) : "?",
                !lore_answer_number(i, "value", &v) ? "UNKNOWN"
                : !unit || lore_streq(unit, "1")
                    ? lore_format(cli->arena, "%.9g", v)
                    : lore_format(cli->arena, "%.9g %s", v, lore_print_clean(cli, unit)));
    }
    if (*unknown)
        lore_print_wrapped(cli, "missing inputs: ", 4, unknown);
}

static const char *
number_or_unknown(
    struct lore_cli *cli, const struct lore_json *root, const char *key, const char *after)
{
    double v;
    return lore_answer_number(root, key, &v) ? lore_format(cli->arena, "%.4g%s", v, after)
                                             : "UNKNOWN";
}

int
lore_cmd_roofline(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"chip", "dtype", "unit", "sparse", "flops", "bytes",
        "time", "run", "tile-flops", "tile-bytes", "grid-blocks", NULL};
    struct lore_json *root = NULL;
    struct lore_query q;
    double ns;

    const char *run = args->words.n > 0 ? args->words.v[0] : NULL;
    if (run && lore_args_has(args, "run"))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "roofline: give one run");
    if (!run && !lore_args_has(args, "run") &&
        !(lore_args_has(args, "chip") && lore_args_has(args, "flops") &&
            lore_args_has(args, "bytes")))
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "roofline: give --chip, --flops and --bytes (and --time), or a run");
    lore_query_start(&q, "/api/v1/roofline");
    lore_ask_params(cli, args, params, &q);
    lore_query_add(&q, "run", run);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    const char *bound = lore_answer_text(root, "bound"), *of = lore_answer_text(root, "of");
    lore_buf_printf(&cli->out, "%s\n",
        lore_print_styled(cli, LORE_BOLD,
            bound && !lore_streq(bound, "unknown")
                ? lore_format(cli->arena, "%s-bound", lore_print_clean(cli, bound))
                : "bound: UNKNOWN"));
    lore_rows_line(cli, "intensity", number_or_unknown(cli, root, "ai", " flops/byte"));
    lore_rows_line(cli, "ridge", number_or_unknown(cli, root, "ridge", " flops/byte"));
    lore_rows_line(cli, "least time",
        lore_answer_number(root, "ceiling_time_ns", &ns) ? lore_answer_show_ns(cli, ns)
                                                         : "UNKNOWN");
    lore_rows_line(cli, "utilisation",
        lore_format(cli->arena, "%s%s%s%s", number_or_unknown(cli, root, "utilisation_pct", " %"),
            of ? " of the " : "", of ? of : "",
            of && strcmp(of, "ceiling") == 0 ? " measured here" : ""));
    lore_rows_line(cli, "limited by", lore_answer_text(root, "limit"));
    lore_rows_line(cli, "work", lore_answer_text(root, "rule"));
    lore_rows_line(cli, "formula", lore_answer_text(root, "formula"));
    lore_rows_line(cli, "note", lore_answer_text(root, "note"));
    print_inputs(cli, root);
    return LORE_EXIT_OK;
}

int
lore_cmd_budget(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const names[] = {"compute", "memory", "latency"};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_query q;
    double v;

    for (size_t i = 0; i < 3; i++) {
        if (lore_parse_f64(args->words.v[i], names[i], &v, &err) != LORE_OK)
            return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    }
    lore_query_start(&q, "/api/v1/axis-budget");
    for (size_t i = 0; i < 3; i++)
        lore_query_add(&q, names[i], args->words.v[i]);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    for (size_t i = 0; i < 3; i++)
        lore_buf_printf(&cli->out, "%-10s %s\n", names[i],
            lore_answer_text(root, names[i]) ? lore_answer_text(root, names[i]) : "UNKNOWN");
    if (lore_answer_text(root, "algorithm"))
        lore_buf_printf(&cli->out, "by         %s\n",
            lore_print_clean(cli, lore_answer_text(root, "algorithm")));
    return LORE_EXIT_OK;
}
