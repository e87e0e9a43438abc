/* From sums to what is counted of a technique, and of all experiments (tally.h). */
#include "service/recommend/tally.h"

#include <math.h>

/* Of a sum that is a difference what is smaller than this part of it comes from rounding. */
#define ROUNDING 1e-9

/* Rows by distance, and in all; what broke a process rule is with the rest. */
struct counted {
    uint32_t n[LORE_T_COUNT][LORE_NS], travel[LORE_T_COUNT];
    uint32_t all[LORE_NS], rows, faults;
};

static uint32_t
rows_of(const uint32_t n[LORE_NS])
{
    uint32_t rows = 0;

    for (int i = 0; i < LORE_X_COUNT; i++)
        rows += n[i];
    return rows;
}

static struct counted
counted(const struct lore_sums *sums)
{
    struct counted c = {0};

    for (int t = 0; t < LORE_T_COUNT; t++) {
        const uint32_t *clean = sums->n[t], *broken = sums->n[LORE_SLOT_BROKEN + t];
        for (int i = 0; i < LORE_NS; i++) {
            c.n[t][i] = clean[i] + broken[i];
            c.all[i] += c.n[t][i];
        }
        c.travel[t] = rows_of(c.n[t]);
        c.rows += c.travel[t];
        c.faults += rows_of(broken);
    }
    return c;
}

/* Up to a distance: all, or those of one kind. */
static uint32_t
up_to(const struct counted *c, int last)
{
    uint32_t sum = 0;

    for (int t = 0; t <= last; t++)
        sum += c->travel[t];
    return sum;
}

static uint32_t
kind_up_to(const struct counted *c, int last, int kind)
{
    uint32_t sum = 0;

    for (int t = 0; t <= last; t++)
        sum += c->n[t][kind];
    return sum;
}

static void
add_gain(struct lore_tally *t, const double sum[LORE_SUMS])
{
    t->gain_w += sum[LORE_SUM_GAINS];
    t->gain_x += sum[LORE_SUM_X];
    t->gain_xx += sum[LORE_SUM_XX];
}

static double
without(double all, double part)
{
    double left = all - part;

    return left > all * ROUNDING ? left : 0;
}

void
lore_sums_less(double sum[LORE_SUMS], const double part[LORE_SUMS])
{
    sum[LORE_SUM_JUDGED] = without(sum[LORE_SUM_JUDGED], part[LORE_SUM_JUDGED]);
    sum[LORE_SUM_WON] = without(sum[LORE_SUM_WON], part[LORE_SUM_WON]);
    sum[LORE_SUM_WON] = fmin(sum[LORE_SUM_WON], sum[LORE_SUM_JUDGED]);
    sum[LORE_SUM_GAINS] = without(sum[LORE_SUM_GAINS], part[LORE_SUM_GAINS]);
    sum[LORE_SUM_X] = sum[LORE_SUM_GAINS] > 0 ? sum[LORE_SUM_X] - part[LORE_SUM_X] : 0;
    sum[LORE_SUM_XX] = without(sum[LORE_SUM_XX], part[LORE_SUM_XX]);
}

/* ---- experiments ---- */

void
lore_tally_experiments(
    struct lore_scan *s, const struct lore_sums *sums, enum lore_tally_level level)
{
    struct counted c = counted(sums);
    uint32_t on_chip = up_to(&c, LORE_T_SAME_ISA);
    bool on_op = level == LORE_LEVEL_OPERATOR;

    s->considered += c.rows;
    s->on_operator += on_op ? c.rows : 0;
    s->on_chip += on_chip;
    s->on_both += on_op ? on_chip : 0;
    s->on_both_exact += on_op ? c.travel[LORE_T_SAME_CHIP] : 0;
    s->judged += c.all[LORE_N_JUDGED];
    s->wins += c.all[LORE_N_OWN];
    s->base_w += sums->sum[LORE_SUM_JUDGED];
    s->base_won += sums->sum[LORE_SUM_WON];
    add_gain(&s->all, sums->sum);
}

/* ---- techniques ---- */

/* What is counted of those on the operator and chip. */
static void
count_here(const struct lore_scan *s, const struct counted *c, struct lore_tried *t)
{
    int last = !s->q->chip ? LORE_T_COUNT - 1 : LORE_T_SAME_ISA;

    t->here = up_to(c, last);
    t->here_exact = c->travel[LORE_T_SAME_CHIP];
    t->here_judged = kind_up_to(c, last, LORE_N_JUDGED);
    t->won_here = kind_up_to(c, last, LORE_N_OWN);
    t->lost_here = kind_up_to(c, last, LORE_N_LOST);
    t->inert_here = kind_up_to(c, last, LORE_N_INERT);
}

/* Counts, in whole experiments; lore_tally_finish() adds up what is the sum of these. */
static void
count_technique(const struct lore_scan *s, const struct counted *c, enum lore_tally_level l,
    struct lore_tried *t)
{
    struct lore_tally *level = &t->level[l];

    for (int i = 0; i < LORE_X_COUNT; i++)
        t->effect[i] += c->all[i];
    t->inert += c->all[LORE_N_INERT];
    t->absent += c->all[LORE_N_ABSENT];
    t->said_lost += c->all[LORE_N_SAID];
    t->process_faults += c->faults;
    t->incorrect += c->all[LORE_N_WRONG];
    level->tried = c->rows;
    level->judged = c->all[LORE_N_JUDGED];
    level->wins = c->all[LORE_N_OWN];
    level->losses = c->all[LORE_N_LOST];
    level->near_wins = kind_up_to(c, (int)s->near, LORE_N_OWN);
    if (l == LORE_LEVEL_OPERATOR)
        count_here(s, c, t);
    for (int i = 0; i < LORE_T_COUNT; i++) {
        t->travel[i] += c->travel[i];
        t->won_at[i] += c->n[i][LORE_N_OWN];
        t->lost_at[i] += c->n[i][LORE_N_LOST];
    }
}

void
lore_tally_technique(const struct lore_scan *s, const struct lore_sums *sums,
    enum lore_tally_level level, struct lore_tried *t)
{
    struct lore_tally *at = &t->level[level];
    struct counted c = counted(sums);

    if (level == LORE_LEVEL_SHAPE)
        t->alike = c.rows;
    else
        count_technique(s, &c, level, t);
    at->w = sums->sum[LORE_SUM_JUDGED];
    at->won = sums->sum[LORE_SUM_WON];
    add_gain(at, sums->sum);
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
