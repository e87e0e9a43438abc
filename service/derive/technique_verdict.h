/* The verdict on one technique of one experiment, policy technique-verdict@3. Pure functions.
 * A technique is effective only with proof. The verdict does not affect the kernel: a champion
 * without the signature of a technique stays the champion. ISA is the result of searching the
 * machine code for that signature. In this order:
 *
 *   1. ISA missing                         -> implementation_failed: the code lacks the signature
 *   2. correctness fail or timeout         -> implementation_failed with one technique,
 *                                             unattributed with several (the cause is unknown)
 *   3. effect not measured or inconclusive -> not_measured
 *   4. contributed no                      -> ineffective
 *   5. effect neutral or loss              -> ineffective with one technique; unattributed with
 *                                             several, even if an ablation shows a contribution
 *   6. a win:
 *      correctness not checked             -> not_measured
 *      several techniques, contribution unknown -> unattributed
 *      ISA unavailable, inconclusive, not checked -> unattributed: a gain without proof that the
 *                                             technique is what ran
 *      otherwise                           -> effective (one technique needs no ablation: the
 *                                             version before is one)
 * ISA `not_applicable` still allows `effective`. If no signature exists, `not_checked` allows it,
 * too, because a check could not find anything. */
#ifndef LORE_DERIVE_TECHNIQUE_VERDICT_H
#define LORE_DERIVE_TECHNIQUE_VERDICT_H

#include "service/derive/ablation.h"

#define LORE_TECHNIQUE_POLICY "technique-verdict@3"

enum lore_signature_state {
    LORE_SIG_NOT_CHECKED,
    LORE_SIG_VERIFIED,
    LORE_SIG_MISSING,
    LORE_SIG_NOT_APPLICABLE,
    LORE_SIG_UNAVAILABLE,
    LORE_SIG_INCONCLUSIVE,
    LORE_SIG_COUNT
};
const char *
lore_signature_state_name(enum lore_signature_state s); /* "not_checked", "verified", … */
/* NULL and "" are not_checked; LORE_SIG_COUNT: unknown word. */
enum lore_signature_state lore_signature_state_find(const char *name);

enum lore_technique_verdict {
    LORE_TV_NOT_MEASURED,
    LORE_TV_EFFECTIVE,
    LORE_TV_INEFFECTIVE,
    LORE_TV_IMPLEMENTATION_FAILED,
    LORE_TV_UNATTRIBUTED,
    LORE_TV_COUNT
};
const char *lore_technique_verdict_name(enum lore_technique_verdict v);

struct lore_technique_facts {
    enum lore_effect effect; /* of the experiment */
    enum lore_check correctness;
    size_t n_techniques; /* of the experiment; 0 counts as 1 */
    enum lore_contributed contributed;
    enum lore_signature_state isa;
    bool no_signature; /* no signature exists, on the chip if that is known */
    bool claimed;      /* nobody measured the experiment: its numbers are only stated */
};
/* *reason (may be NULL): static, one clause. */
enum lore_technique_verdict
lore_technique_judge(const struct lore_technique_facts *facts, const char **reason);

#endif
