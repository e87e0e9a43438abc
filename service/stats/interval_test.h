/* Whether two times differ, when only a median and an interval of each are known. Callers with
 * samples use sequential.h or compare.h. A leaderboard has thousands of times and stores no
 * samples.
 *
 * Everything is on a log scale. The half width of an interval is a known number of standard
 * errors: 1.96 for 95 % and many samples. For few samples it is another number; for example, the
 * interval of two samples covers the median only half of the time. The half width towards the other
 * time, divided by that number, is the standard error of the time. The difference divided by the
 * standard error of both is Welch's t. Few samples give few degrees of freedom, so their p stays
 * large. Drift that widened an interval (level.h) counts as if it were noise. Pure. */
#ifndef LORE_STATS_INTERVAL_TEST_H
#define LORE_STATS_INTERVAL_TEST_H

#include <stdbool.h>
#include <stddef.h>

struct lore_interval_test {
    double at;           /* ln of the middle */
    double below, above; /* standard errors towards smaller and larger times */
    double df;           /* degrees of freedom; INFINITY: the standard errors are taken as known */
};
/* From a median of N >= 2 samples, its interval (lore_level_interval) and the 10th and 90th
 * percentiles of the samples. All are above 0, but P10 and P90 may be 0 for unknown. P10 and P90
 * give a lower bound of the standard error, because the interval of few samples can be narrow by
 * chance. */
struct lore_interval_test
lore_interval_test_median(double middle, double low, double high, size_t n, double p10, double p90);
/* From a reported median with its 10th and 90th percentiles and an unknown number of samples. It
 * counts as one sample. */
struct lore_interval_test lore_interval_test_stated(double middle, double p10, double p90);
/* The two-sided p of the hypothesis that the times differ by at most FLOOR, a fraction
 * (LORE_SEQUENTIAL_FLOOR). Differences within FLOOR have p = 1. So do differences below ERRORS
 * standard errors, which saves most of the time when there are many pairs. */
double lore_interval_test_p_beyond(const struct lore_interval_test *a,
    const struct lore_interval_test *b, double floor, double errors);
/* The number of standard errors below which p is larger than P, 0 < P < 1. It holds for any degrees
 * of freedom, because the tails of t are heavier than those of the normal distribution. */
double lore_interval_test_errors(double p);
/* The two-sided p of the hypothesis that a ratio is 1, from its interval at CONFIDENCE. All are
 * above 0. */
double lore_interval_test_ratio_p(double ratio, double low, double high, double confidence);

#endif
