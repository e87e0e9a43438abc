/* Baselines see exactly the experiences that the model sees, each way as its own row. The seed's
 * formula is the service's own compatibility mode: its answer is a vote, the techniques are ordered
 * by their number of scored successes and promised the share of them. */
#include "tests/eval/tuning_world.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/recommend/seed_score.h"
#include "service/stats/random.h"

#define GAIN 0.04879016416943205

const char *const tuning_methods[T_METHODS] = {
    "random", "global rate", "operator rate", "seed formula", "model"};

/* Whether the move from A to B, or back, is in a sample of SHARE of them: the same for both ways,
 * another one for each SALT. */
static bool
in_sample(uint64_t a, uint64_t b, uint64_t salt, double share)
{
    uint64_t seed = ((a < b ? a : b) << 32 | (a < b ? b : a)) ^ salt * 0x9e3779b97f4a7c15u;

    return share >= 1 || (double)(lore_random_next(&seed) >> 11) < share * 0x1p53;
}

void
tuning_log_all(const struct tuning_cell *c, size_t most, uint64_t salt, struct lore_arena *arena,
    struct tuning_log *out)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += c->state[i].time > 0 ? c->first[i + 1] - c->first[i] : 0;
    double share = n > most ? (double)most / (double)n : 1;
    out->complete = true;
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = c->first[i]; c->state[i].time > 0 && k < c->first[i + 1]; k++) {
            const struct tuning_move *mv = &c->move[k];
            if (in_sample(i, mv->to, salt, share))
                *LORE_PUSH(arena, out->v, out->n, out->cap) =
                    (struct tuning_tried){(uint32_t)i, mv->to, mv->param, mv->up};
        }
    }
    out->counted = lore_alloc_array(arena, 2 * TUNING_PARAMS, sizeof *out->counted);
    for (size_t k = 0; k < out->n; k++) {
        struct tuning_count *r = &out->counted[2 * out->v[k].param + out->v[k].up];
        r->n++;
        r->won += tuning_effect(c, out->v[k].from, out->v[k].to) > GAIN;
    }
}

enum { ATTEMPTS = 30, MOVES = 256 };

void
tuning_log_walk(const struct tuning_cell *c, size_t n, uint64_t *seed, struct lore_arena *arena,
    struct tuning_log *out)
{
    size_t end = out->n + n;

    for (size_t i = 0; i <= c->n; i++) { /* somewhere to walk from */
        if (i == c->n)
            return;
        if (c->state[i].time > 0 && c->first[i + 1] > c->first[i])
            break;
    }
    while (out->n < end) {
        size_t at = (size_t)lore_random_below(seed, c->n);
        bool tried[MOVES] = {false};
        if (!(c->state[at].time > 0))
            continue;
        for (int k = 0; k < ATTEMPTS && out->n < end; k++) {
            size_t moves = c->first[at + 1] - c->first[at], left = 0, pick;
            for (size_t i = 0; i < moves && i < MOVES; i++)
                left += !tried[i];
            if (left == 0)
                break;
            size_t skip = (size_t)lore_random_below(seed, left);
            for (pick = 0; tried[pick] || skip > 0; pick++)
                skip -= !tried[pick];
            const struct tuning_move *mv = &c->move[c->first[at] + pick];
            tried[pick] = true;
            *LORE_PUSH(arena, out->v, out->n, out->cap) =
                (struct tuning_tried){(uint32_t)at, mv->to, mv->param, mv->up};
            if (tuning_effect(c, at, mv->to) > 0.0198) {
                at = mv->to;
                memset(tried, 0, sizeof tried);
            }
        }
    }
}

static void
name_states(struct tuning_world *w, size_t cell)
{
    const struct tuning_cell *c = &w->data->cell[cell];

    w->id[cell] = lore_alloc_array(&w->arena, c->n, sizeof *w->id[cell]);
    for (size_t i = 0; i < c->n; i++)
        w->id[cell][i] = tuning_state_id(c, i, w->memory);
}

void
tuning_world_tell(
    struct tuning_world *w, size_t cell, const struct tuning_log *log, size_t from, size_t to)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    uint32_t chip = lore_moves_chip(w->memory, &c->chip);
    const uint32_t *id = w->id[cell];

    for (size_t i = 0; log->complete && from == 0 && i < c->n; i++)
        lore_moves_time(w->memory, id[i], chip, c->state[i].time);
    for (size_t k = from; k < to; k++) {
        const struct tuning_tried *t = &log->v[k];
        double y = tuning_effect(c, t->from, t->to);
        lore_moves_time(w->memory, id[t->from], chip, c->state[t->from].time);
        lore_moves_time(w->memory, id[t->to], chip, c->state[t->to].time);
        if (!isfinite(y) || !log->complete || t->from < t->to) /* the model mirrors by itself */
            lore_moves_tried(w->memory, chip, id[t->from], id[t->to], y, !isfinite(y));
    }
    lore_moves_index(w->memory);
}

void
tuning_world_make(struct tuning_world *w)
{
    w->arena.limit = (size_t)2 << 30;
    w->memory = lore_moves_new(&w->arena);
    for (size_t i = 0; i < w->data->n; i++)
        name_states(w, i);
    for (size_t i = 0; i < w->data->n; i++)
        if (w->train[i])
            tuning_world_tell(w, i, &w->log[i], 0, w->log[i].n);
    lore_moves_fit(w->memory);
}

