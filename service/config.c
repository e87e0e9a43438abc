/* The option table and its readers. The file is flat YAML: one mapping of option names to values,
 * each name at most once. libyaml accepts duplicate keys and nested values silently. So this file
 * checks libyaml's events and names the line in every error. */
#include "service/config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "service/base/text.h"

#define AT(field) offsetof(struct lore_config, field)

const struct lore_option lore_options[] = {
    {"data", LORE_OPT_TEXT, AT(data), "", 0, 0, NULL,
        "Directory that holds the database, the tokens and the backups. Created when missing."},
    {"listen", LORE_OPT_TEXT, AT(listen), "127.0.0.1:8787", 0, 0, NULL,
        "IPv4 address and port. Port 0 takes a free one."},
    {"allow_remote", LORE_OPT_BOOL, AT(allow_remote), "false", 0, 0, NULL,
        "Accept a listen address that other machines reach. There is no encryption without a "
        "proxy."},
    {"as_root", LORE_OPT_BOOL, AT(as_root), "false", 0, 0, NULL,
        "Serve as root from a data directory of root's. Elsewhere root becomes the directory's "
        "owner."},
    {"hosts", LORE_OPT_LIST, AT(hosts), "", 0, 0, NULL,
        "Host names that the service answers to, besides localhost and IP addresses. Behind nginx: "
        "the names that its users type."},
    {"trusted_proxies", LORE_OPT_LIST, AT(trusted_proxies), "127.0.0.0/8", 0, 0, NULL,
        "Addresses and networks of proxies whose X-Forwarded-For names the client."},
    {"address_per_minute", LORE_OPT_INT, AT(address_per_minute), "30000", 0, 10000000, NULL,
        "Requests per minute from one client address; more are answered with 429. 0: no limit. "
        "Requests of this machine itself are not counted."},
    {"credential_per_minute", LORE_OPT_INT, AT(credential_per_minute), "12000", 0, 10000000, NULL,
        "The same for one token or agent. Requests of this machine itself are not counted here "
        "either; "
        "those that a trusted proxy forwards are."},
    {"oidc_issuer", LORE_OPT_TEXT, AT(oidc_issuer), "", 0, 0, NULL,
        "Address of an OpenID Connect provider whose ID tokens are accepted."},
    {"oidc_audience", LORE_OPT_TEXT, AT(oidc_audience), "", 0, 0, NULL,
        "Who those tokens must be meant for: this service's client id at the provider."},
    {"oidc_groups", LORE_OPT_LIST, AT(oidc_groups), "", 0, 0, NULL,
        "Roles of the provider's groups: kernel-team=contributor, leads=curator."},
    {"oidc_claim", LORE_OPT_TEXT, AT(oidc_claim), "groups", 0, 0, NULL,
        "Claim of a token that lists the groups."},
    {"journal", LORE_OPT_TEXT, AT(journal), "none", 0, 0, NULL,
        "Where everything acknowledged is logged outside the database: none, a directory, or "
        "postgresql://… for several nodes."},
    {"journal_lag", LORE_OPT_INT, AT(journal_lag), "0", 0, 60000, NULL,
        "Milliseconds by which the disk of a journal's directory may be behind what was "
        "acknowledged. 0: it is written first. For a slow disk; a power cut may take as much from "
        "it, and the next start puts it back from the database."},
    {"threads", LORE_OPT_INT, AT(threads), "64", 1, 1024, NULL,
        "Connections served at the same time; each open one holds a thread."},
    {"readers", LORE_OPT_INT, AT(readers), "8", 1, 64, NULL,
        "Read-only database connections, in addition to one per thread that answers from memory."},
    {"queue", LORE_OPT_INT, AT(queue), "2000", 1, 100000, NULL,
        "Documents that may wait for the writer. A full queue is answered with 503."},
    {"request_ms", LORE_OPT_INT, AT(request_ms), "10000", 100, 600000, NULL,
        "Time limit for each of three steps: the headers of a request, its body, the reply."},
    {"keep_alive_ms", LORE_OPT_INT, AT(keep_alive_ms), "500", 1, 60000, NULL,
        "An idle connection is closed after this time, which frees its thread."},
    {"query_ms", LORE_OPT_INT, AT(query_ms), "2000", 10, 600000, NULL,
        "The database reads of a request are stopped after this time."},
    {"projects_open", LORE_OPT_INT, AT(projects_open), "64", 1, 100000, NULL,
        "Databases of projects that stay open; beyond it the one asked longest ago is closed."},
    {"project_idle_s", LORE_OPT_INT, AT(project_idle_s), "600", 1, 86400, NULL,
        "A project that nobody asked for this many seconds is closed until the next request."},
    {"retrain_hours", LORE_OPT_INT, AT(retrain_hours), "6", 0, 8760, NULL,
        "Least time between two fits of the recommendation models, unless the evidence has "
        "doubled. A fit is due when the evidence has grown by a quarter. 0: never fit."},
    {"backup_to", LORE_OPT_TEXT, AT(backup_to), "", 0, 0, NULL,
        "Folder for backups, on another disk than the data directory. Without it none are made."},
    {"backup_every", LORE_OPT_INT, AT(backup_every), "24", 1, 8760, NULL,
        "Hours between two backups."},
    {"backup_keep", LORE_OPT_INT, AT(backup_keep), "14", 1, 10000, NULL,
        "Backups that are kept; older ones are deleted."},
    {"advice_window_days", LORE_OPT_INT, AT(advice_window_days), "30", 1, 3650, NULL,
        "An experiment can be the outcome of a recommendation only if it arrives within this "
        "time."},
    {"advice_keep", LORE_OPT_INT, AT(advice_keep), "20000", 0, 1000000, NULL,
        "Answers to /api/v1/recommend that are remembered; 0: none. About 5 KiB each."},
    {"advice_keep_days", LORE_OPT_INT, AT(advice_keep_days), "365", 1, 36500, NULL,
        "Older answers are deleted, except those with feedback or an outcome."},
    {"log_level", LORE_OPT_ENUM, AT(log_level), "info", 0, 0, "debug|info|warn|error",
        "Lowest level of log lines to print."},
    {NULL, 0, 0, NULL, 0, 0, NULL, NULL},
};

