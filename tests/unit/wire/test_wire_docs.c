// uses: wire
/* docs/submission.md against the code: its examples decode, its field tables are the generated ones
 * (LORE_BLESS=1 rewrites them). And the JSON Schema: every record and field is in it, every
 * reference leads somewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/fields.h"

#define PAGE SOURCE_DIR "/docs/submission.md"
#define OPEN_MARK "<!-- fields -->\n"
#define CLOSE_MARK "<!-- /fields -->"

static struct lore_arena arena;
static struct lore_err err;

static int
stop(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static char *
page(void)
{
    struct lore_buf text = {0};
    char *copy;

    assert_int_equal(lore_file_read(PAGE, &text, &err), LORE_OK);
    copy = lore_strndup(&arena, text.data, text.len);
    lore_buf_free(&text);
    return copy;
}

static const struct lore_json *
parse(const char *text, size_t len)
{
    struct lore_json *root = NULL;

    if (lore_json_parse(text, len, &lore_wire_limits, &arena, &root, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return root;
}

static void
every_example_on_the_page_decodes(void **state)
{
    size_t n = 0;

    (void)state;
    for (const char *at = page(); (at = strstr(at, "```json\n")) != NULL; n++) {
        struct lore_submission doc;
        const char *end;

        at += strlen("```json\n");
        end = strstr(at, "```");
        assert_non_null(end);
        if (lore_wire_decode(parse(at, (size_t)(end - at)), &arena, &doc, &err) != LORE_OK)
            fail_msg("example %zu: %s", n + 1, err.msg);
        assert_true(doc.n_experiments == 1);
        at = end;
    }
    assert_int_equal(n, 3);
}

static void
bless(const char *text, const char *start, const char *end, const struct lore_buf *tables)
{
    struct lore_buf out = {0};

    lore_buf_add(&out, text, (size_t)(start - text));
    lore_buf_add(&out, tables->data, tables->len);
    lore_buf_puts(&out, end);
    assert_int_equal(lore_file_write(PAGE, out.data, out.len, 0644, &err), LORE_OK);
    lore_buf_free(&out);
}

static void
the_field_tables_on_the_page_are_the_generated_ones(void **state)
{
    struct lore_buf tables = {0};
    const char *text = page(), *start = strstr(text, OPEN_MARK), *end = strstr(text, CLOSE_MARK);

    (void)state;
    assert_true(start && end);
    start += strlen(OPEN_MARK);
    lore_wire_markdown(&tables);
    if (getenv("LORE_BLESS"))
        bless(text, start, end, &tables);
    else
        assert_string_equal(lore_strndup(&arena, start, (size_t)(end - start)), tables.data);
    lore_buf_free(&tables);
}

static const struct lore_json *
schema(void)
{
    struct lore_buf out = {0};
    struct lore_jsonw w = {0};
    const struct lore_json *root;

    lore_jsonw_begin(&w, &out, true);
    lore_wire_schema(&w);
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_OK);
    root = parse(lore_strndup(&arena, out.data, out.len), out.len);
    lore_buf_free(&out);
    return root;
}

/* The object that lists the properties of record R. */
static const struct lore_json *
object_schema(const struct lore_json *root, const struct lore_record *r)
{
    const struct lore_json *def = lore_json_get(lore_json_get(root, "$defs"), r->name);
    const struct lore_json *forms = lore_json_get(def, "anyOf");

    assert_non_null(def);
    return forms ? forms->child : def;
}

static void
the_schema_has_every_record_and_field(void **state)
{
    const struct lore_json *root = schema();
    const struct lore_record *all[80];
    size_t n = lore_records(all, 80);

    (void)state;
    assert_true(n < 80);
    for (size_t i = 0; i < n; i++) {
        const struct lore_json *o = object_schema(root, all[i]), *closed;

        closed = lore_json_get(o, "additionalProperties");
        assert_true(closed && closed->type == LORE_J_BOOL && closed->i == 0);
        assert_int_equal(lore_json_get(o, "properties")->len, all[i]->n);
        for (size_t k = 0; k < all[i]->n; k++) {
            const struct lore_json *p =
                lore_json_get(lore_json_get(o, "properties"), all[i]->fields[k].name);

            assert_string_equal(lore_json_get(p, "description")->str, all[i]->fields[k].help);
            assert_true(p->len >= 2);
        }
    }
}

static size_t
count_refs(const struct lore_json *node, const struct lore_json *defs)
{
    size_t n = 0;

    if (node->key && strcmp(node->key, "$ref") == 0) {
        assert_true(lore_starts(node->str, "#/$defs/"));
        assert_non_null(lore_json_get(defs, node->str + strlen("#/$defs/")));
        n++;
    }
    for (const struct lore_json *c = node->child; c != NULL; c = c->next)
        n += count_refs(c, defs);
    return n;
}

static void
every_reference_of_the_schema_leads_somewhere(void **state)
{
    const struct lore_json *root = schema();

    (void)state;
    assert_string_equal(
        lore_json_get(root, "$schema")->str, "https://json-schema.org/draft/2020-12/schema");
    assert_true(count_refs(root, lore_json_get(root, "$defs")) > 30);
}

static void
the_schema_lists_the_choices_of_an_enum(void **state)
{
    const struct lore_json *o = object_schema(schema(), &lore_version_record);
    const struct lore_json *kind = lore_json_get(lore_json_get(o, "properties"), "kind");

    (void)state;
    assert_int_equal(lore_json_get(kind, "enum")->len, LORE_V_COUNT - 1);
    assert_string_equal(lore_json_get(kind, "enum")->child->str, "baseline");
}

/* A schema that refuses what the service takes is wrong; one that names no language is no help. */
static void
the_schema_names_languages_and_takes_their_spellings(void **state)
{
    const struct lore_json *o = object_schema(schema(), &lore_kernel_record);
    const struct lore_json *language = lore_json_get(lore_json_get(o, "properties"), "language");
    const struct lore_json *either = lore_json_get(language, "anyOf");

    (void)state;
    assert_null(lore_json_get(language, "enum"));
    assert_int_equal(lore_json_get(either->child, "enum")->len, LORE_LANG_COUNT - 1);
    assert_null(lore_json_get(either->child->next, "enum"));
    assert_string_equal(lore_json_get(either->child->next, "type")->str, "string");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_example_on_the_page_decodes, stop),
        cmocka_unit_test_teardown(the_field_tables_on_the_page_are_the_generated_ones, stop),
        cmocka_unit_test_teardown(the_schema_has_every_record_and_field, stop),
        cmocka_unit_test_teardown(every_reference_of_the_schema_leads_somewhere, stop),
        cmocka_unit_test_teardown(the_schema_names_languages_and_takes_their_spellings, stop),
        cmocka_unit_test_teardown(the_schema_lists_the_choices_of_an_enum, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
