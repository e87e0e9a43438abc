/* The commands besides serving: tokens, loading files, checking a database, printing
 * configurations. They store the same rows as the service, because they use the same code. Results
 * go to standard output, everything else to standard error. */
#include "service/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/agent.h"
#include "db/auth_change.h"
#include "db/store.h"
#include "service/auth/rights.h"
#include "service/auth/service_key.h"
#include "service/auth/tokens.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/http/http.h"
#include "service/http/server.h"
#include "service/ingest/ingest.h"
#include "service/ingest/projection.h"
#include "service/process.h"
#include "service/verdicts/verdicts.h"
#include "service/wire/wire.h"

int
lore_commands_print_error(const struct lore_err *err, int status)
{
    fprintf(stderr, "warplored: %s\n", err->msg);
    if (err->hint[0] != '\0')
        fprintf(stderr, "  %s\n", err->hint);
    return status;
}

/* ---- flags ---- */

static enum lore_status
no_value(const char *name, struct lore_err *err)
{
    return lore_fail_at(err, LORE_INVALID, "missing_value", name, "--%s: needs a value", name);
}

/* Split `--name=value`; *value NULL when there is no `=`. Dashes become underscores. */
static const char *
split(const char *arg, struct lore_arena *arena, const char **value)
{
    const char *eq = strchr(arg, '=');
    char *name =
        lore_strndup(arena, arg + 2, eq != NULL ? (size_t)(eq - arg) - 2 : strlen(arg) - 2);

    for (char *p = name; *p != '\0'; p++)
        if (*p == '-')
            *p = '_';
    *value = eq != NULL ? eq + 1 : NULL;
    return name;
}

