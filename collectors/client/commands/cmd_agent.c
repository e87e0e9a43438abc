/* `warplore agent`: enroll this host, add documents to its spool, deliver waiting documents
 * (once, or as a daemon), show its status. The daemon writes each message to standard error
 * immediately, because that is its log. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/agent_cmd.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "collectors/upload/agent.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

const struct lore_opt lore_agent_opts[] = {
    {"code", 0, "CODE", false, "enroll: the one-time code (warplored enroll)"},
    LORE_OPT_LABEL,
    {"new-key", 0, NULL, false, "enroll: with a new key; the old files are kept"},
    {"once", 0, NULL, false, "run: deliver the waiting documents, then exit"},
    {"keep-days", 0, "N", false,
        "run: keep delivered documents, in case the service loses them (7)"},
    {"interval", 0, "S", false, "run: seconds between checks of an empty spool (5)"},
    LORE_OPT_STATE_DIR,
    {NULL, 0, NULL, false, NULL},
};

static const char *
default_label(struct lore_cli *cli)
{
    char host[256] = "", hex[LORE_HASH_HEX];

    /* only a hash: a label must not publish the host's name */
    (void)gethostname(host, sizeof host - 1);
    lore_hash_hex(host, strlen(host), hex);
    return lore_format(cli->arena, "host-%.8s", hex);
}

static int
exit_of(enum lore_status status)
{
    switch (status) {
    case LORE_OK:
        return LORE_EXIT_OK;
    case LORE_IO:
        return LORE_EXIT_UNREACHABLE;
    case LORE_UNAUTHENTICATED:
    case LORE_FORBIDDEN:
        return LORE_EXIT_REFUSED;
    case LORE_INVALID:
    case LORE_CONFLICT:
        return LORE_EXIT_USAGE;
    default:
        return LORE_EXIT_SERVICE;
    }
}

static int
enroll(struct lore_cli *cli, const struct lore_args *args, const char *state)
{
    struct lore_upload_identity who;
    struct lore_err err = {0};
    struct lore_enrol how = {.url = cli->config.url,
        .code = lore_args_get(args, "code"),
        .label = lore_args_get(args, "label"),
        .again = lore_args_has(args, "new-key")};

    if (!how.code || !*how.code)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "agent enroll: --code is missing (`warplored enroll` on the service's host prints "
            "one)");
    if (!how.label || !*how.label)
        how.label = default_label(cli);
    enum lore_status status = lore_identity_enrol(state, &how, cli->arena, &who, &err);
    if (status != LORE_OK)
        return lore_cli_error(cli, exit_of(status), &err);
    if (cli->json)
        lore_buf_printf(&cli->out, "{\"id\":\"%s\"}\n", who.id);
    else
        lore_buf_printf(&cli->out, "enrolled as %s (%s) at %s\n", lore_print_clean(cli, who.label),
            who.id, lore_print_clean(cli, who.url));
    return LORE_EXIT_OK;
}

