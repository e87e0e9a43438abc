/* Paired A/B comparison: samples of two versions alternate, so that drift affects both.
 * Deterministic. The improvement of a pair is 100 (a - b) / a, the time that B saves in percent of
 * A. */
#ifndef LORE_DERIVE_PAIRED_H
#define LORE_DERIVE_PAIRED_H

#include "service/base/arena.h"
#include "service/wire/record.h"

#define LORE_PAIRED_METHOD "paired-bootstrap@1"
#define LORE_PAIRED_SEED 20130u
enum {
    LORE_PAIRED_RESAMPLES = 10000,
    LORE_PAIRED_MIN = 5,    /* fewer pairs are always inconclusive */
    LORE_PAIRED_MAX = 4096, /* bounds the work: 41 million draws */
};
#define LORE_PAIRED_MIN_EFFECT 0.5 /* percent */

enum lore_paired_verdict { LORE_PAIRED_INCONCLUSIVE, LORE_PAIRED_WIN, LORE_PAIRED_LOSS };
/* "inconclusive", "confirmed_win", "confirmed_loss". */
const char *lore_paired_verdict_name(enum lore_paired_verdict v);

/* Whether ORDER, a field of the timing method, says that samples of both sides alternate: paired,
 * versions in turns, in turns, interleaved, ABBA. */
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
/* win: the whole interval is at or above +min_effect and above 0. loss: at or below -min_effect and
 * below 0. Otherwise inconclusive, and always with fewer than LORE_PAIRED_MIN pairs. MIN_EFFECT_PCT
 * unset: LORE_PAIRED_MIN_EFFECT. Resamples come from lore_random_below with SEED. LORE_INVALID: no
 * pairs, a time that is not positive, a negative min_effect; LORE_TOOBIG: more than LORE_PAIRED_MAX
 * pairs. */
enum lore_status
lore_paired_compare(struct lore_paired_samples s, struct lore_f64 min_effect_pct, uint64_t seed,
    struct lore_arena *arena, struct lore_paired *out, struct lore_err *err) LORE_MUST;

#endif
