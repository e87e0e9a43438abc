/* Store the versions that an answer proposed, each with its configuration (settings.h), by which
 * feedback_tried.c finds later trials. */
#include "db/feedback_version.h"

#include "db/internal.h"
#include "db/settings.h"

static enum lore_status
newest_run(struct lore_db *db, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_run");

    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
put_version(struct lore_db *db, int64_t advice, const struct lore_advised_version *v, int64_t after,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO log_advice_version (advice, list, rank, version, from_version, technique,"
        " chip, workload, value, low, high, p_fail, after_run, configuration, from_configuration)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13," LORE_CONFIGURATION(
            "$4") "," LORE_CONFIGURATION("$5") ")");
    const double numbers[] = {v->value, v->low, v->high, v->p_fail};

    lore_bind_i64(&q, 1, advice);
    lore_bind_text(&q, 2, v->list);
    lore_bind_i64(&q, 3, v->rank);
    lore_bind_text(&q, 4, v->version);
    lore_bind_text(&q, 5, v->from);
    lore_bind_text(&q, 6, v->technique);
    lore_bind_text(&q, 7, v->chip);
    lore_bind_text(&q, 8, v->workload);
    for (int i = 0; i < 4; i++)
        lore_bind_f64(&q, 9 + i, numbers[i]);
    lore_bind_i64(&q, 13, after);
    return lore_done(&q, err);
}

/* Count N more proposals; the count stays when the answer is deleted. TECHNIQUE "": versions to
 * start from. */
static enum lore_status
count(struct lore_db *db, const struct lore_advised *a, const char *technique, int64_t n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO log_advice_served (operator, chip, technique, list, served)"
        " VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (operator, chip, technique, list) DO UPDATE SET served = served + $5");

    lore_bind_text(&q, 1, a->op != NULL ? a->op : "");
    lore_bind_text(&q, 2, a->chip != NULL ? a->chip : "");
    lore_bind_text(&q, 3, technique);
    lore_bind_text(&q, 4, *technique == '\0' ? "start" : "moves");
    lore_bind_i64(&q, 5, n);
    return lore_done(&q, err);
}

enum lore_status
lore_put_advised_versions(
    struct lore_db *db, int64_t advice, const struct lore_advised *in, struct lore_err *err)
{
    int64_t after = 0, starts = 0;
    enum lore_status status = in->n_versions > 0 ? newest_run(db, &after, err) : LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < in->n_versions; i++) {
        const struct lore_advised_version *v = &in->versions[i];
        status = put_version(db, advice, v, after, err);
        starts += !v->from;
        if (status == LORE_OK && v->from)
            status = count(db, in, v->technique, 1, err);
    }
    return status == LORE_OK && starts > 0 ? count(db, in, "", starts, err) : status;
}

enum lore_status
lore_name_advised(struct lore_db *db, struct lore_err *err)
{
    return lore_db_exec(db,
        "UPDATE log_advice_version AS p SET configuration =" LORE_CONFIGURATION(
            "p.version") ", from_configuration =" LORE_CONFIGURATION("p.from_version"),
        err);
}

enum lore_status
lore_db_forget_advised_versions(struct lore_db *db, int64_t advice, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM log_advice_version WHERE advice = $1");

    lore_bind_i64(&q, 1, advice);
    return lore_done(&q, err);
}

#define ROW struct lore_advised_version
static const struct lore_row_member version_members[] = {AT(list), AT(rank), AT(version), AT(from),
    AT(technique), AT(chip), AT(workload), AT(value), AT(low), AT(high), AT(p_fail)};
static const struct lore_row_shape version_rows = {LORE_MEMBERS(version_members)};

enum lore_status
lore_db_list_advised_versions(struct lore_db *db, int64_t advice, struct lore_arena *a,
    struct lore_advised *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT list, rank, version, from_version, technique, chip, workload, value, low, high,"
        " p_fail FROM log_advice_version WHERE advice = $1 ORDER BY list, rank");

    lore_bind_i64(&q, 1, advice);
    return lore_db_collect(&q, &version_rows, a, &out->versions, &out->n_versions, err);
}
