/* ncu-patterns@2: fourteen patterns (A to N) over Nsight Compute's own metrics, and one for the
 * whole memory side (_mem). The thresholds are from the scripts that teams already use; the labels
 * are Warplore's. A quantity is found under any of its names. Unlike in those scripts, a
 * missing counter is not zero (tensor pipe in F, atomics in G, spills in K); such a rule is not
 * evaluated. A pattern suggests a bottleneck but does not prove it: low confidence means "confirm
 * with other counters". */
#include <math.h>

#include "service/base/text.h"
#include "service/derive/rules.h"

#define B(l) (1u << LORE_L_##l)
#define ISSUE(stall) "smsp__average_warps_issue_stalled_" stall "_per_issue_active.ratio"

static struct lore_reading
sm_count(struct lore_rule_run *r)
{
    struct lore_reading n = lore_rule_read(r, "device__attribute_multiprocessor_count");

    if (!n.known && r->ctx->device.units.set)
        n = (struct lore_reading){.known = true, .value = r->ctx->device.units.v, .name = "units"};
    return n;
}

static void
small_grid(struct lore_rule_run *r)
{
    struct lore_reading waves = lore_rule_read(r, "launch__waves_per_multiprocessor");
    struct lore_reading grid, sms;

    if (lore_rule_test(r, waves, '<', 0.5)) {
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
        return;
    }
    grid = lore_rule_read(r, "launch__grid_size");
    sms = sm_count(r);
    if (!sms.known)
        lore_rule_missing(r, sms.name);
    if (lore_rule_test(r, grid, '<', sms.known ? sms.value : 0) && sms.known)
        lore_rule_finding(r, LORE_CONF_MEDIUM, "the threshold is the number of SMs");
}

/* W waves of blocks take ceil(W) rounds; the missing part of the last round is idle. */
static void
tail(struct lore_rule_run *r)
{
    struct lore_reading waves = lore_rule_read(r, "launch__waves_per_multiprocessor");
    struct lore_reading idle = waves;
    bool several;

    if (waves.known) {
        idle.value = waves.value > 0 ? (ceil(waves.value) - waves.value) / ceil(waves.value) : 0;
        idle.name = lore_format(r->arena, "idle share of all rounds of %s", waves.name);
    }
    several = lore_rule_test(r, waves, '>', 1);
    if (lore_rule_test(r, idle, '>', 0.15) && several)
        lore_rule_finding(r, LORE_CONF_MEDIUM, NULL);
}

static void
uncoalesced_loads(struct lore_rule_run *r)
{
    struct lore_reading ratio = lore_rule_ratio(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1);

    if (lore_rule_test(r, ratio, '>', 5))
        lore_rule_finding(r, LORE_CONF_HIGH, "4 sectors per request are ideal for 32-bit loads");
}

