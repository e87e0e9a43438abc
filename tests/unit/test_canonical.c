// uses: derive m
/* Canonical metrics from AMD's counters: a copy of 8 MiB on an MI300X, as its profiler counted it,
 * moves 8 MiB each way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "canonical.h"
#include "diagnose.h"
#include "metrics_case.h"
#include "near.h"

#define READS                                                                                      \
    {"TCC_EA0_RDREQ_sum", 65786.0}, {"TCC_BUBBLE_sum", 65536.0},                                   \
    {                                                                                              \
        "TCC_EA0_RDREQ_32B_sum", 0.0                                                               \
    }
#define WRITES                                                                                     \
    {"TCC_EA0_WRREQ_sum", 131072.0},                                                               \
    {                                                                                              \
        "TCC_EA0_WRREQ_64B_sum", 131072.0                                                          \
    }
#define MIB 1048576.0

static struct lore_arena arena;
static const struct lore_canonical *all;
static size_t n;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
compute(struct lore_metrics m, const struct lore_chip_facts *facts)
{
    all = lore_canonical_amd(&m, facts, &arena, &n);
}

static const struct lore_canonical *
metric(const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    fail_msg("no %s", name);
    return NULL;
}

static void
a_copy_of_eight_mebibytes_moves_them_each_way(void **state)
{
    (void)state;
    compute(METRICS(READS, WRITES, {"duration_ns", 16119.0}), NULL);
    assert_near(metric("dram_read_bytes")->value / MIB, 8.02, 0.005);
    assert_near(metric("dram_write_bytes")->value / MIB, 8.00, 0.005);
    assert_near(metric("dram_bytes_per_s")->value / 1e9, 521 + 520, 1);
    assert_false(metric("dram_throughput_pct")->known);
    assert_int_equal(metric("dram_throughput_pct")->n_missing, 1);
    assert_string_equal(metric("dram_throughput_pct")->missing[0], "peak DRAM bandwidth");
}

static void
requests_count_by_their_size(void **state)
{
    (void)state;
    compute(METRICS({"TCC_EA0_RDREQ_sum", 100.0}, {"TCC_BUBBLE_sum", 20.0},
                {"TCC_EA0_RDREQ_32B_sum", 30.0}, {"TCC_EA0_WRREQ_sum", 10.0},
                {"TCC_EA0_WRREQ_64B_sum", 4.0}),
        NULL);
    assert_near(metric("dram_read_bytes")->value, 128 * 20 + 64 * 50 + 32 * 30, 0);
    assert_near(metric("dram_write_bytes")->value, 64 * 4 + 32 * 6, 0);
}

static void
facts_of_the_chip_complete_what_needs_them(void **state)
{
    const struct lore_chip_facts facts = {
        .units = {true, 304}, .xcds = {true, 8}, .dram_bytes_per_s = {true, 5.3e12}};
    (void)state;

    compute(METRICS(READS, WRITES, {"duration_ns", 16119.0}, {"GRBM_GUI_ACTIVE", 80000.0},
                {"SQ_VALU_MFMA_BUSY_CYCLES", 6080000.0}, {"SQ_ACTIVE_INST_VALU", 304000.0},
                {"SQ_WAVE_CYCLES", 12160000.0}, {"SQ_THREAD_CYCLES_VALU", 9728000.0}),
        &facts);
    assert_near(metric("dram_throughput_pct")->value, 100 * 1041e9 / 5.3e12, 0.05);
    assert_near(metric("matrix_util_pct")->value, 50, 1e-9);
    assert_near(metric("vector_util_pct")->value, 10, 1e-9);
    assert_near(metric("achieved_occupancy_pct")->value, 50, 1e-9);
    assert_near(metric("lane_efficiency_pct")->value, 50, 1e-9);
}

static void
an_absent_counter_is_named_and_gives_no_number(void **state)
{
    struct lore_metrics m = METRICS(READS, {"TCC_HIT_sum", 10.0});
    (void)state;

    m.v[2].missing = LORE_MISS_COUNTER_UNSUPPORTED;
    compute(m, NULL);
    assert_false(metric("dram_read_bytes")->known);
    assert_near(metric("dram_read_bytes")->value, 0, 0);
    assert_int_equal(metric("dram_read_bytes")->n_missing, 1);
    assert_string_equal(metric("dram_read_bytes")->missing[0], "TCC_EA0_RDREQ_32B_sum");
    assert_string_equal(metric("l2_hit_pct")->missing[0], "TCC_MISS_sum");
    assert_int_equal(metric("matrix_util_pct")->n_missing, 4);
}

static void
what_the_profiler_derived_itself_is_taken(void **state)
{
    (void)state;
    compute(METRICS({"FETCH_SIZE", 8192.0}, {"L2CacheHit", 33.5}), NULL);
    assert_near(metric("dram_read_bytes")->value, 8 * MIB, 0);
    assert_near(metric("l2_hit_pct")->value, 33.5, 0);
    assert_string_equal(metric("l2_hit_pct")->formula, "L2CacheHit");
}

static void
nothing_counted_is_no_rate(void **state)
{
    (void)state;
    compute(METRICS({"TCC_HIT_sum", 0.0}, {"TCC_MISS_sum", 0.0}), NULL);
    assert_false(metric("l2_hit_pct")->known);
    assert_int_equal(metric("l2_hit_pct")->n_missing, 0);
}

static void
only_amd_runs_are_completed(void **state)
{
    struct lore_metrics m = METRICS({DRAM, 50.0}, {"TCC_HITS", 1.0}), out;
    (void)state;

    out = lore_canonical_complete(&m, NULL, &arena);
    assert_ptr_equal(out.v, m.v);
    assert_int_equal(out.n, 2);
    m = METRICS({"TCC_HIT_sum", 1.0}, {"TCC_MISS_sum", 3.0});
    out = lore_canonical_complete(&m, NULL, &arena);
    assert_int_equal(out.n, 3);
    assert_string_equal(out.v[2].name, "l2_hit_pct");
    assert_near(out.v[2].value, 25, 1e-12);
}

static void
speed_of_light_works_on_amd_when_both_unit_kinds_are_known(void **state)
{
    struct lore_diagnose_context ctx = {
        .units = {true, 304}, .xcds = {true, 8}, .dram_bytes_per_s = {true, 1.2e12}};
    struct lore_metrics m =
        METRICS(READS, WRITES, {"duration_ns", 16119.0}, {"MfmaUtil", 0.0}, {"VALUBusy", 9.0});
    struct lore_rule_set_result out;
    (void)state;

    assert_int_equal(lore_diagnose("speed-of-light@1", &m, &ctx, &arena, &out, NULL), LORE_OK);
    assert_int_equal(out.labels, 1u << LORE_L_MEMORY);
    assert_non_null(strstr(out.findings[0].evidence, "VALUBusy = 9"));
    m.v[6].missing = LORE_MISS_NOT_COLLECTED; /* the matrix units */
    assert_int_equal(lore_diagnose("speed-of-light@1", &m, &ctx, &arena, &out, NULL), LORE_OK);
    assert_int_equal(out.labels, 0);
    /* the set for NVIDIA does not read computed values */
    assert_int_equal(lore_diagnose("ncu-patterns@1", &m, &ctx, &arena, &out, NULL), LORE_OK);
    assert_int_equal(out.n_findings, 0);
    assert_int_equal(out.n_clear, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_copy_of_eight_mebibytes_moves_them_each_way, clean),
        cmocka_unit_test_teardown(requests_count_by_their_size, clean),
        cmocka_unit_test_teardown(facts_of_the_chip_complete_what_needs_them, clean),
        cmocka_unit_test_teardown(an_absent_counter_is_named_and_gives_no_number, clean),
        cmocka_unit_test_teardown(what_the_profiler_derived_itself_is_taken, clean),
        cmocka_unit_test_teardown(nothing_counted_is_no_rate, clean),
        cmocka_unit_test_teardown(only_amd_runs_are_completed, clean),
        cmocka_unit_test_teardown(
            speed_of_light_works_on_amd_when_both_unit_kinds_are_known, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
