/* How good are forecasts of moves, measured where every answer is known? Reads exhaustively tuned
 * spaces (tuning_data.h) and asks, for states of a cell that was held out, which one-parameter
 * moves gain more than 5 %: leave one chip out, one kernel out, one vendor out, and with 25, 100
 * and 400 own results. A state is a configuration that runs and has at least three moves; only
 * states where some move gains count for hit and regret. Training experience: every one-variable
 * neighbour pair of the other cells, as an import makes them; with `--walks` only what 40 simulated
 * engineers per cell tried, 30 attempts each. `eval_moves [--walks] [--all] [--states N] [--json
 * FILE] [FOLDER]`
 * (--all: moves to any value of a parameter, not only to the next one; --cells: the model cell by
 * cell;
 * --quick: leave one chip out only). Exit 77 without the data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "jsonw.h"
#include "random.h"
#include "text.h"
#include "tuning_transfer.h"

enum split { S_CHIP, S_KERNEL, S_VENDOR, S_WARM25, S_WARM100, S_WARM400, S_SPLITS };
static const char *const splits[S_SPLITS] = {"leave one chip out", "leave one kernel out",
    "leave one vendor out", "25 own results", "100 own results", "400 own results"};
static const size_t own_results[S_SPLITS] = {[S_WARM25] = 25, [S_WARM100] = 100, [S_WARM400] = 400};

struct result {
    double v[S_SPLITS][T_METHODS][TUNING_CELLS][T_MEASURES];
    bool has[S_SPLITS][TUNING_CELLS];
    struct tuning_transfer transfer[TUNING_CELLS];
    struct tuning_failures abroad[TUNING_CELLS], near; /* other vendor's; A100's on A4000 */
};
struct options {
    bool walks, all, cells, quick;
    size_t states;
    const char *json, *folder;
};
struct eval {
    struct tuning data;
    struct tuning_log log[TUNING_CELLS], own[TUNING_CELLS];
    struct options opt;
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
    uint32_t *order = shuffled(c, &arena);

    own.n = own_results[split];
    if (method != T_MODEL)
        tuning_baseline(w, cell, own.n ? &own : NULL, method, &table);
    for (size_t i = 0, done = 0; i < c->n && done < e->opt.states; i++) {
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
        tuning_world_tell(w, cell, &e->own[cell], told, own_results[s]);
        told = own_results[s];
        test_all(e, w, cell, (enum split)s);
    }
}

