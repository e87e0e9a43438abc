/* What a question makes of the memory before it looks at a cell or a row (weigh.c): a weight per
 * context, a level per operator, and what each outcome counts as. Private to recommend/. */
#ifndef LORE_RECOMMEND_WEIGH_H
#define LORE_RECOMMEND_WEIGH_H

#include "service/recommend/evidence_inner.h"
#include "service/recommend/scan_state.h"

struct lore_weighed { /* a context */
    double weight;    /* 0: the question leaves it out */
    uint8_t travel;
    uint8_t matched; /* bits: at which levels it is a match */
    uint8_t years;   /* between it and the question */
    bool edge;       /* no match on the operator, but a row of an alike shape may be one */
};
struct lore_verdict {          /* an outcome */
    double judged, won, gains; /* what its row adds to the sums of a cell, at a weight of 1 */
    bool first, own, inert, has_x;
};
struct lore_weights {
    struct lore_weighed *context[2]; /* [1]: on the operator asked about */
    struct lore_verdict *outcome;
    double *setting[2]; /* what of a weight is the setting's; [1]: on the operator asked about */
    bool totals; /* what the index has added up is what the question would, but for the operator */
    uint8_t *level;  /* per operator */
    uint8_t *travel; /* per chip, and one more for "not recorded" */
    uint32_t n_chips;
    uint8_t slot[2][LORE_PLACE_FLAGS]; /* of what is that far: the first by how it was made */
    double language[LORE_LANG_COUNT], labels_none, labels_other;
    float clamp;
};
/* Fill what the question alone decides. */
void lore_weigh(struct lore_scan *s);

/* What one row says: its weight in sums, its level, how far it came. */
struct lore_said {
    float weight, bearing; /* of the whole experiment, not yet shared between its techniques */
    float alike;           /* the part of the weight that is the shape level's */
    enum lore_tally_level level; /* never SHAPE */
    enum lore_travel travel;
};
struct lore_said lore_scan_row(const struct lore_scan *s, uint32_t row);
/* Years between the question and an experiment of YEAR; 0 when one of the two is not known. */
int lore_weigh_years_apart(const struct lore_scan *s, uint8_t year);

/* A row as the question takes it. */
struct lore_taken {
    const struct lore_verdict *verdict;
    const struct lore_weighed *context; /* NULL: left out */
};
static inline struct lore_taken
lore_take(const struct lore_scan *s, uint32_t kind, enum lore_tally_level level)
{
    uint64_t pair = s->ix->kinds.key[kind];
    const struct lore_weighed *by =
        &s->weights->context[level == LORE_LEVEL_OPERATOR][lore_pair_high(pair)];

    return (struct lore_taken){
        &s->weights->outcome[lore_pair_low(pair)], by->weight > 0 ? by : NULL};
}
/* How alike a workload is to the one asked about; which may be no name. */
static inline float
lore_alike(const struct lore_scan *s, uint32_t workload)
{
    return s->alike[workload < s->n_names ? workload : s->n_names];
}
/* How much a row bears: of weight W, alike by ALIKE, at a level of weight LEVEL_W. */
static inline float
lore_bearing_by(float w, float alike, float level_w)
{
    return w * (alike + (1 - alike) * level_w);
}
static inline float
lore_bearing(const struct lore_scan *s, double w, float alike, enum lore_tally_level level)
{
    return lore_bearing_by((float)w, alike, s->level_w[level]);
}

#endif
