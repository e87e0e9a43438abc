/* warplored: the service. It reads its configuration, opens the data directory, starts the writer
 * and the listener, and waits for SIGTERM or SIGINT. A stop refuses new requests, answers those in
 * flight, stores the queued documents and checkpoints the write-ahead log. */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "db/store.h"
#include "service/api/api_agents.h"
#include "service/api/names.h"
#include "service/auth/agents.h"
#include "service/auth/oidc.h"
#include "service/auth/rights.h"
#include "service/auth/service_key.h"
#include "service/auth/tokens.h"
#include "service/base/buckets.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/commands.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/http/server.h"
#include "service/ingest/indexes.h"
#include "service/ingest/ingest.h"
#include "service/ingest/learn.h"
#include "service/ingest/learner.h"
#include "service/ingest/projection.h"
#include "service/ingest/served.h"
#include "service/ingest/shipped.h"
#include "service/process.h"
#include "service/projects.h"
#include "service/upkeep.h"
#include "service/verdicts/verdicts.h"

/* A revocation takes effect within a second. The event log may record it up to WATCH_S later. */
#define WATCH_S 5
/* How often the learner checks whether the database has grown enough for a new fit. */
#define LEARNER_CHECK_MS 60000

/* What only the operator of a start can allow, by a word without a value. */
struct start_words {
    bool begin_again, accept_rollback, accept_credentials;
    bool leave_journal; /* go on with a database whose journal is not given */
};

/* All that `serve` opens; zeroed is valid. */
struct service {
    struct lore_app app;
    struct lore_stats_http counters;
    struct lore_server *server;
    struct lore_learner *learner;
    struct lore_upkeep *upkeep;
    struct start_words words;
    struct lore_projection *projection;
};

static void
set_log_level(const char *name)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};

    for (int i = 0; i < 4; i++)
        if (lore_streq(name, names[i]))
            lore_log_level((enum lore_log_level)i);
}

/* "a, b" as a list ended by NULL. */
static const char *const *
split_hosts(const char *hosts, struct lore_arena *arena)
{
    const char **list = NULL;
    size_t n = 0, cap = 0;

    for (const char *p = hosts != NULL ? hosts : ""; *p != '\0';) {
        size_t len = strcspn(p, ", ");
        if (len > 0)
            *LORE_PUSH(arena, list, n, cap) = lore_strndup(arena, p, len);
        p += len + (p[len] != '\0');
    }
    *LORE_PUSH(arena, list, n, cap) = NULL;
    return list;
}

static const struct lore_setting *
settings(const struct lore_config *c, struct lore_arena *arena)
{
    struct lore_setting *list = NULL;
    size_t n = 0, cap = 0;

    for (const struct lore_option *o = lore_options; o->name != NULL; o++)
        *LORE_PUSH(arena, list, n, cap) = (struct lore_setting){.name = o->name,
            .value = lore_config_text(c, o, arena),
            .otherwise = o->otherwise,
            .help = o->help};
    *LORE_PUSH(arena, list, n, cap) = (struct lore_setting){0};
    return list;
}

/* Derive everything again when the catalogue now knows names that stored records use, or the
 * database was written before the service derived rows for runs and versions. */
static enum lore_status
derive_again(struct lore_db *writer, struct lore_err *err)
{
    struct lore_rebuilt done;
    int64_t n = 0;
    bool old = false;
    enum lore_status status = lore_names_again(writer, false, &n, err);

    if (status == LORE_OK)
        status = lore_verdicts_are_old(writer, &old, err);
    if (status != LORE_OK || (n == 0 && !old))
        return status;
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, n);
    lore_log(LORE_INFO, "deriving again", "names", text, NULL);
    return lore_verdicts_rebuild(writer, lore_now_us(), &done, err);
}

/* The signals are blocked. */
static bool
is_asked_to_stop(void)
{
    sigset_t pending;

    return sigpending(&pending) == 0 &&
           (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1);
}

static enum lore_status
open_journal(
    struct service *s, const struct lore_config *c, struct lore_db *writer, struct lore_err *err)
{
    const struct lore_projection_setup setup = {.journal = c->journal,
        .data = c->data,
        .key = lore_service_key_mark,
        .lag_ms = c->journal_lag,
        .leave = s->words.leave_journal,
        .stop = is_asked_to_stop};
    enum lore_status status = lore_projection_open(&setup, writer, &s->projection, err);

    s->app.applied = lore_projection_applied(s->projection);
    return status;
}

