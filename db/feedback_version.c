/* Remembering the versions that an answer proposed, and linking what was tried of them later. A run
 * of the version on that chip and workload is the outcome of the newest answer that proposed to
 * start from it there; an experiment between the two versions is that of a proposed change. As with
 * techniques (feedback_link.c) only what was in the database before counts, so that a rebuild links
 * the same. */
#include "feedback_version.h"

#include "internal.h"

/* Outcomes that are kept of one proposal: the first that says something counts, and some may be
 * retracted. */
#define TRIALS_MAX "8"
#define DAY_US "86400000000"
/* The chip of proposal P is C, or names no more than C's ISA. */
#define ON_CHIP " p.chip IN (c.name, c.isa)"
#define LINK_NEWEST                                                                                \
    " ORDER BY p.advice DESC, p.list, p.rank LIMIT 1) q WHERE (SELECT count(*)"                    \
    " FROM drv_advice_trial t WHERE t.advice = q.advice AND t.list = q.list AND t.rank = q.rank)"  \
    " < " TRIALS_MAX " ON CONFLICT (advice, list, rank, record) DO NOTHING"

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
        " chip, workload, value, low, high, p_fail, after_run)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)");
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

/* N more were proposed: kept when the answer is forgotten. TECHNIQUE "": versions to start from. */
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
        starts += v->from == NULL;
        if (status == LORE_OK && v->from != NULL)
            status = count(db, in, v->technique, 1, err);
    }
    return status == LORE_OK && starts > 0 ? count(db, in, "", starts, err) : status;
}

enum lore_status
lore_forget_advised_versions(struct lore_db *db, int64_t advice, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM log_advice_version WHERE advice = $1");

    lore_bind_i64(&q, 1, advice);
    return lore_done(&q, err);
}

enum lore_status
lore_list_advised_versions(struct lore_db *db, int64_t advice, struct lore_arena *a,
    struct lore_advised *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT list, rank, version, from_version, technique, chip, workload, value, low, high,"
        " p_fail FROM log_advice_version WHERE advice = $1 ORDER BY list, rank");
    size_t cap = 0;

    lore_bind_i64(&q, 1, advice);
    while (lore_row(&q))
        *LORE_PUSH(a, out->versions, out->n_versions, cap) =
            (struct lore_advised_version){.list = lore_col_text(&q, 0, a),
                .rank = lore_col_i64(&q, 1),
                .version = lore_col_text(&q, 2, a),
                .from = lore_col_text(&q, 3, a),
                .technique = lore_col_text(&q, 4, a),
                .chip = lore_col_text(&q, 5, a),
                .workload = lore_col_text(&q, 6, a),
                .value = lore_col_f64(&q, 7),
                .low = lore_col_f64(&q, 8),
                .high = lore_col_f64(&q, 9),
                .p_fail = lore_col_f64(&q, 10)};
    return lore_done(&q, err);
}

enum lore_status
lore_link_start(struct lore_db *db, int64_t run, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_advice_trial (advice, list, rank, record)"
        " SELECT q.advice, q.list, q.rank, $1 FROM (SELECT p.advice, p.list, p.rank"
        " FROM drv_run_entry y CROSS JOIN log_advice_version p ON p.version = y.version"
        " CROSS JOIN cat_chip c ON c.name = y.chip CROSS JOIN log_advice v ON v.seq = p.advice"
        " CROSS JOIN fact_run r ON r.seq = y.seq CROSS JOIN fact_document d ON d.seq = r.document"
        " WHERE y.seq = $1 AND p.from_version IS NULL AND" ON_CHIP
        " AND (p.workload IS NULL OR p.workload = y.workload) AND y.evidence <> 'imported'"
        " AND p.after_run < y.seq AND v.until_us >= d.received_us"
        " AND v.served_us <= y.at_us + " DAY_US LINK_NEWEST);

    lore_bind_i64(&q, 1, run);
    return lore_done(&q, err);
}

enum lore_status
lore_link_all_starts(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT y.seq FROM drv_run_entry y WHERE y.version IN"
                               " (SELECT version FROM log_advice_version) ORDER BY y.seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q))
        status = lore_link_start(db, lore_col_i64(&q, 0), err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_link_move(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_advice_trial (advice, list, rank, record)"
        " SELECT q.advice, q.list, q.rank, $1 FROM (SELECT p.advice, p.list, p.rank"
        " FROM fact_experiment e CROSS JOIN log_advice_version p ON p.version = e.to_version"
        " CROSS JOIN cat_chip c ON c.name = e.chip CROSS JOIN log_advice v ON v.seq = p.advice"
        " CROSS JOIN fact_document d ON d.seq = e.document"
        " WHERE e.seq = $1 AND p.from_version = e.from_version AND" ON_CHIP
        " AND (p.workload IS NULL OR p.workload = e.workload) AND e.evidence <> 'imported'"
        " AND v.after_experiment < e.seq AND v.until_us >= d.received_us"
        " AND v.served_us <= coalesce(e.happened_us, d.received_us) + " DAY_US LINK_NEWEST);

    lore_bind_i64(&q, 1, experiment);
    return lore_done(&q, err);
}
