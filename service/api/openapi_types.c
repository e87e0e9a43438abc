/* Types and objects of the tables as JSON Schema (openapi.h). */
#include <stdio.h>
#include <string.h>

#include "service/api/api.h"
#include "service/api/name_candidates.h"
#include "service/api/openapi.h"
#include "service/wire/wire.h"

/* A choice, with null when it may be absent. */
static void
write_choice(struct lore_jsonw *w, const char *type, size_t n, bool null)
{
    lore_w_key(w, "enum");
    lore_w_arr(w);
    for (const char *p = type; p < type + n;) {
        size_t len = strcspn(p, "|?");

        lore_w_strn(w, p, len);
        p += len + 1;
    }
    if (null)
        lore_w_null(w);
    lore_w_arr_end(w);
}

static void
write_plain(struct lore_jsonw *w, const char *type, size_t n, bool null)
{
    static const struct {
        const char *type, *json, *more, *value;
    } plain[] = {{"text", "string", NULL, NULL}, {"number", "number", NULL, NULL},
        {"integer", "integer", NULL, NULL}, {"boolean", "boolean", NULL, NULL},
        {"object", "object", NULL, NULL}, {"time", "string", "format", "date-time"},
        {"ulid", "string", "pattern", "^[0-9A-HJKMNP-TV-Z]{26}$"}};
    size_t i = 0;

    while (i + 1 < sizeof plain / sizeof plain[0] &&
           (strlen(plain[i].type) != n || memcmp(plain[i].type, type, n) != 0))
        i++;
    lore_w_key(w, "type");
    if (null) {
        lore_w_arr(w);
        lore_w_str(w, plain[i].json);
        lore_w_str(w, "null");
        lore_w_arr_end(w);
    } else {
        lore_w_str(w, plain[i].json);
    }
    if (plain[i].more)
        lore_w_kstr(w, plain[i].more, plain[i].value);
}

static void
write_ref(struct lore_jsonw *w, const char *name, size_t n, bool null)
{
    char ref[96];

    snprintf(ref, sizeof ref, "#/components/schemas/%.*s", (int)n, name);
    if (!null) {
        lore_w_kstr(w, "$ref", ref);
        return;
    }
    lore_w_key(w, "anyOf");
    lore_w_arr(w);
    lore_w_obj(w);
    lore_w_kstr(w, "$ref", ref);
    lore_w_obj_end(w);
    lore_w_obj(w);
    lore_w_kstr(w, "type", "null");
    lore_w_obj_end(w);
    lore_w_arr_end(w);
}

static void
write_either(struct lore_jsonw *w, const char *type)
{
    lore_w_key(w, "oneOf");
    lore_w_arr(w);
    while (*type == '#') {
        size_t n = strcspn(type, "/");

        lore_w_obj(w);
        write_ref(w, type + 1, n - 1, false);
        lore_w_obj_end(w);
        type += n + (type[n] == '/');
    }
    lore_w_arr_end(w);
}

static void
write_type(struct lore_jsonw *w, const char *type)
{
    size_t n = strlen(type);
    bool null = n > 0 && type[n - 1] == '?';

    n -= null;
    if (strstr(type, "/#")) {
        write_either(w, type);
    } else if (*type == '[') {
        lore_w_kstr(w, "type", "array");
        lore_w_key(w, "items");
        lore_openapi_type(w, type + 1);
    } else if (*type == '{') {
        lore_w_kstr(w, "type", "object");
        lore_w_key(w, "additionalProperties");
        lore_openapi_type(w, type + 1);
    } else if (*type == '#') {
        write_ref(w, type + 1, n - 1, null);
    } else if (strchr(type, '|')) {
        write_choice(w, type, n, null);
    } else if (strcmp(type, "any") != 0) {
        write_plain(w, type, n, null);
    }
}

void
lore_openapi_type_as(struct lore_jsonw *w, const char *type, const char *help)
{
    lore_w_obj(w);
    write_type(w, type);
    lore_w_kstr_opt(w, "description", !help && strcmp(type, "any") == 0 ? "Any value" : help);
    lore_w_obj_end(w);
}

void
lore_openapi_type(struct lore_jsonw *w, const char *type)
{
    lore_openapi_type_as(w, type, NULL);
}

/* The fields of a stored record, which a submission's schema describes. */
static void
write_fields(struct lore_jsonw *w, enum lore_kind kind)
{
    const char *field;
    char ref[160];
    bool required;

    for (size_t i = 0; (field = lore_kind_field(kind, i, &required)) != NULL; i++) {
        snprintf(ref, sizeof ref, "%s#/$defs/%s/properties/%s", LORE_OPENAPI_SUBMISSION,
            lore_kind_name(kind), field);
        lore_w_key(w, field);
        lore_w_obj(w);
        lore_w_kstr(w, "$ref", ref);
        lore_w_obj_end(w);
    }
}

