// uses: derive m
/* The rule sets, on profiles as they come: each pattern alone, absent metrics, real counters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/derive/diagnose.h"
#include "service/derive/rules.h"
#include "tests/unit/metrics_case.h"
#include "tests/unit/near.h"

#define BIT(l) (1u << LORE_L_##l)
#define SOL "speed-of-light@2"
#define GAPS "roofline-gaps@1"
#define NCU "ncu-patterns@2"
#define WAITS "sync@1"

static struct lore_arena arena;
static struct lore_rule_set_result out;
static struct lore_diagnose_context ctx;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    ctx = (struct lore_diagnose_context){0};
    return 0;
}

static void
diagnose(const char *set, struct lore_metrics m)
{
    assert_int_equal(lore_diagnose(set, &m, &ctx, &arena, &out, NULL), LORE_OK);
}

static const struct lore_finding *
found(const char *pattern)
{
    for (size_t i = 0; i < out.n_findings; i++)
        if (strcmp(out.findings[i].pattern, pattern) == 0)
            return &out.findings[i];
    return NULL;
}

static const struct lore_not_evaluated *
open_rule(const char *pattern)
{
    for (size_t i = 0; i < out.n_not_evaluated; i++)
        if (strcmp(out.not_evaluated[i].pattern, pattern) == 0)
            return &out.not_evaluated[i];
    return NULL;
}

/* M makes PATTERN of ncu-patterns fire with LABELS and CONFIDENCE, and nothing else. */
static void
ncu_alone(struct lore_metrics m, const char *pattern, uint32_t labels, enum lore_confidence c)
{
    diagnose(NCU, m);
    if (!found(pattern) || out.n_findings != 1)
        fail_msg("%s: %zu findings, it is %samong them", pattern, out.n_findings,
            !found(pattern) ? "not " : "");
    assert_int_equal(found(pattern)->labels, labels);
    assert_int_equal(found(pattern)->confidence, c);
    assert_int_equal(out.labels, labels);
    assert_true(found(pattern)->n_tests > 0);
}

/* M decides PATTERN and it is not found. */
static void
ncu_clear(struct lore_metrics m, const char *pattern)
{
    diagnose(NCU, m);
    if (found(pattern) || open_rule(pattern))
        fail_msg("%s: %s", pattern, found(pattern) != NULL ? "found" : "not evaluated");
}

#define MEMORY_SIDE "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
#define SM_SIDE "sm__throughput.avg.pct_of_peak_sustained_elapsed"
#define L1 "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"
#define L2 "lts__throughput.avg.pct_of_peak_sustained_elapsed"
#define DRAM "dram__throughput.avg.pct_of_peak_sustained_elapsed"

/* Nsight Compute's memory throughput is the busiest of several levels. */
static void
a_busy_memory_side_is_said_of_its_level(void **state)
{
    (void)state;
    diagnose(
        SOL, METRICS({MEMORY_SIDE, 99.0}, {SM_SIDE, 30.0}, {L1, 99.0}, {L2, 4.0}, {DRAM, 0.3}));
    assert_int_equal(out.labels, BIT(CACHE));
    assert_string_equal(found("memory-bound")->label, "L1/TEX-Bound");
    assert_non_null(strstr(found("memory-bound")->evidence,
        "of the memory side L1/TEX is busy: L1/TEX 99 %, L2 4 %, DRAM 0.3 %"));
    diagnose(
        NCU, METRICS({MEMORY_SIDE, 99.0}, {SM_SIDE, 30.0}, {L1, 99.0}, {L2, 4.0}, {DRAM, 0.3}));
    assert_int_equal(found("_mem")->labels, BIT(CACHE));
    diagnose(
        SOL, METRICS({MEMORY_SIDE, 75.0}, {SM_SIDE, 30.0}, {L1, 38.0}, {L2, 75.0}, {DRAM, 44.0}));
    assert_int_equal(out.labels, BIT(CACHE) | BIT(MEMORY)); /* both levels are busy */
    diagnose(SOL, METRICS({MEMORY_SIDE, 86.0}, {SM_SIDE, 30.0}, {L2, 86.0}, {DRAM, 64.0}));
    assert_int_equal(out.labels, BIT(MEMORY));
    assert_string_equal(found("memory-bound")->label, "Memory-Bound");
    diagnose(SOL, METRICS({MEMORY_SIDE, 99.0}, {SM_SIDE, 30.0}, {DRAM, 0.3}));
    assert_int_equal(out.labels, BIT(CACHE));
    assert_string_equal(found("memory-bound")->label, "Cache-Bound");
    assert_non_null(
        strstr(found("memory-bound")->evidence, "a level that was not recorded is busy"));
    diagnose(SOL, METRICS({MEMORY_SIDE, 99.0}, {SM_SIDE, 30.0}));
    assert_int_equal(out.labels, BIT(MEMORY));
}

