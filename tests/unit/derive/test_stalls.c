// uses: derive
/* Stall metrics of one run, ranked by unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/stalls.h"
#include "tests/unit/metrics_case.h"

static struct lore_arena arena;

static void
shares_and_warps_per_issue_are_ranked_apart(void **state)
{
    struct lore_metrics m = METRICS({STALL("wait"), 2.5}, {STALL("long_scoreboard"), 46.3},
        {"smsp__warp_issue_stalled_barrier.pct", 12.0}, {SM, 80.0},
        {"smsp__warp_issue_stalled_wait_per_warp_active.pct", 31.0}, {STALL("not_selected"), 0.5});
    size_t n;
    const struct lore_stall *s = lore_stalls(&m, &arena, &n);
    (void)state;

    assert_int_equal(n, 5);
    assert_string_equal(s[0].reason, "wait");
    assert_string_equal(s[0].unit, "% of warps");
    assert_int_equal(s[0].rank, 1);
    assert_string_equal(s[1].reason, "barrier");
    assert_int_equal(s[1].rank, 2);
    assert_string_equal(s[2].reason, "long_scoreboard");
    assert_string_equal(s[2].unit, "warp/issue");
    assert_int_equal(s[2].rank, 1);
    assert_false(s[2].neutral);
    assert_string_equal(s[4].reason, "not_selected");
    assert_true(s[4].neutral);
}

static void
waits_of_waves_are_a_share_of_their_cycles_where_those_are_known(void **state)
{
    struct lore_metrics m = METRICS({"SQ_WAIT_ANY", 50.0}, {"SQ_WAIT_INST_ANY", 80.0},
        {"SQ_WAVE_CYCLES", 200.0}, {"MemUnitStalled", 7.0});
    size_t n;
    const struct lore_stall *s = lore_stalls(&m, &arena, &n);
    (void)state;

    assert_int_equal(n, 3);
    assert_string_equal(s[0].metric, "SQ_WAIT_INST_ANY");
    assert_string_equal(s[0].unit, "% of wave cycles");
    assert_true(s[0].value == 40);
    assert_true(s[1].value == 25);
    assert_string_equal(s[2].metric, "MemUnitStalled");
    assert_string_equal(s[2].unit, "%");

    m = METRICS({"SQ_WAIT_ANY", 50.0});
    s = lore_stalls(&m, &arena, &n);
    assert_int_equal(n, 1);
    assert_string_equal(s[0].unit, "cycle");
    assert_true(s[0].value == 50);
}

static void
what_has_no_value_waits_for_nothing_and_a_label_is_not_believed(void **state)
{
    struct lore_metrics m = METRICS({STALL("wait"), 2.5}, {"Warp Stall - Long SB (%)", 46.0});
    size_t n;
    (void)state;

    m.v[0].missing = LORE_MISS_PERMISSION_DENIED;
    const struct lore_stall *s = lore_stalls(&m, &arena, &n);
    assert_int_equal(n, 1);
    assert_string_equal(s[0].unit, "unknown");
    m = NO_METRICS();
    lore_stalls(&m, &arena, &n);
    assert_int_equal(n, 0);
}

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_and_warps_per_issue_are_ranked_apart),
        cmocka_unit_test(waits_of_waves_are_a_share_of_their_cycles_where_those_are_known),
        cmocka_unit_test(what_has_no_value_waits_for_nothing_and_a_label_is_not_believed),
    };

    return cmocka_run_group_tests(tests, NULL, teardown);
}
