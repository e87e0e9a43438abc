/* What must come back (README.md), compared with what did. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "tests/http/case.h"

const struct lore_json *
json_at(const struct lore_json *root, const char *path)
{
    const struct lore_json *at = root;

    if (strcmp(path, "$") == 0)
        return root;
    while (at && *path != '\0') {
        if (*path == '[') {
            long i = strtol(path + 1, NULL, 10);

            at = at->type == LORE_J_ARRAY ? at->child : NULL;
            while (at && i-- > 0)
                at = at->next;
            path += strcspn(path, "]") + 1;
        } else {
            size_t n;
            char key[128];

            path += *path == '.';
            /* `rows["name with.dots"]` is not needed: no key of the interface has one. */
            n = strcspn(path, ".[");
            snprintf(key, sizeof key, "%.*s", (int)n, path);
            at = lore_json_get(at, key);
            path += n;
        }
    }
    return at;
}

static bool
complain(const struct expect *e, const char *got)
{
    fprintf(stderr, "  line %d: expected %s%s%s %s, got %.400s\n", e->line, e->subject,
        *e->subject == '\0' ? "" : " ", e->op, e->value, got);
    return false;
}

static bool
matches(const char *pattern, const char *text)
{
    regex_t re;
    bool yes;

    if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    yes = regexec(&re, text, 0, NULL, 0) == 0;
    regfree(&re);
    return yes;
}

/* A value as text a person reads. */
static const char *
show(const struct lore_json *node, struct lore_arena *arena)
{
    if (!node)
        return "nothing";
    switch (node->type) {
    case LORE_J_STRING:
        return lore_format(arena, "\"%s\"", node->str);
    case LORE_J_NUMBER:
        return node->str;
    case LORE_J_BOOL:
        return node->i ? "true" : "false";
    case LORE_J_ARRAY:
        return lore_format(arena, "%u items", node->len);
    default:
        return lore_json_type_name(node->type);
    }
}

static bool
check_equal(const struct expect *e, const struct lore_json *node, struct lore_arena *arena)
{
    unsigned char want[32], got[32];
    struct lore_json *value;
    struct lore_err err;

    if (lore_json_parse(e->value, strlen(e->value), NULL, arena, &value, &err) != LORE_OK) {
        fprintf(stderr, "  line %d: %s is not JSON\n", e->line, e->value);
        return false;
    }
    if (!node)
        return complain(e, "nothing");
    lore_json_digest(value, want);
    lore_json_digest(node, got);
    return memcmp(want, got, sizeof want) == 0 || complain(e, show(node, arena));
}

static bool
check_json(const struct expect *e, const struct lore_json *root, struct lore_arena *arena)
{
    const struct lore_json *node = json_at(root, e->subject);
    bool number = node && node->type == LORE_J_NUMBER;

    if (strcmp(e->op, "exists") == 0)
        return node || complain(e, "nothing");
    if (strcmp(e->op, "absent") == 0)
        return !node || complain(e, show(node, arena));
    if (strcmp(e->op, "count") == 0)
        return (node && node->len == strtoul(e->value, NULL, 10)) || complain(e, show(node, arena));
    if (strcmp(e->op, ">") == 0)
        return (number && node->f > strtod(e->value, NULL)) || complain(e, show(node, arena));
    if (strcmp(e->op, "<") == 0)
        return (number && node->f < strtod(e->value, NULL)) || complain(e, show(node, arena));
    if (strcmp(e->op, "~") == 0)
        return (node && node->str && matches(e->value, node->str)) ||
               complain(e, show(node, arena));
    if (strcmp(e->op, "=") == 0)
        return check_equal(e, node, arena);
    fprintf(stderr, "  line %d: no operator %s\n", e->line, e->op);
    return false;
}

static bool
check_text(const struct expect *e, const char *text)
{
    if (!text)
        return strcmp(e->op, "absent") == 0 || complain(e, "nothing");
    if (strcmp(e->op, "~") == 0)
        return matches(e->value, text) || complain(e, text);
    if (strcmp(e->op, "=") == 0)
        return strcmp(e->value, text) == 0 || complain(e, text);
    return strcmp(e->op, "exists") == 0 || complain(e, text);
}

struct lore_json *
case_json(const struct reply *reply, struct lore_arena *arena)
{
    struct lore_json *root = NULL;
    struct lore_err err;
    size_t n;
    const char *body = reply_body(reply, &n);

    if (lore_json_parse(body, n, NULL, arena, &root, &err) != LORE_OK)
        return NULL;
    return root;
}

static bool
check_one(const struct expect *e, const struct reply *reply, const struct lore_json *root,
    struct lore_arena *arena)
{
    char text[4096];
    size_t n;

    switch (e->kind) {
    case EXPECT_STATUS:
        return reply->status == strtol(e->value, NULL, 10) ||
               complain(e, lore_format(arena, "%d %.300s", reply->status, reply_body(reply, &n)));
    case EXPECT_HEADER:
        return check_text(e, reply_header(reply, e->subject, text, sizeof text) ? text : NULL);
    case EXPECT_JSON:
        if (!root)
            return complain(e, reply_body(reply, &n));
        return check_json(e, root, arena);
    case EXPECT_BODY:
        return check_text(e, reply_body(reply, &n));
    case EXPECT_CLOSED:
        return reply->closed || complain(e, "an open connection");
    }
    return false;
}

bool
case_check(const struct test_case *c, const struct reply *reply, struct lore_arena *arena)
{
    const struct lore_json *root = case_json(reply, arena);
    bool ok = true;

    for (size_t i = 0; i < c->n_expects; i++)
        ok = check_one(&c->expects[i], reply, root, arena) && ok;
    return ok;
}

bool
case_save(const struct test_case *c, const struct reply *reply, struct vars *vars,
    struct lore_arena *arena)
{
    const struct lore_json *root = case_json(reply, arena);
    char text[4096];

    for (size_t i = 0; i < c->n_saves; i++) {
        const struct save *s = &c->saves[i];
        const struct lore_json *node = json_at(root, s->path);
        bool found = strcmp(s->from, "json") == 0 ? node && node->str != NULL
                                                  : reply_header(reply, s->path, text, sizeof text);

        if (!found) {
            fprintf(stderr, "  save %s: nothing at %s\n", s->name, s->path);
            return false;
        }
        vars_set(vars, arena, s->name, strcmp(s->from, "json") == 0 ? node->str : text);
    }
    return true;
}

int
case_status(const struct test_case *c)
{
    for (size_t i = 0; i < c->n_expects; i++) {
        if (c->expects[i].kind == EXPECT_STATUS)
            return (int)strtol(c->expects[i].value, NULL, 10);
    }
    return 0;
}
