/* How well one chip stands for another, and how the words of several are combined into one.
 *
 * The loss of a pair is the mean squared error of one chip's moves predicted from the other's, as a
 * share of the mean square of the moves: 0 the same, 1 nothing carried over. It is one part for the
 * chips plus one for the workloads, where they differ; the logarithm of a part is a linear function
 * of what the two differ in, and its weights are learned (moves_fit.c). A source then weighs like a
 * measurement whose variance is that loss plus that of its own few moves nearby; the technique's
 * rate and the operator's spread are the prior. */
#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_cells.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_mix.h"
#include "service/moves/moves_states.h"
#include "service/moves/moves_trust.h"

static bool
differ(const char *a, const char *b)
{
    return !a || !b || !lore_streq(a, b);
}

static double
ratio(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : 0.5;
}

static bool
same_workload(const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    return lore_streq(a->workload ? a->workload : "", b->workload ? b->workload : "");
}

void
lore_moves_work_facts(double a, double b, double *facts)
{
    facts[MOVES_CHIP_FACTS] = 1;
    facts[MOVES_CHIP_FACTS + 1] = a > 0 && b > 0 ? fmin(8, fabs(a - b)) : 1;
}

void
lore_moves_pair_facts(
    const struct lore_moves_chip *a, const struct lore_moves_chip *b, double *facts)
{
    memset(facts, 0, MOVES_FACTS * sizeof *facts);
    if (!lore_streq(a->name, b->name)) {
        facts[0] = 1;
        facts[1] = differ(a->vendor, b->vendor);
        facts[2] = differ(a->arch, b->arch);
        facts[3] = differ(a->isa, b->isa);
        facts[4] = ratio(a->units, b->units);
        facts[5] = ratio(a->bandwidth_gbs * b->units, b->bandwidth_gbs * a->units);
    }
    if (!same_workload(a, b))
        lore_moves_work_facts(a->size, b->size, facts);
}

double
lore_moves_chip_loss(const double *fact, const double *weights)
{
    double sum = 0;

    for (size_t i = 0; i < MOVES_CHIP_FACTS; i++)
        sum += fact[i] * weights[i];
    return fact[0] > 0 ? exp(sum) : 0;
}

double
lore_moves_work_loss(const double *fact, const double *weights)
{
    double sum = 0;

    for (size_t i = MOVES_CHIP_FACTS; i < MOVES_FACTS; i++)
        sum += fact[i] * weights[i];
    return fact[MOVES_CHIP_FACTS] > 0 ? exp(sum) : 0;
}

double
lore_moves_pair_loss(const double *fact, const double *weights, double rough)
{
    return lore_moves_sum_loss(
        lore_moves_chip_loss(fact, weights), lore_moves_work_loss(fact, weights), rough);
}

enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    if (lore_streq(a->name, b->name))
        return same_workload(a, b) ? LORE_MOVES_SAME_CHIP : LORE_MOVES_OTHER_WORKLOAD;
    if (!differ(a->isa, b->isa))
        return LORE_MOVES_SAME_ISA;
    if (!differ(a->arch, b->arch))
        return LORE_MOVES_SAME_ARCH;
    return differ(a->vendor, b->vendor) ? LORE_MOVES_OTHER_VENDOR : LORE_MOVES_SAME_VENDOR;
}

enum {
    SAMPLE = 200,
    SMALL = 64,
    MET = 256 /* of an operator's places those that are compared move by move; of a library's
                 operator on thousands of shapes the others are judged by facts alone */
};
#define NEAR 0.2 /* octaves: how far a move may be to stand for the one compared */

/* The entry of B whose state is AT or like it; the number of entries when there is none. */
static size_t
entry_like(const struct lore_moves *m, const struct moves_op *op, const struct moves_bucket *b,
    uint32_t at)
{
    size_t i = lore_moves_entry_find(b, at);

    if (i < b->n && b->entry[i].state == at)
        return i;
    for (size_t k = 0; k < lore_moves_likes(m, op->states[at]); k++) {
        uint32_t id = lore_moves_like(m, op->states[at], k);
        if (id == LORE_MOVES_NONE)
            continue;
        uint32_t other = m->state[id].at;
        i = lore_moves_entry_find(b, other);
        if (i < b->n && b->entry[i].state == other)
            return i;
    }
    return b->n;
}

