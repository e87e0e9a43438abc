// uses: import
/* Both formats of hypothesis.txt, from files in the real shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/hypothesis_txt.h"
#include "service/base/file.h"

struct fixture {
    struct lore_arena arena;
    struct lore_hypothesis_txt t;
};

static void
parse_file(struct fixture *f, const char *path)
{
    struct lore_buf text = {.max = LORE_HYPOTHESIS_MAX};
    struct lore_err err = {0};

    assert_int_equal(lore_file_read(path, &text, NULL), LORE_OK);
    if (lore_hypothesis_txt_parse(text.data, text.len, &f->arena, &f->t, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(f->t.h.raw_text, text.data);
    lore_buf_free(&text);
}

static int
lines(void **state)
{
    *state = test_calloc(1, sizeof(struct fixture));
    parse_file(*state, SOURCE_DIR "/tests/fixtures/import/hypothesis_lines.txt");
    return 0;
}

static int
sections(void **state)
{
    *state = test_calloc(1, sizeof(struct fixture));
    parse_file(*state, SOURCE_DIR "/tests/fixtures/import/hypothesis_sections.txt");
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    lore_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static void
continued_lines_are_joined(void **state)
{
    const struct fixture *f = *state;

    assert_false(f->t.sectioned);
    assert_string_equal(f->t.h.claim,
        "Give each row one block and reduce with warp shuffles, so that "
        "neighbouring threads read neighbouring words");
    assert_string_equal(f->t.h.rationale, "v2 counters show load efficiency 12.5 % (stride 4096)");
    assert_null(f->t.source);
}

static void
an_arrow_is_the_direction_and_parentheses_hold_together(void **state)
{
    const struct lore_hypothesis *h = &((struct fixture *)*state)->t.h;

    assert_int_equal(h->n_expected, 3);
    assert_string_equal(h->expected[0].metric, "Global Load Efficiency");
    assert_string_equal(h->expected[0].direction, "up");
    assert_string_equal(h->expected[1].metric, "latency");
    assert_string_equal(h->expected[1].direction, "down");
    assert_string_equal(h->expected[1].raw, "latency ↓ 50-70 % (small rows: less)");
    assert_null(h->expected[2].direction);
}

static void
a_risk_on_the_line_of_the_expectations_is_a_risk(void **state)
{
    assert_string_equal(((struct fixture *)*state)->t.h.risk, "more registers");
}

static void
sections_name_versions_change_and_rules(void **state)
{
    const struct fixture *f = *state;

    assert_true(f->t.sectioned);
    assert_string_equal(f->t.source, "v2");
    assert_string_equal(f->t.target, "v3");
    assert_string_equal(f->t.h.claim, "Share one KV tile between two query heads");
    assert_string_equal(f->t.h.not_changed, "num_warps=8, the softmax");
    assert_string_equal(f->t.h.accept_if, "execution time < 0.050 ms AND correctness passes");
    assert_string_equal(f->t.h.reject_if, "correctness fails OR execution time >= 0.052 ms");
    assert_string_equal(
        f->t.h.risk, "Correctness risk: none known Performance risk: register pressure");
}

static void
improvements_are_expected_and_regressions_watched(void **state)
{
    const struct lore_hypothesis *h = &((struct fixture *)*state)->t.h;

    assert_int_equal(h->n_expected, 2);
    assert_string_equal(h->expected[0].metric, "Execution time");
    assert_null(h->expected[0].direction);
    assert_int_equal(h->watch.n, 2);
    assert_string_equal(h->watch.v[1], "occupancy");
}

static void
what_no_field_takes_is_kept_in_extra(void **state)
{
    const struct fixture *f = *state;

    assert_non_null(strstr(f->t.h.extra, "\"key\":\"Runtime\",\"text\":\"0.0530 ms\""));
    assert_non_null(strstr(f->t.h.extra, "the decode kernel only"));
}

static void
a_text_without_a_change_is_refused(void **state)
{
    struct lore_arena arena = {0};
    struct lore_hypothesis_txt t;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(
        lore_hypothesis_txt_parse("Rationale: because\n", 19, &arena, &t, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "names no change"));
    assert_int_equal(
        lore_hypothesis_txt_parse("Hypothesis: \xff\n", 14, &arena, &t, &err), LORE_INVALID);
    assert_string_equal(err.code, "invalid_utf8");
    assert_int_equal(lore_hypothesis_txt_parse("", 0, &arena, &t, &err), LORE_INVALID);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(continued_lines_are_joined, lines, teardown),
        cmocka_unit_test_setup_teardown(
            an_arrow_is_the_direction_and_parentheses_hold_together, lines, teardown),
        cmocka_unit_test_setup_teardown(
            a_risk_on_the_line_of_the_expectations_is_a_risk, lines, teardown),
        cmocka_unit_test_setup_teardown(
            sections_name_versions_change_and_rules, sections, teardown),
        cmocka_unit_test_setup_teardown(
            improvements_are_expected_and_regressions_watched, sections, teardown),
        cmocka_unit_test_setup_teardown(what_no_field_takes_is_kept_in_extra, sections, teardown),
        cmocka_unit_test(a_text_without_a_change_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
