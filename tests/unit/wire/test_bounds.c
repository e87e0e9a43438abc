// uses: wire
/* Values that no measurement can have, in documents as they arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/clock.h"
#include "service/wire/fields.h"

static enum lore_status
possible(
    const struct lore_record *as, const char *text, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_json *root = NULL;
    int64_t now = 0;

    assert_int_equal(lore_time_parse("2026-11-28T12:00:00Z", &now, NULL), LORE_OK);
    assert_int_equal(lore_json_parse(text, strlen(text), NULL, arena, &root, err), LORE_OK);
    return lore_wire_possible(as, root, now, err);
}

static void
the_field_of_an_impossible_value_is_named(void **state)
{
    static const struct {
        const char *text, *path, *code;
    } cases[] = {
        {"{\"runs\":[{\"measured_at\":\"2999-01-01\"}]}", "runs[0].measured_at", "in_the_future"},
        {"{\"runs\":[{\"measured_at\":\"2026-11-29T12:00:01Z\"}]}", "runs[0].measured_at",
            "in_the_future"},
        {"{\"created_at\":\"1969-12-31T23:59:59Z\"}", "created_at", "out_of_range"},
        {"{\"runs\":[{},{\"workload\":{\"dims\":{\"N\":1,\"M\":-4096}}}]}",
            "runs[1].workload.dims.M", "out_of_range"},
        {"{\"runs\":[{\"workload\":{\"dims\":{\"M\":1e300}}}]}", "runs[0].workload.dims.M",
            "out_of_range"},
        {"{\"runs\":[{\"launch\":{\"registers_per_thread\":-1}}]}",
            "runs[0].launch.registers_per_thread", "out_of_range"},
        {"{\"runs\":[{\"metrics\":{\"a b\":{\"value\":1,\"std\":-0.5}}}]}",
            "runs[0].metrics[\"a b\"].std", "out_of_range"},
        {"{\"profiles\":[{\"measured_at\":\"2030-01-01\"}]}", "profiles[0].measured_at",
            "in_the_future"},
        {"{\"curations\":[{\"at\":\"2030-01-01\"}]}", "curations[0].at", "in_the_future"},
    };
    struct lore_arena arena = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_err err = {0};

        assert_int_equal(
            possible(&lore_document_record, cases[i].text, &arena, &err), LORE_INVALID);
        assert_string_equal(err.code, cases[i].code);
        assert_string_equal(err.path, cases[i].path);
        assert_non_null(strstr(err.msg, cases[i].path));
    }
    lore_arena_free(&arena);
}

static void
possible_values_pass(void **state)
{
    static const char *const good[] = {
        "{\"runs\":[{\"measured_at\":\"2026-11-29T11:59:59Z\",\"metrics\":{\"x\":-3}}]}",
        "{\"runs\":[{\"workload\":{\"dims\":{\"M\":0,\"axis\":-1,\"mask\":\"causal\"}}}]}",
        "{\"runs\":[{\"launch\":{\"priority\":-5,\"grid\":\"8x1x1\",\"grid_x\":0}}]}",
        "{\"created_at\":\"1970-01-01\",\"runs\":\"no list\",\"extra\":{\"dims\":{\"M\":-1}}}",
        "{\"specs\":[{\"value\":-40}]}",
        "[]",
    };
    struct lore_arena arena = {0};
    struct lore_err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(possible(&lore_document_record, good[i], &arena, &err), LORE_OK);
    assert_int_equal(
        possible(&lore_attempt_record, "{\"dims\":{\"M\":-1}}", &arena, &err), LORE_INVALID);
    assert_string_equal(err.path, "dims.M");
    assert_int_equal(possible(&lore_attempt_record, "{\"dims\":\"M=1\"}", &arena, &err), LORE_OK);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_field_of_an_impossible_value_is_named),
        cmocka_unit_test(possible_values_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
