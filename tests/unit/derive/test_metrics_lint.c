// uses: derive m
/* Flags on recorded metrics, with numbers as published records have them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/metrics_lint.h"
#include "service/wire/wire.h"
#include "tests/unit/metrics_case.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* The codes of one metric's flags, joined by blanks. */
static const char *
lint(struct lore_metric m)
{
    struct lore_metrics all = {.v = &m, .n = 1};
    const struct lore_metric_flag *flags;
    static char text[200];
    size_t n;

    flags = lore_metrics_lint(&all, &arena, &n);
    *text = '\0';
    for (size_t i = 0; i < n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "",
            flags[i].code);
        assert_string_equal(flags[i].metric, m.name);
        assert_non_null(strstr(flags[i].sentence, m.name));
    }
    return text;
}

static void
a_percentage_outside_its_range_is_flagged(void **state)
{
    (void)state;
    assert_string_equal(
        lint((struct lore_metric){.name = ACHIEVED, .value = 100.42}), "occupancy_above_100");
    assert_string_equal(lint((struct lore_metric){.name = ACHIEVED, .value = 100}), "");
    assert_string_equal(
        lint((struct lore_metric){.name = SM, .value = 101}), "percent_out_of_range");
    assert_string_equal(
        lint((struct lore_metric){.name = SM, .value = -1}), "percent_out_of_range");
    assert_string_equal(
        lint((struct lore_metric){.name = ACHIEVED, .value = -1}), "percent_out_of_range");
    assert_string_equal(lint((struct lore_metric){.name = "my_share", .unit = "%", .value = 140}),
        "percent_out_of_range");
    assert_string_equal(lint((struct lore_metric){.name = "my_count", .value = 140}), "");
    assert_string_equal(
        lint((struct lore_metric){.name = "l1tex__throughput.max.pct_of_peak_sustained_active",
            .unit = "%",
            .value = 206}),
        "");
    assert_string_equal(
        lint((struct lore_metric){
            .name = "derived__pct_occupancy_per_block_size", .unit = "%", .value = 5706}),
        "");
}

static void
a_unit_that_a_label_got_wrong_is_flagged(void **state)
{
    (void)state;
    assert_string_equal(
        lint((struct lore_metric){.name = "Warp Execution Efficiency", .unit = "%", .value = 32}),
        "threads_as_percent");
    assert_string_equal(
        lint((struct lore_metric){.name = STALL("long_scoreboard"), .unit = "%", .value = 46.33}),
        "ratio_as_percent");
    assert_string_equal(
        lint((struct lore_metric){.name = "Stall: Long Scoreboard (%)", .value = 46.33}),
        "ratio_as_percent");
    assert_string_equal(lint((struct lore_metric){.name = "Warp Stall - Long SB (%)", .value = 46}),
        "stall_unit_unclear");
    assert_string_equal(
        lint((struct lore_metric){
            .name = "smsp__warp_issue_stalled_wait_per_warp_active.pct", .unit = "%", .value = 46}),
        "");
    assert_string_equal(lint((struct lore_metric){
                            .name = STALL("long_scoreboard"), .unit = "warp/issue", .value = 46}),
        "");
    assert_string_equal(
        lint((struct lore_metric){.name = STALL("long_scoreboard"), .value = 146}), "");
}

static void
statistics_of_one_sample_are_flagged(void **state)
{
    struct lore_metric m = {.name = SM, .value = 79.2728, .std = {true, NAN}, .n = {true, 1}};
    (void)state;

    assert_string_equal(lint(m), "std_not_a_number");
    m.std = (struct lore_f64){true, 0.5};
    assert_string_equal(lint(m), "std_of_one");
    m.std.set = false;
    assert_string_equal(lint(m), "single_sample");
    m.n.v = 2;
    assert_string_equal(lint(m), "");
    m.precision_lost = true;
    assert_string_equal(lint(m), "precision_lost");
    m.precision_lost = false;
    m.min = (struct lore_f64){true, 80};
    assert_string_equal(lint(m), "range_excludes_value");
}

