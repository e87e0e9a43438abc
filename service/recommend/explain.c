/* Each probability as the steps that made it, level by level; and the value of one more experiment.
 *
 * An experiment here enters the last level with weight 1, so the probability goes from a / (a + b)
 * to (a + 1) / (a + b + 1) when it wins and to a / (a + b + 1) when it does not; its speedup is
 * expected where the predictive distribution of the technique has it, above or below 5 %. The
 * experiment that would change the answer most is the one after which the best thing to try is
 * expected to be worth most more than the best thing now (the knowledge gradient): trying again
 * what is sure anyway changes nothing, nor does what could not come first. */
#include "service/recommend/explain.h"

#include <math.h>

#include "service/base/text.h"
#include "service/recommend/model.h"
#include "service/recommend/session.h"

#define GAIN 0.04879016416943205 /* ln 1.05 */
#define LEAST 1e-4               /* of expected ln speedup: less is no change */

static const char *const level_names[LORE_AT_COUNT] = {
    [LORE_LEVEL_ANY] = "other operators",
    [LORE_LEVEL_FAMILY] = "other operators of its family",
    [LORE_LEVEL_OPERATOR] = "this operator",
    [LORE_LEVEL_SHAPE] = "shapes like this one",
    [LORE_AT_CALIBRATION] = "calibration",
    [LORE_AT_BOTTLENECK] = "another bottleneck here",
    [LORE_AT_HEADROOM] = "the limit of the chip",
    [LORE_AT_SESSION] = "attempts since the last gain",
};

static void
step(struct lore_advice *a, const char *level, double weight, double won, double p)
{
    a->steps[a->n_steps++] = (struct lore_advice_step){level, weight, won, p};
}

/* After one more experiment here. */
static double
odds_after(const struct lore_estimate *e, bool wins)
{
    return lore_estimate_odds(e, (e->a + wins) / (e->a + e->b + 1));
}

static double
now_after(const struct lore_estimate *e, bool wins)
{
    return lore_session_odds(odds_after(e, wins), e->session);
}

static void
fill_steps(const struct lore_scan *s, const struct lore_candidate *c, struct lore_advice *a)
{
    a->n_steps = 0;
    step(a, "all experiments", s->base_w, s->base_won, c->e.base);
    for (int l = 0; c->tried != NULL && l < LORE_LEVEL_COUNT; l++) {
        const struct lore_tally *t = &c->tried->level[l];
        if (t->w > 0)
            step(a, level_names[l], t->w, t->won, c->e.at[l]);
    }
    for (int l = LORE_LEVEL_COUNT; l < LORE_AT_COUNT; l++)
        if (fabs(c->e.at[l] - a->steps[a->n_steps - 1].p) > 1e-9)
            step(a, level_names[l], 0, 0, c->e.at[l]);
    a->if_won = now_after(&c->e, true);
    a->if_lost = now_after(&c->e, false);
}

/* The mean of a normal variable above, or below, CUT. */
static double
tail_mean(double mean, double sd, double cut, bool above)
{
    double z = (cut - mean) / sd, density = exp(-z * z / 2) * 0.3989422804014327;
    double share = 0.5 * erfc((above ? z : -z) * 0.7071067811865476);

    if (share < 1e-9)
        return cut;
    return mean + (above ? 1 : -1) * sd * density / share;
}

static double
odds_now(const struct lore_candidate *c)
{
    return lore_estimate_odds(&c->e, c->e.p);
}

/* What C would be worth after one more experiment here. */
static double
worth_after(const struct lore_scan *s, const struct lore_candidate *c, bool wins)
{
    double n = lore_estimate_behind(&c->e), most = s->q->at_most;
    double x = tail_mean(c->e.gain, lore_estimate_scale(&c->e), GAIN, wins);
    double gain = lore_estimate_within((n * c->e.gain + x) / (n + 1), most);
    double now = odds_now(c) * fmax(lore_estimate_within(c->e.gain, most), 0);
    double closeness = now > 0 ? c->worth / now : lore_model(LORE_M_CLOSE_OTHER);

    /* a win here is as close as can be */
    return odds_after(&c->e, wins) * fmax(gain, 0) * (wins ? 1 : closeness);
}

struct best {
    const struct lore_candidate *c;
    double first, second; /* the two highest worths now */
};

static void
rank(const struct lore_candidates *list, struct best *b)
{
    for (size_t i = 0; i < list->n; i++) {
        double w = list->v[i].worth;
        if (!b->c || w > b->first) {
            b->second = b->c != NULL ? b->first : 0;
            b->first = w;
            b->c = &list->v[i];
        } else if (w > b->second) {
            b->second = w;
        }
    }
}

static void
consider(const struct lore_scan *s, const struct lore_candidates *list, const struct best *b,
    struct lore_telling *out, const struct lore_candidate **at, double *most)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct lore_candidate *c = &list->v[i];
        double other = c == b->c ? b->second : b->first, p = odds_now(c);
        double won = worth_after(s, c, true), lost = worth_after(s, c, false);
        double value = p * fmax(won, other) + (1 - p) * fmax(lost, other) - b->first;
        if (!(value > *most))
            continue;
        *most = value;
        *at = c;
        out->leads = c == b->c;
        out->would_lead = won > other;
    }
}

static const char *
sentence(const struct lore_scan *s, const struct lore_telling *t)
{
    const struct lore_chip *chip = s->q->chip; /* NULL: on any */
    const char *what = lore_format(s->arena, "Measure %s%s%s", t->technique,
        chip != NULL ? " on " : "", chip != NULL ? chip->name : "");

    if (t->leads)
        return lore_format(s->arena,
            "%s. It leads now; a win would raise it to %.0f %%, any other result would lower it to "
            "%.0f %%.",
            what, t->if_won * 100, t->if_lost * 100);
    return lore_format(s->arena,
        "%s. A win would make it the first recommendation, at %.0f %%; any other result would "
        "lower it to %.0f %% and leave the order.",
        what, t->if_won * 100, t->if_lost * 100);
}

void
lore_explain(const struct lore_scan *s, const struct lore_lists *lists, struct lore_answer *out)
{
    struct best b = {0};
    const struct lore_candidate *at = NULL;
    double most = LEAST;

    for (size_t i = 0; i < lists->advice.n; i++)
        fill_steps(s, &lists->advice.v[i], &out->advice[i]);
    for (size_t i = 0; i < lists->avoid.n; i++)
        fill_steps(s, &lists->avoid.v[i], &out->avoid[i]);
    for (size_t i = 0; i < lists->untried.n; i++)
        fill_steps(s, &lists->untried.v[i], &out->untried[i]);
    rank(&lists->advice, &b);
    rank(&lists->untried, &b);
    consider(s, &lists->advice, &b, &out->telling, &at, &most);
    consider(s, &lists->untried, &b, &out->telling, &at, &most);
    if (!at)
        return;
    out->telling.technique = lore_strdup(s->arena, at->slug);
    out->telling.if_won = now_after(&at->e, true);
    out->telling.if_lost = now_after(&at->e, false);
    out->telling.why = sentence(s, &out->telling);
}
