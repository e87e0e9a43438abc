/* Which solver for a convolution that was never measured? Find databases: the fastest
 * matrix-multiplication solver of a problem runs, and the technique is to switch to another. One in
 * five shapes is held out, in all its directions and dtypes; the memory knows one experiment per
 * problem and alternative of the others. It is asked as anybody asks it, with the dims of the
 * held-out problem; p_win and worth (p_win times the gain expected) of its advice are judged
 * against the times of the file. In the same run: chance, the success rate of the solver, and the
 * scoring formula of the experience file with its vote. */
#include "tests/eval/eval.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/recommend/model.h"
#include "service/recommend/recommend.h"
#include "service/recommend/seed_score.h"
#include "service/wire/build.h"
#include "tests/eval/miopen_data.h"
#include "tests/eval/tuning_score.h"

enum { FILES = 16, CANDIDATES = LORE_MIOPEN_TIMINGS, QUICK = 8, VOTERS = 200, DIRECTIONS = 3 };
#define GAIN 0.04879016416943205    /* ln 1.05 */
#define NEUTRAL 0.01980262729617973 /* ln 1.02 */

enum method { RANDOM, RATE, VOTE, VOTE_TOP, VOTE_DIRECTION, OPERATOR, MODEL, METHODS };
static const char *const method_names[METHODS] = {"random", "rate of the solver",
    "experience file's vote", "vote of the 200 best-scored", "vote, direction as kernel",
    "without the shape", "model"};
enum { BEST1 = T_MEASURES, MEASURES };

struct rate { /* of one technique */
    const char *technique;
    double tried, won;
};
struct votes {
    const char **technique;
    size_t *count, n, cap_technique, cap_count, all;
};
struct split {
    struct lore_eval *e;
    const struct miopen_data *data;
    struct lore_evidence_index *ix;
    struct rate *rate;
    size_t n_rates, cap_rates;
    double tried, won;
    struct lore_seed_row *row; /* kernel: the operator */
    size_t n_rows, cap_rows;
    struct votes vote, vote_top, vote_direction[DIRECTIONS];
    struct tuning_score score[METHODS];
    size_t best[METHODS], tested, unlisted;
    uint64_t seed;
};

static const char *const directions[DIRECTIONS] = {"forward", "backward_data", "backward_weights"};

static size_t
direction_of(const struct miopen_state *s)
{
    const char *text = lore_kvs_get(&s->problem.dims, "direction");
    size_t i = 0;

    while (i + 1 < DIRECTIONS && strncmp(text + 1, directions[i], strlen(text) - 2) != 0)
        i++;
    return i;
}

static struct rate *
rate_of(struct split *x, const char *technique)
{
    for (size_t i = 0; i < x->n_rates; i++) {
        if (strcmp(x->rate[i].technique, technique) == 0)
            return &x->rate[i];
    }
    struct rate *r = LORE_PUSH(x->e->arena, x->rate, x->n_rates, x->cap_rates);
    r->technique = technique;
    return r;
}

static enum lore_effect
effect_of(double gain)
{
    return gain > GAIN ? LORE_X_WIN : gain > -NEUTRAL ? LORE_X_NEUTRAL : LORE_X_LOSS;
}

/* ---- what the memory knows ---- */

static struct lore_shape
shape_of(const struct miopen_state *s)
{
    return (struct lore_shape){&s->problem.dims, s->problem.dtype, s->problem.layout};
}

