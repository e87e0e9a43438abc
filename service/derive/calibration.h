/* Calibration of authors: stated probabilities compared with outcomes. Pure functions. */
#ifndef LORE_DERIVE_CALIBRATION_H
#define LORE_DERIVE_CALIBRATION_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum { LORE_CALIBRATION_BINS = 10 }; /* [0, 0.1), … [0.9, 1] */

enum lore_happened { LORE_HAPPENED_UNKNOWN, LORE_HAPPENED_NO, LORE_HAPPENED_YES };
struct lore_prediction {
    const char *author; /* NULL: not recorded */
    struct lore_f64 probability;
    enum lore_happened outcome;
};
struct lore_calibration_bin {
    size_t n;
    double mean_probability,
        rate; /* mean stated probability and observed rate; undefined when n is 0 */
};
struct lore_calibration {
    const char *author; /* borrowed; NULL: of predictions without an author, or the total */
    size_t n; /* predictions with probability and outcome; the numbers below cover these */
    size_t without_probability,
        without_outcome;       /* a row that lacks both counts in without_probability */
    struct lore_f64 brier;     /* mean (p - outcome)^2, 0 best; unset when n is 0 */
    struct lore_f64 base_rate; /* share that happened */
    struct lore_f64 reference; /* Brier of always saying the base rate: base (1 - base) */
    struct lore_f64 error;     /* expected calibration error over the bins */
    struct lore_calibration_bin bins[LORE_CALIBRATION_BINS];
};
struct lore_calibrations {
    struct lore_calibration *authors; /* by name; predictions without an author first */
    size_t n_authors;
    struct lore_calibration total;
};
/* LORE_INVALID names the row whose probability is not within 0..1. Lists live in ARENA. */
enum lore_status lore_calibration_of(const struct lore_prediction *rows, size_t n,
    struct lore_arena *arena, struct lore_calibrations *out, struct lore_err *err) LORE_MUST;

#endif