static void *
field_of(struct lore_config *c, const struct lore_option *o)
{
    return (char *)c + o->offset;
}

static enum lore_status
invalid(struct lore_err *err, const struct lore_option *o, const char *wanted)
{
    return lore_fail_at(
        err, LORE_INVALID, "invalid_option", o->name, "%s: expected %s", o->name, wanted);
}

static enum lore_status
set_int(struct lore_config *c, const struct lore_option *o, const char *value, struct lore_err *err)
{
    long long v = 0;
    char wanted[80];

    if (lore_parse_i64(value, o->name, &v, NULL) == LORE_OK && v >= o->min && v <= o->max) {
        *(int64_t *)field_of(c, o) = v;
        return LORE_OK;
    }
    snprintf(wanted, sizeof wanted, "a whole number from %" PRId64 " to %" PRId64, o->min, o->max);
    return invalid(err, o, wanted);
}

static enum lore_status
set_bool(
    struct lore_config *c, const struct lore_option *o, const char *value, struct lore_err *err)
{
    bool yes = strcmp(value, "true") == 0 || strcmp(value, "yes") == 0;

    if (!yes && strcmp(value, "false") != 0 && strcmp(value, "no") != 0)
        return invalid(err, o, "true or false");
    *(bool *)field_of(c, o) = yes;
    return LORE_OK;
}

