/* Totals: what a question that takes all evidence but what is masked adds up of many operators at
 * once. What a context weighs is a product: of its setting (chip, language, labels), which the
 * question decides, and of its grade (evidence class, process, only said, age), which is the same
 * for all questions of a time. Rows enter with their grade, so there is one sum per setting,
 * however many contexts. Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_TOTALS_H
#define LORE_RECOMMEND_EVIDENCE_TOTALS_H

#include "service/recommend/evidence_cells.h"

/* The model's numbers that decide grades, and what follows from them. */
struct lore_grades {
    double evidence[LORE_EV_COUNT], process[2], said[2], recency;
    uint8_t year; /* ages count from it; 0: nobody knows from which */
    double age[UINT8_MAX + 1];
};
/* As the model has them now; whether G is that still. */
void lore_grades_fill(struct lore_grades *g, uint8_t year);
bool lore_grades_hold(const struct lore_grades *g, uint8_t year);

struct lore_graded { /* a context */
    double grade;
    uint32_t setting, experiments; /* experiments: how many are in it */
    uint8_t evidence, year;
    bool masked, step;
};
struct lore_grading { /* zeroed is valid */
    struct lore_keys settings;
    struct lore_grades grades;
    struct lore_graded *context; /* per context; as `grades` has them */
    double *highest;             /* per setting: no context of it has a higher grade */
    uint32_t n, cap, cap_highest;
    bool steps; /* there is a context of steps */
};
double lore_evidence_grade(const struct lore_grades *g, struct lore_context c);
/* The contexts that are new; and all of them again, by GRADES as the model has them now. */
void lore_grading_add(struct lore_grading *g, const struct lore_keys *contexts);
void lore_grading_renew(struct lore_grading *g, const struct lore_keys *contexts, uint8_t year);
void lore_grading_free(struct lore_grading *g);
size_t lore_grading_bytes(const struct lore_grading *g);

struct lore_total {
    uint32_t setting, n; /* n: rows */
    double sum[LORE_SUMS];
};
struct lore_on_chip {    /* how many rows, as in a place */
    uint32_t on, faults; /* on: twice the chip, and one more for steps; faults: of broken process */
    uint32_t n[LORE_NS];
};
static inline uint32_t
lore_chip_on(uint32_t on)
{
    return on >> 1;
}
struct lore_totals { /* zeroed is valid */
    struct lore_keys settings, chips;
    struct lore_total *v;      /* per number of `settings` */
    struct lore_on_chip *chip; /* per number of `chips` */
    uint32_t cap, cap_chip;
};
/* A row of context C, which is not masked, enters (BY 1) or leaves (-1). */
void lore_totals_put(
    struct lore_totals *t, const struct lore_graded *c, const struct lore_entering *in, int by);
/* What was put as WAS says has another share of the credit, as IN says, and is the same else. */
void lore_totals_share(struct lore_totals *t, const struct lore_graded *c,
    const struct lore_entering *was, const struct lore_entering *in);
/* There is something in SETTING, though nothing may enter. */
void lore_totals_know(struct lore_totals *t, uint32_t setting);
/* All that is in CELLS enters again, with other grades, after the sums were forgotten. */
void lore_totals_forget(struct lore_totals *t);
void lore_totals_add(struct lore_totals *t, const struct lore_graded *contexts,
    const struct lore_cells *cells, const struct lore_keys *outcomes, float clamp);
void lore_totals_free(struct lore_totals *t);
size_t lore_totals_bytes(const struct lore_totals *t);

#endif
