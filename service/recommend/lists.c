/* Which techniques are advice, which are to be avoided, which are untried, and in which order.
 * Advice is told as a colleague would, what worked on this operator before what worked elsewhere:
 * by what trying it is expected to bring, discounted by how close it ever won (see closeness). What
 * only claims support, numbers without samples, is worth no more than the best that a measurement
 * or an import supports. */
#include "service/recommend/lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/catalogue/technique_applies.h"
#include "service/catalogue/words.h"
#include "service/recommend/model.h"
#include "service/recommend/words.h"

/* How close it ever won: on this operator on the same vendor's chips; on it elsewhere, or in its
 * family on the same vendor's; anywhere else, or not at all. */
static double
closeness(const struct lore_candidate *c)
{
    const struct lore_tally *level = c->tried != NULL ? c->tried->level : NULL;

    if (level && level[LORE_LEVEL_OPERATOR].near_wins > 0)
        return 1;
    if (level && (level[LORE_LEVEL_OPERATOR].wins > 0 || level[LORE_LEVEL_FAMILY].near_wins > 0))
        return lore_model(LORE_M_CLOSE_FAMILY);
    return lore_model(LORE_M_CLOSE_OTHER);
}

static int
descending(double a, double b)
{
    return (a < b) - (a > b);
}

static double
weight_of(const struct lore_candidate *c)
{
    return c->tried ? c->tried->effective_n : 0;
}

static int
nearest_of(const struct lore_tried *t)
{
    int nearest = 0;

    while (nearest < LORE_T_UNKNOWN && t->travel[nearest] == 0)
        nearest++;
    return nearest;
}

/* Evidence from closer by first, then more wins. */
static int
by_closeness(const struct lore_candidate *x, const struct lore_candidate *y)
{
    if (!x->tried || !y->tried)
        return (!x->tried) - (!y->tried);
    int order = descending(lore_words_closest(x->tried), lore_words_closest(y->tried));

    if (order == 0)
        order = descending(nearest_of(y->tried), nearest_of(x->tried));
    return order != 0 ? order : descending(x->tried->wins, y->tried->wins);
}

/* Differences below the model's step are no reason to prefer anything. */
static void
value(struct lore_candidate *c, double worth)
{
    double step = lore_model(LORE_M_ORDER_STEP);

    c->worth = worth;
    c->worth_steps = floor(c->worth / step + 0.5);
    c->p_steps = floor(lore_estimate_odds(&c->e, c->e.p) / step + 0.5);
}

static double
worth_of(const struct lore_scan *s, const struct lore_candidate *c)
{
    return lore_estimate_odds(&c->e, c->e.p) *
           fmax(lore_estimate_within(c->e.gain, s->q->at_most), 0) * closeness(c);
}

static bool
is_claimed_only(const struct lore_candidate *c)
{
    return c->tried && c->tried->wins > 0 && c->tried->backed == 0;
}

/* Claims do not lead while anything else has support. */
static void
bound_claims(struct lore_candidates *list)
{
    double best = 0;

    for (size_t i = 0; i < list->n; i++)
        if (list->v[i].tried->backed > 0)
            best = fmax(best, list->v[i].worth);
    for (size_t i = 0; i < list->n && best > 0; i++)
        if (is_claimed_only(&list->v[i]) && list->v[i].worth > best)
            value(&list->v[i], best);
}

static int
by_worth(const void *a, const void *b)
{
    const struct lore_candidate *x = a, *y = b;
    int order = x->e.against - y->e.against; /* what the profile contradicts comes last */

    if (order == 0)
        order = descending(x->worth_steps, y->worth_steps);
    if (order == 0)
        order = is_claimed_only(x) - is_claimed_only(y);
    if (order == 0)
        order = descending(x->p_steps, y->p_steps);
    if (order == 0)
        order = by_closeness(x, y);
    if (order == 0)
        order = descending(weight_of(x), weight_of(y));
    return order != 0 ? order : strcmp(x->slug, y->slug);
}

/* It was tried on this operator and chip and never gained there. */
static bool
failed_here(const struct lore_scan *s, const struct lore_tried *t)
{
    return s->q->op && t->here_judged > 0 && t->won_here == 0;
}

/* What failed here comes first, and of that what won elsewhere: the rest of the memory would have
 * suggested it. */
static int
temptation(const struct lore_candidate *c)
{
    bool failed = c->tried->here_judged > 0 && c->tried->won_here == 0;
    return failed + (failed && c->tried->wins > 0);
}

static int
by_harm(const void *a, const void *b)
{
    const struct lore_candidate *x = a, *y = b;
    int order = descending(temptation(x), temptation(y));

    if (order == 0)
        order = descending(y->p_steps, x->p_steps);
    if (order == 0)
        order = by_closeness(x, y);
    if (order == 0)
        order = descending(weight_of(x), weight_of(y));
    return order != 0 ? order : strcmp(x->slug, y->slug);
}

static bool
to_avoid(const struct lore_scan *s, const struct lore_tried *t, double p, double base)
{
    double threshold = t->wins > 0 ? base * lore_model(LORE_M_AVOID_SHARE) : base;

    return failed_here(s, t) || (t->misses > 0 && t->close_wins == 0 && p < threshold);
}

