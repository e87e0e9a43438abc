/* Statistics of one run's ordered samples: spread, drift and modes. The functions are pure and
 * deterministic; each flag documents its method and error rate. service/stats/compare.h compares
 * two runs. */
#ifndef LORE_RUN_FLAGS_H
#define LORE_RUN_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/wire/record_base.h"

enum {
    LORE_FLAGS_SHORT_NS = 50000, /* below it, the time includes a large share of launch overhead */
    LORE_FLAGS_DRIFT_MIN = 12,   /* fewer samples say nothing about drift */
    LORE_FLAGS_MODES_MIN = 30,   /* fewer samples say nothing about modes */
};
/* Differences below this share of the median count as noise in both tests, however significant
 * they are. */
#define LORE_FLAGS_PCT 0.5

struct lore_flags {
    size_t n; /* 0: nothing below is set */
    double median_ns, p10_ns, p90_ns;
    double iqr_pct;          /* interquartile range in percent of the median */
    double mad_pct;          /* 1.4826 * median absolute deviation, in percent of the median */
    double median_noise_pct; /* half the 95 % interval of the median, in percent; n >= 6 */
    /* Drift: Mann-Kendall, two-sided 1 %, on the medians of 8 to 32 consecutive blocks, because
     * neighbouring samples are correlated. From 32 samples on, a block has at least four. Of 100
     * runs without drift at most 1 is flagged when samples are independent, and at most 5 when they
     * are correlated at 0.6. A rise and fall of equal size is not found. */
    bool drift_known, drift;
    double drift_p, drift_pct; /* last third's median against the first third's */
    /* Modes: samples are bimodal when the best split into two groups leaves fewer samples between
     * their medians than any density with one peak allows (one-sided sign test, 0.1 %). Each group
     * has 5 % or more. */
    bool modes_known, bimodal;
    double low_ns, high_ns, high_share; /* medians of the two groups; share of the upper */
    bool short_launch;                  /* a launch's median is below LORE_FLAGS_SHORT_NS */
    double launch_ns;
};
/* N samples in order of time; each sums LAUNCHES launches (0 counts as 1). */
void lore_flags_of(const int64_t *samples, size_t n, uint64_t launches, struct lore_arena *arena,
    struct lore_flags *out);
/* Add to a run's method: "flags" ("drift, bimodal" or "none"), a sentence per flag, and the
 * numbers. */
void lore_flags_put(struct lore_arena *arena, const struct lore_flags *f, struct lore_kvs *method);
/* "69.17 us", "3.2 ms"; in ARENA. */
const char *lore_flags_time(struct lore_arena *arena, double ns);

#endif
