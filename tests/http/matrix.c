/* What /api/v1/_routes promises, tried: every path with every method and every credential: none, a
 * wrong, an expired and a revoked token, every role, the signatures of an enrolled agent and of a
 * stranger. The expectations come from the rows themselves, so a new route is covered the day it is
 * added. Also which routes the cases reached. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/xalloc.h"
#include "tests/http/agent.h"
#include "tests/http/case.h"

/* The parts of a path that no record has. */
#define NO_ULID "00000000000000000000000000"
#define NO_HASH "0000000000000000000000000000000000000000000000000000000000000000"

/* PATTERN with values in its parts: AGENT, whom an agent may ask for, where it names one. */
static void
fill_path(const char *pattern, const char *agent, char *out, size_t size)
{
    size_t n = 0;

    while (*pattern != '\0' && n + sizeof NO_HASH < size) {
        const char *value, *id = strstr(pattern, "/receipts") ? agent : NO_ULID;

        if (*pattern != '{') {
            out[n++] = *pattern++;
            continue;
        }
        value = strncmp(pattern, "{hash}", 6) == 0   ? NO_HASH
                : strncmp(pattern, "{page}", 6) == 0 ? "somewhere"
                                                     : id;
        n += (size_t)snprintf(out + n, size - n, "%s", value);
        pattern += strcspn(pattern, "}") + 1;
    }
    out[n] = '\0';
}

/* Credentials beside the tokens of `enum who`. */
enum { AGENT = WHO_COUNT, STRANGER, CREDENTIALS };

static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"};
#define METHODS (sizeof methods / sizeof *methods)

/* What a test of all routes needs. */
struct matrix {
    const struct service *service;
    const struct lore_json *rows;
    struct vars agent; /* the enrolled one */
    int tried;
};

/* `fits` of a route's pattern and a path without a query. */
static bool fits(const char *pattern, const char *target);

static const char *
text_of(const struct lore_json *route, const char *key)
{
    const struct lore_json *node = lore_json_get(route, key);

    return !node || !node->str ? "" : node->str;
}

/* The `who` of the first row for METHOD and PATH; NULL: the path does not take the method. */
static const char *
declared(const struct matrix *m, const char *method, const char *path)
{
    const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;

    for (const struct lore_json *r = m->rows->child; r != NULL; r = r->next)
        if (strcmp(text_of(r, "method"), wanted) == 0 && fits(text_of(r, "path"), path))
            return text_of(r, "who");
    return NULL;
}

/* The status of a request with a token of CALLER, as far as permission decides it; 0: the handler
 * decides, and does not refuse. */
static int
by_token(enum who least, int caller)
{
    if (caller == WHO_NAMESAKE)
        caller = WHO_CONTRIBUTOR;
    if (caller < WHO_READER || caller > WHO_ADMIN)
        return 401;
    return caller < (int)least ? 403 : 0;
}

static int
expected(const struct matrix *m, const char *method, const char *path, int caller)
{
    const char *who = declared(m, method, path);

    if (!who)
        return 405;
    if (strcmp(who, "public") == 0 || strcmp(who, "code") == 0)
        return 0;
    if (strcmp(who, "signature") == 0)
        return caller == AGENT ? 0 : 401;
    if (strcmp(who, "signature_or_reader") == 0)
        return caller == AGENT ? 0 : by_token(WHO_READER, caller);
    return by_token(who_find(who), caller);
}

/* The headers of a signed request as CALLER; none for a token. */
static void
sign(const struct matrix *m, const char *method, const char *path, int caller, const char *body,
    struct lore_buf *headers)
{
    struct test_case c = {.method = method, .target = path, .has_body = body != NULL};

    if (caller == STRANGER)
        agent_stranger(method, path, body, headers);
    if (caller != AGENT)
        return;
    lore_buf_puts(&c.body, body != NULL ? body : "");
    agent_headers(&m->agent, &c, headers);
    lore_buf_free(&c.body);
}

static bool
try_one(struct matrix *m, const char *method, const char *path, int caller)
{
    bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    const char *name = caller == AGENT      ? "an agent"
                       : caller == STRANGER ? "a stranger"
                                            : who_name((enum who)caller);
    struct lore_buf headers = {0}, body = {0};
    struct reply reply;
    char allow[64];
    int want = expected(m, method, path, caller), got;
    bool ok;

    lore_buf_puts(&body, "{}");
    lore_buf_puts(&headers, "");
    sign(m, method, path, caller, reads ? NULL : "{}", &headers);
    service_request(m->service, method, path, caller < WHO_COUNT ? (enum who)caller : WHO_NONE,
        headers.data, reads ? NULL : &body, &reply);
    got = reply.status;
    ok = want != 0 ? got == want : got != 0 && got != 401 && got != 403 && got != 405 && got < 500;
    ok = ok && (got == 405) == reply_header(&reply, "Allow", allow, sizeof allow);
    if (!ok)
        fprintf(stderr, "  %s %s as %s: expected %s%.0d, got %d\n", method, path, name,
            want != 0 ? "" : "no refusal", want, got);
    reply_free(&reply);
    lore_buf_free(&headers);
    lore_buf_free(&body);
    m->tried++;
    return ok;
}

