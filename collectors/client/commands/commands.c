/* Help text from the table of commands (command_table.c), and the function that runs a command. */
#include "collectors/client/commands/commands.h"

#include <string.h>

#include "collectors/client/commands/session_defaults.h"
#include "collectors/client/screen/print.h"
#include "service/base/duration.h"
#include "service/base/text.h"

/* The overview's headings, each before the command that opens its part of the table. */
static const struct {
    const char *first, *title;
} parts[] = {{"record", "Store data"}, {"recommend", "Ask and search"}, {"history", "One kernel"},
    {"diagnose", "Profiles and machine code"}, {"chip", "Knowledge"}, {"mask", "Decisions"},
    {"export", "Export"}, {"doctor", "Setup"}};

/* Names of commands in other systems' tools, with the answer to names that have no counterpart
 * here. */
#define CHAMPION                                                                                   \
    "no command; the champion: warplore history KERNEL, warplore show KERNEL:champion; versions "  \
    "behind it: warplore frontier KERNEL; the newest version: warplore latest KERNEL"
#define ATTEMPT                                                                                    \
    "no command; in a session: warplore try 'float4 loads' --time 81us; without one: warplore "    \
    "record (warplore help record)"
#define SESSION                                                                                    \
    "no command; warplore session start KERNEL, warplore session status, warplore session log, "   \
    "warplore session end"
#define FIXED                                                                                      \
    "no command: a stored record does not change. Withdraw it: warplore retract v12 --reason "     \
    "TEXT; then record it anew, or add a remark: warplore comment v12 TEXT"
static const struct {
    const char *name, *command, *instead;
} synonyms[] = {{"read", "show", NULL}, {"sync", "export", NULL}, {"board", "leaderboard", NULL},
    {"champion", NULL, CHAMPION}, {"best", NULL, CHAMPION}, {"add", NULL, ATTEMPT},
    {"create", NULL, ATTEMPT}, {"attempt", NULL, ATTEMPT}, {"record-attempt", NULL, ATTEMPT},
    {"start", NULL, SESSION}, {"begin", NULL, SESSION}, {"end", NULL, SESSION},
    {"status", NULL, SESSION}, {"log", NULL, SESSION}, {"update", NULL, FIXED},
    {"edit", NULL, FIXED}, {"fix", NULL, FIXED}, {"delete", NULL, FIXED}, {"remove", NULL, FIXED},
    {"undo", NULL, FIXED}};

#define NUMBER "0123456789."
#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
enum { PREFIX_MIN = 3 }; /* letters of a command's beginning that mean it */

static void
print_overview(struct lore_cli *cli)
{
    lore_buf_puts(&cli->out, "usage: warplore COMMAND [options]\n\n");
    for (const struct lore_cli_command *c = lore_commands; c->name; c++) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (strcmp(parts[i].first, c->name) == 0)
                lore_buf_printf(&cli->out, "%s%s\n", i > 0 ? "\n" : "", parts[i].title);
        }
        lore_buf_printf(&cli->out, "  %-14s %s\n", c->name, c->help);
    }
    lore_buf_puts(&cli->out,
        "\n  help [COMMAND]  this text, or a command's options; --json: all of it as JSON\n"
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
        const char *help =
            o->repeat ? lore_format(cli->arena, "%s (may be repeated)", o->help) : o->help;
        lore_print_wrapped(cli, lore_format(cli->arena, "%-32s ", left), 33, help);
    }
}

static void
print_command_help(struct lore_cli *cli, const struct lore_cli_command *c)
{
    bool program = lore_starts(c->words, "-- "); /* at which options end */

    lore_buf_printf(&cli->out, "usage: warplore %s%s%s%s%s\n\n%s%s\n", c->name,
        program ? " [options]" : "", *c->words ? " " : "", c->words, program ? "" : " [options]",
        c->help, c->help[strlen(c->help) - 1] == '?' ? "" : ".");
    if (c->notes)
        lore_buf_printf(&cli->out, "\n%s\n", c->notes);
    if (lore_streq(c->words, "KERNEL"))
        lore_buf_puts(&cli->out, "\nKERNEL is a name, PROJECT/NAME, an id, or an operator with one "
                                 "kernel; default: the session's.\n");
    lore_buf_putc(&cli->out, '\n');
    print_options(cli, c->opts);
    print_options(cli, lore_common_opts);
}

static const struct lore_cli_command *
find_command(struct lore_cli *cli, const char *name)
{
    const char *names[128];
    size_t n = 0;

    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        if (strcmp(synonyms[i].name, name) != 0)
            continue;
        if (!synonyms[i].command) {
            (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: %s", name, synonyms[i].instead);
            return NULL;
        }
        name = synonyms[i].command;
    }
    for (const struct lore_cli_command *c = lore_commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
        if (n < sizeof names / sizeof *names)
            names[n++] = c->name;
    }
    if (name[0] == '-') {
        (void)lore_cli_say(cli, LORE_EXIT_USAGE,
            "%s: only --url, --token-file and --json may stand before the command", name);
        return NULL;
    }
    int near = lore_nearest(name, names, n);
    for (size_t i = n; strlen(name) >= PREFIX_MIN && i-- > 0;)
        near = lore_starts(names[i], name) ? (int)i : near;
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: unknown command", name);
    if (near >= 0)
        lore_buf_printf(&cli->err, "  hint: did you mean %s?\n", names[near]);
    else
        lore_buf_puts(&cli->err, "  hint: warplore help\n");
    return NULL;
}