static void
each_ncu_pattern_fires_above_its_threshold(void **state)
{
    (void)state;
    ncu_alone(METRICS({WAVES, 0.49}), "A", BIT(OCCUPANCY), LORE_CONF_HIGH);
    ncu_alone(
        METRICS({WAVES, 0.8}, {GRID, 131.0}, {SMS, 132.0}), "A", BIT(OCCUPANCY), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({WAVES, 1.5}), "B", BIT(TAIL), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 51.0},
                  {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10.0}),
        "C", BIT(MEMORY), LORE_CONF_HIGH);
    ncu_alone(METRICS({"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 15.9}),
        "D", BIT(MEMORY), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({STALL("long_scoreboard"), 3.1}, {DRAM_READ, 9.0}), "E", BIT(LATENCY),
        LORE_CONF_HIGH);
    ncu_alone(METRICS({STALL("long_scoreboard"), 3.1}, {DRAM_READ, 11.0}), "E", BIT(LATENCY),
        LORE_CONF_MEDIUM);
    ncu_alone(METRICS({"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 51.0},
                  {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 0.5}),
        "F", BIT(COMPUTE), LORE_CONF_HIGH);
    ncu_alone(METRICS({"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", 1.0},
                  {STALL("lg_throttle"), 1.1}),
        "G", BIT(ATOMICS), LORE_CONF_LOW);
    ncu_alone(METRICS({STALL("short_scoreboard"), 2.1}), "H", BIT(BANK_CONFLICT), LORE_CONF_LOW);
    ncu_alone(METRICS({STALL("barrier"), 2.1}), "I", BIT(SYNC), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({THEORY, 51.0}, {ACHIEVED, 25.0}), "J", BIT(OCCUPANCY), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({"smsp__sass_inst_executed_op_local_ld.sum", 1.0}), "K",
        BIT(REGISTER_PRESSURE), LORE_CONF_HIGH);
    ncu_alone(METRICS({"launch__registers_per_thread", 129.0}), "K", BIT(REGISTER_PRESSURE),
        LORE_CONF_MEDIUM);
    ncu_alone(METRICS({"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", 1.1}), "L",
        BIT(COMPUTE), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({STALL("long_scoreboard"), 2.1}, {DRAM_READ, 31.0}), "M", BIT(LATENCY),
        LORE_CONF_MEDIUM);
    ncu_alone(METRICS({LANES, 23.9}), "N", BIT(DIVERGENCE), LORE_CONF_MEDIUM);
    ncu_alone(METRICS({MEM, 31.0}, {SM, 20.0}), "_mem", BIT(MEMORY), LORE_CONF_MEDIUM);
}

static void
no_ncu_pattern_fires_at_its_threshold(void **state)
{
    (void)state;
    ncu_clear(METRICS({WAVES, 0.5}, {GRID, 132.0}, {SMS, 132.0}), "A");
    ncu_clear(METRICS({WAVES, 1.71}), "B"); /* 0.145 of the last wave */
    ncu_clear(METRICS({WAVES, 0.6}), "B");
    ncu_clear(METRICS({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 50.0},
                  {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10.0}),
        "C");
    ncu_clear(
        METRICS({"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 16.0}), "D");
    ncu_clear(METRICS({STALL("long_scoreboard"), 3.0}), "E");
    ncu_clear(METRICS({"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 51.0},
                  {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 1.0}),
        "F");
    ncu_clear(
        METRICS({"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", 0.0},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", 0.0}, {STALL("lg_throttle"), 9.0}),
        "G");
    ncu_clear(METRICS({STALL("short_scoreboard"), 2.0}), "H");
    ncu_clear(METRICS({STALL("barrier"), 2.0}), "I");
    ncu_clear(METRICS({THEORY, 50.0}, {ACHIEVED, 10.0}), "J");
    ncu_clear(METRICS({"launch__registers_per_thread", 128.0}, {"spill_load_sectors", 0.0},
                  {"spill_store_sectors", 0.0}),
        "K");
    ncu_clear(METRICS({"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", 1.0}), "L");
    ncu_clear(METRICS({STALL("long_scoreboard"), 2.0}, {DRAM_READ, 31.0}), "M");
    ncu_clear(METRICS({LANES, 24.0}), "N");
    ncu_clear(METRICS({MEM, 30.0}, {SM, 20.0}), "_mem");
}

static void
an_absent_metric_leaves_a_rule_undecided(void **state)
{
    (void)state;
    diagnose(NCU, NO_METRICS());
    assert_int_equal(out.n_findings, 0);
    assert_int_equal(out.n_clear, 0);
    assert_int_equal(out.n_not_evaluated, 15);
    assert_string_equal(open_rule("I")->missing[0], STALL("barrier"));

    /* the scripts read an absent tensor counter as zero and accuse the kernel */
    diagnose(NCU, METRICS({"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 90.0}));
    assert_null(found("F"));
    assert_int_equal(open_rule("F")->n_missing, 1);

    /* no spills seen on one side do not clear the other */
    diagnose(NCU, METRICS({"spill_load_sectors", 0.0}, {"launch__registers_per_thread", 64.0}));
    assert_null(found("K"));
    assert_int_equal(open_rule("K")->n_missing, 1);
    assert_string_equal(open_rule("K")->missing[0], "smsp__sass_inst_executed_op_local_st.sum");

    diagnose(NCU, METRICS({WAVES, 0.8}));
    assert_int_equal(open_rule("A")->n_missing, 2); /* grid and SM count */
}

static void
a_quantity_counts_in_either_unit(void **state)
{
    (void)state;
    ncu_alone(METRICS({"global_store_efficiency_pct", 49.0}), "D", BIT(MEMORY), LORE_CONF_MEDIUM);
    ncu_clear(METRICS({"global_store_efficiency_pct", 51.0}), "D");
}

static void
a_ratio_to_nothing_is_undecided(void **state)
{
    (void)state;
    diagnose(NCU, METRICS({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 7.0},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0.0}));
    assert_null(found("C"));
    assert_non_null(open_rule("C"));
}

static void
a_recorded_reason_for_absence_is_no_value(void **state)
{
    struct lore_metrics m = METRICS({STALL("barrier"), 99.0}, {LANES, NAN});
    (void)state;

    m.v[0].missing = LORE_MISS_PERMISSION_DENIED;
    diagnose(NCU, m);
    assert_int_equal(out.n_findings, 0);
    assert_non_null(open_rule("I"));
    assert_non_null(open_rule("N"));
}

static void
overall_memory_is_said_only_when_no_memory_pattern_is(void **state)
{
    (void)state;
    diagnose(NCU, METRICS({MEM, 90.0}, {SM, 20.0}, {STALL("long_scoreboard"), 5.0}));
    assert_null(found("_mem"));
    assert_non_null(found("E"));
    diagnose(NCU, METRICS({MEM, 90.0}, {SM, 20.0}, {STALL("barrier"), 5.0}));
    assert_non_null(found("_mem"));
    assert_non_null(found("I"));
}

static void
the_unit_count_may_come_from_the_chip(void **state)
{
    (void)state;
    ctx.device.units = (struct lore_f64){true, 304};
    diagnose(NCU, METRICS({GRID, 303.0}));
    assert_int_equal(found("A")->confidence, LORE_CONF_MEDIUM);
    ctx.fp64_expected = true;
    diagnose(NCU, METRICS({"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", 90.0}));
    assert_null(found("L"));
    assert_non_null(open_rule("L")->note);
}

static void
evidence_carries_values_and_thresholds(void **state)
{
    (void)state;
    diagnose(NCU, METRICS({"Stall: Barrier", 4.25}));
    assert_string_equal(found("I")->evidence, "Stall: Barrier = 4.25 > 2");
    assert_string_equal(found("I")->symptom, "pipeline-stalls");
    assert_string_equal(found("I")->tests[0].metric, "Stall: Barrier");
    assert_near(found("I")->tests[0].value, 4.25, 0);
    assert_string_equal(found("I")->tests[0].op, ">");
    assert_near(found("I")->tests[0].threshold, 2, 0);
}

static uint32_t
sol(double mem, double sm)
{
    diagnose(SOL, METRICS({MEM, mem}, {SM, sm}));
    return out.labels;
}

static void
speed_of_light_names_the_side_that_dominates(void **state)
{
    (void)state;
    assert_int_equal(sol(92, 30), BIT(MEMORY));
    assert_null(found("mixed"));
    assert_int_equal(sol(61, 40), BIT(MEMORY));
    assert_int_equal(sol(60, 20), 0); /* not above 60 */
    assert_non_null(found("mixed"));
    assert_int_equal(sol(2.19, 97.33), BIT(COMPUTE));
    assert_int_equal(sol(39, 39), BIT(LATENCY));
    assert_int_equal(sol(40, 39), 0);
    assert_int_equal(sol(90, 80), 0);
    assert_non_null(found("mixed"));
}

static void
dram_alone_makes_latency_less_sure(void **state)
{
    (void)state;
    diagnose(SOL, METRICS({DRAM, 20.0}, {SM, 20.0}));
    assert_int_equal(found("latency-bound")->confidence, LORE_CONF_MEDIUM);
    diagnose(SOL, METRICS({MEM, 20.0}, {SM, 20.0}));
    assert_int_equal(found("latency-bound")->confidence, LORE_CONF_HIGH);
    diagnose(SOL, METRICS({"memory_sol_pct", 92.0}, {"sm_sol_pct", 20.0}));
    assert_int_equal(out.labels, BIT(MEMORY));
    diagnose(SOL, METRICS({"memory_sol_pct", 92.0}));
    assert_int_equal(out.labels, 0);
    assert_non_null(open_rule("memory-bound"));
    assert_null(found("mixed"));
}

static void
occupancy_bound_is_surer_with_one_limiting_factor(void **state)
{
    (void)state;
    diagnose(SOL, METRICS({THEORY, 75.0}, {ACHIEVED, 50.0}));
    assert_int_equal(found("occupancy-bound")->confidence, LORE_CONF_LOW);
    diagnose(
        SOL, METRICS({THEORY, 75.0}, {ACHIEVED, 30.0}, {"launch__occupancy_limit_registers", 2.0},
                 {"launch__occupancy_limit_shared_mem", 8.0}));
    assert_int_equal(found("occupancy-bound")->confidence, LORE_CONF_MEDIUM);
    assert_non_null(strstr(found("occupancy-bound")->evidence, "occupancy_limit_registers"));
    diagnose(
        SOL, METRICS({THEORY, 75.0}, {ACHIEVED, 30.0}, {"launch__occupancy_limit_registers", 2.0},
                 {"launch__occupancy_limit_shared_mem", 2.0}));
    assert_int_equal(found("occupancy-bound")->confidence, LORE_CONF_LOW);
    diagnose(SOL, METRICS({THEORY, 75.0}, {ACHIEVED, 51.0}));
    assert_null(found("occupancy-bound"));
}

static void
secondary_signals_never_make_the_sets_labels(void **state)
{
    (void)state;
    diagnose(SOL, METRICS({MEM, 92.0}, {SM, 30.0}, {LANES, 31.0}, {STALL("barrier"), 1.5},
                      {"smsp__issue_active.avg.pct_of_peak_sustained_active", 20.0}));
    assert_int_equal(out.labels, BIT(MEMORY));
    assert_int_equal(out.signals, BIT(COMPUTE) | BIT(DIVERGENCE) | BIT(LATENCY) | BIT(SYNC));
    assert_true(found("stall-barrier")->signal);
    assert_non_null(open_rule("l1-hit"));
}

/* The counters of a copy of 8 MiB on an MI300X, as rocprofiler gave them. */
#define VCOPY                                                                                      \
    {"SQ_WAVE_CYCLES", 37155126.0}, {"SQ_WAIT_ANY", 28336787.0}, {"SQ_WAIT_INST_ANY", 6427087.0},  \
        {"SQ_ACTIVE_INST_ANY", 278528.0}, {"SQ_BUSY_CYCLES", 622203.0},                            \
    {                                                                                              \
        "SQ_WAVES", 16384.0                                                                        \
    }

static void
a_copy_kernel_that_waits_for_memory_is_not_called_sync(void **state)
{
    (void)state;
    diagnose(WAITS, METRICS(VCOPY));
    assert_int_equal(out.labels, 0);
    assert_int_equal(out.signals, BIT(LATENCY));
    assert_near(found("wave-waits")->tests[0].value, 28336787.0 / 37155126.0, 1e-12);
    assert_non_null(open_rule("barrier-waits")); /* no histogram: not evaluated, not false */

    diagnose(WAITS, METRICS(VCOPY, {"isa_s_barrier", 0.0}, {"isa_s_waitcnt", 4.0}));
    assert_int_equal(out.labels, 0);
    assert_null(open_rule("barrier-waits"));
}

static void
waves_that_wait_in_code_with_barriers_are_evidence_for_sync(void **state)
{
    (void)state;
    diagnose(WAITS, METRICS(VCOPY, {"isa_s_barrier", 12.0}, {"isa_s_waitcnt", 40.0}));
    assert_int_equal(out.labels, BIT(SYNC));
    assert_int_equal(found("barrier-waits")->confidence, LORE_CONF_LOW);
    diagnose(WAITS,
        METRICS(VCOPY, {"s_barrier", 12.0}, {"s_waitcnt", 40.0}, {"dram_throughput_pct", 12.0}));
    assert_int_equal(found("barrier-waits")->confidence, LORE_CONF_MEDIUM);
    diagnose(WAITS, METRICS(VCOPY, {"isa_s_barrier", 1.0}, {"isa_s_waitcnt", 40.0}));
    assert_int_equal(out.labels, 0);
}

static void
on_nvidia_the_barrier_stall_is_the_evidence(void **state)
{
    (void)state;
    diagnose(WAITS, METRICS({STALL("barrier"), 2.5}));
    assert_int_equal(out.labels, BIT(SYNC));
    diagnose(WAITS, METRICS({STALL("barrier"), 1.5}));
    assert_int_equal(out.labels, 0);
    assert_null(open_rule("barrier-stall"));
    diagnose(WAITS, METRICS({"smsp__warp_issue_stalled_barrier_per_warp_active.pct", 25.0}));
    assert_int_equal(out.labels, BIT(SYNC));
}

/* A copy of 8 MiB on an MI300X, with the peak bandwidth of a slower chip. */
static void
speed_of_light_works_on_amd_when_both_unit_kinds_are_known(void **state)
{
    struct lore_metrics m = METRICS({"TCC_EA0_RDREQ_sum", 65786.0}, {"TCC_BUBBLE_sum", 65536.0},
        {"TCC_EA0_RDREQ_32B_sum", 0.0}, {"TCC_EA0_WRREQ_sum", 131072.0},
        {"TCC_EA0_WRREQ_64B_sum", 131072.0}, {"duration_ns", 16119.0}, {"MfmaUtil", 0.0},
        {"VALUBusy", 9.0});
    (void)state;

    diagnose(SOL, m);
    assert_non_null(open_rule("memory-bound")); /* no peak, no share of it */
    ctx.device.hbm_gb_per_s = (struct lore_f64){true, 1200};
    ctx.device.dur_ns = (struct lore_f64){true, 16119};
    diagnose(SOL, m);
    assert_int_equal(out.labels, BIT(MEMORY));
    assert_non_null(strstr(found("memory-bound")->evidence, "VALUBusy = 9"));
    assert_near(found("memory-bound")->tests[0].value, 100 * 1041.7 / 1200, 0.1);
    diagnose(NCU, m); /* the set for NVIDIA reads neither these nor computed values */
    assert_int_equal(out.n_findings, 0);
    assert_int_equal(out.n_clear, 0);
    m.v[6].missing = LORE_MISS_NOT_COLLECTED; /* the matrix units */
    diagnose(SOL, m);
    assert_int_equal(out.labels, 0);
}

/* Metrics of a kernel that spends its time at barriers, read by every set. */
static void
the_roofline_neither_produces_nor_excludes_sync(void **state)
{
    struct lore_metrics m = METRICS({SM, 25.0}, {DRAM, 20.0}, {STALL("barrier"), 9.0},
        {"smsp__warp_issue_stalled_barrier_per_warp_active.pct", 90.0});
    const struct lore_rule_set_result *all;
    size_t n;
    (void)state;

    assert_int_equal(lore_rule_set_vocabulary(GAPS), BIT(COMPUTE) | BIT(MEMORY) | BIT(LATENCY));
    all = lore_diagnose_all(&m, NULL, &arena, &n);
    assert_int_equal(n, 4);
    assert_string_equal(all[1].rule_set, GAPS);
    assert_int_equal(all[1].labels, BIT(LATENCY)); /* the gap, whatever stalls */
    assert_int_equal(all[2].labels, BIT(SYNC));    /* patterns still say it */
    assert_true((all[3].labels & BIT(SYNC)) != 0);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            (all[i].labels | all[i].signals) & ~lore_rule_set_vocabulary(all[i].rule_set), 0);
}

static void
roofline_gaps_name_the_largest_and_stay_silent_on_unknown_ones(void **state)
{
    (void)state;
    diagnose(GAPS, METRICS({SM, 95.0}, {DRAM, 30.0},
                       {"smsp__warp_issue_stalled_wait_per_warp_active.pct", 20.0}));
    assert_int_equal(out.labels, BIT(MEMORY));
    assert_int_equal(found("largest-gap")->confidence, LORE_CONF_LOW);
    diagnose(GAPS, METRICS({SM, 95.0}, {DRAM, 90.0},
                       {"smsp__warp_issue_stalled_wait_per_warp_active.pct", 10.0}));
    assert_int_equal(out.labels, 0);
    assert_non_null(strstr(found("largest-gap")->evidence, "near peak"));
    diagnose(GAPS, METRICS({SM, 95.0}, {DRAM, 90.0}));
    assert_int_equal(out.n_findings, 0);
    assert_string_equal(open_rule("largest-gap")->missing[0], "a stall reason in percent");
    ctx.degraded = true;
    diagnose(GAPS, METRICS({SM, 95.0}, {DRAM, 30.0},
                       {"smsp__warp_issue_stalled_wait_per_warp_active.pct", 20.0}));
    assert_int_equal(out.n_findings, 0);
    assert_int_equal(out.n_not_evaluated, 1);
}

/* Even a rule that asked for it could not. */
static void
a_label_outside_the_vocabulary_cannot_come_out(void **state)
{
    const struct lore_rule rule = {.pattern = "x", .label = "x", .labels = BIT(SYNC)};
    struct lore_rule_run r = {
        .arena = &arena, .vocabulary = lore_rule_set_vocabulary(GAPS), .rule = &rule};
    (void)state;

    lore_rule_finding(&r, LORE_CONF_HIGH, NULL);
    lore_rule_finding_labels(&r, BIT(SYNC) | BIT(MEMORY), LORE_CONF_HIGH, NULL);
    assert_int_equal(r.n_findings, 2);
    assert_int_equal(r.findings[0].labels, 0);
    assert_int_equal(r.findings[1].labels, BIT(MEMORY));
    assert_int_equal(r.found, BIT(MEMORY));
}

static void
an_unknown_set_is_an_error_that_names_the_others(void **state)
{
    struct lore_metrics m = NO_METRICS();
    struct lore_err err = {0};
    const char *const *names;
    (void)state;

    assert_int_equal(lore_diagnose("roofline", &m, NULL, &arena, &out, &err), LORE_NOTFOUND);
    assert_non_null(strstr(err.msg, "roofline"));
    assert_int_equal(lore_rule_sets(&names), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_non_null(strstr(err.hint, names[i]));
        assert_int_equal(lore_diagnose(names[i], &m, NULL, &arena, &out, &err), LORE_OK);
        assert_string_equal(out.rule_set, names[i]);
        assert_true(lore_rule_set_vocabulary(names[i]) != 0);
    }
    assert_int_equal(lore_rule_set_vocabulary("nothing"), 0);
}

/* Metrics of one vendor do not answer another's rules, though their canonical names agree. */
static void
amd_counters_do_not_trigger_ncu_patterns(void **state)
{
    (void)state;
    diagnose(NCU, METRICS({"VALUBusy", 90.0}, {"MfmaUtil", 0.0}, {"OccupancyPercent", 3.0}));
    assert_int_equal(out.n_findings, 0);
    assert_non_null(open_rule("F"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_busy_memory_side_is_said_of_its_level, clean),
        cmocka_unit_test_teardown(each_ncu_pattern_fires_above_its_threshold, clean),
        cmocka_unit_test_teardown(no_ncu_pattern_fires_at_its_threshold, clean),
        cmocka_unit_test_teardown(an_absent_metric_leaves_a_rule_undecided, clean),
        cmocka_unit_test_teardown(a_quantity_counts_in_either_unit, clean),
        cmocka_unit_test_teardown(a_ratio_to_nothing_is_undecided, clean),
        cmocka_unit_test_teardown(a_label_outside_the_vocabulary_cannot_come_out, clean),
        cmocka_unit_test_teardown(a_recorded_reason_for_absence_is_no_value, clean),
        cmocka_unit_test_teardown(overall_memory_is_said_only_when_no_memory_pattern_is, clean),
        cmocka_unit_test_teardown(the_unit_count_may_come_from_the_chip, clean),
        cmocka_unit_test_teardown(evidence_carries_values_and_thresholds, clean),
        cmocka_unit_test_teardown(speed_of_light_names_the_side_that_dominates, clean),
        cmocka_unit_test_teardown(dram_alone_makes_latency_less_sure, clean),
        cmocka_unit_test_teardown(occupancy_bound_is_surer_with_one_limiting_factor, clean),
        cmocka_unit_test_teardown(secondary_signals_never_make_the_sets_labels, clean),
        cmocka_unit_test_teardown(a_copy_kernel_that_waits_for_memory_is_not_called_sync, clean),
        cmocka_unit_test_teardown(
            waves_that_wait_in_code_with_barriers_are_evidence_for_sync, clean),
        cmocka_unit_test_teardown(on_nvidia_the_barrier_stall_is_the_evidence, clean),
        cmocka_unit_test_teardown(
            speed_of_light_works_on_amd_when_both_unit_kinds_are_known, clean),
        cmocka_unit_test_teardown(the_roofline_neither_produces_nor_excludes_sync, clean),
        cmocka_unit_test_teardown(
            roofline_gaps_name_the_largest_and_stay_silent_on_unknown_ones, clean),
        cmocka_unit_test_teardown(an_unknown_set_is_an_error_that_names_the_others, clean),
        cmocka_unit_test_teardown(amd_counters_do_not_trigger_ncu_patterns, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
