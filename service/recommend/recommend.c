/* From sums to an answer: lists.c says what belongs on which list; only that pays for intervals
 * (the 5 % and 95 % quantiles of p_win, the Student-t interval of the gain) and for citations,
 * which a second pass over the rows collects. docs/recommend.md has the formulas and what is not
 * claimed. */
#include "recommend.h"

#include <math.h>
#include <stdlib.h>

#include "explain.h"
#include "lists.h"
#include "words.h"

static struct lore_interval
p_interval(struct lore_estimate e)
{
    return (struct lore_interval){
        e.p, lore_beta_quantile(e.a, e.b, 0.05), lore_beta_quantile(e.a, e.b, 0.95)};
}

static struct lore_interval
gain_interval(struct lore_estimate e)
{
    double half = lore_t_quantile(e.nu, 0.95) * e.spread;
    return (struct lore_interval){e.gain, e.gain - half, e.gain + half};
}

/* ---- citations and medians of what is listed ---- */

struct cites {
    struct lore_ranked won[LORE_CITED], other[LORE_CITED];
    size_t n_won, n_other;
    struct lore_seen seen;
    float *logs; /* of the closest place with evidence */
    size_t n_logs, cap_logs;
    const struct lore_evidence_row *worst;
    float worst_log;
    uint8_t *workloads; /* a bit per name; NULL: none recorded so far */
    size_t n_workloads;
};

static void
name_op(struct lore_names *names, uint32_t op)
{
    for (uint32_t i = 0; i < names->n && i < LORE_NAMED; i++) {
        if (names->op[i] == op)
            return;
    }
    if (op == LORE_NO_NAME)
        names->n = LORE_NAMED; /* an unnamed one: better none than half of them */
    if (names->n < LORE_NAMED)
        names->op[names->n] = op;
    if (names->n <= LORE_NAMED)
        names->n++;
}

/* Whose a gain is; there is no question when there is none. */
static enum lore_share
share_of(const struct lore_evidence_row *row)
{
    bool gained = row->effect == LORE_X_WIN || row->effect == LORE_X_NEUTRAL;

    return gained ? (enum lore_share)row->share : LORE_SHARE_OPEN;
}

/* The ln speedup that is the technique's: 0 when the experiment is as fast without it. */
static float
own_log(const struct lore_evidence_row *row)
{
    return share_of(row) != LORE_SHARE_OPEN ? 0 : row->log_speedup;
}

/* What the row says beside its citation. */
static void
see(const struct lore_scan *s, const struct lore_tried *t, const struct lore_evidence_row *row,
    struct lore_said said, struct cites *c)
{
    bool near = t->here > 0 ? said.here : said.level == lore_closest(t);

    if (near)
        name_op(&c->seen.near, row->op);
    else if (said.won)
        name_op(&c->seen.far, row->op);
    if (near && said.has_gain)
        *LORE_PUSH(s->arena, c->logs, c->n_logs, c->cap_logs) = own_log(row);
}

/* How bad it came, and on how many shapes. */
static void
see_range(const struct lore_scan *s, const struct lore_evidence_row *row, struct lore_said said,
    struct cites *c)
{
    float x = said.has_gain ? own_log(row) : 0;

    if (said.has_gain && (c->worst == NULL || x < c->worst_log)) {
        c->worst = row;
        c->worst_log = x;
    }
    if (row->workload == LORE_NO_NAME)
        return;
    if (c->workloads == NULL)
        c->workloads = lore_alloc(s->arena, lore_evidence_names(s->ix) / 8 + 1);
    uint8_t bit = (uint8_t)(1u << row->workload % 8), *at = &c->workloads[row->workload / 8];
    c->n_workloads += (*at & bit) == 0;
    *at |= bit;
}

static void
collect(const struct lore_scan *s, const uint32_t *wanted, struct cites *cites)
{
    size_t n;
    const struct lore_evidence_row *rows = lore_evidence_rows(s->ix, &n);

    for (size_t i = 0; i < n; i++) {
        const struct lore_evidence_row *row = &rows[i];
        if (lore_scan_skips(s, row) || row->technique == LORE_NO_NAME ||
            s->slot[row->technique] == 0 || wanted[s->slot[row->technique] - 1] == 0)
            continue;
        uint32_t slot = s->slot[row->technique] - 1;
        const struct lore_tried *t = &s->tried[slot];
        struct cites *c = &cites[wanted[slot] - 1];
        struct lore_said said = lore_scan_technique(s, row);
        if (said.won)
            lore_rank(c->won, &c->n_won, LORE_CITED, row, said.bearing);
        else
            lore_rank(c->other, &c->n_other, LORE_CITED, row, said.bearing);
        see(s, t, row, said, c);
        see_range(s, row, said, c);
    }
}

