/* A partial restart hides a random half of a kernel's versions, so that old results do not bias all
 * further attempts. The same seed hides the same half; --dry-run shows it first. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/wire/build.h"

const struct lore_opt lore_restart_opts[] = {
    LORE_OPT_REASON,
    {"seed", 0, "TEXT", false, "Text or a number; the same one hides the same half"},
    LORE_OPT_DRY_RUN,
    {NULL, 0, NULL, false, NULL},
};

/* The label of a version, "v3", from one request for all of the kernel's versions; the id when
 * that fails. */
static const char *
label_of(const struct lore_json *versions, const char *id)
{
    for (const struct lore_json *v = versions ? versions->child : NULL; v; v = v->next) {
        if (lore_streq(lore_answer_text(v, "id"), id) && lore_answer_text(v, "label"))
            return lore_answer_text(v, "label");
    }
    return id;
}

static void
print_ids(struct lore_cli *cli, const char *name, const struct lore_json *ids,
    const struct lore_json *versions)
{
    const char *out = "", *last = NULL;
    size_t same = 1;

    for (const struct lore_json *m = ids ? ids->child : NULL; m; m = m->next) {
        const char *id = m->type == LORE_J_STRING ? m->str : lore_answer_text(m, "version");
        const char *label = id ? label_of(versions, id) : "?";
        same = lore_streq(label, last) ? same + 1 : 1;
        if (same == 1)
            out = lore_format(cli->arena, "%s%s%s", out, *out ? ", " : "", label);
        const struct lore_json *next = m->next;
        const char *after = !next                         ? NULL
                            : next->type == LORE_J_STRING ? next->str
                                                          : lore_answer_text(next, "version");
        if (same > 1 && !(after && lore_streq(label_of(versions, after), label)))
            out = lore_format(cli->arena, "%s (%zu of that label)", out, same);
        last = label;
    }
    lore_rows_line(cli, name, *out ? out : "none");
}

static void
print_restart(struct lore_cli *cli, const struct lore_json *root, const char *kernel, bool dry)
{
    const struct lore_json *hidden = lore_json_get(root, "hidden_versions"), *versions;
    const struct lore_json *masked = lore_json_get(root, "masked_experiments");
    const char *from = lore_answer_text(root, "from_version"),
               *next = lore_answer_text(root, "next_ordinal");
    struct lore_json *k = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/kernels");
    lore_query_segment(&q, kernel);
    versions = lore_ask_quietly(cli, &q, &k) ? lore_json_get(k, "versions") : NULL;
    if (!masked)
        masked = lore_json_get(root, "masked");
    lore_buf_printf(&cli->out, "%s\n", dry ? "would hide (nothing was changed)" : "restarted");
    lore_rows_line(cli, "id", lore_answer_text(root, "id"));
    lore_rows_line(cli, "seed", lore_answer_text(root, "seed"));
    print_ids(cli, "hidden", hidden ? hidden : masked, versions);
    lore_rows_line(cli, "masks",
        masked ? lore_answer_show_count(cli, masked->len, "experiment", "experiments") : NULL);
    const struct lore_json *visible = lore_json_get(root, "visible_versions");
    print_ids(cli, "visible", visible ? visible : lore_json_get(root, "visible"), versions);
    lore_rows_line(cli, "continue from", from ? label_of(versions, from) : NULL);
    lore_rows_line(cli, "next version", next ? lore_format(cli->arena, "v%s", next) : NULL);
}

int
lore_cmd_restart(struct lore_cli *cli, const struct lore_args *args)
{
    const char *kernel = args->words.v[0], *reason = lore_ask_reason(cli, args);
    const char *seed = lore_args_get(args, "seed");
    bool dry = lore_args_has(args, "dry-run");
    struct lore_json *root = NULL;
    long long number;

    if (!reason)
        return LORE_EXIT_USAGE;
    bool whole = seed && lore_parse_i64(seed, "--seed", &number, NULL) == LORE_OK && number >= 0;
    struct lore_member members[] = {{"reason", reason, NULL}, {"seed", seed, whole ? seed : NULL},
        {"dry_run", NULL, dry ? "true" : NULL}};
    int code = lore_ask_post(
        cli, lore_ask_path(cli, "/api/v1/kernels", kernel, "restart"), members, 3, &root);
    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json)
        lore_cli_print_json(cli, root);
    else
        print_restart(cli, root, kernel, dry);
    return code;
}
