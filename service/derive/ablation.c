/* Attribution by ablation. The medians have distribution-free intervals. The MOVER method combines
 * them into intervals of the difference and, on the log scale, of the ratio.
 *
 * The contribution is "no" only if the noise is small enough to reveal a contribution. If the
 * measured noise exceeds the configured threshold, a small attribution stays unknown, unless its
 * interval ends below that threshold. An unchecked ablated version still gives an attribution; the
 * time of a wrong one means nothing. */
#include "service/derive/ablation.h"

#include <math.h>

#include "service/derive/noise.h"

const char *
lore_contributed_name(enum lore_contributed c)
{
    static const char *const names[] = {"unknown", "no", "yes"};

    return c <= LORE_CONTRIB_YES ? names[c] : "unknown";
}

static struct lore_f64
number(double v)
{
    return (struct lore_f64){true, v};
}

/* Why the two versions cannot be compared; NULL: they can. */
static const char *
not_comparable_reason(
    const struct lore_ablation_in *in, struct lore_f64 champion, struct lore_f64 ablated)
{
    if (!in->has_ablation)
        return "no ablation";
    if (in->ablated_correctness == LORE_C_FAIL)
        return "essential for correctness";
    if (in->ablated_correctness == LORE_C_TIMEOUT)
        return "ablated version timed out";
    if (!ablated.set || in->ablated.failed)
        return "no timing of the ablated version";
    return champion.set ? NULL : "no timing of the champion";
}

static void
intervals(const struct lore_ablation_in *in, double champion, double ablated,
    struct lore_arena *arena, struct lore_ablation *out)
{
    double cl, ch, al, ah;

    lore_stats_median_interval(in->champion.samples_ns, in->champion.n, arena, &cl, &ch);
    lore_stats_median_interval(in->ablated.samples_ns, in->ablated.n, arena, &al, &ah);
    double d = ablated - champion;
    out->low_ns = number(d - hypot(ablated - al, ch - champion));
    out->high_ns = number(d + hypot(ah - ablated, champion - cl));
    /* times below 1 ns count as 1 ns: no clock resolves them */
    double c = log(fmax(champion, 1)), a = log(fmax(ablated, 1));
    double down = hypot(a - log(fmax(al, 1)), log(fmax(ch, 1)) - c);
    double up = hypot(log(fmax(ah, 1)) - a, c - log(fmax(cl, 1)));
    out->low_pct = number(100 * expm1(a - c - down));
    out->high_pct = number(100 * expm1(a - c + up));
}

static void
judge_contribution(struct lore_ablation *out, double configured)
{
    double pct = out->attribution_pct.v;
    bool noisy = out->measured_noise_pct.set && out->measured_noise_pct.v > configured;

    if (pct > out->noise_pct) {
        if (out->low_pct.set && out->low_pct.v <= 0)
            out->reason = "hidden by noise";
        else
            out->contributed = LORE_CONTRIB_YES;
    } else if (noisy && out->high_pct.v > configured) {
        out->reason = "hidden by noise";
    } else {
        out->contributed = LORE_CONTRIB_NO;
        if (pct < -out->noise_pct)
            out->reason = "faster without it";
    }
}

void
lore_ablation_judge(
    const struct lore_ablation_in *in, struct lore_arena *arena, struct lore_ablation *out)
{
    double configured = in->noise_pct.set ? in->noise_pct.v : LORE_NOISE_DEFAULT_PCT;
    struct lore_f64 champion = lore_noise_median(&in->champion, arena);
    struct lore_f64 ablated = lore_noise_median(&in->ablated, arena);
    const char *why = not_comparable_reason(in, champion, ablated);

    *out = (struct lore_ablation){.noise_pct = configured, .reason = why ? why : ""};
    if (why)
        return;
    out->attribution_ns = number(ablated.v - champion.v);
    out->attribution_pct = number(100 * (ablated.v - champion.v) / champion.v);
    out->measured_noise_pct = lore_noise_pair_pct(&in->champion, &in->ablated, arena);
    if (out->measured_noise_pct.set) {
        out->noise_pct = fmax(configured, out->measured_noise_pct.v);
        intervals(in, champion.v, ablated.v, arena, out);
    }
    judge_contribution(out, configured);
    if (!*out->reason && in->ablated_correctness != LORE_C_PASS)
        out->reason = "ablated version was not checked";
}

void
lore_ablation_synergy(const struct lore_ablation *attributions, size_t n, struct lore_f64 before_ns,
    struct lore_f64 champion_ns, enum lore_effect effect, struct lore_synergy *out)
{
    bool gain = effect == LORE_X_WIN;
    bool none_contributes = n > 0;
    double sum = 0;

    *out = (struct lore_synergy){0};
    for (size_t i = 0; i < n; i++) {
        out->n_unknown += !attributions[i].attribution_ns.set;
        sum += attributions[i].attribution_ns.v;
        none_contributes &= attributions[i].contributed == LORE_CONTRIB_NO;
    }
    out->gain_from_parameters = gain && none_contributes;
    if (before_ns.set && champion_ns.set)
        out->total_ns = number(before_ns.v - champion_ns.v);
    if (n == 0 || out->n_unknown > 0)
        return;
    out->sum_ns = number(sum);
    if (!out->total_ns.set)
        return;
    out->residual_ns = number(out->total_ns.v - sum);
    if (out->total_ns.v != 0)
        out->residual_pct = number(100 * out->residual_ns.v / out->total_ns.v);
}