static void
learn(struct split *x, const struct miopen_state *s)
{
    static const char *const outcomes[] = {"success", "neutral", "failure"};
    struct lore_arena *arena = x->e->arena;
    struct lore_shape shape = shape_of(s);

    lore_evidence_workload(x->ix, s->problem.op, s->workload, &shape);
    for (size_t i = 0; i < s->n; i++) {
        const struct miopen_candidate *c = &s->candidate[i];
        enum lore_effect effect = effect_of(c->effect);
        struct rate *r = rate_of(x, c->technique);
        r->tried++;
        r->won += effect == LORE_X_WIN;
        x->tried++;
        x->won += effect == LORE_X_WIN;
        lore_evidence_add(
            x->ix, &(struct lore_evidence_in){
                       .experiment = lore_build_id(arena, 0, "%s|%s", s->workload, c->technique),
                       .op = s->problem.op,
                       .family = "conv",
                       .language = "hip",
                       .chip = x->data->chip,
                       .workload = s->workload,
                       .technique = c->technique,
                       .effect = effect,
                       .correctness = LORE_C_NOT_CHECKED,
                       .evidence = LORE_EV_IMPORTED,
                       .speedup = exp(c->effect),
                       .seq = (int64_t)x->n_rows + 1,
                   });
        struct lore_seed_row *row = LORE_PUSH(arena, x->row, x->n_rows, x->cap_rows);
        *row = (struct lore_seed_row){.id = (int64_t)x->n_rows,
            .kernel = directions[direction_of(s)],
            .backend = "hip",
            .chip = x->data->chip,
            .outcome = outcomes[effect == LORE_X_WIN       ? 0
                                : effect == LORE_X_NEUTRAL ? 1
                                                           : 2],
            .speedup = {true, exp(c->effect)},
            .optimization = c->technique};
    }
}

/* ---- the experience file ---- */

static size_t *
votes_of(struct lore_arena *arena, struct votes *v, const char *technique)
{
    size_t i = 0;

    while (i < v->n && strcmp(v->technique[i], technique) != 0)
        i++;
    if (i == v->n) {
        *LORE_PUSH(arena, v->technique, v->n, v->cap_technique) = technique;
        v->n--;
        *LORE_PUSH(arena, v->count, v->n, v->cap_count) = 0;
    }
    return &v->count[i];
}

/* Votes of the successes among the MOST best-scored entries. */
static void
vote(struct split *x, const char *kernel, size_t most, struct votes *out)
{
    struct lore_arena scratch = {0};
    struct lore_seed_answer answer;
    struct lore_seed_query query = {
        .kernel = kernel, .backend = "hip", .chip = x->data->chip, .limit = most};

    lore_seed_recommend(x->row, x->n_rows, &query, &scratch, &answer);
    for (size_t i = 0; i < answer.n_hits; i++) {
        const struct lore_seed_row *row = &x->row[answer.hits[i].row];
        if (strcmp(row->outcome, "success") != 0)
            continue;
        ++*votes_of(x->e->arena, out, row->optimization);
        out->all++;
    }
    lore_arena_free(&scratch);
}

/* ---- guesses ---- */

static void
guess_by_votes(
    struct split *x, struct votes *v, const struct miopen_state *s, struct tuning_guess *out)
{
    for (size_t i = 0; i < s->n; i++) {
        out[i].rank = (double)*votes_of(x->e->arena, v, s->candidate[i].technique);
        out[i].p = v->all > 0 ? out[i].rank / (double)v->all : 0;
    }
}

static double
chance(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static const struct lore_advice *
advice_on(const struct lore_answer *a, const char *technique)
{
    const struct lore_advice *lists[] = {a->advice, a->avoid, a->untried};
    const size_t n[] = {a->n_advice, a->n_avoid, a->n_untried};

    for (size_t l = 0; l < 3; l++) {
        for (size_t i = 0; i < n[l]; i++) {
            if (strcmp(lists[l][i].technique, technique) == 0)
                return &lists[l][i];
        }
    }
    return NULL;
}

/* What the memory answers, asked as anybody asks it. What is on no list has the base rate. */
static void
guess_by_memory(
    struct split *x, const struct miopen_state *s, bool shaped, struct tuning_guess *out)
{
    struct lore_arena scratch = {0};
    struct lore_shape shape = shape_of(s);
    struct lore_answer answer;
    struct lore_question q = {.op = s->problem.op,
        .language = LORE_LANG_NONE, /* a solver is no choice of who writes HIP */
        .chip = lore_chip_find(x->data->chip),
        .workload = shaped ? s->workload : NULL,
        .shape = shaped ? &shape : NULL,
        .limit = CANDIDATES};

    lore_recommend(x->ix, &q, &scratch, &answer);
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_advice *a = advice_on(&answer, s->candidate[i].technique);
        out[i].p = a != NULL ? a->p_win.value : answer.base_rate;
        out[i].rank = a != NULL ? out[i].p * fmax(a->gain.value, 0) + 1e-3 * out[i].p : 0;
        x->unlisted += shaped && !a;
    }
    lore_arena_free(&scratch);
}

