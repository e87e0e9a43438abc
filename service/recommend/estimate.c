/* From sums to numbers. The levels (anything, operator family, operator, alike shapes when a
 * workload is asked about) are walked from far to near; each level's posterior mean is the next
 * one's prior mean. The last level's posterior is the estimate: p_win Beta(kappa m + wins, kappa
 * (1 - m) + non-wins), gain the normal-inverse-gamma mean of ln speedup. Then come the learned
 * calibration, the bottleneck, and the limit of the chip.
 *
 * The interval of p_win is that of the win rate at this place, not of the mean over places: places
 * of one operator differ, and results of one place are alike (see sure_of). */
#include "service/recommend/estimate.h"

#include <math.h>

#include "service/recommend/model.h"
#include "service/recommend/session.h"
#include "service/stats/beta.h"
#include "service/stats/student.h"

double
lore_estimate_base(const struct lore_scan *s)
{
    double wins = lore_model(LORE_M_PRIOR_WINS), others = lore_model(LORE_M_PRIOR_NON_WINS);
    return (wins + s->base_won) / (wins + others + s->base_w);
}

/* One level of the gain: the posterior of a normal mean and variance, prior mean e->gain. */
static void
add_gain_level(struct lore_estimate *e, const struct lore_tally *t)
{
    double kappa = e->kappa, nu = lore_model(LORE_M_GAIN_NU);
    double sd = lore_model(LORE_M_GAIN_SD), n = t->gain_w, squares = nu * sd * sd;

    if (n > 0) {
        double mean = t->gain_x / n, off = mean - e->gain;
        squares += fmax(t->gain_xx - t->gain_x * mean, 0) + kappa * n / (kappa + n) * off * off;
        e->gain = (kappa * e->gain + t->gain_x) / (kappa + n);
    }
    e->nu = nu + n;
    e->spread = sqrt(squares / (nu + n) / (kappa + n));
}

/* ---- what moves p after the levels ---- */

/* The log odds become OFFSET + SLOPE times what they were; as sure as before. */
static void
move_odds(struct lore_estimate *e, double offset, double slope)
{
    double n = e->a + e->b;

    if (offset == 0 && slope == 1)
        return;
    e->p = 1 / (1 + exp(-offset - slope * log(e->a / e->b)));
    e->a = e->p * n;
    e->b = (1 - e->p) * n;
}

/* How the odds of a technique differ between places with bottlenecks that it is for and others: the
 * odds ratio of Mantel and Haenszel over all techniques, with a prior. Never in favour. */
static double
contradiction(const struct lore_scan *s)
{
    double k = lore_model(LORE_M_KAPPA), prior = lore_model(LORE_M_LABELS_AGAINST);

    return fmin((k * prior + s->won_against) / (k + s->won_for), 1);
}

/* A bottleneck that the technique is not for speaks against it, the less the more is known of it at
 * that very bottleneck. */
static void
meet_bottleneck(const struct lore_scan *s, const struct lore_tried *t, struct lore_estimate *e)
{
    double k = lore_model(LORE_M_KAPPA), known = t ? t->same_labels_w : 0;

    if (e->against)
        move_odds(e, k / (k + known) * log(contradiction(s)), 1);
}

/* The probability of a result above X. */
static double
above(const struct lore_estimate *e, double x)
{
    double t = (x - e->gain) / lore_estimate_scale(e), tail = lore_student_p(e->nu, fabs(t)) / 2;

    return t > 0 ? tail : 1 - tail;
}

/* The distribution of ln speedup is cut off at ln AT_MOST. */
static void
meet_limit(struct lore_estimate *e, double at_most)
{
    double win = log(LORE_WIN_ABOVE), all = at_most > 0 ? above(e, win) : 0;

    if (all > 0)
        e->beyond = at_most > LORE_WIN_ABOVE ? fmin(above(e, log(at_most)) / all, 1) : 1;
}

double
lore_estimate_odds(const struct lore_estimate *e, double p)
{
    double cut = p * e->beyond;

    return cut < 1 ? (p - cut) / (1 - cut) : 0;
}

/* The same now, in the state of the session, which is the same for all techniques. */
static double
odds_now(const struct lore_estimate *e, double p)
{
    return lore_session_odds(lore_estimate_odds(e, p), e->session);
}

/* ---- how sure ---- */

/* How alike the results of one place are: the intraclass correlation of wins, by the method of
 * moments over the places of the operator where the technique was tried. The prior counts like
 * gain.nu places; an estimate counts by its precision relative to the prior. */
