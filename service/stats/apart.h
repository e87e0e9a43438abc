/* Are two times apart, when of each only the middle and an interval are at hand? What has the
 * samples asks sequential.h or compare.h; a leaderboard has thousands of times and keeps no
 * samples.
 *
 * A side's standard error, in logarithms, is its half width on the side that faces the other,
 * divided by what the interval was made wider than one: 1.96 for 95 % of many samples, more or less
 * for few, because the interval of two samples covers the median half of the time only. The
 * difference in standard errors of both is then a t (Welch), whose few degrees of freedom keep few
 * samples from saying much. Drift that widened an interval (level.h) counts as if it were noise.
 * Pure. */
#ifndef LORE_STATS_APART_H
#define LORE_STATS_APART_H

#include <stdbool.h>
#include <stddef.h>

struct lore_apart {
    double at;           /* ln of the middle */
    double below, above; /* standard errors towards smaller and larger times */
    double df;           /* degrees of freedom of both; INFINITY: the spread is taken as known */
};
/* Of a median of N >= 2 samples with its interval (lore_level_interval) and their 10th and 90th
 * percentile, 0 where not known. All above 0. The error is never smaller than P10 and P90 make it:
 * a median's interval is made of few samples and is narrow by chance. */
struct lore_apart
lore_apart_median(double middle, double low, double high, size_t n, double p10, double p90);
/* Of a stated middle with its 10th and 90th percentile, of an unknown number of samples: as if one
 * sample had been taken. */
struct lore_apart lore_apart_stated(double middle, double p10, double p90);
/* Two-sided p of "no more than FLOOR apart", a fraction (LORE_SEQUENTIAL_FLOOR); 1 within it, and 1
 * where the difference is below ERRORS standard errors: most of many pairs are near each other, and
 * their p need not be known. */
double lore_apart_p_beyond(
    const struct lore_apart *a, const struct lore_apart *b, double floor, double errors);
/* Fewer standard errors than this have a larger p than P, 0 < P < 1, whatever the degrees of
 * freedom: all other t have heavier tails than the normal distribution. */
double lore_apart_errors(double p);
/* Two-sided p of "it is 1" of a ratio with its interval at CONFIDENCE, all above 0. */
double lore_apart_ratio_p(double ratio, double low, double high, double confidence);

#endif