static void
guess(struct split *x, enum method m, const struct miopen_state *s, struct tuning_guess *out)
{
    switch (m) {
    case VOTE:
        guess_by_votes(x, &x->vote, s, out);
        return;
    case VOTE_TOP:
        guess_by_votes(x, &x->vote_top, s, out);
        return;
    case VOTE_DIRECTION:
        guess_by_votes(x, &x->vote_direction[direction_of(s)], s, out);
        return;
    case OPERATOR:
    case MODEL:
        guess_by_memory(x, s, m == MODEL, out);
        return;
    default:
        break;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct rate *r = rate_of(x, s->candidate[i].technique);
        out[i].p = m == RATE ? (r->won + 1) / (r->tried + 2) : x->won / x->tried;
        out[i].rank = m == RATE ? out[i].p : chance(&x->seed);
    }
}

static void
test_by(struct split *x, enum method m, const struct miopen_state *s)
{
    struct tuning_guess g[CANDIDATES];
    double best = 0;

    for (size_t i = 0; i < s->n; i++) {
        g[i] = (struct tuning_guess){.effect = s->candidate[i].effect, .low = 1, .high = 0};
        best = fmax(best, g[i].effect);
    }
    guess(x, m, s, g);
    tuning_score_add(&x->score[m], g, s->n); /* puts G in order of rank */
    x->best[m] += best > GAIN && g[0].effect == best;
}

static void
test(struct split *x, const struct miopen_state *s)
{
    x->tested++;
    for (int m = 0; m < METHODS; m++)
        test_by(x, (enum method)m, s);
}

/* ---- the report ---- */

static void
add_figure(struct lore_eval *e, enum method m, const char *measure, double value)
{
    static const struct {
        const char *measure;
        enum lore_eval_goal sense;
        double goal;
    } goals[] = {{"best@1", LORE_GOAL_AT_LEAST, 0.80}, {"regret@1", LORE_GOAL_AT_MOST, 0.055},
        {"brier", LORE_GOAL_AT_MOST, 0.105}};
    struct lore_eval_figure f = {"shapes", "unseen shape", method_names[m], measure, value, 0, 0};

    for (size_t i = 0; m == MODEL && i < sizeof goals / sizeof *goals; i++) {
        if (strcmp(goals[i].measure, measure) == 0) {
            f.sense = goals[i].sense;
            f.goal = goals[i].goal;
        }
    }
    lore_eval_add(e, f);
}

static void
report(struct split *x)
{
    static const int shown[] = {T_HIT1, BEST1, T_NDCG5, T_REGRET1, T_BRIER, T_ECE, T_AUC};
    struct lore_buf *text = x->e->text;

    lore_buf_printf(text,
        "%s: %zu problems, %zu with a matrix-multiplication solver and others; %zu of unseen "
        "shapes tested, %.0f of them with something to gain; %zu experiments known, %.1f %% wins; "
        "%zu candidates on no list\n",
        x->data->chip, x->data->problems, x->data->n, x->tested, x->score[MODEL].states, x->n_rows,
        100 * x->won / x->tried, x->unlisted);
    lore_buf_printf(text, "%-28s", "unseen shape");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        lore_buf_printf(text, " %9s", shown[i] == BEST1 ? "best@1" : tuning_measures[shown[i]]);
    lore_buf_printf(text, "\n");
    for (int m = 0; m < METHODS; m++) {
        double out[MEASURES];
        tuning_score_end(&x->score[m], out);
        out[BEST1] = (double)x->best[m] / x->score[m].states;
        lore_buf_printf(text, "%-28s", method_names[m]);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
            lore_buf_printf(text, " %9.4f", out[shown[i]]);
            add_figure(x->e, (enum method)m,
                shown[i] == BEST1 ? "best@1" : tuning_measures[shown[i]], out[shown[i]]);
        }
        lore_buf_printf(text, "\n");
    }
}