static enum lore_status
start_storage(struct service *s, const struct lore_config *c, struct lore_err *err)
{
    const struct lore_learner_pace pace = {(int)c->retrain_hours, LEARNER_CHECK_MS};
    struct lore_db *writer = NULL;
    bool unclean;
    enum lore_status status = s->words.begin_again ? lore_db_allow_new(c->data, err) : LORE_OK;

    if (status != LORE_OK)
        return status;
    if (s->words.accept_rollback || s->words.accept_credentials)
        status =
            lore_db_accept(c->data, s->words.accept_rollback, s->words.accept_credentials, err);
    if (status == LORE_OK)
        status = lore_db_open_writer(c->data, &writer, err);
    if (status != LORE_OK)
        return status;
    unclean = lore_db_was_unclean(writer);
    status = derive_again(writer, err);
    if (status == LORE_OK)
        status = open_journal(s, c, writer, err);
    if (status == LORE_OK)
        status = lore_tokens_open(c->data, &s->app.tokens, err);
    if (status == LORE_OK)
        status = lore_agents_open(c->data, &s->app.agents, err);
    if (status == LORE_OK)
        status = lore_readers_open(c->data, (int)c->readers, &s->app.readers, err);
    if (status == LORE_OK) {
        lore_readers_follow(s->app.readers, writer);
        status = lore_indexes_load(writer, &s->app.indexes, err);
    }
    if (status == LORE_OK)
        status = lore_shipped_store(
            writer, &(struct lore_ingest_parts){s->app.indexes, s->projection, 0, NULL}, err);
    if (status == LORE_OK)
        status = lore_learn_apply(writer, s->app.indexes, err);
    if (status == LORE_OK)
        status = lore_ingest_start(writer,
            &(struct lore_ingest_parts){s->app.indexes, s->projection, (size_t)c->queue, NULL},
            &s->app.ingest, err);
    if (status != LORE_OK) {
        lore_db_close(writer);
        return status;
    }
    s->app.served = lore_projects_advice_log(s->app.ingest, c);
    s->app.projects = lore_projects_new(&s->app, c);
    s->app.enter = lore_projects_enter;
    s->app.priors = lore_learn_priors;
    lore_agents_limits_refusals(lore_agents_limits(s->app.agents), lore_api_store_refusal, &s->app);
    status = lore_upkeep_start(&s->app, c, unclean, &s->upkeep, err);
    if (status == LORE_OK)
        status =
            lore_learner_start(c->data, s->app.indexes, s->app.ingest, &pace, &s->learner, err);
    return status == LORE_OK ? lore_api_store_agents(&s->app, err) : status;
}

static int
role_rank(const char *name)
{
    enum lore_role role = lore_role_find(name);

    if (lore_rights_bound(name))
        return lore_rights_check(name, NULL) == LORE_OK ? LORE_OIDC_BOUND : 0;
    return role >= LORE_READER && role <= LORE_ADMIN ? (int)role : 0;
}

static enum lore_status
start_oidc(struct service *s, const struct lore_config *c, struct lore_err *err)
{
    const struct lore_oidc_config oidc = {
        c->oidc_issuer, c->oidc_audience, c->oidc_groups, c->oidc_claim};

    return c->oidc_issuer ? lore_oidc_start(&oidc, role_rank, &s->app.oidc, err) : LORE_OK;
}

static enum lore_status
start(
    struct service *s, const struct lore_config *c, struct lore_arena *arena, struct lore_err *err)
{
    enum lore_status status;

    if ((status = lore_commands_need_data(c, err)) != LORE_OK ||
        (status = lore_process_prepare(c, err)) != LORE_OK)
        return status;
    s->app.routes = lore_routes;
    s->app.config = c;
    s->app.settings = settings(c, arena);
    s->app.hosts = split_hosts(c->hosts, arena);
    s->app.counters = &s->counters;
    s->app.started_us = lore_now_us();
    s->app.version = WARPLORE_VERSION;
    s->app.resolve = lore_names_resolve;
    s->app.limits = (struct lore_http_limits){.query_ms = (int)c->query_ms,
        .request_ms = (int)c->request_ms,
        .keep_alive_ms = (int)c->keep_alive_ms};
    s->app.by_address = lore_buckets_new(c->address_per_minute);
    s->app.by_credential = lore_buckets_new(c->credential_per_minute);
    if ((status = lore_nets_read(c->trusted_proxies, arena, &s->app.proxies, err)) != LORE_OK)
        return status;
    if ((status = lore_server_check_listen(c->listen, c->allow_remote, err)) != LORE_OK)
        return status;
    if ((status = start_oidc(s, c, err)) != LORE_OK)
        return status;
    if ((status = start_storage(s, c, err)) != LORE_OK)
        return status;
    return lore_server_start(&s->app, c->listen, (int)c->threads, c->allow_remote, &s->server, err);
}

static void
stop(struct service *s)
{
    lore_server_stop(s->server);
    lore_projects_stop(s->app.projects);
    lore_upkeep_stop(s->upkeep);
    lore_learner_stop(s->learner);
    lore_ingest_stop(s->app.ingest);
    lore_projection_close(s->projection);
    lore_served_free(s->app.served);
    lore_readers_close(s->app.readers);
    lore_indexes_free(s->app.indexes);
    lore_oidc_stop(s->app.oidc);
    lore_tokens_close(s->app.tokens);
    lore_agents_close(s->app.agents);
    lore_buckets_free(s->app.by_address);
    lore_buckets_free(s->app.by_credential);
}

