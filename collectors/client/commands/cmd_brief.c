/* Prints the service's brief: sentences in sections. In a pipe each sentence is one line, so that
 * the text is no longer than the answer. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

const struct lore_opt lore_brief_opts[] = {
    LORE_OPT_OPERATOR,
    LORE_OPT_KERNEL,
    {"session", 0, "ID", false, "Session, by label or id: its kernel, chip and workload"},
    LORE_OPT_LANGUAGE,
    LORE_OPT_CHIP,
    LORE_OPT_BOTTLENECK,
    LORE_OPT_DIMS,
    LORE_OPT_DTYPE,
    LORE_OPT_LAYOUT,
    LORE_OPT_WORKLOAD,
    {"max-bytes", 0, "N", false, "Bytes at most (default 6000); what is left out is said"},
    {NULL, 0, NULL, false, NULL},
};

static void
print_brief(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *sections = lore_json_get(root, "sections");
    const char *left_out = lore_answer_text(root, "left_out");

    lore_buf_printf(&cli->out, "%s\n",
        lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, lore_answer_text(root, "title"))));
    for (const struct lore_json *s = sections ? sections->child : NULL; s; s = s->next) {
        const struct lore_json *lines = lore_json_get(s, "lines");

        lore_buf_printf(&cli->out, "%s\n",
            lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, lore_answer_text(s, "title"))));
        for (const struct lore_json *l = lines ? lines->child : NULL; l; l = l->next)
            lore_print_wrapped(cli, " ", 1, l->str);
    }
    if (left_out)
        lore_print_wrapped(cli, "", 0, lore_format(cli->arena, "Left out: %s", left_out));
}

int
lore_cmd_brief(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/brief");
    lore_query_add(
        &q, "kernel", args->words.n > 0 ? args->words.v[0] : lore_args_get(args, "kernel"));
    for (const struct lore_opt *o = lore_brief_opts; o->name; o++)
        if (!lore_streq(o->name, "kernel"))
            lore_query_add(&q, lore_ask_param(cli->arena, o->name), lore_args_get(args, o->name));
    int code = lore_cli_get(cli, &q, &root);
    if (code == LORE_EXIT_OK && !cli->json)
        print_brief(cli, root);
    return code;
}