static int
by_log(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median speedup, 0 when nothing was measured. */
static double
median_of(struct cites *c)
{
    if (c->n_logs == 0)
        return 0;
    qsort(c->logs, c->n_logs, sizeof *c->logs, by_log);
    size_t half = c->n_logs / 2;
    float upper = c->logs[half];
    return exp(c->n_logs % 2 == 1 ? upper : (upper + c->logs[half - 1]) / 2);
}

static struct lore_cited
cite(const struct lore_scan *s, struct lore_ranked r)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n);
    const struct lore_evidence_row *row = r.row;
    struct lore_said said = lore_scan_row(s, row);

    return (struct lore_cited){
        .experiment = lore_strdup(s->arena, row->experiment),
        .op = lore_strdup(s->arena, lore_evidence_text(s->ix, row->op)),
        .chip = row->chip < n ? chips[row->chip].name : NULL,
        .language = (enum lore_language)row->language,
        .effect = (enum lore_effect)row->effect,
        .correctness = (enum lore_check)row->correctness,
        .process_broken = row->process_broken,
        .evidence = (enum lore_evidence)row->evidence,
        .speedup = isnan(row->log_speedup) ? 0 : exp(row->log_speedup),
        .labels = row->labels,
        .labels_derived = row->labels_derived,
        .travel = said.travel,
        .weight = r.bearing,
        .alike = said.alike,
    };
}

enum { DEFAULT_LIMIT = 10 };
enum { KEPT = 2 }; /* places that wins, and everything else, can count on */

static void
offer(struct lore_ranked *list, size_t *n, size_t cap, const struct lore_ranked *from, size_t first,
    size_t end)
{
    for (size_t i = first; i < end; i++)
        lore_rank(list, n, cap, from[i].row, from[i].bearing);
}

/* The most telling rows, but never all wins or all failures when the other kind exists. */
static void
cite_both(const struct lore_scan *s, const struct cites *c, struct lore_advice *out)
{
    struct lore_ranked picked[LORE_CITED], rest[LORE_CITED];
    size_t n = 0, n_rest = 0, won = c->n_won < KEPT ? c->n_won : KEPT;
    size_t other = c->n_other < KEPT ? c->n_other : KEPT;

    offer(picked, &n, LORE_CITED, c->won, 0, won);
    offer(picked, &n, LORE_CITED, c->other, 0, other);
    offer(rest, &n_rest, LORE_CITED - n, c->won, won, c->n_won);
    offer(rest, &n_rest, LORE_CITED - n, c->other, other, c->n_other);
    offer(picked, &n, LORE_CITED, rest, 0, n_rest);
    out->cited = lore_alloc_array(s->arena, n, sizeof *out->cited);
    for (size_t i = 0; i < n; i++)
        out->cited[i] = cite(s, picked[i]);
    for (size_t i = 0; i < n; i++)
        out->cited[i].share = share_of(picked[i].row);
    out->n_cited = n;
}

static void
count_into(const struct lore_tried *t, struct lore_advice *out)
{
    while (out->nearest < LORE_T_UNKNOWN && t->travel[out->nearest] == 0)
        out->nearest++;
    for (int i = 0; i < LORE_X_COUNT; i++)
        out->tried += t->effect[i];
    for (int i = 0; i < LORE_T_COUNT; i++)
        out->by_travel[i] = t->travel[i];
    out->won = t->effect[LORE_X_WIN];
    out->neutral = t->effect[LORE_X_NEUTRAL];
    out->lost = t->effect[LORE_X_LOSS];
    out->inconclusive = t->effect[LORE_X_INCONCLUSIVE];
    out->not_measured = t->effect[LORE_X_NOT_MEASURED];
    out->tried_here = t->here;
    out->won_here = t->won_here;
    out->lost_here = t->lost_here;
    out->effective_n = t->effective_n;
    out->contested = t->won_at[out->nearest] > 0 && t->lost_at[out->nearest] > 0;
    out->process_faults = t->process_faults;
    out->incorrect = t->incorrect;
    out->said_lost = t->said_lost;
    out->inert = t->inert;
    out->absent = t->absent;
    out->alike = t->alike;
}

