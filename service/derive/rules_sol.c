/* speed-of-light@2: which side of the machine is near its limit. The thresholds of 60 % and 40 %
 * are in common use. The limiting side must be 1.5 times the other: if one is at 60 %, the other is
 * at most 40 %. So memory-bound, compute-bound and latency-bound exclude each other. A hit rate
 * below 50 % is low, and a stall counts above one warp per issue. These numbers are policies of
 * this set, not measurements.
 *
 * The memory side is Nsight Compute's memory throughput, else DRAM throughput. The former is the
 * busiest of L1/TEX, L2 and DRAM: with an idle DRAM the label is cache and not memory. The latter
 * does not show limits in L2 or shared memory, so "latency-bound" then has lower confidence.
 * Secondary signals are not part of the labels, because nearly every kernel shows some. */
#include "service/derive/rules.h"

#define B(l) (1u << LORE_L_##l)
static const double high = 60, low = 40; /* % of peak */
static const double much = 1.5;

static struct lore_reading
memory_side(struct lore_rule_run *r)
{
    return lore_rule_read(r, "memory_throughput_pct|dram_throughput_pct");
}

/* Whether A and B are known. A missing one is recorded. */
static bool
both(struct lore_rule_run *r, struct lore_reading a, struct lore_reading b)
{
    if (!a.known)
        lore_rule_missing(r, a.name);
    if (!b.known)
        lore_rule_missing(r, b.name);
    return a.known && b.known;
}

static void
one_side(struct lore_rule_run *r, struct lore_reading side, struct lore_reading other)
{
    if (!both(r, side, other))
        return;
    if (lore_rule_test(r, side, '>', high) && lore_rule_test(r, other, 'l', side.value / much))
        lore_rule_finding(r, LORE_CONF_HIGH, "the second threshold is the first value / 1.5");
}

/* The memory side is the limit: DRAM, or a cache or shared memory when DRAM is not busy. */
static void
memory_bound(struct lore_rule_run *r)
{
    struct lore_reading side = memory_side(r), other = lore_rule_sm_side(r);

    if (!both(r, side, other))
        return;
    if (lore_rule_test(r, side, '>', high) && lore_rule_test(r, other, 'l', side.value / much))
        lore_rule_memory_finding(
            r, high, LORE_CONF_HIGH, "the second threshold is the first value / 1.5");
}

/* A matrix pipe near its peak is the limit, however busy memory is. */
static void
compute_bound(struct lore_rule_run *r)
{
    if (lore_rule_test(r, lore_rule_read(r, "matrix_util_pct"), 'g', LORE_RULE_PIPE_FULL))
        lore_rule_finding(r, LORE_CONF_HIGH, "the matrix pipe is near its peak");
    else
        one_side(r, lore_rule_sm_side(r), memory_side(r));
}

static void
latency_bound(struct lore_rule_run *r)
{
    struct lore_reading all = lore_rule_read(r, "memory_throughput_pct");
    bool idle = lore_rule_test(r, memory_side(r), '<', low);

    if (lore_rule_test(r, lore_rule_sm_side(r), '<', low) && idle)
        lore_rule_finding(r, all.known ? LORE_CONF_HIGH : LORE_CONF_MEDIUM,
            all.known ? NULL : "only DRAM was recorded: L2 or shared memory may be the limit");
}

/* The single resource that allows the fewest blocks; NULL: there are several, or too few are
 * known. */
static const char *
limiting_factor(struct lore_rule_run *r)
{
    static const char *const limits[] = {"launch__occupancy_limit_registers",
        "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps",
        "launch__occupancy_limit_blocks"};
    struct lore_reading least = {0};
    size_t known = 0, n_least = 0;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct lore_reading limit = lore_rule_read(r, limits[i]);

        known += limit.known;
        if (!limit.known || (least.known && limit.value > least.value))
            continue;
        n_least = least.known && limit.value == least.value ? n_least + 1 : 1;
        least = limit;
    }
    if (known < 2 || n_least != 1)
        return NULL;
    return lore_format(r->arena, "limited first by %s = %.6g", least.name, least.value);
}

static void
occupancy_bound(struct lore_rule_run *r)
{
    struct lore_reading theory = lore_rule_read(r, "theoretical_occupancy_pct");
    struct lore_reading real = lore_rule_read(r, "achieved_occupancy_pct");
    const char *factor;

    if (!both(r, theory, real) || !lore_rule_test(r, real, 'l', theory.value / much))
        return;
    factor = limiting_factor(r);
    lore_rule_finding(r, factor != NULL ? LORE_CONF_MEDIUM : LORE_CONF_LOW,
        lore_format(r->arena, "the threshold is the theoretical occupancy of %.6g / 1.5; %s",
            theory.value, factor != NULL ? factor : "no single limiting factor is recorded"));
}

static void
mixed(struct lore_rule_run *r)
{
    struct lore_reading memory = memory_side(r), sm = lore_rule_sm_side(r);

    if (!both(r, memory, sm) || r->n_findings > 0)
        return;
    lore_rule_finding(r, LORE_CONF_LOW,
        lore_format(r->arena, "no single dominant symptom: %s = %.6g, %s = %.6g", memory.name,
            memory.value, sm.name, sm.value));
}

