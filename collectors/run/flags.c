/* Drift, modes and spread of one run's samples. GPU samples are quantised by the timer's tick and
 * correlated with their neighbours. So the variance of the drift test includes ties, drift is
 * tested on medians of blocks, and two groups only a few ticks apart are not modes. */
#include "collectors/run/flags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/stats/stats.h"
#include "service/wire/wire.h"

enum { BLOCKS_MIN = 8, BLOCKS_MAX = 32, BLOCK_SAMPLES = 4 };
#define TICK_MAX 100.0 /* ns; the timers of current GPUs tick every 32 ns or faster */

static double
median_of(struct lore_arena *arena, const int64_t *v, size_t n)
{
    struct lore_stats s;

    lore_stats(v, n, arena, &s);
    return s.median;
}

static double
percent(double part, double whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

/* ---- spread ---- */

static void
spread(const int64_t *v, size_t n, struct lore_arena *arena, struct lore_flags *out)
{
    double *sorted = lore_alloc_array(arena, n, sizeof *sorted);
    double *away = lore_alloc_array(arena, n, sizeof *away);
    double low, high;

    for (size_t i = 0; i < n; i++)
        sorted[i] = (double)v[i];
    qsort(sorted, n, sizeof *sorted, lore_select_by_f64);
    out->median_ns = lore_stats_percentile(sorted, n, 0.5);
    out->p10_ns = lore_stats_percentile(sorted, n, 0.1);
    out->p90_ns = lore_stats_percentile(sorted, n, 0.9);
    out->iqr_pct =
        percent(lore_stats_percentile(sorted, n, 0.75) - lore_stats_percentile(sorted, n, 0.25),
            out->median_ns);
    for (size_t i = 0; i < n; i++)
        away[i] = fabs(sorted[i] - out->median_ns);
    qsort(away, n, sizeof *away, lore_select_by_f64);
    out->mad_pct = percent(1.4826 * lore_stats_percentile(away, n, 0.5), out->median_ns);
    lore_stats_median_interval(v, n, arena, &low, &high);
    out->median_noise_pct = percent((high - low) / 2, out->median_ns);
}

/* ---- drift ---- */

/* The two-sided p value of the Mann-Kendall test over V, with ties in the variance. */
static double
kendall_p(const double *v, size_t n, struct lore_arena *arena)
{
    double s = 0, m = (double)n, variance = m * (m - 1) * (2 * m + 5);
    double *sorted = lore_memdup(arena, v, n * sizeof *v);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++)
            s += (v[j] > v[i]) - (v[j] < v[i]);
    }
    qsort(sorted, n, sizeof *sorted, lore_select_by_f64);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && !(sorted[j] > sorted[i]); j++)
            ;
        double t = (double)(j - i);
        variance -= t * (t - 1) * (2 * t + 5);
    }
    if (variance <= 0 || fabs(s) <= 1)
        return 1;
    double z = (fabs(s) - 1) / sqrt(variance / 18);
    return erfc(z / sqrt(2));
}

static void
drift(const int64_t *v, size_t n, struct lore_arena *arena, struct lore_flags *out)
{
    double medians[BLOCKS_MAX];
    size_t blocks = n / BLOCK_SAMPLES;

    if (n < LORE_FLAGS_DRIFT_MIN)
        return;
    blocks = blocks < BLOCKS_MIN ? BLOCKS_MIN : blocks > BLOCKS_MAX ? BLOCKS_MAX : blocks;
    for (size_t b = 0; b < blocks; b++) {
        size_t from = b * n / blocks, to = (b + 1) * n / blocks;
        medians[b] = median_of(arena, v + from, to - from);
    }
    size_t third = n / 3;
    double first = median_of(arena, v, third), last = median_of(arena, v + n - third, third);
    out->drift_known = true;
    out->drift_p = kendall_p(medians, blocks, arena);
    out->drift_pct = percent(last - first, first);
    out->drift = out->drift_p < 0.01 && fabs(out->drift_pct) >= LORE_FLAGS_PCT;
}

/* ---- modes ---- */

/* Where to cut SORTED into two groups so that they explain the most variance (Otsu): the first
 * index of the upper one. */
static size_t
best_split(const int64_t *sorted, size_t n)
{
    double total = 0, below = 0, best = -1;
    size_t at = n / 2;

    for (size_t i = 0; i < n; i++)
        total += (double)(sorted[i] - sorted[0]);
    for (size_t i = 1; i < n; i++) {
        below += (double)(sorted[i - 1] - sorted[0]);
        if (sorted[i] == sorted[i - 1])
            continue;
        double a = (double)i, b = (double)(n - i);
        double gap = (total - below) / b - below / a;
        double between = a * b * gap * gap;
        if (between > best) {
            best = between;
            at = i;
        }
    }
    return at;
}

static size_t
count_within(const int64_t *sorted, size_t n, double low, double high)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += (double)sorted[i] >= low && (double)sorted[i] <= high;
    return count;
}

/* The smallest step between different values, at most TICK_MAX: the timer's tick or a multiple. */
static double
tick_of(const int64_t *sorted, size_t n)
{
    double tick = TICK_MAX;

    for (size_t i = 1; i < n; i++) {
        double step = (double)(sorted[i] - sorted[i - 1]);
        if (step > 0 && step < tick)
            tick = step;
    }
    return tick;
}