/* A core dump would contain the tokens of requests, so there must be none. */
static void
forbid_core(void)
{
    const struct rlimit none = {0, 0};

    (void)setrlimit(RLIMIT_CORE, &none);
}

static void
look_around(struct service *s, const char *data, size_t *seen)
{
    lore_api_sync_agents(&s->app, seen);
    lore_upkeep_note(&s->app, data);
}

/* Wait for the signal that ends the service. `warplored agents --revoke` writes to auth.db from
 * another process, so check that file every WATCH_S seconds and log the changes. */
static int
wait_for_end(struct service *s, const char *data, const sigset_t *stop_signals)
{
    const struct timespec period = {.tv_sec = WATCH_S};
    size_t seen = 0;
    int sig;

    while ((sig = sigtimedwait(stop_signals, NULL, &period)) < 0)
        look_around(s, data, &seen);
    return sig;
}

static int
serve(const struct lore_config *c, const struct start_words *words, struct lore_arena *arena)
{
    struct service s = {.words = *words};
    struct lore_err err = {0};
    sigset_t stop_signals;
    int sig = 0;
    enum lore_status status;

    set_log_level(c->log_level);
    forbid_core();
    signal(SIGPIPE, SIG_IGN);
    /* Block the signals before any thread exists, so that only sigtimedwait receives them. */
    sigemptyset(&stop_signals);
    sigaddset(&stop_signals, SIGTERM);
    sigaddset(&stop_signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stop_signals, NULL);
    status = start(&s, c, arena, &err);
    if (status == LORE_OK) {
        char url[96];
        snprintf(url, sizeof url, "http://%s", lore_server_address(s.server));
        lore_log(
            LORE_INFO, "ready", "url", url, "version", WARPLORE_VERSION, "data", c->data, NULL);
        sig = wait_for_end(&s, c->data, &stop_signals);
        lore_log(LORE_INFO, "stopping", "signal", sig == SIGTERM ? "TERM" : "INT", NULL);
    }
    stop(&s);
    if (status != LORE_OK && strcmp(err.code, "stopped") != 0)
        return lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
    lore_log(LORE_INFO, "stopped", NULL);
    return 0;
}

static int
help(void)
{
    puts(
        "warplored --data DIR [--listen 127.0.0.1:8787] [--config FILE] [--OPTION VALUE…]\n"
        "    Serve. --print-config lists the options. --new creates an empty database when the old "
        "one is gone;\n"
        "    --accept-rollback takes an older database than there was, --accept-credentials other "
        "tokens or another key;\n    --leave-journal lets a database stand without its journal.");
    for (const struct lore_command *c = lore_commands; c->name != NULL; c++)
        printf("warplored %s %s\n    %s\n", c->name, c->usage, c->help);
    puts("warplored --print-config | --version | --help");
    return 0;
}

/* Remove WORD from ARGS. Returns whether it was there. */
static bool
take_word(char **args, const char *word)
{
    for (; *args != NULL; args++) {
        if (strcmp(*args, word) != 0)
            continue;
        for (; *args != NULL; args++)
            *args = args[1];
        return true;
    }
    return false;
}

static int
serve_or_print(char **args)
{
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    const struct start_words words = {.begin_again = take_word(args, "--new"),
        .accept_rollback = take_word(args, "--accept-rollback"),
        .accept_credentials = take_word(args, "--accept-credentials"),
        .leave_journal = take_word(args, "--leave-journal")};
    bool print = take_word(args, "--print-config");
    char **rest;
    int status;
    enum lore_status st = lore_flags(args, &c, &arena, &rest, &err);

    if (st == LORE_OK && rest[0]) {
        st = lore_fail_at(
            &err, LORE_INVALID, "unknown_command", "", "%.60s: no such command", rest[0]);
        lore_err_hint(&err, "warplored --help lists the commands");
    }
    if (st != LORE_OK) {
        status = lore_commands_print_error(&err, 2);
    } else if (print) {
        struct lore_buf out = {0};
        lore_config_print(&c, &arena, &out);
        fwrite(out.data, 1, out.len, stdout);
        lore_buf_free(&out);
        status = 0;
    } else {
        status = serve(&c, &words, &arena);
    }
    lore_arena_free(&arena);
    return status;
}

int
main(int argc, char **argv)
{
    lore_hash_init();
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return help(), argc < 2 ? 2 : 0;
    if (strcmp(argv[1], "--version") == 0)
        return puts("warplored " WARPLORE_VERSION), 0;
    for (const struct lore_command *c = lore_commands; c->name != NULL; c++)
        if (strcmp(argv[1], c->name) == 0) {
            if (argc == 3 && strcmp(argv[2], "--help") == 0)
                return printf("warplored %s %s\n    %s\n", c->name, c->usage, c->help), 0;
            return c->run(argv + 2);
        }
    return serve_or_print(argv + 1);
}
