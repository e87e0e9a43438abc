/* Paired comparison with fixed looks; compare.h says why it is built so. On the log scale a gain
 * and the loss that undoes it are equally large, so everything here is in logarithms until the end.
 */
#include "service/stats/compare.h"

#include <math.h>
#include <string.h>

#include "service/stats/walsh.h"

#define REACH 4.0 /* spreads; 1 of 16,000 normal values lies further */

enum lore_status
lore_compare_plan(
    size_t rounds, double confidence, struct lore_compare_plan *out, struct lore_err *err)
{
    if (rounds < LORE_COMPARE_LEAST || rounds > LORE_COMPARE_MOST)
        return lore_fail_at(err, LORE_INVALID, "out_of_range", "rounds",
            "rounds: %zu is not within %d..%d", rounds, LORE_COMPARE_LEAST, LORE_COMPARE_MOST);
    if (!(confidence >= 0.5 && confidence <= 0.9999))
        return lore_fail_at(err, LORE_INVALID, "out_of_range", "confidence",
            "confidence: %g is not within 0.5..0.9999", confidence);
    *out = (struct lore_compare_plan){.confidence = confidence};
    /* the largest number of looks that leaves each enough pairs for an interval */
    for (size_t n = LORE_COMPARE_LOOKS; n > 0; n--) {
        double alpha = (1 - confidence) / (double)n;
        size_t pairs = lore_walsh_least(alpha), first = LORE_COMPARE_LEAST;
        while (first * LORE_COMPARE_ROUND < pairs)
            first++;
        if (first + n - 1 > rounds)
            continue;
        out->alpha = alpha;
        out->n_looks = n;
        for (size_t i = 0; i + 1 < n; i++)
            out->looks[i] = first + ((rounds - first) * i + (n - 1) / 2) / (n - 1);
        out->looks[n - 1] = rounds;
        return LORE_OK;
    }
    return lore_fail_at(err, LORE_INVALID, "out_of_range", "rounds",
        "rounds: %zu are too few for a confidence of %g %%", rounds, 100 * confidence);
}

bool
lore_compare_due(const struct lore_compare_plan *plan, size_t rounds)
{
    for (size_t i = 0; i < plan->n_looks; i++) {
        if (plan->looks[i] == rounds)
            return true;
    }
    return false;
}

const char *
lore_compare_verdict_name(enum lore_compare_verdict v)
{
    static const char *const names[] = {"inconclusive", "win", "loss", "neutral"};

    return v <= LORE_COMPARE_NEUTRAL ? names[v] : "inconclusive";
}

bool
lore_compare_b_first(size_t i)
{
    return i % 4 == 1 || i % 4 == 2;
}

static enum lore_status
check(struct lore_pairs pairs, double min_effect, struct lore_err *err)
{
    if (pairs.n == 0)
        return lore_fail(err, LORE_INVALID, "pairs: there are none");
    if (pairs.n > LORE_WALSH_MAX)
        return lore_fail(
            err, LORE_TOOBIG, "pairs: %zu, at most %d are compared", pairs.n, LORE_WALSH_MAX);
    if (!(min_effect >= 0 && min_effect < 1))
        return lore_fail_at(err, LORE_INVALID, "out_of_range", "min_effect",
            "min_effect: %g is not within 0..1", min_effect);
    for (size_t i = 0; i < pairs.n; i++) {
        bool a = isfinite(pairs.a_ns[i]) && pairs.a_ns[i] > 0,
             b = isfinite(pairs.b_ns[i]) && pairs.b_ns[i] > 0;
        if (!a || !b)
            return lore_fail(
                err, LORE_INVALID, "pairs[%zu].%c: a time must be above 0", i, a ? 'b' : 'a');
    }
    return LORE_OK;
}

/* The drift of both programs' times in the order they ran, after removing the speedup between them.
 */
