/* Does the recommender beat the two obvious alternatives where the truth is known? A synthetic
 * world: every technique has a true ln speedup per operator family, operator, architecture and
 * bottleneck, plus noise. Experiments on all chips but one train; the questions are about the chip
 * left out. Compared: model  lore_recommend; seed   the scoring of the earlier log script (40
 * kernel, 50 backend, 20 chip, 30 bottleneck, up to 10 for the speedup, up to 5 for recency), its
 * best-scored success; as probability: its share of successes among the 200 best-scored entries of
 * the technique's name, else of all; global the technique with the largest share of wins; as
 * probability the share of wins over everything. Prints hit@1 (the first advice truly wins), the
 * mean true gain of it, and the Brier score over all techniques; fails when the model is not the
 * best of the three in hit@1 and Brier. A synthetic world flatters any model that shares its
 * structure: this guards against regressions and says nothing about real kernels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/recommend/recommend.h"

enum { WORLDS = 60, OPS = 8, CHIPS = 6, TECHNIQUES = 14, LABELS = 3, EXPERIMENTS = 600 };

static const char *const ops[OPS] = {"softmax", "layernorm", "rmsnorm", "gemm", "gemv",
    "batched_gemm", "topk_softmax", "moe_fused_gate"};
static const char *const chips[CHIPS] = {"a6000", "a100", "h100-sxm", "h200", "mi250x", "mi300x"};

struct past {
    int op, chip, technique, label, won;
    double log_speedup;
};
struct world {
    double family[OPS][TECHNIQUES], op[OPS][TECHNIQUES], arch[CHIPS][TECHNIQUES];
    double label[LABELS][TECHNIQUES];
    struct past past[EXPERIMENTS];
    size_t n;
};
struct score {
    double hits, gain, brier;
    size_t questions, forecasts;
};

static uint64_t state;

static double
uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(double sd)
{
    return sd * sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

static int
below(int n)
{
    return (int)(uniform() * n);
}

static const char *
family_of(int op)
{
    return lore_operator_find(ops[op])->family;
}

/* Chips of one architecture share what it does to a technique. */
static const char *
arch_of(int chip)
{
    return lore_chip_find(chips[chip])->arch;
}

static double
truth(const struct world *w, int op, int chip, int label, int technique)
{
    return -0.06 + w->family[op][technique] + w->op[op][technique] + w->arch[chip][technique] +
           w->label[label][technique];
}

static void
make_world(struct world *w)
{
    for (int t = 0; t < TECHNIQUES; t++) {
        for (int o = 0; o < OPS; o++) {
            w->family[o][t] = normal(0.15);
            w->op[o][t] = normal(0.1);
            for (int other = 0; other < o; other++) {
                if (strcmp(family_of(other), family_of(o)) == 0)
                    w->family[o][t] = w->family[other][t];
            }
        }
        for (int c = 0; c < CHIPS; c++) {
            w->arch[c][t] = normal(0.08);
            for (int other = 0; other < c; other++) {
                if (strcmp(arch_of(other), arch_of(c)) == 0)
                    w->arch[c][t] = w->arch[other][t];
            }
        }
        for (int l = 0; l < LABELS; l++)
            w->label[l][t] = normal(0.08);
    }
}

static void
live(struct world *w, int held_out)
{
    for (w->n = 0; w->n < EXPERIMENTS; w->n++) {
        struct past *p = &w->past[w->n];
        p->op = below(OPS);
        do
            p->chip = below(CHIPS);
        while (p->chip == held_out);
        p->label = below(LABELS);
        p->technique = below(TECHNIQUES);
        p->log_speedup = truth(w, p->op, p->chip, p->label, p->technique) + normal(0.05);
        p->won = p->log_speedup > log(1.05);
    }
}

static const char *
technique_name(int t)
{
    static char name[16];

    snprintf(name, sizeof name, "idea_%02d", t);
    return name;
}

static int
index_of(const char *name)
{
    return (int)strtol(name + strlen("idea_"), NULL, 10);
}

static struct lore_evidence_index *
remember(const struct world *w)
{
    struct lore_evidence_index *ix = lore_evidence_new();

    for (size_t i = 0; i < w->n; i++) {
        const struct past *p = &w->past[i];
        char id[27];
        snprintf(id, sizeof id, "01KAHVBV00%016u", (unsigned)i);
        struct lore_evidence_in in = {.experiment = id,
            .op = ops[p->op],
            .family = family_of(p->op),
            .language = "triton",
            .chip = chips[p->chip],
            .technique = technique_name(p->technique),
            .labels = 1u << p->label,
            .correctness = LORE_C_PASS,
            .evidence = LORE_EV_MEASURED,
            .speedup = exp(p->log_speedup),
            .seq = (int64_t)i,
            .effect = p->won                        ? LORE_X_WIN
                      : p->log_speedup < -log(1.02) ? LORE_X_LOSS
                                                    : LORE_X_NEUTRAL};
        lore_evidence_add(ix, &in);
    }
    return ix;
}

