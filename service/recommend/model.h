/* The numbers of the model by name, for the code that uses, learns or shows them; what each is for:
 * lore_recommend_model. */
#ifndef LORE_RECOMMEND_MODEL_H
#define LORE_RECOMMEND_MODEL_H

#include <stdbool.h>
#include <stddef.h>

enum lore_model_index {
    LORE_M_TRAVEL_CHIP, /* six numbers in the order of enum lore_travel */
    LORE_M_TRAVEL_ISA,
    LORE_M_TRAVEL_ARCH,
    LORE_M_TRAVEL_VENDOR,
    LORE_M_TRAVEL_OTHER,
    LORE_M_TRAVEL_UNKNOWN,
    LORE_M_LANGUAGE_VENDOR,
    LORE_M_LANGUAGE_OTHER,
    LORE_M_LABELS_UNKNOWN,
    LORE_M_LABELS_DISJOINT,
    LORE_M_LABELS_AGAINST,
    LORE_M_SHAPE_WIDTH,
    LORE_M_EVIDENCE_CONFIRMED,
    LORE_M_EVIDENCE_IMPORTED,
    LORE_M_EVIDENCE_CLAIMED,
    LORE_M_PROCESS_BROKEN,
    LORE_M_SAID_LOST,
    LORE_M_RECENCY_YEAR,
    LORE_M_CLOSE_OPERATOR,
    LORE_M_CLOSE_FAMILY,
    LORE_M_CLOSE_OTHER,
    LORE_M_PRIOR_WINS,
    LORE_M_PRIOR_NON_WINS,
    LORE_M_WITNESS,
    LORE_M_KAPPA,
    LORE_M_KAPPA_SHAPE,
    LORE_M_GAIN_SD,
    LORE_M_GAIN_NU,
    LORE_M_GAIN_CLAMP,
    LORE_M_AVOID_SHARE,
    LORE_M_MATCHED,
    LORE_M_ORDER_STEP,
    LORE_M_CALIBRATION_OFFSET,
    LORE_M_CALIBRATION_SLOPE,
    LORE_M_COUNT
};
/* The number in use: a trial's on this thread, else what the process uses, else the prior. */
double lore_model(enum lore_model_index i);
void lore_model_priors(double out[LORE_M_COUNT]);
/* V brought into the range that number I can have. */
double lore_model_clamp(enum lore_model_index i, double v);
/* Use NUMBERS (copied; NULL: the priors) in the whole process from now on. One thread at a time. */
void lore_model_use(const double *numbers);
/* Use NUMBERS (borrowed; NULL: no trial any more) on this thread only: learning. */
void lore_model_try(const double *numbers);
/* `LORE_MODEL_HELD held = lore_model_hold();` keeps the numbers in use on this thread until the end
 * of the block, so that one answer is computed with one set. Numbers of a trial stay. */
bool lore_model_hold(void);
void lore_model_release(const bool *held);
#define LORE_MODEL_HELD __attribute__((cleanup(lore_model_release), unused)) bool
/* Every number the model uses, with its reason. */
struct lore_model_number {
    const char *name;
    double value;
    const char *help;
};
const struct lore_model_number *lore_recommend_model(size_t *n);

#endif
