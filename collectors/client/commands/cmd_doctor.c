/* Checks the set-up of this command and of this host. Each line is one check. The exit code is
 * that of the first failed check of the service, else 1 when this host has a GPU and a check of
 * it fails. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/doctor.h"
#include "collectors/client/screen/print.h"
#include "service/base/clock.h"
#include "service/base/text.h"

void
lore_doctor_check(struct lore_doctor *d, bool good, const char *what, const char *detail)
{
    struct lore_cli *cli = d->cli;
    const char *text = lore_print_clean(cli, detail);

    if (d->json) {
        lore_w_obj(&d->w);
        lore_w_kstr(&d->w, "check", what);
        lore_w_kbool(&d->w, "ok", good);
        lore_w_kstr(&d->w, "detail", text);
        lore_w_obj_end(&d->w);
        return;
    }
    const char *mark =
        good ? lore_print_styled(cli, LORE_GREEN, "ok") : lore_print_styled(cli, LORE_RED, "no");
    lore_buf_printf(&cli->out, "%s  %-13s %s\n", mark, what, text);
}

static void
check_configuration(struct lore_doctor *d)
{
    const struct lore_client_config *c = &d->cli->config;
    struct lore_err err = {0};

    lore_doctor_check(d, true, "client", "warplore " WARPLORE_VERSION);
    lore_doctor_check(d, true, "configuration",
        lore_format(d->cli->arena, "%s%s", c->file ? c->file : "no home directory",
            c->file_found ? "" : " (not found; using defaults)"));
    lore_doctor_check(
        d, true, "address", lore_format(d->cli->arena, "%s, from %s", c->url, c->url_from));
    if (!c->token)
        lore_doctor_check(d, false, "token",
            "none (set WARPLORE_TOKEN, or token in the configuration file; where the service runs, "
            "warplored token --data DIR --role contributor makes one)");
    else if (lore_config_may_send(c->url, &err) != LORE_OK)
        lore_doctor_check(d, false, "token", err.msg);
    else if (c->file_readable_by_others && lore_streq(c->token_from, "the configuration file"))
        lore_doctor_check(d, false, "token",
            lore_format(d->cli->arena, "others can read %s (chmod 600)", c->file));
    else
        lore_doctor_check(
            d, true, "token", lore_format(d->cli->arena, "set, from %s", c->token_from));
}

#define BACKUP_OLD_S (48 * 3600)

/* Neither is a fault of this command's set-up: print them, keep the exit code. */
static void
check_storage(struct lore_doctor *d, const struct lore_json *health)
{
    const char *storage = lore_answer_text(health, "storage");
    const char *at = lore_answer_text(health, "last_backup_at");
    struct lore_err ignored;
    int64_t at_us = 0;

    if (storage)
        lore_doctor_check(d, !lore_streq(storage, "damaged"), "storage",
            lore_streq(storage, "damaged")
                ? "the database is damaged and the service only reads; restore a backup"
            : lore_streq(storage, "unchecked")
                ? "unchecked: it was closed in order, so the start did not read all of it;"
                  " warplored verify does"
                : storage);
    if (!at || lore_time_parse(at, &at_us, &ignored) != LORE_OK) {
        lore_doctor_check(d, false, "backup", "the service knows of no backup");
        return;
    }
    int64_t age_s = (lore_now_us() - at_us) / 1000000;
    lore_doctor_check(d, age_s < BACKUP_OLD_S, "backup",
        lore_format(d->cli->arena, "%.19sZ, %lld hours old", at, (long long)(age_s / 3600)));
}

/* Only a journal with a lag has something to tell. */
static void
check_journal(struct lore_doctor *d)
{
    struct lore_json *root = NULL;
    struct lore_call call = {.method = "GET"};

    call.url = lore_format(d->cli->arena, "%s/readyz", d->cli->config.url);
    if (lore_cli_call(d->cli, &call, false, &root) != LORE_EXIT_OK ||
        lore_answer_int(root, "lag_ms") <= 0)
        return;
    lore_doctor_check(d, true, "journal",
        lore_format(d->cli->arena,
            "its disk may be %lld ms behind; now %lld entries are not on it yet",
            (long long)lore_answer_int(root, "lag_ms"),
            (long long)lore_answer_int(root, "unsynced")));
}

static int
check_service(struct lore_doctor *d)
{
    struct lore_json *root = NULL;
    struct lore_call call = {.method = "GET"};

    /* sent without a token, to tell "no service" from "no permission" */
    call.url = lore_format(d->cli->arena, "%s/healthz", d->cli->config.url);
    int code = lore_cli_call(d->cli, &call, false, &root);
    if (code != LORE_EXIT_OK) {
        lore_doctor_check(d, false, "service", "no answer");
        return code;
    }
    const char *version = lore_answer_text(root, "version");
    lore_doctor_check(d, true, "service",
        lore_format(d->cli->arena, "warplored %s, schema %lld", version ? version : "?",
            lore_answer_int(root, "schema")));
    if (version && !lore_streq(version, WARPLORE_VERSION))
        lore_doctor_check(d, false, "version", "client and service are of different versions");
    check_storage(d, root);
    check_journal(d);
    return code;
}

static int
check_role(struct lore_doctor *d)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/me");
    int code = lore_cli_fetch(d->cli, &q, false, &root);
    const char *role = lore_answer_text(root, "role"), *actor = lore_answer_text(root, "actor");
    if (code == LORE_EXIT_OK)
        lore_doctor_check(d, true, "role",
            lore_format(d->cli->arena, "%s, as %s", role ? role : "?", actor ? actor : "?"));
    else
        lore_doctor_check(d, false, "role",
            d->cli->config.token ? "the service did not accept the token" : "no token was sent");
    return code;
}

/* Missing records are not a fault of the set-up: print them, keep the exit code. */
static void
check_records(struct lore_doctor *d)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/stats");
    if (!lore_ask_quietly(d->cli, &q, &root))
        return;
    const struct lore_json *rows = lore_json_get(root, "alarms");
    if (!rows || !rows->child)
        lore_doctor_check(d, true, "records", "every campaign has the experiments that it expects");
    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next)
        lore_doctor_check(d, false, "records", lore_cmd_alarm_text(d->cli, r));
}

int
lore_cmd_doctor(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_doctor d = {.cli = cli, .json = cli->json};

    (void)args;
    cli->json = false;
    if (d.json) {
        lore_jsonw_begin(&d.w, &cli->out, false);
        lore_w_obj(&d.w);
        lore_w_key(&d.w, "checks");
        lore_w_arr(&d.w);
    }
    check_configuration(&d);
    lore_doctor_host(&d);
    int code = check_service(&d);
    if (code == LORE_EXIT_OK)
        code = check_role(&d);
    if (code == LORE_EXIT_OK)
        check_records(&d);
    if (code == LORE_EXIT_OK && d.host_failed)
        code = LORE_EXIT_NO;
    if (d.json) {
        lore_w_arr_end(&d.w);
        lore_w_obj_end(&d.w);
        if (lore_jsonw_end(&d.w, NULL) == LORE_OK)
            lore_buf_putc(&cli->out, '\n');
    }
    return code;
}
