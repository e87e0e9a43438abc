/* How proposed start versions performed: the predicted speed, as a fraction of the best known,
 * compared with the measured one. Pure functions. docs/feedback.md has the definitions. */
#ifndef LORE_DERIVE_FEEDBACK_START_H
#define LORE_DERIVE_FEEDBACK_START_H

#include "service/wire/advice.h"

/* Timed versions that a workload and chip need before their best time counts as known. */
enum { LORE_START_KNOWN = 10 };

struct lore_start_sum {
    int64_t tried;   /* proposals that were run */
    int64_t failed;  /* tried proposals that failed */
    double p_fail;   /* mean predicted failure probability of tried proposals */
    int64_t decided; /* tried, did not fail, and the best time is known */
    double stated;   /* mean predicted fraction of decided proposals */
    double came;     /* mean measured fraction of decided proposals */
    int64_t inside;  /* decided proposals within their predicted interval */
};
/* Only the first decisive run of a proposal counts: later runs use knowledge that the advice did
 * not have. */
void lore_start_sum(const struct lore_start_result *v, size_t n, struct lore_start_sum *out);

#endif
