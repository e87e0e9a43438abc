/* What the memory says of one technique here, in numbers: the probability that it wins and the
 * expected gain, each with its interval. Private to recommend/. */
#ifndef LORE_RECOMMEND_ESTIMATE_H
#define LORE_RECOMMEND_ESTIMATE_H

#include "service/recommend/scan.h"

enum { /* what else moves p, after the levels */
    LORE_AT_CALIBRATION = LORE_LEVEL_COUNT,
    LORE_AT_BOTTLENECK,
    LORE_AT_HEADROOM,
    LORE_AT_SESSION,
    LORE_AT_COUNT
};
struct lore_estimate {
    double a, b, p;                 /* a win, whatever the chip allows: Beta(a, b) and its mean */
    double beyond;                  /* share of the wins that are larger than the chip allows */
    double sure;                    /* experiments that p is worth for a place like this one */
    double gain, nu, spread;        /* ln speedup, Student t: mean, degrees of freedom, scale */
    double base, at[LORE_AT_COUNT]; /* p before any evidence on it, and after each step */
    double kappa;                   /* experiments that the prior of the last level counts for */
    double session;                 /* what the state of the session adds to the log odds */
    bool against;                   /* it is for other bottlenecks than the one here */
};
/* The share of wins over everything: what a technique starts from. */
double lore_estimate_base(const struct lore_scan *s);
/* T NULL: nobody tried it, so it has the prior of its level. */
struct lore_estimate
lore_estimate(const struct lore_scan *s, const struct lore_tried *t, const char *technique);
struct lore_estimate lore_estimate_of(const struct lore_scan *s, const char *technique);
/* The chance of a win here, when P is the chance where everything is possible. */
double lore_estimate_odds(const struct lore_estimate *e, double p);
/* Experiments behind the mean ln speedup, and the scale of the next result's; that of the mean is
 * e->spread. */
double lore_estimate_behind(const struct lore_estimate *e);
double lore_estimate_scale(const struct lore_estimate *e);
/* The ln speedup GAIN where the chip allows a speedup of AT_MOST (0: not known): small gains stay,
 * large ones approach the limit, the order stays. */
double lore_estimate_within(double gain, double at_most);
/* WIDTH: of the interval, whatever the state of the session. */
struct lore_interval lore_estimate_p_win(const struct lore_estimate *e, double *width);
struct lore_interval lore_estimate_gain(const struct lore_scan *s, const struct lore_estimate *e);

#endif
