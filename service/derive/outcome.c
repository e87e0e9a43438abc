/* Derives verdicts from facts. outcome.h describes the policies; outcome_samples.c calls the
 * comparison engines. Rules that process.h finds broken are listed before those that the author
 * names. */
#include "service/derive/outcome.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/gain.h"
#include "service/derive/process.h"

static const double win_above = LORE_WIN_ABOVE;
static const double loss_below = LORE_LOSS_BELOW;

const char *
lore_basis_name(enum lore_basis b)
{
    static const char *const names[] = {"none", "samples", "summary", "claim"};
    return b <= LORE_B_CLAIM ? names[b] : "unknown";
}

enum lore_effect
lore_outcome_stated_effect(double speedup)
{
    if (speedup > win_above)
        return LORE_X_WIN;
    return speedup < loss_below ? LORE_X_LOSS : LORE_X_NEUTRAL;
}

static enum lore_effect
effect_of_interval(double speedup, double low, double high)
{
    if (speedup > win_above && low > 1)
        return LORE_X_WIN;
    if (high < 1)
        return LORE_X_LOSS;
    if (high < win_above || (low > 1 && speedup <= win_above))
        return LORE_X_NEUTRAL;
    return LORE_X_INCONCLUSIVE;
}

/* The median of a side, 0 when it has none. */
static double
side_ns(const struct lore_side *side, struct lore_arena *arena)
{
    if (side->n == 0)
        return side->median_ns > 0 ? side->median_ns : 0;
    return lore_stats_median_ns(side->samples_ns, side->n, arena);
}

/* Compare the samples. The facts for the process flags go into *P. */
static void
by_samples(const struct lore_outcome_in *in, struct lore_arena *arena, struct lore_process_in *p,
    struct lore_outcome *out)
{
    struct lore_sides sides = {&in->before, &in->after, in->in_turns, in->floor};
    struct lore_sample_comparison result;

    lore_outcome_samples(&sides, arena, &result);
    out->before_ns.v = result.before_ns;
    out->after_ns.v = result.after_ns;
    out->speedup.v = result.speedup;
    out->basis = LORE_B_SAMPLES;
    out->policy = result.policy;
    out->effect = LORE_X_INCONCLUSIVE;
    p->compared = true;
    p->elsewhere = result.elsewhere;
    if (!result.bounded)
        return;
    out->low = (struct lore_f64){true, result.low};
    out->high = (struct lore_f64){true, result.high};
    out->effect = effect_of_interval(result.speedup, result.low, result.high);
    /* drift causes most of the width of the interval */
    p->drifts = out->effect == LORE_X_INCONCLUSIVE &&
                log1p(result.drift) > 0.25 * log(result.high / result.low);
}

/* Compare the runs of both sides. False: a side has no time. */
static bool
by_runs(const struct lore_outcome_in *in, struct lore_arena *arena, struct lore_process_in *p,
    struct lore_outcome *out)
{
    double before = side_ns(&in->before, arena), after = side_ns(&in->after, arena);

    out->before_ns = (struct lore_f64){before > 0, before};
    out->after_ns = (struct lore_f64){after > 0, after};
    if (before <= 0 || after <= 0)
        return false;
    out->speedup = (struct lore_f64){true, before / after};
    if (in->before.n >= LORE_OUTCOME_SAMPLES && in->after.n >= LORE_OUTCOME_SAMPLES) {
        by_samples(in, arena, p, out);
        return true;
    }
    out->effect = lore_outcome_stated_effect(out->speedup.v);
    out->basis = LORE_B_SUMMARY;
    out->policy = "summary-5-2@2";
    return true;
}

static struct lore_f64
positive(struct lore_f64 x)
{
    return x.set && x.v > 0 && isfinite(x.v) ? x : (struct lore_f64){0};
}

/* The effect that a whole stated range has; LORE_X_COUNT: the range covers several effects. */
static enum lore_effect
effect_of_range(struct lore_f64 low, struct lore_f64 high)
{
    if (low.set && lore_outcome_stated_effect(low.v) == LORE_X_WIN)
        return LORE_X_WIN;
    if (high.set && lore_outcome_stated_effect(high.v) == LORE_X_LOSS)
        return LORE_X_LOSS;
    if (low.set && high.set && lore_outcome_stated_effect(low.v) == LORE_X_NEUTRAL &&
        lore_outcome_stated_effect(high.v) == LORE_X_NEUTRAL)
        return LORE_X_NEUTRAL;
    return LORE_X_COUNT;
}

/* Compare stated numbers: both times, else a speedup, else a range that is entirely of one effect.
 * With a typical range, its effect and its middle count, for the speedup beside it is the best
 * case. A speedup over a library gives no effect, because it does not compare with the version
 * before. */
