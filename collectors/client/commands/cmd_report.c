/* `warplore report KERNEL`: one kernel as a page for people. The report library writes the page;
 * this file reads the options and chooses the destination. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/commands/fetching.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/report/report.h"
#include "service/base/text.h"

const struct lore_opt lore_report_opts[] = {
    {"template", 0, "NAME", false, "final (the default), iteration or notes"},
    LORE_OPT_VERSION,
    LORE_OPT_WORKLOAD,
    {"withheld", 0, NULL, false,
        "Include records that must not be redistributed: for yourself only"},
    {"output", 0, "FILE", false, "Write to a file instead of standard output"},
    {NULL, 0, NULL, false, NULL},
};

static enum lore_status
write_report(const struct lore_story *story, const char *name, const char *version,
    struct lore_buf *out, struct lore_err *err)
{
    if (!name || lore_streq(name, "final"))
        return lore_report_final(story, out, err);
    if (lore_streq(name, "iteration"))
        return lore_report_iteration(story, version, out, err);
    return lore_report_notes(story, out, err);
}

int
lore_cmd_report(struct lore_cli *cli, const struct lore_args *args)
{
    const char *name = lore_args_get(args, "template"), *kernel = NULL;
    struct lore_fetching fetching;
    struct lore_story story = {0};
    struct lore_buf out = {0};
    struct lore_err err = {0};

    if (name && !lore_streq(name, "final") && !lore_streq(name, "iteration") &&
        !lore_streq(name, "notes"))
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "--template: \"%s\" is none of final, iteration, notes", name);
    int code = lore_ask_named(cli, "/api/v1/kernels", args->words.v[0], &kernel);
    if (code != LORE_EXIT_OK)
        return code;
    lore_fetching_begin(&fetching, cli);
    enum lore_status status =
        lore_story_read(&fetching.fetch, kernel, lore_args_get(args, "workload"), &story, &err);
    if (status == LORE_OK && !lore_args_has(args, "withheld"))
        status = lore_command_check_redistribution(&story, &err);
    if (status == LORE_OK)
        status = write_report(&story, name, lore_args_get(args, "version"), &out, &err);
    if (status != LORE_OK) {
        lore_buf_free(&out);
        return lore_fetching_end(&fetching, status, &err);
    }
    return lore_cli_put(cli, lore_args_get(args, "output"), &out, "the report");
}
