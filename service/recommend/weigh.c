/* What a question makes of the memory (weigh.h): how far each chip is, what each language, evidence
 * class and year of age weighs, which shapes are alike; from these a weight per context and a level
 * per operator. */
#include "service/recommend/weigh.h"

#include <math.h>
#include <stdlib.h>

#include "service/base/text.h"
#include "service/recommend/model.h"

#define NO_SUCH (UINT32_MAX - 1) /* equals no id, and not "not recorded" either */

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

static double
labels_weight(const struct lore_scan *s, uint32_t labels)
{
    double known = (labels & s->q->labels) != 0 ? 1 : s->weights->labels_other;
    return labels == 0 ? s->weights->labels_none : known;
}

/* How far each chip is, and one more for "not recorded". */
static void
weigh_chips(const struct lore_scan *s, double **weight)
{
    struct lore_weights *w = s->weights;
    size_t n;
    const struct lore_chip *chips = lore_chips(&n), *asked = s->q->chip;

    w->n_chips = (uint32_t)n;
    w->travel = lore_alloc_array(s->arena, n + 1, sizeof *w->travel);
    *weight = lore_alloc_array(s->arena, n + 1, sizeof **weight);
    for (size_t i = 0; i <= n; i++) {
        enum lore_travel t = lore_chip_travel(i < n ? &chips[i] : NULL, asked);
        w->travel[i] = (uint8_t)(asked ? t : LORE_T_UNKNOWN);
        (*weight)[i] = asked != NULL ? lore_model(LORE_M_TRAVEL_CHIP + t) : 1;
    }
}

int
lore_weigh_years_apart(const struct lore_scan *s, uint8_t year)
{
    return year != 0 && s->year != 0 ? abs(s->year - year) : 0;
}

/* Whether the question looks at what is in a context, on its operator or elsewhere. A step through
 * a searched space starts from a configuration that nobody chose; what it says of its technique
 * does not hold for other operators. */
static bool
looks_at(const struct lore_scan *s, struct lore_graded c, bool on_operator)
{
    enum lore_evidence least = s->q->at_least;

    if (least != LORE_EV_NONE && (c.evidence == LORE_EV_NONE || c.evidence > least))
        return false;
    return (!c.masked || s->q->include_masked) && (!c.step || on_operator);
}

/* What of a weight depends on the question. */
static void
weigh_settings(struct lore_scan *s, const double *chips)
{
    const struct lore_grading *grading = &s->ix->grading;
    struct lore_weights *w = s->weights;
    double *elsewhere = lore_alloc_array(s->arena, grading->settings.n, sizeof *elsewhere);
    double *here = elsewhere;

    if (grading->steps)
        here = lore_alloc_array(s->arena, grading->settings.n, sizeof *here);
    for (uint32_t i = 0; i < grading->settings.n; i++) {
        struct lore_context c = lore_context_of(grading->settings.key[i]);
        uint32_t chip = c.chip < w->n_chips ? c.chip : w->n_chips;
        here[i] = chips[chip] * w->language[c.language] * labels_weight(s, c.labels);
        elsewhere[i] = c.step ? 0 : here[i];
    }
    w->setting[0] = elsewhere;
    w->setting[1] = here;
}

static struct lore_weighed
weigh_context(const struct lore_scan *s, const struct lore_graded *c, double grade, uint8_t travel)
{
    double weight = s->weights->setting[1][c->setting] * grade;
    float w = (float)weight;
    struct lore_weighed out = {
        .weight = weight, .travel = travel, .years = (uint8_t)lore_weigh_years_apart(s, c->year)};

    for (int l = 0; l < LORE_LEVEL_SHAPE; l++)
        out.matched |= (uint8_t)((w * s->level_w[l] > s->matched_w) << l);
    out.edge = w > s->matched_w && (out.matched >> LORE_LEVEL_OPERATOR & 1) == 0;
    return out;
}

/* By the grades that the index has, if they are those of the question. */
static void
weigh_contexts(struct lore_scan *s)
{
    const struct lore_keys *contexts = &s->ix->contexts;
    const struct lore_grading *grading = &s->ix->grading;
    struct lore_weights *w = s->weights;
    bool hold = lore_grades_hold(&grading->grades, s->year);
    struct lore_grades *own = hold ? NULL : lore_alloc(s->arena, sizeof *own);
    struct lore_weighed *elsewhere, *here;

    if (!hold)
        lore_grades_fill(own, s->year);
    elsewhere = here = lore_alloc_array(s->arena, contexts->n, sizeof *elsewhere);
    if (grading->steps)
        here = lore_alloc_array(s->arena, contexts->n, sizeof *here);
    for (uint32_t i = 1; i < contexts->n; i++) { /* 0: LORE_NO_CONTEXT */
        const struct lore_graded *c = &grading->context[i];
        uint32_t chip = lore_place_chip((uint32_t)contexts->key[i]);
        if (!looks_at(s, *c, true))
            continue;
        double grade =
            hold ? c->grade : lore_evidence_grade(own, lore_context_of(contexts->key[i]));
        here[i] = weigh_context(s, c, grade, w->travel[chip < w->n_chips ? chip : w->n_chips]);
        if (!c->step)
            elsewhere[i] = here[i];
    }
    w->context[0] = elsewhere;
    w->context[1] = here;
    w->totals = hold && s->q->at_least == LORE_EV_NONE && !s->q->include_masked;
}

