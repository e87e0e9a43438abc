/* Judging an experiment: everything derived about it from the facts there are now. The outcome, the
 * hypothesis's expectations against what was measured, the techniques. Deriving is service/derive:
 * no policy lives here. */
#include <string.h>

#include "facts.h"
#include "text.h"

static enum lore_status
judge_claims(struct lore_db *db, const struct lore_facts *f, const struct lore_outcome *outcome,
    struct lore_arena *a, struct lore_err *err)
{
    (void)db, (void)f, (void)outcome, (void)a, (void)err;
    return LORE_OK;
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
    status = lore_put_outcome(db, experiment, &outcome, now_us, err);
    if (status == LORE_OK)
        status = judge_claims(db, &f, &outcome, scratch, err);
    if (status == LORE_OK)
        status = lore_judge_techniques(db, experiment, &f, &outcome, scratch, err);
    return status;
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
