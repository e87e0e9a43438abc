// uses: derive m
/* Declared labels against the metrics they came with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/contradict.h"
#include "tests/unit/metrics_case.h"

#define BIT(l) (1u << LORE_L_##l)
#define EVERY ((1u << LORE_L_COUNT) - 1)

static struct lore_arena arena;
static const struct lore_contradiction *c;
static size_t n;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
declare(uint32_t labels, struct lore_metrics m)
{
    c = lore_label_contradictions(labels, &m, NULL, &arena, &n);
}

/* A published experience is declared memory_bound with these two numbers. */
static void
memory_declared_at_two_percent_of_memory_throughput_is_flagged(void **state)
{
    (void)state;
    declare(BIT(MEMORY), METRICS({"memory_sol_pct", 2.19}, {"sm_sol_pct", 97.33}));
    assert_int_equal(n, 1);
    assert_int_equal(c[0].label, LORE_L_MEMORY);
    assert_string_equal(c[0].evidence,
        "memory was declared, but memory_sol_pct = 2.19 < 40, sm_sol_pct = 97.33 > 60");
    assert_int_equal(c[0].n_tests, 2);
    declare(BIT(COMPUTE), METRICS({"memory_sol_pct", 2.19}, {"sm_sol_pct", 97.33}));
    assert_int_equal(n, 0);
}

static void
only_declared_labels_are_looked_at_each_by_itself(void **state)
{
    struct lore_metrics m = METRICS({DRAM, 92.0}, {SM, 20.0});
    (void)state;

    declare(BIT(MEMORY), m);
    assert_int_equal(n, 0);
    declare(BIT(MEMORY) | BIT(COMPUTE) | BIT(LATENCY), m);
    assert_int_equal(n, 2);
    assert_int_equal(c[0].label, LORE_L_COMPUTE);
    assert_int_equal(c[1].label, LORE_L_LATENCY);
}

static void
what_was_not_recorded_contradicts_nothing(void **state)
{
    struct lore_metrics m = METRICS({"sm_sol_pct", 97.33}, {"memory_sol_pct", 2.19});
    (void)state;

    declare(EVERY, NO_METRICS());
    assert_int_equal(n, 0);
    m.v[1].missing = LORE_MISS_COUNTER_UNSUPPORTED;
    declare(BIT(MEMORY), m);
    assert_int_equal(n, 0);
    declare(BIT(MEMORY), METRICS({"memory_sol_pct", 2.19}));
    assert_int_equal(n, 0);
}

static void
a_busy_cache_keeps_memory_possible(void **state)
{
    (void)state;
    declare(BIT(MEMORY), METRICS({DRAM, 5.0}, {SM, 90.0}, {MEM, 85.0}));
    assert_int_equal(n, 0);
    declare(BIT(MEMORY), METRICS({DRAM, 5.0}, {SM, 90.0},
                             {"lts__t_sectors.avg.pct_of_peak_sustained_elapsed", 85.0}));
    assert_int_equal(n, 0);
    declare(BIT(MEMORY), METRICS({DRAM, 5.0}, {SM, 59.0}));
    assert_int_equal(n, 0);
}

static void
one_idle_pipe_does_not_contradict_compute(void **state)
{
    (void)state;
    declare(BIT(COMPUTE), METRICS({"VALUBusy", 5.0}, {"dram_throughput_pct", 90.0}));
    assert_int_equal(n, 0);
    declare(BIT(COMPUTE), METRICS({SM, 30.0}, {DRAM, 90.0}, {"matrix_util_pct", 55.0}));
    assert_int_equal(n, 0);
    declare(
        BIT(COMPUTE), METRICS({"VALUBusy", 5.0}, {"MfmaUtil", 1.0}, {"dram_throughput_pct", 90.0}));
    assert_int_equal(n, 1);
}

static void
the_finer_labels_have_their_own_evidence(void **state)
{
    (void)state;
    declare(BIT(OCCUPANCY), METRICS({ACHIEVED, 93.0}, {WAVES, 12.0}));
    assert_int_equal(n, 1);
    declare(BIT(OCCUPANCY), METRICS({ACHIEVED, 93.0}, {WAVES, 0.3})); /* few full SMs */
    assert_int_equal(n, 0);
    declare(BIT(DIVERGENCE), METRICS({LANES, 31.9}));
    assert_int_equal(n, 1);
    declare(BIT(DIVERGENCE), METRICS({LANES, 31.4}));
    assert_int_equal(n, 0);
    declare(BIT(REGISTER_PRESSURE), METRICS({"launch__registers_per_thread", 32.0},
                                        {"spill_load_sectors", 0.0}, {"spill_store_sectors", 0.0}));
    assert_int_equal(n, 1);
    declare(BIT(REGISTER_PRESSURE), METRICS({"launch__registers_per_thread", 32.0}));
    assert_int_equal(n, 0);
    declare(BIT(BANK_CONFLICT), METRICS({"smem_bank_conflicts", 0.0}));
    assert_int_equal(n, 1);
    declare(BIT(BANK_CONFLICT), METRICS({"smem_bank_conflicts", 1.0}));
    assert_int_equal(n, 0);
}

static void
nothing_contradicts_sync(void **state)
{
    (void)state;
    declare(BIT(SYNC), METRICS({SM, 97.0}, {DRAM, 97.0}, {STALL("barrier"), 0.0}));
    assert_int_equal(n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(
            memory_declared_at_two_percent_of_memory_throughput_is_flagged, clean),
        cmocka_unit_test_teardown(only_declared_labels_are_looked_at_each_by_itself, clean),
        cmocka_unit_test_teardown(what_was_not_recorded_contradicts_nothing, clean),
        cmocka_unit_test_teardown(a_busy_cache_keeps_memory_possible, clean),
        cmocka_unit_test_teardown(one_idle_pipe_does_not_contradict_compute, clean),
        cmocka_unit_test_teardown(the_finer_labels_have_their_own_evidence, clean),
        cmocka_unit_test_teardown(nothing_contradicts_sync, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
