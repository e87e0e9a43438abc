/* "What worked for similar kernels on this chip and bottleneck?" Pure: a memory of experiments and
 * a question in, an answer in an arena out.
 *
 * The memory (evidence index) holds a row per experiment and technique. A question weighs every row
 * by how far its chip, language, bottleneck, evidence class and age are from what is asked, and
 * adds it to the tally of its level: any operator, the operator's family, the operator itself, a
 * like shape. From level to level the posterior of the farther one is the prior of the nearer one,
 * so that the estimate of a technique that was never tried here is that of its relatives, and a few
 * experiments here outweigh it. Every weight and prior is a number of model.h. docs/recommend.md
 * has the formulas, docs/notes/recommend.md says how it is done. */
#ifndef LORE_RECOMMEND_RECOMMEND_H
#define LORE_RECOMMEND_RECOMMEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/catalogue/catalogue.h"
#include "service/catalogue/technique_applies.h"
#include "service/derive/outcome.h"
#include "service/recommend/shapes.h"
#include "service/stats/interval.h"
#include "service/wire/feed.h"
#include "service/wire/record.h"

/* ---- the memory: filled at start and with every commit. Not locked: its owner is
 * (service/ingest/indexes.h). ---- */

struct lore_evidence_index;
struct lore_evidence_index *lore_evidence_new(void);
void lore_evidence_free(struct lore_evidence_index *ix);
/* What is known of one technique in one experiment. The same two again replace it: a new verdict; a
 * mask or a retraction, which hide it. */
void lore_evidence_add(struct lore_evidence_index *ix, const struct lore_evidence_in *in);
/* A workload's dims, once per workload (again: ignored). */
void lore_evidence_workload(struct lore_evidence_index *ix, const char *op, const char *workload,
    const struct lore_shape *shape);
/* When it happened, in years after 1999: as told or by its id, the earlier; 0: not known. */
uint8_t lore_evidence_year(const struct lore_evidence_in *in);

#define LORE_NO_NAME UINT32_MAX
/* One fact as the index keeps it, copied out for the reader. */
struct lore_evidence_row {
    char experiment[27];
    uint8_t effect, correctness, evidence, language;
    uint8_t process_broken, masked, labels_derived;
    uint16_t chip; /* index into lore_chips(), UINT16_MAX: not recorded */
    uint32_t op, family, technique, workload; /* interned; LORE_NO_NAME: not recorded */
    uint32_t labels;
    float log_speedup; /* ln; NAN: not measured */
    uint8_t siblings;  /* rows of this experiment, at most 255: they share its credit */
    uint8_t first;     /* the first row of its experiment: what counts experiments counts these */
    uint8_t said_lost, share, step;
    uint8_t year; /* as lore_evidence_year has it */
    int64_t seq;  /* at most 2^32 - 1 */
};
size_t lore_evidence_count(const struct lore_evidence_index *ix);
struct lore_evidence_row lore_evidence_at(const struct lore_evidence_index *ix, size_t i);
/* The text of a name's number, the number of a text (LORE_NO_NAME: never seen), and how many names
 * there are: numbers are below it. */
const char *lore_evidence_text(const struct lore_evidence_index *ix, uint32_t id);
uint32_t lore_evidence_find(const struct lore_evidence_index *ix, const char *name);
uint32_t lore_evidence_names(const struct lore_evidence_index *ix);
size_t lore_evidence_bytes(const struct lore_evidence_index *ix); /* of heap memory held */

/* ---- the question ---- */

struct lore_question {
    const char *op;     /* canonical; NULL: any */
    const char *family; /* NULL: the operator's, when known */
    enum lore_language language;
    const struct lore_chip *chip; /* NULL: any */
    uint32_t labels;              /* bottlenecks now; 0: not said */
    uint32_t not_limits;          /* without labels: bottlenecks that measurements here exclude */
    uint32_t limits;              /* without labels: bottlenecks that they show; 0: not known */
    bool limits_elsewhere;        /* not_limits and limits were measured on another chip */
    const char *workload;         /* id; NULL: any */
    const struct lore_shape
        *shape;   /* dims of that workload; NULL: not known, so only itself is alike */
    uint8_t year; /* ages count from it (lore_evidence_year); 0: from the newest experiment */
    size_t limit; /* techniques per list; 0: 10 */
    bool include_masked;
    enum lore_evidence at_least; /* evidence of a worse class is not looked at; NONE: all is */
    double min_effective_n;      /* tried techniques with less weight are not listed */
    struct lore_texts has;       /* techniques of the version that is asked about */
    double at_most; /* the largest speedup that the chip allows that version; 0: not known */
    bool brief;     /* leave out how many workloads each was tried on, and its worst result */
    const struct lore_place_facts *facts; /* about the place; NULL: none is known */
    double session; /* what the state of the session adds to the log odds of any attempt */
};
/* The question as a place where a technique applies or not. Borrows from Q. */
struct lore_technique_place lore_question_place(const struct lore_question *q);

/* ---- the answer: texts and lists are in its arena ---- */

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
enum { LORE_STEPS = 9 };
struct lore_advice {
    const char *technique;              /* slug */
    const struct lore_technique *known; /* NULL: not in the catalogue */
    struct lore_interval p_win;         /* probability that it wins here */
    struct lore_interval gain;          /* expected ln speedup; exp() to show */
    bool hardly_known;                  /* the interval of p_win is too wide to act on */
    uint32_t against; /* bottlenecks that it is for, when none of them is here; else 0 */
    size_t tried, won, neutral, lost, inconclusive,
        not_measured;                       /* unweighted counts, same technique anywhere */
    size_t tried_here, won_here, lost_here; /* same operator and chip (same-ISA included) */
    double effective_n;                     /* sum of weights; many of one place are few */
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
struct lore_answer {
    struct lore_advice *advice;
    size_t n_advice; /* worth trying, best first: docs/recommend.md, "The lists in an answer" */
    struct lore_advice *avoid;
    size_t n_avoid; /* failed here, or did not pay anywhere near: warnings first that wins elsewhere
                       would drown */
    struct lore_advice *untried;
    size_t n_untried; /* catalogue techniques whose triggers fire, no evidence */
    struct lore_advice *there;
    size_t n_there; /* techniques of `has` with a value that can change; at most 12 */
    struct lore_cited *similar;
    size_t n_similar;            /* the most similar experiments: at most 8 */
    size_t considered;           /* experiments in the memory */
    size_t matched;              /* with weight above 0.05 */
    size_t on_operator, on_chip; /* experiments on the asked operator, and on the asked chip */
    struct lore_telling telling;
    bool empty;             /* nothing in memory bears on the question */
    const char *summary;    /* honest one-liner, also when empty */
    double base_rate;       /* share of wins over all measured experiments */
    const char *stop;       /* why to stop; NULL: something is worth a try. Set by the caller */
    const char *first_step; /* where no idea fits, the end of `stop`; else NULL */
};

void lore_recommend(const struct lore_evidence_index *ix, const struct lore_question *q,
    struct lore_arena *arena, struct lore_answer *out);

#endif
