// uses: api
/* Tables of members: what they write, and that no table contradicts itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/objects.h"
#include "service/api/openapi.h"
#include "service/api/params.h"
#include "service/base/hash.h"

struct part {
    const char *name;
    size_t n;
};
struct row {
    const char *id, *text, *words, *raw;
    int64_t i, at_us, seq;
    int small;
    double f;
    bool yes;
    struct lore_f64 set;
    struct lore_i64 count;
    enum lore_check check;
    uint32_t labels;
    struct part part, *one, *many;
    size_t n_many;
    const char *const *strings;
    size_t n_strings;
};

#define ROW struct part
static const struct lore_object_member part_table[] = {{"!name", AT(name)}, {"n", AT(n)}};
static const struct lore_object part = LORE_KEYED_OBJECT("Part", part_table, name);
#undef ROW

static void
write_twice(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_ki64(w, key, ((const struct row *)row)->i * 2);
}

#define ROW struct row
static const struct lore_object_member always[] = {
    {"!id", AT(id), "ulid"},
    {"!text", AT(text), "text?"},
    {"!words", WORDS(words)},
    {"!raw", RAW(raw)},
    {"!i", AT(i)},
    {"!at", TIME(at_us), "time?"},
    {"!small", AT(small)},
    {"!f", AT(f)},
    {"!yes", AT(yes)},
    {"!set", AT(set)},
    {"!count", AT(count)},
    {"!check", NAMED(check, lore_check_name), "text?"},
    {"!labels", LABELS(labels)},
    {"!part", OBJECT(part, part)},
    {"!one", POINTER(one, part)},
    {"!many", LIST(many, n_many, part)},
    {"!strings", STRINGS(strings, n_strings)},
    {"!twice", WRITTEN(write_twice), "integer"},
    {"by_hand", BY_HAND, "integer"},
};
static const struct lore_object_member sometimes[] = {
    {"id", AT(id), "ulid"},
    {"text", AT(text)},
    {"words", WORDS(words)},
    {"raw", RAW(raw)},
    {"i", AT(i)},
    {"at", TIME(at_us)},
    {"small", AT(small)},
    {"f", AT(f)},
    {"yes", AT(yes)},
    {"set", AT(set)},
    {"count", AT(count)},
    {"check", NAMED(check, lore_check_name)},
    {"labels", LABELS(labels)},
    {"part", OBJECT(part, part)},
    {"one", POINTER(one, part)},
    {"many", LIST(many, n_many, part)},
    {"strings", STRINGS(strings, n_strings)},
    {"seq", AT(seq)},
};
static const struct lore_object all = LORE_OBJECT("All", always);
static const struct lore_object some = LORE_OBJECT("Some", sometimes);
#undef ROW

static void
check_writes(const struct lore_object *o, const void *row, const char *expected)
{
    struct lore_buf out = {0};
    struct lore_jsonw w;
    struct lore_err err = {0};

    lore_jsonw_begin(&w, &out, false);
    lore_object_write(&w, o, row);
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_OK);
    assert_string_equal(out.data, expected);
    lore_buf_free(&out);
}

static const struct row *
full(void)
{
    static struct part parts[] = {{"a", 1}, {"b", 0}};
    static const char *const strings[] = {"x", "y"};
    static const struct row r = {.id = "ID",
        .text = "t",
        .words = "one,two",
        .raw = "{\"k\":1}",
        .i = 7,
        .at_us = 1000000,
        .seq = 9,
        .small = -1,
        .f = 0.5,
        .yes = true,
        .set = {true, 0},
        .count = {true, 0},
        .check = LORE_C_PASS,
        .labels = 1,
        .part = {"p", 3},
        .one = parts,
        .many = parts,
        .n_many = 2,
        .strings = strings,
        .n_strings = 2};

    return &r;
}

static void
every_value_is_written_in_the_order_of_the_table(void **state)
{
    (void)state;
    check_writes(&all, full(),
        "{\"id\":\"ID\",\"text\":\"t\",\"words\":[\"one\",\"two\"],\"raw\":{\"k\":1},\"i\":7,"
        "\"at\":\"1970-01-01T00:00:01.000000Z\",\"small\":-1,\"f\":0.5,\"yes\":true,\"set\":0,"
        "\"count\":0,\"check\":\"pass\",\"labels\":[\"memory\"],\"part\":{\"name\":\"p\",\"n\":3},"
        "\"one\":{\"name\":\"a\",\"n\":1},\"many\":[{\"name\":\"a\",\"n\":1},{\"name\":\"b\"}],"
        "\"strings\":[\"x\",\"y\"],\"twice\":14}");
}

static void
a_member_that_is_always_there_is_null_or_empty_without_a_value(void **state)
{
    struct row none = {0};

    (void)state;
    check_writes(&all, &none,
        "{\"id\":null,\"text\":null,\"words\":[],\"raw\":null,\"i\":0,\"at\":null,\"small\":0,"
        "\"f\":0,\"yes\":false,\"set\":null,\"count\":null,\"check\":null,\"labels\":[],"
        "\"part\":null,\"one\":null,\"many\":[],\"strings\":[],\"twice\":0}");
}

static void
any_other_member_is_left_out_without_a_value(void **state)
{
    struct row none = {0};

    (void)state;
    check_writes(&some, &none, "{}");
    none.set = (struct lore_f64){true, 0};
    check_writes(&some, &none, "{\"set\":0}");
}

static void
a_page_ends_with_the_seq_of_its_last_row(void **state)
{
    struct row rows[3] = {{.seq = 30}, {.seq = 20}, {.seq = 10}};
    struct lore_resp resp = {0};
    struct lore_err err = {0};
    struct lore_paging paging = {.limit = 2};

    (void)state;
    assert_int_equal(lore_reply_rows(&resp, &some, rows, 3, &paging, &err), LORE_OK);
    assert_string_equal(resp.body.data, "{\"rows\":[{\"seq\":30},{\"seq\":20}],\"next\":\"20\"}");
    lore_buf_reset(&resp.body);
    assert_int_equal(lore_reply_rows(&resp, &some, rows, 2, &paging, &err), LORE_OK);
    assert_string_equal(resp.body.data, "{\"rows\":[{\"seq\":30},{\"seq\":20}],\"next\":null}");
    lore_buf_free(&resp.body);
}

static void
types_follow_from_what_a_member_holds(void **state)
{
    static const char *const expected[] = {"ulid", "text?", "[text", "object", "integer", "time?",
        "integer", "number", "boolean", "number?", "integer?", "text?", "[text", "#Part?", "#Part?",
        "[#Part", "[text", "integer", "integer"};
    char text[96];

    (void)state;
    for (size_t i = 0; i < all.n; i++)
        assert_string_equal(lore_openapi_type_of(&all.members[i], text, sizeof text), expected[i]);
}

static bool
spread(const struct lore_object_member *m)
{
    return m->holds == LORE_AT_MEMBERS || m->holds == LORE_AT_SPREAD || m->holds == LORE_AT_FIELDS;
}

/* Rows of the right size, names that occur once, a type for everything. */
static void
check_table(const struct lore_object *o)
{
    char text[96];

    for (size_t i = 0; i < o->n; i++) {
        const struct lore_object_member *m = &o->members[i];

        if (m->of && m->item != 0 && m->item != m->of->size)
            fail_msg("%s.%s: the rows of %s are another struct", o->name, m->name, m->of->name);
        if (spread(m) != (m->name[m->name[0] == '!'] == '\0'))
            fail_msg("%s: a member without a name, or one with a name that is not used", o->name);
        if (!spread(m) && !lore_openapi_type_of(m, text, sizeof text))
            fail_msg("%s.%s: no type", o->name, m->name);
        for (size_t k = 0; k < i; k++)
            if (!spread(m) && strcmp(o->members[k].name, m->name) == 0)
                fail_msg("%s.%s: twice", o->name, m->name);
    }
}