static void
what_has_no_value_has_nothing_wrong_with_it(void **state)
{
    (void)state;
    assert_string_equal(lint((struct lore_metric){
                            .name = SM, .value = 400, .missing = LORE_MISS_PERMISSION_DENIED}),
        "");
    assert_string_equal(lint((struct lore_metric){.name = SM, .value = INFINITY}), "not_finite");
}

static void
a_metric_recorded_twice_with_two_values_is_flagged(void **state)
{
    struct lore_metrics m = METRICS({SM, 50.0}, {DRAM, 20.0}, {SM, 51.0}, {DRAM, 20.0});
    const struct lore_metric_flag *f;
    size_t n;
    (void)state;

    f = lore_metrics_lint(&m, &arena, &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].code, "duplicate_metric");
    assert_string_equal(f[0].metric, SM);
}

/* The flags on three metrics of a run with these keys in its method; NULL: without the key.
 * LAUNCHES were counted. */
static const struct lore_metric_flag *
counting_of(int64_t launches, const char *statistic, const char *passes, const char *cache,
    const char *ratio, size_t *n)
{
    struct lore_run run = {
        .metrics = METRICS({"dram__bytes_write.sum", 23.2e6}, {DRAM, 88.9}, {ACHIEVED, 40})};

    run.metrics.v[0].n = (struct lore_i64){launches > 0, launches};
    if (statistic)
        lore_kvs_set(&arena, &run.method, "counter_statistic", statistic);
    if (passes)
        lore_kvs_set(&arena, &run.method, "counter_passes", passes);
    if (cache)
        lore_kvs_set(&arena, &run.method, "cache", cache);
    if (ratio)
        lore_kvs_set(&arena, &run.method, "counted_over_timed", ratio);
    return lore_metrics_lint_counting(&run, &arena, n);
}

static const struct lore_metric_flag *
counting(const char *passes, const char *cache, const char *ratio, size_t *n)
{
    return counting_of(3, "\"median\"", passes, cache, ratio, n);
}

static void
writes_of_a_first_counted_launch_are_flagged(void **state)
{
    static const struct {
        int64_t launches; /* 0: not said */
        const char *statistic, *words;
    } cases[] = {{0, NULL, "is of 1 launch:"}, {1, "\"median\"", "is of 1 launch:"},
        {2, "\"median\"", "is the mean of 2 launches:"}, {5, NULL, "is the mean of 5 launches:"},
        {3, "\"median\"", NULL}};
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct lore_metric_flag *f =
            counting_of(cases[i].launches, cases[i].statistic, "10", "\"all\"", NULL, &n);

        assert_int_equal(n, cases[i].words != NULL);
        if (n == 0)
            continue;
        assert_string_equal(f[0].code, "first_launch_counted");
        assert_string_equal(f[0].metric, "dram__bytes_write.sum");
        assert_non_null(strstr(f[0].sentence, cases[i].words));
    }
}

static void
what_counting_changed_is_flagged(void **state)
{
    const struct lore_metric_flag *f;
    size_t n;
    (void)state;

    f = counting(
        "10", NULL, "1.07", &n); /* collectors before the L2 was cleaned store no `cache` */
    assert_int_equal(n, 2);
    assert_string_equal(f[0].code, "l2_not_clean");
    assert_string_equal(f[0].metric, "dram__bytes_write.sum");
    assert_string_equal(f[1].code, "counted_at_other_speed");
    assert_string_equal(f[1].metric, DRAM);
    assert_non_null(strstr(f[1].sentence, "1.07 times"));
    f = counting("10", "\"none\"", "0.99", &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].code, "l2_not_clean");
    (void)counting("10", "\"all\"", "1.019", &n);
    assert_int_equal(n, 0);
    f = counting("10", "\"all\"", "0.9", &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].code, "counted_at_other_speed");
    (void)counting(NULL, NULL, "1.07", &n); /* not counted by us */
    assert_int_equal(n, 0);
}

