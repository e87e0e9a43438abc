/* From sums by class to what is counted of a technique, and of all experiments (tally.h). */
#include "tally.h"

#include <math.h>

#include "weigh.h"

/* Of a sum that is a difference what is smaller than this part of it comes from rounding. */
#define ROUNDING 1e-9

struct counted { /* rows, with what the slots stand for taken apart */
    uint32_t n, faults, travel[LORE_T_COUNT];
};

static struct counted
counted(const struct lore_sums *sums)
{
    struct counted c = {0};

    for (int t = 0; t < LORE_T_COUNT; t++) {
        uint32_t broken = sums->n[LORE_T_COUNT + t];
        c.travel[t] = sums->n[t] + broken;
        c.faults += broken;
        c.n += c.travel[t];
    }
    return c;
}

static uint32_t
up_to(const uint32_t n[LORE_T_COUNT], int last)
{
    uint32_t sum = 0;

    for (int t = 0; t <= last; t++)
        sum += n[t];
    return sum;
}

static void
add_gain(struct lore_tally *t, const struct lore_sums *sum)
{
    t->gain_w += sum->w;
    t->gain_x += sum->x;
    t->gain_xx += sum->xx;
}

/* ---- experiments ---- */

static void
count_experiments(struct lore_scan *s, const struct lore_verdict *v, const struct counted *c, int l)
{
    uint32_t on_chip = up_to(c->travel, LORE_T_SAME_ISA);
    bool on_op = l == LORE_LEVEL_OPERATOR;

    s->considered += c->n;
    s->on_operator += on_op ? c->n : 0;
    s->on_chip += on_chip;
    s->on_both += on_op ? on_chip : 0;
    s->on_both_exact += on_op ? c->travel[LORE_T_SAME_CHIP] : 0;
    s->judged += v->counts ? c->n : 0;
    s->wins += v->won ? c->n : 0;
}

void
lore_tally_experiments(struct lore_scan *s, const struct lore_sums *sums, enum lore_level level)
{
    for (uint32_t i = 0; i < s->ix->classes.n; i++) {
        const struct lore_verdict *v = &s->weights->class[i];
        struct counted c = counted(&sums[i]);
        if (c.n == 0 || v->context[level == LORE_LEVEL_OPERATOR] == NULL)
            continue;
        count_experiments(s, v, &c, (int)level);
        if (v->is.measured && !v->wrong)
            add_gain(&s->all, &sums[i]);
        s->base_w += v->counts ? sums[i].w : 0;
        s->base_won += v->won ? sums[i].w : 0;
    }
}

/* ---- techniques ---- */

/* What is counted of those on the operator and chip; HERE of them. */
static void
count_here(const struct lore_verdict *v, bool lost, const struct counted *c, uint32_t here,
    struct lore_tried *t)
{
    bool inert = v->none && v->is.share == LORE_SHARE_INERT;

    t->here += here;
    t->here_exact += c->travel[LORE_T_SAME_CHIP];
    t->here_judged += v->counts ? here : 0;
    t->won_here += v->own ? here : 0;
    t->lost_here += lost ? here : 0;
    t->inert_here += inert ? here : 0;
}

/* Counts, in whole experiments; lore_tally_finish() adds up what is the sum of these. */
static void
count_technique(const struct lore_scan *s, const struct lore_verdict *v, const struct counted *c,
    int l, struct lore_tried *t)
{
    struct lore_tally *level = &t->level[l];
    bool lost = v->counts && !v->own && !v->none && (v->wrong || v->is.effect != LORE_X_NEUTRAL);
    uint32_t n = c->n;

    t->effect[v->none ? LORE_X_NEUTRAL : v->is.effect] += n;
    t->inert += v->none && v->is.share == LORE_SHARE_INERT ? n : 0;
    t->absent += v->none && v->is.share == LORE_SHARE_ABSENT ? n : 0;
    t->said_lost += v->is.said_lost ? n : 0;
    t->process_faults += c->faults;
    t->incorrect += v->wrong ? n : 0;
    level->tried += n;
    level->judged += v->counts ? n : 0;
    level->wins += v->own ? n : 0;
    level->losses += lost ? n : 0;
    level->near_wins += v->own ? up_to(c->travel, (int)s->near) : 0;
    if (l == LORE_LEVEL_OPERATOR)
        count_here(v, lost, c,
            up_to(c->travel, s->q->chip == NULL ? LORE_T_COUNT - 1 : LORE_T_SAME_ISA), t);
    for (int i = 0; i < LORE_T_COUNT; i++) {
        t->travel[i] += c->travel[i];
        t->won_at[i] += v->own ? c->travel[i] : 0;
        t->lost_at[i] += lost ? c->travel[i] : 0;
    }
}

void
lore_tally_technique(const struct lore_scan *s, const struct lore_sums *sums, enum lore_level level,
    struct lore_tried *t)
{
    struct lore_tally *at = &t->level[level];

    for (uint32_t i = 0; i < s->ix->classes.n; i++) {
        const struct lore_verdict *v = &s->weights->class[i];
        struct counted c = counted(&sums[i]);
        if (c.n == 0 || v->context[level >= LORE_LEVEL_OPERATOR] == NULL)
            continue;
        if (level == LORE_LEVEL_SHAPE)
            t->alike += c.n;
        else
            count_technique(s, v, &c, (int)level, t);
        if (v->none && v->is.share == LORE_SHARE_INERT)
            at->gain_w += sums[i].w; /* a gain of nothing */
        else if (!v->none && !v->wrong && v->is.measured)
            add_gain(at, &sums[i]);
        if (!v->counts)
            continue;
        at->w += sums[i].w;
        at->won += v->own ? sums[i].w : 0;
    }
}

static double
without(double all, double part)
{
    double left = all - part;

    return left > all * ROUNDING ? left : 0;
}

/* What of the weight on the operator is of alike shapes is theirs. */
static void
give_to_shapes(struct lore_tally *op, const struct lore_tally *shape)
{
    op->w = without(op->w, shape->w);
    op->won = fmin(without(op->won, shape->won), op->w);
    op->gain_w = without(op->gain_w, shape->gain_w);
    op->gain_x = op->gain_w > 0 ? op->gain_x - shape->gain_x : 0;
    op->gain_xx = without(op->gain_xx, shape->gain_xx);
}

void
lore_tally_finish(const struct lore_scan *s, struct lore_tried *t)
{
    if (t->alike > 0)
        give_to_shapes(&t->level[LORE_LEVEL_OPERATOR], &t->level[LORE_LEVEL_SHAPE]);
    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        t->wins += t->level[l].wins;
        t->misses += t->level[l].judged - t->level[l].wins;
        t->effective_n += t->level[l].w * s->level_w[l];
    }
    t->close_wins = t->level[LORE_LEVEL_OPERATOR].wins + t->won_at[LORE_T_SAME_CHIP] +
                    t->won_at[LORE_T_SAME_ISA];
}
