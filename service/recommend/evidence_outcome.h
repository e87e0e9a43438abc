/* What came of an experiment for one technique, as a 64-bit key (evidence_keys.h), and what that
 * counts as. Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_OUTCOME_H
#define LORE_RECOMMEND_EVIDENCE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

struct lore_row_outcome {
    uint8_t effect, correctness, share, siblings;
    bool said_lost, first, measured; /* measured: it has a speedup */
    bool labels_derived;
};
uint64_t lore_outcome_key(struct lore_row_outcome o);
struct lore_row_outcome lore_outcome_of(uint64_t key);

/* Number 0 is of no outcome: no row has it. */
#define LORE_NO_OUTCOME 0

/* What an outcome counts as. */
struct lore_judged {
    uint8_t effect; /* of the technique: neutral when there was none of its own */
    bool wrong, said, counts;
    bool won;           /* the experiment */
    bool none;          /* it won, and ablation or machine code say: not by this technique */
    bool inert, absent; /* why */
    bool own, lost;     /* won, or lost, by this technique */
    bool gains, has_x;  /* enters the expected gain; with its speedup, not with none */
};
struct lore_judged lore_judge(struct lore_row_outcome o);

#endif
