/* What a question makes of a place: how far its chip is, what its language, bottleneck, evidence
 * class and age weigh, and at which level its operator is. The weight of an experiment is the
 * product: each factor is a number of model.c, and a question that does not name something does not
 * weigh it. */
#include <math.h>
#include <stdlib.h>

#include "service/base/text.h"
#include "service/recommend/model.h"
#include "service/recommend/scan.h"

#define NO_SUCH (UINT32_MAX - 1) /* equals no id, and not "not recorded" either */

struct weights {
    double language[LORE_LANG_COUNT], evidence[LORE_EV_COUNT], age[UINT8_MAX + 1];
    double labels_none, labels_other, broken, said;
    uint8_t *travel; /* per chip, and one more for "not recorded" */
    size_t n_chips;
};

static double
language_weight(enum lore_language asked, enum lore_language found)
{
    if (asked == LORE_LANG_NONE || asked == found)
        return 1;
    const char *vendor = lore_language_vendor(asked);
    if (vendor && lore_streq(vendor, lore_language_vendor(found)))
        return lore_model(LORE_M_LANGUAGE_VENDOR);
    return lore_model(LORE_M_LANGUAGE_OTHER);
}

static void
fill_weights(const struct lore_scan *s, struct weights *w)
{
    const struct lore_chip *chips = lore_chips(&w->n_chips);
    double claimed = lore_model(LORE_M_EVIDENCE_CLAIMED);

    w->travel = lore_alloc_array(s->arena, w->n_chips + 1, sizeof *w->travel);
    for (size_t i = 0; i <= w->n_chips; i++)
        w->travel[i] = (uint8_t)lore_chip_travel(i < w->n_chips ? &chips[i] : NULL, s->q->chip);
    for (int i = 0; i < LORE_LANG_COUNT; i++)
        w->language[i] = language_weight(s->q->language, (enum lore_language)i);
    for (int i = 0; i < LORE_EV_COUNT; i++)
        w->evidence[i] = claimed;
    w->evidence[LORE_EV_CONFIRMED] = lore_model(LORE_M_EVIDENCE_CONFIRMED);
    w->evidence[LORE_EV_MEASURED] = 1;
    w->evidence[LORE_EV_IMPORTED] = lore_model(LORE_M_EVIDENCE_IMPORTED);
    for (int year = 0; year <= UINT8_MAX; year++)
        w->age[year] =
            pow(lore_model(LORE_M_RECENCY_YEAR), lore_weigh_years_apart(s, (uint8_t)year));
    w->labels_none = lore_model(LORE_M_LABELS_UNKNOWN);
    w->labels_other = s->q->labels != 0 ? lore_model(LORE_M_LABELS_DISJOINT) : w->labels_none;
    w->broken = lore_model(LORE_M_PROCESS_BROKEN);
    w->said = lore_model(LORE_M_SAID_LOST);
}

int
lore_weigh_years_apart(const struct lore_scan *s, uint8_t year)
{
    return year != 0 && s->year != 0 ? abs(s->year - year) : 0;
}

static bool
looks_at(const struct lore_scan *s, union lore_context c)
{
    enum lore_evidence least = s->q->at_least;

    if (least != LORE_EV_NONE && (c.evidence == LORE_EV_NONE || c.evidence > least))
        return false;
    return !c.masked || s->q->include_masked;
}

static struct lore_weighed
weigh_context(const struct lore_scan *s, const struct weights *w, union lore_context c)
{
    uint8_t travel = w->travel[c.chip < w->n_chips ? c.chip : w->n_chips];
    double chip = s->q->chip ? lore_model(LORE_M_TRAVEL_CHIP + travel) : 1;
    double labels = c.labels == 0                    ? w->labels_none
                    : (c.labels & s->q->labels) != 0 ? 1
                                                     : w->labels_other;
    double weight = chip * w->language[c.language] * labels;

    weight *= w->evidence[c.evidence] * (c.process_broken ? w->broken : 1) *
              (c.said ? w->said : 1) * w->age[c.year];
    return (struct lore_weighed){.weight = looks_at(s, c) ? weight : 0,
        .travel = s->q->chip ? travel : LORE_T_UNKNOWN,
        .years = (uint8_t)lore_weigh_years_apart(s, c.year),
        .labels = (uint16_t)c.labels,
        .same_labels = (c.labels & s->q->labels) != 0,
        .process_broken = c.process_broken,
        .claimed = c.evidence == LORE_EV_NONE || c.evidence == LORE_EV_CLAIMED};
}

static enum lore_tally_level
level_of(const struct lore_scan *s, uint64_t op)
{
    bool family = lore_pair_low(op) == s->family_id;

    if (s->q->op && lore_pair_high(op) != s->op)
        return family ? LORE_LEVEL_FAMILY : LORE_LEVEL_ANY;
    if (!s->q->op && s->q->family && !family)
        return LORE_LEVEL_ANY;
    return LORE_LEVEL_OPERATOR;
}