/* Experiences of LOG that are the technique (NAME, UP); NAME NULL: any. */
static void
count(const struct tuning_cell *c, const struct tuning_log *log, const char *name, size_t up,
    struct tuning_count *r)
{
    for (size_t p = 0; log->counted != NULL && p < c->n_params; p++) {
        for (size_t u = 0; u < 2; u++) {
            if (name && (u != up || !lore_streq(c->param[p].name, name)))
                continue;
            r->n += log->counted[2 * p + u].n;
            r->won += log->counted[2 * p + u].won;
        }
    }
    for (size_t k = 0; log->counted == NULL && k < log->n; k++) {
        const struct tuning_tried *t = &log->v[k];
        if (name && (t->up != up || !lore_streq(c->param[t->param].name, name)))
            continue;
        r->n++;
        r->won += tuning_effect(c, t->from, t->to) > GAIN;
    }
}

static struct tuning_count
rate_of(const struct tuning_world *w, const char *kernel, const char *name, size_t up)
{
    struct tuning_count r = {0};

    for (size_t i = 0; i < w->data->n; i++)
        if (w->train[i] && (!kernel || lore_streq(w->data->cell[i].kernel, kernel)))
            count(&w->data->cell[i], &w->log[i], name, up, &r);
    return r;
}

static size_t
seed_rows(struct lore_arena *arena, const struct tuning_cell *c, const struct tuning_log *log,
    struct lore_seed_row *rows, size_t n)
{
    const char *label[TUNING_PARAMS][2];

    for (size_t p = 0; p < c->n_params; p++)
        for (int up = 0; up < 2; up++)
            label[p][up] = lore_format(arena, "%s-%s", up ? "raise" : "lower", c->param[p].name);
    for (size_t k = 0; k < log->n; k++, n++) {
        const struct tuning_tried *t = &log->v[k];
        double y = tuning_effect(c, t->from, t->to);
        bool amd = lore_streq(c->chip.vendor, "amd");
        rows[n] = (struct lore_seed_row){.id = (int64_t)n + 1,
            .kernel = c->kernel,
            .backend = amd ? "hip" : "cuda",
            .chip = c->chip.name,
            .bottleneck_before = "unknown",
            .outcome = y > GAIN      ? "success"
                       : y > -0.0198 ? "neutral"
                                     : "failure",
            .speedup = {isfinite(y), isfinite(y) ? round(exp(y) * 100) / 100 : 0},
            .optimization = label[t->param][t->up]};
    }
    return n;
}

static void
seed_vote(const struct tuning_world *w, size_t cell, const struct tuning_log *own,
    struct tuning_table *out)
{
    struct lore_arena arena = {.limit = (size_t)2 << 30};
    const struct tuning_cell *c = &w->data->cell[cell];
    size_t n = own ? own->n : 0;
    struct lore_seed_answer answer;

    for (size_t i = 0; i < w->data->n; i++)
        n += w->train[i] ? w->log[i].n : 0;
    struct lore_seed_row *rows = lore_alloc_array(&arena, n, sizeof *rows);
    n = 0;
    for (size_t i = 0; i < w->data->n; i++)
        if (w->train[i])
            n = seed_rows(&arena, &w->data->cell[i], &w->log[i], rows, n);
    n = own ? seed_rows(&arena, c, own, rows, n) : n;
    bool amd = lore_streq(c->chip.vendor, "amd");
    struct lore_seed_query q = {c->kernel, amd ? "hip" : "cuda", c->chip.name, "unknown", n};
    lore_seed_recommend(rows, n, &q, &arena, &answer);
    for (size_t k = 0; k < answer.n_hits; k++) {
        const struct lore_seed_row *r = &rows[answer.hits[k].row];
        for (size_t p = 0; lore_streq(r->outcome, "success") && p < c->n_params; p++) {
            size_t up = lore_starts(r->optimization, "raise-");
            out->p[p][up] += lore_streq(r->optimization + 6, c->param[p].name)
                                 ? 1 / (double)answer.n_success
                                 : 0;
        }
    }
    memcpy(out->rank, out->p, sizeof out->p);
    lore_arena_free(&arena);
}

void
tuning_baseline(const struct tuning_world *w, size_t cell, const struct tuning_log *own,
    enum tuning_method method, struct tuning_table *out)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    struct tuning_count all = rate_of(w, NULL, NULL, 0);
    double base = all.n > 0 ? all.won / all.n : 0;

    memset(out, 0, sizeof *out);
    if (method == T_SEED) {
        seed_vote(w, cell, own, out);
        return;
    }
    for (size_t p = 0; p < c->n_params; p++) {
        for (size_t up = 0; up < 2; up++) {
            struct tuning_count r = {0};
            if (method != T_RANDOM)
                r = rate_of(w, method == T_OPERATOR ? c->kernel : NULL, c->param[p].name, up);
            if (own && method != T_RANDOM)
                count(c, own, c->param[p].name, up, &r);
            out->p[p][up] = out->rank[p][up] = r.n > 0 ? r.won / r.n : base;
        }
    }
}
