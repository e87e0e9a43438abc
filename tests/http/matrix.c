/* What /api/v1/_routes promises, tried: every route as nobody, as every role, with a revoked token,
 * with a wrong one, and signed by a stranger. The expectations come from the rows themselves, so a
 * new route is covered the day it is added. Also which routes the cases reached. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/xalloc.h"
#include "tests/http/agent.h"
#include "tests/http/case.h"

/* The parts of a path that no record has. */
#define NO_ULID "00000000000000000000000000"
#define NO_HASH "0000000000000000000000000000000000000000000000000000000000000000"

static void
fill_path(const char *pattern, char *out, size_t size)
{
    size_t n = 0;

    while (*pattern != '\0' && n + sizeof NO_HASH < size) {
        const char *value;

        if (*pattern != '{') {
            out[n++] = *pattern++;
            continue;
        }
        value = strncmp(pattern, "{hash}", 6) == 0   ? NO_HASH
                : strncmp(pattern, "{page}", 6) == 0 ? "somewhere"
                                                     : NO_ULID;
        n += (size_t)snprintf(out + n, size - n, "%s", value);
        pattern += strcspn(pattern, "}") + 1;
    }
    out[n] = '\0';
}

/* NONE: public, or by what is in the body; WHO_COUNT: no token at all; else the least role. */
static enum who
least(const char *who)
{
    enum who w = who_find(who);

    if (strcmp(who, "signature") == 0)
        return WHO_COUNT;
    if (strcmp(who, "signature_or_reader") == 0)
        return WHO_READER;
    return w == WHO_COUNT ? WHO_NONE : w;
}

/* The status that permission alone decides; 0: whatever the handler says, but no refusal. */
static int
refusal(enum who route, enum who caller)
{
    if (route == WHO_NONE)
        return 0;
    if (route == WHO_COUNT || caller == WHO_NONE || caller == WHO_REVOKED || caller == WHO_WRONG)
        return 401;
    return caller < route ? 403 : 0;
}

static bool
try_one(
    const struct service *s, const char *method, const char *path, enum who route, enum who caller)
{
    struct lore_buf empty = {0};
    struct reply reply;
    int want = refusal(route, caller), got;
    bool ok;

    lore_buf_puts(&empty, "{}");
    service_request(
        s, method, path, caller, "", strcmp(method, "GET") == 0 ? NULL : &empty, &reply);
    got = reply.status;
    ok = want != 0 ? got == want : got != 0 && got != 401 && got != 403 && got < 500;
    if (!ok)
        fprintf(stderr, "  %s %s as %s: expected %s%.0d, got %d\n", method, path, who_name(caller),
            want != 0 ? "" : "no refusal", want, got);
    reply_free(&reply);
    lore_buf_free(&empty);
    return ok;
}

/* A signature of nobody opens nothing: where signatures count it is refused, elsewhere it is as if
 * it were not there. */
static bool
try_stranger(const struct service *s, const char *method, const char *path, enum who route)
{
    const char *body = strcmp(method, "GET") == 0 ? NULL : "{}";
    struct lore_buf headers = {0}, bytes = {0};
    struct reply reply;
    int want = refusal(route, WHO_NONE);
    bool ok;

    lore_buf_puts(&bytes, body != NULL ? body : "");
    agent_stranger(method, path, body, &headers);
    service_request(s, method, path, WHO_NONE, headers.data, body != NULL ? &bytes : NULL, &reply);
    ok = want != 0 ? reply.status == want : reply.status != 401 && reply.status < 500;
    if (!ok)
        fprintf(stderr, "  %s %s signed by a stranger: expected %d, got %d\n", method, path, want,
            reply.status);
    reply_free(&reply);
    lore_buf_free(&headers);
    lore_buf_free(&bytes);
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

static const char *
text_of(const struct lore_json *route, const char *key)
{
    const struct lore_json *node = lore_json_get(route, key);

    return !node || !node->str ? "" : node->str;
}

int
matrix_run(const struct service *s, int *n)
{
    struct lore_arena arena = {0};
    const struct lore_json *rows = lore_json_get(read_routes(s, &arena), "rows");
    int wrong = 0;

    for (const struct lore_json *r = !rows ? NULL : rows->child; r != NULL; r = r->next) {
        const char *method = text_of(r, "method");
        enum who route = least(text_of(r, "who"));
        char path[512];
        bool ok = true;

        fill_path(text_of(r, "path"), path, sizeof path);
        for (enum who caller = WHO_NONE; caller <= WHO_WRONG; caller++)
            ok = try_one(s, method, path, route, caller) && ok;
        ok = try_stranger(s, method, path, route) && ok;
        printf("%s  permissions  %s %s (%s)\n", ok ? "ok   " : "WRONG", method, text_of(r, "path"),
            text_of(r, "who"));
        wrong += !ok;
        ++*n;
    }
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