static void
sparse_writes(struct lore_rule_run *r)
{
    struct lore_reading bytes =
        lore_rule_read(r, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio");

    if (!bytes.known) { /* the same quantity as a share of the 32 bytes of a sector */
        struct lore_reading pct = lore_rule_read(r, "global_store_efficiency_pct");

        if (pct.known)
            bytes = (struct lore_reading){.known = true,
                .value = 0.32 * pct.value,
                .name = lore_format(r->arena, "0.32 * %s", pct.name)};
    }
    if (lore_rule_test(r, bytes, '<', 16))
        lore_rule_finding(r, LORE_CONF_MEDIUM, "32 bytes per sector are ideal");
}

#define DRAM_READ_PCT "dram__bytes_read.sum.pct_of_peak_sustained_elapsed"

static void
latency_bound(struct lore_rule_run *r)
{
    struct lore_reading dram = lore_rule_read(r, DRAM_READ_PCT);

    if (!lore_rule_test(r, lore_rule_read(r, ISSUE("long_scoreboard")), '>', 3))
        return;
    if (dram.known && lore_rule_test(r, dram, '<', 10))
        lore_rule_finding(r, LORE_CONF_HIGH, "waits for memory without using its bandwidth");
    else
        lore_rule_finding(r, LORE_CONF_MEDIUM,
            dram.known ? NULL : DRAM_READ_PCT " was not recorded: bandwidth may be the limit");
}

static void
no_tensor_cores(struct lore_rule_run *r)
{
    struct lore_reading fma = lore_rule_read(
        r, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active|vector_util_pct");
    struct lore_reading tensor = lore_rule_read(
        r, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed|matrix_util_pct");
    bool busy = lore_rule_test(r, fma, '>', 50);

    if (lore_rule_test(r, tensor, '<', 1) && busy)
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

static void
atomics(struct lore_rule_run *r)
{
    struct lore_reading atom =
        lore_rule_read(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum");
    struct lore_reading red = lore_rule_read(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum");
    bool some = lore_rule_any(r, atom, red);

    if (lore_rule_test(r, lore_rule_read(r, ISSUE("lg_throttle")), '>', 1) && some)
        lore_rule_finding(r, LORE_CONF_LOW, "a possible contention: confirm with per-line stalls");
}

static void
occupancy_gap(struct lore_rule_run *r)
{
    struct lore_reading theory = lore_rule_read(r, "theoretical_occupancy_pct");
    struct lore_reading real = lore_rule_read(r, "achieved_occupancy_pct");
    double half = theory.known ? 0.5 * theory.value : 0;
    bool room = lore_rule_test(r, theory, '>', 50);

    if (lore_rule_test(r, real, '<', half) && room)
        lore_rule_finding(r, LORE_CONF_MEDIUM, NULL);
}

static void
spills(struct lore_rule_run *r)
{
    struct lore_reading load =
        lore_rule_read(r, "smsp__sass_inst_executed_op_local_ld.sum|spill_load_sectors");
    struct lore_reading store =
        lore_rule_read(r, "smsp__sass_inst_executed_op_local_st.sum|spill_store_sectors");
    struct lore_reading regs = lore_rule_read(r, "launch__registers_per_thread");

    if (lore_rule_any(r, load, store))
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
    else if (lore_rule_test(r, regs, '>', 128))
        lore_rule_finding(r, LORE_CONF_MEDIUM,
            load.known && store.known ? "no spills yet" : "spills were not recorded");
}

static void
fp64(struct lore_rule_run *r)
{
    if (r->ctx->fp64_expected) {
        r->note = "does not apply: the kernel computes in FP64";
        return;
    }
    if (lore_rule_test(r,
            lore_rule_read(r, "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active|"
                              "smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"),
            '>', 1))
        lore_rule_finding(r, LORE_CONF_MEDIUM, NULL);
}

static void
bubbles(struct lore_rule_run *r)
{
    bool waits = lore_rule_test(r, lore_rule_read(r, ISSUE("long_scoreboard")), '>', 2);

    if (lore_rule_test(r, lore_rule_read(r, DRAM_READ_PCT), '>', 30) && waits)
        lore_rule_finding(r, LORE_CONF_MEDIUM, "loads and arithmetic may not overlap");
}

/* Like lore_rule_compare, but with medium confidence. */
static void
medium(struct lore_rule_run *r)
{
    if (lore_rule_test(r, lore_rule_read(r, r->rule->names), r->rule->op, r->rule->threshold))
        lore_rule_finding(r, LORE_CONF_MEDIUM, NULL);
}

static void
overall_memory(struct lore_rule_run *r)
{
    struct lore_reading sm = lore_rule_read(r, "sm_throughput_pct");
    struct lore_reading mem = lore_rule_read(r, "memory_throughput_pct");

    for (size_t i = 0; i < r->n_findings; i++)
        if (lore_streq(r->findings[i].symptom, "memory-bound"))
            return;
    if (!sm.known)
        lore_rule_missing(r, sm.name);
    if (lore_rule_test(r, mem, '>', sm.known ? 1.5 * sm.value : 0) && sm.known)
        if (lore_rule_test(r, mem, '>', 30))
            lore_rule_memory_finding(
                r, 30, LORE_CONF_MEDIUM, "the first threshold is 1.5 times SM throughput");
}

static const struct lore_rule rules[] = {
    {"A", "Small grid / SM idle", "low-sm-utilization", B(OCCUPANCY), .check = small_grid},
    {"B", "Tail effect", "tail-effect", B(TAIL), .check = tail},
    {"C", "Uncoalesced global loads", "memory-bound", B(MEMORY), .check = uncoalesced_loads},
    {"D", "Sparse writes", "memory-bound", B(MEMORY), .check = sparse_writes},
    {"E", "Latency-bound", "memory-bound", B(LATENCY), .check = latency_bound},
    {"F", "Compute-bound not on tensor cores", "compute-bound", B(COMPUTE),
        .check = no_tensor_cores},
    {"G", "Atomics contention", "compute-bound", B(ATOMICS), .check = atomics},
    {"H", "Bank conflicts", "memory-bound", B(BANK_CONFLICT), .check = lore_rule_compare,
        .names = ISSUE("short_scoreboard"), .op = '>', .threshold = 2},
    {"I", "Synchronization overhead", "pipeline-stalls", B(SYNC), .check = medium,
        .names = ISSUE("barrier"), .op = '>', .threshold = 2},
    {"J", "Low achieved vs theoretical occupancy", "low-sm-utilization", B(OCCUPANCY),
        .check = occupancy_gap},
    {"K", "Register spill", "register-pressure", B(REGISTER_PRESSURE), .check = spills},
    {"L", "Unintended FP64", "compute-bound", B(COMPUTE), .check = fp64},
    {"M", "Pipeline bubbles", "pipeline-stalls", B(LATENCY), .check = bubbles},
    {"N", "Warp divergence", "compute-bound", B(DIVERGENCE), .check = medium,
        .names = "smsp__thread_inst_executed_per_inst_executed.ratio", .op = '<', .threshold = 24},
    {"_mem", "Overall memory-bound", "memory-bound", B(MEMORY), .check = overall_memory},
};

const struct lore_rule_set lore_rules_ncu_patterns = {.name = "ncu-patterns@2",
    .vocabulary = B(OCCUPANCY) | B(TAIL) | B(MEMORY) | B(LATENCY) | B(COMPUTE) | B(ATOMICS) |
                  B(BANK_CONFLICT) | B(SYNC) | B(REGISTER_PRESSURE) | B(DIVERGENCE) | B(CACHE),
    .vendor = "nvidia",
    .rules = rules,
    .n = sizeof rules / sizeof *rules};
