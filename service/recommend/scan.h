/* The pass over the evidence for one question: sums per technique and level, and the rows that bear
 * most. Private to recommend/; recommend.c turns the sums into an answer. */
#ifndef LORE_RECOMMEND_SCAN_H
#define LORE_RECOMMEND_SCAN_H

#include "service/recommend/evidence_inner.h"
#include "service/recommend/ranked.h"
#include "service/recommend/recommend.h"
#include "service/recommend/tally.h"

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
    uint32_t *slot;          /* per bay: index in tried + 1 */
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
void lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena);
/* What is known of a technique; NULL: nobody tried it. */
const struct lore_tried *lore_tried_of(const struct lore_scan *s, const char *technique);
/* What one row says: its weight in sums, its level, how far it came. */
struct lore_said {
    float weight, bearing; /* of the whole experiment, not yet shared between its techniques */
    float alike;           /* the part of the weight that is the shape level's */
    enum lore_tally_level level; /* never SHAPE */
    enum lore_travel travel;
};
struct lore_said lore_scan_row(const struct lore_scan *s, uint32_t row);
/* Put columns of the K-th chunk of a shelf, if it has that many, on their way. */
enum { LORE_WORKLOADS = 1, LORE_KINDS = 2, LORE_LOGS = 4 };
void lore_chunk_call(
    const struct lore_scan *s, const struct lore_shelf *shelf, uint32_t k, unsigned columns);
/* The K-th chunk, while those of the one behind it are put on their way. */
const struct lore_chunk *lore_chunk_at(
    const struct lore_scan *s, const struct lore_shelf *shelf, uint32_t k, unsigned columns);
/* Years between the question and an experiment of YEAR; 0 when one of the two is not known. */
int lore_weigh_years_apart(const struct lore_scan *s, uint8_t year);
/* A row that bears so much may be one of the most similar; all that may be, after the sums. */
void lore_scan_offer(struct lore_scan *s, uint32_t row, float bearing);
void lore_scan_similar(struct lore_scan *s);
/* A row that bears so much, to be ranked. */
struct lore_ranked lore_ranked(const struct lore_scan *s, uint32_t row, float bearing);

#endif
