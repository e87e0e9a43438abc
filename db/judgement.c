/* Judging an experiment: everything derived about it from the facts there are now. The outcome, the
 * hypothesis's expectations against what was measured, the techniques. Deriving is service/derive:
 * no policy lives here. */
#include <stdlib.h>
#include <string.h>

#include "db/facts.h"
#include "db/feedback_version.h"
#include "db/filter.h"
#include "service/base/text.h"
#include "service/derive/claims.h"
#include "service/stats/stats.h"

/* Every claim about time sorts the samples of both sides, and an experiment may have half a
 * million: then the claims get so many of their quantiles, which have the same median. */
enum { CLAIM_SAMPLES = 2048 };

static void
thin(struct lore_side *s, struct lore_arena *a)
{
    int64_t *sorted, *some;

    if (s->n <= CLAIM_SAMPLES)
        return;
    sorted = lore_memdup(a, s->samples_ns, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, lore_by_i64);
    some = lore_alloc_array(a, CLAIM_SAMPLES, sizeof *some);
    for (size_t i = 0; i < CLAIM_SAMPLES; i++)
        some[i] = sorted[(2 * i + 1) * s->n / (2 * CLAIM_SAMPLES)];
    s->samples_ns = some;
    s->n = CLAIM_SAMPLES;
}

/* One side as claims are judged by: its runs, else the stated time. */
static struct lore_claim_side
claim_side(const struct lore_facts *f, int side, struct lore_arena *a)
{
    struct lore_claim_side s = {side == 0 ? f->in.before : f->in.after, f->measured[side].metrics};

    if (s.runs.n == 0 && s.runs.median_ns <= 0 && f->measured[side].duration_ns.set)
        s.runs.median_ns = f->measured[side].duration_ns.v;
    thin(&s.runs, a);
    return s;
}

static enum lore_status
insert(struct lore_db *db, int64_t seq, const struct lore_judgement_row *r, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_judgement (experiment, position, metric, verdict,"
                               " before, after, why) VALUES ($1, $2, $3, $4, $5, $6, $7)");

    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, r->position);
    lore_bind_text(&q, 3, r->metric);
    lore_bind_text(&q, 4, r->verdict);
    lore_bind_opt_f64(&q, 5, r->before);
    lore_bind_opt_f64(&q, 6, r->after);
    lore_bind_text(&q, 7, r->why);
    return lore_done(&q, err);
}

/* A new experiment has no judgements yet, and one without a hypothesis never has. */
static enum lore_status
judge_claims(
    struct lore_db *db, const struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    const struct lore_hypothesis *h = &f->claim.h;
    struct lore_claim_side before = claim_side(f, 0, a), after = claim_side(f, 1, a);
    enum lore_status status = LORE_OK;

    if (f->stands && f->hypothesis != NULL) {
        LORE_STMT q = lore_sql(db, "DELETE FROM drv_judgement WHERE experiment = $1");

        lore_bind_i64(&q, 1, f->seq);
        status = lore_done(&q, err);
    }
    for (size_t i = 0; status == LORE_OK && i < h->n_expected; i++) {
        struct lore_arena scratch = {0};
        struct lore_claim_judged judged;

        lore_claims_judge(
            &h->expected[i], &before, &after, (struct lore_f64){0}, &scratch, &judged);
        status = insert(db, f->seq,
            &(struct lore_judgement_row){.position = (int64_t)i,
                .metric = h->expected[i].metric,
                .verdict = lore_claim_verdict_name(judged.verdict),
                .why = judged.sentence,
                .before = judged.measured.before,
                .after = judged.measured.after},
            err);
        lore_arena_free(&scratch);
    }
    return status;
}

enum lore_status
lore_judge_experiment(struct lore_db *db, const char *experiment, struct lore_arena *scratch,
    int64_t now_us, struct lore_err *err)
{
    struct lore_facts f;
    struct lore_outcome outcome;
    enum lore_status status = lore_facts_get(db, experiment, true, scratch, &f, err);

    if (status != LORE_OK)
        return status;
    lore_outcome_derive(&f.in, scratch, &outcome);
    status = lore_judge_bottleneck(db, &f, scratch, err);
    if (status == LORE_OK)
        status = lore_put_outcome(db, experiment, &outcome, now_us, err);
    if (status == LORE_OK && f.stands && !f.says_bottleneck) /* the same verdict writes no row */
        status = lore_filter_put(db, f.seq, err);
    if (status == LORE_OK)
        status = judge_claims(db, &f, scratch, err);
    if (status == LORE_OK)
        status = lore_judge_techniques(db, experiment, &f, &outcome, scratch, err);
    if (status == LORE_OK)
        status = lore_link_advice(db, f.seq, scratch, err);
    return status == LORE_OK ? lore_link_move(db, f.seq, err) : status;
}

