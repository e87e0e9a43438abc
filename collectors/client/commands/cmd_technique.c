/* Shows one technique: its catalogue entries and its results here; what was found in machine
 * code; and the rules that verdicts name. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_verifications_opts[] = {
    LORE_OPT_TECHNIQUE,
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};

/* A text, a list of texts, or an object's scalars. */
static const char *
show_any(struct lore_cli *cli, const struct lore_json *m)
{
    if (!m || m->type == LORE_J_NULL)
        return NULL;
    if (m->type == LORE_J_ARRAY)
        return lore_answer_join(cli, m, ", ");
    if (m->type == LORE_J_OBJECT)
        return lore_answer_show_members(cli, m);
    return m->type == LORE_J_BOOL ? (m->i ? "yes" : "no") : m->str;
}

/* {"not_measured": 2}: "2 not measured". */
static const char *
show_counts(struct lore_cli *cli, const struct lore_json *counts)
{
    const char *out = "";

    for (const struct lore_json *m = counts ? counts->child : NULL; m; m = m->next)
        out = lore_format(cli->arena, "%s%s%s %s", out, *out ? ", " : "", m->str,
            lore_answer_show_word(cli, m->key));
    return *out ? out : NULL;
}

static void
print_methods(struct lore_cli *cli, const struct lore_json *list)
{
    static const char *const lines[] = {"axis", "priority", "trigger", "features", "min_sm",
        "conflicts", "complements", "expected"};

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        lore_rows_heading(cli, lore_format(cli->arena, "Method %s",
                                   lore_answer_text(m, "id") ? lore_answer_text(m, "id") : "?"));
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            lore_rows_line(cli, lore_answer_show_word(cli, lines[i]),
                show_any(cli, lore_json_get(m, lines[i])));
    }
}

static void
print_pairs(struct lore_cli *cli, const struct lore_json *list)
{
    if (list && list->child)
        lore_rows_heading(cli, "Together with other techniques");
    for (const struct lore_json *p = list ? list->child : NULL; p; p = p->next) {
        const char *with = lore_answer_text(p, "with"), *note = lore_answer_text(p, "note");
        lore_print_wrapped(cli, "  - ", 4,
            lore_format(cli->arena, "%s: %s%s%s", with ? with : "?", lore_answer_text(p, "kind"),
                note ? "; " : "", note ? note : ""));
    }
}

static void
print_definitions(struct lore_cli *cli, const struct lore_json *list)
{
    if (!list || !list->child)
        return;
    lore_rows_heading(cli, "Definitions in other catalogues");
    for (const struct lore_json *d = list->child; d; d = d->next) {
        const char *title = lore_answer_text(d, "title"), *summary = lore_answer_text(d, "summary");
        const char *slug = lore_answer_text(d, "slug"),
                   *from = lore_rows_at_text(d, "provenance.system");
        if (!title)
            title = slug ? slug : lore_answer_text(d, "technique");
        lore_print_wrapped(cli, "  - ", 4,
            lore_format(cli->arena, "%s%s%s%s%s%s", title ? title : "?", from ? " (" : "",
                from ? from : "", from ? ")" : "", summary ? ": " : "", summary ? summary : ""));
    }
}

int
lore_cmd_technique(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const lines[] = {"summary", "axis", "layer", "priority", "min_arch",
        "features", "typical_gain", "trigger", "triggers", "preconditions", "conflicts",
        "complements", "coupled", "aliases"};
    struct lore_json *root = NULL;
    int code = lore_ask_get(cli, "/api/v1/techniques", args->words.v[0], NULL, &root);

    if (code != LORE_EXIT_OK || cli->json)
        return code;
    const char *title = lore_answer_text(root, "title"), *slug = lore_answer_text(root, "slug");
    lore_buf_printf(&cli->out, "%s%s%s\n", lore_print_styled(cli, LORE_BOLD, slug ? slug : "?"),
        title ? "  " : "", title ? lore_print_clean(cli, title) : "");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        lore_rows_line(cli, lore_answer_show_word(cli, lines[i]),
            show_any(cli, lore_json_get(root, lines[i])));
    lore_rows_line(cli, "tried",
        lore_format(cli->arena, "%lld: %lld won, %lld lost", lore_answer_int(root, "experiments"),
            lore_answer_int(root, "wins"), lore_answer_int(root, "losses")));
    lore_rows_line(cli, "verdicts", show_counts(cli, lore_json_get(root, "verdicts")));
    print_methods(cli, lore_json_get(root, "methods"));
    print_pairs(cli, lore_json_get(root, "pairs"));
    print_definitions(cli, lore_json_get(root, "definitions"));
    return code;
}

static const struct lore_shown verification_columns[] = {
    {"verification", "id", LORE_AS_TEXT, LORE_OPTIONAL},
    {"technique", "technique", LORE_AS_TEXT, 0},
    {"status", "status", LORE_AS_WORD, 0},
    {"found", "found", LORE_AS_NAMES, LORE_FLEXIBLE},
    {"missing", "missing", LORE_AS_NAMES, LORE_FLEXIBLE},
    {"tool", "tool", LORE_AS_TEXT, LORE_FLEXIBLE | LORE_OPTIONAL},
};

int
lore_cmd_verifications(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"technique", "limit", "cursor", NULL};
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, args->words.v[0]);
    lore_query_segment(&q, "verifications");
    lore_ask_params(cli, args, params, &q);
    int code = lore_cli_get(cli, &q, &root);
    return code == LORE_EXIT_OK ? LORE_ROWS_ANSWER(cli, verification_columns, root,
                                      "its machine code was not checked (warplore isa)")
                                : code;
}

int
lore_cmd_rules(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    (void)args;
    lore_query_start(&q, "/api/v1/_rules");
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    static const struct {
        const char *kind, *title;
    } parts[] = {
        {"rule", "Rules, and what breaks each: a broken rule makes the process verdict \"broken\""},
        {"flag", "Flags: doubtful points, which change no verdict"},
        {"missing", "Missing: not recorded, which changes no verdict"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        lore_buf_printf(&cli->out, "%s%s\n", i > 0 ? "\n" : "",
            lore_print_styled(cli, LORE_BOLD, parts[i].title));
        for (const struct lore_json *r = lore_rows_of(root); r; r = r->next) {
            const char *name = lore_answer_text(r, "name"), *help = lore_answer_text(r, "help");
            if (!lore_streq(lore_answer_text(r, "kind"), parts[i].kind))
                continue;
            lore_print_wrapped(cli,
                lore_format(cli->arena, "  %-30s ", name ? lore_print_clean(cli, name) : "?"), 33,
                help ? help : "");
        }
    }
    return LORE_EXIT_OK;
}
