/* Compares two ordered sample sets, one after the other; sequential.h explains how it handles
 * drift. On the log scale a ratio is a difference, so everything here is in logarithms until the
 * end.
 *
 * The constants were chosen on measured tuning runs of eight chips. A hash assigns each
 * configuration to one of two halves: one chose the constants, and the suite aa of tests/eval
 * reports on the other. */
#include "service/stats/sequential.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/stats/shift.h"
#include "service/stats/walsh.h"

#define EDGE_NOISE 4.0 /* in units of noise: a sample further off has left its level */
#define EDGE_SHARE 0.1 /* of the difference: it must be off by more than this, too */
#define BETTER 0.99    /* a cut elsewhere counts if it leaves less than this share of the error */
#define WARM_ALIKE 1.3333 /* how well two warm-ups of one host agree */
#define STEP_SHARE 4.0    /* in steps: a difference that large is not just one more step */
enum { STEPS = 1 /* with more steps, a further one is likely */, EDGE = 3 };

static enum lore_status
check_side(const double *v, size_t n, char side, struct lore_err *err)
{
    if (n == 0)
        return lore_fail(err, LORE_INVALID, "%c: there are no samples", side);
    if (n > LORE_SEQUENTIAL_MAX)
        return lore_fail(err, LORE_TOOBIG, "%c: %zu samples, at most %d are compared", side, n,
            LORE_SEQUENTIAL_MAX);
    for (size_t i = 0; i < n; i++) {
        if (!(isfinite(v[i]) && v[i] > 0))
            return lore_fail(err, LORE_INVALID, "%c[%zu]: a time must be above 0", side, i);
    }
    return LORE_OK;
}

static enum lore_status
check(const struct lore_sequential_input *ask, struct lore_err *err)
{
    enum lore_status status = check_side(ask->a_ns, ask->n_a, 'a', err);

    if (status == LORE_OK)
        status = check_side(ask->b_ns, ask->n_b, 'b', err);
    if (status != LORE_OK)
        return status;
    if (!(ask->alpha >= 0.0001 && ask->alpha <= 0.5))
        return lore_fail_at(err, LORE_INVALID, "out_of_range", "alpha",
            "alpha: %g is not within 0.0001..0.5", ask->alpha);
    if (!(ask->floor >= 0 && ask->floor < 1))
        return lore_fail_at(
            err, LORE_INVALID, "out_of_range", "floor", "floor: %g is not within 0..1", ask->floor);
    if (!(ask->margin >= ask->floor && ask->margin < 1))
        return lore_fail_at(err, LORE_INVALID, "out_of_range", "margin",
            "margin: %g is not within the floor..1", ask->margin);
    return LORE_OK;
}

static const double *
logs(const double *v, size_t n, struct lore_arena *arena)
{
    double *out = lore_alloc_array(arena, n, sizeof *out);

    for (size_t i = 0; i < n; i++)
        out[i] = log(v[i]);
    return out;
}

/* Whether V, the sample next to the change, lies away from its own LEVEL towards OTHER, the middle
 * of the other side. It must differ by more than EDGE_NOISE times the noise and EDGE_SHARE of the
 * difference. */
static bool
has_left_level(double v, const struct lore_level *level, double other)
{
    double difference = other - level->middle;
    double off = difference > 0 ? v - level->middle : level->middle - v;

    return off > EDGE_NOISE * level->noise && off > EDGE_SHARE * fabs(difference);
}

/* Whether a cut at another point than between the pieces fits two levels better. */
static bool
elsewhere(const struct lore_level *a, const struct lore_level *b)
{
    double v[2 * LORE_LEVEL_BLOCKS];
    struct lore_cuts cuts;
    size_t n = a->n + b->n;

    memcpy(v, a->v, a->n * sizeof *v);
    memcpy(v + a->n, b->v, b->n * sizeof *v);
    lore_level_cuts(v, n, &cuts);
    for (size_t k = EDGE; k + EDGE <= n; k++) {
        if (cuts.error[k] < BETTER * cuts.error[a->n])
            return true;
    }
    return false;
}

/* Whether the change from A to B begins elsewhere than between them. B's first sample may be slow
 * because its process just started, if A's first was slow by about as much. */
static bool
misplaced(const struct lore_sequential *s)
{
    if (has_left_level(s->a.last, &s->a, s->b.middle) || elsewhere(&s->a, &s->b))
        return true;
    if (!has_left_level(s->b.first, &s->b, s->a.middle))
        return false;
    double off_a = s->a.first - s->a.middle, off_b = s->b.first - s->b.middle;
    return !(off_b > 0 && off_a > off_b / WARM_ALIKE && off_a < off_b * WARM_ALIKE);
}

/* The smallest p that ranks of so many samples can give: 2 / C(n_a + n_b, n_a). */
static double
least_p(size_t n_a, size_t n_b)
{
    double a = (double)n_a, b = (double)n_b;
    int sign;

    return fmin(
        1, 2 * exp(lgamma_r(a + 1, &sign) + lgamma_r(b + 1, &sign) - lgamma_r(a + b + 1, &sign)));
}

/* The p of a difference of BEYOND, when REACH is the half width of the interval at ALPHA. It uses
 * the normal approximation. At ALPHA it agrees with the interval. */
static double
p_of(double beyond, double reach, double alpha, const struct lore_sequential *s)
{
    if (beyond <= 0)
        return 1;
    double z = reach > 0 ? beyond / reach * lore_walsh_normal_quantile(1 - alpha / 2) : INFINITY;
    return fmax(erfc(z / sqrt(2)), least_p(s->a.n, s->b.n));
}

