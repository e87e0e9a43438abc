/* Paired A/B: two versions timed in turns, so that drift hits both. Pure and deterministic.
 * improvement of a pair = 100 (a - b) / a: percent of time that B saves over A. */
#ifndef LORE_DERIVE_PAIRED_H
#define LORE_DERIVE_PAIRED_H

#include "service/base/arena.h"
#include "service/wire/record.h"

#define LORE_PAIRED_METHOD "paired-bootstrap@1"
#define LORE_PAIRED_SEED 20130u
enum {
    LORE_PAIRED_RESAMPLES = 10000,
    LORE_PAIRED_MIN = 5,    /* fewer pairs confirm nothing */
    LORE_PAIRED_MAX = 4096, /* bounds the work: 41 million draws */
};
#define LORE_PAIRED_MIN_EFFECT 0.5 /* percent */

enum lore_paired_verdict { LORE_PAIRED_INCONCLUSIVE, LORE_PAIRED_WIN, LORE_PAIRED_LOSS };
/* "inconclusive", "confirmed_win", "confirmed_loss". */
const char *lore_paired_verdict_name(enum lore_paired_verdict v);

/* Whether ORDER, as a method says it, means that the samples of both sides were taken in turns:
 * paired, versions in turns, in turns, interleaved, ABBA. */
bool lore_paired_order(const char *order);

struct lore_paired {
    size_t n;
    double median_pct, low_pct, high_pct; /* median and its 95 % percentile bootstrap interval */
    double min_effect_pct;
    enum lore_paired_verdict verdict;
};
/* Samples of both sides; a_ns[i] and b_ns[i] were taken next to each other. */
struct lore_paired_samples {
    const int64_t *a_ns, *b_ns;
    size_t n;
};
/* win: the interval lies at or above
 * +min_effect; loss: at or below -min_effect; else inconclusive, and always with fewer than
 * LORE_PAIRED_MIN pairs. MIN_EFFECT_PCT unset: LORE_PAIRED_MIN_EFFECT. Resamples come from
 * lore_random_below with SEED. LORE_INVALID: no pairs, a time that is not positive, a negative
 * min_effect; LORE_TOOBIG: more than LORE_PAIRED_MAX pairs. */
enum lore_status
lore_paired_compare(struct lore_paired_samples s, struct lore_f64 min_effect_pct, uint64_t seed,
    struct lore_arena *arena, struct lore_paired *out, struct lore_err *err) LORE_MUST;

#endif
