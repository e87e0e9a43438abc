/* roofline-gaps@1: the axis with the most unused capacity. Its vocabulary is three labels. A
 * roofline does not show waiting at barriers, so this set cannot report `sync`. A label that a set
 * does not report may still be true. A gap is unused capacity, so this set may name another side
 * than speed-of-light does. Both findings are kept, and this one has low confidence. */
#include "service/derive/gaps.h"
#include "service/derive/rules.h"

#define B(l) (1u << LORE_L_##l)

static void
largest_gap(struct lore_rule_run *r)
{
    static const uint32_t bits[LORE_BOUND_COUNT] = {[LORE_BOUND_COMPUTE] = B(COMPUTE),
        [LORE_BOUND_MEMORY] = B(MEMORY),
        [LORE_BOUND_LATENCY] = B(LATENCY)};
    struct lore_metrics m = {.v = (struct lore_metric *)r->profile->v, .n = r->profile->n};
    struct lore_gaps g;

    lore_roofline_gaps(&m, r->ctx->degraded, LORE_GAPS_STRICT, r->arena, &g);
    for (size_t i = 0; i < g.n_unknown; i++)
        lore_rule_missing(r, g.unknown_inputs[i]);
    if (g.bound == LORE_BOUND_UNKNOWN)
        return;
    lore_rule_finding_labels(r, bits[g.bound], LORE_CONF_LOW,
        lore_format(r->arena,
            "gaps: compute %.4f, memory %.4f, latency %.4f; verdict: %s (near peak: all < 0.15)",
            g.compute.v, g.memory.v, g.latency.v,
            g.bound == LORE_BOUND_NEAR_PEAK ? "near peak" : lore_bound_name(g.bound)));
}

static const struct lore_rule rules[] = {
    {"largest-gap", "Largest roofline gap", NULL, 0, .check = largest_gap},
};

const struct lore_rule_set lore_rules_roofline_gaps = {.name = "roofline-gaps@1",
    .vocabulary = B(COMPUTE) | B(MEMORY) | B(LATENCY),
    .rules = rules,
    .n = sizeof rules / sizeof *rules};