static enum lore_status
set(struct lore_config *c, const struct lore_option *o, const char *value, struct lore_arena *arena,
    struct lore_err *err)
{
    if (o->type == LORE_OPT_INT)
        return set_int(c, o, value, err);
    if (o->type == LORE_OPT_BOOL)
        return set_bool(c, o, value, err);
    if (o->type == LORE_OPT_ENUM && !lore_choice(o->choices, value)) {
        (void)invalid(err, o, "one of the choices");
        lore_err_hint(err, "one of %s", o->choices);
        return LORE_INVALID;
    }
    for (const char *p = value; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return invalid(err, o, "text on one line");
    *(const char **)field_of(c, o) =
        value[0] == '\0' && o->otherwise[0] == '\0' ? NULL : lore_strdup(arena, value);
    return LORE_OK;
}

static const struct lore_option *
find(const char *name)
{
    for (const struct lore_option *o = lore_options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

static enum lore_status
unknown(const char *name, struct lore_err *err)
{
    const char *names[sizeof lore_options / sizeof lore_options[0]];
    size_t n = 0;
    int near;

    for (const struct lore_option *o = lore_options; o->name != NULL; o++)
        names[n++] = o->name;
    lore_fail_at(err, LORE_INVALID, "unknown_option", name, "%.60s: no such option", name);
    near = lore_nearest(name, names, n);
    if (near >= 0)
        lore_err_hint(err, "did you mean %s?", names[near]);
    else
        lore_err_hint(err, "warplored --print-config lists every option");
    return LORE_INVALID;
}

enum lore_status
lore_config_set(struct lore_config *c, const char *name, const char *value,
    struct lore_arena *arena, struct lore_err *err)
{
    const struct lore_option *o = find(name);

    return o ? set(c, o, value, arena, err) : unknown(name, err);
}

void
lore_config_defaults(struct lore_config *c, struct lore_arena *arena)
{
    memset(c, 0, sizeof *c);
    /* A test checks that the defaults are valid. */
    for (const struct lore_option *o = lore_options; o->name != NULL; o++)
        (void)!set(c, o, o->otherwise, arena, NULL);
}

/* ---- YAML ---- */

struct reader {
    yaml_parser_t parser;
    const char *where;
    struct lore_config *config;
    struct lore_arena *arena;
    bool given[sizeof lore_options / sizeof lore_options[0]];
};

/* Prefix the message in *err with the file and the line. */
static enum lore_status
at_line(const struct reader *r, const yaml_mark_t *mark, struct lore_err *err)
{
    struct lore_err why = *err;

    (void)lore_fail_at(err, why.status, why.code, why.path, "%.80s:%zu: %.140s", r->where,
        mark->line + 1, why.msg);
    if (why.hint[0] != '\0')
        lore_err_hint(err, "%s", why.hint);
    return why.status;
}

static enum lore_status
config_error(
    const struct reader *r, const yaml_mark_t *mark, const char *what, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_INVALID, "invalid_config", "", "%s", what);
    return at_line(r, mark, err);
}

static enum lore_status
next(struct reader *r, yaml_event_t *e, struct lore_err *err)
{
    if (yaml_parser_parse(&r->parser, e))
        return LORE_OK;
    return config_error(r, &r->parser.problem_mark,
        r->parser.problem != NULL ? r->parser.problem : "not YAML", err);
}

static enum lore_status
expect(struct reader *r, yaml_event_type_t type, const char *what, struct lore_err *err)
{
    yaml_event_t e;
    yaml_mark_t mark;
    bool same;
    enum lore_status status = next(r, &e, err);

    if (status != LORE_OK)
        return status;
    same = e.type == type;
    mark = e.start_mark;
    yaml_event_delete(&e);
    return same ? LORE_OK : config_error(r, &mark, what, err);
}

/* Whether E is a scalar without a NUL, which would hide the rest of it. */
static bool
is_text(const yaml_event_t *e)
{
    return e->type == YAML_SCALAR_EVENT &&
           strlen((const char *)e->data.scalar.value) == e->data.scalar.length;
}

/* The items of a list after its start event, joined by commas. */
static enum lore_status
read_list(struct reader *r, const char **out, struct lore_err *err)
{
    const char *text = "";
    yaml_event_t e;
    enum lore_status status;

    for (;;) {
        if ((status = next(r, &e, err)) != LORE_OK)
            return status;
        if (!is_text(&e))
            break;
        text = lore_format(r->arena, "%s%s%s", text, text[0] != '\0' ? "," : "",
            (const char *)e.data.scalar.value);
        yaml_event_delete(&e);
    }
    status = e.type == YAML_SEQUENCE_END_EVENT
                 ? LORE_OK
                 : config_error(r, &e.start_mark, "expected plain values in the list", err);
    yaml_event_delete(&e);
    *out = text;
    return status;
}

/* YAML joins a line without `option:` to the value above it, which nobody means here. */
static bool
is_folded(const yaml_event_t *e)
{
    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && e->start_mark.line < e->end_mark.line;
}

static enum lore_status
folded(const struct reader *r, const struct lore_option *o, const yaml_mark_t *mark,
    struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_INVALID, "invalid_config", o->name,
        "this line has no `option:` and continues the value of %s", o->name);
    lore_err_hint(err, "write `option: value`, with a space behind the colon, on each line");
    return at_line(r, mark, err);
}

static enum lore_status
read_value(struct reader *r, const struct lore_option *o, struct lore_err *err)
{
    const char *text = NULL;
    yaml_event_t e;
    yaml_mark_t mark;
    enum lore_status status = next(r, &e, err);

    if (status != LORE_OK)
        return status;
    mark = e.start_mark;
    if (is_text(&e) && o->type != LORE_OPT_LIST && is_folded(&e))
        status = folded(r, o, &e.end_mark, err);
    else if (is_text(&e))
        text = lore_strdup(r->arena, (const char *)e.data.scalar.value);
    else if (e.type == YAML_SEQUENCE_START_EVENT && o->type == LORE_OPT_LIST)
        status = read_list(r, &text, err);
    yaml_event_delete(&e);
    if (status != LORE_OK)
        return status;
    if (!text) {
        (void)invalid(err, o, "a plain value");
        return at_line(r, &mark, err);
    }
    status = set(r->config, o, text, r->arena, err);
    return status == LORE_OK ? LORE_OK : at_line(r, &mark, err);
}

/* Read the value of KEY, which was just read. */
static enum lore_status
read_pair(struct reader *r, const char *key, const yaml_mark_t *mark, struct lore_err *err)
{
    const struct lore_option *o = find(key);

    if (!o) {
        (void)!unknown(key, err);
        return at_line(r, mark, err);
    }
    if (r->given[o - lore_options]) {
        (void)lore_fail_at(
            err, LORE_INVALID, "duplicate_option", o->name, "%s: given twice", o->name);
        return at_line(r, mark, err);
    }
    r->given[o - lore_options] = true;
    return read_value(r, o, err);
}

static enum lore_status
read_mapping(struct reader *r, struct lore_err *err)
{
    yaml_event_t e;
    enum lore_status status = LORE_OK;
    bool end = false;

    while (status == LORE_OK && !end) {
        if ((status = next(r, &e, err)) != LORE_OK)
            return status;
        if (e.type == YAML_MAPPING_END_EVENT)
            end = true;
        else if (is_text(&e))
            status = read_pair(
                r, lore_strdup(r->arena, (const char *)e.data.scalar.value), &e.start_mark, err);
        else
            status = config_error(r, &e.start_mark, "expected an option's name", err);
        yaml_event_delete(&e);
    }
    return status;
}

static enum lore_status
read_stream(struct reader *r, struct lore_err *err)
{
    yaml_event_t e;
    yaml_event_type_t type;
    yaml_mark_t mark;
    enum lore_status status;

    if ((status = expect(r, YAML_STREAM_START_EVENT, "not YAML", err)) != LORE_OK ||
        (status = next(r, &e, err)) != LORE_OK)
        return status;
    type = e.type;
    mark = e.start_mark;
    yaml_event_delete(&e);
    if (type == YAML_STREAM_END_EVENT)
        return LORE_OK; /* empty, or comments alone: all defaults */
    if (type != YAML_DOCUMENT_START_EVENT)
        return config_error(r, &mark, "not YAML", err);
    if ((status = expect(r, YAML_MAPPING_START_EVENT, "expected `option: value` lines", err)) !=
            LORE_OK ||
        (status = read_mapping(r, err)) != LORE_OK ||
        (status = expect(r, YAML_DOCUMENT_END_EVENT, "expected the end of the document", err)) !=
            LORE_OK)
        return status;
    return expect(r, YAML_STREAM_END_EVENT, "expected one document only", err);
}

enum lore_status
lore_config_yaml(struct lore_config *c, const char *text, size_t len, const char *where,
    struct lore_arena *arena, struct lore_err *err)
{
    struct reader r = {.where = where, .config = c, .arena = arena};
    struct lore_err unseen = {0};
    enum lore_status status;

