/* Every weight and prior of the recommender, each with its reason. The values here are priors
 * chosen by hand, in the order of magnitude that transfer studies report; what `warplored retrain`
 * learned from the memory itself (train.h) takes their place. */
#include "service/recommend/model.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static const struct lore_model_number priors[LORE_M_COUNT] = {
    [LORE_M_TRAVEL_CHIP] = {"travel.same_chip", 1, "nothing to carry over"},
    [LORE_M_TRAVEL_ISA] = {"travel.same_isa", 0.9,
        "same instructions and caches per core; counts of cores, clocks and bandwidth differ"},
    [LORE_M_TRAVEL_ARCH] = {"travel.same_arch", 0.7,
        "same generation, other limits: success carried over for about nine of ten kernels between "
        "published pairs, tuned parameters did not"},
    [LORE_M_TRAVEL_VENDOR] = {"travel.same_vendor", 0.45,
        "same programming model, other memory system and matrix units"},
    [LORE_M_TRAVEL_OTHER] = {"travel.other_vendor", 0.2,
        "wavefront width, cache and matrix units differ: a hint, no more"},
    [LORE_M_TRAVEL_UNKNOWN] = {"travel.not_recorded", 0.4,
        "an unnamed chip is on average about as far as another one of the same vendor"},
    [LORE_M_LANGUAGE_VENDOR] = {"language.same_vendor", 0.7,
        "another language of the same vendor's toolchain: the technique carries over, the "
        "compiler's share of it may not"},
    [LORE_M_LANGUAGE_OTHER] = {"language.other", 0.5,
        "the compiler may already do it, or forbid it; also when the language was not recorded"},
    [LORE_M_LABELS_UNKNOWN] = {"bottleneck.unknown", 0.7,
        "no diagnosis on one of the two sides, so agreement is open"},
    [LORE_M_LABELS_DISJOINT] = {"bottleneck.disjoint", 0.4,
        "another limit; not 0 because labels come from different rule sets and spellings"},
    [LORE_M_LABELS_AGAINST] = {"bottleneck.against", 0.5,
        "odds of a technique where the bottleneck is one that it is not for, against its odds "
        "elsewhere; the memory's own ratio outweighs it"},
    [LORE_M_SHAPE_WIDTH] = {"shape.width", 1,
        "octaves: how far the dims of two workloads may be apart for one to bear on the other as "
        "a shape, not only as the same operator"},
    [LORE_M_EVIDENCE_CONFIRMED] = {"evidence.confirmed", 1.2,
        "A and B measured in turns: what drifts between two runs is not in it; measured weighs 1"},
    [LORE_M_EVIDENCE_IMPORTED] = {"evidence.imported", 0.8,
        "published numbers, measured by others under conditions that we cannot check"},
    [LORE_M_EVIDENCE_CLAIMED] = {"evidence.claimed", 0.5, "a number that somebody states"},
    [LORE_M_PROCESS_BROKEN] = {"process.broken", 0.8,
        "the result is kept, but more than the one technique may have caused it"},
    [LORE_M_SAID_LOST] = {"said_lost", 0.5,
        "a failure without numbers is a warning at half weight; a success without numbers counts "
        "as nothing, because seeds and baselines get typed as successes"},
    [LORE_M_RECENCY_YEAR] = {"recency.year", 0.95,
        "per year that an experiment is older than the newest one in the memory: the hardware "
        "stays "
        "what it was, compilers and drivers change a little; when it was made is not known: 1"},
    [LORE_M_CLOSE_OPERATOR] = {"close.operator", 0.8,
        "how much an experiment of the same operator bears whose shape is not alike, when the "
        "question names a shape: ranks citations and makes up effective_n; the estimate uses "
        "levels instead"},
    [LORE_M_CLOSE_FAMILY] = {"close.family", 0.6,
        "the same for another operator of the family; it also discounts the worth of what never "
        "won closer"},
    [LORE_M_CLOSE_OTHER] = {"close.other", 0.3, "the same for any other operator"},
    [LORE_M_PRIOR_WINS] = {"prior.wins", 1, "before any evidence a win is as likely as not"},
    [LORE_M_PRIOR_NON_WINS] = {"prior.non_wins", 1, "the other half of that prior"},
    [LORE_M_WITNESS] = {"witness.alike", 0.1,
        "correlation of the results of one technique in one place: however many they are, they "
        "weigh no more than ten experiments of different places"},
    [LORE_M_KAPPA] = {"prior.strength", 2,
        "each level trusts the level above like two experiments of its own: one experiment on the "
        "operator moves the answer a third of the way"},
    [LORE_M_KAPPA_SHAPE] = {"prior.strength_shape", 0.5,
        "the same for alike shapes: they trust the operator's other shapes like half an "
        "experiment, "
        "because the same change on nearly the same shape mostly ends the same way; of 2, 1/2 and "
        "1/4 the middle one, on a fifth of the known shapes of a find database"},
    [LORE_M_GAIN_SD] = {"gain.sd", 0.35,
        "prior spread of ln speedup between experiments of one technique: a factor of 1.4"},
    [LORE_M_GAIN_NU] = {"gain.nu", 4,
        "the prior spread of gains counts like four experiments, that of places like four places"},
    [LORE_M_GAIN_CLAMP] = {"gain.clamp", 2.302585092994046,
        "a speedup above 10x (or below 1/10) enters the mean as 10x: it tells of the base, not "
        "of the technique"},
    [LORE_M_AVOID_SHARE] = {"avoid.share", 0.75,
        "a technique that lost, never won nearby, and wins less than this share of the base rate "
        "is listed under avoid; one that never won anywhere, as soon as it is below the base rate; "
        "one that failed on this operator and chip and never won there, always"},
    [LORE_M_MATCHED] = {"matched", 0.05,
        "an experiment that bears less than this on the question is not called a match"},
    [LORE_M_ORDER_STEP] = {"order.step", 0.01,
        "smaller differences of worth or probability do not order a list: closeness does"},
    [LORE_M_CALIBRATION_OFFSET] = {"calibration.offset", 0,
        "added to the log odds of a win; 0 until `warplored retrain` learned it"},
    [LORE_M_CALIBRATION_SLOPE] = {"calibration.slope", 1,
        "stretches the log odds of a win; 1 until `warplored retrain` learned it"},
};