static bool
by_claim(const struct lore_claim *claim, struct lore_outcome *out)
{
    struct lore_f64 before = positive(claim->latency_before_ns);
    struct lore_f64 after = positive(claim->latency_after_ns), speedup = positive(claim->speedup);
    struct lore_f64 low = positive(claim->speedup_low), high = positive(claim->speedup_high);
    enum lore_effect effect = effect_of_range(low, high);

    if (before.set && after.set)
        speedup = (struct lore_f64){true, before.v / after.v};
    else if (claim->base == LORE_BASE_LIBRARY)
        return false;
    if (speedup.set && low.set && high.set) {
        out->gain = (struct lore_f64){true, sqrt(low.v * high.v)};
        effect = effect == LORE_X_COUNT ? LORE_X_INCONCLUSIVE : effect;
    } else if (speedup.set) {
        effect = lore_outcome_stated_effect(speedup.v);
    }
    if (effect == LORE_X_COUNT)
        return false;
    out->effect = effect;
    out->before_ns = before;
    out->after_ns = after;
    out->speedup = speedup;
    out->basis = LORE_B_CLAIM;
    out->policy = "claim-5-2@2";
    return true;
}

static enum lore_check
correctness_of(const struct lore_outcome_in *in, bool timed)
{
    size_t seen[LORE_C_COUNT] = {0};
    size_t n = sizeof in->correctness / sizeof *in->correctness;

    if (in->n_correctness < n)
        n = in->n_correctness;
    for (size_t i = 0; i < n; i++)
        seen[in->correctness[i]]++;
    seen[in->claim.correctness]++;
    if (seen[LORE_C_FAIL] > 0)
        return LORE_C_FAIL;
    if (seen[LORE_C_TIMEOUT] > 0)
        return LORE_C_TIMEOUT;
    if (seen[LORE_C_PASS] > 0)
        return LORE_C_PASS;
    /* A version that ended in an error and has no time counts as incorrect. */
    return in->after.failed && !timed ? LORE_C_FAIL : LORE_C_NOT_CHECKED;
}

static bool
has_rule(const char *rules, const char *rule)
{
    size_t len = strlen(rule);

    for (const char *p = rules; (p = strstr(p, rule)) != NULL; p += len) {
        if ((p == rules || p[-1] == ',') && (p[len] == ',' || p[len] == '\0'))
            return true;
    }
    return false;
}

static void
add_rule(struct lore_arena *arena, const char *rule, struct lore_outcome *out)
{
    if (!rule || *rule == '\0' || has_rule(out->rules, rule))
        return;
    out->rules = lore_format(arena, "%s%s%s", out->rules, *out->rules != '\0' ? "," : "", rule);
    out->process_broken = true;
}

static void
find_rules(const struct lore_outcome_in *in, const struct lore_process_in *process,
    struct lore_arena *arena, struct lore_outcome *out)
{
    struct lore_discipline found = lore_process_judge(process, arena);

    out->rules = found.broken;
    out->flags = found.flags;
    out->process_broken = *found.broken != '\0';
    for (size_t i = 0; i < in->n_violations; i++)
        add_rule(arena, in->violations[i], out);
}

/* Whether the outcome that the author stated differs from the derived effect. A stated loss does
 * not differ if the result was wrong or brought no gain. */
static bool
disagrees(const struct lore_outcome *out, const char *typed)
{
    enum lore_effect stated = lore_effect_typed(typed);
    bool wrong = out->correctness == LORE_C_FAIL || out->correctness == LORE_C_TIMEOUT;

    if (stated == LORE_X_COUNT || out->effect == LORE_X_NOT_MEASURED ||
        out->effect == LORE_X_INCONCLUSIVE)
        return false;
    return stated != out->effect &&
           !(stated == LORE_X_LOSS && (wrong || out->effect == LORE_X_NEUTRAL));
}

/* Set the gain over the best before the change, and what remains of a win. */
static void
against_best(double share, struct lore_arena *arena, struct lore_outcome *out)
{
    double gain = lore_gain_over_best(out->speedup.v, share);

    if (!out->speedup.set)
        return;
    out->share = out->speedup.v * (share > 0 ? share : 1);
    if (out->share >= loss_below)
        out->share = 0;
    if (gain >= out->speedup.v || (out->gain.set && out->gain.v <= gain))
        return;
    out->gain = (struct lore_f64){true, gain};
    if (out->effect != LORE_X_WIN ||
        (gain > win_above && (!out->low.set || out->low.v * share > 1)))
        return;
    out->effect = LORE_X_NEUTRAL;
    out->flags = lore_format(arena, "%s%srecovery", out->flags, *out->flags ? "," : "");
}

void
lore_outcome_derive(
    const struct lore_outcome_in *in, struct lore_arena *arena, struct lore_outcome *out)
{
    LORE_SCRATCH scratch = {0}; /* holds copies of samples; a document may need many verdicts */
    struct lore_process_in process = in->process;

    *out = (struct lore_outcome){.effect = LORE_X_NOT_MEASURED, .policy = "none"};
    if (!by_runs(in, &scratch, &process, out))
        (void)by_claim(&in->claim, out);
    out->correctness = correctness_of(in, out->after_ns.set || out->basis != LORE_B_NONE);
    find_rules(in, &process, arena, out);
    out->disagrees = disagrees(out, in->claim.outcome);
    against_best(in->share, arena, out);
}

double
lore_run_time_ns(const struct lore_run *r, struct lore_arena *arena)
{
    const struct lore_summary *s = &r->summary;

    if (r->n_samples == 0)
        return s->median_ns.set ? s->median_ns.v
               : s->mean_ns.set ? s->mean_ns.v
               : s->min_ns.set  ? s->min_ns.v
                                : 0;
    return lore_stats_median_ns(r->samples_ns, r->n_samples, arena);
}
