// uses: api
/* web/src/types.ts is what /openapi.json says, as TypeScript (LORE_BLESS=1 writes it). So the page
 * is compiled against the answers as they are. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/api.h"
#include "service/api/openapi.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/wire/wire.h"

#define TYPES SOURCE_DIR "/web/src/types.ts"

static const char head[] =
    "/* Every object of the API. Made from the tables that write the answers (service/api), by\n"
    " * `LORE_BLESS=1 build/test_web_types`; do not edit. A member with `?` may be absent, "
    "which\n"
    " * means \"not recorded\" and is never shown as 0. JsonObject and Json: free-form. */\n"
    "export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };\n"
    "export type JsonObject = { [key: string]: Json };\n"
    "export type Maybe<T> = T | null | undefined;\n"
    "export type Effect = Outcome[\"effect\"];\n"
    "export type Check = Outcome[\"correctness\"];\n"
    "export type Evidence = Experiment[\"evidence\"];\n"
    "\n"
    "/** A list. */\n"
    "export interface Page<T> {\n"
    "  rows: T[];\n"
    "  next: string | null;\n"
    "  total?: number;\n"
    "  /** Of the board: rows that have to be asked for. */\n"
    "  unclassified?: number;\n"
    "}\n";

/* The two documents, and which records of the second the first refers to. */
struct api {
    struct lore_arena arena;
    const struct lore_json *openapi, *submission;
    const char *asked[64];
    size_t n_asked;
    struct lore_buf out;
};

static const char *
text_of(const struct lore_json *node, const char *key)
{
    const struct lore_json *m = lore_json_get(node, key);

    return m && m->type == LORE_J_STRING ? m->str : NULL;
}

/* source_document -> SubmittedSourceDocument */
static void
put_record_name(struct lore_buf *out, const char *record)
{
    lore_buf_puts(out, "Submitted");
    for (bool first = true; *record != '\0'; record++) {
        if (*record != '_')
            lore_buf_putc(out, first ? (char)toupper((unsigned char)*record) : *record);
        first = *record == '_';
    }
}

static void
ask(struct api *a, const char *record)
{
    for (size_t i = 0; i < a->n_asked; i++)
        if (lore_streq(a->asked[i], record))
            return;
    assert_in_range(a->n_asked, 0, sizeof a->asked / sizeof a->asked[0] - 1);
    a->asked[a->n_asked++] = record;
}

static void put_type(struct api *a, const struct lore_json *schema);

/* A reference: to an object, to a record of a submission, or to one field of one. */
static void
put_reference(struct api *a, const char *ref)
{
    const char *slash = strrchr(ref, '/') + 1, *field = strstr(ref, "/properties/");
    const struct lore_json *defs = lore_json_get(a->submission, "$defs");
    const char *record = strstr(ref, "#/$defs/");

    if (!record) {
        lore_buf_puts(&a->out, slash);
    } else if (field) {
        record += strlen("#/$defs/");
        record = lore_strndup(&a->arena, record, (size_t)(field - record));
        put_type(a, lore_json_get(lore_json_get(lore_json_get(defs, record), "properties"), slash));
    } else if (lore_streq(slash, "ulid")) {
        lore_buf_puts(&a->out, "string");
    } else {
        ask(a, slash);
        put_record_name(&a->out, slash);
    }
}

static void
put_choices(struct api *a, const struct lore_json *choices)
{
    for (const struct lore_json *c = choices->child; c != NULL; c = c->next) {
        lore_buf_puts(&a->out, c == choices->child ? "" : " | ");
        if (c->type == LORE_J_NULL)
            lore_buf_puts(&a->out, "null");
        else
            lore_buf_printf(&a->out, "\"%s\"", c->str);
    }
}

static void
put_all_of(struct api *a, const struct lore_json *schemas)
{
    for (const struct lore_json *s = schemas->child; s != NULL; s = s->next) {
        lore_buf_puts(&a->out, s == schemas->child ? "" : " | ");
        put_type(a, s);
    }
}

static void
put_list(struct api *a, const struct lore_json *items)
{
    bool choice = items && lore_json_get(items, "enum");

    lore_buf_puts(&a->out, choice ? "(" : "");
    if (!items)
        lore_buf_puts(&a->out, "Json");
    else
        put_type(a, items);
    lore_buf_puts(&a->out, choice ? ")[]" : "[]");
}

static void
put_named(struct api *a, const struct lore_json *schema, const char *type)
{
    const struct lore_json *values = lore_json_get(schema, "additionalProperties");

    if (lore_streq(type, "object") && values && values->type == LORE_J_OBJECT) {
        lore_buf_puts(&a->out, "Record<string, ");
        put_type(a, values);
        lore_buf_puts(&a->out, ">");
    } else if (lore_streq(type, "array")) {
        put_list(a, lore_json_get(schema, "items"));
    } else {
        lore_buf_puts(&a->out, lore_streq(type, "integer")  ? "number"
                               : lore_streq(type, "object") ? "JsonObject"
                                                            : type);
    }
}

