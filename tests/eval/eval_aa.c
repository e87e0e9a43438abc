/* Are the verdicts fooled by drift? Real samples of tuning runs: the first half of one
 * configuration's samples against its second half, where there is no difference (A/A), and the same
 * with the second half made slower by 1, 2, 3 and 5 % or faster by 3 %. Judged by
 * lore_outcome_derive as experiments are. Per chip: how often a difference is stated that is none
 * (an interval that leaves out 1), how often nothing is said (inconclusive), how often the made one
 * is found. In the same run Welch's t test (1 %, on means, no floor), which knows nothing of drift,
 * and what the leaderboard tells two versions apart by (5 %, from their intervals alone). Tables of
 * all configurations and of the half that no constant was chosen on. */
#include "tests/eval/eval.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/outcome.h"
#include "service/stats/interval_test.h"
#include "service/stats/ranks.h"
#include "service/stats/sequential.h"
#include "tests/eval/aa_data.h"

static const double changes[] = {0, 0.01, 0.02, 0.03, 0.05, -0.03}; /* of the second half's time */
enum { CHANGES = 6, SLOW_3 = 3, FAST_3 = 5 };
enum method { POLICY, SEQUENTIAL, WELCH, INTERVALS, METHODS };
static const char *const method_names[] = {
    LORE_OUTCOME_SAMPLED, LORE_SEQUENTIAL_METHOD, "welch-t", "intervals-t"};

struct tally {
    size_t n, differ, silent; /* of A/A */
    size_t found[CHANGES];    /* in the right direction */
};
struct row {
    const struct aa_chip *chip;
    struct tally of[METHODS];
};

/* --- Welch's test --- */

/* The regularized incomplete beta function by its continued fraction (Lentz). */
static double
beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;

    d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
    h = d;
    for (int m = 1; m < 300; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-12)
            break;
    }
    return h;
}

