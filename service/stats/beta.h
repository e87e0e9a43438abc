/* The beta distribution, for intervals of a probability. Good to about 1e-10 for A, B in 0.01..1e6;
 * callers pass nothing else. Pure. */
#ifndef LORE_STATS_BETA_H
#define LORE_STATS_BETA_H

/* The regularised incomplete beta function I_x(A, B): the probability to stay below X. */
double lore_beta_cdf(double a, double b, double x);
/* The X that it stays below with probability P. */
double lore_beta_quantile(double a, double b, double p);

#endif