static void
run_split(struct eval *e, enum split split)
{
    bool done[TUNING_CELLS] = {false};

    for (size_t i = 0; i < e->data.n; i++) {
        struct tuning_world w = {.data = &e->data, .log = e->log};
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
            if (split == S_VENDOR)
                tuning_failures(&w, j, &e->result->abroad[j]);
            if (split != S_CHIP)
                continue;
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

static void
print(const struct eval *e)
{
    for (int s = 0; s < S_SPLITS; s++) {
        printf("\n%-22s", splits[s]);
        for (int k = 0; k < T_MEASURES; k++)
            printf("%9s", tuning_measures[k]);
        for (int m = 0; m < T_METHODS; m++) {
            printf("\n  %-20s", tuning_methods[m]);
            for (int k = 0; k < T_MEASURES; k++)
                printf("%9.3f", macro(e, (enum split)s, m, k));
        }
        for (size_t i = 0; e->opt.cells && i < e->data.n; i++) {
            printf("\n    %-22.22s", e->data.cell[i].file);
            for (int k = 0; k < T_MEASURES; k++)
                printf(k ? "%9.3f" : "%5.3f", e->result->v[s][T_MODEL][i][k]);
        }
        printf("\n");
    }
}

static void
print_transfer(const struct eval *e)
{
    printf("\n%-24s%30s%30s%30s%10s%8s\n", "fraction of the optimum", "model after 1/5/10/20",
        "naive copy", "random", "cover90", "failed");
    for (size_t i = 0; i < e->data.n; i++) {
        const struct tuning_transfer *t = &e->result->transfer[i];
        const double *by[] = {t->model, t->copy, t->random};
        printf("%-24s", e->data.cell[i].file);
        for (int k = 0; k < 3; k++)
            printf("      %6.3f%6.3f%6.3f%6.3f", by[k][0], by[k][1], by[k][2], by[k][3]);
        printf("%10.3f%8zu\n", t->covered, t->failed);
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
    printf("\nfailures, A100 -> A4000: precision %.3f, recall %.3f of %.0f; from the other vendor: "
           "%.4f of %.0f forecasts, %.0f of those right\n",
        f->right / fmax(1, f->said), f->right / fmax(1, f->failed), f->failed,
        said / fmax(1, asked), asked, right);
}

static enum lore_status
write_json(const struct eval *e, struct lore_err *err)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    lore_w_kbool(&w, "walks", e->opt.walks);
    lore_w_kbool(&w, "all_values", e->opt.all);
    lore_w_ki64(&w, "states_per_cell", (int64_t)e->opt.states);
    for (int s = 0; s < S_SPLITS; s++) {
        lore_w_key(&w, splits[s]);
        lore_w_obj(&w);
        for (int m = 0; m < T_METHODS; m++) {
            lore_w_key(&w, tuning_methods[m]);
            lore_w_obj(&w);
            for (int k = 0; k < T_MEASURES; k++)
                if (isfinite(macro(e, (enum split)s, m, k)))
                    lore_w_kf64(&w, tuning_measures[k], macro(e, (enum split)s, m, k));
            lore_w_obj_end(&w);
        }
        lore_w_obj_end(&w);
    }
    lore_w_obj_end(&w);
    enum lore_status st = lore_jsonw_end(&w, err);
    if (st == LORE_OK)
        st = lore_file_write(e->opt.json, text.data, text.len, 0644, err);
    lore_buf_free(&text);
    return st;
}

static bool
read_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.states = 300, .folder = SOURCE_DIR "/../shared/data/tuning"};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (lore_streq(a, "--walks"))
            o->walks = true;
        else if (lore_streq(a, "--all"))
            o->all = true;
        else if (lore_streq(a, "--cells"))
            o->cells = true;
        else if (lore_streq(a, "--quick"))
            o->quick = true;
        else if (lore_streq(a, "--states") && i + 1 < argc)
            o->states = strtoul(argv[++i], NULL, 10);
        else if (lore_streq(a, "--json") && i + 1 < argc)
            o->json = argv[++i];
        else if (a[0] != '-')
            o->folder = a;
        else
            return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    struct eval e = {0};
    struct lore_err err;

    if (!read_options(argc, argv, &e.opt)) {
        fprintf(stderr, "usage: eval_moves [--walks] [--all] [--cells] [--quick] [--states N] "
                        "[--json FILE] [FOLDER]\n");
        return 2;
    }
    enum lore_status st = tuning_load(e.opt.folder, e.opt.all, &e.data, &err);
    if (st != LORE_OK) {
        fprintf(stderr, "%s\n", err.msg);
        return st == LORE_NOTFOUND ? 77 : 1;
    }
    e.result = lore_alloc(&e.data.arena, sizeof *e.result);
    for (size_t i = 0; i < e.data.n; i++) {
        uint64_t seed = 7 + i;
        tuning_log_walk(&e.data.cell[i], 400, &seed, &e.data.arena, &e.own[i]);
        if (e.opt.walks)
            tuning_log_walk(&e.data.cell[i], 1200, &seed, &e.data.arena, &e.log[i]);
        else
            tuning_log_all(&e.data.cell[i], &e.data.arena, &e.log[i]);
        printf("%-26s %5zu states %6zu moves\n", e.data.cell[i].file, e.data.cell[i].n,
            e.data.cell[i].first[e.data.cell[i].n]);
    }
    for (int s = S_CHIP; s <= (e.opt.quick ? S_CHIP : S_VENDOR); s++)
        run_split(&e, (enum split)s);
    run_failures(&e);
    print(&e);
    print_transfer(&e);
    print_failures(&e);
    if (e.opt.json != NULL && write_json(&e, &err) != LORE_OK) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    /* a guard against regressions; the figures are for people */
    bool better = macro(&e, S_CHIP, T_MODEL, T_HIT1) > macro(&e, S_CHIP, T_OPERATOR, T_HIT1) &&
                  macro(&e, S_CHIP, T_MODEL, T_BRIER) < macro(&e, S_CHIP, T_OPERATOR, T_BRIER);
    lore_arena_free(&e.data.arena);
    return better ? 0 : 1;
}
