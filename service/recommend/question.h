/* A question to the recommender and its answer. Texts and lists of an answer are in its arena. */
#ifndef LORE_RECOMMEND_QUESTION_H
#define LORE_RECOMMEND_QUESTION_H

#include "service/recommend/advice.h"
#include "service/wire/record.h"

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
    struct lore_texts has;       /* techniques of the version that is asked about: on no list */
    double at_most; /* the largest speedup that the chip allows that version; 0: not known */
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

#endif
