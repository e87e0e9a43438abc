/* Outcomes (evidence_outcome.h): they fit into 64 bits, so their keys are what they say. There are
 * a few hundred; what one counts as is found out wherever it is needed. */
#include "service/recommend/evidence_outcome.h"

#include "service/catalogue/catalogue.h"
#include "service/wire/feed.h"

uint64_t
lore_outcome_key(struct lore_row_outcome o)
{
    return (uint64_t)o.labels_derived << 32 | (uint64_t)o.siblings << 24 |
           (uint64_t)o.effect << 16 | (uint64_t)o.correctness << 8 | (uint64_t)o.share << 4 |
           (uint64_t)o.said_lost << 3 | (uint64_t)o.first << 1 | (uint64_t)o.measured;
}

struct lore_row_outcome
lore_outcome_of(uint64_t key)
{
    return (struct lore_row_outcome){
        .siblings = (uint8_t)(key >> 24),
        .effect = (uint8_t)(key >> 16),
        .correctness = (uint8_t)(key >> 8),
        .share = key >> 4 & 0xf,
        .said_lost = key >> 3 & 1,
        .first = key >> 1 & 1,
        .measured = key & 1,
        .labels_derived = key >> 32 & 1,
    };
}

struct lore_judged
lore_judge(struct lore_row_outcome o)
{
    struct lore_judged j = {.effect = o.effect};

    j.wrong = o.correctness == LORE_C_FAIL || o.correctness == LORE_C_TIMEOUT;
    j.said = o.said_lost && o.effect == LORE_X_NOT_MEASURED;
    j.counts = j.wrong || j.said || o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL ||
               o.effect == LORE_X_LOSS;
    j.won = o.effect == LORE_X_WIN && !j.wrong;
    j.none = o.share != LORE_SHARE_OPEN && j.won;
    j.inert = j.none && o.share == LORE_SHARE_INERT;
    j.absent = j.none && o.share == LORE_SHARE_ABSENT;
    j.own = j.won && !j.none;
    j.lost = j.counts && !j.own && !j.none && (j.wrong || o.effect != LORE_X_NEUTRAL);
    j.has_x = !j.none && !j.wrong && o.measured;
    j.gains = j.inert || j.has_x;
    j.effect = j.none ? LORE_X_NEUTRAL : j.wrong && o.effect == LORE_X_WIN ? LORE_X_LOSS : o.effect;
    return j;
}
