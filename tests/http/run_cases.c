/* Runs the HTTP cases against a real warplored:
 *   run_cases WARPLORED CASES_DIR FIXTURES_DIR [FILE…]
 * One service per file (its `with` line names the submissions loaded first); one line per case.
 * Whatever a case expects, three things hold besides: a refused write leaves every count as it was,
 * the service still answers, and it ends cleanly. With no FILE, also the matrix of permissions, and
 * every route must have been reached with success by some case. Exit status 1: something was wrong.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "tests/http/agent.h"
#include "tests/http/case.h"

struct runner {
    const char *program, *fixtures;
    struct lore_arena arena;
    struct coverage coverage;
    struct lore_json *api; /* /openapi.json of the service that runs */
    int cases, wrong;
};

/* The digest of COUNTS; LOGGED: without the log of events. */
static void
digest_counts(const struct lore_json *counts, bool logged, char *out)
{
    unsigned char digests[64][32];
    size_t n = 0;

    for (const struct lore_json *c = counts->child; c != NULL && n < 64; c = c->next)
        if (!logged || strcmp(c->key, "fact_event") != 0)
            lore_json_digest(c, digests[n++]);
    lore_hash_hex(digests, n * sizeof digests[0], out);
}

/* What /api/v1/_stats counts, as text; the part that must not move when a write is refused. LOGGED:
 * the refusal itself is an event. */
static char *
stored_counts(struct runner *r, const struct service *s, bool logged)
{
    struct reply reply;
    struct lore_json *root = NULL;
    struct lore_err err;
    char *text = NULL;
    size_t n;
    const char *body;

    service_request(s, "GET", "/api/v1/_stats", WHO_ADMIN, "", NULL, &reply);
    body = reply_body(&reply, &n);
    if (reply.status == 200 && lore_json_parse(body, n, NULL, &r->arena, &root, &err) == LORE_OK) {
        const struct lore_json *counts = lore_json_get(root, "counts");

        text = lore_alloc(&r->arena, 65);
        if (counts)
            digest_counts(counts, logged, text);
    }
    reply_free(&reply);
    return text;
}

static bool
is_up(const struct service *s)
{
    struct reply reply;
    bool up;

    service_request(s, "GET", "/healthz", WHO_NONE, "", NULL, &reply);
    up = reply.status == 200;
    reply_free(&reply);
    return up;
}

static void
send_case(const struct service *s, const struct test_case *c, const struct vars *vars,
    struct reply *reply)
{
    struct lore_buf headers = {0};

    if (c->is_signed)
        agent_headers(vars, c, &headers);
    if (c->is_signed)
        service_request(s, c->method, c->target, WHO_NONE, !headers.data ? "" : headers.data,
            c->has_body ? &c->body : NULL, reply);
    else if (c->raw.len > 0)
        service_send(s, c->raw.data, c->raw.len, c->hangup ? SEND_HANGUP : 0, reply);
    else
        service_request(s, c->method, c->target, c->who, !c->headers.data ? "" : c->headers.data,
            c->has_body ? &c->body : NULL, reply);
    lore_buf_free(&headers);
}

/* A success says what the description says it says. */
static bool
keeps_contract(struct runner *r, const struct test_case *c, const struct reply *reply)
{
    const char *path =
        !c->method ? NULL : coverage_note(&r->coverage, c->method, c->target, reply->status);
    struct lore_json *body;
    char type[128];

    if (!path || reply->status >= 300 || strcmp(c->method, "HEAD") == 0 ||
        !reply_header(reply, "Content-Type", type, sizeof type) ||
        strcmp(type, "application/json") != 0)
        return true;
    body = case_json(reply, &r->arena);
    if (strstr(c->target, "fields=")) /* the rows lack members that are required otherwise */
        return body;
    return body && contract_check(r->api, c->method, path, reply->status, body);
}

static bool
run_case(struct runner *r, const struct service *s, const struct test_case *c, struct vars *vars)
{
    bool refused_write = (c->has_body || c->raw.len > 0) && case_status(c) >= 400;
    char *before = refused_write ? stored_counts(r, s, c->is_signed) : NULL, *after;
    struct reply reply;
    bool ok;

    send_case(s, c, vars, &reply);
    ok = case_check(c, &reply, &r->arena) && case_save(c, &reply, vars, &r->arena);
    ok = keeps_contract(r, c, &reply) && ok;
    reply_free(&reply);
    if (refused_write) {
        after = stored_counts(r, s, c->is_signed);
        if (!before || !after || strcmp(before, after) != 0) {
            fprintf(stderr, "  the refused write changed what is stored\n");
            ok = false;
        }
    }
    if (!is_up(s)) {
        fprintf(stderr, "  the service does not answer any more\n");
        ok = false;
    }
    return ok;
}

