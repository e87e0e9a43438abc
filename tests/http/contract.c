/* Answers against what /openapi.json says of them: every 2xx JSON answer of every case must have
 * the members its schema requires, none that the schema does not know, and values of the stated
 * types. So a handler and the description cannot part. Knows the part of JSON Schema that the
 * description uses. */
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "tests/http/case.h"

static const struct lore_json *
member(const struct lore_json *root, const char *a, const char *b)
{
    return lore_json_get(lore_json_get(root, a), b);
}

/* "#/components/schemas/Name" -> its schema. */
static const struct lore_json *
resolve(const struct lore_json *api, const struct lore_json *schema)
{
    const struct lore_json *ref = lore_json_get(schema, "$ref");
    const char *slash = !ref || !ref->str ? NULL : strrchr(ref->str, '/');

    if (!slash)
        return schema;
    return lore_json_get(member(api, "components", "schemas"), slash + 1);
}

/* A field of a stored record: what it may be was checked when it came in. */
static bool
by_submission(const struct lore_json *schema)
{
    const struct lore_json *ref = lore_json_get(schema, "$ref");

    return ref && ref->str && lore_starts(ref->str, "/api/v1/schema/submission#");
}

static bool
wrong(const struct lore_json *value, const char *what)
{
    char path[160];

    lore_json_path(value, path, sizeof path);
    fprintf(stderr, "  %s: %s\n", path, what);
    return false;
}

static bool
type_fits(const struct lore_json *value, const char *type)
{
    switch (value->type) {
    case LORE_J_NULL:
        return strcmp(type, "null") == 0;
    case LORE_J_BOOL:
        return strcmp(type, "boolean") == 0;
    case LORE_J_NUMBER:
        return strcmp(type, "number") == 0 || (value->is_int && strcmp(type, "integer") == 0);
    case LORE_J_STRING:
        return strcmp(type, "string") == 0;
    case LORE_J_ARRAY:
        return strcmp(type, "array") == 0;
    default:
        return strcmp(type, "object") == 0;
    }
}

static bool
check_type(const struct lore_json *type, const struct lore_json *value)
{
    if (!type || (type->type == LORE_J_STRING && type_fits(value, type->str)))
        return true;
    for (const struct lore_json *t = type->type == LORE_J_ARRAY ? type->child : NULL; t != NULL;
         t = t->next) {
        if (t->str && type_fits(value, t->str))
            return true;
    }
    return wrong(value, "not of the type that openapi.json says");
}

static bool
check_enum(const struct lore_json *choices, const struct lore_json *value)
{
    for (const struct lore_json *c = !choices ? NULL : choices->child; c != NULL; c = c->next) {
        if (c->type == value->type && (!c->str || lore_streq(c->str, value->str)))
            return true;
    }
    return !choices || wrong(value, "not one of the choices in openapi.json");
}

static bool check_value(
    const struct lore_json *api, const struct lore_json *schema, const struct lore_json *value);

static bool
check_members(
    const struct lore_json *api, const struct lore_json *schema, const struct lore_json *value)
{
    const struct lore_json *known = lore_json_get(schema, "properties");
    const struct lore_json *required = lore_json_get(schema, "required");
    bool ok = true;

    if (!known || value->type != LORE_J_OBJECT)
        return true;
    for (const struct lore_json *r = !required ? NULL : required->child; r != NULL; r = r->next) {
        if (!lore_json_get(value, r->str)) {
            fprintf(stderr, "  required: %s\n", r->str);
            ok = wrong(value, "lacks a member that openapi.json requires");
        }
    }
    for (const struct lore_json *m = value->child; m != NULL; m = m->next) {
        const struct lore_json *s = lore_json_get(known, m->key);

        ok = (s ? check_value(api, s, m) : wrong(m, "not in openapi.json")) && ok;
    }
    return ok;
}

/* The first of the choices whose required members VALUE has; else the first. */
static const struct lore_json *
chosen(const struct lore_json *api, const struct lore_json *choices, const struct lore_json *value)
{
    for (const struct lore_json *c = choices->child; c != NULL; c = c->next) {
        const struct lore_json *required = lore_json_get(resolve(api, c), "required");
        bool all = true;

        for (const struct lore_json *r = !required ? NULL : required->child; r != NULL; r = r->next)
            all = all && lore_json_get(value, r->str);
        if (all)
            return c;
    }
    return choices->child;
}

static bool
check_any(
    const struct lore_json *api, const struct lore_json *choices, const struct lore_json *value)
{
    const struct lore_json *first = choices->child;

    /* The description writes anyOf for one thing only: a reference, or null. */
    return value->type == LORE_J_NULL || check_value(api, first, value);
}

static bool
check_value(
    const struct lore_json *api, const struct lore_json *schema, const struct lore_json *value)
{
    const struct lore_json *s, *items, *any;
    bool ok;

    if (by_submission(schema))
        return true;
    s = resolve(api, schema);
    if (!s)
        return wrong(value, "openapi.json refers to a schema that is not there");
    if (lore_json_get(s, "oneOf"))
        return check_value(api, chosen(api, lore_json_get(s, "oneOf"), value), value);
    any = lore_json_get(s, "anyOf");
    if (any)
        return check_any(api, any, value);
    ok = check_type(lore_json_get(s, "type"), value);
    ok = check_enum(lore_json_get(s, "enum"), value) && ok;
    ok = check_members(api, s, value) && ok;
    items = lore_json_get(s, "items");
    for (const struct lore_json *v = items != NULL && value->type == LORE_J_ARRAY ? value->child
                                                                                  : NULL;
         v != NULL; v = v->next)
        ok = check_value(api, items, v) && ok;
    return ok;
}

bool
contract_check(const struct lore_json *api, const char *method, const char *path, int status,
    const struct lore_json *body)
{
    const struct lore_json *op, *reply;
    char lower[16], code[8];
    size_t n = 0;

    for (; method[n] != '\0' && n + 1 < sizeof lower; n++)
        lower[n] = (char)(method[n] | 0x20);
    lower[n] = '\0';
    snprintf(code, sizeof code, "%d", status);
    op = lore_json_get(member(api, "paths", path), lower);
    reply = member(op, "responses", code);
    if (!reply) {
        fprintf(
            stderr, "  openapi.json does not say that %s %s answers %d\n", method, path, status);
        return false;
    }
    reply = lore_json_get(member(reply, "content", "application/json"), "schema");
    return !reply || check_value(api, reply, body);
}

struct lore_json *
contract_read(const struct service *s, struct lore_arena *arena)
{
    struct reply reply;
    struct lore_json *api = NULL;
    struct lore_err err;
    size_t n;
    const char *body;

    service_request(s, "GET", "/openapi.json", WHO_NONE, "", NULL, &reply);
    body = reply_body(&reply, &n);
    if (lore_json_parse(body, n, NULL, arena, &api, &err) != LORE_OK)
        api = NULL;
    reply_free(&reply);
    return api;
}
