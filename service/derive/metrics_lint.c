/* Sanity of recorded metrics. Reports print stall ratios and Warp Execution Efficiency with a
 * percent sign although they are not percentages. So the unit from the catalogue counts, and a
 * record with "%" for such a metric is flagged. A bad but possible value, such as a low hit
 * rate, is not flagged. */
#include "service/derive/metrics_lint.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

#define ANOTHER_SPEED 0.02 /* a smaller difference is that of two launches */
enum { MEDIAN_HOLDS = 3 }; /* launches, of which one may be off */

struct lint {
    struct lore_arena *arena;
    const struct lore_metric *m; /* current metric */
    const struct lore_metric_def *def;
    struct lore_metric_flag *flags;
    size_t n, cap;
};

static void
flag(struct lint *l, const char *code, const char *sentence)
{
    *LORE_PUSH(l->arena, l->flags, l->n, l->cap) =
        (struct lore_metric_flag){code, l->m->name, sentence};
}

/* Whether the record marks its value as a percentage, by its unit or by a "%" in its name. */
static bool
says_percent(const struct lore_metric *m)
{
    if (m->unit && *m->unit != '\0')
        return strchr(m->unit, '%') || lore_streqi(m->unit, "pct") ||
               lore_streqi(m->unit, "percent");
    return m->name && strchr(m->name, '%');
}

static bool
is_occupancy(const struct lore_metric_def *def)
{
    return def && (lore_streq(def->canonical, "achieved_occupancy_pct") ||
                      lore_streq(def->canonical, "theoretical_occupancy_pct"));
}

/* Whether NAME is no share of a whole, whatever its unit: an extreme or sum over units whose peak
 * is that of their mean, or one of ncu's curves over launch sizes, printed as their sum. */
static bool
is_rollup(const char *name)
{
    static const char *const parts[] = {
        ".max.pct_of_peak", ".min.pct_of_peak", ".sum.pct_of_peak", "derived__pct_occupancy_per_"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

/* Flag a percentage outside 0..100. These metrics are shares of a whole. */
static void
percent(struct lint *l)
{
    double v = l->m->value;
    bool pct = l->def ? lore_streq(l->def->kind, "pct") : says_percent(l->m);

    if (!pct || is_rollup(l->m->name))
        return;
    if (is_occupancy(l->def) && v > 100)
        flag(l, "occupancy_above_100",
            lore_format(l->arena,
                "%s is %.6g %%, more warps than the hardware holds; the profiler may have "
                "rounded, or the unit differs",
                l->m->name, v));
    else if (v < 0 || v > 100)
        flag(l, "percent_out_of_range",
            lore_format(l->arena, "%s is %.6g %%, outside 0..100", l->m->name, v));
}

static void
mislabelled(struct lint *l)
{
    if (!says_percent(l->m))
        return;
    if (!l->def) {
        if (strcasestr(l->m->name, "stall"))
            flag(l, "stall_unit_unclear",
                lore_format(l->arena,
                    "%s = %.6g is labelled a percentage, but no profiler uses this name: stall "
                    "reasons in reports are mostly in warps per issue",
                    l->m->name, l->m->value));
        return;
    }
    if (lore_streq(l->def->canonical, "threads_per_inst"))
        flag(l, "threads_as_percent",
            lore_format(l->arena,
                "%s = %.6g is labelled a percentage but is the number of active threads per warp "
                "(%.4g %% of 32)",
                l->m->name, l->m->value, l->m->value / 32 * 100));
    else if (lore_streq(l->def->unit, "warp/issue"))
        flag(l, "ratio_as_percent",
            lore_format(l->arena,
                "%s = %.6g is labelled a percentage but is a ratio, in warps per issue", l->m->name,
                l->m->value));
}

static void
statistics(struct lint *l)
{
    const struct lore_metric *m = l->m;
    bool one = m->n.set && m->n.v == 1;

    if (m->std.set && !isfinite(m->std.v))
        flag(l, "std_not_a_number",
            lore_format(l->arena, "the standard deviation of %s is not a number%s", m->name,
                one ? ": it was measured once" : ""));
    else if (m->std.set && one)
        flag(l, "std_of_one",
            lore_format(l->arena, "%s has a standard deviation of %.6g from one sample", m->name,
                m->std.v));
    else if (one)
        flag(l, "single_sample", lore_format(l->arena, "%s was measured once", m->name));
    if (m->precision_lost)
        flag(l, "precision_lost",
            lore_format(l->arena,
                "%s = %.6g was printed with three digits: differences below 0.5 %% cannot be seen",
                m->name, m->value));
    if ((m->min.set && m->value < m->min.v) || (m->max.set && m->value > m->max.v))
        flag(l, "range_excludes_value",
            lore_format(l->arena, "%s = %.6g lies outside its own range %.6g..%.6g", m->name,
                m->value, m->min.set ? m->min.v : -INFINITY, m->max.set ? m->max.v : INFINITY));
}

static int
name_order(const void *a, const void *b)
{
    const struct lore_metric *x = *(const struct lore_metric *const *)a;
    const struct lore_metric *y = *(const struct lore_metric *const *)b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x > y) - (x < y);
}

/* The metrics with a name and a value, sorted by name for binary search: runs may have
 * thousands. */
static const struct lore_metric **
by_name(const struct lore_metrics *m, struct lore_arena *arena, size_t *n)
{
    const struct lore_metric **sorted = lore_alloc_array(arena, m->n + 1, sizeof *sorted);

    *n = 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->v[i].name && m->v[i].missing == LORE_MISS_NONE)
            sorted[(*n)++] = &m->v[i];
    qsort(sorted, *n, sizeof *sorted, name_order);
    return sorted;
}

