/* Attribution and three-way classification as the seed workflow's code does them, not as its
 * documentation says ("effective only if attribution exceeds noise and the signature is found"). */
#include "service/derive/ablation_seed.h"

struct lore_seed_attribution
lore_seed_attribute(
    enum lore_seed_ablated state, double ablated_ms, double champion_ms, double noise_pct)
{
    struct lore_seed_attribution out = {.note = ""};

    switch (state) {
    case LORE_SEED_NO_KERNEL:
        out.ms = out.pct = (struct lore_f64){true, 0};
        out.contributed = LORE_SEED_FALSE;
        out.note = "no_ablated_kernel_provided";
        return out;
    case LORE_SEED_KERNEL_WRONG:
        out.contributed = LORE_SEED_TRUE;
        out.note = "ablated_kernel_failed_validation_method_essential";
        return out;
    case LORE_SEED_KERNEL_UNTIMED:
        out.note = "no_timing_in_ablated_bench";
        return out;
    case LORE_SEED_KERNEL_TIMED:
        break;
    }
    out.ms = (struct lore_f64){true, ablated_ms - champion_ms};
    if (champion_ms <= 0) /* a share of nothing */
        return out;
    out.pct = (struct lore_f64){true, out.ms.v / champion_ms * 100};
    out.contributed = out.pct.v > noise_pct ? LORE_SEED_TRUE : LORE_SEED_FALSE;
    return out;
}

enum lore_seed_class
lore_seed_classify(enum lore_seed_bool sass_verified, enum lore_seed_bool contributed,
    bool validation_passed, bool improved)
{
    if (sass_verified == LORE_SEED_FALSE)
        return LORE_SEED_IMPLEMENTATION_FAILED;
    if (contributed != LORE_SEED_FALSE && validation_passed)
        return improved ? LORE_SEED_EFFECTIVE : LORE_SEED_INEFFECTIVE;
    return contributed == LORE_SEED_FALSE ? LORE_SEED_INEFFECTIVE : LORE_SEED_NOWHERE;
}

const char *
lore_seed_class_name(enum lore_seed_class c)
{
    static const char *const names[] = {
        "nowhere", "effective", "ineffective", "implementation_failed"};

    return c <= LORE_SEED_IMPLEMENTATION_FAILED ? names[c] : "nowhere";
}
