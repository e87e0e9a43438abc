// uses: client
/* Bottlenecks on the command line: what metrics show is marked, what somebody said is not. */
#include "tests/unit/cli_fake.h"

#define X(n) "01J000000000000000000000X" n
#define DERIVED                                                                                    \
    "\"labels\":[\"memory\",\"occupancy\"],\"labels_from\":{\"source\":\"derived\",\"rule_set\":"  \
    "\"speed-of-light@2\",\"basis\":\"earlier_run\",\"run\":\"01J000000000000000000000R1\"}"
#define SAID "\"labels\":[\"sync\"],\"labels_from\":{\"source\":\"said\"}"

static const struct fake_row rows[] = {
    {"/api/v1/experiments/" X("1"), 200, "{\"id\":\"" X("1") "\",\"title\":\"t\"," DERIVED "}"},
    {"/api/v1/experiments/" X("2"), 200, "{\"id\":\"" X("2") "\",\"title\":\"t\"," SAID "}"},
    {"/api/v1/experiments?operator=softmax", 200,
        "{\"rows\":[{\"id\":\"" X("1") "\"," DERIVED "},{\"id\":\"" X("2") "\"," SAID
                                                                           "}],\"next\":null}"},
    {"/api/v1/experiments?operator=gemm", 200,
        "{\"rows\":[{\"id\":\"" X("2") "\"," SAID "}],\"next\":null}"},
    {"/api/v1/leaderboard", 200,
        "{\"rows\":[{\"operator\":\"softmax\",\"labels\":[\"memory\",\"sync\"],"
        "\"derived_labels\":[\"memory\"]}],\"next\":null}"},
    {NULL, 0, NULL},
};

static void
an_experiment_says_which_rules_found_it_and_in_which_run(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "show|" X("1")), 0);
    assert_says(fake_out(f), "bottleneck      memory+occupancy (derived: speed-of-light@2 on an");
    assert_says(fake_out(f), "01J000000000000000000000R1)");
    assert_int_equal(fake_run(f, "show|" X("2")), 0);
    assert_says(fake_out(f), "bottleneck      sync\n");
}

static void
lists_mark_it_and_say_what_the_mark_means(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|--operator|gemm"), 0);
    assert_null(strstr(fake_out(f), "nobody said it"));
    assert_int_equal(fake_run(f, "list|--operator|softmax"), 0);
    assert_says(fake_out(f), "memory*+occupancy*");
    assert_says(fake_out(f), " sync ");
    assert_says(fake_out(f), "* bottleneck inferred from metrics\n");
}

static void
a_row_of_the_board_marks_only_what_nobody_said(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "leaderboard"), 0);
    assert_says(fake_out(f), "memory*+sync ");
    assert_says(fake_out(f), "* bottleneck inferred from metrics\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_experiment_says_which_rules_found_it_and_in_which_run),
        TEST(lists_mark_it_and_say_what_the_mark_means),
        TEST(a_row_of_the_board_marks_only_what_nobody_said),
    };

    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
