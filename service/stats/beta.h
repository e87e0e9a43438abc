/* The beta distribution, for intervals of a probability. Accurate to about 1e-10 for A and B in
 * 0.01..1e6. Callers must pass only such values. Pure. */
#ifndef LORE_STATS_BETA_H
#define LORE_STATS_BETA_H

/* The regularised incomplete beta function I_x(A, B): the probability of a value below X. */
double lore_beta_cdf(double a, double b, double x);
/* The quantile of P: the X with I_X(A, B) = P. */
double lore_beta_quantile(double a, double b, double p);

#endif
