/* What a question makes of the memory (weigh.h): how far each chip is, what each language, evidence
 * class and year of age weighs, which shapes are alike; from these a weight per context and a level
 * per operator. */
#include "weigh.h"

#include <math.h>
#include <stdlib.h>

#include "model.h"
#include "text.h"

#define NO_SUCH (UINT32_MAX - 1) /* equals no id, and not "not recorded" either */

/* Which vendor's toolchain a language belongs to: 'a'md, 'n'vidia, or 0 for both. */
static char
toolchain(enum lore_language language)
{
    switch (language) {
    case LORE_LANG_HIP:
    case LORE_LANG_CK:
    case LORE_LANG_FLYDSL:
        return 'a';
    case LORE_LANG_CUDA:
    case LORE_LANG_CUTLASS:
    case LORE_LANG_CUTE_DSL:
        return 'n';
    default:
        return 0;
    }
}

static float
language_weight(enum lore_language asked, enum lore_language found)
{
    if (asked == LORE_LANG_NONE || asked == found)
        return 1;
    if (toolchain(asked) != 0 && toolchain(asked) == toolchain(found))
        return (float)lore_model(LORE_M_LANGUAGE_VENDOR);
    return (float)lore_model(LORE_M_LANGUAGE_OTHER);
}

static float
labels_weight(const struct lore_scan *s, uint32_t labels)
{
    float known = (labels & s->q->labels) != 0 ? 1 : s->weights->labels_other;
    return labels == 0 ? s->weights->labels_none : known;
}

/* How far each chip is, and one more for "not recorded". */
struct chips {
    enum lore_travel *travel;
    float *weight;
    size_t n;
};

static struct chips
weigh_chips(const struct lore_scan *s)
{
    struct chips out;
    const struct lore_chip *chips = lore_chips(&out.n), *asked = s->q->chip;

    out.travel = lore_alloc_array(s->arena, out.n + 1, sizeof *out.travel);
    out.weight = lore_alloc_array(s->arena, out.n + 1, sizeof *out.weight);
    for (size_t i = 0; i <= out.n; i++) {
        enum lore_travel t = lore_chip_travel(i < out.n ? &chips[i] : NULL, asked);
        out.travel[i] = asked != NULL ? t : LORE_T_UNKNOWN;
        out.weight[i] = asked != NULL ? (float)lore_model(LORE_M_TRAVEL_CHIP + t) : 1;
    }
    return out;
}

int
lore_years_apart(const struct lore_scan *s, uint8_t year)
{
    return year != 0 && s->year != 0 ? abs(s->year - year) : 0;
}

static struct lore_weighed
weigh_context(
    const struct lore_scan *s, const struct chips *chips, struct lore_context c, float said_w)
{
    const struct lore_weights *by = s->weights;
    size_t chip = c.chip < chips->n ? c.chip : chips->n;
    enum lore_evidence least = s->q->at_least;
    float w = chips->weight[chip] * by->language[c.language] * by->evidence[c.evidence] *
              labels_weight(s, c.labels) * by->process[c.process_broken] * said_w *
              by->age[lore_years_apart(s, c.year)];
    struct lore_weighed out = {.weight = w, .travel = (uint8_t)chips->travel[chip]};

    if (least != LORE_EV_NONE && (c.evidence == LORE_EV_NONE || c.evidence > least))
        return (struct lore_weighed){.slot = LORE_SLOT_NONE};
    out.slot = (uint8_t)(out.travel + (c.process_broken ? LORE_T_COUNT : 0));
    for (int l = 0; l < LORE_LEVEL_SHAPE; l++)
        out.matched |= (uint8_t)((w * s->level_w[l] > s->matched_w) << l);
    out.edge = w > s->matched_w && (out.matched >> LORE_LEVEL_OPERATOR & 1) == 0;
    return out;
}

/* A step through a searched space starts from a configuration that nobody chose; what it says of
 * its technique does not hold for other operators. */
static struct lore_verdict
judge(const struct lore_scan *s, struct lore_row_outcome o)
{
    bool wrong = o.correctness == LORE_C_FAIL || o.correctness == LORE_C_TIMEOUT;
    bool said_only = o.said_lost && o.effect == LORE_X_NOT_MEASURED && !wrong;
    const struct lore_weighed *context = s->weights->context[said_only];
    struct lore_verdict out = {.is = o, .share = o.siblings > 0 ? 1.0 / o.siblings : 0};

    out.wrong = wrong;
    out.counts = wrong || said_only || o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL ||
                 o.effect == LORE_X_LOSS;
    out.won = o.effect == LORE_X_WIN && !wrong;
    out.none = o.share != LORE_SHARE_OPEN && !wrong &&
               (o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL);
    out.own = out.won && !out.none;
    if (o.gone || (o.masked && !s->q->include_masked))
        return out;
    out.context[0] = o.step ? NULL : context;
    out.context[1] = context;
    return out;
}

