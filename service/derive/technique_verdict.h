/* The verdict on one technique of one experiment, policy technique-verdict@2. Pure; fails closed:
 * what is not proved is not effective. It says nothing about the kernel: a champion whose
 * signature is missing stays the champion. In this order:
 *
 *   1. ISA missing                         -> implementation_failed: the code does not have it
 *   2. correctness fail or timeout         -> implementation_failed with one technique,
 *                                             unattributed with several (which one broke it?)
 *   3. effect not measured or inconclusive -> not_measured
 *   4. contributed no                      -> ineffective
 *   5. effect loss                         -> ineffective with one technique; with several
 *                                             unattributed, whatever its own ablation says
 *   6. a gain (win, or neutral 2-5 %):
 *      correctness not checked             -> not_measured
 *      several techniques, contribution unknown -> unattributed
 *      ISA unavailable, inconclusive, not checked -> unattributed: a gain without proof that the
 *                                             technique is what ran
 *      otherwise                           -> effective (one technique needs no ablation: its
 *                                             parent is one)
 * ISA not_applicable does not block. Nor does not_checked where no signature exists: there is
 * nothing that a check could find (in @1 it blocked, so that such techniques stayed unattributed
 * however well they were ablated). */
#ifndef LORE_DERIVE_TECHNIQUE_VERDICT_H
#define LORE_DERIVE_TECHNIQUE_VERDICT_H

#include "service/derive/ablation.h"

#define LORE_TECHNIQUE_POLICY "technique-verdict@2"

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
    bool no_signature; /* none exists for it, on the chip in question where that is known */
};
/* *reason (may be NULL): static, one clause. */
enum lore_technique_verdict
lore_technique_judge(const struct lore_technique_facts *facts, const char **reason);

#endif