/* Where the rows of a place are counted: what broke a process rule, and what is left out, apart. */
static void
choose_slots(struct lore_scan *s)
{
    for (uint32_t flags = 0; flags < LORE_PLACE_FLAGS; flags++) {
        struct lore_context c = lore_context_of(flags);
        struct lore_graded as = {.evidence = c.evidence, .masked = c.masked, .step = c.step};
        for (int on = 0; on < 2; on++)
            s->weights->slot[on][flags] = !looks_at(s, as, on) ? LORE_SLOT_LEFT_OUT
                                          : c.process_broken   ? LORE_SLOT_BROKEN
                                                               : 0;
    }
}

static struct lore_verdict
verdict_on(struct lore_row_outcome o)
{
    struct lore_judged as = lore_judge(o);
    double share = 1.0 / o.siblings;

    return (struct lore_verdict){
        .judged = as.counts ? share : 0,
        .won = as.own ? share : 0,
        .gains = as.gains ? share : 0,
        .first = o.first,
        .own = as.own,
        .inert = as.inert,
        .has_x = as.has_x,
    };
}

static enum lore_tally_level
level_of(const struct lore_scan *s, uint32_t op, uint32_t family_id)
{
    bool family = family_id == s->family_id;

    if (s->q->op && op != s->op)
        return family ? LORE_LEVEL_FAMILY : LORE_LEVEL_ANY;
    if (!s->q->op && s->q->family && !family)
        return LORE_LEVEL_ANY;
    return LORE_LEVEL_OPERATOR;
}

static void
weigh_all(struct lore_scan *s)
{
    const struct lore_evidence_index *ix = s->ix;
    struct lore_weights *w = s->weights;
    double *chips;

    weigh_chips(s, &chips);
    weigh_settings(s, chips);
    weigh_contexts(s);
    choose_slots(s);
    w->outcome = lore_alloc_array(s->arena, ix->outcomes.n, sizeof *w->outcome);
    for (uint32_t i = LORE_NO_OUTCOME + 1; i < ix->outcomes.n; i++)
        w->outcome[i] = verdict_on(lore_outcome_of(ix->outcomes.key[i]));
    w->level = lore_alloc_array(s->arena, (size_t)ix->operators.n + 1, sizeof *w->level);
    for (uint32_t i = 0; i < ix->operators.n; i++)
        w->level[i] = (uint8_t)level_of(
            s, lore_pair_high(ix->operators.key[i]), lore_pair_low(ix->operators.key[i]));
}

static void
weigh(struct lore_scan *s)
{
    struct lore_weights *w = s->weights = lore_alloc(s->arena, sizeof *w);

    for (int i = 0; i < LORE_LANG_COUNT; i++)
        w->language[i] = language_weight(s->q->language, (enum lore_language)i);
    s->level_w[LORE_LEVEL_ANY] = (float)lore_model(LORE_M_CLOSE_OTHER);
    s->level_w[LORE_LEVEL_FAMILY] = (float)lore_model(LORE_M_CLOSE_FAMILY);
    s->level_w[LORE_LEVEL_OPERATOR] = s->shaped ? (float)lore_model(LORE_M_CLOSE_OPERATOR) : 1;
    s->level_w[LORE_LEVEL_SHAPE] = 1;
    w->labels_none = lore_model(LORE_M_LABELS_UNKNOWN);
    w->labels_other = s->q->labels != 0 ? lore_model(LORE_M_LABELS_DISJOINT) : w->labels_none;
    s->matched_w = (float)lore_model(LORE_M_MATCHED);
    w->clamp = (float)lore_model(LORE_M_GAIN_CLAMP);
    weigh_all(s);
}

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
        n = lore_shapes_near(lore_evidence_shapes(s->ix), s->op, s->q->shape,
            lore_model(LORE_M_SHAPE_WIDTH), s->arena, &near);
    for (size_t i = 0; i < n; i++)
        s->alike[near[i].workload] = near[i].alike;
    if (itself != LORE_NO_NAME)
        s->alike[itself] = 1;
    s->some_alike = n > 0 || itself != LORE_NO_NAME;
}

struct lore_said
lore_scan_row(const struct lore_scan *s, uint32_t row)
{
    const struct lore_chunk *c = s->ix->chunks[row / LORE_CHUNK];
    const struct lore_weighed *w =
        lore_take(s, c->kind[row % LORE_CHUNK], LORE_LEVEL_OPERATOR).context;
    enum lore_tally_level level =
        (enum lore_tally_level)s->weights->level[s->ix->groups[c->group].op];
    float alike = s->shaped && level == LORE_LEVEL_OPERATOR
                      ? lore_alike(s, c->workload[row % LORE_CHUNK])
                      : 0;

    return (struct lore_said){
        .weight = (float)w->weight,
        .bearing = lore_bearing(s, w->weight, alike, level),
        .alike = alike,
        .level = level,
        .travel = (enum lore_travel)w->travel,
    };
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
    weigh(s);
}
