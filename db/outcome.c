/* Outcomes of experiments: store the one in force and keep the earlier ones. */
#include <string.h>

#include "db/experiment_row.h"
#include "db/facts.h"
#include "db/internal.h"
#include "db/put.h"
#include "db/read.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define ROW struct lore_outcome_row
static const struct lore_row_member members[] = {LORE_OUTCOME_MEMBERS()};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};

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
           same_f64(a->low, b->low) && same_f64(a->high, b->high) && same_f64(a->gain, b->gain) &&
           same_f64(a->before_ns, b->before_ns) && same_f64(a->after_ns, b->after_ns) &&
           a->disagrees == b->disagrees;
}

/* Whether the verdict in force of X equals R. */
static enum lore_status
equals_in_force(struct lore_db *db, const struct lore_fact_experiment *x,
    const struct lore_outcome_row *r, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT " LORE_OUTCOME_COLUMNS " FROM drv_outcome o"
                               " WHERE o.experiment = $1 AND o.superseded_us IS NULL");
    struct lore_outcome_row now = {0};

    *out = false;
    lore_bind_i64(&q, 1, x->seq);
    if (lore_row(&q)) {
        lore_row_fill(&q, &shape, NULL, &now);
        *out = same(&now, r);
    }
    return lore_done(&q, err);
}

static enum lore_status
supersede(struct lore_db *db, int64_t experiment, int64_t now_us, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "UPDATE drv_outcome SET superseded_us = $1"
                               " WHERE experiment = $2 AND superseded_us IS NULL");

    lore_bind_i64(&q, 1, now_us);
    lore_bind_i64(&q, 2, experiment);
    return lore_done(&q, err);
}

static enum lore_status
insert(struct lore_db *db, int64_t seq, const struct lore_outcome_row *r, int64_t now_us,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_outcome (experiment, policy, effect, correctness, process, rules, basis,"
        " speedup, low, high, before_ns, after_ns, disagrees, at_us, flags, gain)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)");

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
    lore_bind_opt_f64(&q, 16, r->gain);
    return lore_done(&q, err);
}

enum lore_status
lore_put_outcome(struct lore_db *db, const struct lore_fact_experiment *x,
    const struct lore_outcome_row *o, int64_t now_us, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    bool equal = false;

    if (x->judged) /* else it is the first verdict */
        status = equals_in_force(db, x, o, &equal, err);
    if (status != LORE_OK || equal)
        return status;
    if (x->judged)
        status = supersede(db, x->seq, now_us, err);
    if (status == LORE_OK)
        status = insert(db, x->seq, o, now_us, err);
    return status;
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
