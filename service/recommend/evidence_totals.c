/* Totals (evidence_totals.h), kept with each row. When the model has learned other numbers, or a
 * year has begun, all grades are others: the totals are made anew from the cells. */
#include "service/recommend/evidence_totals.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/xalloc.h"
#include "service/recommend/model.h"

/* ---- grades ---- */

static double
evidence_number(int class)
{
    switch (class) {
    case LORE_EV_CONFIRMED:
        return lore_model(LORE_M_EVIDENCE_CONFIRMED);
    case LORE_EV_MEASURED:
        return 1;
    case LORE_EV_IMPORTED:
        return lore_model(LORE_M_EVIDENCE_IMPORTED);
    default:
        return lore_model(LORE_M_EVIDENCE_CLAIMED);
    }
}

void
lore_grades_fill(struct lore_grades *g, uint8_t year)
{
    for (int i = 0; i < LORE_EV_COUNT; i++)
        g->evidence[i] = evidence_number(i);
    g->process[0] = g->said[0] = 1;
    g->process[1] = lore_model(LORE_M_PROCESS_BROKEN);
    g->said[1] = lore_model(LORE_M_SAID_LOST);
    g->recency = lore_model(LORE_M_RECENCY_YEAR);
    g->year = year;
    g->age[0] = 1;
    for (int years = 1; years <= UINT8_MAX; years++)
        g->age[years] = g->age[years - 1] * g->recency;
}

bool
lore_grades_hold(const struct lore_grades *g, uint8_t year)
{
    return g->year == year && g->recency == lore_model(LORE_M_RECENCY_YEAR) &&
           g->process[1] == lore_model(LORE_M_PROCESS_BROKEN) &&
           g->said[1] == lore_model(LORE_M_SAID_LOST) &&
           g->evidence[LORE_EV_CONFIRMED] == lore_model(LORE_M_EVIDENCE_CONFIRMED) &&
           g->evidence[LORE_EV_IMPORTED] == lore_model(LORE_M_EVIDENCE_IMPORTED) &&
           g->evidence[LORE_EV_CLAIMED] == lore_model(LORE_M_EVIDENCE_CLAIMED);
}

double
lore_evidence_grade(const struct lore_grades *g, struct lore_context c)
{
    int years = c.year != 0 && g->year != 0 ? abs(g->year - c.year) : 0;

    return g->evidence[c.evidence] * g->process[c.process_broken] * g->said[c.said] * g->age[years];
}

/* Chip, language, labels, and whether it is a step: which bears on its own operator alone. */
static uint32_t
setting_of(struct lore_grading *g, struct lore_context c)
{
    struct lore_context setting = {
        .chip = c.chip, .language = c.language, .labels = c.labels, .step = c.step};
    uint32_t known = g->settings.n, id = lore_keys_add(&g->settings, lore_context_key(setting));

    if (id < known)
        return id;
    if (g->cap_highest < g->settings.cap) {
        g->cap_highest = g->settings.cap;
        g->highest = lore_xrealloc(g->highest, g->cap_highest * sizeof *g->highest);
    }
    g->highest[id] = 0;
    return id;
}

static void
grade_context(struct lore_grading *g, struct lore_graded *c, struct lore_context context)
{
    double *highest = &g->highest[c->setting];

    c->grade = lore_evidence_grade(&g->grades, context);
    *highest = c->grade > *highest ? c->grade : *highest;
}

void
lore_grading_add(struct lore_grading *g, const struct lore_keys *contexts)
{
    if (g->cap < contexts->cap) {
        g->cap = contexts->cap;
        g->context = lore_xrealloc(g->context, g->cap * sizeof *g->context);
    }
    for (; g->n < contexts->n; g->n++) {
        struct lore_context c = lore_context_of(contexts->key[g->n]);
        bool none = contexts->key[g->n] == LORE_NO_CONTEXT;
        if (none)
            c = (struct lore_context){0};
        g->context[g->n] = (struct lore_graded){.setting = setting_of(g, c),
            .evidence = c.evidence,
            .year = c.year,
            .masked = c.masked || none,
            .step = c.step};
        g->steps = g->steps || c.step;
        grade_context(g, &g->context[g->n], c);
    }
}

void
lore_grading_renew(struct lore_grading *g, const struct lore_keys *contexts, uint8_t year)
{
    lore_grades_fill(&g->grades, year);
    memset(g->highest, 0, g->settings.n * sizeof *g->highest);
    for (uint32_t i = 1; i < g->n; i++) /* 0: LORE_NO_CONTEXT */
        grade_context(g, &g->context[i], lore_context_of(contexts->key[i]));
}

