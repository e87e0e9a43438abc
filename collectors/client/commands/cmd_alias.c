/* Says what a name that the catalogue does not know means: a technique record with that name as its
 * slug, which only a curator may store. The service resolves old records at once. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

const struct lore_opt lore_alias_opts[] = {
    LORE_OPT_DRY_RUN,
    {NULL, 0, NULL, false, NULL},
};

int
lore_cmd_alias(struct lore_cli *cli, const struct lore_args *args)
{
    const char *name = args->words.v[0], *meant = lore_words_name(args->words.v[1]);
    const char *near[LORE_WORDS_NEAREST], *known = lore_words_name(name);
    struct lore_technique_def def = {.slug = lore_technique_slug(cli->arena, name)};
    struct lore_submission doc = {.format = LORE_WIRE_VERSION,
        .author.name = cli->config.author,
        .techniques = &def,
        .n_techniques = 1};
    struct lore_json *receipt = NULL;

    if (known)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "\"%s\" already means %s", name, known);
    if (!meant) {
        int code = lore_cli_say(
            cli, LORE_EXIT_USAGE, "\"%s\" is no technique of the catalogue", args->words.v[1]);
        const struct lore_operator *op = lore_operator_find(args->words.v[1]);
        if (op)
            lore_buf_printf(&cli->err,
                "  hint: %s is an operator; alias is for techniques. An attempt on \"%s\" says "
                "--operator %s\n",
                op->name, name, op->name);
        else if (lore_words_nearest(args->words.v[1], near) > 0)
            lore_buf_printf(&cli->err, "  hint: did you mean %s?\n", near[0]);
        return code;
    }
    def.technique = meant;
    def.id = lore_build_id(cli->arena, 0, "alias\n%s\n%s", def.slug, meant);
    doc.id = lore_build_id(cli->arena, 0, "alias-document\n%s\n%s", def.slug, meant);
    int code = lore_ask_submit(cli, &doc, lore_args_has(args, "dry-run"), &receipt);
    if (code == LORE_EXIT_OK && cli->json && receipt)
        lore_cli_print_json(cli, receipt);
    else if (code == LORE_EXIT_OK && receipt)
        lore_buf_printf(&cli->out, "\"%s\" means %s, in stored records, too\n", name, meant);
    return code;
}