const char *
lore_openapi_type_of(const struct lore_object_member *m, char *text, size_t size)
{
    static const char *const types[] = {[LORE_AT_TEXT] = "text",
        [LORE_AT_I64] = "integer",
        [LORE_AT_INT] = "integer",
        [LORE_AT_SIZE] = "integer",
        [LORE_AT_F64] = "number",
        [LORE_AT_BOOL] = "boolean",
        [LORE_AT_SET_I64] = "integer",
        [LORE_AT_SET_F64] = "number",
        [LORE_AT_TEXTS] = "[text",
        [LORE_AT_KVS] = "object",
        [LORE_AT_TIME] = "time",
        [LORE_AT_NAMED] = "text",
        [LORE_AT_LABELS] = "[text",
        [LORE_AT_HEX] = "text",
        [LORE_AT_BASE64] = "text",
        [LORE_AT_WORDS] = "[text",
        [LORE_AT_RAW] = "object",
        [LORE_AT_RECORD] = "object",
        [LORE_AT_LIST] = "[#",
        [LORE_AT_ARRAY] = "[#",
        [LORE_AT_STRINGS] = "[text",
        [LORE_AT_STRING_ARRAY] = "[text",
        [LORE_AT_OBJECT] = "#",
        [LORE_AT_POINTER] = "#",
        [LORE_AT_RAW_LIST] = "[#",
        [LORE_WRITTEN_ONE] = "#",
        [LORE_WRITTEN_LIST] = "[#",
        [LORE_WRITTEN] = NULL};
    bool number = m->holds == LORE_AT_SET_I64 || m->holds == LORE_AT_SET_F64;
    bool object =
        m->holds == LORE_AT_POINTER || (m->holds == LORE_AT_OBJECT && m->of->key != LORE_NO_KEY);

    if (m->type || !types[m->holds])
        return m->type;
    snprintf(text, size, "%s%s%s", types[m->holds], m->of != NULL ? m->of->name : "",
        m->name[0] == '!' && (number || object) ? "?" : "");
    return text;
}

static void
write_member(struct lore_jsonw *w, const struct lore_object_member *m)
{
    char text[96];

    lore_w_key(w, m->name + (m->name[0] == '!'));
    lore_openapi_type_as(w, lore_openapi_type_of(m, text, sizeof text), m->help);
}

static void
write_members(struct lore_jsonw *w, const struct lore_object *o)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->members[i].holds == LORE_AT_MEMBERS || o->members[i].holds == LORE_AT_SPREAD)
            write_members(w, o->members[i].of);
        else if (o->members[i].holds == LORE_AT_FIELDS)
            write_fields(w, (enum lore_kind)o->members[i].item);
        else
            write_member(w, &o->members[i]);
    }
}

static void
write_required_fields(struct lore_jsonw *w, enum lore_kind kind)
{
    const char *field;
    bool required;

    for (size_t i = 0; (field = lore_kind_field(kind, i, &required)) != NULL; i++)
        if (required)
            lore_w_str(w, field);
}

static void
write_required(struct lore_jsonw *w, const struct lore_object *o)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->members[i].holds == LORE_AT_MEMBERS ||
            (o->members[i].holds == LORE_AT_SPREAD && o->members[i].name[0] == '!'))
            write_required(w, o->members[i].of);
        else if (o->members[i].holds == LORE_AT_FIELDS && o->members[i].name[0] == '!')
            write_required_fields(w, (enum lore_kind)o->members[i].item);
        else if (o->members[i].name[0] == '!' && o->members[i].name[1] != '\0')
            lore_w_str(w, o->members[i].name + 1);
    }
}

static void
write_object(struct lore_jsonw *w, const struct lore_object *o)
{
    lore_w_key(w, o->name);
    lore_w_obj(w);
    lore_w_kstr(w, "type", "object");
    lore_w_key(w, "properties");
    lore_w_obj(w);
    write_members(w, o);
    lore_w_obj_end(w);
    lore_w_key(w, "required");
    lore_w_arr(w);
    write_required(w, o);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

/* Add O, unless it is in the list or has no name, and the objects of its members. */
static void
add_object(struct lore_openapi_list *list, const struct lore_object *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < list->n; i++)
        if (list->v[i] == o)
            return;
    if (o->name[0] != '\0' && list->n < LORE_OPENAPI_OBJECTS)
        list->v[list->n++] = o;
    for (size_t i = 0; i < o->n; i++)
        add_object(list, o->members[i].of);
}

/* service/http writes this object without a table. */
#define ROW struct lore_err
static const struct lore_object_member problem[] = {
    {"!type", BY_HAND, "text"},
    {"!title", BY_HAND, "text"},
    {"!status", BY_HAND, "integer"},
    {"!code", BY_HAND, "text"},
    {"!detail", BY_HAND, "text"},
    {"path", BY_HAND, "text", "path of the faulty value"},
    {"hint", BY_HAND, "text", "what to do"},
    {"errors", BY_HAND, "[object", "every error of the body: code, detail, path, hint"},
    {"candidates", .of = &lore_candidate_object, .holds = LORE_AT_RAW_LIST,
        .help = "records that an ambiguous name may mean"},
    {"!request_id", BY_HAND, "text"},
};
static const struct lore_object problem_object = LORE_OBJECT("Problem", problem);
#undef ROW

void
lore_openapi_list(struct lore_openapi_list *out)
{
    *out = (struct lore_openapi_list){.n = 0};
    add_object(out, &problem_object);
    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        add_object(out, r->takes);
        add_object(out, r->one);
        for (size_t i = 0; i < sizeof r->or_one / sizeof *r->or_one; i++)
            add_object(out, r->or_one[i]);
        add_object(out, r->rows);
    }
}

void
lore_openapi_objects(struct lore_jsonw *w)
{
    struct lore_openapi_list list;

    lore_openapi_list(&list);
    lore_w_key(w, "schemas");
    lore_w_obj(w);
    for (size_t i = 0; i < list.n; i++)
        write_object(w, list.v[i]);
    lore_w_obj_end(w);
}