static double
incomplete_beta(double a, double b, double x)
{
    int sign;

    if (x <= 0 || x >= 1)
        return x >= 1 ? 1 : 0;
    double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
                       a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

static void
moments(const double *v, size_t n, double *mean, double *of_mean)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        sum += v[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (v[i] - *mean) * (v[i] - *mean);
    *of_mean = squares / (double)(n - 1) / (double)n;
}

/* 1: B is slower, -1: faster, 0: not told apart. */
static int
welch(const double *a, const double *b, size_t n)
{
    double mean_a, mean_b, s_a, s_b, dn = (double)n;

    moments(a, n, &mean_a, &s_a);
    moments(b, n, &mean_b, &s_b);
    int way = mean_b > mean_a ? 1 : -1;
    if (s_a + s_b <= 0)
        return fabs(mean_b - mean_a) > 0 ? way : 0;
    double t2 = (mean_b - mean_a) * (mean_b - mean_a) / (s_a + s_b);
    double df = (s_a + s_b) * (s_a + s_b) * (dn - 1) / (s_a * s_a + s_b * s_b);
    return incomplete_beta(df / 2, 0.5, df / (df + t2)) < 0.01 ? way : 0;
}

/* --- the engine and the verdict --- */

static int
sequential(const double *a, const double *b, size_t n, struct lore_arena *arena, bool *silent)
{
    struct lore_sequential_input ask = {
        a, b, n, n, LORE_SEQUENTIAL_ALPHA, LORE_SEQUENTIAL_FLOOR, LORE_SEQUENTIAL_MARGIN, false};
    struct lore_sequential s;
    struct lore_err err = {0};

    if (lore_sequential_compare(&ask, arena, &s, &err) != LORE_OK) {
        *silent = true;
        return 0;
    }
    *silent = s.verdict == LORE_SEQUENTIAL_ABSTAIN;
    return s.verdict == LORE_SEQUENTIAL_SLOWER ? 1 : s.verdict == LORE_SEQUENTIAL_FASTER ? -1 : 0;
}

static int
policy(const double *a, const double *b, size_t n, struct lore_arena *arena, bool *silent)
{
    int64_t before[AA_SAMPLES], after[AA_SAMPLES];
    struct lore_outcome_in in = {
        .before = {.samples_ns = before, .n = n}, .after = {.samples_ns = after, .n = n}};
    struct lore_outcome out;

    for (size_t i = 0; i < n; i++) {
        before[i] = llround(a[i]);
        after[i] = llround(b[i]);
    }
    lore_outcome_derive(&in, arena, &out);
    *silent = out.effect == LORE_X_INCONCLUSIVE;
    return out.high.set && out.high.v < 1 ? 1 : out.low.set && out.low.v > 1 ? -1 : 0;
}

static struct lore_interval_test
kept(const double *ns, size_t n, struct lore_arena *arena)
{
    int64_t samples[AA_SAMPLES];
    struct lore_stats s;
    double low, high;

    for (size_t i = 0; i < n; i++)
        samples[i] = llround(ns[i]);
    lore_stats(samples, n, arena, &s);
    lore_level_interval(samples, n, arena, &low, &high);
    return lore_interval_test_median(s.median, low, high, n, s.p10, s.p90);
}

/* As a row of two versions. */
static int
intervals(const double *a, const double *b, size_t n, struct lore_arena *arena)
{
    struct lore_interval_test x = kept(a, n, arena), y = kept(b, n, arena);

    if (lore_interval_test_p_beyond(&x, &y, LORE_SEQUENTIAL_FLOOR, 0) > LORE_RANKS_RATE)
        return 0;
    return y.at > x.at ? 1 : -1;
}

static void
count(const struct aa_series *s, struct row *row, struct lore_arena *arena)
{
    double b[AA_SAMPLES];
    size_t n = s->n / 2;

    for (size_t c = 0; c < CHANGES; c++) {
        for (size_t i = 0; i < n; i++)
            b[i] = s->ns[s->n - n + i] * (1 + changes[c]);
        for (enum method m = 0; m < METHODS; m++) {
            bool silent = false;
            int way = m == WELCH        ? welch(s->ns, b, n)
                      : m == INTERVALS  ? intervals(s->ns, b, n, arena)
                      : m == SEQUENTIAL ? sequential(s->ns, b, n, arena, &silent)
                                        : policy(s->ns, b, n, arena, &silent);
            row->of[m].n += c == 0;
            row->of[m].differ += c == 0 && way != 0;
            row->of[m].silent += c == 0 && silent;
            row->of[m].found[c] += changes[c] < 0 ? way < 0 : changes[c] > 0 && way > 0;
            lore_arena_reset(arena);
        }
    }
}

static void
add(struct row *to, const struct row *one)
{
    for (enum method m = 0; m < METHODS; m++) {
        to->of[m].n += one->of[m].n;
        to->of[m].differ += one->of[m].differ;
        to->of[m].silent += one->of[m].silent;
        for (size_t c = 0; c < CHANGES; c++)
            to->of[m].found[c] += one->of[m].found[c];
    }
}

/* --- the report --- */

static double
percent(size_t part, size_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void
print_table(struct lore_eval *e, const char *title, const struct row *rows, size_t n)
{
    lore_buf_printf(e->text, "\n%s\n%-24s %-20s %6s %7s %8s %6s %6s %6s %6s %6s\n", title, "chip",
        "method", "n", "false %", "silent %", "+1 %", "+2 %", "+3 %", "+5 %", "-3 %");
    for (size_t i = 0; i < n; i++) {
        for (enum method m = 0; m < METHODS; m++) {
            const struct tally *t = &rows[i].of[m];
            lore_buf_printf(e->text, "%-24s %-20s %6zu %7.2f %8.2f",
                m == 0 ? rows[i].chip->name : "", method_names[m], t->n, percent(t->differ, t->n),
                percent(t->silent, t->n));
            for (size_t c = 1; c < CHANGES; c++)
                lore_buf_printf(e->text, " %6.1f", percent(t->found[c], t->n));
            lore_buf_printf(e->text, "\n");
        }
    }
}

static bool
ends(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);

    return n >= k && lore_streq(name + n - k, end);
}

static size_t
find_chip(const struct row *rows, size_t n, const char *end)
{
    size_t i = 0;

    while (i < n && !ends(rows[i].chip->name, end))
        i++;
    return i;
}

/* Every chip's figures; what is promised: no false differences, few abstentions, and on the steady
 * chips slow-downs by 3 % found. */
static void
add_figures(struct lore_eval *e, const char *half, const struct row *rows, size_t n, enum method m)
{
    double worst = 0, silent = 0, all = 0;

    for (size_t i = 0; i < n; i++) {
        const struct tally *t = &rows[i].of[m];
        if (rows[i].chip->samples != 32 || t->n == 0)
            continue;
        worst = fmax(worst, percent(t->differ, t->n) / 100);
        silent += (double)t->silent;
        all += (double)t->n;
    }
    const char *method = method_names[m];
    lore_eval_add(e, (struct lore_eval_figure){"aa", half, method, "false differences, worst chip",
                         all > 0 ? worst : NAN, LORE_GOAL_AT_MOST, 0.01});
    lore_eval_add(e, (struct lore_eval_figure){"aa", half, method, "abstentions",
                         all > 0 ? silent / all : NAN, LORE_GOAL_AT_MOST, 0.40});
    static const char *const steady[] = {"_A100", "_MI250X"};
    for (size_t k = 0; k < 2; k++) {
        size_t i = find_chip(rows, n, steady[k]);
        if (i == n)
            continue;
        const struct tally *t = &rows[i].of[m];
        lore_eval_add(e, (struct lore_eval_figure){"aa", half, method,
                             lore_format(e->arena, "abstentions on %s", steady[k] + 1),
                             percent(t->silent, t->n) / 100, LORE_GOAL_AT_MOST, 0.05});
        lore_eval_add(e, (struct lore_eval_figure){"aa", half, method,
                             lore_format(e->arena, "3 %% slower found on %s", steady[k] + 1),
                             percent(t->found[SLOW_3], t->n) / 100, LORE_GOAL_AT_LEAST, 0.95});
    }
}

enum lore_status
lore_eval_aa(struct lore_eval *e, struct lore_err *err)
{
    struct aa_chip *chips = lore_alloc_array(e->arena, AA_CHIPS, sizeof *chips);
    struct row *all = lore_alloc_array(e->arena, AA_CHIPS, sizeof *all);
    struct row *held = lore_alloc_array(e->arena, AA_CHIPS, sizeof *held);
    struct lore_arena scratch = {0};
    size_t n = 0, every = e->quick ? 20 : 1;
    enum lore_status status =
        aa_load(lore_format(e->arena, "%s/tuning", e->data), e->arena, chips, &n, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        all[i].chip = held[i].chip = &chips[i];
        for (size_t k = 0; k < chips[i].n; k += every) {
            struct row one = {0};
            count(&chips[i].series[k], &one, &scratch);
            add(&all[i], &one);
            if (chips[i].series[k].held_out)
                add(&held[i], &one);
        }
    }
    print_table(e, "all configurations", all, n);
    print_table(e, "held out: the half that no constant was chosen on", held, n);
    for (enum method m = POLICY; m < WELCH; m++) {
        add_figures(e, "all", all, n, m);
        add_figures(e, "held out", held, n, m);
    }
    lore_arena_free(&scratch);
    return LORE_OK;
}
