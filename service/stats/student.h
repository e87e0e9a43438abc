/* Student's t with NU > 0 degrees of freedom; INFINITY: the normal distribution. Pure. */
#ifndef LORE_STATS_STUDENT_H
#define LORE_STATS_STUDENT_H

/* The probability of a value at least as far from 0 as T >= 0, on either side. */
double lore_student_p(double nu, double t);
/* The quantile of P, 0.5 <= P < 1. */
double lore_student_quantile(double nu, double p);

#endif
