/* The rank of a knowledge record, as the wiki whose records are imported computes it. Pure.
 *
 *   score = clamp(prior + 0.35 signed_feedback confidence + usage_bonus, 0, 1) * recency
 *   recency = 0.5 + 0.5 * 0.5^(age_days / 90)
 *   signed_feedback = (effective - ineffective) / (effective + ineffective), 0 without feedback
 *   confidence = min(1, (effective + ineffective) / 8)
 *
 * For an anti-strategy "effective" means that the warning held. Tiers (proven, promising,
 * provisional, cautionary) are kept as read: their formula is not known. */
#ifndef LORE_DERIVE_WIKI_RANK_H
#define LORE_DERIVE_WIKI_RANK_H

#include <stddef.h>

#include "service/wire/record.h"

struct lore_wiki_rank_in {
    const char *type;              /* technique-card, anti-strategy … */
    struct lore_f64 prior;         /* of the record; unset: the base prior of its type */
    size_t effective, ineffective; /* verified_effective, verified_ineffective */
    struct lore_f64 usage_bonus;   /* of the record; unset: 0, none was given */
    struct lore_f64 age_days;      /* since last used or computed; unset: unknown */
};
struct lore_wiki_rank {
    struct lore_f64 score; /* unset when a component is unknown */
    const char *unknown;   /* static: "prior" | "age_days"; "" for none */
    struct lore_f64 prior, recency;
    double signed_feedback, confidence, feedback_adjust, usage_bonus;
};
/* A negative age counts as 0: clocks differ. */
void lore_wiki_rank(const struct lore_wiki_rank_in *in, struct lore_wiki_rank *out);
/* Base prior by type: anti-strategy 0.45 (its bonuses for rediscovery, operators and failure rate
 * are known only by name), technique-card 0.55, symptom-card 0.55, doc 0.40, reference-kernel
 * 0.45. Unset for every other type. */
struct lore_f64 lore_wiki_prior(const char *type);
/* Warplore's feedback on the advice (the technique WORKED, DID_NOT) as the counters of a record of
 * TYPE: for an anti-strategy a technique that did not work means that the warning held. */
void lore_wiki_feedback(
    const char *type, size_t worked, size_t did_not, size_t *effective, size_t *ineffective);

#endif
