/* What a question makes of the memory before it looks at a row: how far each chip is, what each
 * language and evidence class weighs, which shapes are alike; from these a weight per context and a
 * level per place. */
#include <math.h>
#include <string.h>

#include "model.h"
#include "scan.h"
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
    float known = (labels & s->q->labels) != 0 ? 1 : s->labels_other_w;
    return labels == 0 ? s->labels_none_w : known;
}

uint8_t
lore_slot(enum lore_travel travel, bool matched, bool broken)
{
    return (uint8_t)(travel + (matched ? LORE_T_COUNT : 0) + (broken ? 2 * LORE_T_COUNT : 0));
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

static struct lore_weighed
weigh_context(
    const struct lore_scan *s, const struct chips *chips, struct lore_context c, float said_w)
{
    size_t chip = c.chip < chips->n ? c.chip : chips->n;
    enum lore_evidence least = s->q->at_least;
    float w = chips->weight[chip] * s->language_w[c.language] * s->evidence_w[c.evidence] *
              labels_weight(s, c.labels) * s->process_w[c.process_broken] * said_w;
    struct lore_weighed out = {.weight = w, .travel = (uint8_t)chips->travel[chip]};

    if (least != LORE_EV_NONE && (c.evidence == LORE_EV_NONE || c.evidence > least))
        out.weight = -1;
    for (int l = 0; l < LORE_LEVEL_SHAPE; l++)
        out.slot[l] =
            lore_slot(chips->travel[chip], w * s->level_w[l] > s->matched_w, c.process_broken);
    return out;
}

static struct lore_judged
judge(struct lore_row_outcome o)
{
    bool wrong = o.correctness == LORE_C_FAIL || o.correctness == LORE_C_TIMEOUT;
    bool said_only = o.said_lost && o.effect == LORE_X_NOT_MEASURED && !wrong;

    return (struct lore_judged){
        .is = o,
        .wrong = wrong,
        .counts = wrong || said_only || o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL ||
                  o.effect == LORE_X_LOSS,
        .won = o.effect == LORE_X_WIN && !wrong,
        .none = o.share != LORE_SHARE_OPEN && !wrong &&
                (o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL),
    };
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

/* A step through a searched space starts from a configuration that nobody chose; what it says of
 * its technique does not hold for other operators. */
static struct lore_placed
place(const struct lore_scan *s, uint32_t id)
{
    uint32_t op = lore_place_operator(s->ix, id), outcome = lore_place_outcome(s->ix, id);
    const struct lore_judged *j = &s->outcome[outcome];
    enum lore_level level =
        level_of(s, lore_operator_op(s->ix, op), lore_operator_family(s->ix, op));

    return (struct lore_placed){
        .outcome = outcome,
        .level = (uint8_t)level,
        .siblings = j->is.siblings,
        .skip =
            (j->is.masked && !s->q->include_masked) || (j->is.step && level < LORE_LEVEL_OPERATOR),
        .said = j->is.said_lost && j->is.effect == LORE_X_NOT_MEASURED && !j->wrong,
        .first = j->is.first,
        .won = j->won && !j->none,
    };
}

static void
weigh_all(struct lore_scan *s)
{
    const struct lore_evidence_index *ix = s->ix;
    float said_w = (float)lore_model(LORE_M_SAID_LOST);
    struct chips chips = weigh_chips(s);

    s->outcome = lore_alloc_array(s->arena, ix->outcomes.n + 1, sizeof *s->outcome);
    for (uint32_t i = 0; i < ix->outcomes.n; i++)
        s->outcome[i] = judge(lore_outcome_at(ix, i));
    s->place = lore_alloc_array(s->arena, ix->places.n + 1, sizeof *s->place);
    for (uint32_t i = 0; i < ix->places.n; i++)
        s->place[i] = place(s, i);
    for (int said = 0; said < 2; said++) {
        s->context[said] = lore_alloc_array(s->arena, ix->contexts.n + 1, sizeof **s->context);
        for (uint32_t i = 0; i < ix->contexts.n; i++)
            s->context[said][i] =
                weigh_context(s, &chips, lore_context_of(ix, i), said ? said_w : 1);
    }
    size_t n_sums = ((size_t)ix->outcomes.n + 1) * LORE_LEVEL_COUNT;
    s->sums = lore_alloc_array(s->arena, n_sums, sizeof *s->sums);
    s->used = lore_alloc_array(s->arena, n_sums, sizeof *s->used);
}

static void
weigh(struct lore_scan *s)
{
    for (int i = 0; i < LORE_LANG_COUNT; i++)
        s->language_w[i] = language_weight(s->q->language, (enum lore_language)i);
    for (int i = 0; i < LORE_EV_COUNT; i++)
        s->evidence_w[i] = (float)lore_model(LORE_M_EVIDENCE_CLAIMED);
    s->evidence_w[LORE_EV_CONFIRMED] = (float)lore_model(LORE_M_EVIDENCE_CONFIRMED);
    s->evidence_w[LORE_EV_MEASURED] = 1;
    s->evidence_w[LORE_EV_IMPORTED] = (float)lore_model(LORE_M_EVIDENCE_IMPORTED);
    s->level_w[LORE_LEVEL_ANY] = (float)lore_model(LORE_M_CLOSE_OTHER);
    s->level_w[LORE_LEVEL_FAMILY] = (float)lore_model(LORE_M_CLOSE_FAMILY);
    s->level_w[LORE_LEVEL_OPERATOR] = s->shaped ? (float)lore_model(LORE_M_CLOSE_OPERATOR) : 1;
    s->level_w[LORE_LEVEL_SHAPE] = 1;
    s->labels_none_w = (float)lore_model(LORE_M_LABELS_UNKNOWN);
    s->labels_other_w =
        s->q->labels != 0 ? (float)lore_model(LORE_M_LABELS_DISJOINT) : s->labels_none_w;
    s->matched_w = (float)lore_model(LORE_M_MATCHED);
    s->clamp = (float)lore_model(LORE_M_GAIN_CLAMP);
    s->process_w[0] = 1;
    s->process_w[1] = (float)lore_model(LORE_M_PROCESS_BROKEN);
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
        if (lore_operator_op(ix, i) == s->op && lore_operator_family(ix, i) != LORE_NO_NAME)
            return lore_evidence_text(ix, lore_operator_family(ix, i));
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
    s->alike = lore_alloc_array(s->arena, lore_evidence_names(s->ix) + 1, sizeof *s->alike);
    if (s->q->shape != NULL && s->op != NO_SUCH)
        n = lore_shapes_near(lore_evidence_shapes(s->ix), s->op, s->q->shape,
            lore_model(LORE_M_SHAPE_WIDTH), s->arena, &near);
    for (size_t i = 0; i < n; i++)
        s->alike[near[i].workload] = near[i].alike;
    if (itself != LORE_NO_NAME)
        s->alike[itself] = 1;
}

struct lore_said
lore_scan_row(const struct lore_scan *s, uint32_t row)
{
    const struct lore_chunk *c = s->ix->chunks[row / LORE_CHUNK];
    uint32_t i = row % LORE_CHUNK, workload = c->workload[i];
    const struct lore_cell *cell = lore_cell_of(s->ix, row);
    const struct lore_placed *p = &s->place[cell->place];
    const struct lore_weighed *v = &s->context[p->said][cell->context];
    float alike = 0;

    if (s->shaped && p->level == LORE_LEVEL_OPERATOR && workload != LORE_NO_NAME)
        alike = s->alike[workload];
    return (struct lore_said){
        .weight = v->weight,
        .bearing = v->weight * (alike + (1 - alike) * s->level_w[p->level]),
        .alike = alike,
        .level = (enum lore_level)p->level,
        .travel = (enum lore_travel)v->travel,
    };
}

void
lore_weigh(struct lore_scan *s)
{
    s->op = known_or_no_such(s->ix, s->q->op);
    s->family = family_of(s);
    s->family_id = known_or_no_such(s->ix, s->family);
    s->near = s->q->chip != NULL ? LORE_T_SAME_VENDOR : LORE_T_UNKNOWN;
    find_alike(s);
    weigh(s);
}
