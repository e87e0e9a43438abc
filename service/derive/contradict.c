/* Contradictions between a declared label and its own metrics. The rules for memory and compute
 * mirror speed-of-light: a side is excluded if it is below 40 % and the other is above 60 %. So
 * these labels are contradicted only where the opposite verdict is clear. The memory side is the
 * largest of all recorded memory metrics, because L2 or shared memory may limit a kernel that DRAM
 * does not. */
#include "service/derive/contradict.h"

#include "service/derive/rules.h"

static const double high = 60, low = 40; /* % of peak, as in speed-of-light@2 */

/* The largest known reading of NAMES; if none is known, the unknown first one. */
static struct lore_reading
busiest(struct lore_rule_run *r, const char *const *names, size_t n)
{
    struct lore_reading most = lore_rule_read(r, names[0]);

    for (size_t i = 1; i < n; i++) {
        struct lore_reading one = lore_rule_read(r, names[i]);

        if (one.known && (!most.known || one.value > most.value))
            most = one;
    }
    return most;
}

static struct lore_reading
memory_side(struct lore_rule_run *r)
{
    static const char *const names[] = {
        "memory_throughput_pct", "dram_throughput_pct", "l2_throughput_pct", "smem_throughput_pct"};
    return busiest(r, names, sizeof names / sizeof *names);
}

static struct lore_reading
compute_side(struct lore_rule_run *r)
{
    static const char *const names[] = {"sm_throughput_pct", "matrix_util_pct", "vector_util_pct"};
    return busiest(r, names, sizeof names / sizeof *names);
}

static void
memory(struct lore_rule_run *r)
{
    bool idle = lore_rule_test(r, memory_side(r), '<', low);

    if (lore_rule_test(r, lore_rule_sm_side(r), '>', high) && idle)
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

/* The SM side must be known, because one idle pipe does not show that the others are idle. */
static void
compute(struct lore_rule_run *r)
{
    bool idle = lore_rule_sm_side(r).known && lore_rule_test(r, compute_side(r), '<', low);

    if (lore_rule_test(r, memory_side(r), '>', high) && idle)
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

/* Above 80 % of a peak, waiting cannot be the main limit. */
static void
latency(struct lore_rule_run *r)
{
    if (lore_rule_test(r, memory_side(r), '>', 80) || lore_rule_test(r, compute_side(r), '>', 80))
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

/* Occupancy is excluded if SMs are nearly full and every SM has blocks. */
static void
occupancy(struct lore_rule_run *r)
{
    if (lore_rule_test(r, lore_rule_read(r, "achieved_occupancy_pct"), '>', 80) &&
        lore_rule_test(r, lore_rule_read(r, "waves_per_unit"), 'g', 1))
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

/* With 31.5 of 32 lanes active, masked lanes cost less than 2 %. */
static void
divergence(struct lore_rule_run *r)
{
    if (lore_rule_test(
            r, lore_rule_read(r, "smsp__thread_inst_executed_per_inst_executed.ratio"), 'g', 31.5))
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

/* With 32 registers per thread, the 65536 registers of an SM suffice for its 2048 threads. */
static void
registers(struct lore_rule_run *r)
{
    if (lore_rule_test(r, lore_rule_read(r, "registers_per_thread"), 'l', 32) &&
        lore_rule_test(r, lore_rule_read(r, "spill_load_sectors"), 'l', 0) &&
        lore_rule_test(r, lore_rule_read(r, "spill_store_sectors"), 'l', 0))
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

static void
bank_conflicts(struct lore_rule_run *r)
{
    if (lore_rule_test(r,
            lore_rule_read(r, "smem_bank_conflicts|smem_bank_conflict_cycles|LDSBankConflict|"
                              "l1_bank_conflicts"),
            'l', 0))
        lore_rule_finding(r, LORE_CONF_HIGH, NULL);
}

static const struct {
    enum lore_label label;
    void (*check)(struct lore_rule_run *r);
} checks[] = {
    {LORE_L_MEMORY, memory},
    {LORE_L_COMPUTE, compute},
    {LORE_L_LATENCY, latency},
    {LORE_L_OCCUPANCY, occupancy},
    {LORE_L_DIVERGENCE, divergence},
    {LORE_L_REGISTER_PRESSURE, registers},
    {LORE_L_BANK_CONFLICT, bank_conflicts},
};

const struct lore_contradiction *
lore_label_contradictions(uint32_t declared, const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena, size_t *n)
{
    static const struct lore_diagnose_context nothing;
    struct lore_metrics all = lore_rules_complete(metrics, ctx, arena);
    struct lore_profile profile = lore_profile_open(&all, arena);
    struct lore_contradiction *out = NULL;
    size_t cap = 0;

    *n = 0;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct lore_rule rule = {.labels = 1u << checks[i].label, .check = checks[i].check};
        struct lore_rule_run r = {.profile = &profile,
            .ctx = ctx != NULL ? ctx : &nothing,
            .arena = arena,
            .vocabulary = rule.labels,
            .rule = &rule};

        if (!(declared >> checks[i].label & 1))
            continue;
        checks[i].check(&r);
        if (!r.reported)
            continue;
        *LORE_PUSH(arena, out, *n, cap) = (struct lore_contradiction){checks[i].label,
            lore_format(arena, "%s was declared, but %s", lore_label_name(checks[i].label),
                lore_tests_text(arena, r.tests, r.n_tests)),
            r.tests, r.n_tests};
    }
    return out;
}