static int
help(struct lore_cli *cli, const char *name, bool json)
{
    const struct lore_cli_command *c = name ? find_command(cli, name) : NULL;

    if (name && !c)
        return LORE_EXIT_USAGE;
    if (json)
        return lore_help_json(cli, c);
    if (c)
        print_command_help(cli, c);
    else
        print_overview(cli);
    return LORE_EXIT_OK;
}

/* `help [COMMAND]`, with --json anywhere. AT: where `help` stands. */
static int
help_of(struct lore_cli *cli, int at, int argc, char **argv)
{
    const char *name = NULL;
    bool json = false;

    for (int i = 1; i < argc; i++) {
        bool is_json = lore_streq(argv[i], "--json");
        json = json || is_json;
        if (i > at && !is_json && !name)
            name = argv[i];
    }
    return help(cli, name, json);
}

/* Options that a command has not, because something else says it. */
#define OF_SESSION                                                                                 \
    "the session says it: warplore session status; another one: warplore session end, then "       \
    "session start; without a session: warplore record"
#define OF_TIMES "it is computed from the times: --time 81us; what it started from: --from VERSION"
static const struct {
    const char *command, *option, *hint;
} elsewhere[] = {{"try", "kernel", OF_SESSION}, {"try", "operator", OF_SESSION},
    {"try", "chip", OF_SESSION}, {"try", "gpu", OF_SESSION}, {"try", "device", OF_SESSION},
    {"try", "dims", OF_SESSION}, {"try", "shape", OF_SESSION}, {"try", "dtype", OF_SESSION},
    {"try", "language", OF_SESSION}, {"try", "speedup", OF_TIMES}, {"record", "speedup", OF_TIMES},
    {"try", "before", OF_TIMES}, {"try", "baseline", OF_TIMES},
    {"session", "dry-run",
        "a session stores no result: start it, and end it: warplore session end"},
    {"history", "limit", "it shows all versions; some: warplore list -k KERNEL --limit 3"},
    {"history", "since", "it shows all versions; some: warplore list -k KERNEL --since 1h"},
    {"matrix", "chip", "it shows all chips; one: warplore leaderboard --chip CHIP"}};

/* What to say when options are unknown and none is near: the option may be the command's word. */
static void
hint_options(struct lore_cli *cli, const struct lore_cli_command *c, struct lore_err *err)
{
    char *word = lore_strdup(cli->arena, err->path + strspn(err->path, "-"));
    const char *first = word;

    if (!lore_streq(err->code, LORE_ARGS_UNKNOWN))
        return;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (lore_streq(elsewhere[i].command, c->name) && lore_streq(elsewhere[i].option, word)) {
            lore_err_hint(err, "%s", elsewhere[i].hint);
            return;
        }
    for (char *l = word; *l; l++)
        *l = *l == '-' ? '_' : *l >= 'a' && *l <= 'z' ? (char)(*l - 'a' + 'A') : *l;
    if (*first && strstr(c->words, first))
        lore_err_hint(
            err, "the %s needs no option: warplore %s %s", err->path + 2, c->name, c->words);
    else if (!*err->hint)
        lore_err_hint(err, "warplore help %s", c->name);
}

/* "--time 77 us" and "--params block 128" are one word too many: how to write the value. NULL: the
 * excess word follows no such value. */
static const char *
joined(struct lore_cli *cli, const struct lore_args *args, int argc, char **argv)
{
    static const struct {
        const char *arg, *joint;
    } joints[] = {{"TIME", ""}, {"PARAMS", "="}, {"DIMS", "="}};

    for (int i = 1; i + 1 < argc; i++)
        for (size_t k = 0; k < args->n_values; k++) {
            const struct lore_opt_value *v = &args->values[k];
            for (size_t j = 0; v->text == argv[i] && j < sizeof joints / sizeof *joints; j++)
                if (lore_streq(v->opt->arg, joints[j].arg) && argv[i + 1][0] != '-' &&
                    v->text[strspn(v->text, *joints[j].joint ? WORD : NUMBER)] == '\0')
                    return lore_format(cli->arena, "--%s %s%s%s", v->opt->name, v->text,
                        joints[j].joint, argv[i + 1]);
        }
    return NULL;
}

