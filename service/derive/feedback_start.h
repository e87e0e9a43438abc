/* How versions to start from did that were proposed: the fraction of the best known that was stated
 * against the one that came true. Pure. docs/feedback.md has the definitions. */
#ifndef LORE_DERIVE_FEEDBACK_START_H
#define LORE_DERIVE_FEEDBACK_START_H

#include "service/wire/advice.h"

/* Fewer versions with a time in a place do not tell what the best of it is. */
enum { LORE_START_KNOWN = 10 };

struct lore_start_sum {
    int64_t tried;   /* proposals that were run */
    int64_t failed;  /* of these */
    double p_fail;   /* mean stated over those tried */
    int64_t decided; /* that ran where LORE_START_KNOWN versions have a time */
    double stated;   /* mean stated fraction of those decided */
    double came;     /* mean fraction of the best known that came true */
    int64_t inside;  /* of those decided: within the stated interval */
};
/* A proposal's outcome is its first run that says something: whoever runs it again knows more than
 * the advice did. */
void lore_start_sum(const struct lore_start_result *v, size_t n, struct lore_start_sum *out);

#endif
