// uses: run
/* Which launches are the measurement: iterations from launch counts, what is left out, what a
 * reservoir allows, and that every decision is said. */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/group_measure.h"
#include "tests/unit/collect_case.h"

static struct lore_measure
measure(const struct lore_trace *t, const struct lore_run_options *w)
{
    struct lore_measure m;
    struct lore_err err = {0};

    if (lore_measure_all(t, w, &arena, &m, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return m;
}

static bool
says(const struct lore_measure *m, const char *part)
{
    for (size_t i = 0; i < m->notes.n; i++)
        if (strstr(m->notes.v[i], part))
            return true;
    return false;
}

static void
one_kernel_is_one_launch_per_iteration_and_the_first_stands_apart(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 20, 10000, 10);
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.iterations, 20);
    assert_int_equal(m.per_iteration, 1);
    assert_int_equal(m.n, 19);
    assert_int_equal(m.first_ns, 20000);
    assert_int_equal(m.samples[0], 10010);
    assert_int_equal(m.notes.n, 0);
    w.warmup = 5;
    m = measure(&t, &w);
    assert_int_equal(m.n, 15);
    assert_int_equal(m.left_out, 5);
    assert_int_equal(m.samples[0], 10050);
}

static void
kernels_in_proportion_are_added_up_in_order(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 20, 10000, 0);
    case_group(&t, "b", 10, 1000, 1);
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.iterations, 10);
    assert_int_equal(m.per_iteration, 3);
    assert_int_equal(m.first_ns, 20000 + 10000 + 2000);
    assert_int_equal(m.n, 9);
    assert_int_equal(m.samples[0], 2 * 10000 + 1001);
    assert_int_equal(m.samples[8], 2 * 10000 + 1002);
    assert_true(says(&m, "sum of 3 launches of 2 kernels"));
}

static void
a_set_up_kernel_does_not_make_the_whole_run_one_iteration(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 50, 10000, 0);
    case_group(&t, "init", 1, 1000, 0);
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.n_groups, 1);
    assert_int_equal(m.n, 49);
    assert_int_equal(m.other_groups, 1);
    assert_true(says(&m, "no common divisor"));
    w.iterations = 25;
    m = measure(&t, &w);
    assert_int_equal(m.n_groups, 1);
    assert_int_equal(m.n, 24);
    assert_int_equal(m.per_iteration, 2);
    assert_true(says(&m, "left out"));
    w.iterations = 7; /* fits nothing */
    m = measure(&t, &w);
    assert_true(says(&m, "--iterations was not used"));
    assert_int_equal(m.n, 49);
}

static void
an_expression_picks_kernels_by_name_and_by_symbol(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {.kernel_regex = "^b\\("};
    struct lore_measure m;
    struct lore_err err = {0};

    (void)state;
    case_group(&t, "a", 20, 10000, 0);
    case_group(&t, "b", 10, 1000, 0);
    m = measure(&t, &w);
    assert_int_equal(m.n_groups, 1);
    assert_string_equal(m.groups[0]->name, "b(float *)");
    w.kernel_regex = "^_Z1a";
    assert_string_equal(measure(&t, &w).groups[0]->name, "a(float *)");
    w.kernel_regex = "nothing";
    m = measure(&t, &w);
    assert_int_equal(m.n_groups, 0);
    assert_int_equal(m.other_launches, 30);
    w.kernel_regex = "(";
    assert_int_equal(lore_measure_all(&t, &w, &arena, &m, &err), LORE_INVALID);
    assert_string_equal(err.path, "--kernel-regex");
}