/* ---- the two numbers of the shape level, chosen on a fifth of what is not held out ---- */

static void
try_numbers(struct split *x, double width, double strength)
{
    double numbers[LORE_M_COUNT], out[MEASURES];

    lore_model_priors(numbers);
    numbers[LORE_M_SHAPE_WIDTH] = width;
    numbers[LORE_M_KAPPA_SHAPE] = strength;
    lore_model_try(numbers);
    x->score[MODEL] = (struct tuning_score){.arena = x->e->arena};
    x->best[MODEL] = 0;
    for (size_t k = 0; k < x->data->n; k++) {
        if (x->data->state[k].part == MIOPEN_CHOOSE)
            test_by(x, MODEL, &x->data->state[k]);
    }
    lore_model_try(NULL);
    tuning_score_end(&x->score[MODEL], out);
    lore_buf_printf(x->e->text, "%7g %9g %9.4f %9.4f %9.4f %9.4f\n", width, strength,
        (double)x->best[MODEL] / x->score[MODEL].states, out[T_REGRET1], out[T_BRIER], out[T_ECE]);
}

static void
choose(struct lore_eval *e, const struct miopen_data *data)
{
    static const double widths[] = {0.7, 1, 1.4}, strengths[] = {2, 0.5, 0.25};
    struct split x = {.e = e, .data = data, .ix = lore_evidence_new()};

    for (size_t k = 0; k < data->n; k++) {
        if (data->state[k].part == MIOPEN_KNOWN)
            learn(&x, &data->state[k]);
    }
    lore_buf_printf(e->text, "%7s %9s %9s %9s %9s %9s  on a fifth of the other shapes\n", "width",
        "strength", "best@1", "regret@1", "brier", "ece");
    for (size_t w = 0; w < 3; w++) {
        for (size_t k = 0; k < 3; k++)
            try_numbers(&x, widths[w], strengths[k]);
    }
    lore_evidence_free(x.ix);
}

static void
run_file(struct lore_eval *e, const struct miopen_data *data)
{
    struct split x = {.e = e, .data = data, .ix = lore_evidence_new(), .seed = 20260};
    size_t i = 0;

    for (int m = 0; m < METHODS; m++)
        x.score[m].arena = e->arena;
    for (size_t k = 0; k < data->n; k++) {
        if (data->state[k].part != MIOPEN_HELD_OUT)
            learn(&x, &data->state[k]);
    }
    vote(&x, NULL, SIZE_MAX, &x.vote);
    vote(&x, NULL, VOTERS, &x.vote_top);
    for (size_t d = 0; d < DIRECTIONS; d++)
        vote(&x, directions[d], VOTERS, &x.vote_direction[d]);
    for (size_t k = 0; k < data->n; k++) {
        if (data->state[k].part == MIOPEN_HELD_OUT && i++ % (e->quick ? QUICK : 1) == 0)
            test(&x, &data->state[k]);
    }
    if (x.tested > 0 && x.tried > 0)
        report(&x);
    if (e->details)
        choose(e, data);
    lore_evidence_free(x.ix);
}

enum lore_status
lore_eval_shapes(struct lore_eval *e, struct lore_err *err)
{
    struct miopen_data data[FILES];
    size_t n;
    enum lore_status status = miopen_load(
        lore_format(e->arena, "%s/miopen", e->data), e->arena, e->text, data, FILES, &n, err);

    for (size_t i = 0; i < n && status == LORE_OK; i++)
        run_file(e, &data[i]);
    return status;
}
