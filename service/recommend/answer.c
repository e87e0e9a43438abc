/* From sums to an answer: lists.c says what belongs on which list; only that pays for intervals
 * (the 5 % and 95 % quantiles of p_win, the Student-t interval of the gain) and for citations:
 * collect.c looks at the rows of what is listed. docs/recommend.md has the formulas and what is not
 * claimed. */
#include "service/recommend/model.h"
#include "service/recommend/recommend.h"

#include <math.h>

#include "service/recommend/explain.h"
#include "service/recommend/lists.h"
#include "service/recommend/words.h"

/* SHARE: it is cited for its technique, and whose the gain is, if there is one, is a question. */
static struct lore_cited
cite(const struct lore_scan *s, struct lore_ranked r, bool share)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n);
    struct lore_evidence_row at = lore_evidence_at(s->ix, r.row), *row = &at;
    const struct lore_known_row *known = &s->ix->row[r.row];
    const struct lore_weighed *w = &s->place[lore_place_of(s->ix, known)];

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
        .travel = (enum lore_travel)w->travel,
        .years_older = w->years,
        .weight = r.bearing,
        .alike = lore_alike(s, w, row->workload),
        .share = share && row->effect == LORE_X_WIN ? (enum lore_share)row->share : LORE_SHARE_OPEN,
    };
}

#define HARDLY_KNOWN 0.6 /* a wider interval of a probability says nothing to act on */
enum { DEFAULT_LIMIT = 10 };
enum { KEPT = 2 }; /* places that wins, and everything else, can count on */

static void
offer(struct lore_ranked_rows *list, const struct lore_ranked_rows *from, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        lore_rank(list, from->v[i]);
}

/* The most telling rows, but never all wins or all failures when the other kind exists. */
static void
cite_both(const struct lore_scan *s, const struct lore_cites *c, struct lore_advice *out)
{
    struct lore_ranked_rows picked = {.cap = LORE_CITED}, rest = {0};
    size_t won = c->won.n < KEPT ? c->won.n : KEPT, other = c->other.n < KEPT ? c->other.n : KEPT;

    offer(&picked, &c->won, 0, won);
    offer(&picked, &c->other, 0, other);
    rest.cap = LORE_CITED - picked.n;
    offer(&rest, &c->won, won, c->won.n);
    offer(&rest, &c->other, other, c->other.n);
    offer(&picked, &rest, 0, rest.n);
    out->cited = lore_alloc_array(s->arena, picked.n, sizeof *out->cited);
    for (size_t i = 0; i < picked.n; i++)
        out->cited[i] = cite(s, picked.v[i], true);
    out->n_cited = picked.n;
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
advise(const struct lore_scan *s, const struct lore_candidate *c, struct lore_cites *cites,
    struct lore_advice *out)
{
    double width;

    *out = (struct lore_advice){.technique = lore_strdup(s->arena, c->slug)};
    out->known = c->known != NULL ? c->known : lore_technique_find(c->slug);
    out->p_win = lore_estimate_p_win(&c->e, &width);
    out->hardly_known = width > HARDLY_KNOWN;
    out->gain = lore_estimate_gain(s, &c->e);
    out->against = c->e.against ? out->known->triggers : 0;
    out->nearest = LORE_T_UNKNOWN;
    if (c->tried) {
        out->nearest = LORE_T_SAME_CHIP;
        out->same_operator = s->q->op != NULL && c->tried->level[LORE_LEVEL_OPERATOR].tried > 0;
        out->same_family = out->same_operator || c->tried->level[LORE_LEVEL_FAMILY].tried > 0 ||
                           (s->q->family && c->tried->level[LORE_LEVEL_OPERATOR].tried > 0);
        count_into(c->tried, out);
    }
    if (!cites) {
        out->why = lore_words_untried(s, c->known, c->tried);
        return;
    }
    out->why = lore_words_why(s, c->tried, &cites->seen);
    out->workloads = cites->workloads;
    out->sampled = cites->sampled;
    if (cites->worst != LORE_NO_ROW) {
        struct lore_evidence_row worst = lore_evidence_at(s->ix, cites->worst);
        out->worst = exp(cites->worst_log);
        out->worst_in = lore_strdup(s->arena, worst.experiment);
    }
    cite_both(s, cites, out);
}

static struct lore_advice *
advise_all(const struct lore_scan *s, const struct lore_candidates *list, struct lore_cites *cites)
{
    struct lore_advice *out = lore_alloc_array(s->arena, list->n, sizeof *out);

    for (size_t i = 0; i < list->n; i++) {
        if (list->v[i].tried)
            lore_scan_count(s, list->v[i].tried);
        advise(s, &list->v[i], cites != NULL ? &cites[i] : NULL, &out[i]);
    }
    return out;
}

static struct lore_advice *
advise_cited(const struct lore_scan *s, const struct lore_candidates *list)
{
    struct lore_cites *cites = lore_alloc_array(s->arena, list->n + 1, sizeof *cites);

    for (size_t i = 0; i < list->n; i++)
        lore_collect_cites(s, list->v[i].tried, &cites[i]);
    return advise_all(s, list, cites);
}

static void
answer_lists(const struct lore_scan *s, struct lore_answer *out)
{
    struct lore_lists lists;

    lore_lists_fill(s, s->q->limit != 0 ? s->q->limit : DEFAULT_LIMIT, &lists);
    out->advice = advise_cited(s, &lists.advice);
    out->avoid = advise_cited(s, &lists.avoid);
    out->there = advise_cited(s, &lists.there);
    out->untried = advise_all(s, &lists.untried, NULL);
    out->n_advice = lists.advice.n;
    out->n_avoid = lists.avoid.n;
    out->n_there = lists.there.n;
    out->n_untried = lists.untried.n;
    lore_explain(s, &lists, out);
}

void
lore_recommend(const struct lore_evidence_index *ix, const struct lore_question *q,
    struct lore_arena *arena, struct lore_answer *out)
{
    LORE_MODEL_HELD held = lore_model_hold();
    struct lore_scan s;

    lore_scan_run(&s, ix, q, arena);
    *out = (struct lore_answer){.considered = s.considered, .matched = s.matched};
    out->on_operator = s.on_operator;
    out->on_chip = s.on_chip;
    out->base_rate = s.judged > 0 ? (double)s.wins / (double)s.judged : 0;
    answer_lists(&s, out);
    out->similar = lore_alloc_array(arena, s.similar.n, sizeof *out->similar);
    for (size_t i = 0; i < s.similar.n; i++)
        out->similar[i] = cite(&s, s.similar.v[i], false);
    out->n_similar = s.similar.n;
    out->empty = s.matched == 0 && out->n_advice + out->n_avoid == 0;
    out->summary = lore_words_summary(&s, out->empty);
}
