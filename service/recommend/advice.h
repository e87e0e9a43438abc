/* What an answer says of one technique: odds and gain, how often it was tried and where, what it
 * rests on. Texts and lists are in the answer's arena. */
#ifndef LORE_RECOMMEND_ADVICE_H
#define LORE_RECOMMEND_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/catalogue/catalogue.h"
#include "service/derive/outcome.h"
#include "service/recommend/evidence.h"
#include "service/stats/interval.h"

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
struct lore_advice_step { /* how evidence of one level moved the probability of a win */
    const char *level;    /* "other operators", "this operator": for people */
    double weight, won;   /* of its experiments, and of the wins among them */
    double p;             /* after it */
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
    bool sampled;     /* tried so often that its median is of a part of its rows, and `workloads`,
                         where they are not counted, the least it can be */
    double worst;     /* smallest speedup of a correct result; 0: none was measured */
    const char *worst_in; /* that experiment */
    size_t inert, absent; /* gains that were not its own: as fast without it; not in the code */
    size_t said_lost;     /* of not_measured: the author typed a failure */
    struct lore_cited *cited;
    size_t n_cited;  /* most telling first: at most 6, failures included */
    const char *why; /* one or two sentences for a person */
    struct lore_advice_step steps[LORE_STEPS];
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

#endif