/* One pipe is much busier than the next. */
static void
imbalanced_pipes(struct lore_rule_run *r)
{
    static const char *const pipes[] = {"vector_util_pct", "matrix_util_pct", "lsu_util_pct"};
    struct lore_reading top = {0}, next = {0};

    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++) {
        struct lore_reading pipe = lore_rule_read(r, pipes[i]);

        if (!pipe.known) {
            lore_rule_missing(r, pipe.name);
        } else if (!top.known || pipe.value > top.value) {
            next = top;
            top = pipe;
        } else if (!next.known || pipe.value > next.value) {
            next = pipe;
        }
    }
    if (next.known && lore_rule_test(r, top, '>', high) &&
        lore_rule_test(r, next, 'l', top.value / much))
        lore_rule_finding(r, LORE_CONF_LOW, "the second threshold is the first value / 1.5");
}

static void
sectors(struct lore_rule_run *r)
{
    if (lore_rule_test(r,
            lore_rule_ratio(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1),
            '>', 1))
        lore_rule_finding(r, LORE_CONF_LOW, "4 are ideal for 32-bit loads");
}

static void
branches(struct lore_rule_run *r)
{
    if (lore_rule_test(
            r, lore_rule_ratio(r, "divergent_branch_targets", "branch_targets", 100), '>', 0))
        lore_rule_finding(r, LORE_CONF_LOW, "branch efficiency is below 100 %");
}

static void
spills(struct lore_rule_run *r)
{
    struct lore_reading load =
        lore_rule_read(r, "spill_load_sectors|smsp__sass_inst_executed_op_local_ld.sum");
    struct lore_reading store =
        lore_rule_read(r, "spill_store_sectors|smsp__sass_inst_executed_op_local_st.sum");

    if (lore_rule_any(r, load, store))
        lore_rule_finding(r, LORE_CONF_LOW, NULL);
}

#define VERDICT(pattern, label, bits, fn)                                                          \
    {                                                                                              \
        pattern, label, NULL, bits, false, fn, NULL, 0, 0                                          \
    }
#define SIGNAL(pattern, label, bits, fn)                                                           \
    {                                                                                              \
        pattern, label, NULL, bits, true, fn, NULL, 0, 0                                           \
    }
#define COMPARE(pattern, label, bits, names, op, threshold)                                        \
    {                                                                                              \
        pattern, label, NULL, bits, true, lore_rule_compare, names, op, threshold                  \
    }

static const struct lore_rule rules[] = {
    VERDICT("memory-bound", "Memory-Bound", B(MEMORY), memory_bound),
    VERDICT("compute-bound", "Compute-Bound", B(COMPUTE), compute_bound),
    VERDICT("latency-bound", "Latency-Bound", B(LATENCY), latency_bound),
    VERDICT("occupancy-bound", "Occupancy-Bound", B(OCCUPANCY), occupancy_bound),
    VERDICT("mixed", "Mixed", 0, mixed),
    COMPARE("load-efficiency", "Global loads use part of a sector", B(MEMORY),
        "global_load_efficiency_pct", '<', 100),
    COMPARE("store-efficiency", "Global stores use part of a sector", B(MEMORY),
        "global_store_efficiency_pct", '<', 100),
    SIGNAL("sectors-per-request", "Several sectors per request", B(MEMORY), sectors),
    COMPARE("l1-hit", "Low L1 hit rate", B(MEMORY) | B(CACHE), "l1_hit_pct", '<', 50),
    COMPARE("l2-hit", "Low L2 hit rate", B(MEMORY) | B(CACHE), "l2_hit_pct", '<', 50),
    COMPARE("shared-efficiency", "Shared memory wavefronts carry few bytes",
        B(MEMORY) | B(BANK_CONFLICT), "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct",
        '<', 100),
    SIGNAL("pipes", "Imbalanced pipes", B(COMPUTE), imbalanced_pipes),
    COMPARE("issue-slots", "Few issue slots used", B(COMPUTE), "issue_util_pct", '<', 50),
    COMPARE("warp-efficiency", "Lanes masked off", B(COMPUTE) | B(DIVERGENCE),
        "smsp__thread_inst_executed_per_inst_executed.ratio", '<', 32),
    COMPARE("lane-efficiency", "Lanes masked off", B(COMPUTE) | B(DIVERGENCE),
        "lane_efficiency_pct", '<', 100),
    SIGNAL("spills", "Register spills", B(REGISTER_PRESSURE) | B(COMPUTE) | B(LATENCY), spills),
    COMPARE("stall-barrier", "Warps wait at barriers", B(LATENCY) | B(SYNC),
        "stall_barrier_per_issue", '>', 1),
    COMPARE("stall-long-scoreboard", "Warps wait for global memory", B(LATENCY),
        "stall_long_scoreboard_per_issue", '>', 1),
    COMPARE("stall-short-scoreboard", "Warps wait for shared memory or L1", B(LATENCY),
        "stall_short_scoreboard_per_issue", '>', 1),
    SIGNAL("branch-efficiency", "Divergent branches", B(COMPUTE) | B(DIVERGENCE), branches),
};

const struct lore_rule_set lore_rules_speed_of_light = {.name = "speed-of-light@2",
    .vocabulary = B(MEMORY) | B(COMPUTE) | B(LATENCY) | B(OCCUPANCY) | B(CACHE) | B(BANK_CONFLICT) |
                  B(DIVERGENCE) | B(REGISTER_PRESSURE) | B(SYNC),
    .rules = rules,
    .n = sizeof rules / sizeof *rules};