    if (!err)
        err = &unseen; /* at_line extends the message in *err */
    if (len > LORE_CONFIG_MAX_BYTES)
        return lore_fail_at(err, LORE_TOOBIG, "too_big", "", "%.100s: more than %d bytes", where,
            LORE_CONFIG_MAX_BYTES);
    if (!yaml_parser_initialize(&r.parser))
        return lore_fail(err, LORE_IO, "out of memory");
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    status = read_stream(&r, err);
    yaml_parser_delete(&r.parser);
    return status;
}

/* ---- out ---- */

const char *
lore_config_text(const struct lore_config *c, const struct lore_option *o, struct lore_arena *arena)
{
    const char *field = (const char *)c + o->offset;
    const char *text;

    if (o->type == LORE_OPT_INT)
        return lore_format(arena, "%" PRId64, *(const int64_t *)(const void *)field);
    if (o->type == LORE_OPT_BOOL)
        return *(const bool *)field ? "true" : "false";
    text = *(const char *const *)(const void *)field;
    return text ? text : "";
}

/* Double-quoted, so that any text reads back as itself. */
static void
put_quoted(struct lore_buf *out, const char *s)
{
    lore_buf_putc(out, '"');
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\')
            lore_buf_putc(out, '\\');
        lore_buf_putc(out, *s);
    }
    lore_buf_putc(out, '"');
}

void
lore_config_print(const struct lore_config *c, struct lore_arena *arena, struct lore_buf *out)
{
    lore_buf_puts(out, "# Warplore service. All options with their values. As flags, write the "
                       "names with dashes.\n");
    for (const struct lore_option *o = lore_options; o->name != NULL; o++) {
        const char *value = lore_config_text(c, o, arena);
        lore_buf_printf(out, "\n# %s\n", o->help);
        if (o->type == LORE_OPT_INT)
            lore_buf_printf(out, "# %" PRId64 " to %" PRId64 "; ", o->min, o->max);
        else if (o->type == LORE_OPT_ENUM)
            lore_buf_printf(out, "# %s; ", o->choices);
        else
            lore_buf_puts(out, "# ");
        lore_buf_printf(
            out, "default: %s\n%s: ", o->otherwise[0] != '\0' ? o->otherwise : "none", o->name);
        if (o->type == LORE_OPT_TEXT || o->type == LORE_OPT_LIST)
            put_quoted(out, value);
        else
            lore_buf_puts(out, value);
        lore_buf_putc(out, '\n');
    }
}