static enum lore_level
level_of(const struct lore_scan *s, uint32_t op, uint32_t family_id)
{
    bool family = family_id == s->family_id;

    if (s->q->op != NULL && op != s->op)
        return family ? LORE_LEVEL_FAMILY : LORE_LEVEL_ANY;
    if (s->q->op == NULL && s->q->family != NULL && !family)
        return LORE_LEVEL_ANY;
    return LORE_LEVEL_OPERATOR;
}

static const struct lore_weighed *
weigh_contexts(const struct lore_scan *s, const struct chips *chips, float said_w)
{
    const struct lore_keys *contexts = &s->ix->contexts;
    struct lore_weighed *out = lore_alloc_array(s->arena, (size_t)contexts->n + 1, sizeof *out);

    for (uint32_t i = 0; i < contexts->n; i++)
        out[i] = weigh_context(s, chips, lore_context_of(contexts->key[i]), said_w);
    return out;
}

static void
weigh_all(struct lore_scan *s)
{
    const struct lore_evidence_index *ix = s->ix;
    struct lore_weights *w = s->weights;
    struct chips chips = weigh_chips(s);

    w->context[0] = weigh_contexts(s, &chips, 1);
    w->context[1] = weigh_contexts(s, &chips, (float)lore_model(LORE_M_SAID_LOST));
    w->class = lore_alloc_array(s->arena, (size_t)ix->classes.n + 1, sizeof *w->class);
    for (uint32_t i = 0; i < ix->classes.n; i++)
        w->class[i] = judge(s, lore_outcome_of(ix->classes.key[i]));
    for (int on = 0; on < 2; on++) {
        w->adding[on] = lore_alloc_array(s->arena, (size_t)ix->classes.n + 1, sizeof **w->adding);
        for (uint32_t i = 0; i < ix->classes.n; i++) {
            const struct lore_weighed *by = w->class[i].context[on];
            w->adding[on][i] =
                (struct lore_adding){by != NULL ? by : w->context[0], by != NULL ? UINT64_MAX : 0};
        }
    }
    w->outcome = lore_alloc_array(s->arena, (size_t)ix->outcomes.n + 1, sizeof *w->outcome);
    for (uint32_t i = 0; i < ix->outcomes.n; i++) {
        struct lore_row_outcome o = lore_outcome_of(ix->outcomes.key[i]);
        w->outcome[i] = judge(s, o);
        w->outcome[i].class = lore_keys_find(&ix->classes, lore_outcome_key(lore_outcome_class(o)));
    }
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
    for (int i = 0; i < LORE_EV_COUNT; i++)
        w->evidence[i] = (float)lore_model(LORE_M_EVIDENCE_CLAIMED);
    w->evidence[LORE_EV_CONFIRMED] = (float)lore_model(LORE_M_EVIDENCE_CONFIRMED);
    w->evidence[LORE_EV_MEASURED] = 1;
    w->evidence[LORE_EV_IMPORTED] = (float)lore_model(LORE_M_EVIDENCE_IMPORTED);
    s->level_w[LORE_LEVEL_ANY] = (float)lore_model(LORE_M_CLOSE_OTHER);
    s->level_w[LORE_LEVEL_FAMILY] = (float)lore_model(LORE_M_CLOSE_FAMILY);
    s->level_w[LORE_LEVEL_OPERATOR] = s->shaped ? (float)lore_model(LORE_M_CLOSE_OPERATOR) : 1;
    s->level_w[LORE_LEVEL_SHAPE] = 1;
    w->labels_none = (float)lore_model(LORE_M_LABELS_UNKNOWN);
    w->labels_other =
        s->q->labels != 0 ? (float)lore_model(LORE_M_LABELS_DISJOINT) : w->labels_none;
    s->matched_w = (float)lore_model(LORE_M_MATCHED);
    w->clamp = (float)lore_model(LORE_M_GAIN_CLAMP);
    w->process[0] = 1;
    w->process[1] = (float)lore_model(LORE_M_PROCESS_BROKEN);
    for (int years = 0; years <= s->year || years <= s->ix->newest; years++)
        w->age[years] = (float)pow(lore_model(LORE_M_RECENCY_YEAR), years);
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

    if (s->q->family != NULL || s->q->op == NULL)
        return s->q->family;
    const struct lore_operator *op = lore_operator_find(s->q->op);
    if (op != NULL)
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

    s->shaped = s->q->workload != NULL || s->q->shape != NULL;
    if (!s->shaped)
        return;
    s->alike = lore_alloc_array(s->arena, (size_t)s->n_names + 1, sizeof *s->alike);
    if (s->q->shape != NULL && s->op != NO_SUCH)
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
    uint64_t pair = s->ix->kinds.key[c->kind[row % LORE_CHUNK]];
    const struct lore_verdict *v = &s->weights->outcome[lore_pair_low(pair)];
    const struct lore_weighed *w = &v->context[1][lore_pair_high(pair)];
    enum lore_level level = (enum lore_level)s->weights->level[s->ix->shelves[c->shelf].op];
    float alike = s->shaped && level == LORE_LEVEL_OPERATOR
                      ? lore_alike(s, c->workload[row % LORE_CHUNK])
                      : 0;

    return (struct lore_said){
        .weight = w->weight,
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