static enum lore_sequential_verdict
judge(double low, double high, double floor, double margin)
{
    if (low > floor)
        return LORE_SEQUENTIAL_FASTER;
    if (high < -floor)
        return LORE_SEQUENTIAL_SLOWER;
    return low > -margin && high < margin ? LORE_SEQUENTIAL_SAME : LORE_SEQUENTIAL_ABSTAIN;
}

static const char *
say(const struct lore_sequential *s, struct lore_arena *arena)
{
    char a[64] = "", b[64] = "";
    unsigned r = s->reasons;

    if (r & LORE_SEQUENTIAL_FEW)
        return "too few samples for an interval at this confidence";
    if (r & LORE_SEQUENTIAL_WANDER_A)
        (void)snprintf(a, sizeof a, "the level of A moves by %.2g %%; ", 100 * expm1(s->a.wander));
    if (r & LORE_SEQUENTIAL_WANDER_B)
        (void)snprintf(b, sizeof b, "the level of B moves by %.2g %%; ", 100 * expm1(s->b.wander));
    const char *all = lore_format(arena, "%s%s%s%s%s%s", a, b,
        r & LORE_SEQUENTIAL_STEPS ? "the level steps more than once; " : "",
        r & LORE_SEQUENTIAL_MISPLACED ? "the level changes before or after the programs do; " : "",
        r & LORE_SEQUENTIAL_AUTOCORRELATED ? "successive samples are correlated; " : "",
        r & LORE_SEQUENTIAL_NOISE ? "too much noise for a verdict; " : "");
    size_t len = strlen(all);
    return len > 2 ? lore_strndup(arena, all, len - 2) : "";
}

/* The reasons that come from the levels, for any verdict. */
static unsigned
reasons_of(const struct lore_sequential *s)
{
    unsigned r = 0;

    if (s->a.wander > 0)
        r |= LORE_SEQUENTIAL_WANDER_A;
    if (s->b.wander > 0)
        r |= LORE_SEQUENTIAL_WANDER_B;
    if (s->a.widened > 1 || s->b.widened > 1)
        r |= LORE_SEQUENTIAL_AUTOCORRELATED;
    return r;
}

/* Fill in verdict, p and reasons of S. The interval of its shift D is D - DOWN - DRIFT to D + UP +
 * DRIFT. */
static void
decide(const struct lore_sequential_input *ask, double d, double down, double up, double drift,
    struct lore_sequential *s)
{
    double floor = log1p(ask->floor), reach = d > 0 ? down : up;

    s->verdict = judge(d - down - drift, d + up + drift, floor, log1p(ask->margin));
    s->reasons = reasons_of(s);
    bool differs = s->verdict == LORE_SEQUENTIAL_FASTER || s->verdict == LORE_SEQUENTIAL_SLOWER;
    if (differs && !ask->apart) {
        if (s->a.steps + s->b.steps > STEPS && fabs(d) < STEP_SHARE * fmax(s->a.step, s->b.step))
            s->reasons |= LORE_SEQUENTIAL_STEPS;
        if (misplaced(s))
            s->reasons |= LORE_SEQUENTIAL_MISPLACED;
        if (s->reasons & (LORE_SEQUENTIAL_STEPS | LORE_SEQUENTIAL_MISPLACED)) {
            s->verdict = LORE_SEQUENTIAL_ABSTAIN;
            return;
        }
    } else if (s->verdict == LORE_SEQUENTIAL_ABSTAIN && drift < reach) {
        s->reasons |= LORE_SEQUENTIAL_NOISE;
    }
    s->p = p_of(fabs(d) - floor - drift, reach, ask->alpha, s);
}

enum lore_status
lore_sequential_compare(const struct lore_sequential_input *ask, struct lore_arena *arena,
    struct lore_sequential *out, struct lore_err *err)
{
    enum lore_status status = check(ask, err);
    struct lore_sequential s = {.p = 1};
    struct lore_shift shift;

    if (status != LORE_OK)
        return status;
    const double *a = logs(ask->a_ns, ask->n_a, arena), *b = logs(ask->b_ns, ask->n_b, arena);
    lore_level(a, ask->n_a, ask->apart ? LORE_LEVEL_BETWEEN : LORE_LEVEL_LAST, arena, &s.a);
    lore_level(b, ask->n_b, ask->apart ? LORE_LEVEL_BETWEEN : LORE_LEVEL_FIRST, arena, &s.b);
    lore_shift_interval((struct lore_shift_side){s.a.v, s.a.n},
        (struct lore_shift_side){s.b.v, s.b.n}, ask->alpha, arena, &shift);
    s.speedup = exp(shift.middle);
    s.bounded = shift.bounded && s.a.n >= LORE_LEVEL_LEAST && s.b.n >= LORE_LEVEL_LEAST;
    if (s.bounded) {
        double wide = fmax(s.a.widened, s.b.widened), d = shift.middle;
        double down = wide * (d - shift.low), up = wide * (shift.high - d);
        double drift = LORE_LEVEL_CARRY * fmax(s.a.wander, s.b.wander);
        s.drift = expm1(drift);
        s.low = exp(d - down - drift);
        s.high = exp(d + up + drift);
        decide(ask, d, down, up, drift, &s);
    } else {
        s.reasons = LORE_SEQUENTIAL_FEW;
    }
    s.why = say(&s, arena);
    *out = s;
    return LORE_OK;
}