/* Each method fills the probability per technique and returns its first choice. */
static int
ask_model(const struct lore_evidence_index *ix, int op, int chip, int label, double p[TECHNIQUES])
{
    struct lore_arena arena = {0};
    struct lore_answer answer;
    struct lore_question q = {.op = ops[op],
        .language = LORE_LANG_TRITON,
        .chip = lore_chip_find(chips[chip]),
        .labels = 1u << label,
        .limit = 50};

    lore_recommend(ix, &q, &arena, &answer);
    for (int t = 0; t < TECHNIQUES; t++)
        p[t] = answer.base_rate;
    for (size_t i = 0; i < answer.n_advice + answer.n_avoid; i++) {
        const struct lore_advice *a =
            i < answer.n_advice ? &answer.advice[i] : &answer.avoid[i - answer.n_advice];
        p[index_of(a->technique)] = a->p_win.value;
    }
    int first = answer.n_advice > 0 ? index_of(answer.advice[0].technique) : 0;
    lore_arena_free(&arena);
    return first;
}

static int
score_of(const struct past *p, size_t id, int op, int chip, int label)
{
    int bonus = (int)(log(exp(p->log_speedup) + 1) * 5), recency = (int)(id / 10);

    return 40 * (p->op == op) + 50 + 20 * (p->chip == chip) + 30 * (p->label == label) +
           (p->won ? (bonus < 10 ? bonus : 10) : 0) + (recency < 5 ? recency : 5);
}

struct scored {
    int score;
    size_t id;
};

static int
by_score(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->id > y->id) - (x->id < y->id);
}

static int
ask_seed(const struct world *w, int op, int chip, int label, double p[TECHNIQUES])
{
    struct scored list[EXPERIMENTS];
    double won[TECHNIQUES] = {0}, tried[TECHNIQUES] = {0}, all = 0;
    int first = -1;

    for (size_t i = 0; i < w->n; i++)
        list[i] = (struct scored){score_of(&w->past[i], i + 1, op, chip, label), i};
    qsort(list, w->n, sizeof *list, by_score);
    for (size_t i = 0; i < 200 && i < w->n; i++) {
        const struct past *e = &w->past[list[i].id];
        tried[e->technique]++;
        won[e->technique] += e->won;
        all += e->won / 200.0;
        if (first < 0 && e->won)
            first = e->technique;
    }
    for (int t = 0; t < TECHNIQUES; t++)
        p[t] = tried[t] > 0 ? won[t] / tried[t] : all;
    return first < 0 ? 0 : first;
}

static int
ask_global(const struct world *w, double p[TECHNIQUES])
{
    double won[TECHNIQUES] = {0}, tried[TECHNIQUES] = {0}, all = 0;
    int best = 0;

    for (size_t i = 0; i < w->n; i++) {
        tried[w->past[i].technique]++;
        won[w->past[i].technique] += w->past[i].won;
        all += w->past[i].won;
    }
    for (int t = 0; t < TECHNIQUES; t++) {
        p[t] = all / (double)w->n;
        if (tried[t] > 0 && won[t] / tried[t] > won[best] / fmax(tried[best], 1))
            best = t;
    }
    return best;
}

static void
judge(const struct world *w, int op, int chip, int label, int first, const double p[TECHNIQUES],
    struct score *s)
{
    double gain = truth(w, op, chip, label, first);

    s->questions++;
    s->hits += gain > log(1.05);
    s->gain += gain;
    for (int t = 0; t < TECHNIQUES; t++) {
        double miss = p[t] - (truth(w, op, chip, label, t) > log(1.05));
        s->brier += miss * miss;
        s->forecasts++;
    }
}

static void
play(struct world *w, int held_out, struct score scores[3])
{
    double p[TECHNIQUES];

    make_world(w);
    live(w, held_out);
    struct lore_evidence_index *ix = remember(w);
    for (int op = 0; op < OPS; op++) {
        for (int label = 0; label < LABELS; label++) {
            int first = ask_model(ix, op, held_out, label, p);
            judge(w, op, held_out, label, first, p, &scores[0]);
            first = ask_seed(w, op, held_out, label, p);
            judge(w, op, held_out, label, first, p, &scores[1]);
            first = ask_global(w, p);
            judge(w, op, held_out, label, first, p, &scores[2]);
        }
    }
    lore_evidence_free(ix);
}

int
main(void)
{
    static const char *const names[] = {"model", "seed", "global"};
    static struct world w;
    struct score scores[3] = {{0}};

    for (int i = 0; i < WORLDS; i++) {
        state = (uint64_t)i + 1;
        play(&w, i % CHIPS, scores);
    }
    printf("%-8s %8s %10s %8s\n", "method", "hit@1", "mean gain", "Brier");
    for (int m = 0; m < 3; m++) {
        struct score *s = &scores[m];
        s->hits /= (double)s->questions;
        s->brier /= (double)s->forecasts;
        printf("%-8s %8.3f %9.3fx %8.4f\n", names[m], s->hits, exp(s->gain / (double)s->questions),
            s->brier);
    }
    for (int m = 1; m < 3; m++) {
        if (scores[0].hits <= scores[m].hits || scores[0].brier >= scores[m].brier) {
            printf("the model does not beat %s\n", names[m]);
            return 1;
        }
    }
    return 0;
}