static void
the_symbols_of_matched_kernels_are_an_expression_for_each_alone(void **state)
{
    struct lore_trace t = {0};
    regex_t re;

    (void)state;
    case_group(&t, "void reduce<Op<float> >(float*)", 20, 100, 1);
    t.groups[0].symbol = "_Z6reduceI2OpIfEEvPf.$1";
    case_group(&t, "void reduce<Op<int> >(int*)", 20, 100, 1);
    t.groups[1].symbol = "_Z6reduceI2OpIiEEvPi";
    assert_null(lore_measure_symbols(&t, NULL, &arena));
    assert_string_equal(lore_measure_symbols(&t, "nothing", &arena), "nothing");
    assert_string_equal(lore_measure_symbols(&t, "(", &arena), "(");
    const char *one = lore_measure_symbols(&t, "Op<float", &arena);
    assert_int_equal(regcomp(&re, one, REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regexec(&re, t.groups[0].symbol, 0, NULL, 0), 0);
    assert_int_not_equal(regexec(&re, "_Z6reduceI2OpIfEEvPfx$1", 0, NULL, 0), 0);
    assert_int_not_equal(regexec(&re, t.groups[1].symbol, 0, NULL, 0), 0);
    regfree(&re);
    const char *both = lore_measure_symbols(&t, "reduce", &arena);
    assert_int_equal(regcomp(&re, both, REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regexec(&re, t.groups[0].symbol, 0, NULL, 0), 0);
    assert_int_equal(regexec(&re, t.groups[1].symbol, 0, NULL, 0), 0);
    regfree(&re);
}

static void
a_reservoir_is_not_added_up(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {.warmup = 4};

    (void)state;
    struct lore_trace_group *g = case_group(&t, "a", 40, 10000, 0);
    case_group(&t, "b", 20, 1000, 0);
    for (size_t i = 0; i < 20; i++)
        g->samples[i] = g->samples[2 * i + 1];
    g->n_samples = 20;
    g->sampled = true;
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.n_groups, 1);
    assert_true(m.reservoir);
    assert_true(says(&m, "cannot be added up"));
    assert_int_equal(m.n, 18); /* of the kept ones, those from launch 4 on */
    assert_int_equal(m.first_ns, 20000);
}

static void
a_single_iteration_is_kept_as_a_sample(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 1, 10000, 0);
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.n, 1);
    assert_int_equal(m.samples[0], 20000);
    assert_true(m.has_first && says(&m, "only one iteration"));
    struct lore_trace u = {0};
    case_group(&u, "a", 3, 10000, 1);
    w.warmup = 10;
    m = measure(&u, &w);
    assert_int_equal(m.n, 1);
    assert_int_equal(m.samples[0], 10002);
    assert_true(says(&m, "--warmup leaves no iteration"));
}

static void
more_samples_than_a_run_may_carry_are_thinned_and_that_is_said(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 25001, 10000, 1);
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.n, LORE_MEASURE_SAMPLES);
    assert_true(m.reservoir);
    assert_true(says(&m, "10000 of 25000 samples"));
}

static void
devices_that_work_side_by_side_are_not_added_up(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 10, 10000, 0);
    case_group(&t, "a", 10, 30000, 0)->shape.device = 1;
    case_group(&t, "a", 10, 10000, 0)->pid = 101;
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.n_groups, 1);
    assert_int_equal(m.groups[0]->shape.device, 1);
    assert_true(says(&m, "ran elsewhere"));
}

static void
times_that_no_kernel_takes_are_left_out_and_said(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    struct lore_trace_group *a = case_group(&t, "a", 20, 10000, 0);
    struct lore_trace_group *b = case_group(&t, "b", 20, 1000, 0);
    a->samples[3].dur_ns = b->samples[3].dur_ns = INT64_MAX; /* a damaged capture */
    struct lore_measure m = measure(&t, &w);
    assert_int_equal(m.n, 18);
    assert_true(says(&m, "1 samples are left out"));
}

static void
launches_without_any_time_are_no_measurement(void **state)
{
    struct lore_trace t = {0};
    struct lore_run_options w = {0};

    (void)state;
    case_group(&t, "a", 0, 0, 0);
    assert_int_equal(measure(&t, &w).n_groups, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kernel_is_one_launch_per_iteration_and_the_first_stands_apart),
        cmocka_unit_test(kernels_in_proportion_are_added_up_in_order),
        cmocka_unit_test(a_set_up_kernel_does_not_make_the_whole_run_one_iteration),
        cmocka_unit_test(an_expression_picks_kernels_by_name_and_by_symbol),
        cmocka_unit_test(the_symbols_of_matched_kernels_are_an_expression_for_each_alone),
        cmocka_unit_test(a_reservoir_is_not_added_up),
        cmocka_unit_test(a_single_iteration_is_kept_as_a_sample),
        cmocka_unit_test(more_samples_than_a_run_may_carry_are_thinned_and_that_is_said),
        cmocka_unit_test(devices_that_work_side_by_side_are_not_added_up),
        cmocka_unit_test(times_that_no_kernel_takes_are_left_out_and_said),
        cmocka_unit_test(launches_without_any_time_are_no_measurement),
    };

    return cmocka_run_group_tests(tests, NULL, case_free);
}