enum lore_status
lore_get_claim_check(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_claim_check *out, struct lore_err *err)
{
    struct lore_facts f;
    struct lore_outcome outcome;
    struct lore_rule_facts facts = {.correctness = LORE_C_NONE};
    enum lore_status status = lore_facts_get(db, experiment, true, a, &f, err);

    if (status != LORE_OK)
        return status;
    *out = (struct lore_claim_check){.verdict = NULL};
    if (f.hypothesis == NULL)
        return LORE_OK;
    lore_outcome_derive(&f.in, a, &outcome);
    facts.before = claim_side(&f, 0, a);
    facts.after = claim_side(&f, 1, a);
    facts.correctness = outcome.correctness;
    out->verdict = lore_claims_hypothesis_verdict(&outcome);
    out->has_rule = f.claim.h.accept_if != NULL || f.claim.h.reject_if != NULL;
    lore_claims_decide(f.claim.h.accept_if, f.claim.h.reject_if, &facts, a, &out->decided);
    out->watch =
        lore_claims_watch(&f.claim.h.watch, &facts.before, &facts.after, (struct lore_f64){0}, a);
    out->n_watch = f.claim.h.watch.n;
    return LORE_OK;
}

enum lore_status
lore_list_judgements(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_judgement_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT e.id, j.position, j.metric, j.verdict, j.why, j.before,"
                               " j.after FROM fact_experiment e"
                               " JOIN drv_judgement j ON j.experiment = e.seq"
                               " WHERE e.id = $1 ORDER BY j.position");
    struct lore_judgement_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, experiment);
    while (lore_row(&q)) {
        struct lore_judgement_row *r = LORE_PUSH(a, rows, count, cap);

        r->experiment = lore_col_text(&q, 0, a);
        r->position = lore_col_i64(&q, 1);
        r->metric = lore_col_text(&q, 2, a);
        r->verdict = lore_col_text(&q, 3, a);
        r->why = lore_col_text(&q, 4, a);
        r->before = lore_col_opt_f64(&q, 5);
        r->after = lore_col_opt_f64(&q, 6);
    }
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

static enum lore_status
read_probability(const char *rest, struct lore_arena *a, struct lore_f64 *out, struct lore_err *err)
{
    struct lore_json *root = NULL;
    const struct lore_json *p;
    enum lore_status status;

    if (rest == NULL || strstr(rest, "\"probability\"") == NULL)
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), NULL, a, &root, err);
    p = status == LORE_OK ? lore_json_get(root, "probability") : NULL;
    if (p != NULL && p->type == LORE_J_NUMBER)
        *out = (struct lore_f64){true, p->f};
    return status;
}

enum lore_status
lore_list_forecasts(struct lore_db *db, const char *author, struct lore_arena *a,
    struct lore_forecast_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(h.author, d.author), h.id, h.rest, e.id, x.effect,"
                               " x.correctness FROM fact_hypothesis h"
                               " JOIN fact_document d ON d.seq = h.document"
                               " LEFT JOIN fact_experiment e ON e.hypothesis = h.id"
                               " LEFT JOIN drv_experiment x ON x.seq = e.seq"
                               " WHERE $1 IS NULL OR coalesce(h.author, d.author) = $1"
                               " ORDER BY h.seq, e.seq");
    struct lore_forecast_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, author);
    while (status == LORE_OK && lore_row(&q)) {
        struct lore_forecast_row *r = LORE_PUSH(a, rows, count, cap);
        const char *rest = lore_col_text(&q, 2, NULL);

        r->author = lore_col_text(&q, 0, a);
        r->hypothesis = lore_col_text(&q, 1, a);
        status = read_probability(rest, a, &r->probability, err);
        r->experiment = lore_col_text(&q, 3, a);
        r->effect = lore_col_text(&q, 4, a);
        r->correctness = lore_col_text(&q, 5, a);
    }
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