static double
alike_within_places(const struct lore_between *b)
{
    double prior = lore_model(LORE_M_WITNESS), nu = lore_model(LORE_M_GAIN_NU), df = b->n - 1;
    double p = b->w > 0 ? b->won / b->w : 0, repeats = b->w > 0 ? b->w - b->ww / b->w - df : 0;

    if (df < 1 || !(repeats > 0))
        return prior;
    double chi = p > 0 && p < 1 ? (b->won2 - b->won * p) / (p * (1 - p)) : 0;
    double found = fmin(fmax((chi - df) / repeats, 0), 0.9), noise = df / repeats;
    double counts = df * pow(prior / (prior + noise), 2);
    return (nu * prior + counts * found) / (nu + counts);
}

/* In experiments: at a new place p is off by how places differ and by what is not known of their
 * mean, from N experiments of which HERE are of this place; those say more of it. */
static double
sure_of(double alike, double n, double here)
{
    double variance = alike + 1 / (fmax(n - here, 0) + 1);

    return fmax(1 / variance - 1, 0) + here;
}

/* ---- all of it ---- */

struct lore_estimate
lore_estimate(const struct lore_scan *s, const struct lore_tried *t, const char *technique)
{
    static const struct lore_tally nothing;
    struct lore_estimate e = {.p = lore_estimate_base(s), .kappa = lore_model(LORE_M_KAPPA)};
    double n = e.kappa;

    e.base = e.p;
    e.against = lore_scan_contradicts(s, lore_technique_find(technique));
    add_gain_level(&e, &s->all);
    for (int l = 0; l <= (s->shaped ? LORE_LEVEL_SHAPE : LORE_LEVEL_OPERATOR); l++) {
        const struct lore_tally *at = t != NULL ? &t->level[l] : &nothing;
        if (l == LORE_LEVEL_SHAPE)
            e.kappa = lore_model(LORE_M_KAPPA_SHAPE);
        e.a = e.kappa * e.p + at->won;
        e.b = e.kappa * (1 - e.p) + at->w - at->won;
        e.p = e.at[l] = e.a / (e.a + e.b);
        n += l >= LORE_LEVEL_OPERATOR ? at->w : 0;
        add_gain_level(&e, at);
    }
    e.sure = sure_of(
        t ? alike_within_places(&t->between) : lore_model(LORE_M_WITNESS), n, t ? t->here_w : 0);
    move_odds(&e, lore_model(LORE_M_CALIBRATION_OFFSET), lore_model(LORE_M_CALIBRATION_SLOPE));
    e.at[LORE_AT_CALIBRATION] = e.p;
    meet_bottleneck(s, t, &e);
    e.at[LORE_AT_BOTTLENECK] = e.p;
    meet_limit(&e, s->q->at_most);
    e.at[LORE_AT_HEADROOM] = lore_estimate_odds(&e, e.p);
    e.session = s->q->session;
    e.at[LORE_AT_SESSION] = odds_now(&e, e.p);
    return e;
}

struct lore_estimate
lore_estimate_of(const struct lore_scan *s, const char *technique)
{
    return lore_estimate(s, lore_tried_of(s, technique), technique);
}

double
lore_estimate_behind(const struct lore_estimate *e)
{
    return e->kappa + fmax(e->nu - lore_model(LORE_M_GAIN_NU), 0);
}

double
lore_estimate_scale(const struct lore_estimate *e)
{
    return fmax(e->spread * sqrt(lore_estimate_behind(e) + 1), 1e-3);
}

double
lore_estimate_within(double gain, double at_most)
{
    double limit = log(at_most);

    if (!(at_most > 0) || gain <= 0)
        return gain;
    return limit > 0 ? -limit * expm1(-gain / limit) : 0;
}

struct lore_interval
lore_estimate_p_win(const struct lore_estimate *e, double *width)
{
    double sure = fmax(e->sure, 0.05), a = e->p * sure, b = (1 - e->p) * sure;
    double low = lore_beta_quantile(a, b, 0.05), high = lore_beta_quantile(a, b, 0.95);

    *width = lore_estimate_odds(e, high) - lore_estimate_odds(e, low);
    return (struct lore_interval){odds_now(e, e->p), odds_now(e, low), odds_now(e, high)};
}

struct lore_interval
lore_estimate_gain(const struct lore_scan *s, const struct lore_estimate *e)
{
    double half = lore_student_quantile(e->nu, 0.95) * e->spread, most = s->q->at_most;

    return (struct lore_interval){lore_estimate_within(e->gain, most),
        lore_estimate_within(e->gain - half, most), lore_estimate_within(e->gain + half, most)};
}
