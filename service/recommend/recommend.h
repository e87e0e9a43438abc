/* "What worked for similar kernels on this chip and bottleneck?" Pure: an evidence index and a
 * question in, an answer in ARENA out. docs/recommend.md holds the model: hierarchical shrinkage
 * (everything -> technique -> operator family -> operator -> alike shapes), every level a
 * Beta-Binomial with the level above as its prior; each experiment weighs by how far it travelled
 * (chip), whether its bottleneck and language match, and its evidence class. All weights and priors
 * are in one table (lore_recommend_model) that the answer can print. */
#ifndef LORE_RECOMMEND_H
#define LORE_RECOMMEND_H

#include "evidence.h"

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
struct lore_interval {
    double value, low, high;
};                                      /* 90 % */
struct lore_cited {                     /* one experiment behind a piece of advice */
    const char *experiment, *op, *chip; /* chip NULL: not recorded */
    enum lore_language language;
    enum lore_effect effect;
    enum lore_check correctness;
    bool process_broken;
    enum lore_evidence evidence;
    double speedup; /* 0: not measured */
    uint32_t labels;
    bool labels_derived; /* from metrics: nobody said them */
    enum lore_travel travel;
    int years_older;       /* than the newest experiment; 0 also when that is not known */
    enum lore_share share; /* of the technique it is cited for; OPEN when for none */
    double weight;         /* its weight in the estimate, 0..1 */
    double alike;          /* how alike its shape is to the one asked about, 0..1; 0: not, or not
                              asked about */
};
struct lore_step {      /* how evidence of one level moved the probability of a win */
    const char *level;  /* "other operators", "this operator": for people */
    double weight, won; /* of its experiments, and of the wins among them */
    double p;           /* after it */
};
enum { LORE_STEPS = 6 };
struct lore_advice {
    const char *technique;              /* slug */
    const struct lore_technique *known; /* NULL: not in the catalogue */
    struct lore_interval p_win;         /* probability that it wins here */
    struct lore_interval gain;          /* expected ln speedup; exp() to show */
    size_t tried, won, neutral, lost, inconclusive,
        not_measured;                       /* unweighted counts, same technique anywhere */
    size_t tried_here, won_here, lost_here; /* same operator and chip (same-ISA included) */
    double effective_n;                     /* sum of weights */
    enum lore_travel nearest;               /* how far the nearest evidence had to travel */
    size_t by_travel[LORE_T_COUNT];         /* experiments by distance */
    bool same_operator, same_family;        /* some evidence is from this operator / family */
    bool contested;                         /* both wins and losses at the nearest distance */
    size_t process_faults, incorrect;
    size_t workloads; /* recorded ones it was tried on */
    size_t alike;     /* experiments on the operator of a shape that is alike to the asked one */
    bool sampled;     /* tried so often that its median and its shapes are of a part of its rows:
                         `workloads` is the least it can be */
    double worst;     /* smallest speedup of a correct result; 0: none was measured */
    const char *worst_in; /* that experiment */
    size_t inert, absent; /* gains that were not its own: as fast without it; not in the code */
    size_t said_lost;     /* of not_measured: the author typed a failure */
    struct lore_cited *cited;
    size_t n_cited;  /* most telling first: at most 6, failures included */
    const char *why; /* one or two sentences for a person */
    struct lore_step steps[LORE_STEPS];
    size_t n_steps;         /* the first is the rate of all experiments, the last ends in p_win */
    double if_won, if_lost; /* p_win after one more measured experiment here */
};
/* The one experiment that would move the answer most. */
struct lore_telling {
    const char *technique;  /* NULL: none would */
    double if_won, if_lost; /* its p_win then */
    bool leads;             /* it is what the answer says first now */
    bool would_lead;        /* it would be first if it won */
    const char *why;        /* a sentence */
};
struct lore_answer {
    struct lore_advice *advice;
    size_t n_advice; /* worth trying, best first: docs/recommend.md, "The order of advice" */
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