static struct lore_json *
read_routes(const struct service *s, struct lore_arena *arena)
{
    struct reply reply;
    struct lore_json *root = NULL;
    struct lore_err err;
    size_t n;
    const char *body;

    service_request(s, "GET", "/api/v1/_routes", WHO_READER, "", NULL, &reply);
    body = reply_body(&reply, &n);
    if (reply.status != 200 || lore_json_parse(body, n, NULL, arena, &root, &err) != LORE_OK) {
        fprintf(stderr, "no routes: %d %s\n", reply.status, body);
        exit(2);
    }
    reply_free(&reply);
    return root;
}

/* Enroll an agent of its own. */
static void
enroll(struct matrix *m, struct lore_arena *arena)
{
    struct lore_buf body = {0};
    struct reply reply;
    struct lore_json *answer;

    agent_prepare(m->service, &m->agent, arena);
    lore_buf_printf(&body, "{\"code\":\"%s\",\"public_key\":\"%s\",\"label\":\"matrix\"}",
        vars_get(&m->agent, "code"), vars_get(&m->agent, "public_key"));
    service_request(m->service, "POST", "/api/v1/agents", WHO_NONE, "", &body, &reply);
    answer = case_json(&reply, arena);
    if (reply.status != 201 || !answer) {
        fprintf(stderr, "cannot enroll an agent: %d\n", reply.status);
        exit(2);
    }
    vars_set(&m->agent, arena, "agent", text_of(answer, "id"));
    reply_free(&reply);
    lore_buf_free(&body);
}

int
matrix_run(const struct service *s, int *n)
{
    struct lore_arena arena = {0};
    struct matrix m = {.service = s, .rows = lore_json_get(read_routes(s, &arena), "rows")};
    int wrong = 0;

    enroll(&m, &arena);
    for (const struct lore_json *r = !m.rows ? NULL : m.rows->child; r != NULL; r = r->next) {
        char path[512];
        bool ok = true;

        fill_path(text_of(r, "path"), vars_get(&m.agent, "agent"), path, sizeof path);
        for (size_t i = 0; i < METHODS; i++)
            for (int caller = WHO_NONE; caller < CREDENTIALS; caller++)
                ok = try_one(&m, methods[i], path, caller) && ok;
        printf("%s  permissions  %s %s (%s)\n", ok ? "ok   " : "WRONG", text_of(r, "method"),
            text_of(r, "path"), text_of(r, "who"));
        wrong += !ok;
        ++*n;
    }
    printf("%d requests over %d routes\n", m.tried, *n);
    lore_arena_free(&arena);
    return wrong;
}

void
coverage_load(struct coverage *c, const struct service *s)
{
    struct lore_arena arena = {0};
    const struct lore_json *rows = lore_json_get(read_routes(s, &arena), "rows");
    size_t i = 0;

    c->n = !rows ? 0 : rows->len;
    c->routes = lore_xcalloc(c->n + 1, sizeof *c->routes);
    for (const struct lore_json *r = !rows ? NULL : rows->child; r != NULL; r = r->next, i++) {
        c->routes[i].method = lore_xstrdup(text_of(r, "method"));
        c->routes[i].path = lore_xstrdup(text_of(r, "path"));
    }
    lore_arena_free(&arena);
}

void
coverage_free(struct coverage *c)
{
    for (size_t i = 0; i < c->n; i++) {
        lore_xfree(c->routes[i].method);
        lore_xfree(c->routes[i].path);
    }
    lore_xfree(c->routes);
}

/* Does the path of TARGET fit PATTERN? */
static bool
fits(const char *pattern, const char *target)
{
    while (*pattern != '\0') {
        if (*pattern == '{') {
            size_t n = strcspn(target, "/?");

            if (n == 0)
                return false;
            target += n;
            pattern += strcspn(pattern, "}") + 1;
        } else if (*pattern++ != *target++) {
            return false;
        }
    }
    return *target == '\0' || *target == '?';
}

const char *
coverage_note(struct coverage *c, const char *method, const char *target, int status)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->routes[i].method, method) == 0 && fits(c->routes[i].path, target)) {
            /* A build without the web page has no file to give. */
            bool no_page = status == 404 && strncmp(target, "/assets/", 8) == 0;

            c->routes[i].reached |= (status >= 200 && status < 300) || no_page;
            return c->routes[i].path;
        }
    }
    return NULL;
}

int
coverage_report(const struct coverage *c)
{
    int missing = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (c->routes[i].reached)
            continue;
        printf(
            "WRONG  no case gets an answer from %s %s\n", c->routes[i].method, c->routes[i].path);
        missing++;
    }
    return missing;
}