/* The start of the next `case` line at or after S, outside of bodies. */
static char *
next_case(char *s, int *line)
{
    bool in_body = false;

    while (s && *s != '\0') {
        if (!in_body && strncmp(s, "case ", 5) == 0)
            return s;
        if (!in_body && (strncmp(s, "body\n", 5) == 0))
            in_body = true;
        else if (in_body && strncmp(s, "end\n", 4) == 0)
            in_body = false;
        s = strchr(s, '\n');
        s = !s ? NULL : s + 1;
        ++*line;
    }
    return NULL;
}

/* The `with` line: fixture files apart by spaces. */
static size_t
with_line(struct runner *r, const char *text, const char **files, size_t max)
{
    const char *at = strstr(text, "\nwith ");
    size_t n = 0;

    if (!at || at > strstr(text, "\ncase "))
        return 0;
    for (at += strlen("\nwith "); *at != '\n' && *at != '\0' && n < max;) {
        size_t len = strcspn(at, " \n");

        files[n++] = lore_format(&r->arena, "%s/%.*s", r->fixtures, (int)len, at);
        at += len + strspn(at + len, " ");
    }
    return n;
}

static void
run_blocks(struct runner *r, const struct service *s, const char *file, char *text)
{
    struct vars vars = {0};
    int line = 1, next_line;
    char number[16];
    char *at = next_case(text, &line), *next;

    for (enum who w = WHO_READER; w < WHO_COUNT; w++)
        vars_set(&vars, &r->arena, who_name(w), s->token[w]);
    snprintf(number, sizeof number, "%d", s->port);
    vars_set(&vars, &r->arena, "port", number);
    if (strstr(text, "\nwith-agent\n"))
        agent_prepare(s, &vars, &r->arena);
    for (; at != NULL; at = next, line = next_line) {
        struct test_case c;
        char *rest = strchr(at, '\n');
        bool ok;

        next_line = line + 1;
        next = !rest ? NULL : next_case(rest + 1, &next_line);
        if (next)
            next[-1] = '\0';
        ok = case_parse(at, line, &vars, r->fixtures, &r->arena, &c) && run_case(r, s, &c, &vars);
        printf("%s  %s:%d  %s\n", ok ? "ok   " : "WRONG", file, line, c.name ? c.name : "?");
        fflush(stdout);
        r->cases++;
        r->wrong += !ok;
        case_free(&c);
    }
}

static void
run_file(struct runner *r, const char *path)
{
    const char *file = !strrchr(path, '/') ? path : strrchr(path, '/') + 1;
    const char *fixtures[16];
    struct lore_buf text = {0};
    struct service s;
    struct lore_err err;
    size_t n;

    lore_buf_putc(&text, '\n'); /* so that a first line is found like any other */
    if (lore_file_read(path, &text, &err) != LORE_OK) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    n = with_line(r, text.data, fixtures, 16);
    service_start(&s, r->program, fixtures, n);
    if (r->coverage.n == 0)
        coverage_load(&r->coverage, &s);
    r->api = contract_read(&s, &r->arena);
    run_blocks(r, &s, file, text.data + 1);
    if (!service_stop(&s)) {
        fprintf(stderr, "WRONG  %s: the service did not end cleanly\n", file);
        r->wrong++;
    }
    lore_buf_free(&text);
    lore_arena_reset(&r->arena);
}

static void
run_matrix(struct runner *r)
{
    struct service s;
    int n = 0;

    service_start(&s, r->program, NULL, 0);
    r->wrong += matrix_run(&s, &n);
    r->cases += n;
    r->wrong += !service_stop(&s);
}

int
main(int argc, char **argv)
{
    struct runner r = {0};
    struct lore_arena kept = {0};
    glob_t files = {0};

    if (argc < 4) {
        fprintf(stderr, "run_cases WARPLORED CASES_DIR FIXTURES_DIR [FILE...]\n");
        return 2;
    }
    lore_hash_init();
    r.program = argv[1];
    r.fixtures = argv[3];
    for (int i = 4; i < argc; i++)
        run_file(&r, argv[i]);
    if (argc == 4) {
        if (glob(lore_format(&kept, "%s/*.http", argv[2]), 0, NULL, &files) != 0) {
            fprintf(stderr, "%s: no cases\n", argv[2]);
            return 2;
        }
        for (size_t i = 0; i < files.gl_pathc; i++)
            run_file(&r, files.gl_pathv[i]);
        globfree(&files);
        run_matrix(&r);
        r.wrong += coverage_report(&r.coverage);
    }
    printf("%d cases, %d wrong\n", r.cases, r.wrong);
    lore_arena_free(&r.arena);
    lore_arena_free(&kept);
    coverage_free(&r.coverage);
    return r.wrong == 0 ? 0 : 1;
}
