/* Sends submission documents unchanged: the service checks them, and stores what the collector
 * wrote. Prints one receipt per document. The first refusal ends the command, because later
 * documents usually refer to records of earlier ones. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/new_names.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

/* "2 versions, 3 runs": the counts of {"runs":3,…}. */
static const char *
show_counts(struct lore_cli *cli, const struct lore_json *counts)
{
    const char *out = "";

    for (const struct lore_json *m = counts ? counts->child : NULL; m; m = m->next) {
        if (m->type != LORE_J_NUMBER || m->i == 0)
            continue;
        const char *name = lore_answer_show_word(cli, m->key);
        for (int k = 0; m->i == 1 && k < LORE_K_COUNT; k++) {
            if (lore_streq(lore_kind_plural((enum lore_kind)k), m->key))
                name = lore_answer_show_word(cli, lore_kind_name((enum lore_kind)k));
        }
        out = lore_format(cli->arena, "%s%s%lld %s", out, *out ? ", " : "", (long long)m->i, name);
    }
    return out;
}

/* Insights that repeat a stored one, or contradict one. */
static void
print_similar(struct lore_cli *cli, const struct lore_json *similar)
{
    for (const struct lore_json *s = similar ? similar->child : NULL; s; s = s->next) {
        bool conflict = lore_streq(lore_answer_text(s, "kind"), "conflict");
        lore_buf_printf(&cli->out, "  %s  insight %s %s %s\n",
            conflict ? "conflict     " : "similar      ",
            lore_print_clean(cli, lore_answer_text(s, "of")),
            conflict ? "contradicts" : "says the same as",
            lore_print_clean(cli, lore_answer_text(s, "id")));
    }
}

static void
print_receipt(struct lore_cli *cli, const char *path, const struct lore_json *receipt)
{
    const char *id = lore_answer_text(receipt, "id");
    const char *stored = show_counts(cli, lore_json_get(receipt, "stored"));
    const char *old = show_counts(cli, lore_json_get(receipt, "duplicates"));

    lore_buf_printf(&cli->out, "%s  %s\n", id ? id : "?", lore_print_clean(cli, path));
    if (*stored)
        lore_print_wrapped(cli, "  stored         ", 17, stored);
    if (*old)
        lore_print_wrapped(cli, "  already there  ", 17, old);
    print_similar(cli, lore_json_get(receipt, "similar"));
    lore_new_names_print(cli, receipt);
    if (!*stored && !*old)
        lore_buf_puts(&cli->out, "  holds no records\n");
}

static int
send_one(struct lore_cli *cli, const char *path)
{
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_json *receipt = NULL;
    struct lore_err err = {0};
    int code;

    cli->about = strcmp(path, "-") == 0 ? "standard input" : path;
    if (lore_ask_read(path, &body, &err) != LORE_OK) {
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    } else if (body.len == 0) {
        code = lore_cli_say(cli, LORE_EXIT_USAGE, "%s: empty", cli->about);
    } else {
        code = lore_cli_post(cli, "/api/v1/submissions", body.data, body.len, &receipt);
    }
    if (code == LORE_EXIT_OK && cli->json && receipt)
        lore_cli_print_json(cli, receipt);
    else if (code == LORE_EXIT_OK)
        print_receipt(cli, cli->about, receipt);
    cli->about = NULL;
    lore_buf_free(&body);
    return code;
}

int
lore_cmd_submit(struct lore_cli *cli, const struct lore_args *args)
{
    for (size_t i = 0; i < args->words.n; i++) {
        int code = send_one(cli, args->words.v[i]);
        if (code == LORE_EXIT_OK)
            continue;
        if (i + 1 < args->words.n)
            lore_buf_printf(&cli->err, "  %s not sent: %s%s\n",
                lore_answer_show_count(cli, (long long)(args->words.n - i - 1), "file", "files"),
                args->words.v[i + 1], i + 2 < args->words.n ? " …" : "");
        return code;
    }
    return LORE_EXIT_OK;
}