/* Whether two metrics may have one name. Not, when each is another row of the catalogue; then
 * nothing needs sorting. */
static bool
may_repeat(const struct lore_metrics *m)
{
    uint64_t seen[32] = {0};
    size_t rows;
    const struct lore_metric_def *first = lore_metrics(&rows);

    for (size_t i = 0; i < m->n; i++) {
        size_t row = m->v[i].def != NULL ? (size_t)(m->v[i].def - first) : SIZE_MAX;
        uint64_t bit = UINT64_C(1) << row % 64;

        if (row / 64 >= sizeof seen / sizeof *seen || (seen[row / 64] & bit) != 0)
            return true;
        seen[row / 64] |= bit;
    }
    return false;
}

/* The first metric called NAME, or NULL. */
static const struct lore_metric *
find_by_name(const struct lore_metric *const *sorted, size_t n, const char *name)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(sorted[mid]->name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && lore_streq(sorted[low]->name, name) ? sorted[low] : NULL;
}

/* Flag a metric whose value differs from that of the first with the same name. */
static void
duplicate(struct lint *l, const struct lore_metric *const *sorted, size_t n)
{
    const struct lore_metric *first = find_by_name(sorted, n, l->m->name);

    if (first && first != l->m && first->value != l->m->value)
        flag(l, "duplicate_metric",
            lore_format(l->arena, "%s is recorded twice: %.6g and %.6g", l->m->name, first->value,
                l->m->value));
}

const struct lore_metric_flag *
lore_metrics_lint(const struct lore_metrics *metrics, struct lore_arena *arena, size_t *n)
{
    struct lint l = {.arena = arena};
    bool twice = may_repeat(metrics);
    size_t n_sorted = 0;
    const struct lore_metric **sorted = twice ? by_name(metrics, arena, &n_sorted) : NULL;

    for (size_t i = 0; i < metrics->n; i++) {
        l.m = &metrics->v[i];
        if (l.m->missing != LORE_MISS_NONE || !l.m->name)
            continue;
        l.def = l.m->def != NULL ? l.m->def : lore_metric_find(l.m->name);
        if (!isfinite(l.m->value)) {
            flag(&l, "not_finite", lore_format(arena, "%s is not a finite number", l.m->name));
            continue;
        }
        percent(&l);
        mislabelled(&l);
        statistics(&l);
        if (twice)
            duplicate(&l, sorted, n_sorted);
    }
    *n = l.n;
    return l.flags;
}

/* The value of KEY in the method of RUN as plain text; "" for none. */
static const char *
method(const struct lore_run *run, struct lore_arena *arena, const char *key)
{
    const char *v = lore_kvs_get(&run->method, key);

    return v ? lore_kvs_plain(arena, v) : "";
}

/* Flag the first share of elapsed time: what is wrong with it is the same for all of them. */
static void
other_speed(struct lint *l, const struct lore_metrics *metrics, double ratio)
{
    size_t n = 0;

    for (size_t i = metrics->n; i-- > 0;) {
        const struct lore_metric *m = &metrics->v[i];

        if (m->missing == LORE_MISS_NONE && m->name && strstr(m->name, "_elapsed")) {
            l->m = m;
            n++;
        }
    }
    if (n > 0)
        flag(l, "counted_at_other_speed",
            lore_format(l->arena,
                "%s = %.6g%s: the counted launches took %.3g times as long as the timed ones",
                l->m->name, l->m->value,
                n > 1 ? lore_format(l->arena, ", and %zu more relative to elapsed time", n - 1)
                      : "",
                ratio));
}

