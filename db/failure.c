/* Failures: the errors of runs, their failed checks, and the pitfalls of experiments. Both are in
 * `rest`, so each record is decoded; their number is limited (failure.h). */
#include "db/failure.h"
#include "db/internal.h"
#include "db/rest.h"
#include "service/base/text.h"

/* Conditions on the experiment E, which may be missing, and its document D. */
#define OF_WHOM                                                                                    \
    " ($3 IS NULL OR e.seq IN (SELECT experiment FROM fact_experiment_campaign"                    \
    "  WHERE campaign = $3)) AND ($4 IS NULL OR coalesce(e.author, d.author) = $4)"                \
    " AND d.received_us >= $5"

static void
bind(struct lore_stmt *q, const struct lore_failure_filter *by)
{
    lore_bind_text(q, 1, by->error_type);
    lore_bind_text(q, 2, by->kernel);
    lore_bind_text(q, 3, by->campaign);
    lore_bind_text(q, 4, by->author);
    lore_bind_i64(q, 5, by->since_us);
    lore_bind_i64(q, 6, (int64_t)by->limit);
}

/* How run R failed: as stated, else by its check; NULL: it did not. */
#define FAILED_BY                                                                                  \
    "coalesce(r.error_type, CASE r.correctness WHEN 'fail' THEN 'accuracy'"                        \
    " WHEN 'timeout' THEN 'timeout' END)"

static enum lore_status
of_runs(struct lore_db *db, const struct lore_failure_filter *by, struct lore_arena *a,
    struct lore_failures *f, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT r.id, r.rest, d.received_us, " FAILED_BY ", e.id FROM fact_run r"
        " JOIN fact_document d ON d.seq = r.document"
        " LEFT JOIN fact_experiment e ON e.seq = (SELECT max(x.experiment)"
        "  FROM fact_experiment_run x WHERE x.run = r.id)"
        " WHERE " FAILED_BY " IS NOT NULL AND ($1 IS NULL OR " FAILED_BY " = $1) AND ($2 IS NULL"
        "  OR $2 = (SELECT v.kernel FROM fact_version v WHERE v.id = r.version)) AND" OF_WHOM
        " AND r.seq > (SELECT max(seq) - 20000 FROM fact_run) AND" LORE_RUN_COUNTS(
            "r") " ORDER BY r.seq DESC LIMIT $6");
    enum lore_status status = LORE_OK;

    bind(&q, by);
    while (status == LORE_OK && lore_row(&q)) {
        struct lore_submission doc = {0};
        struct lore_failure_row *row = LORE_PUSH(a, f->rows, f->n, f->cap);
        const char *rest = lore_col_text(&q, 1, NULL);

        *row = (struct lore_failure_row){.run = lore_col_text(&q, 0, a),
            .experiment = lore_col_text(&q, 4, a),
            .at_us = lore_col_i64(&q, 2),
            .p.type = lore_col_text(&q, 3, a)};
        if (!rest)
            continue;
        status = lore_rest_read(LORE_K_RUN, LORE_REST_RUN, rest, a, &doc, err);
        if (status != LORE_OK)
            break;
        row->p.stage = doc.runs[0].error.stage;
        row->p.code = doc.runs[0].error.code;
        row->p.message =
            doc.runs[0].error.message ? doc.runs[0].error.message : doc.runs[0].correctness.message;
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
of_experiments(struct lore_db *db, const struct lore_failure_filter *by, struct lore_arena *a,
    struct lore_failures *f, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.id, e.rest, d.received_us, $1 FROM fact_experiment e"
        " JOIN fact_document d ON d.seq = e.document WHERE ($2 IS NULL OR $2 = e.kernel) "
        "AND" OF_WHOM " AND e.seq > (SELECT max(seq) - 20000 FROM fact_experiment)"
        " AND e.rest LIKE '%\"pitfalls\":[{%' AND" LORE_NOT_RETRACTED(
            "e") " ORDER BY e.seq DESC LIMIT $6");
    enum lore_status status = LORE_OK;

    bind(&q, by);
    while (status == LORE_OK && lore_row(&q)) {
        struct lore_submission doc = {0};
        const char *id = lore_col_text(&q, 0, a);

        status = lore_rest_read(
            LORE_K_EXPERIMENT, LORE_REST_EXPERIMENT, lore_col_text(&q, 1, NULL), a, &doc, err);
        for (size_t i = 0; status == LORE_OK && i < doc.experiments[0].n_pitfalls; i++) {
            const struct lore_pitfall *p = &doc.experiments[0].pitfalls[i];

            if (!by->error_type || lore_streq(p->type, by->error_type))
                *LORE_PUSH(a, f->rows, f->n, f->cap) = (struct lore_failure_row){
                    .p = *p, .experiment = id, .at_us = lore_col_i64(&q, 2)};
        }
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_db_list_failures(struct lore_db *db, const struct lore_failure_filter *by,
    struct lore_arena *a, struct lore_failures *out, struct lore_err *err)
{
    struct lore_failures found = {0};
    enum lore_status status = of_runs(db, by, a, &found, err);

    if (status == LORE_OK)
        status = of_experiments(db, by, a, &found, err);
    if (status == LORE_OK)
        *out = found;
    return status;
}
