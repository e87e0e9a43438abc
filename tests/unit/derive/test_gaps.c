// uses: derive m
/* Roofline gaps, honest and compatible, and the drift of the bound over versions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/drift.h"
#include "tests/unit/metrics_case.h"
#include "tests/unit/near.h"

#define STALL_PCT(s) "smsp__warp_issue_stalled_" s "_per_warp_active.pct"

static struct lore_arena arena;
static struct lore_gaps g;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
gaps(struct lore_metrics m, bool degraded, enum lore_gaps_mode mode)
{
    lore_roofline_gaps(&m, degraded, mode, &arena, &g);
}

static void
full_metrics_give_the_same_gaps_in_both_modes(void **state)
{
    struct lore_metrics m = METRICS({SM, 23.5}, {DRAM, 88.25}, {STALL_PCT("long_scoreboard"), 61.0},
        {STALL_PCT("barrier"), 12.0});
    (void)state;

    for (int mode = LORE_GAPS_STRICT; mode <= LORE_GAPS_COMPAT; mode++) {
        gaps(m, false, (enum lore_gaps_mode)mode);
        assert_near(g.compute.v, 0.765, 1e-12);
        assert_near(g.memory.v, 0.1175, 1e-12);
        assert_near(g.latency.v, 0.61, 1e-12);
        assert_int_equal(g.bound, LORE_BOUND_COMPUTE);
        assert_int_equal(g.n_unknown, 0);
    }
}

static void
an_absent_metric_reads_as_zero_only_in_compatibility_mode(void **state)
{
    struct lore_metrics m = METRICS({SM, 80.0});
    (void)state;

    gaps(m, false, LORE_GAPS_COMPAT);
    assert_near(g.compute.v, 0.2, 1e-12);
    assert_near(g.memory.v, 1.0, 0);
    assert_near(g.latency.v, 0.5, 0);
    assert_int_equal(g.bound, LORE_BOUND_MEMORY);

    gaps(m, false, LORE_GAPS_STRICT);
    assert_true(g.compute.set);
    assert_false(g.memory.set);
    assert_false(g.latency.set);
    assert_int_equal(g.bound, LORE_BOUND_UNKNOWN);
    assert_int_equal(g.n_unknown, 2);
    assert_string_equal(g.unknown_inputs[0], "dram_throughput_pct");
}

static void
a_degraded_profile_is_half_everywhere_or_unknown(void **state)
{
    struct lore_metrics m = METRICS({SM, 80.0}, {DRAM, 80.0});
    (void)state;

    gaps(m, true, LORE_GAPS_COMPAT);
    assert_near(g.compute.v, 0.5, 0);
    assert_near(g.memory.v, 0.5, 0);
    assert_near(g.latency.v, 0.5, 0);
    assert_int_equal(g.bound, LORE_BOUND_COMPUTE);
    gaps(m, true, LORE_GAPS_STRICT);
    assert_false(g.compute.set);
    assert_int_equal(g.bound, LORE_BOUND_UNKNOWN);
    assert_int_equal(g.n_unknown, 1);
}

static void
compatibility_takes_parts_of_names_and_rounds(void **state)
{
    struct lore_metrics m = METRICS({"sm__pipe_tensor_op_hmma_cycles_active.avg.pct", 33.33333},
        {MEM, 55.55555}, {"smsp__pcsamp_stalled_barrier.pct", 99.0}, {STALL_PCT("wait"), 12.34567});
    (void)state;

    gaps(m, false, LORE_GAPS_COMPAT);
    assert_near(g.compute.v, 0.6667, 1e-12);
    assert_near(g.memory.v, 0.4444, 1e-12);
    assert_near(g.latency.v, 0.1235, 1e-12);
}

static void
a_stall_ratio_is_no_percentage(void **state)
{
    struct lore_metrics m = METRICS({SM, 50.0}, {DRAM, 50.0}, {STALL("barrier"), 46.33});
    (void)state;

    gaps(m, false, LORE_GAPS_STRICT);
    assert_false(g.latency.set);
}

static void
one_idle_pipe_does_not_stand_for_the_others(void **state)
{
    struct lore_metrics m = METRICS({"VALUBusy", 5.0});
    (void)state;

    gaps(m, false, LORE_GAPS_STRICT);
    assert_false(g.compute.set);
    m = METRICS({"VALUBusy", 5.0}, {"MfmaUtil", 71.0});
    gaps(m, false, LORE_GAPS_STRICT);
    assert_near(g.compute.v, 0.29, 1e-12);
}

static void
near_peak_needs_every_gap_below_fifteen_percent(void **state)
{
    struct lore_gaps x = {.compute = {true, .14}, .memory = {true, .149}, .latency = {true, 0}};
    (void)state;

    assert_int_equal(lore_gaps_bound(&x), LORE_BOUND_NEAR_PEAK);
    x.memory.v = .15;
    assert_int_equal(lore_gaps_bound(&x), LORE_BOUND_MEMORY);
    x.compute.v = .15;
    assert_int_equal(lore_gaps_bound(&x), LORE_BOUND_COMPUTE); /* ties: compute first */
    x.latency.v = x.memory.v = .3;
    assert_int_equal(lore_gaps_bound(&x), LORE_BOUND_MEMORY); /* then memory */
    x.memory.set = false;
    assert_int_equal(lore_gaps_bound(&x), LORE_BOUND_UNKNOWN);
}

