/* One definition of gains and of the best version, for histories, the board, comparisons and
 * receipts. Pure functions.
 *
 * A place is a chip and a workload. Of a version's times at a place one counts: the fastest of
 * those that compare with each other, measured ones before stated ones. The gain of B over A is A's
 * time over B's time. docs/verdicts.md explains the rules.
 */
#ifndef LORE_DERIVE_GAIN_H
#define LORE_DERIVE_GAIN_H

#include "service/wire/record.h"

/* Whether a version may be the best at a place. */
struct lore_gain_standing {
    enum lore_version_kind kind;
    bool library; /* a library, by its kind or its kernel's language */
    bool failed;  /* a check at the place failed or timed out */
    bool passed_elsewhere_only;
    bool hidden; /* retracted, or all its evidence is masked, merged away or retracted */
};
bool lore_gain_may_lead(const struct lore_gain_standing *s);
/* Whether the version may be the base "first version": as above, except that a pass on other
 * workloads suffices and an ablation may be one. */
bool lore_gain_may_be_first(const struct lore_gain_standing *s);

/* The time of a version at a place, as far as it decides who leads. */
struct lore_gain_time {
    bool measured;  /* evidence class measured or confirmed; else stated */
    bool checked;   /* a check passed at the place; stated times count as checked */
    bool in_method; /* timed by the method of most versions */
    double ns;      /* 0: not known */
    double speedup; /* stated; decides without a workload, where times do not: BY_SPEEDUP */
    bool by_speedup;
    int64_t seq; /* order of arrival */
};
/* Whether A leads B: measured before stated, checked before unchecked, timed before untimed, in the
 * common method before others, then the shorter time, then the earlier one. */
bool lore_gain_leads(const struct lore_gain_time *a, const struct lore_gain_time *b);

#define LORE_LOSS_BELOW (1 / 1.02) /* stated numbers: 2 % slower is more than rounding */
/* The gain that counts for a step of SPEEDUP from a base that has SHARE of the speed of the best
 * before it; SHARE 0 or near 1: the base is the best. To win back a loss is a gain of 1. */
double lore_gain_over_best(double speedup, double share);

/* The gain of a version with time NS over one with BASE_NS; 0 when one is not known. */
double lore_gain(double base_ns, double ns);

#endif