/* Whether the version that is asked about has the technique already. */
static bool
is_there(const struct lore_scan *s, const char *slug)
{
    for (size_t i = 0; i < s->q->has.n; i++)
        if (strcmp(s->q->has.v[i], slug) == 0)
            return true;
    return false;
}

struct lore_technique_place
lore_question_place(const struct lore_question *q)
{
    return (struct lore_technique_place){q->op,
        q->language != LORE_LANG_NONE ? lore_language_name(q->language) : NULL, q->chip, q->facts,
        q->has.v, q->has.n};
}

/* Whether the place of the question lacks what the technique needs. A win on the operator, by a
 * chip of the vendor, shows that the operator lacks nothing. */
static bool
is_out_of_place(const struct lore_scan *s, const struct lore_tried *t, const char *slug)
{
    const struct lore_tally *here = t ? &t->level[LORE_LEVEL_OPERATOR] : NULL;
    struct lore_technique_place at = lore_question_place(s->q);

    if (here && here->near_wins > 0)
        at.op = NULL;
    return lore_technique_lacks(slug, &at) != NULL;
}

/* Whether no gain is possible that would count as one: there is nothing to advise. */
static bool
is_done(const struct lore_scan *s)
{
    return s->q->at_most > 0 && s->q->at_most < LORE_WIN_ABOVE;
}

/* Sort every tried technique into advice, avoid, or neither. */
static void
classify(const struct lore_scan *s, struct lore_lists *out)
{
    double base = lore_estimate_base(s), p;

    for (size_t i = 0; i < s->n_tried; i++) {
        const struct lore_tried *t = &s->tried[i];
        struct lore_candidate c = {.tried = t, .slug = lore_evidence_text(s->ix, t->name)};

        if (t->effective_n < lore_model(LORE_M_MATCHED) || t->effective_n < s->q->min_effective_n)
            continue;
        /* a parameter, a solver, free words: they mean something on their own operator only */
        if (s->q->op && t->level[LORE_LEVEL_OPERATOR].tried == 0 && !lore_technique_find(c.slug))
            continue;
        c.e = lore_estimate(s, t, c.slug);
        value(&c, worth_of(s, &c));
        p = c.e.at[LORE_AT_CALIBRATION]; /* whatever the bottleneck and the limit */
        if (is_there(s, c.slug)) {
            if (lore_words_has_parameter(c.slug))
                *LORE_PUSH(s->arena, out->there.v, out->there.n, out->there.cap) = c;
        } else if (to_avoid(s, t, p, base))
            *LORE_PUSH(s->arena, out->avoid.v, out->avoid.n, out->avoid.cap) = c;
        else if (!is_done(s) && (t->wins > 0 || p >= base) && !is_out_of_place(s, t, c.slug))
            *LORE_PUSH(s->arena, out->advice.v, out->advice.n, out->advice.cap) = c;
    }
}

static void
keep_best(struct lore_candidates *c, size_t limit, int (*order)(const void *, const void *))
{
    if (c->n > 1)
        qsort(c->v, c->n, sizeof *c->v, order);
    if (c->n > limit)
        c->n = limit;
}

static bool
lists(const struct lore_candidates *c, const struct lore_tried *t)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i].tried == t)
            return true;
    }
    return false;
}

/* Catalogue techniques whose triggers fire and that nobody tried here. Where nobody named a
 * bottleneck, the measured one counts, for techniques against a cost that was measured, too. */
static void
find_untried(const struct lore_scan *s, struct lore_lists *out)
{
    size_t n;
    const struct lore_technique *known = lore_techniques(&n);
    struct lore_candidates *untried = &out->untried;
    const struct lore_technique_place at = lore_question_place(s->q);

    for (size_t i = 0; i < n; i++) {
        bool fires = (known[i].triggers & s->q->labels) != 0 ||
                     (s->q->labels == 0 && (known[i].triggers & s->q->limits) != 0 &&
                         lore_technique_is_called_for(known[i].slug, &at));
        if (!fires || lore_technique_is_placeholder(known[i].slug) || is_there(s, known[i].slug))
            continue;
        const struct lore_tried *t = lore_tried_of(s, known[i].slug);
        if (is_out_of_place(s, t, known[i].slug) ||
            (t && (t->here > 0 || lists(&out->advice, t) || lists(&out->avoid, t))))
            continue;
        struct lore_candidate c = {
            t, &known[i], known[i].slug, .e = lore_estimate(s, t, known[i].slug)};
        value(&c, worth_of(s, &c));
        *LORE_PUSH(s->arena, untried->v, untried->n, untried->cap) = c;
    }
}

enum { THERE = 12 }; /* a version has few techniques with a value */

void
lore_lists_fill(const struct lore_scan *s, size_t limit, struct lore_lists *out)
{
    *out = (struct lore_lists){0};
    classify(s, out);
    bound_claims(&out->advice);
    keep_best(&out->advice, limit, by_worth);
    keep_best(&out->avoid, limit, by_harm);
    keep_best(&out->there, THERE, by_worth);
    if (!is_done(s))
        find_untried(s, out);
    keep_best(&out->untried, limit, by_worth);
}