static void
put_type(struct api *a, const struct lore_json *schema)
{
    const struct lore_json *type = lore_json_get(schema, "type"), *m;

    if ((m = lore_json_get(schema, "$ref"))) {
        put_reference(a, m->str);
    } else if ((m = lore_json_get(schema, "enum"))) {
        put_choices(a, m);
    } else if (type && type->type == LORE_J_STRING) {
        put_named(a, schema, type->str);
    } else if (type) {
        for (m = type->child; m != NULL; m = m->next) {
            lore_buf_puts(&a->out, m == type->child ? "" : " | ");
            put_named(a, schema, m->str);
        }
    } else if ((m = lore_json_get(schema, "anyOf")) || (m = lore_json_get(schema, "oneOf")) ||
               (m = lore_json_get(schema, "allOf"))) {
        put_all_of(a, m);
    } else {
        lore_buf_puts(&a->out, "Json");
    }
}

static bool
is_required(const struct lore_json *schema, const char *name)
{
    const struct lore_json *required = lore_json_get(schema, "required");

    for (const struct lore_json *r = !required ? NULL : required->child; r != NULL; r = r->next)
        if (lore_streq(r->str, name))
            return true;
    return false;
}

static void
put_members(struct api *a, const struct lore_json *schema)
{
    const struct lore_json *members = lore_json_get(schema, "properties");

    for (const struct lore_json *m = members->child; m != NULL; m = m->next) {
        const char *help = text_of(m, "description");

        if (help && !lore_json_get(m, "type") && !lore_json_get(m, "$ref") &&
            !lore_json_get(m, "enum") && !lore_json_get(m, "anyOf"))
            help = NULL; /* "Any value" */
        if (help)
            lore_buf_printf(&a->out, "  /** %s */\n", help);
        lore_buf_printf(&a->out, "  %s%s: ", m->key, is_required(schema, m->key) ? "" : "?");
        put_type(a, m);
        lore_buf_puts(&a->out, ";\n");
    }
}

/* A record as an object; the short forms that a submission may use come out as objects. */
static const struct lore_json *
object_form(const struct lore_json *record)
{
    const struct lore_json *forms = lore_json_get(record, "anyOf");

    return forms ? forms->child : record;
}

static void
put_interfaces(struct api *a)
{
    const struct lore_json *defs = lore_json_get(a->submission, "$defs");
    const struct lore_json *schemas =
        lore_json_get(lore_json_get(a->openapi, "components"), "schemas");

    lore_buf_puts(&a->out, head);
    for (const struct lore_json *s = schemas->child; s != NULL; s = s->next) {
        lore_buf_printf(&a->out, "export interface %s {\n", s->key);
        put_members(a, s);
        lore_buf_puts(&a->out, "}\n");
    }
    for (size_t i = 0; i < a->n_asked; i++) {
        lore_buf_puts(&a->out, "export interface ");
        put_record_name(&a->out, a->asked[i]);
        lore_buf_puts(&a->out, " {\n");
        put_members(a, object_form(lore_json_get(defs, a->asked[i])));
        lore_buf_puts(&a->out, "}\n");
    }
}

static void
read_documents(struct api *a)
{
    struct lore_app app = {.version = "1"};
    struct lore_req req = {.arena = &a->arena, .app = &app};
    struct lore_resp openapi = {0}, submission = {0};
    struct lore_json *tree = NULL;
    struct lore_err err = {0};

    assert_int_equal(lore_api_openapi(&req, &openapi, &err), LORE_OK);
    assert_int_equal(
        lore_json_parse(openapi.body.data, openapi.body.len, NULL, &a->arena, &tree, &err),
        LORE_OK);
    a->openapi = tree;
    assert_int_equal(lore_api_submission_schema(&req, &submission, &err), LORE_OK);
    assert_int_equal(
        lore_json_parse(submission.body.data, submission.body.len, NULL, &a->arena, &tree, &err),
        LORE_OK);
    a->submission = tree;
    lore_buf_free(&openapi.body);
    lore_buf_free(&submission.body);
}

static void
the_types_of_the_page_are_those_of_the_answers(void **state)
{
    struct api a = {0};
    struct lore_buf now = {0};
    struct lore_err err = {0};

    (void)state;
    read_documents(&a);
    put_interfaces(&a);
    if (getenv("LORE_BLESS"))
        assert_int_equal(lore_file_write(TYPES, a.out.data, a.out.len, 0644, &err), LORE_OK);
    assert_int_equal(lore_file_read(TYPES, &now, &err), LORE_OK);
    if (strcmp(now.data, a.out.data) != 0)
        fail_msg("web/src/types.ts is stale: run LORE_BLESS=1 build/test_web_types");
    lore_buf_free(&now);
    lore_buf_free(&a.out);
    lore_arena_free(&a.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_types_of_the_page_are_those_of_the_answers),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