/* `try unroll by 4` and `try 'unroll by 4' 39.9us`: how to write it. */
static const char *
change_hint(struct lore_cli *cli, const struct lore_args *args)
{
    const char *last = args->words.v[args->words.n - 1], *words = args->words.v[0];
    double ns;
    bool time = lore_duration_parse(last, "", &ns, NULL) == LORE_OK;

    for (size_t i = 1; i + time < args->words.n; i++)
        words = lore_format(cli->arena, "%s %s", words, args->words.v[i]);
    return time ? lore_format(cli->arena, "warplore try '%s' --time %s", words, last)
                : lore_format(cli->arena, "quote the change: warplore try '%s'", words);
}

/* Words that commands take as the value of an option. */
static const struct {
    const char *command;
    size_t at;
    const char *option;
} words_for[] = {{"note", 0, "body"}, {"comment", 1, "reason"}, {"retract", 1, "reason"},
    {"mask", 1, "reason"}, {"unmask", 1, "reason"}};

static enum lore_status
take_words(struct lore_cli *cli, const struct lore_cli_command *c, struct lore_args *args,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < sizeof words_for / sizeof *words_for; i++) {
        if (!lore_streq(words_for[i].command, c->name) || args->words.n != words_for[i].at + 1)
            continue;
        status = lore_args_add(
            c->opts, words_for[i].option, args->words.v[words_for[i].at], cli->arena, args, err);
        args->words.n--;
    }
    return status;
}

static int
wrong_words(struct lore_cli *cli, const struct lore_cli_command *c, const struct lore_args *args,
    const char *join)
{
    const char *wrong = "an argument is missing";

    if (args->words.n > c->max_words && !join && lore_streq(c->words, "CHANGE"))
        join = change_hint(cli, args);

    if (args->words.n > c->max_words)
        wrong = lore_format(cli->arena, "\"%s\" is one word too many",
            lore_print_clean(cli, args->words.v[c->max_words]));
    else if (lore_streq(c->words, "KERNEL"))
        wrong = "which kernel? no session is open here";
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: %s (usage: warplore %s %s[options])", c->name,
        wrong, c->name, *c->words ? lore_format(cli->arena, "%s ", c->words) : "");
    if (args->words.n > c->max_words && join)
        lore_buf_printf(&cli->err, "  hint: %s\n", lore_print_clean(cli, join));
    return LORE_EXIT_USAGE;
}

static int
run(struct lore_cli *cli, const struct lore_cli_command *c, int argc, char **argv)
{
    struct lore_args args;
    struct lore_err err = {0};

    enum lore_status status =
        lore_starts(c->words, "-- ")
            ? lore_args_parse_program(c->opts, argc, argv, cli->arena, &args, &err)
            : lore_args_parse(c->opts, argc, argv, cli->arena, &args, &err);
    if (status != LORE_OK) {
        hint_options(cli, c, &err);
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    }
    if (lore_args_has(&args, "help"))
        return help(cli, c->name, lore_args_has(&args, "json"));
    const char *join = joined(cli, &args, argc, argv);
    if (take_words(cli, c, &args, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (lore_streq(c->words, "KERNEL") && args.words.n == 1 && lore_session_label(args.words.v[0]))
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "%s: \"%s\" is a version, and %s takes a kernel (of a version: warplore show %s)",
            c->name, args.words.v[0], c->name, args.words.v[0]);
    lore_session_defaults(cli, c, &args);
    if (args.words.n < c->min_words || args.words.n > c->max_words)
        return wrong_words(cli, c, &args, join);
    cli->json = lore_args_has(&args, "json");
    cli->opts = c->opts;
    if (lore_config_load(&args, cli->arena, &cli->config, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return c->run(cli, &args);
}

/* `--url X list …` means `list --url X …`: options of every command may stand before its name. */
static int
dispatch(struct lore_cli *cli, int n_common, int argc, char **argv)
{
    const struct lore_cli_command *c = find_command(cli, argv[1 + n_common]);
    char **words = lore_alloc_array(cli->arena, (size_t)argc, sizeof *words);
    int n = 0;

    if (!c)
        return LORE_EXIT_USAGE;
    for (int i = 1; i < argc; i++) {
        if (i != 1 + n_common)
            words[n++] = argv[i];
    }
    return run(cli, c, n, words);
}

int
lore_cli_main(struct lore_cli *cli, int argc, char **argv)
{
    int n_common = argc > 1 ? lore_args_common(argc - 1, argv + 1) : 0;
    const char *first = argc > 1 + n_common ? argv[1 + n_common] : NULL;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return help_of(cli, 1, argc, argv);
    if (!first) {
        print_overview(cli);
        return LORE_EXIT_USAGE;
    }
    if (strcmp(first, "help") == 0)
        return help_of(cli, 1 + n_common, argc, argv);
    if (strcmp(first, "version") == 0 || strcmp(first, "--version") == 0) {
        lore_buf_puts(&cli->out, "warplore " WARPLORE_VERSION "\n");
        return LORE_EXIT_OK;
    }
    return dispatch(cli, n_common, argc, argv);
}
