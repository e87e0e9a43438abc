/* What other places and own results say of ln(fraction of the optimum) over an operator's
 * configurations, as a Gaussian field: moves_field.c. Private to recommend/. */
#ifndef LORE_MOVES_FIELD_H
#define LORE_MOVES_FIELD_H

#include "moves_mix.h"

struct moves_world { /* another place with times of the operator */
    const struct moves_cell *cell;
    double loss, weight; /* weights sum to 1 */
    bool vendor;         /* the asked chip's */
};
struct moves_view { /* an operator as seen from a place */
    const struct lore_moves *m;
    const struct moves_op *op;
    struct moves_world world[MOVES_SOURCES];
    size_t n_worlds, stride;         /* floats per point */
    double loss;                     /* of the nearest world */
    float mean[LORE_MOVES_PARAMS];   /* of a parameter's values, */
    float spread[LORE_MOVES_PARAMS]; /* and 1 / their variance; 0: they are all the same */
};
/* How OP looks from CHIP; NEW: as if nothing were known there. */
void lore_moves_view(
    const struct lore_moves *m, uint32_t op, uint32_t chip, bool new, struct moves_view *out);

struct moves_point { /* a configuration in a view */
    uint32_t id;
    float blend;  /* weighted mean of ln fraction over the worlds; NAN: no world knows */
    float fail;   /* weight of the worlds where it failed, of those that tried it */
    bool barred;  /* it failed on a chip of the vendor's */
    float *apart; /* per world: what it says beside the blend; then the coordinates */
};
/* SAID: ln fraction in each world, -INFINITY failed, NAN unknown; NULL: they are asked. */
void lore_moves_point(const struct moves_view *v, uint32_t id, const float *said,
    struct lore_arena *arena, struct moves_point *out);

/* What two points have in common, before the numbers of the model weigh it. */
struct moves_common {
    double worlds, trend, distance;
};
struct moves_common lore_moves_common(
    const struct moves_view *v, const struct moves_point *a, const struct moves_point *b);
/* Covariance of two points, mean and the variance of its own of one, under the numbers S. */
double lore_moves_covariance(
    const double *s, struct moves_common c, double loss, double blend_a, double blend_b);
double lore_moves_expected(const double *s, double blend);
double lore_moves_noise(const double *s, double loss, double blend);

/* A field that was told results: ln 1/time of N points, up to what they share (the optimum, LEVEL).
 */
struct moves_field {
    const struct moves_view *view;
    const double *s;    /* numbers */
    double loss, alike; /* scale of all variances; prior probability of this field */
    const struct moves_point **at;
    size_t n, cap;
    double *root, *one, *rest; /* Cholesky factor; whitened ones and residuals */
    double ones, level, best;  /* 1' K^-1 1; ln 1/time of the optimum; the best result */
    double log_evidence;
};
void lore_moves_field(const struct moves_view *v, const double *s, size_t cap,
    struct lore_arena *arena, struct moves_field *out);
/* Y: ln 1/time of each; once, before anything is asked; N <= CAP. */
void lore_moves_field_told(struct moves_field *f, const struct moves_point *const *at,
    const double *y, size_t n, struct lore_arena *arena);

struct moves_guess {       /* of a point in a field */
    double mean, variance; /* of ln fraction of the optimum */
    double gain_variance;  /* of its result before the best one */
    double left;           /* variance when the level is known */
};
/* What P has in common with the points of F from SEEN on, and behind them with itself: the same
 * for all fields of the view that were told the same. */
void lore_moves_commons(const struct moves_field *f, const struct moves_point *p, size_t seen,
    struct moves_common *out);
/* K: covariances whitened, CAP of them, of which the first SEEN are there; fills in the others. */
void lore_moves_field_ask(const struct moves_field *f, const struct moves_point *p,
    const struct moves_common *common, double *k, size_t seen, struct moves_guess *out);
/* As if P, whose guess is G and whitened covariances K, had been measured and came out as guessed.
 */
void lore_moves_field_believe(struct moves_field *f, const struct moves_point *p,
    const struct moves_guess *g, const double *k);

#endif
