/* The seed workflow's own attribution and classification, kept exactly, for records that it made
 * and for comparing with them. Its weaknesses are kept: no ablation counts as "did not contribute",
 * a failed validation may land nowhere. Warplore's verdicts do not use this (ablation.h). Pure. */
#ifndef LORE_DERIVE_ABLATION_SEED_H
#define LORE_DERIVE_ABLATION_SEED_H

#include "service/wire/record.h"

enum lore_seed_ablated {
    LORE_SEED_NO_KERNEL,    /* nobody provided an ablated kernel */
    LORE_SEED_KERNEL_WRONG, /* it failed validation: the method is called essential */
    LORE_SEED_KERNEL_UNTIMED,
    LORE_SEED_KERNEL_TIMED
};
enum lore_seed_bool { LORE_SEED_NONE, LORE_SEED_FALSE, LORE_SEED_TRUE }; /* None, False, True */

struct lore_seed_attribution {
    struct lore_f64 ms, pct; /* unset: null */
    enum lore_seed_bool contributed;
    const char *note; /* as its files say it; "" for none */
};
/* ms = ablated - champion; pct of the champion; contributed <=> pct > noise_pct. No kernel: 0.0,
 * false. Wrong kernel: null, true. Untimed: null, None. ABLATED_MS counts when it is timed. */
struct lore_seed_attribution lore_seed_attribute(
    enum lore_seed_ablated state, double ablated_ms, double champion_ms, double noise_pct);

enum lore_seed_class {
    LORE_SEED_NOWHERE, /* in none of its three lists */
    LORE_SEED_EFFECTIVE,
    LORE_SEED_INEFFECTIVE,
    LORE_SEED_IMPLEMENTATION_FAILED
};
/* In the order of its code: sass verified == false -> implementation_failed; contributed true or
 * None, and validation passed -> effective when improved, else ineffective; contributed false ->
 * ineffective; everything else (failed validation) lands nowhere. */
enum lore_seed_class lore_seed_classify(enum lore_seed_bool sass_verified,
    enum lore_seed_bool contributed, bool validation_passed, bool improved);
/* "nowhere", "effective", "ineffective", "implementation_failed". */
const char *lore_seed_class_name(enum lore_seed_class c);

#endif