/* P(at most K of N) for a fair coin. */
static double
coin_tail(size_t k, size_t n)
{
    double sum = 0, ln2 = log(2.0);

    for (size_t i = 0; i <= k; i++) {
        double ln = lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1);
        sum += exp(ln - (double)n * ln2);
    }
    return sum;
}

/* Whether the density of SORTED has a valley between LOW and HIGH. A density with one peak has
 * none: between two points it never falls below the lower of its values there. */
static bool
has_valley(const int64_t *sorted, size_t n, double low, double high)
{
    double width = (high - low) / 3;

    if (width < 3 * tick_of(sorted, n))
        return false;
    size_t left = count_within(sorted, n, low - width / 2, low + width / 2);
    size_t middle = count_within(sorted, n, low + width, high - width);
    size_t right = count_within(sorted, n, high - width / 2, high + width / 2);
    size_t least = left < right ? left : right;
    return 2 * middle <= least && coin_tail(middle, middle + least) < 0.001;
}

static void
modes(const int64_t *v, size_t n, struct lore_arena *arena, struct lore_flags *out)
{
    if (n < LORE_FLAGS_MODES_MIN)
        return;
    int64_t *sorted = lore_memdup(arena, v, n * sizeof *v);
    qsort(sorted, n, sizeof *sorted, lore_select_by_i64);
    size_t cut = best_split(sorted, n), upper = n - cut;
    out->modes_known = true;
    out->low_ns = median_of(arena, sorted, cut);
    out->high_ns = median_of(arena, sorted + cut, upper);
    out->high_share = (double)upper / (double)n;
    if (20 * cut < n || 20 * upper < n)
        return;
    if (percent(out->high_ns - out->low_ns, out->median_ns) < LORE_FLAGS_PCT)
        return;
    out->bimodal = has_valley(sorted, n, out->low_ns, out->high_ns);
}

void
lore_flags_of(const int64_t *samples, size_t n, uint64_t launches, struct lore_arena *arena,
    struct lore_flags *out)
{
    memset(out, 0, sizeof *out);
    out->n = n;
    if (n == 0)
        return;
    spread(samples, n, arena, out);
    drift(samples, n, arena, out);
    modes(samples, n, arena, out);
    out->launch_ns = out->median_ns / (double)(launches ? launches : 1);
    out->short_launch = out->launch_ns < LORE_FLAGS_SHORT_NS;
}

/* ---- words ---- */

const char *
lore_flags_time(struct lore_arena *arena, double ns)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (ns >= units[i].unit)
            return lore_format(arena, "%.4g %s", ns / units[i].unit, units[i].name);
    }
    return lore_format(arena, "%.4g ns", ns);
}

static const char *
drift_words(struct lore_arena *arena, const struct lore_flags *f)
{
    return lore_format(arena, "times %s by %.2g %% from the first third to the last",
        f->drift_pct > 0 ? "rose" : "fell", fabs(f->drift_pct));
}

static const char *
modes_words(struct lore_arena *arena, const struct lore_flags *f)
{
    return lore_format(arena, "two groups of times: %.0f %% near %s, %.0f %% near %s",
        100 - 100 * f->high_share, lore_flags_time(arena, f->low_ns), 100 * f->high_share,
        lore_flags_time(arena, f->high_ns));
}

static const char *
short_words(struct lore_arena *arena, const struct lore_flags *f)
{
    return lore_format(arena,
        "a launch takes %s: under 50 us the gaps between launches cost the program as much",
        lore_flags_time(arena, f->launch_ns));
}

static void
put_text(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text)
{
    lore_kvs_set(arena, kvs, key, lore_kvs_quote(arena, text));
}

static void
put_number(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, double v)
{
    lore_kvs_set(arena, kvs, key, lore_format(arena, "%.4g", v));
}

static const char *
flag_names(struct lore_arena *arena, const struct lore_flags *f)
{
    const char *names = lore_format(arena, "%s%s%s", f->drift ? ", drift" : "",
        f->bimodal ? ", bimodal" : "", f->short_launch ? ", launch_overhead" : "");

    return *names ? names + 2 : "none";
}

void
lore_flags_put(struct lore_arena *arena, const struct lore_flags *f, struct lore_kvs *method)
{
    if (f->n == 0)
        return;
    put_text(arena, method, "flags", flag_names(arena, f));
    put_number(arena, method, "iqr_pct", f->iqr_pct);
    put_number(arena, method, "mad_pct", f->mad_pct);
    put_text(arena, method, "drift",
        !f->drift_known ? "not tested: fewer than 12 samples"
        : f->drift      ? drift_words(arena, f)
                        : "none found");
    if (f->drift_known) {
        put_number(arena, method, "drift_pct", f->drift_pct);
        put_number(arena, method, "drift_p", f->drift_p);
        put_text(arena, method, "drift_test",
            "Mann-Kendall on medians of 8 to 32 blocks, two-sided 1 %, at least 0.5 %");
    }
    put_text(arena, method, "modes",
        !f->modes_known ? "not tested: fewer than 30 samples"
        : f->bimodal    ? modes_words(arena, f)
                        : "one");
    if (f->modes_known)
        put_text(arena, method, "modes_test",
            "valley between the halves of the best split, sign test 0.1 %, at least 0.5 % apart");
    if (f->short_launch)
        put_text(arena, method, "launch_overhead", short_words(arena, f));
}