static int
add(struct lore_cli *cli, const struct lore_args *args, const char *state)
{
    struct lore_outbox *o = NULL;
    struct lore_err err = {0};

    if (lore_outbox_open(state, NULL, &o, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    enum lore_status status = LORE_OK;
    for (size_t i = 1; i < args->words.n && status == LORE_OK; i++) {
        struct lore_buf text = {.max = LORE_WIRE_MAX_BYTES};
        uint64_t seq = 0;
        status = lore_ask_read(args->words.v[i], &text, &err);
        if (status == LORE_OK)
            status = lore_outbox_add(o, text.data, text.len, &seq, &err);
        lore_buf_free(&text);
        if (status == LORE_OK)
            lore_buf_printf(&cli->out, "%llu  %s\n", (unsigned long long)seq,
                lore_print_clean(cli, args->words.v[i]));
    }
    lore_outbox_close(o);
    return status == LORE_OK ? LORE_EXIT_OK : lore_cli_error(cli, LORE_EXIT_USAGE, &err);
}

static volatile sig_atomic_t stop;
static int wake[2] = {-1, -1};

static void
on_signal(int sig)
{
    int before = errno;

    (void)sig;
    stop = 1;
    (void)!write(wake[1], "x", 1);
    errno = before;
}

static bool
watch_signals(void)
{
    struct sigaction a = {.sa_handler = on_signal};

    stop = 0;
    sigemptyset(&a.sa_mask);
    return pipe2(wake, O_CLOEXEC | O_NONBLOCK) == 0 && sigaction(SIGTERM, &a, NULL) == 0 &&
           sigaction(SIGINT, &a, NULL) == 0;
}

static void
say_now(const char *line)
{
    struct lore_arena arena = {0};
    struct lore_cli cli = {.arena = &arena};

    fprintf(stderr, "warplore agent: %s\n", lore_print_clean(&cli, line));
    lore_arena_free(&arena);
}

static int
run_once(struct lore_cli *cli, struct lore_outbox *o, const struct lore_upload_options *options)
{
    struct lore_upload_result r;
    struct lore_err err = {0};
    enum lore_status status = lore_upload_drain(o, options, &r, &err);

    if (cli->json)
        lore_buf_printf(&cli->out, "{\"stored\":%llu,\"duplicates\":%llu,\"refused\":%llu}\n",
            (unsigned long long)r.stored, (unsigned long long)r.duplicates,
            (unsigned long long)r.refused);
    else
        lore_buf_printf(&cli->out, "%llu stored, %llu already there, %llu refused\n",
            (unsigned long long)r.stored, (unsigned long long)r.duplicates,
            (unsigned long long)r.refused);
    if (r.again > 0)
        (void)lore_cli_say(cli, 0,
            "the service lost %llu acknowledged records, as after the restore of an older backup; "
            "they were sent again",
            (unsigned long long)r.again);
    if (r.refused > 0)
        (void)lore_cli_say(cli, 0, "refused: %s", lore_print_clean(cli, r.refusal));
    if (status != LORE_OK)
        return lore_cli_error(cli, exit_of(status), &err);
    return r.refused > 0 ? LORE_EXIT_NO : LORE_EXIT_OK;
}

static int
run(struct lore_cli *cli, const struct lore_args *args, const char *state)
{
    const char *text = lore_args_get(args, "interval");
    struct lore_upload_options options = {.url = cli->config.url,
        .token = cli->config.token,
        .project = cli->config.project,
        .stop = &stop,
        .compare = true};
    const char *keep = lore_args_get(args, "keep-days");
    struct lore_outbox *o = NULL;
    struct lore_err err = {0};
    long long interval = 5, days = 7;
    int code = LORE_EXIT_OK;

    if (text && lore_parse_i64(text, "--interval", &interval, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (keep && lore_parse_i64(keep, "--keep-days", &days, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (days < 0 || days > 3650)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--keep-days: 0 to 3650");
    options.keep_days = (int)days;
    if (interval < 1 || interval > 3600)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--interval: 1 to 3600 seconds");
    if (lore_outbox_open(state, NULL, &o, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (!watch_signals())
        code = lore_cli_say(cli, LORE_EXIT_USAGE, "agent run: %s", strerror(errno));
    else if (lore_args_has(args, "once"))
        code = run_once(cli, o, &options);
    else
        lore_upload_loop(o, &options, (int)interval, wake[0], say_now);
    lore_outbox_close(o);
    return code;
}

int
lore_cmd_agent(struct lore_cli *cli, const struct lore_args *args)
{
    const char *verb = args->words.v[0], *state = lore_args_get(args, "state-dir");

    if (!state || !*state)
        state = lore_outbox_dir(cli->arena);
    if (lore_streq(verb, "add"))
        return add(cli, args, state);
    if (args->words.n > 1)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "agent %s: too many words", verb);
    if (lore_streq(verb, "enroll"))
        return enroll(cli, args, state);
    if (lore_streq(verb, "run"))
        return run(cli, args, state);
    if (lore_streq(verb, "status"))
        return lore_agent_status(cli, state);
    if (lore_streq(verb, "verify"))
        return lore_agent_verify(cli, state);
    return lore_cli_say(
        cli, LORE_EXIT_USAGE, "agent %s: expected enroll, run, add, status or verify", verb);
}
