/* What other places and own results say of ln(fraction of the optimum) over an operator's
 * configurations, as a Gaussian field: moves_field.c. Private to moves/. */
#ifndef LORE_MOVES_MOVES_FIELD_H
#define LORE_MOVES_MOVES_FIELD_H

#include "service/moves/moves_view.h"

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
    const double *s; /* numbers */
    double loss;     /* scale of all variances */
    const struct moves_point **at;
    size_t n, cap;
    double *root, *one, *rest; /* Cholesky factor; whitened ones and residuals */
    double *ones;              /* of the first 0..n points: 1' K^-1 1 */
    double level, best;        /* ln 1/time of the optimum; the best result */
    double log_evidence;
};
void lore_moves_field(const struct moves_view *v, const double *s, size_t cap,
    struct lore_arena *arena, struct moves_field *out);
/* Y: ln 1/time of each; once, before anything is asked; N <= CAP. */
void lore_moves_field_told(struct moves_field *f, const struct moves_point *const *at,
    const double *y, size_t n, struct lore_arena *arena);

/* Of a point, from the first SEEN points of a field. Each further one takes from the variances. */
struct moves_guess {
    size_t seen;
    double mean; /* of ln fraction of the optimum; the field's when all it was told is seen */
    double left; /* variance when the level is known, but for rounding */
    double one;  /* what it has in common with all of them */
};
void lore_moves_field_begin(
    const struct moves_field *f, const struct moves_point *p, struct moves_guess *out);
/* Goes on with N points, with which it has COMMON; K: covariances whitened, CAP of them. */
void lore_moves_field_ask(const struct moves_field *f, const struct moves_point *p,
    const struct moves_common *common, size_t n, double *k, struct moves_guess *g);
/* Variance of ln fraction of the optimum, whose level is not known, and of the result before the
 * best one. */
double lore_moves_variance(const struct moves_field *f, const struct moves_guess *g);
double lore_moves_gain_variance(const struct moves_field *f, const struct moves_guess *g);
/* As if P, whose guess G has seen all points and whitened covariances are K, had been measured and
 * came out as guessed. */
void lore_moves_field_believe(struct moves_field *f, const struct moves_point *p,
    const struct moves_guess *g, const double *k);

#endif
