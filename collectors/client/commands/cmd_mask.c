/* Hides an experiment from recommendations, or shows it again. Nothing is deleted. A reason is
 * required, because the service stores who did it, when and why. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/jsonw.h"
#include "service/base/ulid.h"

const struct lore_opt lore_reason_opts[] = {
    LORE_OPT_REASON,
    {NULL, 0, NULL, false, NULL},
};

static int
set_mask(struct lore_cli *cli, const struct lore_args *args, bool masked)
{
    const char *id = args->words.v[0], *reason = lore_args_get(args, "reason");
    struct lore_buf body = {.max = 64u << 10};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_jsonw w;
    int code;

    if (!reason || !*reason)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--reason: required");
    lore_jsonw_begin(&w, &body, false);
    lore_w_obj(&w);
    lore_w_kbool(&w, "masked", masked);
    lore_w_kstr(&w, "reason", reason);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, &err) == LORE_OK)
        code = lore_cli_post(
            cli, lore_ask_path(cli, "/api/v1/experiments", id, "mask"), body.data, body.len, &root);
    else
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    lore_buf_free(&body);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "%s %s\n", masked ? "masked" : "unmasked", id);
    return code;
}

int
lore_cmd_mask(struct lore_cli *cli, const struct lore_args *args)
{
    return set_mask(cli, args, true);
}

int
lore_cmd_unmask(struct lore_cli *cli, const struct lore_args *args)
{
    return set_mask(cli, args, false);
}
