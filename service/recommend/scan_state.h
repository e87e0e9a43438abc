/* What the scan for one question works on, and what it has found so far. Private to recommend/. */
#ifndef LORE_RECOMMEND_SCAN_STATE_H
#define LORE_RECOMMEND_SCAN_STATE_H

#include "service/recommend/evidence_inner.h"
#include "service/recommend/question.h"
#include "service/recommend/ranked.h"
#include "service/recommend/tried.h"

enum { LORE_SIMILAR = 8, LORE_CITED = 6 };
struct lore_top { /* the rows of one technique that bear most */
    struct lore_ranked won[LORE_CITED], other[LORE_CITED];
    size_t n_won, n_other;
};
struct lore_similar {
    struct lore_ranked v[LORE_SIMILAR];
    size_t n;
};
struct lore_weights;
struct lore_scan {
    const struct lore_evidence_index *ix;
    const struct lore_question *q;
    struct lore_arena *arena;
    const char *family;              /* of the question; NULL: unknown */
    uint32_t op, family_id, n_names; /* interned; NO_SUCH when the memory has never seen it */
    uint8_t year;                    /* ages count from it; 0: no year is known */
    bool shaped;                     /* the question names a workload */
    bool some_alike;                 /* and one that was measured is alike to it */
    float *alike; /* per interned name, and 0 at n_names: how alike; NULL: not shaped */
    float level_w[LORE_LEVEL_COUNT], matched_w;
    struct lore_weights *weights; /* weigh.h */
    struct lore_tried *tried;
    size_t n_tried, cap_tried;
    uint32_t *slot;          /* per technique: index in tried + 1 */
    double base_w, base_won; /* all experiments that count, weighted */
    struct lore_tally all;   /* all techniques together: the gain's base */
    size_t considered, judged, wins, matched, on_operator, on_chip;
    size_t on_both, on_both_exact;  /* operator and chip: same ISA included, that chip only */
    size_t from[LORE_T_COUNT];      /* matched, by distance */
    enum lore_travel nearest, near; /* near: as far as the same vendor, or any without a chip */
    float *most;                    /* per operator: no row on it weighs more */
    struct lore_similar similar;
    float similar_cut; /* what bears less is not among them */
};

#endif