/* The process's numbers are read without a lock. They change every few hours, and the two arrays
 * alternate, so a thread that holds one can finish its answer. */
static double in_use[2][LORE_M_COUNT];
static _Atomic(const double *) now;                /* NULL: the priors */
static _Thread_local const double *of_this_thread; /* of a trial, or held */
static _Thread_local bool is_of_thread;

double
lore_model(enum lore_model_index i)
{
    const double *learned = is_of_thread ? of_this_thread : atomic_load(&now);

    return learned ? learned[i] : priors[i].value;
}

void
lore_model_priors(double out[LORE_M_COUNT])
{
    for (int i = 0; i < LORE_M_COUNT; i++)
        out[i] = priors[i].value;
}

double
lore_model_clamp(enum lore_model_index i, double v)
{
    switch (i) {
    case LORE_M_KAPPA:
    case LORE_M_KAPPA_SHAPE:
        return fmin(fmax(v, 0.25), 32);
    case LORE_M_WITNESS:
        return fmin(fmax(v, 0.01), 0.5);
    case LORE_M_EVIDENCE_CONFIRMED:
        return fmin(fmax(v, 1), 3);
    case LORE_M_RECENCY_YEAR:
        return fmin(fmax(v, 0.25), 1);
    case LORE_M_SHAPE_WIDTH:
        return fmin(fmax(v, 0.1), 8);
    case LORE_M_CALIBRATION_OFFSET:
        return fmin(fmax(v, -3), 3);
    case LORE_M_CALIBRATION_SLOPE:
        return fmin(fmax(v, 0.2), 2);
    case LORE_M_PRIOR_WINS:
    case LORE_M_PRIOR_NON_WINS:
    case LORE_M_GAIN_SD:
    case LORE_M_GAIN_NU:
    case LORE_M_GAIN_CLAMP:
        return priors[i].value; /* not learned */
    default:                    /* weights and shares */
        return fmin(fmax(v, 0.001), 1);
    }
}

void
lore_model_use(const double *numbers)
{
    const double *old = atomic_load(&now);
    double *place = in_use[old == in_use[0]];

    if (numbers)
        memcpy(place, numbers, sizeof in_use[0]);
    atomic_store(&now, numbers != NULL ? place : NULL);
}

void
lore_model_try(const double *numbers)
{
    of_this_thread = numbers;
    is_of_thread = numbers != NULL;
}

bool
lore_model_hold(void)
{
    bool free_to_hold = !is_of_thread;

    if (free_to_hold) {
        of_this_thread = atomic_load(&now);
        is_of_thread = true;
    }
    return free_to_hold;
}

void
lore_model_release(const bool *held)
{
    if (*held)
        is_of_thread = false;
}

const struct lore_model_number *
lore_recommend_model(size_t *n)
{
    *n = LORE_M_COUNT;
    return priors;
}