static enum lore_status
read_row(const char *json, struct row *out, struct lore_arena *arena, struct lore_err *err)
{
#define ROW struct row
    static const struct lore_object_member inner[] = {{"!id", AT(id)}, {"i", BY_HAND, "integer"}};
    static const struct lore_object inner_object = LORE_OBJECT("", inner);
    static const struct lore_object_member body[] = {
        {"", MEMBERS_HERE(inner_object)}, {"text", AT(text)}};
    static const struct lore_object body_object = LORE_OBJECT("Body", body);
#undef ROW
    struct lore_json *tree = NULL;

    assert_int_equal(lore_json_parse(json, strlen(json), NULL, arena, &tree, err), LORE_OK);
    return lore_object_read(&body_object, tree, out, err);
}

static void
a_body_is_read_by_its_table_and_has_no_other_members(void **state)
{
    LORE_SCRATCH arena = {0};
    struct row row = {0};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(
        read_row("{\"text\":\"b\",\"i\":3,\"id\":\"a\"}", &row, &arena, &err), LORE_OK);
    assert_string_equal(row.id, "a");
    assert_string_equal(row.text, "b");
    assert_int_equal(row.i, 0);
    assert_int_equal(read_row("{\"id\":3}", &row, &arena, &err), LORE_INVALID);
    assert_string_equal(err.path, "id");
    assert_int_equal(read_row("{\"words\":\"a\"}", &row, &arena, &err), LORE_INVALID);
    assert_string_equal(err.code, "unknown_field");
    assert_string_equal(err.hint, "fields: id|i|text");
}

static void
no_table_contradicts_itself(void **state)
{
    struct lore_openapi_list list;

    (void)state;
    lore_openapi_list(&list);
    assert_in_range(list.n, 100, LORE_OPENAPI_OBJECTS - 1);
    for (size_t i = 0; i < list.n; i++) {
        check_table(list.v[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(list.v[k]->name, list.v[i]->name) == 0)
                fail_msg("%s: two objects of this name", list.v[i]->name);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_is_written_in_the_order_of_the_table),
        cmocka_unit_test(a_member_that_is_always_there_is_null_or_empty_without_a_value),
        cmocka_unit_test(any_other_member_is_left_out_without_a_value),
        cmocka_unit_test(a_page_ends_with_the_seq_of_its_last_row),
        cmocka_unit_test(types_follow_from_what_a_member_holds),
        cmocka_unit_test(a_body_is_read_by_its_table_and_has_no_other_members),
        cmocka_unit_test(no_table_contradicts_itself),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
