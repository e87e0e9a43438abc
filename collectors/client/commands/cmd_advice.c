/* Shows what followed an answer of `recommend`, and records what the user did with it. The
 * service links later experiments to the advice; "applied" makes these links more reliable. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

const struct lore_opt lore_advice_opts[] = {
    {"note", 0, "TEXT", false, "Why, in words"},
    {NULL, 0, NULL, false, NULL},
};

void
lore_cmd_print_advice_id(struct lore_cli *cli, const struct lore_json *answer)
{
    const char *id = lore_answer_text(answer, "advice_id");

    if (id)
        lore_buf_printf(&cli->out, "\n%s\n",
            lore_print_styled(cli, LORE_DIM,
                lore_format(cli->arena, "Tried one? warplore advice applied %s TECHNIQUE", id)));
}

static const char *
show_question(struct lore_cli *cli, const struct lore_json *q)
{
    const char *op = lore_answer_text(q, "operator"), *chip = lore_answer_text(q, "chip");
    const char *language = lore_answer_text(q, "language");
    const char *labels = lore_answer_join(cli, lore_json_get(q, "bottleneck"), "+");

    return lore_format(cli->arena, "%s%s%s%s%s%s%s", op ? op : "any operator",
        language ? " in " : "", language ? language : "", chip ? " on " : "", chip ? chip : "",
        *labels ? ", bottleneck " : "", labels);
}

/* "worked, 1.42x in 01J…": the first outcome that agrees with the item's result, else the first
 * one. */
static const char *
show_outcomes(struct lore_cli *cli, const struct lore_json *item)
{
    const struct lore_json *list = lore_json_get(item, "outcomes");
    const char *text = lore_answer_show_word(cli, lore_answer_text(item, "came"));
    const struct lore_json *first = list ? list->child : NULL;
    double speedup;

    for (const struct lore_json *o = first; o; o = o->next)
        if (lore_streq(lore_answer_text(o, "came"), lore_answer_text(item, "came"))) {
            first = o;
            break;
        }
    if (!first)
        return text;
    if (lore_answer_number(first, "speedup", &speedup))
        text = lore_format(cli->arena, "%s, %s", text, lore_answer_show_factor(cli, speedup));
    return lore_format(cli->arena, "%s in %s", text, lore_answer_text(first, "experiment"));
}

static void
print_items(struct lore_cli *cli, const struct lore_json *items)
{
    static const struct lore_print_column columns[] = {{"list", false, false, false},
        {"technique", false, true, false}, {"odds", true, false, false},
        {"reported", false, false, true}, {"result", false, true, false}};
    struct lore_table t = LORE_TABLE(columns);
    double p;

    for (const struct lore_json *i = items ? items->child : NULL; i; i = i->next) {
        lore_table_cell(cli, &t, lore_answer_text(i, "list"));
        lore_table_cell(cli, &t, lore_answer_text(i, "technique"));
        lore_table_cell(cli, &t,
            lore_answer_number(i, "p_win", &p) ? lore_format(cli->arena, "%.0f %%", 100 * p)
                                               : NULL);
        lore_table_cell(cli, &t, lore_answer_text(i, "said"));
        lore_table_cell(cli, &t, show_outcomes(cli, i));
    }
    lore_table_print(cli, &t);
}

/* The first result of a proposed version: "17 us in run 01J…" or "worked in 01J…". */
static const char *
show_tried(struct lore_cli *cli, const struct lore_json *outcomes)
{
    const struct lore_json *o = outcomes ? outcomes->child : NULL;
    double ns;

    if (!o)
        return "open";
    if (lore_answer_text(o, "experiment"))
        return lore_format(cli->arena, "%s in %s",
            lore_answer_show_word(cli, lore_answer_text(o, "came")),
            lore_answer_text(o, "experiment"));
    return lore_format(cli->arena, "%s in run %s",
        lore_answer_true(o, "failed")           ? "failed"
        : lore_answer_number(o, "time_ns", &ns) ? lore_answer_show_ns(cli, ns)
                                                : "not timed",
        lore_answer_text(o, "run"));
}

static void
print_versions(struct lore_cli *cli, const struct lore_json *versions)
{
    static const struct lore_print_column columns[] = {{"list", false, false, false},
        {"version", false, false, false}, {"change", false, true, true},
        {"predicted", true, false, false}, {"result", false, true, false}};
    struct lore_table t = LORE_TABLE(columns);

    if (!versions || !versions->child)
        return;
    for (const struct lore_json *v = versions->child; v; v = v->next) {
        const struct lore_json *fraction = lore_json_get(v, "fraction");
        double said = 0;
        (void)lore_answer_number(fraction ? fraction : lore_json_get(v, "p_win"), "value", &said);
        lore_table_cell(cli, &t, lore_answer_text(v, "list"));
        lore_table_cell(cli, &t, lore_answer_text(v, "version"));
        lore_table_cell(cli, &t, lore_answer_text(v, "technique"));
        lore_table_cell(cli, &t,
            lore_format(cli->arena, fraction ? "%.0f %% of the best" : "%.0f %%", 100 * said));
        lore_table_cell(cli, &t, show_tried(cli, lore_json_get(v, "outcomes")));
    }
    lore_buf_putc(&cli->out, '\n');
    lore_table_print(cli, &t);
}

static int
show(struct lore_cli *cli, const char *id)
{
    struct lore_json *root = NULL;
    int code = lore_ask_get(cli, "/api/v1/advice", id, NULL, &root);

    if (code != LORE_EXIT_OK || cli->json)
        return code;
    lore_buf_printf(&cli->out, "%s\n",
        lore_print_styled(cli, LORE_BOLD,
            lore_print_clean(cli, show_question(cli, lore_json_get(root, "question")))));
    lore_buf_printf(&cli->out, "asked %s by %s\n\n",
        lore_answer_show_day(cli, lore_answer_text(root, "served_at")),
        lore_print_clean(cli, lore_answer_text(root, "caller")));
    print_items(cli, lore_json_get(root, "items"));
    print_versions(cli, lore_json_get(root, "versions"));
    return code;
}

static int
send_event(struct lore_cli *cli, const struct lore_args *args)
{
    const char *event = args->words.v[0], *id = args->words.v[1];
    const char *technique = args->words.n > 2 ? args->words.v[2] : NULL;
    const struct lore_member members[] = {{"event", event, NULL}, {"technique", technique, NULL},
        {"note", lore_args_get(args, "note"), NULL}};
    struct lore_json *root = NULL;

    if (!lore_ask_id(cli, id))
        return LORE_EXIT_USAGE;
    if (!technique && !lore_streq(event, "opened"))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "name the technique that was %s", event);
    int code = lore_ask_post(
        cli, lore_format(cli->arena, "/api/v1/advice/%s/events", id), members, 3, &root);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "%s %s%s%s\n", event, id, technique ? " " : "",
            technique ? lore_print_clean(cli, lore_answer_text(root, "technique")) : "");
    return code;
}

int
lore_cmd_advice(struct lore_cli *cli, const struct lore_args *args)
{
    const char *first = args->words.v[0];

    if (lore_choice("opened|applied|dismissed", first)) {
        if (args->words.n < 2)
            return lore_cli_say(cli, LORE_EXIT_USAGE, "%s: name the id of the answer", first);
        return send_event(cli, args);
    }
    if (args->words.n > 1)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "%s: expected opened, applied or dismissed, or one id", first);
    return lore_ask_id(cli, first) ? show(cli, first) : LORE_EXIT_USAGE;
}
