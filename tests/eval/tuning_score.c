/* hit@k: a move that gains more than 5 % is among the first k. regret@k: what is lost against the
 * best move, not moving being always possible. NDCG@5 with gain max(0, log2 speedup). Both only
 * over states where some move gains; Brier, calibration error (ten equal bins) and the area under
 * the curve over all forecasts. */
#include "tests/eval/tuning_score.h"

#include <math.h>
#include <stdlib.h>

#define GAIN 0.04879016416943205

const char *const tuning_measures[T_MEASURES] = {"hit@1", "hit@3", "hit@5", "regret@1", "regret@3",
    "ndcg@5", "brier", "ece", "bias", "auc", "cover90", "abstains"};

static int
by_rank(const void *a, const void *b)
{
    const struct tuning_guess *x = a, *y = b;

    return (x->rank < y->rank) - (x->rank > y->rank);
}

static int
by_effect(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static void
forecast(struct tuning_score *s, const struct tuning_guess *g)
{
    bool won = g->effect > GAIN;
    size_t bin = (size_t)fmin(9, fmax(0, floor(g->p * 10)));

    s->n++;
    s->sum[T_BRIER] += (g->p - won) * (g->p - won);
    s->bin_n[bin]++;
    s->bin_p[bin] += g->p;
    s->bin_won[bin] += won;
    *LORE_PUSH(s->arena, s->p, s->n_p, s->cap_p) = g->p;
    s->n_p--;
    *LORE_PUSH(s->arena, s->won, s->n_p, s->cap_won) = won;
    s->abstained += g->abstains;
    if (g->low <= g->high && isfinite(g->effect)) {
        s->coverable++;
        s->covered += g->effect >= g->low && g->effect <= g->high;
    }
}

void
tuning_score_add(struct tuning_score *s, struct tuning_guess *g, size_t n)
{
    double *best = lore_alloc_array(s->arena, n, sizeof *best), dcg = 0, ideal = 0, top = 0;

    for (size_t i = 0; i < n; i++) {
        forecast(s, &g[i]);
        best[i] = g[i].effect;
    }
    qsort(best, n, sizeof *best, by_effect);
    if (n == 0 || !(best[0] > GAIN))
        return;
    qsort(g, n, sizeof *g, by_rank);
    s->states++;
    for (size_t i = 0; i < n && i < 5; i++) {
        double discount = 1 / log2(2 + (double)i);
        dcg += discount * fmax(0, g[i].effect);
        ideal += discount * fmax(0, best[i]);
        top = fmax(top, g[i].effect);
        s->sum[T_HIT5] += i + 1 == (n < 5 ? n : 5) && top > GAIN;
        s->sum[T_HIT3] += i + 1 == 3 && top > GAIN;
        s->sum[T_HIT1] += i == 0 && top > GAIN;
        if (i == 0)
            s->sum[T_REGRET1] += 1 - exp(top - best[0]);
        if (i == 2)
            s->sum[T_REGRET3] += 1 - exp(top - best[0]);
    }
    s->sum[T_NDCG5] += dcg / ideal;
}

static double
area(struct tuning_score *s)
{
    struct tuning_guess *g = lore_alloc_array(s->arena, s->n_p, sizeof *g);
    double pairs = 0, good = 0, seen_lost = 0, won = 0;

    for (size_t i = 0; i < s->n_p; i++)
        g[i] = (struct tuning_guess){.rank = -s->p[i], .effect = s->won[i]};
    qsort(g, s->n_p, sizeof *g, by_rank); /* ascending probability */
    for (size_t i = 0, end; i < s->n_p; i = end) {
        double w = 0, l = 0;
        for (end = i; end < s->n_p && (end == i || g[end].rank == g[i].rank); end++) {
            w += g[end].effect;
            l += 1 - g[end].effect;
        }
        good += w * (seen_lost + l / 2);
        seen_lost += l;
        won += w;
    }
    pairs = won * seen_lost;
    return pairs > 0 ? good / pairs : 0.5;
}

void
tuning_score_end(struct tuning_score *s, double out[T_MEASURES])
{
    for (int i = 0; i < T_BRIER; i++)
        out[i] = s->states > 0 ? s->sum[i] / s->states : 0;
    out[T_BRIER] = s->sum[T_BRIER] / s->n;
    out[T_ECE] = out[T_BIAS] = 0;
    for (int b = 0; b < 10; b++) {
        out[T_ECE] += fabs(s->bin_p[b] - s->bin_won[b]) / s->n;
        out[T_BIAS] += (s->bin_p[b] - s->bin_won[b]) / s->n;
    }
    out[T_AUC] = area(s);
    out[T_COVER] = s->coverable > 0 ? s->covered / s->coverable : NAN;
    out[T_ABSTAIN] = s->abstained / s->n;
}