static void
drift(struct lore_pairs pairs, double shift, struct lore_arena *arena, struct lore_trend *out)
{
    double *v = lore_alloc_array(arena, 2 * pairs.n, sizeof *v);

    for (size_t i = 0; i < pairs.n; i++) {
        size_t b_first = lore_compare_b_first(i);
        v[2 * i + b_first] = log(pairs.a_ns[i]) - shift / 2;
        v[2 * i + 1 - b_first] = log(pairs.b_ns[i]) + shift / 2;
    }
    lore_trend(v, 2 * pairs.n, arena, out);
}

/* The factor that widens the interval for autocorrelated pairs. A correlation that may be chance is
 * ignored. A negative one (drift within pairs) has already made the interval too wide. */
static double
widening(double r, size_t n)
{
    double chance = lore_walsh_normal_quantile(0.95) / sqrt((double)n);

    return r > chance ? sqrt((1 + fmin(r, 0.9)) / (1 - fmin(r, 0.9))) : 1;
}

/* Clamp outliers to REACH spreads from the middle. Otherwise one slow process (another tenant, a
 * page fault storm) would stretch the interval without limit. Both sides are treated alike, so
 * neither program gains. Returns the number of clamped pairs. */
static size_t
clamp_outliers(double *v, size_t n, double middle, double spread)
{
    size_t pulled = 0;

    for (size_t i = 0; i < n; i++) {
        double near = fmax(middle - REACH * spread, fmin(middle + REACH * spread, v[i]));
        pulled += fabs(near - v[i]) > 0;
        v[i] = near;
    }
    return pulled;
}

static enum lore_compare_verdict
judge(double low, double high, double effect)
{
    /* strict comparisons: an interval that ends at 0 gives no verdict, even with an effect of 0 */
    if (low > effect)
        return LORE_COMPARE_WIN;
    if (high < -effect)
        return LORE_COMPARE_LOSS;
    if (effect > 0 && low > -effect && high < effect)
        return LORE_COMPARE_NEUTRAL;
    return LORE_COMPARE_INCONCLUSIVE;
}

enum lore_status
lore_compare_pairs(struct lore_pairs pairs, double alpha, double min_effect,
    struct lore_arena *arena, struct lore_comparison *out, struct lore_err *err)
{
    enum lore_status status = check(pairs, min_effect, err);
    struct lore_walsh w;
    size_t n = pairs.n;

    if (status != LORE_OK)
        return status;
    double *v = lore_alloc_array(arena, n, sizeof *v), effect = log1p(min_effect);
    for (size_t i = 0; i < n; i++)
        v[i] = log(pairs.a_ns[i]) - log(pairs.b_ns[i]);
    double spread = lore_trend_spread(v, n, arena), r = lore_trend_autocorrelation(v, n, arena);
    size_t outliers = clamp_outliers(v, n, lore_trend_median(v, n, arena), spread);
    lore_walsh_interval(v, n, alpha, arena, &w);
    *out = (struct lore_comparison){.n = n,
        .speedup = exp(w.middle),
        .bounded = w.bounded,
        .confidence = 1 - alpha,
        .spread = spread,
        .neighbours = r,
        .outliers = outliers,
        .widened = 1,
        .min_effect = min_effect};
    drift(pairs, w.middle, arena, &out->drift);
    if (!w.bounded)
        return LORE_OK;
    out->widened = widening(out->neighbours, n);
    double low = w.middle - out->widened * (w.middle - w.low);
    double high = w.middle + out->widened * (w.high - w.middle);
    double power =
        lore_walsh_normal_quantile(LORE_COMPARE_POWER) / lore_walsh_normal_quantile(1 - alpha / 2);
    out->low = exp(low);
    out->high = exp(high);
    /* A difference of the minimum effect plus half the width of the interval is found in half of
     * the looks. The power term raises that to 80 %. */
    out->detectable = expm1(effect + (high - low) / 2 * (1 + power));
    out->verdict = judge(low, high, effect);
    return LORE_OK;
}
