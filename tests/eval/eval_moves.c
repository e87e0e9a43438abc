/* How good are forecasts of moves, measured where every answer is known? Reads exhaustively tuned
 * spaces (tuning_data.h) and asks, for states of a cell that was held out, which one-parameter
 * moves gain more than 5 %: leave one chip out, one kernel out, one vendor out, and with 25, 100
 * and 400 own results. A state is a configuration that runs and has at least three moves; only
 * states where some move gains count for hit and regret. Two samples of states: those that forty
 * simulated engineers come by, and any. Training experience: every one-variable neighbour pair of
 * the other cells, as an import makes them; of a cell with more than 200,000 a fixed sample of so
 * many (of fewer where there are more than twenty cells). Beside it the other way round: training
 * experience is what forty simulated engineers tried on each other cell. */
#include "tests/eval/eval.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_predict.h"
#include "service/stats/random.h"
#include "tests/eval/tuning_transfer.h"

enum split {
    S_CHIP,
    S_CHIP_ANY,
    S_LOG,
    S_KERNEL,
    S_KERNEL_ANY,
    S_VENDOR,
    S_WARM25,
    S_WARM100,
    S_WARM400,
    S_SPLITS
};
static const struct {
    const char *name;
    bool any;   /* any states; else those that simulated engineers come by */
    size_t own; /* results */
} splits[S_SPLITS] = {
    [S_CHIP] = {"leave one chip out", false, 0},
    [S_CHIP_ANY] = {"leave one chip out, any states", true, 0},
    [S_LOG] = {"leave one chip out, engineers' logs", false, 0},
    [S_KERNEL] = {"leave one kernel out", false, 0},
    [S_KERNEL_ANY] = {"leave one kernel out, any states", true, 0},
    [S_VENDOR] = {"leave one vendor out", false, 0},
    [S_WARM25] = {"25 own results", false, 25},
    [S_WARM100] = {"100 own results", false, 100},
    [S_WARM400] = {"400 own results", false, 400},
};
enum { LOGGED = 800 }; /* what 40 engineers write down on one cell */

struct result {
    double v[S_SPLITS][T_METHODS][TUNING_CELLS][T_MEASURES];
    bool has[S_SPLITS][TUNING_CELLS];
    struct tuning_transfer transfer[TUNING_CELLS];
    struct tuning_failures abroad[TUNING_CELLS], near; /* other vendor's; A100's on A4000 */
};
struct eval {
    struct tuning data;
    struct tuning_log log[TUNING_CELLS], own[TUNING_CELLS]; /* every move; those of engineers */
    const struct lore_eval *opt;
    size_t states;
    struct result *result;
};

/* A fixed order of a cell's states: the first N of it are the test. */
static uint32_t *
shuffled(const struct tuning_cell *c, struct lore_arena *arena)
{
    uint32_t *order = lore_alloc_array(arena, c->n, sizeof *order);
    uint64_t seed = 2024;

    for (size_t i = 0; i < c->n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = c->n; i > 1; i--) {
        size_t j = (size_t)lore_random_below(&seed, i);
        uint32_t t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
    return order;
}

/* States that simulated engineers come by, 40 of them with 30 attempts each, in a fixed order. */
static uint32_t *
visited(const struct tuning_cell *c, struct lore_arena *arena, size_t *n)
{
    uint32_t *order = shuffled(c, arena);
    bool *seen = lore_alloc_array(arena, c->n, sizeof *seen);
    struct tuning_log log = {0};
    uint64_t seed = 77;

    tuning_log_walk(c, 1200, &seed, arena, &log);
    for (size_t i = 0; i < log.n; i++)
        seen[log.v[i].from] = true;
    *n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (seen[order[i]])
            order[(*n)++] = order[i];
    return order;
}

static void
guess_model(const struct tuning_world *w, size_t cell, size_t state, struct tuning_guess *g)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    size_t n = c->first[state + 1] - c->first[state];
    struct lore_moves_forecast f[256];
    uint32_t to[256];

    for (size_t k = 0; k < n; k++)
        to[k] = w->id[cell][c->move[c->first[state] + k].to];
    uint32_t chip = lore_moves_chip(w->memory, &c->chip);
    lore_moves_predict(w->memory, chip, w->id[cell][state], to, n, f);
    for (size_t k = 0; k < n; k++) {
        g[k].p = f[k].p_gain;
        g[k].rank = f[k].p_gain + 0.05 * f[k].expected;
        g[k].low = f[k].low;
        g[k].high = f[k].high;
        g[k].abstains = f[k].abstains;
    }
}