/* What OTHER says of a move of C: itself, or where it tried little, what is around. */
static bool
compare(const struct lore_moves *m, const struct moves_cell *other, const struct moves_bucket *b,
    const struct moves_entry *e, double *soft)
{
    const struct moves_bucket *o = lore_moves_bucket(other, b->param, b->low, b->high);
    const struct moves_op *op = &m->op[other->op];
    double w = 0, sum = 0;

    if (!o)
        return false;
    size_t i = entry_like(m, op, o, e->state);
    if (i < o->n) {
        *soft = isinf(o->entry[i].y) ? NAN : lore_moves_soft((double)o->entry[i].y);
        return isfinite(*soft);
    }
    for (i = 0; o->n <= SMALL && i < o->n; i++) {
        double d = 0;
        for (size_t p = 0; p < op->n_params && !isinf(o->entry[i].y); p++) {
            uint32_t x = lore_moves_value(op, p, o->entry[i].state),
                     y = lore_moves_value(op, p, e->state);
            double g = (double)(op->param[p].coord[x] - op->param[p].coord[y]);
            d += x == y ? 0 : op->param[p].symbolic ? 1 : g * g;
        }
        double k = isinf(o->entry[i].y) ? 0 : pow(1 + d / (NEAR * NEAR), -3);
        w += k;
        sum += k > 0 ? k * lore_moves_soft((double)o->entry[i].y) : 0;
    }
    *soft = sum / fmax(w, 1e-9);
    return w > 0.5;
}

void
lore_moves_meet(struct lore_moves *m, struct moves_cell *c)
{
    const struct moves_op *op = &m->op[c->op];
    double spread = fmax(c->n_ran > 0 ? c->soft_squares / c->n_ran : 0, 1e-5);
    size_t every = c->n_moves / SAMPLE + 1, k = 0;

    if (c->n_moves == c->n_seen_of || (c->n_seen_of > SAMPLE && 4 * c->n_moves < 5 * c->n_seen_of))
        return;
    size_t met = op->n_cells < MET ? op->n_cells : MET;
    if (c->n_seen < met) {
        c->n_seen = 2 * met < MET ? 2 * met : MET;
        c->seen = lore_alloc_array(m->arena, c->n_seen, sizeof *c->seen);
    }
    memset(c->seen, 0, c->n_seen * sizeof *c->seen);
    for (size_t i = 0; i < c->n_buckets; i++) {
        const struct moves_bucket *b = &c->bucket[i];
        for (size_t e = 0; e < b->n; e++, k++) {
            for (size_t j = 0; k % every == 0 && !isinf(b->entry[e].y) && j < met; j++) {
                double soft;
                if (op->cell[j] == c || !compare(m, op->cell[j], b, &b->entry[e], &soft))
                    continue;
                double error = lore_moves_soft((double)b->entry[e].y) - soft;
                c->seen[j].sum += error * error / spread;
                c->seen[j].n += 1;
            }
        }
    }
    c->n_seen_of = c->n_moves;
    lore_moves_roughen(m, c);
}

/* Moves as many as a rate of BASE before any were seen. */
#define RATE_PRIOR 8.0

struct sums {
    double prec, mean, soft, vote_w, vote, fail_w, fail, near, near_w, rate_won, rate_n, kernel;
    double fraction_w, fraction;
    double wide_prec, wide_soft, wide_won;
};

