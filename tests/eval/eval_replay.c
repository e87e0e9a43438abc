/* Forecasts in the order in which a team's experience grows. Cells (one kernel on one chip) come in
 * the order of their first time stamp, those without one first; on each a simulated engineer makes
 * experiments one after the other. Before each the model says how probable a gain is: it was
 * trained on the experiments of the cells before, and has been told this cell's own, ten at a time.
 * Nothing of later experiments is known, not even which configurations there will be.
 *
 * Baselines know the same: the rate of gains so far; the rate of the technique (parameter and
 * direction) on this operator so far, and where it has none the former; and the share of the
 * technique among the successes that the seed's formula scores, which is what its answer prints. */
#include "tests/eval/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_predict.h"
#include "service/recommend/seed_score.h"
#include "tests/eval/tuning_world.h"

enum { EXPERIMENTS = 600, QUICK = 120, BATCH = 10, TENTHS = 10 };
enum method { R_GLOBAL, R_TECHNIQUE, R_SEED, R_MODEL, R_METHODS };
static const char *const methods[R_METHODS] = {
    "global rate", "technique's rate", "seed formula", "model"};
static const int measures[] = {T_BRIER, T_ECE, T_AUC, T_COVER};
enum { MEASURES = sizeof measures / sizeof *measures };

#define GAIN 0.04879016416943205

struct technique { /* on one operator */
    const char *kernel, *param;
    size_t up;
    struct tuning_count count;
};
struct replay {
    struct tuning data;
    struct lore_arena arena; /* what was done */
    const struct tuning_cell *order[TUNING_CELLS];
    struct tuning_log log[TUNING_CELLS]; /* in that order */
    struct lore_moves *memory;
    struct lore_arena memory_arena, score_arena;
    struct technique *technique;
    size_t n_techniques, cap_techniques;
    struct tuning_count all;
    struct lore_seed_row *row;
    size_t n_rows, cap_rows;
    struct tuning_score score[R_METHODS], tenth[R_METHODS][TENTHS];
    size_t total, done;
};

static int
by_since(const void *a, const void *b)
{
    const struct tuning_cell *x = *(const struct tuning_cell *const *)a,
                             *y = *(const struct tuning_cell *const *)b;
    int order = lore_strorder(x->since, y->since);

    return order != 0 ? order : strcmp(x->file, y->file);
}

static struct technique *
technique_of(struct replay *r, const struct tuning_cell *c, const struct tuning_tried *t)
{
    const char *param = c->param[t->param].name;

    for (size_t i = 0; i < r->n_techniques; i++) {
        struct technique *x = &r->technique[i];
        if (x->up == t->up && lore_streq(x->param, param) && lore_streq(x->kernel, c->kernel))
            return x;
    }
    struct technique *x = LORE_PUSH(&r->arena, r->technique, r->n_techniques, r->cap_techniques);
    *x = (struct technique){.kernel = c->kernel, .param = param, .up = t->up};
    return x;
}

static const char *
backend(const struct tuning_cell *c)
{
    return lore_streq(c->chip.vendor, "amd") ? "hip" : "cuda";
}

static void
tell(struct replay *r, const struct tuning_cell *c, const struct tuning_tried *t)
{
    double y = tuning_effect(c, t->from, t->to);
    bool won = y > GAIN;
    uint32_t chip = lore_moves_chip(r->memory, &c->chip);
    uint32_t from = tuning_state_id(c, t->from, r->memory);
    uint32_t to = tuning_state_id(c, t->to, r->memory);
    struct technique *x = technique_of(r, c, t);

    lore_moves_time(r->memory, from, chip, c->state[t->from].time);
    lore_moves_time(r->memory, to, chip, c->state[t->to].time);
    lore_moves_tried(r->memory, chip, from, to, y, !isfinite(y));
    x->count.n++;
    x->count.won += won;
    r->all.n++;
    r->all.won += won;
    *LORE_PUSH(&r->arena, r->row, r->n_rows, r->cap_rows) =
        (struct lore_seed_row){.id = (int64_t)r->n_rows,
            .kernel = c->kernel,
            .backend = backend(c),
            .chip = c->chip.name,
            .bottleneck_before = "unknown",
            .outcome = won           ? "success"
                       : y > -0.0198 ? "neutral"
                                     : "failure",
            .speedup = {isfinite(y), isfinite(y) ? round(exp(y) * 100) / 100 : 0},
            .optimization = lore_format(&r->arena, "%s-%s", t->up ? "raise" : "lower", x->param)};
}

/* Successes that the seed's formula scores for a question on C, and those of each direction of each
 * of its parameters. */
static double
seed_votes(const struct replay *r, const struct tuning_cell *c, double votes[TUNING_PARAMS][2])
{
    struct lore_seed_query q = {c->kernel, backend(c), c->chip.name, "unknown", 0};
    double n = 0;

    memset(votes, 0, TUNING_PARAMS * sizeof *votes);
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct lore_seed_row *row = &r->row[i];
        if (!lore_streq(row->outcome, "success") || lore_seed_score(row, &q).total <= 0)
            continue;
        n++;
        size_t up = lore_starts(row->optimization, "raise-");
        for (size_t p = 0; p < c->n_params; p++)
            votes[p][up] += lore_streq(row->optimization + 6, c->param[p].name);
    }
    return n;
}

static void
score(struct replay *r, enum method m, struct tuning_guess guess)
{
    struct tuning_guess copy = guess;

    tuning_score_add(&r->score[m], &guess, 1);
    tuning_score_add(&r->tenth[m][r->done * TENTHS / r->total], &copy, 1);
}

