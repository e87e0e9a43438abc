/* What a question makes of the memory before it looks at a cell or a row (weigh.c): a weight per
 * context, a level per operator, and what each outcome counts as. Private to recommend/. */
#ifndef LORE_WEIGH_H
#define LORE_WEIGH_H

#include "evidence_inner.h"
#include "scan.h"

struct lore_weighed { /* a context */
    float weight;     /* 0: the question leaves it out */
    uint8_t travel;
    uint8_t slot;    /* where it is counted: its distance, and whether it broke a process rule */
    uint8_t matched; /* bits: at which levels it is a match */
    bool edge;       /* no match on the operator, but a row of an alike shape may be one */
};
struct lore_verdict { /* an outcome, or a class of them */
    /* What its contexts weigh; NULL: left out. [1]: on the operator asked about. */
    const struct lore_weighed *context[2];
    double share;   /* of its experiment's credit */
    uint32_t class; /* of an outcome: a number of `classes` */
    struct lore_row_outcome is;
    bool wrong, counts, won; /* of the experiment */
    bool none; /* it gained, and ablation or machine code say: not by this technique */
    bool own;  /* won, by this technique */
};
/* How the cells of a class are added up. What is left out is added up too, and not looked at. */
struct lore_adding {
    const struct lore_weighed *context;
    uint64_t keep; /* all bits, or none when the class is left out */
};
struct lore_weights {
    const struct lore_weighed *context[2]; /* [1]: of what is only said */
    struct lore_verdict *outcome, *class;
    struct lore_adding *adding[2]; /* per class; [1]: on the operator asked about */
    uint8_t *level;                /* per operator */
    float language[LORE_LANG_COUNT], evidence[LORE_EV_COUNT], process[2];
    float labels_none, labels_other, clamp;
    float age[UINT8_MAX + 1]; /* by years between an experiment and the question */
};
/* Fill what the question alone decides. */
void lore_weigh(struct lore_scan *s);

/* A row as the question takes it. */
struct lore_taken {
    const struct lore_verdict *verdict;
    const struct lore_weighed *context; /* NULL: left out */
};
static inline struct lore_taken
lore_take(const struct lore_scan *s, uint32_t kind, enum lore_level level)
{
    uint64_t pair = s->ix->kinds.key[kind];
    const struct lore_verdict *v = &s->weights->outcome[lore_pair_low(pair)];
    const struct lore_weighed *by = v->context[level == LORE_LEVEL_OPERATOR];

    by = by != NULL ? by + lore_pair_high(pair) : NULL;
    return (struct lore_taken){v, by != NULL && by->weight > 0 ? by : NULL};
}
/* How alike a workload is to the one asked about; which may be no name. */
static inline float
lore_alike(const struct lore_scan *s, uint32_t workload)
{
    return s->alike[workload < s->n_names ? workload : s->n_names];
}
/* How much a row bears: of weight W, alike by ALIKE, at LEVEL. */
static inline float
lore_bearing(const struct lore_scan *s, float w, float alike, enum lore_level level)
{
    return w * (alike + (1 - alike) * s->level_w[level]);
}

#endif