static void
test_cell(struct eval *e, const struct tuning_world *w, size_t cell, enum split split,
    enum tuning_method method)
{
    struct lore_arena arena = {.limit = (size_t)1 << 30};
    const struct tuning_cell *c = &e->data.cell[cell];
    struct tuning_score score = {.arena = &arena};
    struct tuning_log own = e->own[cell];
    struct tuning_table table;
    uint64_t seed = 99;
    size_t n_order = c->n;
    uint32_t *order = splits[split].any ? shuffled(c, &arena) : visited(c, &arena, &n_order);

    own.n = splits[split].own < own.n ? splits[split].own : own.n;
    if (method != T_MODEL)
        tuning_baseline(w, cell, own.n ? &own : NULL, method, &table);
    for (size_t i = 0, done = 0; i < n_order && done < e->states; i++) {
        size_t s = order[i], n = c->first[s + 1] - c->first[s];
        struct tuning_guess g[256];
        if (!(c->state[s].time > 0) || n < 3 || n > 256)
            continue;
        for (size_t k = 0; k < n; k++) {
            const struct tuning_move *mv = &c->move[c->first[s] + k];
            g[k] = (struct tuning_guess){.effect = tuning_effect(c, s, mv->to), .low = 1};
            if (method == T_MODEL)
                continue;
            g[k].p = table.p[mv->param][mv->up];
            g[k].rank =
                table.rank[mv->param][mv->up] + 1e-9 * (double)lore_random_below(&seed, 1000);
        }
        if (method == T_MODEL)
            guess_model(w, cell, s, g);
        for (size_t k = 0; method == T_MODEL && k < n; k++) /* ties have no order of their own */
            g[k].rank += 1e-9 * (double)lore_random_below(&seed, 1000);
        tuning_score_add(&score, g, n);
        done++;
    }
    tuning_score_end(&score, e->result->v[split][method][cell]);
    e->result->has[split][cell] = true;
    lore_arena_free(&arena);
}

static void
test_all(struct eval *e, const struct tuning_world *w, size_t cell, enum split split)
{
    for (int m = 0; m < T_METHODS; m++)
        test_cell(e, w, cell, split, (enum tuning_method)m);
}

/* Whether cell I may be known when TARGET is asked about. */
static bool
may_train(const struct tuning *t, size_t i, size_t target, enum split split)
{
    const struct tuning_cell *a = &t->cell[i], *b = &t->cell[target];

    if (split == S_KERNEL)
        return !lore_streq(a->kernel, b->kernel);
    if (split == S_VENDOR)
        return !lore_streq(a->chip.vendor, b->chip.vendor);
    return !lore_streq(a->chip.name, b->chip.name);
}

static void
warm(struct eval *e, struct tuning_world *w, size_t cell)
{
    size_t told = 0;

    for (int s = S_WARM25; s <= S_WARM400; s++) {
        size_t n = splits[s].own < e->own[cell].n ? splits[s].own : e->own[cell].n;
        tuning_world_tell(w, cell, &e->own[cell], told, n);
        told = n;
        test_all(e, w, cell, (enum split)s);
    }
}

