/* `warplore try`: one attempt of the session of this directory. */
#include "collectors/client/commands/attempt_cmd.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/report/quantity.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/wire/attempt.h"

/* The next attempt starts from the champion. After `--keep`, it starts from the version that was
 * kept, and then from each version that wins over it, until one of them is the champion. */
static void
move_head(struct lore_session *s, const struct lore_args *args, const struct lore_json *receipt)
{
    const struct lore_json *version = lore_json_get(receipt, "version");
    const char *id = lore_answer_text(version, "id"), *label = lore_answer_text(version, "label");
    const char *effect = lore_report_effect(lore_json_get(receipt, "outcome"));
    const char *parent = lore_answer_text(lore_json_get(receipt, "parent"), "id");
    bool won = lore_streq(effect, "win") && s->head_id && lore_streq(parent, s->head_id);

    s->champion_id = lore_answer_text(lore_json_get(receipt, "champion"), "id");
    if (!lore_args_has(args, "keep") && !won)
        return;
    bool champion = lore_streq(id, s->champion_id);
    s->head = champion ? NULL : label ? label : id;
    s->head_id = champion ? NULL : id;
}

int
lore_cmd_try(struct lore_cli *cli, const struct lore_args *args)
{
    LORE_BUF body = {.max = LORE_ATTEMPT_BYTES};
    struct lore_json *receipt = NULL;
    struct lore_err err = {0};
    int code = LORE_EXIT_OK;
    const struct lore_session *s = lore_session_open(cli, &code);

    if (!s)
        return code;
    if (lore_attempt_write(cli, args, args->words.v[0], s, &body, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    const char *warning = lore_attempt_warn(cli, args, args->words.v[0], s);
    code = lore_attempt_send(cli, args, &body, &receipt);
    lore_attempt_warned(cli, warning, receipt);
    if (code != LORE_EXIT_OK || lore_args_has(args, "dry-run"))
        return code;
    struct lore_session next = *s;
    move_head(&next, args, receipt);
    if (lore_session_write(cli, &next, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (next.head && !cli->json)
        lore_buf_printf(&cli->out, "the next attempt starts from %s\n", next.head);
    return code;
}
