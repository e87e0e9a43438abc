/* The table of commands, the help made from it, and the one way in. */
#include "commands.h"

#include <string.h>

#include "print.h"
#include "text.h"

#define ANY 1000

const struct lore_command lore_commands[] = {
    {"record", "[DIRECTORY]", 0, 1, lore_record_opts, lore_cmd_record,
        "Record one experiment, from options, a file, or a directory with hypothesis.txt",
        "  warplore record --kernel softmax --backend cuda --chip sm_86 --bottleneck memory \\\n"
        "      --latency-before 0.9445 --latency-after 0.7025 -o "
        "'shared-memory-tiling{tile-size=16}'\n"
        "  warplore record --file experiment.yaml      keys are the options' names\n"
        "  warplore record v3/ --chip mi300x --kernel topk_softmax --backend hip"},
    {"import", "PATH…", 1, ANY, lore_import_opts, lore_cmd_import,
        "Import other systems' files: memories, run directories, wikis, spec sheets",
        "  warplore import --dry-run runs/ experiences.json\n"
        "  warplore import --licence MIT global_strategy_memory.json\n"
        "Formats are seen from the content. Importing again stores nothing new."},
    {"recommend", "", 0, 0, lore_recommend_opts, lore_cmd_recommend,
        "What worked for similar kernels on this chip and bottleneck?",
        "  warplore recommend --kernel softmax --chip sm_86 --bottleneck memory"},
    {"search", "WORDS…", 1, ANY, lore_search_opts, lore_cmd_search,
        "Find words in experiments, hypotheses, insights and versions", NULL},
    {"list", "[NOUN]", 0, 1, lore_list_opts, lore_cmd_list,
        "List experiments, kernels, runs, operators, chips, techniques, insights or submissions",
        "  warplore list --kernel softmax --outcome failure\n"
        "  warplore list kernels --language hip"},
    {"show", "ID", 1, 1, NULL, lore_cmd_show, "Show anything by its id", NULL},
    {"leaderboard", "[WORD]", 0, 1, lore_leaderboard_opts, lore_cmd_leaderboard,
        "The best version per operator, language, chip and workload", NULL},
    {"stats", "", 0, 0, NULL, lore_cmd_stats, "What the memory holds, in numbers", NULL},
    {"export", "", 0, 0, lore_export_opts, lore_cmd_export,
        "Write experiments as Markdown or JSON lines", NULL},
    {"mask", "ID", 1, 1, lore_mask_opts, lore_cmd_mask,
        "Hide an experiment from recommendations, with a reason", NULL},
    {"unmask", "ID", 1, 1, lore_mask_opts, lore_cmd_unmask,
        "Show a masked experiment again, with a reason", NULL},
    {"doctor", "", 0, 0, NULL, lore_cmd_doctor, "Check configuration, service and token", NULL},
    {NULL, NULL, 0, 0, NULL, NULL, NULL, NULL},
};

static void
print_overview(struct lore_cli *cli)
{
    lore_buf_puts(&cli->out, "usage: warplore COMMAND [options]\n\n");
    for (const struct lore_command *c = lore_commands; c->name; c++)
        lore_buf_printf(&cli->out, "  %-12s %s\n", c->name, c->help);
    lore_buf_puts(&cli->out, "\n  help [COMMAND]  this text, or a command's options\n"
                             "  version         the version\n\n"
                             "The service: WARPLORE_URL or --url (default http://127.0.0.1:8787).\n"
                             "The token: WARPLORE_TOKEN or --token-file.\n");
}

static void
print_options(struct lore_cli *cli, const struct lore_opt *opts)
{
    for (const struct lore_opt *o = opts; o && o->name; o++) {
        const char *letter = o->letter ? lore_format(cli->arena, "-%c, ", o->letter) : "    ";
        const char *left = lore_format(
            cli->arena, "  %s--%s%s%s", letter, o->name, o->arg ? " " : "", o->arg ? o->arg : "");
        const char *help = o->repeat && !o->same_as
                               ? lore_format(cli->arena, "%s (may be repeated)", o->help)
                               : o->help;
        lore_print_wrapped(cli, lore_format(cli->arena, "%-32s ", left), 33, help);
    }
}

static void
print_command_help(struct lore_cli *cli, const struct lore_command *c)
{
    lore_buf_printf(&cli->out, "usage: warplore %s%s%s [options]\n\n%s%s\n", c->name,
        *c->words ? " " : "", c->words, c->help, c->help[strlen(c->help) - 1] == '?' ? "" : ".");
    if (c->notes)
        lore_buf_printf(&cli->out, "\n%s\n", c->notes);
    lore_buf_putc(&cli->out, '\n');
    print_options(cli, c->opts);
    print_options(cli, lore_common_opts);
}

static const struct lore_command *
find_command(struct lore_cli *cli, const char *name)
{
    const char *names[32];
    size_t n = 0;

    for (const struct lore_command *c = lore_commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
        names[n++] = c->name;
    }
    int near = lore_nearest(name, names, n);
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: unknown command", name);
    if (near >= 0)
        lore_buf_printf(&cli->err, "  hint: did you mean %s?\n", names[near]);
    else
        lore_buf_puts(&cli->err, "  hint: warplore help\n");
    return NULL;
}

static int
help(struct lore_cli *cli, const char *name)
{
    if (!name) {
        print_overview(cli);
        return LORE_EXIT_OK;
    }
    const struct lore_command *c = find_command(cli, name);
    if (!c)
        return LORE_EXIT_USAGE;
    print_command_help(cli, c);
    return LORE_EXIT_OK;
}

static int
run(struct lore_cli *cli, const struct lore_command *c, int argc, char **argv)
{
    struct lore_args args;
    struct lore_err err = {0};

    if (lore_args_parse(c->opts, argc, argv, cli->arena, &args, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (lore_args_has(&args, "help"))
        return help(cli, c->name);
    if (args.words.n < c->min_words || args.words.n > c->max_words) {
        return lore_cli_say(cli, LORE_EXIT_USAGE, "%s: %s (usage: warplore %s %s)", c->name,
            args.words.n < c->min_words ? "something is missing" : "too many words", c->name,
            c->words);
    }
    cli->json = lore_args_has(&args, "json");
    if (lore_config_load(&args, cli->arena, &cli->config, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return c->run(cli, &args);
}

int
lore_cli_main(struct lore_cli *cli, int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : NULL;

    if (!first) {
        print_overview(cli);
        return LORE_EXIT_USAGE;
    }
    if (strcmp(first, "help") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return help(cli, argc > 2 ? argv[2] : NULL);
    if (strcmp(first, "version") == 0 || strcmp(first, "--version") == 0) {
        lore_buf_puts(&cli->out, "warplore " WARPLORE_VERSION "\n");
        return LORE_EXIT_OK;
    }
    const struct lore_command *c = find_command(cli, first);
    return c ? run(cli, c, argc - 2, argv + 2) : LORE_EXIT_USAGE;
}