static void
run_split(struct eval *e, enum split split)
{
    bool done[TUNING_CELLS] = {false};

    for (size_t i = 0; i < e->data.n; i++) {
        struct tuning_world w = {.data = &e->data, .log = split == S_LOG ? e->own : e->log};
        size_t known = 0;
        for (size_t j = 0; j < e->data.n; j++) {
            w.train[j] = may_train(&e->data, j, i, split);
            known += w.train[j] && lore_streq(e->data.cell[j].kernel, e->data.cell[i].kernel);
        }
        if (done[i] || (known == 0 && split == S_VENDOR))
            continue;
        tuning_world_make(&w);
        for (size_t j = i; j < e->data.n; j++) {
            bool same = !done[j];
            for (size_t k = 0; k < e->data.n; k++)
                same &= w.train[k] == may_train(&e->data, k, j, split);
            if (!same)
                continue;
            done[j] = true;
            test_all(e, &w, j, split);
            if (split == S_KERNEL)
                test_all(e, &w, j, S_KERNEL_ANY);
            if (split == S_VENDOR)
                tuning_failures(&w, j, &e->result->abroad[j]);
            if (split != S_CHIP)
                continue;
            test_all(e, &w, j, S_CHIP_ANY);
            tuning_transfer(&w, j, &e->result->transfer[j]);
            warm(e, &w, j);
        }
        lore_arena_free(&w.arena);
    }
}

/* What one chip's failures tell of another's of the same architecture. */
static void
run_failures(struct eval *e)
{
    struct tuning_world w = {.data = &e->data, .log = e->log};
    size_t target = SIZE_MAX;

    for (size_t i = 0; i < e->data.n; i++) {
        const struct tuning_cell *c = &e->data.cell[i];
        w.train[i] = lore_streq(c->file, "convolution_A100");
        target = lore_streq(c->file, "convolution_A4000") ? i : target;
    }
    if (target == SIZE_MAX)
        return;
    tuning_world_make(&w);
    tuning_failures(&w, target, &e->result->near);
    lore_arena_free(&w.arena);
}

static double
macro(const struct eval *e, enum split split, int method, int measure)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < e->data.n; i++) {
        double x = e->result->v[split][method][i][measure];
        if (!e->result->has[split][i] || isnan(x))
            continue;
        sum += x;
        n++;
    }
    return n > 0 ? sum / n : NAN;
}

/* What could not be measured is a dash. */
static void
put(struct lore_buf *text, double value)
{
    if (isnan(value))
        lore_buf_printf(text, "%9s", "-");
    else
        lore_buf_printf(text, "%9.3f", value);
}

static void
print(const struct eval *e)
{
    for (int s = 0; s < S_SPLITS; s++) {
        lore_buf_printf(e->opt->text, "\n%-38s", splits[s].name);
        for (int k = 0; k < T_MEASURES; k++)
            lore_buf_printf(e->opt->text, "%9s", tuning_measures[k]);
        for (int m = 0; m < T_METHODS; m++) {
            lore_buf_printf(e->opt->text, "\n  %-36s", tuning_methods[m]);
            for (int k = 0; k < T_MEASURES; k++)
                put(e->opt->text, macro(e, (enum split)s, m, k));
        }
        for (size_t i = 0; e->opt->details && i < e->data.n; i++) {
            if (!e->result->has[s][i])
                continue;
            lore_buf_printf(e->opt->text, "\n    %-34.34s", e->data.cell[i].file);
            for (int k = 0; k < T_MEASURES; k++)
                put(e->opt->text, e->result->v[s][T_MODEL][i][k]);
        }
        lore_buf_printf(e->opt->text, "\n");
    }
}

