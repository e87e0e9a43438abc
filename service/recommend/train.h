/* Learning the numbers of the evidence model from the evidence: how much to trust what travelled
 * from another chip, language, shape or class, how strongly levels shrink, and how the probability
 * of a win is calibrated. Pure: rows in, numbers out. What is learned, and from what: train.c. */
#ifndef LORE_RECOMMEND_TRAIN_H
#define LORE_RECOMMEND_TRAIN_H

#include "service/recommend/model.h"
#include "service/recommend/recommend.h"

struct lore_train_shape { /* what lore_evidence_workload is told */
    const char *op, *workload;
    struct lore_shape shape;
};
struct lore_train_data { /* borrowed; texts live as long as the arena given below */
    const struct lore_evidence_in *rows;
    size_t n;
    const struct lore_train_shape *shapes;
    size_t n_shapes;
};
struct lore_train_score {
    double log_loss, brier, ece; /* means over questions; ece of ten bins */
};
struct lore_trained {
    double numbers[LORE_M_COUNT];
    bool kept;                       /* the priors: nothing learned held where it was tested */
    size_t questions, tested, chips; /* learned from, tested on, chips left out in turn */
    struct lore_train_score prior, learned; /* on the tested questions, which taught nothing */
};
/* LORE_NOTFOUND when there are too few judged experiments to learn from. */
enum lore_status lore_train(const struct lore_train_data *data, struct lore_arena *arena,
    struct lore_trained *out, struct lore_err *err) LORE_MUST;
/* The numbers as JSON by name, in ARENA; and into OUT: unknown names are left out, numbers out of
 * their range are LORE_INVALID. Numbers that the text does not name are the priors. */
const char *lore_train_numbers_text(const double *numbers, struct lore_arena *arena);
enum lore_status
lore_train_numbers_parse(const char *json, double *out, struct lore_err *err) LORE_MUST;

#endif
