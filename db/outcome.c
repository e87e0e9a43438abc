/* Outcomes of experiments: store the one in force and keep the earlier ones. */
#include <string.h>

#include "db/experiment_row.h"
#include "db/filter.h"
#include "db/internal.h"
#include "db/put.h"
#include "db/read.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

void
lore_outcome_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_outcome_row *out)
{
    out->policy = lore_col_text(q, (*col)++, a);
    out->effect = lore_col_text(q, (*col)++, a);
    out->correctness = lore_col_text(q, (*col)++, a);
    out->process = lore_col_text(q, (*col)++, a);
    out->rules = lore_col_text(q, (*col)++, a);
    out->basis = lore_col_text(q, (*col)++, a);
    out->speedup = lore_col_opt_f64(q, (*col)++);
    out->low = lore_col_opt_f64(q, (*col)++);
    out->high = lore_col_opt_f64(q, (*col)++);
    out->before_ns = lore_col_opt_f64(q, (*col)++);
    out->after_ns = lore_col_opt_f64(q, (*col)++);
    out->disagrees = lore_col_i64(q, (*col)++) != 0;
    out->at_us = lore_col_i64(q, (*col)++);
    out->superseded_us = lore_col_i64(q, (*col)++);
    out->flags = lore_col_text(q, (*col)++, a);
}

static bool
same_f64(struct lore_f64 a, struct lore_f64 b)
{
    return a.set == b.set && (!a.set || (a.v <= b.v && a.v >= b.v));
}

static bool
same(const struct lore_outcome_row *a, const struct lore_outcome_row *b)
{
    return lore_streq(a->policy, b->policy) && lore_streq(a->effect, b->effect) &&
           lore_streq(a->correctness, b->correctness) && lore_streq(a->process, b->process) &&
           lore_streq(a->rules, b->rules) && lore_streq(a->flags, b->flags) &&
           lore_streq(a->basis, b->basis) && same_f64(a->speedup, b->speedup) &&
           same_f64(a->low, b->low) && same_f64(a->high, b->high) &&
           same_f64(a->before_ns, b->before_ns) && same_f64(a->after_ns, b->after_ns) &&
           a->disagrees == b->disagrees;
}

/* Find the experiment's seq, and whether R is already its verdict in force. */
static enum lore_status
in_force(struct lore_db *db, const char *experiment, const struct lore_outcome_row *r, int64_t *seq,
    bool *there, bool *equal, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT e.seq, " LORE_OUTCOME_COLUMNS " FROM fact_experiment e"
                               " LEFT JOIN drv_outcome o ON o.experiment = e.seq"
                               " AND o.superseded_us IS NULL WHERE e.id = $1");
    struct lore_outcome_row now = {0};
    int col = 1;

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    *seq = lore_col_i64(&q, 0);
    *there = !lore_col_null(&q, 1);
    if (*there)
        lore_outcome_columns(&q, &col, NULL, &now); /* borrowed until the next row */
    *equal = *there && same(&now, r);
    return lore_done(&q, err);
}

static enum lore_status
insert(struct lore_db *db, int64_t seq, const struct lore_outcome_row *r, int64_t now_us,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_outcome (experiment, policy, effect, correctness, process, rules, basis,"
        " speedup, low, high, before_ns, after_ns, disagrees, at_us, flags)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)");

    lore_bind_i64(&q, 1, seq);
    lore_bind_text(&q, 2, r->policy);
    lore_bind_text(&q, 3, r->effect);
    lore_bind_text(&q, 4, r->correctness);
    lore_bind_text(&q, 5, r->process);
    lore_bind_text(&q, 6, r->rules);
    lore_bind_text(&q, 7, r->basis);
    lore_bind_opt_f64(&q, 8, r->speedup);
    lore_bind_opt_f64(&q, 9, r->low);
    lore_bind_opt_f64(&q, 10, r->high);
    lore_bind_opt_f64(&q, 11, r->before_ns);
    lore_bind_opt_f64(&q, 12, r->after_ns);
    lore_bind_i64(&q, 13, r->disagrees);
    lore_bind_i64(&q, 14, now_us);
    lore_bind_text(&q, 15, r->flags);
    return lore_done(&q, err);
}

enum lore_status
lore_put_outcome(struct lore_db *db, const char *experiment, const struct lore_outcome_row *o,
    int64_t now_us, struct lore_err *err)
{
    LORE_STMT old = lore_sql(db, "UPDATE drv_outcome SET superseded_us = $1"
                                 " WHERE experiment = $2 AND superseded_us IS NULL");
    bool there = false, equal = false;
    enum lore_status status;
    int64_t seq = 0;

    status = in_force(db, experiment, o, &seq, &there, &equal, err);
    if (status != LORE_OK || equal)
        return status;
    if (there) {
        lore_bind_i64(&old, 1, now_us);
        lore_bind_i64(&old, 2, seq);
        status = lore_done(&old, err);
    }
    if (status == LORE_OK)
        status = insert(db, seq, o, now_us, err);
    if (status == LORE_OK)
        status = lore_filter_put(db, seq, err);
    return status;
}

enum lore_status
lore_db_list_outcomes(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_outcome_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT " LORE_OUTCOME_COLUMNS " FROM drv_outcome o"
                               " JOIN fact_experiment e ON e.seq = o.experiment"
                               " WHERE e.id = $1 ORDER BY o.seq DESC");
    struct lore_outcome_row *rows = NULL;
    size_t count = 0, cap = 0;

    lore_bind_text(&q, 1, experiment);
    while (lore_row(&q)) {
        int col = 0;

        lore_outcome_columns(&q, &col, a, LORE_PUSH(a, rows, count, cap));
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}