/* Flag DRAM writes that can be of something else than the kernel. */
static void
other_writes(struct lint *l, bool clean, bool median)
{
    int64_t n = l->m->n.set ? l->m->n.v : 1;

    if (!clean)
        flag(l, "l2_not_clean",
            lore_format(l->arena,
                "%s = %.6g was counted without cleaning the L2: up to the size of the L2, its "
                "writes can be of data that was changed before the launch",
                l->m->name, l->m->value));
    else if (!median || n < MEDIAN_HOLDS)
        flag(l, "first_launch_counted",
            lore_format(l->arena,
                "%s = %.6g is %s %" PRId64
                " launch%s: the first counted launch of a process writes "
                "about 5 MB more to DRAM than later ones (H100, H200)",
                l->m->name, l->m->value, n == 1 ? "of" : "the mean of", n, n == 1 ? "" : "es"));
}

const struct lore_metric_flag *
lore_metrics_lint_counting(const struct lore_run *run, struct lore_arena *arena, size_t *n)
{
    struct lint l = {.arena = arena};
    bool counted = *method(run, arena, "counter_passes") != '\0';
    bool clean = lore_streq(method(run, arena, "cache"), "all");
    bool median = lore_streq(method(run, arena, "counter_statistic"), "median");
    double ratio = strtod(method(run, arena, "counted_over_timed"), NULL);

    for (size_t i = 0; counted && i < run->metrics.n; i++) {
        l.m = &run->metrics.v[i];
        if (l.m->missing == LORE_MISS_NONE && l.m->name &&
            lore_choice("dram__bytes.sum|dram__bytes_write.sum", l.m->name))
            other_writes(&l, clean, median);
    }
    if (counted && ratio > 0 && fabs(ratio - 1) > ANOTHER_SPEED)
        other_speed(&l, &run->metrics, ratio);
    *n = l.n;
    return l.flags;
}

/* Whether equal values of M suggest a copied profile. Launch parameters, times, sizes and event
 * counts repeat in honest profiles. */
static bool
suggests_copy(const struct lore_metric *m)
{
    const struct lore_metric_def *def;

    if (!m->name || m->missing != LORE_MISS_NONE || !isfinite(m->value))
        return false;
    def = lore_metric_find(m->name);
    if (lore_starts(m->name, "launch__") || lore_starts(m->name, "device__") ||
        strstr(m->name, "time"))
        return false;
    return !def || !(lore_streq(def->kind, "ns") || lore_starts(def->name, "launch__") ||
                       lore_streq(def->canonical, "theoretical_occupancy_pct") ||
                       lore_streq(def->kind, "count") || lore_streq(def->kind, "bytes"));
}

static void
compare(const struct lore_metric *a, const struct lore_metric *b, struct lore_profile_match *out)
{
    double larger = fmax(fabs(a->value), fabs(b->value)), apart = fabs(a->value - b->value);
    double printed = a->precision_lost || b->precision_lost ? 0.005 : 1e-9;

    if (larger == 0)
        return; /* two idle counters prove nothing */
    out->shared++;
    out->near += apart <= 0.005 * larger;
    out->equal += apart <= printed * larger;
}

void
lore_metrics_equal_profile(const struct lore_metrics *a, const struct lore_metrics *b,
    struct lore_arena *arena, struct lore_profile_match *out)
{
    size_t n;
    const struct lore_metric **sorted = by_name(b, arena, &n);

    *out = (struct lore_profile_match){0};
    for (size_t i = 0; i < a->n; i++) {
        const struct lore_metric *other;

        if (!suggests_copy(&a->v[i]))
            continue;
        other = find_by_name(sorted, n, a->v[i].name);
        if (other && suggests_copy(other))
            compare(&a->v[i], other, out);
    }
    if (out->shared < 3 || out->near < out->shared)
        return;
    out->likeness = out->equal == out->shared ? LORE_PROFILE_SAME : LORE_PROFILE_NEAR;
    out->suspect = out->likeness == LORE_PROFILE_SAME;
    out->sentence = lore_format(arena,
        out->likeness == LORE_PROFILE_SAME
            ? "all %zu shared metrics are equal: the same profile was recorded for two kernels"
            : "all %zu shared metrics agree within 0.5 %%: one kernel was profiled twice",
        out->shared);
}
