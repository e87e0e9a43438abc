// uses: derive m
/* What people write about what they expect, one row a wording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/derive/claims_parse.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define NO                                                                                         \
    {                                                                                              \
        false, 0                                                                                   \
    }
#define AT(x)                                                                                      \
    {                                                                                              \
        true, x                                                                                    \
    }
static const struct {
    const char *item, *metric, *direction;
    enum lore_claim_range range;
    struct lore_f64 low, high;
} rows[] = {
    {"Global Load Efficiency ↑ above 80%", "Global Load Efficiency", "up", LORE_RANGE_LEVEL, AT(80),
        NO},
    {"latency ↓ 50-70%", "latency", "down", LORE_RANGE_CHANGE, AT(50), AT(70)},
    {"latency ↓ 50 – 70 %", "latency", "down", LORE_RANGE_CHANGE, AT(50), AT(70)},
    {"latency ↓ 50% to 70%", "latency", "down", LORE_RANGE_CHANGE, AT(50), AT(70)},
    {"Long Scoreboard=", "Long Scoreboard", NULL, LORE_RANGE_NONE, NO, NO},
    {"Long Scoreboard = 2.5", "Long Scoreboard", NULL, LORE_RANGE_LEVEL, AT(2.5), AT(2.5)},
    {"Long Scoreboard stall ↓ below 20%", "Long Scoreboard stall", "down", LORE_RANGE_LEVEL, NO,
        AT(20)},
    {"Achieved Occupancy ↑", "Achieved Occupancy", "up", LORE_RANGE_NONE, NO, NO},
    {"Occupancy", "Occupancy", NULL, LORE_RANGE_NONE, NO, NO},
    {"Execution time (target < 0.050 ms)", "Execution time", NULL, LORE_RANGE_LEVEL, NO, AT(50000)},
    {"Improve: Execution time (target < 0.050 ms)", "Execution time", "down", LORE_RANGE_LEVEL, NO,
        AT(50000)},
    {"latency ↓ 50-70 % (small rows: less)", "latency", "down", LORE_RANGE_CHANGE, AT(50), AT(70)},
    {"Occupancy ↑ (fewer registers)", "Occupancy", "up", LORE_RANGE_NONE, NO, NO},
    {"increase occupancy by 10%", "occupancy", "up", LORE_RANGE_CHANGE, AT(10), NO},
    {"runtime drops to 40 us", "runtime", "down", LORE_RANGE_LEVEL, NO, AT(40000)},
    {"runtime 50-70 µs", "runtime", NULL, LORE_RANGE_LEVEL, AT(50000), AT(70000)},
    {"L1 hit rate from 12% to 80%", "L1 hit rate", "up", LORE_RANGE_LEVEL, AT(80), NO},
    {"IPC 0.5 → 1.2", "IPC", "up", LORE_RANGE_LEVEL, AT(1.2), NO},
    {"latency -20%", "latency", "down", LORE_RANGE_CHANGE, AT(20), NO},
    {"latency −20 %", "latency", "down", LORE_RANGE_CHANGE, AT(20), NO},
    {"IPC +15 %", "IPC", "up", LORE_RANGE_CHANGE, AT(15), NO},
    {"IPC ↑ 2x", "IPC", "up", LORE_RANGE_CHANGE, AT(100), NO},
    {"latency ↓ 2×", "latency", "down", LORE_RANGE_CHANGE, AT(50), NO},
    {"speedup ≥ 1.5x", "speedup", NULL, LORE_RANGE_LEVEL, AT(1.5), NO},
    {"registers unchanged", "registers", "same", LORE_RANGE_NONE, NO, NO},
    {"no change in registers", "registers", "same", LORE_RANGE_NONE, NO, NO},
    {"registers at most 64", "registers", NULL, LORE_RANGE_LEVEL, NO, AT(64)},
    {"occupancy > 50 and < 80", "occupancy", NULL, LORE_RANGE_LEVEL, AT(50), AT(80)},
    {"latency improves", "latency", "down", LORE_RANGE_NONE, NO, NO},
    {"l2_hit_pct improves", "l2_hit_pct", "up", LORE_RANGE_NONE, NO, NO},
    {"occupancy improves", "occupancy", NULL, LORE_RANGE_NONE, NO, NO}, /* neutral */
    {"flux improves", "flux", NULL, LORE_RANGE_NONE, NO, NO},
    {"IPC ↑ ↓", "IPC", NULL, LORE_RANGE_NONE, NO, NO},
    {"smsp__inst_executed.sum ↓ below 1,234,000", "smsp__inst_executed.sum", "down",
        LORE_RANGE_LEVEL, NO, AT(1234000)},
    {"latency below 5 %", "latency", NULL, LORE_RANGE_NONE, NO, NO}, /* no time, no level */
    {"latency below 5", "latency", NULL, LORE_RANGE_NONE, NO, NO},
    {"IPC > 4 and < 2", "IPC", NULL, LORE_RANGE_NONE, NO, NO}, /* turned around */
    {"host-to-device copies ↓", "host-to-device copies", "down", LORE_RANGE_NONE, NO, NO},
    {"latency 50-70 % lower", "latency", "down", LORE_RANGE_CHANGE, AT(50), AT(70)},
    {"42", "42", NULL, LORE_RANGE_LEVEL, AT(42), AT(42)},
};

static void
same_number(size_t row, const char *what, struct lore_f64 got, struct lore_f64 want)
{
    if (got.set != want.set || (got.set && fabs(got.v - want.v) > 1e-9 * fabs(want.v)))
        fail_msg(
            "row %zu (%s): %s is %s%g", row, rows[row].item, what, got.set ? "" : "unset ", got.v);
}

static void
each_wording_says_what_it_means(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lore_movement m;
        lore_claims_read(rows[i].item, NULL, &arena, &m);
        assert_string_equal(m.metric, rows[i].metric);
        if (!lore_streq(m.direction, rows[i].direction))
            fail_msg(
                "row %zu (%s): direction %s", i, rows[i].item, m.direction ? m.direction : "-");
        if (m.range != rows[i].range)
            fail_msg("row %zu (%s): range %d", i, rows[i].item, m.range);
        same_number(i, "low", m.low, rows[i].low);
        same_number(i, "high", m.high, rows[i].high);
    }
}

static void
words_without_a_metric_are_about_the_one_given(void **state)
{
    struct lore_movement m;

    (void)state;
    lore_claims_read("20 to 35 % faster", "latency", &arena, &m);
    assert_string_equal(m.direction, "down");
    assert_int_equal(m.range, LORE_RANGE_CHANGE);
    assert_near(m.low.v, 20, 0);
    assert_near(m.high.v, 35, 0);
    lore_claims_read("below 71 us", "duration_ns", &arena, &m);
    assert_int_equal(m.range, LORE_RANGE_LEVEL);
    assert_near(m.high.v, 71000, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wording_says_what_it_means),
        cmocka_unit_test(words_without_a_metric_are_about_the_one_given),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