/* FAIL only travels within a vendor: a limit of another vendor's chip says nothing here. */
static void
add_word(const struct moves_numbers *num, const struct moves_word *w,
    const struct moves_level *level, struct sums *s)
{
    double chip = pow(fmax(w->loss, 0.01), -num->gamma);

    if (isfinite(w->fraction)) {
        s->fraction_w += chip;
        s->fraction += chip * w->fraction;
    }
    s->rate_won += w->rate_won * chip;
    s->rate_n += w->rate_n * chip;
    if (w->local.wide_w > 1e-4f) { /* one move of so many around differs by the whole spread */
        double prec = pow(w->loss + 1 / (double)w->local.wide_w, -num->gamma);
        s->wide_prec += prec;
        s->wide_soft += prec * (double)w->local.wide_soft;
        s->wide_won += prec * (double)w->local.wide_won;
    }
    if (!(w->local.w > 1e-4f))
        return;
    double loss = w->loss + (w->loss > 0 ? 0 : num->own) + num->nu / (double)w->local.w,
           prec = pow(loss, -num->gamma);
    double p = (1 - (double)w->local.fail) *
               lore_moves_normal(((double)w->local.soft - lore_moves_soft(MOVES_GAIN)) /
                                 sqrt(level->soft * loss));
    s->prec += prec;
    s->mean += prec * (double)w->local.mean;
    s->soft += prec * (double)w->local.soft;
    s->vote_w += prec;
    s->vote += prec * p;
    s->kernel += fmin((double)w->local.w, 50) * fmax(0.05, 1 - w->loss);
    if (w->reach != LORE_MOVES_OTHER_VENDOR) {
        s->fail_w += prec;
        s->fail += prec * (double)w->local.fail;
    }
    if (prec > s->near_w) {
        s->near_w = prec;
        s->near = p;
    }
}

void
lore_moves_combine(const struct moves_numbers *num, const struct moves_word *word, size_t n,
    const struct moves_level *level, struct moves_mix *out)
{
    struct sums s = {0};
    enum lore_moves_reach reach = LORE_MOVES_NO_EVIDENCE;
    double top = 0;

    for (size_t i = 0; i < n; i++) {
        add_word(num, &word[i], level, &s);
        if (word[i].local.w > 1e-4f && word[i].reach < reach)
            reach = word[i].reach;
        top = fmax(top, pow(fmax(word[i].loss, 0.01), -num->gamma));
    }
    double scale = top > 0 ? 1 / top : 1; /* the nearest chip's moves count fully */
    double rate = (s.rate_won * scale + RATE_PRIOR * level->base) / (s.rate_n * scale + RATE_PRIOR);
    double mu = s.mean / (s.prec + 1);
    double vote = (s.vote + rate) / (s.vote_w + 1),
           near = (s.near * s.near_w + rate) / (s.near_w + 1);
    double deviation = sqrt(level->spread * pow(s.prec + 1, -1 / num->gamma));
    *out = (struct moves_mix){.mu = mu,
        .scale = deviation,
        .effective = s.kernel,
        .rate = rate,
        .fail = s.fail_w > 0 ? s.fail / (s.fail_w + 0.2) : 0,
        .reach = reach};
    double z = (s.soft / (s.prec + 1) - lore_moves_soft(MOVES_GAIN)) /
               sqrt(level->soft * pow(s.prec + 1, -1 / num->gamma));
    double wide = (s.wide_won + rate) / (s.wide_prec + 1),
           wide_z =
               (s.wide_soft / (s.wide_prec + 1) - lore_moves_soft(MOVES_GAIN)) / sqrt(level->soft);
    double x[MOVES_FEATURES] = {1, lore_moves_logit(rate), lore_moves_logit(vote),
        lore_moves_logit(near), fmax(-3, fmin(3, z)), fmax(-1, fmin(1, mu)),
        lore_moves_logit(out->fail), s.fraction_w > 0 ? fmax(-2, s.fraction / s.fraction_w) : 0,
        s.fraction_w > 0, lore_moves_logit(wide), fmax(-3, fmin(3, wide_z))};
    for (size_t i = 0; i < MOVES_FEATURES; i++)
        out->x[i] = x[i];
}