static void
print_transfer(const struct eval *e)
{
    lore_buf_printf(e->opt->text, "\n%-24s%30s%30s%30s%10s%8s\n", "fraction of the optimum",
        "model after 1/5/10/20", "naive copy", "random", "cover90", "failed");
    for (size_t i = 0; i < e->data.n; i++) {
        const struct tuning_transfer *t = &e->result->transfer[i];
        const double *by[] = {t->model, t->copy, t->random};
        lore_buf_printf(e->opt->text, "%-24s", e->data.cell[i].file);
        for (int k = 0; k < 3; k++)
            lore_buf_printf(
                e->opt->text, "      %6.3f%6.3f%6.3f%6.3f", by[k][0], by[k][1], by[k][2], by[k][3]);
        lore_buf_printf(e->opt->text, "%10.3f%8zu\n", t->covered, t->failed);
    }
}

static void
print_failures(const struct eval *e)
{
    const struct tuning_failures *f = &e->result->near;
    double said = 0, right = 0, asked = 0;

    for (size_t i = 0; i < e->data.n; i++) {
        said += e->result->abroad[i].said;
        right += e->result->abroad[i].right;
        asked += e->result->abroad[i].asked;
    }
    lore_buf_printf(e->opt->text,
        "\nfailures, A100 -> A4000: precision %.3f, recall %.3f of %.0f; from the other vendor: "
        "%.4f of %.0f forecasts, %.0f of those right\n",
        f->right / fmax(1, f->said), f->right / fmax(1, f->failed), f->failed,
        said / fmax(1, asked), asked, right);
}

/* Every macro average; the goals are those of the model. */
static void
add_figures(struct lore_eval *out, const struct eval *e)
{
    static const struct {
        enum split split;
        int measure;
        enum lore_eval_goal sense;
        double goal;
    } goals[] = {
        {S_CHIP, T_HIT1, LORE_GOAL_AT_LEAST, 0.80},
        {S_CHIP, T_HIT3, LORE_GOAL_AT_LEAST, 0.95},
        {S_CHIP, T_REGRET1, LORE_GOAL_AT_MOST, 0.10},
        {S_CHIP, T_BRIER, LORE_GOAL_AT_MOST, 0.100},
        {S_CHIP, T_ECE, LORE_GOAL_AT_MOST, 0.045},
        {S_CHIP, T_AUC, LORE_GOAL_AT_LEAST, 0.87},
        {S_WARM100, T_HIT1, LORE_GOAL_AT_LEAST, 0.83},
        {S_KERNEL, T_ECE, LORE_GOAL_AT_MOST, 0.05},
    };
    for (int s = 0; s < S_SPLITS; s++) {
        for (int m = 0; m < T_METHODS; m++) {
            for (int k = 0; k < T_MEASURES; k++) {
                struct lore_eval_figure f = {"moves", splits[s].name, tuning_methods[m],
                    tuning_measures[k], macro(e, (enum split)s, m, k), LORE_GOAL_NONE, 0};
                for (size_t i = 0; m == T_MODEL && i < sizeof goals / sizeof *goals; i++) {
                    if ((int)goals[i].split == s && goals[i].measure == k) {
                        f.sense = goals[i].sense;
                        f.goal = goals[i].goal;
                    }
                }
                if (isfinite(f.value) || f.sense != LORE_GOAL_NONE)
                    lore_eval_add(out, f);
            }
        }
    }
}

/* Means over the cells of kernels that are known on at least three chips: with fewer there is one
 * place to copy from. */