/* A step through a searched space starts from a configuration that nobody chose; what it says of
 * its technique does not hold for other operators. */
static void
weigh_places(struct lore_scan *s)
{
    const struct lore_evidence_index *ix = s->ix;
    struct lore_weighed *context =
        lore_alloc_array(s->arena, (size_t)ix->contexts.n + 1, sizeof *context);
    struct weights *weights = lore_alloc(s->arena, sizeof *weights);

    fill_weights(s, weights);
    for (uint32_t i = 0; i < ix->contexts.n; i++)
        context[i] = weigh_context(s, weights, (union lore_context){.key = ix->contexts.key[i]});
    s->place = lore_alloc_array(s->arena, (size_t)ix->places.n + 1, sizeof *s->place);
    for (uint32_t i = 0; i < ix->places.n; i++) {
        uint64_t place = ix->places.key[i];
        uint32_t at = lore_pair_low(place);
        struct lore_weighed w = context[at];
        w.level = (uint8_t)level_of(s, ix->operators.key[lore_pair_high(place)]);
        if (w.level != LORE_LEVEL_OPERATOR &&
            (union lore_context){.key = ix->contexts.key[at]}.step)
            w.weight = 0;
        w.bearing = (float)w.weight * s->level_w[w.level];
        w.here = w.level == LORE_LEVEL_OPERATOR && (!s->q->chip || w.travel <= LORE_T_SAME_ISA);
        s->place[i] = w;
    }
}

/* ---- what the question names ---- */

static uint32_t
known_or_no_such(const struct lore_evidence_index *ix, const char *name)
{
    uint32_t id = lore_evidence_find(ix, name);
    return id == LORE_NO_NAME ? NO_SUCH : id;
}

/* The family of the question: given, else the catalogue's, else what the evidence on the operator
 * says. */
static const char *
family_of(const struct lore_scan *s)
{
    const struct lore_evidence_index *ix = s->ix;

    if (s->q->family || !s->q->op)
        return s->q->family;
    const struct lore_operator *op = lore_operator_find(s->q->op);
    if (op)
        return op->family;
    for (uint32_t i = 0; i < ix->operators.n && s->op != NO_SUCH; i++) {
        uint64_t pair = ix->operators.key[i];
        if (lore_pair_high(pair) == s->op && lore_pair_low(pair) != LORE_NO_NAME)
            return lore_evidence_text(ix, lore_pair_low(pair));
    }
    return NULL;
}

/* Which workloads are alike to the one asked about, and how much; itself is, even when its dims are
 * not known. */
static void
find_alike(struct lore_scan *s)
{
    uint32_t itself = lore_evidence_find(s->ix, s->q->workload);
    struct lore_shape_near *near = NULL;
    size_t n = 0;

    s->shaped = s->q->workload != NULL || s->q->shape;
    if (!s->shaped)
        return;
    s->alike = lore_alloc_array(s->arena, (size_t)s->n_names + 1, sizeof *s->alike);
    if (s->q->shape && s->op != NO_SUCH)
        n = lore_shapes_near(
            s->ix->shapes, s->op, s->q->shape, lore_model(LORE_M_SHAPE_WIDTH), s->arena, &near);
    for (size_t i = 0; i < n; i++)
        s->alike[near[i].workload] = near[i].alike;
    if (itself != LORE_NO_NAME)
        s->alike[itself] = 1;
    s->some_alike = n > 0 || itself != LORE_NO_NAME;
}

void
lore_weigh(struct lore_scan *s)
{
    s->n_names = lore_evidence_names(s->ix);
    s->op = known_or_no_such(s->ix, s->q->op);
    s->family = family_of(s);
    s->family_id = known_or_no_such(s->ix, s->family);
    s->near = s->q->chip != NULL ? LORE_T_SAME_VENDOR : LORE_T_UNKNOWN;
    s->year = s->q->year != 0 ? s->q->year : s->ix->newest;
    find_alike(s);
    s->level_w[LORE_LEVEL_ANY] = (float)lore_model(LORE_M_CLOSE_OTHER);
    s->level_w[LORE_LEVEL_FAMILY] = (float)lore_model(LORE_M_CLOSE_FAMILY);
    s->level_w[LORE_LEVEL_OPERATOR] = s->shaped ? (float)lore_model(LORE_M_CLOSE_OPERATOR) : 1;
    s->level_w[LORE_LEVEL_SHAPE] = 1;
    s->not_limits = s->q->labels ? ~s->q->labels : s->q->not_limits;
    s->witness = lore_model(LORE_M_WITNESS);
    s->matched_w = (float)lore_model(LORE_M_MATCHED);
    weigh_places(s);
}