static struct lore_profile_match
match(struct metric_pair *a, struct metric_pair *b, bool lost)
{
    struct lore_metric rows[8];
    struct lore_metrics first = metrics_of(a), second;
    struct lore_profile_match out;

    memcpy(rows, first.v, sizeof rows);
    first.v = rows;
    second = metrics_of(b);
    for (size_t i = 0; i < second.n; i++)
        second.v[i].precision_lost = lost;
    lore_metrics_equal_profile(&first, &second, &arena, &out);
    return out;
}

/* A published benchmark: the reference's column holds the solution's kernel, profiled again. */
static void
a_reference_with_the_solutions_counters_is_suspected(void **state)
{
    struct metric_pair solution[] = {{SM, 72.5530}, {DRAM, 73.9836}, {ACHIEVED, 32.7011}, {0}};
    struct metric_pair reference[] = {{SM, 72.4947}, {DRAM, 74.2628}, {ACHIEVED, 32.6999}, {0}};
    struct lore_profile_match m = match(solution, reference, false);
    (void)state;

    assert_int_equal(m.shared, 3);
    assert_int_equal(m.near, 3);
    assert_int_equal(m.equal, 0);
    assert_int_equal(m.likeness, LORE_PROFILE_NEAR);
    assert_false(m.suspect);
    assert_non_null(m.sentence);
    reference[2].value = 40;
    assert_int_equal(match(solution, reference, false).likeness, LORE_PROFILE_DIFFERS);
}

static void
a_copied_profile_is_the_same_to_printed_precision(void **state)
{
    struct metric_pair a[] = {{SM, 72.5530}, {DRAM, 73.9836}, {ACHIEVED, 32.7011}, {0}};
    struct metric_pair b[] = {{SM, 72.6}, {DRAM, 74.0}, {ACHIEVED, 32.7}, {0}};
    (void)state;

    assert_int_equal(match(a, a, false).likeness, LORE_PROFILE_SAME);
    assert_true(match(a, a, false).suspect);
    assert_int_equal(match(a, b, true).likeness, LORE_PROFILE_SAME); /* three digits */
    assert_int_equal(match(a, b, false).likeness, LORE_PROFILE_NEAR);
}

static void
geometry_times_and_idle_counters_prove_nothing(void **state)
{
    struct metric_pair a[] = {{GRID, 4096}, {"launch__block_size", 256}, {THEORY, 100},
        {STALL("barrier"), 0}, {STALL("wait"), 0}, {SM, 50}, {0}};
    struct lore_profile_match m = match(a, a, false);
    (void)state;

    assert_int_equal(m.shared, 1);
    assert_int_equal(m.likeness, LORE_PROFILE_DIFFERS);
    assert_null(m.sentence);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_percentage_outside_its_range_is_flagged, clean),
        cmocka_unit_test_teardown(a_unit_that_a_label_got_wrong_is_flagged, clean),
        cmocka_unit_test_teardown(statistics_of_one_sample_are_flagged, clean),
        cmocka_unit_test_teardown(what_has_no_value_has_nothing_wrong_with_it, clean),
        cmocka_unit_test_teardown(a_metric_recorded_twice_with_two_values_is_flagged, clean),
        cmocka_unit_test_teardown(what_counting_changed_is_flagged, clean),
        cmocka_unit_test_teardown(writes_of_a_first_counted_launch_are_flagged, clean),
        cmocka_unit_test_teardown(a_reference_with_the_solutions_counters_is_suspected, clean),
        cmocka_unit_test_teardown(a_copied_profile_is_the_same_to_printed_precision, clean),
        cmocka_unit_test_teardown(geometry_times_and_idle_counters_prove_nothing, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