static void
add_transfer(struct lore_eval *out, const struct eval *e)
{
    static const double goal[T_BUDGETS] = {NAN, 0.90, 0.94, 0.96};
    static const char *const after[T_BUDGETS] = {"after 1", "after 5", "after 10", "after 20"};
    double sum[3][T_BUDGETS] = {{0}}, covered = 0, n = 0;

    for (size_t i = 0; i < e->data.n; i++) {
        const struct tuning_transfer *t = &e->result->transfer[i];
        const double *by[] = {t->model, t->copy, t->random};
        size_t chips = 0;
        for (size_t j = 0; j < e->data.n; j++)
            chips += lore_streq(e->data.cell[j].kernel, e->data.cell[i].kernel);
        for (int k = 0; chips >= 3 && k < 3 * T_BUDGETS; k++)
            sum[k / T_BUDGETS][k % T_BUDGETS] += by[k / T_BUDGETS][k % T_BUDGETS];
        covered += chips >= 3 ? t->covered : 0;
        n += chips >= 3;
    }
    for (int k = 0; n > 0 && k < 3 * T_BUDGETS; k++) {
        static const char *const method[] = {"model", "naive copy", "random"};
        bool judged = k < T_BUDGETS && k > 0;
        lore_eval_add(out, (struct lore_eval_figure){"moves", "transfer", method[k / T_BUDGETS],
                               after[k % T_BUDGETS], sum[k / T_BUDGETS][k % T_BUDGETS] / n,
                               judged ? LORE_GOAL_AT_LEAST : LORE_GOAL_NONE, judged ? goal[k] : 0});
    }
    if (n > 0)
        lore_eval_add(out, (struct lore_eval_figure){"moves", "transfer", "model", "cover90",
                               covered / n, LORE_GOAL_AT_LEAST, 0.85});
}

static void
add_failures(struct lore_eval *out, const struct eval *e)
{
    const struct tuning_failures *f = &e->result->near;
    double said = 0, asked = 0;

    for (size_t i = 0; i < e->data.n; i++) {
        said += e->result->abroad[i].said;
        asked += e->result->abroad[i].asked;
    }
    if (f->failed > 0) {
        lore_eval_add(
            out, (struct lore_eval_figure){"moves", "failures, A100 to A4000", "model", "precision",
                     f->said > 0 ? f->right / f->said : NAN, LORE_GOAL_AT_LEAST, 0.95});
        lore_eval_add(out, (struct lore_eval_figure){"moves", "failures, A100 to A4000", "model",
                               "recall", f->right / f->failed, LORE_GOAL_AT_LEAST, 0.90});
    }
    if (asked > 0)
        lore_eval_add(out, (struct lore_eval_figure){"moves", "failures, other vendor", "model",
                               "said to fail", said / asked, LORE_GOAL_AT_MOST, 0.01});
}

/* What one cell trains with: enough to learn from, and all cells together fit into memory. */
static size_t
moves_per_cell(size_t cells)
{
    const size_t one = 200000, all = 4000000;

    return all / cells < one ? all / cells : one;
}

enum lore_status
lore_eval_moves(struct lore_eval *out, struct lore_err *err)
{
    struct eval e = {.opt = out, .states = out->states ? out->states : out->quick ? 40 : 300};
    enum lore_status status =
        tuning_load(lore_format(out->arena, "%s/tuning", out->data), false, &e.data, err);

    if (status != LORE_OK)
        return status;
    e.result = lore_alloc(&e.data.arena, sizeof *e.result);
    for (size_t i = 0; i < e.data.n; i++) {
        uint64_t seed = 7 + i;
        tuning_log_walk(&e.data.cell[i], LOGGED, &seed, &e.data.arena, &e.own[i]);
        tuning_log_all(&e.data.cell[i], moves_per_cell(e.data.n), i, &e.data.arena, &e.log[i]);
        lore_buf_printf(out->text, "%-26s %5zu states %6zu moves\n", e.data.cell[i].file,
            e.data.cell[i].n, e.data.cell[i].first[e.data.cell[i].n]);
    }
    if (e.data.notes.len > 0)
        lore_buf_add(out->text, e.data.notes.data, e.data.notes.len);
    run_split(&e, S_CHIP);
    for (int s = S_LOG; s <= S_VENDOR && !out->quick; s++)
        if (s != S_KERNEL_ANY)
            run_split(&e, (enum split)s);
    run_failures(&e);
    print(&e);
    print_transfer(&e);
    print_failures(&e);
    add_figures(out, &e);
    add_transfer(out, &e);
    add_failures(out, &e);
    tuning_free(&e.data);
    return LORE_OK;
}
