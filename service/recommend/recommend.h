/* "What worked for similar kernels on this chip and bottleneck?" Pure: an evidence index and a
 * question in, an answer in ARENA out. docs/recommend.md holds the model: hierarchical shrinkage
 * (everything -> technique -> operator family -> operator -> alike shapes), every level a
 * Beta-Binomial with the level above as its prior; each experiment weighs by how far it travelled
 * (chip), whether its bottleneck and language match, and its evidence class. All weights and priors
 * are in one table (lore_recommend_model) that the answer can print. */
#ifndef LORE_RECOMMEND_RECOMMEND_H
#define LORE_RECOMMEND_RECOMMEND_H

#include "service/recommend/advice.h"
#include "service/recommend/evidence.h"

struct lore_question {
    const char *op;     /* canonical; NULL: any */
    const char *family; /* NULL: the operator's, when known */
    enum lore_language language;
    const struct lore_chip *chip; /* NULL: any */
    uint32_t labels;              /* bottlenecks now; 0: not said */
    const char *workload;         /* id; NULL: any */
    const struct lore_shape
        *shape;   /* dims of that workload; NULL: not known, so only itself is alike */
    uint8_t year; /* ages count from it (lore_evidence_year); 0: from the newest experiment */
    size_t limit; /* techniques per list; 0: 10 */
    bool include_masked;
    enum lore_evidence at_least; /* evidence of a worse class is not looked at; NONE: all is */
    double min_effective_n;      /* tried techniques with less weight are not listed */
};
struct lore_answer {
    struct lore_advice *advice;
    size_t n_advice; /* worth trying, best first: docs/recommend.md, "The lists in an answer" */
    struct lore_advice *avoid;
    size_t n_avoid; /* failed here, or did not pay anywhere near: warnings first that wins elsewhere
                       would drown */
    struct lore_advice *untried;
    size_t n_untried; /* catalogue techniques whose triggers fire, no evidence */
    struct lore_cited *similar;
    size_t n_similar;            /* the most similar experiments: at most 8 */
    size_t considered;           /* experiments in the memory */
    size_t matched;              /* with weight above 0.05 */
    size_t on_operator, on_chip; /* counts that make up "what is known here" */
    struct lore_telling telling;
    bool empty;          /* nothing in memory bears on the question */
    const char *summary; /* honest one-liner, also when empty */
    double base_rate;    /* share of wins over all measured experiments */
};
void lore_recommend(const struct lore_evidence_index *ix, const struct lore_question *q,
    struct lore_arena *arena, struct lore_answer *out);

/* Every number the model uses, with its reason. */
struct lore_model_number {
    const char *name;
    double value;
    const char *help;
};
const struct lore_model_number *lore_recommend_model(size_t *n);

#endif
