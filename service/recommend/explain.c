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

#define GAIN 0.04879016416943205 /* ln 1.05 */
#define LEAST 1e-4               /* of expected ln speedup: less is no change */

static const char *const level_names[LORE_LEVEL_COUNT] = {
    [LORE_LEVEL_ANY] = "other operators",
    [LORE_LEVEL_FAMILY] = "other operators of its family",
    [LORE_LEVEL_OPERATOR] = "this operator",
    [LORE_LEVEL_SHAPE] = "shapes like this one",
};

static void
step(struct lore_advice *a, const char *level, double weight, double won, double p)
{
    a->steps[a->n_steps++] = (struct lore_advice_step){level, weight, won, p};
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
    if (fabs(c->e.p - a->steps[a->n_steps - 1].p) > 1e-9)
        step(a, "calibration", 0, 0, c->e.p);
    a->if_won = (c->e.a + 1) / (c->e.a + c->e.b + 1);
    a->if_lost = c->e.a / (c->e.a + c->e.b + 1);
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

/* What C would be worth after one more experiment here. */
static double
worth_after(const struct lore_candidate *c, bool wins)
{
    double nu = lore_model(LORE_M_GAIN_NU);
    double n = c->e.kappa + fmax(c->e.nu - nu, 0); /* experiments behind the mean */
    double sd = fmax(c->e.spread * sqrt(n * (n + 1)), 1e-3);
    double x = tail_mean(c->e.gain, sd, GAIN, wins), gain = (n * c->e.gain + x) / (n + 1);
    double p = (c->e.a + wins) / (c->e.a + c->e.b + 1);
    double now = c->worth, closeness = c->e.p * fmax(c->e.gain, 0) > 0
                                           ? now / (c->e.p * fmax(c->e.gain, 0))
                                           : lore_model(LORE_M_CLOSE_OTHER);

    return p * fmax(gain, 0) * (wins ? 1 : closeness); /* a win here is as close as can be */
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
consider(const struct lore_candidates *list, const struct best *b, struct lore_telling *out,
    const struct lore_candidate **at, double *most)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct lore_candidate *c = &list->v[i];
        double other = c == b->c ? b->second : b->first;
        double won = worth_after(c, true), lost = worth_after(c, false);
        double value = c->e.p * fmax(won, other) + (1 - c->e.p) * fmax(lost, other) - b->first;
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
    consider(&lists->advice, &b, &out->telling, &at, &most);
    consider(&lists->untried, &b, &out->telling, &at, &most);
    if (!at)
        return;
    out->telling.technique = lore_strdup(s->arena, at->slug);
    out->telling.if_won = (at->e.a + 1) / (at->e.a + at->e.b + 1);
    out->telling.if_lost = at->e.a / (at->e.a + at->e.b + 1);
    out->telling.why = sentence(s, &out->telling);
}
