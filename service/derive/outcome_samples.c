/* Computes the interval of the speedup from samples. Two comparison engines are used:
 *
 * 1. Alternating samples: one run per side with equally many samples, recorded as alternating.
 * Neighbours form pairs, which cancels drift (compare.h). `warplore compare` may stop after any of
 * several looks, so the confidence is corrected for that. If there are too few pairs for an
 * interval, engine 2 is used.
 *
 * 2. One side after the other (sequential.h). The sides count as separate processes if their runs
 * have different times, else as parts of one process. Several runs of a side are concatenated in
 * the order of their times; differences between them count as drift.
 *
 * Two processes of the same program differ, too, which samples of one process cannot show. So the
 * interval is widened by the host's noise floor. Long series are reduced to medians of adjacent
 * samples. */
#include "service/derive/outcome_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/stats/compare.h"
#include "service/stats/select.h"
#include "service/stats/sequential.h"

enum { MOST = 4096, PAIRS = 64 }; /* most values per side, and most pairs */

/* Replace *N values by the medians of at most MOST blocks of neighbours, in place. */
static double *
reduce(double *v, size_t *n, size_t most)
{
    size_t all = *n;

    for (size_t b = 0; all > most && b < most; b++) {
        size_t from = b * all / most, to = (b + 1) * all / most;
        v[b] = lore_select_median(
            v + from, to - from); /* b <= from, so no value is overwritten before it is read */
    }
    *n = all > most ? most : all;
    return v;
}

static double *
times(const int64_t *samples_ns, size_t n, struct lore_arena *arena)
{
    double *v = lore_alloc_array(arena, n, sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = fmax((double)samples_ns[i], 1);
    return v;
}

static double
median_of(const struct lore_side *side, struct lore_arena *arena)
{
    return lore_select_median(times(side->samples_ns, side->n, arena), side->n);
}

/* --- in turns --- */

static bool
by_pairs(
    const struct lore_sides *sides, struct lore_arena *arena, struct lore_sample_comparison *out)
{
    double alpha = (1 - LORE_COMPARE_CONFIDENCE) / LORE_COMPARE_LOOKS;
    size_t n = sides->before->n;
    struct lore_comparison c;

    if (!sides->in_turns || sides->after->n != n)
        return false;
    double *a = times(sides->before->samples_ns, n, arena),
           *b = times(sides->after->samples_ns, n, arena);
    if (n > PAIRS) { /* reduce the ratios of pairs, not each side */
        for (size_t i = 0; i < n; i++) {
            a[i] /= b[i];
            b[i] = 1;
        }
        a = reduce(a, &n, PAIRS);
    }
    if (lore_compare_pairs((struct lore_pairs){a, b, n}, alpha, 0, arena, &c, NULL) != LORE_OK ||
        !c.bounded)
        return false;
    *out = (struct lore_sample_comparison){.policy = LORE_OUTCOME_PAIRED,
        .before_ns = median_of(sides->before, arena),
        .after_ns = median_of(sides->after, arena),
        .bounded = true,
        .low = c.low,
        .high = c.high};
    return true;
}

/* --- one after the other --- */

struct series {
    double *v;
    size_t n;
    int64_t first_us, last_us; /* 0: not known */
};
struct part {
    int64_t at_us;
    size_t from, n, position;
};

static int
by_time(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* The samples of SIDE, in the order of the times of its runs if all are known. */
static struct series
series_of(const struct lore_side *side, struct lore_arena *arena)
{
    double *v = times(side->samples_ns, side->n, arena);
    struct part *parts = lore_alloc_array(arena, side->n_runs + 1, sizeof *parts);
    size_t from = 0, at = 0;
    bool known = side->n_runs > 0;

    for (size_t i = 0; i < side->n_runs; i++) {
        parts[i] = (struct part){side->runs[i].measured_us, from, side->runs[i].n, i};
        known = known && parts[i].at_us != 0;
        from += parts[i].n;
    }
    struct series s = {v, side->n, 0, 0};
    if (known && from == side->n) {
        qsort(parts, side->n_runs, sizeof *parts, by_time);
        s.v = lore_alloc_array(arena, side->n, sizeof *v);
        for (size_t i = 0; i < side->n_runs; at += parts[i++].n)
            memcpy(s.v + at, v + parts[i].from, parts[i].n * sizeof *v);
        s.first_us = parts[0].at_us;
        s.last_us = parts[side->n_runs - 1].at_us;
    }
    reduce(s.v, &s.n, MOST);
    return s;
}

/* The median of all samples or, if warm-up or steps were cut off, of the part that is compared. */
static double
level_ns(const struct lore_level *l, const struct lore_side *side, struct lore_arena *arena)
{
    return l->warmup == 0 && l->steps == 0 ? median_of(side, arena) : exp(l->middle);
}

/* Whether the sides were measured by different processes: their samples alternate, or their runs
 * have different times. */
static bool
separate_processes(const struct lore_sides *sides, const struct series *b, const struct series *a)
{
    bool known = b->first_us > 0 && a->first_us > 0;

    return sides->in_turns || (known && (b->first_us != a->first_us || b->last_us != a->last_us));
}

static void
one_after_the_other(
    const struct lore_sides *sides, struct lore_arena *arena, struct lore_sample_comparison *out)
{
    struct series b = series_of(sides->before, arena), a = series_of(sides->after, arena);
    struct lore_sequential_input ask = {.a_ns = b.v,
        .n_a = b.n,
        .b_ns = a.v,
        .n_b = a.n,
        .alpha = LORE_SEQUENTIAL_ALPHA,
        .floor = sides->floor.set ? sides->floor.v : LORE_SEQUENTIAL_FLOOR,
        .apart = separate_processes(sides, &b, &a)};
    struct lore_sequential s;

    ask.margin = fmax(ask.floor, LORE_SEQUENTIAL_MARGIN);
    *out = (struct lore_sample_comparison){.policy = LORE_OUTCOME_SAMPLED};
    if (lore_sequential_compare(&ask, arena, &s, NULL) != LORE_OK)
        return; /* cannot happen: times are above 0, and the floor is below 1 */
    out->before_ns = level_ns(&s.a, sides->before, arena);
    out->after_ns = level_ns(&s.b, sides->after, arena);
    out->elsewhere = (s.reasons & (LORE_SEQUENTIAL_STEPS | LORE_SEQUENTIAL_MISPLACED)) != 0;
    out->bounded = s.bounded && !out->elsewhere;
    out->low = s.low;
    out->high = s.high;
    out->drift = s.drift;
}

void
lore_outcome_samples(
    const struct lore_sides *sides, struct lore_arena *arena, struct lore_sample_comparison *out)
{
    double floor = 1 + (sides->floor.set ? sides->floor.v : LORE_SEQUENTIAL_FLOOR);

    if (!by_pairs(sides, arena, out))
        one_after_the_other(sides, arena, out);
    out->speedup = out->before_ns / out->after_ns;
    if (!out->bounded)
        return;
    out->low = fmin(out->low / floor, out->speedup);
    out->high = fmax(out->high * floor, out->speedup);
}