static void
forecast(struct replay *r, const struct tuning_cell *c, const struct tuning_tried *t,
    double votes[TUNING_PARAMS][2], double n_votes)
{
    double effect = tuning_effect(c, t->from, t->to);
    double base = r->all.n > 0 ? r->all.won / r->all.n : 0.5;
    const struct technique *x = technique_of(r, c, t);
    struct tuning_guess g = {.effect = effect, .low = 1};
    struct lore_moves_forecast f;
    uint32_t from = tuning_state_id(c, t->from, r->memory);
    uint32_t to = tuning_state_id(c, t->to, r->memory);

    g.p = base;
    score(r, R_GLOBAL, g);
    g.p = x->count.n > 0 ? x->count.won / x->count.n : base;
    score(r, R_TECHNIQUE, g);
    g.p = n_votes > 0 ? votes[t->param][t->up] / n_votes : 0;
    score(r, R_SEED, g);
    lore_moves_predict(r->memory, lore_moves_chip(r->memory, &c->chip), from, &to, 1, &f);
    g.p = f.p_gain;
    g.low = f.low;
    g.high = f.high;
    g.abstains = f.abstains;
    score(r, R_MODEL, g);
    r->done++;
}

static void
replay_cell(struct replay *r, size_t cell)
{
    const struct tuning_cell *c = r->order[cell];
    const struct tuning_log *log = &r->log[cell];
    double votes[TUNING_PARAMS][2];

    lore_moves_fit(r->memory);
    for (size_t i = 0; i < log->n; i += BATCH) {
        size_t end = i + BATCH < log->n ? i + BATCH : log->n;
        double n_votes = seed_votes(r, c, votes);
        for (size_t k = i; k < end; k++)
            forecast(r, c, &log->v[k], votes, n_votes);
        for (size_t k = i; k < end; k++)
            tell(r, c, &log->v[k]);
        lore_moves_index(r->memory);
    }
}

static void
put(struct lore_buf *text, double value)
{
    if (isnan(value))
        lore_buf_printf(text, "%9s", "-");
    else
        lore_buf_printf(text, "%9.3f", value);
}

static void
report(struct replay *r, struct lore_eval *out)
{
    double v[T_MEASURES];

    lore_buf_printf(out->text, "\n%-28s", "all experiments");
    for (size_t k = 0; k < MEASURES; k++)
        lore_buf_printf(out->text, "%9s", tuning_measures[measures[k]]);
    for (int m = 0; m < R_METHODS; m++) {
        lore_buf_printf(out->text, "\n  %-26s", methods[m]);
        tuning_score_end(&r->score[m], v);
        for (size_t k = 0; k < MEASURES; k++) {
            put(out->text, v[measures[k]]);
            if (isfinite(v[measures[k]]))
                lore_eval_add(
                    out, (struct lore_eval_figure){"replay", "time-ordered replay", methods[m],
                             tuning_measures[measures[k]], v[measures[k]], LORE_GOAL_NONE, 0});
        }
    }
    for (size_t k = 0; k < MEASURES; k++) {
        lore_buf_printf(
            out->text, "\n\n%s, by tenth of the time line", tuning_measures[measures[k]]);
        for (int m = 0; m < R_METHODS; m++) {
            if (measures[k] == T_COVER && m != R_MODEL)
                continue; /* the others give no interval */
            lore_buf_printf(out->text, "\n  %-26s", methods[m]);
            for (size_t t = 0; t < TENTHS; t++) {
                tuning_score_end(&r->tenth[m][t], v);
                put(out->text, v[measures[k]]);
                if (isfinite(v[measures[k]]))
                    lore_eval_add(
                        out, (struct lore_eval_figure){"replay",
                                 lore_format(out->arena, "time-ordered replay, tenth %zu", t + 1),
                                 methods[m], tuning_measures[measures[k]], v[measures[k]],
                                 LORE_GOAL_NONE, 0});
            }
        }
    }
    lore_buf_puts(out->text, "\n");
}

static void
walk(struct replay *r, const struct lore_eval *out)
{
    for (size_t i = 0; i < r->data.n; i++)
        r->order[i] = &r->data.cell[i];
    qsort(r->order, r->data.n, sizeof *r->order, by_since);
    for (size_t i = 0; i < r->data.n; i++) {
        uint64_t seed = 400 + i;
        tuning_log_walk(
            r->order[i], out->quick ? QUICK : EXPERIMENTS, &seed, &r->arena, &r->log[i]);
        r->total += r->log[i].n;
        lore_buf_printf(out->text, "%-32.32s %-32s %5zu experiments\n",
            r->order[i]->since ? r->order[i]->since : "no time stamp", r->order[i]->file,
            r->log[i].n);
    }
    if (r->data.notes.len > 0)
        lore_buf_add(out->text, r->data.notes.data, r->data.notes.len);
}

enum lore_status
lore_eval_replay(struct lore_eval *out, struct lore_err *err)
{
    struct replay *r = lore_alloc(out->arena, sizeof *r);
    enum lore_status status =
        tuning_load(lore_format(out->arena, "%s/tuning", out->data), false, &r->data, err);

    if (status != LORE_OK)
        return status;
    r->arena.limit = r->memory_arena.limit = r->score_arena.limit = (size_t)1 << 30;
    r->memory = lore_moves_new(&r->memory_arena);
    for (int m = 0; m < R_METHODS; m++) {
        r->score[m].arena = &r->score_arena;
        for (size_t t = 0; t < TENTHS; t++)
            r->tenth[m][t].arena = &r->score_arena;
    }
    walk(r, out);
    for (size_t i = 0; i < r->data.n; i++)
        replay_cell(r, i);
    if (r->total > 0)
        report(r, out);
    lore_arena_free(&r->score_arena);
    lore_arena_free(&r->memory_arena);
    lore_arena_free(&r->arena);
    tuning_free(&r->data);
    return LORE_OK;
}
