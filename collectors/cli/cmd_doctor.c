/* Is this command set up? Each line is one check; the exit code is that of the first that fails. */
#include "commands.h"
#include "print.h"
#include "text.h"

static void
check(struct lore_cli *cli, bool good, const char *what, const char *detail)
{
    const char *mark = good ? lore_styled(cli, LORE_GREEN, "ok") : lore_styled(cli, LORE_RED, "no");
    lore_buf_printf(&cli->out, "%s  %-13s %s\n", mark, what, lore_clean(cli, detail));
}

static void
check_configuration(struct lore_cli *cli)
{
    const struct lore_config *c = &cli->config;
    struct lore_err err = {0};

    check(cli, true, "client", "warplore " WARPLORE_VERSION);
    check(cli, true, "configuration",
        lore_format(cli->arena, "%s%s", c->file ? c->file : "no home directory",
            c->file_found ? "" : " (not there; defaults)"));
    check(cli, true, "address", lore_format(cli->arena, "%s, from %s", c->url, c->url_from));
    if (!c->token)
        check(cli, false, "token", "none (set WARPLORE_TOKEN, or token in the configuration file)");
    else if (lore_config_may_send(c->url, &err) != LORE_OK)
        check(cli, false, "token", err.msg);
    else if (c->file_readable_by_others && lore_streq(c->token_from, "the configuration file"))
        check(cli, false, "token",
            lore_format(cli->arena, "others can read %s (chmod 600)", c->file));
    else
        check(cli, true, "token", lore_format(cli->arena, "set, from %s", c->token_from));
}

static int
check_service(struct lore_cli *cli)
{
    struct lore_json *root = NULL;
    struct lore_call call = {.method = "GET"};

    /* no token on this one: it tells "no service" from "no permission" */
    call.url = lore_format(cli->arena, "%s/healthz", cli->config.url);
    int code = lore_cli_call(cli, &call, false, &root);
    if (code != LORE_EXIT_OK) {
        check(cli, false, "service", "no answer");
        return code;
    }
    const char *version = lore_jtext(root, "version");
    check(cli, true, "service",
        lore_format(cli->arena, "warplored %s, schema %lld", version ? version : "?",
            lore_jint(root, "schema")));
    if (version && !lore_streq(version, WARPLORE_VERSION))
        lore_buf_puts(&cli->out, "    note: client and service are of different versions\n");
    return code;
}

static int
check_role(struct lore_cli *cli)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/me");
    int code = lore_cli_fetch(cli, &q, false, &root);
    const char *role = lore_jtext(root, "role"), *actor = lore_jtext(root, "actor");
    if (code == LORE_EXIT_OK)
        check(cli, true, "role",
            lore_format(cli->arena, "%s, as %s", role ? role : "?", actor ? actor : "?"));
    else
        check(cli, false, "role", "the service did not accept the token");
    return code;
}

int
lore_cmd_doctor(struct lore_cli *cli, const struct lore_args *args)
{
    (void)args;
    check_configuration(cli);
    int code = check_service(cli);
    return code == LORE_EXIT_OK ? check_role(cli) : code;
}