void
lore_grading_free(struct lore_grading *g)
{
    lore_keys_free(&g->settings);
    lore_xfree(g->context);
    lore_xfree(g->highest);
    *g = (struct lore_grading){0};
}

size_t
lore_grading_bytes(const struct lore_grading *g)
{
    return lore_keys_bytes(&g->settings) + g->cap * sizeof *g->context +
           g->cap_highest * sizeof *g->highest;
}

/* ---- entries ---- */

static struct lore_total *
total_of(struct lore_totals *t, uint32_t setting)
{
    uint32_t known = t->settings.n, i = lore_keys_add(&t->settings, setting);

    if (i < known)
        return &t->v[i];
    if (t->cap < t->settings.cap) {
        t->cap = t->settings.cap;
        t->v = lore_xrealloc(t->v, t->cap * sizeof *t->v);
    }
    t->v[i] = (struct lore_total){.setting = setting};
    return &t->v[i];
}

static struct lore_on_chip *
on_chip(struct lore_totals *t, uint32_t on)
{
    uint32_t known = t->chips.n, i = lore_keys_add(&t->chips, on);

    if (i < known)
        return &t->chip[i];
    if (t->cap_chip < t->chips.cap) {
        t->cap_chip = t->chips.cap;
        t->chip = lore_xrealloc(t->chip, t->cap_chip * sizeof *t->chip);
    }
    t->chip[i] = (struct lore_on_chip){.on = on};
    return &t->chip[i];
}

static void
count(struct lore_totals *t, const struct lore_entering *in, bool step, uint32_t by)
{
    struct lore_context place = lore_context_of(in->place);
    struct lore_on_chip *at = on_chip(t, lore_place_chip(in->place) << 1 | step);

    lore_count(at->n, &in->judged, by);
    at->faults += place.process_broken ? by : 0;
}

void
lore_totals_put(
    struct lore_totals *t, const struct lore_graded *c, const struct lore_entering *in, int by)
{
    if (c->masked)
        return;
    struct lore_total *total = total_of(t, c->setting);
    total->n += (uint32_t)by;
    if (total->n == 0) /* what is left is rounding */
        memset(total->sum, 0, sizeof total->sum);
    else
        lore_sums_add(total->sum, in, by * c->grade);
    count(t, in, c->step, (uint32_t)by);
}

void
lore_totals_share(struct lore_totals *t, const struct lore_graded *c,
    const struct lore_entering *was, const struct lore_entering *in)
{
    if (c->masked)
        return;
    struct lore_total *total = total_of(t, c->setting);
    if (total->n == 1)
        memset(total->sum, 0, sizeof total->sum);
    else
        lore_sums_add(total->sum, was, -c->grade);
    lore_sums_add(total->sum, in, c->grade);
}

void
lore_totals_know(struct lore_totals *t, uint32_t setting)
{
    (void)total_of(t, setting);
}

/* ---- as a whole ---- */

void
lore_totals_forget(struct lore_totals *t)
{
    for (uint32_t i = 0; i < t->settings.n; i++)
        t->v[i] = (struct lore_total){.setting = t->v[i].setting};
}

void
lore_totals_add(struct lore_totals *t, const struct lore_graded *contexts,
    const struct lore_cells *cells, const struct lore_keys *outcomes, float clamp)
{
    for (uint32_t i = 0; i < cells->n; i++) {
        const struct lore_cell *c = &cells->v[i];
        const struct lore_graded *by = &contexts[c->context];
        if (by->masked || c->n == 0)
            continue;
        struct lore_total *total = total_of(t, by->setting);
        total->n += c->n;
        for (int k = 0; k < LORE_SUMS; k++)
            total->sum[k] += by->grade * c->sum[k];
    }
    for (uint32_t i = 0; i < cells->n_singletons; i++) {
        const struct lore_singleton *c = &cells->singletons[i];
        const struct lore_graded *by = &contexts[c->context];
        if (by->masked || c->outcome == LORE_NO_OUTCOME)
            continue;
        struct lore_total *total = total_of(t, by->setting);
        struct lore_entering in = lore_singleton_entering(c, outcomes, clamp);
        total->n++;
        lore_sums_add(total->sum, &in, by->grade);
    }
}

void
lore_totals_free(struct lore_totals *t)
{
    lore_keys_free(&t->settings);
    lore_keys_free(&t->chips);
    lore_xfree(t->v);
    lore_xfree(t->chip);
    *t = (struct lore_totals){0};
}

size_t
lore_totals_bytes(const struct lore_totals *t)
{
    return lore_keys_bytes(&t->settings) + lore_keys_bytes(&t->chips) + t->cap * sizeof *t->v +
           t->cap_chip * sizeof *t->chip;
}