static bool
is_bool(const char *name)
{
    for (const struct lore_option *o = lore_options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return o->type == LORE_OPT_BOOL;
    return false;
}

static const struct lore_flag *
own_flag(const struct lore_flag *flags, const char *name)
{
    for (const struct lore_flag *f = flags; f != NULL && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* Read the flag at ARGS[*i] and move *i to the last argument of the flag. */
static enum lore_status
take_flag(char **args, size_t *i, const struct lore_flag *flags, struct lore_config *c,
    struct lore_arena *arena, struct lore_err *err)
{
    const char *value, *name = split(args[*i], arena, &value);
    const struct lore_flag *own = own_flag(flags, name);

    if (own && !own->value && !value) {
        *own->set = true;
        return LORE_OK;
    }
    if (!own && !value && is_bool(name))
        value = "true";
    if (!value) {
        if (!args[*i + 1])
            return no_value(name, err);
        value = args[++*i];
    }
    if (own && own->value) {
        *own->value = value;
        return LORE_OK;
    }
    return strcmp(name, "config") == 0 ? LORE_OK : lore_config_set(c, name, value, arena, err);
}

static enum lore_status
read_config(const char *path, struct lore_config *c, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_buf text = {.max = LORE_CONFIG_MAX_BYTES};
    enum lore_status status = lore_file_read(path, &text, err);

    if (status == LORE_OK)
        status =
            lore_config_yaml(c, text.data != NULL ? text.data : "", text.len, path, arena, err);
    lore_buf_free(&text);
    return status;
}

/* Read the configuration file before the flags, so that flags override it wherever --config stands.
 */
static enum lore_status
find_config(char **args, struct lore_config *c, struct lore_arena *arena, struct lore_err *err)
{
    for (size_t i = 0; args[i] != NULL; i++) {
        const char *path = NULL;
        if (strcmp(args[i], "--config") == 0 && !(path = args[i + 1]))
            return no_value("config", err);
        if (lore_starts(args[i], "--config="))
            path = args[i] + 9;
        if (path)
            return read_config(path, c, arena, err);
    }
    return LORE_OK;
}

enum lore_status
lore_commands_own_flags(char **args, const struct lore_flag *flags, struct lore_config *c,
    struct lore_arena *arena, char ***rest, struct lore_err *err)
{
    size_t n = 0, n_rest = 0;
    enum lore_status status;

    lore_config_defaults(c, arena);
    while (args[n])
        n++;
    *rest = lore_alloc_array(arena, n + 1, sizeof **rest);
    if ((status = find_config(args, c, arena, err)) != LORE_OK)
        return status;
    for (size_t i = 0; args[i] != NULL; i++) {
        if (lore_starts(args[i], "--"))
            status = take_flag(args, &i, flags, c, arena, err);
        else
            (*rest)[n_rest++] = args[i];
        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}

enum lore_status
lore_flags(char **args, struct lore_config *c, struct lore_arena *arena, char ***rest,
    struct lore_err *err)
{
    return lore_commands_own_flags(args, NULL, c, arena, rest, err);
}

/* PATH without links, `.` and `..`, as far as it exists. */
static const char *
resolved(const char *path, struct lore_arena *a)
{
    char *head = lore_format(a, "%s%s", path[0] == '/' ? "" : "./", path), real[PATH_MAX];
    const char *rest = "";

    while (!realpath(head, real)) {
        char *slash = strrchr(head, '/');

        if (!slash || slash == head)
            return path;
        if (slash[1] != '\0')
            rest = lore_format(a, "/%s%s", slash + 1, rest);
        *slash = '\0';
    }
    return lore_format(a, "%s%s", strcmp(real, "/") == 0 ? "" : real, rest);
}

enum lore_status
lore_commands_apart(const char *option, const char *path, const char *data, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    const char *of, *in;

    if (!path || strcmp(path, "none") == 0 || strstr(path, "://"))
        return LORE_OK;
    of = resolved(data, &a);
    in = resolved(path, &a);
    if (!lore_starts(in, of) || (in[strlen(of)] != '\0' && in[strlen(of)] != '/'))
        return LORE_OK;
    (void)lore_fail_at(err, LORE_INVALID, "same_place", option, "--%s: %.90s is %s %.90s", option,
        path, in[strlen(of)] == '\0' ? "the data directory" : "inside the data directory", data);
    lore_err_hint(err, "it must outlive that directory: name one on another disk");
    return LORE_INVALID;
}

enum lore_status
lore_commands_need_data(const struct lore_config *c, struct lore_err *err)
{
    enum lore_status status;

    if (!c->data)
        return lore_fail_at(err, LORE_INVALID, "missing_option", "data",
            "--data is missing; give the data directory");
    status = lore_commands_apart("journal", c->journal, c->data, err);
    if (status == LORE_OK)
        status = lore_commands_apart("backup-to", c->backup_to, c->data, err);
    return status == LORE_OK ? lore_process_drop(c->data, err) : status;
}

/* ---- token ---- */

struct token_args {
    const char *role, *label, *days, *revoke, *projects;
    bool list;
};

static enum lore_status
token_add(struct lore_auth_db *db, const struct token_args *a, struct lore_arena *arena,
    struct lore_err *err)
{
    const char *rights = a->role;
    char text[LORE_TOKEN_SIZE];
    long long days = LORE_TOKEN_DAYS;
    enum lore_role role = a->role != NULL ? lore_role_find(a->role) : LORE_NO_ROLE;
    enum lore_status status;

    if (role < LORE_READER) {
        lore_fail_at(err, LORE_INVALID, "invalid_option", "role", "--role: expected a role");
        lore_err_hint(err, "reader, contributor, curator or admin");
        return LORE_INVALID;
    }
    if (a->days &&
        (lore_parse_i64(a->days, "days", &days, NULL) != LORE_OK || days < 0 || days > 36500))
        return lore_fail_at(err, LORE_INVALID, "invalid_option", "days",
            "--days: expected 1 to 36500, or 0 for a token that never expires");
    if (a->projects &&
        (status = lore_rights_write(a->role, a->projects, arena, &rights, err)) != LORE_OK)
        return status;
    status =
        lore_token_make(db, rights, a->label != NULL ? a->label : a->role, (int)days, text, err);
    if (status == LORE_OK)
        puts(text);
    return status;
}

static void
print_token(const struct lore_token_row *t, int64_t now_us)
{
    const char *state = t->revoked_us != 0                              ? "revoked"
                        : t->expires_us != 0 && t->expires_us <= now_us ? "expired"
                                                                        : "valid";
    char at[LORE_TIME_SIZE];

    lore_time_format(t->created_us, at);
    printf("%s %-11s %-7s %s created=%s", t->id, t->role, state, t->label, at);
    lore_time_format(t->expires_us, at);
    printf(" expires=%s", t->expires_us != 0 ? at : "never");
    lore_time_format(t->revoked_us, at);
    if (t->revoked_us != 0)
        printf(" revoked=%s", at);
    putchar('\n');
}

static enum lore_status
token_list(struct lore_auth_db *db, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_token_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_auth_list(db, arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        print_token(&rows[i], lore_now_us());
    return LORE_OK;
}

static enum lore_status
token_revoke(
    struct lore_auth_db *db, const char *id, struct lore_arena *arena, struct lore_err *err)
{
    const struct lore_auth_change change = {
        .kind = LORE_AUTH_TOKEN_REVOKED, .at_us = lore_now_us(), .id = id};
    struct lore_token_row *rows = NULL;
    char at[LORE_TIME_SIZE];
    size_t n = 0;
    enum lore_status status = lore_auth_list(db, arena, &rows, &n, err);

    if (status == LORE_OK)
        status = lore_auth_apply(db, &change, err);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        const struct lore_token_row *t = &rows[i];

        if (strcmp(t->id, id) != 0)
            continue;
        lore_time_format(t->revoked_us, at);
        printf("%s (%s, label %s) %s%s\n", t->id, t->role, t->label,
            t->revoked_us != 0 ? "was revoked already, at " : "is revoked",
            t->revoked_us != 0 ? at : "");
    }
    return status;
}

static int
run_token(char **args)
{
    struct token_args a = {0};
    const struct lore_flag flags[] = {{"role", &a.role, NULL}, {"label", &a.label, NULL},
        {"days", &a.days, NULL}, {"revoke", &a.revoke, NULL}, {"projects", &a.projects, NULL},
        {"list", NULL, &a.list}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_auth_db *db = NULL;
    char **rest;
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK && !a.list)
        status = lore_mkdirs(c.data, 0700, &err);
    if (status == LORE_OK)
        status = lore_auth_open(c.data, true, &db, &err);
    if (status == LORE_OK && a.list)
        status = token_list(db, &arena, &err);
    else if (status == LORE_OK && a.revoke)
        status = token_revoke(db, a.revoke, &arena, &err);
    else if (status == LORE_OK)
        status = token_add(db, &a, &arena, &err);
    lore_auth_close(db);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}

/* ---- load ---- */

/* Store one file; its errors start with its name. */
static enum lore_status
load_file(struct lore_db *db, const struct lore_ingest_parts *parts, const char *path,
    struct lore_err *err)
{
    struct lore_buf text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_arena arena = {0};
    struct lore_receipt receipt = {0};
    struct lore_err why = {0};
    size_t stored = 0;
    enum lore_status status = lore_file_read(path, &text, err);

    if (status == LORE_OK) {
        status = lore_ingest_now(db, parts,
            &(struct lore_ingest_doc){.body = text.data != NULL ? text.data : "",
                .len = text.len,
                .actor = LORE_ACTOR_LOAD,
                .curator = true,
                .arrived_us = lore_now_us()},
            &arena, &receipt, &why);
        if (status != LORE_OK) {
            lore_fail_at(err, status, why.code, why.path, "%.100s: %s", path, why.msg);
            lore_err_hint(err, "%s", why.hint);
        }
    }
    for (size_t i = 0; i < receipt.n_items; i++)
        stored += receipt.items[i].state == LORE_STORED;
    if (status == LORE_OK)
        printf("%s: %zu records stored, %zu duplicates\n", path, stored, receipt.n_items - stored);
    lore_buf_free(&text);
    lore_arena_free(&arena);
    return status;
}

static int
run_load(char **args)
{
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_db *db = NULL;
    struct lore_ingest_parts parts = {0};
    char **files;
    int status = 0;
    enum lore_status st = lore_flags(args, &c, &arena, &files, &err);

    if (st == LORE_OK)
        st = lore_commands_need_data(&c, &err);
    if (st == LORE_OK && !files[0])
        st = lore_fail_at(
            &err, LORE_INVALID, "missing_file", "", "load: no file given; name the files to load");
    if (st == LORE_OK)
        st = lore_db_open_writer(c.data, &db, &err);
    if (st == LORE_OK)
        st = lore_projection_open(&(struct lore_projection_setup){.journal = c.journal,
                                      .data = c.data,
                                      .key = lore_service_key_mark,
                                      .lag_ms = c.journal_lag},
            db, &parts.projection, &err);
    if (st != LORE_OK)
        status = lore_commands_print_error(&err, st == LORE_INVALID ? 2 : 1);
    for (char **f = files; st == LORE_OK && *f; f++)
        if (load_file(db, &parts, *f, &err) != LORE_OK)
            status = lore_commands_print_error(&err, 1);
    lore_projection_close(parts.projection);
    if (db && lore_db_checkpoint(db, true, NULL, &err) != LORE_OK)
        status = lore_commands_print_error(&err, 1);
    lore_db_close(db);
    lore_arena_free(&arena);
    return status;
}

/* ---- rebuild ---- */

static int
run_rebuild(char **args)
{
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_db *db = NULL;
    struct lore_rebuilt done = {0};
    char **rest;
    enum lore_status status = lore_flags(args, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = lore_db_open_writer(c.data, &db, &err);
    if (status == LORE_OK)
        status = lore_verdicts_rebuild(db, lore_now_us(), &done, &err);
    if (status == LORE_OK)
        printf("%" PRId64 " experiments judged again, %" PRId64 " verdicts changed, %" PRId64
               " rows in the search index\n",
            done.experiments, done.verdicts, done.search);
    if (status == LORE_OK)
        status = lore_db_checkpoint(db, true, NULL, &err);
    lore_db_close(db);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}

/* ---- dump ---- */

static bool
print_line(void *ctx, const char *text)
{
    (void)ctx;
    return puts(text) >= 0;
}

static int
run_dump(char **args)
{
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_db *db = NULL;
    char **rest;
    enum lore_status status = lore_flags(args, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = lore_db_open_reader(c.data, &db, &err);
    if (status == LORE_OK)
        status = lore_db_snapshot(db, &err);
    if (status == LORE_OK)
        status = lore_db_dump(db, print_line, NULL, &err);
    if (status == LORE_OK && fflush(stdout) != 0)
        status = lore_fail(&err, LORE_IO, "standard output: %s", strerror(errno));
    lore_db_close(db);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}

/* ---- nginx-config ---- */

/* Convert "a, b" to the form of nginx, "a b". Other characters are refused, because the names
 * become part of another program's configuration. */
static enum lore_status
server_names(const char *hosts, struct lore_arena *arena, const char **out, struct lore_err *err)
{
    char *names = lore_strdup(arena, hosts != NULL ? hosts : "warplore.example.org");

    *out = names;
    for (char *p = names; *p != '\0'; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
        if (*p == ',')
            *p = ' ';
        else if (!letter && !strchr("0123456789.-_ ", *p))
            return lore_fail_at(err, LORE_INVALID, "invalid_option", "hosts",
                "hosts: %.60s is not a host name", hosts);
    }
    return LORE_OK;
}

/* "a:1, b:2" as `server a:1 HOW; server b:2 HOW; `: each an address that the service may listen on.
 */
static enum lore_status
upstreams(const char *nodes, const char *how, struct lore_arena *arena, const char **out,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    *out = "";
    while (status == LORE_OK && *nodes != '\0') {
        size_t n = strcspn(nodes, ", ");
        const char *one = lore_strndup(arena, nodes, n);

        if (n > 0) {
            status = lore_server_check_listen(one, true, err);
            *out = lore_format(arena, "%sserver %s%s; ", *out, one, how);
        }
        nodes += n + (nodes[n] != '\0');
    }
    return status;
}

static int
run_nginx(char **args)
{
    const char *names = NULL, *nodes = NULL, *servers = NULL;
    const struct lore_flag flags[] = {{"nodes", &nodes, NULL}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    char **rest;

    if (lore_commands_own_flags(args, flags, &c, &arena, &rest, &err) != LORE_OK ||
        upstreams(nodes ? nodes : lore_format(&arena, "%s,%s", c.listen, c.listen),
            nodes ? "" : " max_fails=0", &arena, &servers, &err) != LORE_OK ||
        server_names(c.hosts, &arena, &names, &err) != LORE_OK) {
        lore_arena_free(&arena);
        return lore_commands_print_error(&err, 2);
    }
    printf(
        "# Warplore behind nginx: TLS, slow clients and many idle connections are nginx's job.\n"
        "# The service needs --hosts with the names of server_name, and trusted_proxies with the\n"
        "# address of nginx unless that is loopback.\n"
        "# %s\n"
        "upstream warplore { %skeepalive 32; keepalive_timeout 200ms; }\n"
        "limit_conn_zone $binary_remote_addr zone=warplore_conn:10m;\n"
        "server {\n"
        "    listen 443 ssl http2;\n"
        "    server_name %s;\n"
        "    ssl_certificate /etc/ssl/warplore.crt;\n"
        "    ssl_certificate_key /etc/ssl/warplore.key;\n"
        "    ssl_protocols TLSv1.2 TLSv1.3;\n"
        "    server_tokens off;\n"
        "    client_header_timeout 5s;\n"
        "    client_body_timeout 5s;\n"
        "    client_max_body_size 49m;\n"
        "    large_client_header_buffers 4 8k;\n"
        "    limit_conn warplore_conn 20;\n"
        "    location / {\n"
        "        proxy_pass http://warplore;\n"
        "        proxy_http_version 1.1;\n"
        "        proxy_set_header Connection \"\";\n"
        "        proxy_set_header Host $host;\n"
        "        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n"
        "        proxy_request_buffering on;\n"
        "        proxy_read_timeout 30s;\n"
        "        # every write may be sent again: when a connection ended, nobody answered\n"
        "        proxy_next_upstream error timeout%s non_idempotent;\n"
        "        proxy_next_upstream_tries 3;\n"
        "    }\n"
        "}\n",
        nodes ? "A node without its journal answers 503, and the next one is asked."
              : "The service stands there twice, because nginx asks only another one again when a\n"
                "# connection ended: under load the service cuts those that stay silent for 0.2 s.",
        servers, names, nodes ? " http_503" : "");
    lore_arena_free(&arena);
    return 0;
}

const struct lore_command lore_commands[] = {
    {"token",
        "--data DIR --role ROLE [--projects NAME,…] [--label TEXT] [--days N] | --list | --revoke "
        "ID",
        "Make a token and print it; list tokens; revoke one. A token lasts 90 days; --days 0: for "
        "ever. With --projects it sees and writes only records of these; NAME=reader gives another "
        "role there. Works while the service runs.",
        run_token},
    {"enroll", "--data DIR [--label TEXT] [--minutes N]",
        "Print a one-time code that enrolls one agent. Works while the service runs.",
        lore_run_enroll},
    {"agents", "--data DIR [--revoke ID]",
        "List the agents that may send signed batches, or revoke one. Works while the service "
        "runs.",
        lore_run_agents},
    {"load", "--data DIR FILE…", "Store submissions from files, without a service.", run_load},
    {"backup", "--data DIR --to FOLDER [--keep N]",
        "Copy the data directory into a new folder of FOLDER, check the copy, and delete all but "
        "the newest N copies. Works while the service runs.",
        lore_run_backup},
    {"restore", "--from BACKUP --data DIR",
        "Check a backup, or the newest in a folder, and copy it into an empty directory.",
        lore_run_restore},
    {"replay", "--journal JOURNAL --data DIR [--until TIME] [--accept-credentials]",
        "Make a database from a journal in a directory that holds only its service.key, as it was "
        "at TIME. Without a time, a service with that journal can go on from it. "
        "--accept-credentials takes another key, or makes one; then it stands alone.",
        lore_run_replay},
    {"rebuild", "--data DIR",
        "Rebuild verdicts, lists and the search index from the facts. Stop the service first.",
        run_rebuild},
    {"retrain", "--data DIR",
        "Fit the parameters of the recommendation models to the stored experiments now. Stop the "
        "service first; a running service refits by itself.",
        lore_run_retrain},
    {"verify", "--data DIR [--deep] [--scratch FOLDER]",
        "Check the database file, every hash, the chain of events, receipts and signatures, and "
        "compare every fact with its document, by storing all documents again in FOLDER. With "
        "--deep, compare what is derived, too. DIR may be a backup.",
        lore_run_verify},
    {"dump", "--data DIR",
        "Print every fact, one line per record. Databases with the same facts give the same "
        "output.",
        run_dump},
    {"nginx-config", "[--listen ADDR | --nodes ADDR,ADDR…] [--hosts NAME]",
        "Print a site file for nginx in front of the service, or of several nodes.", run_nginx},
    {NULL, NULL, NULL, NULL},
};
