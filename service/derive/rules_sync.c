/* sync@1: evidence for `sync`, which few counters show. CDNA counts the cycles in which waves exist
 * (SQ_WAVE_CYCLES), issue (SQ_ACTIVE_INST_ANY), cannot issue (SQ_WAIT_INST_ANY) and wait
 * (SQ_WAIT_ANY). Waits at s_barrier and waits for memory at s_waitcnt share one counter. A copy
 * kernel without barriers on an MI300X waits for 76 % of its wave cycles. So a high wait share
 * alone gives `latency`. `sync` also needs barriers in the code, and has higher confidence if DRAM
 * is known not to be busy. NVIDIA counts barrier stalls directly.
 *
 * The thresholds are policies that keep the copy kernel out of `sync`; no survey supports them. On
 * AMD: waits above 40 % of wave cycles, one barrier per 10 s_waitcnt in the code, and one s_waitcnt
 * per 8 instructions. On NVIDIA: barrier stalls above 2 warps per issue (as in ncu-patterns) or 20
 * %. */
#include "service/derive/rules.h"

#define B(l) (1u << LORE_L_##l)
static const double waits_much = 0.4;

static struct lore_reading
wait_share(struct lore_rule_run *r)
{
    return lore_rule_ratio(r, "SQ_WAIT_ANY", "SQ_WAVE_CYCLES", 1);
}

/* Names of the instruction counts in an ISA histogram. */
#define ISA(op) "isa_" op "|isa." op "|" op

static void
barrier_waits(struct lore_rule_run *r)
{
    struct lore_reading dram = lore_rule_read(r, "dram_throughput_pct");
    bool waits = lore_rule_test(r, wait_share(r), '>', waits_much);
    bool barriers = lore_rule_test(r, lore_rule_read(r, ISA("s_barrier")), '>', 0);
    bool dense =
        lore_rule_test(r, lore_rule_ratio(r, ISA("s_barrier"), ISA("s_waitcnt"), 1), 'g', 0.1);

    if (!(waits && barriers && dense))
        return;
    if (dram.known && lore_rule_test(r, dram, '<', 40))
        lore_rule_finding(r, LORE_CONF_MEDIUM, "DRAM does not explain the waiting");
    else
        lore_rule_finding(r, LORE_CONF_LOW,
            dram.known ? "DRAM is busy: part of the waiting is for memory"
                       : "DRAM throughput was not recorded: the waiting may be for memory");
}

static void
waitcnt_dense(struct lore_rule_run *r)
{
    bool waits = lore_rule_test(r, wait_share(r), '>', waits_much);
    struct lore_reading density =
        lore_rule_ratio(r, ISA("s_waitcnt"), "isa_instructions|isa.instructions|isa_total", 1);

    if (lore_rule_test(r, density, 'g', 0.125) && waits)
        lore_rule_finding(r, LORE_CONF_LOW,
            "a wave waits for its own operations; see barrier-waits for barriers");
}

static void
wave_waits(struct lore_rule_run *r)
{
    if (lore_rule_test(r, wait_share(r), '>', waits_much))
        lore_rule_finding(r, LORE_CONF_LOW,
            "the counter does not separate waits for memory from waits at barriers");
}

/* Waves are ready but the units are busy, which is the opposite of waiting at barriers. */
static void
issue_contention(struct lore_rule_run *r)
{
    if (lore_rule_test(
            r, lore_rule_ratio(r, "SQ_WAIT_INST_ANY", "SQ_WAVE_CYCLES", 1), '>', waits_much))
        lore_rule_finding(r, LORE_CONF_LOW, "normal where matrix units are busy");
}

static void
nvidia_barrier(struct lore_rule_run *r)
{
    struct lore_reading ratio = lore_rule_read(r, "stall_barrier_per_issue");
    struct lore_reading pct = lore_rule_read(r, "stall_barrier_pct");
    struct lore_reading matrix = lore_rule_read(r, "matrix_util_pct");
    bool full = matrix.known && matrix.value >= LORE_RULE_PIPE_FULL;
    const char *note =
        full ? "the matrix pipe is near its peak: warps wait for it by design" : NULL;
    enum lore_confidence sure = full ? LORE_CONF_LOW : LORE_CONF_MEDIUM;

    if (!ratio.known && pct.known) {
        if (lore_rule_test(r, pct, '>', 20))
            lore_rule_finding(r, sure, note);
    } else if (lore_rule_test(r, ratio, '>', 2)) {
        lore_rule_finding(r, sure, note);
    }
}

static const struct lore_rule rules[] = {
    {"barrier-waits", "Waves wait, and the code has barriers", NULL, B(SYNC),
        .check = barrier_waits},
    {"waitcnt-dense", "Waves wait, and the code has many wait instructions", NULL,
        B(SYNC) | B(LATENCY), true, .check = waitcnt_dense},
    {"wave-waits", "Waves mostly wait", NULL, B(LATENCY), true, .check = wave_waits},
    {"issue-contention", "Waves compete for issue slots", NULL, B(COMPUTE), true,
        .check = issue_contention},
    {"barrier-stall", "Warps stall at barriers", NULL, B(SYNC), .check = nvidia_barrier},
};

const struct lore_rule_set lore_rules_sync = {.name = "sync@1",
    .vocabulary = B(SYNC) | B(LATENCY) | B(COMPUTE),
    .rules = rules,
    .n = sizeof rules / sizeof *rules};