static struct lore_gaps
known(double c, double m, double l)
{
    return (struct lore_gaps){.compute = {true, c}, .memory = {true, m}, .latency = {true, l}};
}

static void
drift_says_where_the_bound_moves(void **state)
{
    const struct lore_drift_in in[] = {{"v0", known(.5, .9, .3)}, {"v1", known(.5, .8, .3)},
        {"v2", known(.5, .4, .6)}, {"v3", known(.1, .1, .1)}};
    struct lore_drift d;
    (void)state;

    lore_drift_bottleneck(in, 4, &arena, &d);
    assert_string_equal(d.summary, "memory (v0..v1) -> latency (v2) -> near_peak (v3)");
    assert_int_equal(d.n_migrations, 2);
    assert_false(d.steps[0].migrated);
    assert_false(d.steps[0].d_memory.set);
    assert_near(d.steps[1].d_memory.v, -0.1, 1e-12);
    assert_true(d.steps[2].migrated);
    assert_int_equal(d.steps[2].from, LORE_BOUND_MEMORY);
    assert_string_equal(d.steps[2].from_version, "v1");
    assert_false(d.steps[2].across_unknown);
}

static void
a_version_without_gaps_is_skipped_and_the_move_across_it_is_marked(void **state)
{
    const struct lore_drift_in in[] = {
        {"v0", known(.5, .9, .3)}, {"v1", {.compute = {true, .4}}}, {"v2", known(.9, .4, .6)}};
    struct lore_drift d;
    (void)state;

    lore_drift_bottleneck(in, 3, &arena, &d);
    assert_int_equal(d.n_unknown, 1);
    assert_int_equal(d.steps[1].bound, LORE_BOUND_UNKNOWN);
    assert_near(d.steps[1].d_compute.v, -0.1, 1e-12);
    assert_false(d.steps[1].d_memory.set);
    assert_false(d.steps[1].migrated);
    assert_true(d.steps[2].migrated);
    assert_true(d.steps[2].across_unknown);
    assert_string_equal(d.summary, "memory (v0) -> compute (v2)");

    lore_drift_bottleneck(in + 1, 1, &arena, &d);
    assert_string_equal(d.summary, "");
    lore_drift_bottleneck(NULL, 0, &arena, &d);
    assert_int_equal(d.n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(full_metrics_give_the_same_gaps_in_both_modes, clean),
        cmocka_unit_test_teardown(an_absent_metric_reads_as_zero_only_in_compatibility_mode, clean),
        cmocka_unit_test_teardown(a_degraded_profile_is_half_everywhere_or_unknown, clean),
        cmocka_unit_test_teardown(compatibility_takes_parts_of_names_and_rounds, clean),
        cmocka_unit_test_teardown(a_stall_ratio_is_no_percentage, clean),
        cmocka_unit_test_teardown(one_idle_pipe_does_not_stand_for_the_others, clean),
        cmocka_unit_test_teardown(near_peak_needs_every_gap_below_fifteen_percent, clean),
        cmocka_unit_test_teardown(drift_says_where_the_bound_moves, clean),
        cmocka_unit_test_teardown(
            a_version_without_gaps_is_skipped_and_the_move_across_it_is_marked, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
