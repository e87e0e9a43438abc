/* Outcomes of experiments: store the one in force and keep the earlier ones. */
#include <string.h>

#include "db/experiment_facets.h"
#include "db/experiment_row.h"
#include "db/internal.h"
#include "db/put.h"
#include "db/read.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define ROW struct lore_outcome_row
static const struct lore_row_member members[] = {LORE_OUTCOME_MEMBERS()};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};
enum { SEQ = sizeof members / sizeof *members };

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

/* The verdict in force of an experiment. */
struct in_force {
    int64_t experiment; /* seq */
    bool there, equal;  /* equal to the new one */
};

static enum lore_status
in_force(struct lore_db *db, const char *experiment, const struct lore_outcome_row *r,
    struct in_force *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT " LORE_OUTCOME_COLUMNS ", e.seq FROM fact_experiment e"
                               " LEFT JOIN drv_outcome o ON o.experiment = e.seq"
                               " AND o.superseded_us IS NULL WHERE e.id = $1");
    struct lore_outcome_row now = {0};

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    out->experiment = lore_col_i64(&q, SEQ);
    out->there = !lore_col_null(&q, 0);
    lore_row_fill(&q, &shape, NULL, &now);
    out->equal = out->there && same(&now, r);
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
    struct in_force now = {0};
    enum lore_status status = in_force(db, experiment, o, &now, err);

    if (status != LORE_OK || now.equal)
        return status;
    if (now.there) {
        lore_bind_i64(&old, 1, now_us);
        lore_bind_i64(&old, 2, now.experiment);
        status = lore_done(&old, err);
    }
    if (status == LORE_OK)
        status = insert(db, now.experiment, o, now_us, err);
    return status == LORE_OK ? lore_experiment_facets_put(db, now.experiment, err) : status;
}

enum lore_status
lore_db_list_outcomes(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_outcome_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT " LORE_OUTCOME_COLUMNS " FROM drv_outcome o"
                               " JOIN fact_experiment e ON e.seq = o.experiment"
                               " WHERE e.id = $1 ORDER BY o.seq DESC");

    lore_bind_text(&q, 1, experiment);
    return lore_db_collect(&q, &shape, a, out, n, err);
}