static void
advise(const struct lore_scan *s, const struct lore_candidate *c, struct cites *cites,
    struct lore_advice *out)
{
    *out = (struct lore_advice){.technique = lore_strdup(s->arena, c->slug)};
    out->known = c->known != NULL ? c->known : lore_technique_find(c->slug);
    out->p_win = p_interval(c->e);
    out->gain = gain_interval(c->e);
    out->nearest = LORE_T_UNKNOWN;
    if (c->tried != NULL) {
        out->nearest = LORE_T_SAME_CHIP;
        out->same_operator = s->q->op != NULL && c->tried->level[LORE_LEVEL_OPERATOR].tried > 0;
        out->same_family = out->same_operator || c->tried->level[LORE_LEVEL_FAMILY].tried > 0 ||
                           (s->q->family != NULL && c->tried->level[LORE_LEVEL_OPERATOR].tried > 0);
        count_into(c->tried, out);
    }
    if (cites == NULL) {
        out->why = lore_words_untried(s, c->known, c->tried);
        return;
    }
    cites->seen.median = median_of(cites);
    cites->seen.measured = cites->n_logs;
    out->why = lore_words_why(s, c->tried, &cites->seen);
    out->workloads = cites->n_workloads;
    if (cites->worst != NULL) {
        out->worst = exp(cites->worst_log);
        out->worst_in = lore_strdup(s->arena, cites->worst->experiment);
    }
    cite_both(s, cites, out);
}

static struct lore_advice *
advise_all(const struct lore_scan *s, const struct lore_candidates *list, struct cites *cites)
{
    struct lore_advice *out = lore_alloc_array(s->arena, list->n, sizeof *out);

    for (size_t i = 0; i < list->n; i++)
        advise(s, &list->v[i], cites != NULL ? &cites[i] : NULL, &out[i]);
    return out;
}

static void
answer_lists(const struct lore_scan *s, struct lore_answer *out)
{
    struct lore_lists lists;

    lore_lists_fill(s, s->q->limit != 0 ? s->q->limit : DEFAULT_LIMIT, &lists);
    const struct lore_candidates *advice = &lists.advice, *avoid = &lists.avoid;
    uint32_t *wanted = lore_alloc_array(s->arena, s->n_tried + 1, sizeof *wanted);
    struct cites *cites = lore_alloc_array(s->arena, advice->n + avoid->n + 1, sizeof *cites);
    for (size_t i = 0; i < advice->n; i++)
        wanted[advice->v[i].tried - s->tried] = (uint32_t)i + 1;
    for (size_t i = 0; i < avoid->n; i++)
        wanted[avoid->v[i].tried - s->tried] = (uint32_t)(advice->n + i) + 1;
    collect(s, wanted, cites);
    out->advice = advise_all(s, advice, cites);
    out->avoid = advise_all(s, avoid, cites + advice->n);
    out->untried = advise_all(s, &lists.untried, NULL);
    out->n_advice = advice->n;
    out->n_avoid = avoid->n;
    out->n_untried = lists.untried.n;
    lore_explain(s, &lists, out);
}

void
lore_recommend(const struct lore_evidence_index *ix, const struct lore_question *q,
    struct lore_arena *arena, struct lore_answer *out)
{
    struct lore_scan s;

    lore_scan_run(&s, ix, q, arena);
    *out = (struct lore_answer){.considered = s.considered, .matched = s.matched};
    out->on_operator = s.on_operator;
    out->on_chip = s.on_chip;
    out->base_rate = s.judged > 0 ? (double)s.wins / (double)s.judged : 0;
    answer_lists(&s, out);
    out->similar = lore_alloc_array(arena, s.n_similar, sizeof *out->similar);
    for (size_t i = 0; i < s.n_similar; i++)
        out->similar[i] = cite(&s, s.similar[i]);
    out->n_similar = s.n_similar;
    out->empty = s.matched == 0 && out->n_advice + out->n_avoid == 0;
    out->summary = lore_words_summary(&s, out->empty);
}
