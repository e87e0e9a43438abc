/* Campaigns: series of experiments with a goal. What was planned stays as it was recorded; an
 * amendment is a curation, and what it says about numbers is read beside them. */
#include "db/internal.h"
#include "db/kinds.h"
#include "db/knowledge.h"
#include "db/rest.h"
#include "service/base/text.h"

LORE_KIND_BEFORE(campaign)
{
    const struct lore_campaign *r = record;

    (void)made;
    return lore_reference_targets(c->db, r->targets, r->n_targets, err);
}

#define ARRIVED " (SELECT count(*) FROM fact_experiment_campaign e WHERE e.campaign = t.id)"
#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, x.reason," ARRIVED ", x.rest,"            \
    " (SELECT max(v.received_us) FROM fact_experiment_campaign e"                                  \
    " JOIN fact_experiment i ON i.seq = e.experiment JOIN fact_document v ON v.seq = i.document"   \
    " WHERE e.campaign = t.id)"                                                                    \
    " FROM fact_campaign t JOIN fact_document d ON d.seq = t.document"                             \
    " LEFT JOIN fact_curation x ON x.seq = " LORE_LAST_CURATION("t", "'close'")

/* The number that an amendment gives; *out stays when it gives none. */
static void
amended(const struct lore_kvs *values, const char *key, struct lore_i64 *out)
{
    const char *value = lore_kvs_get(values, key);
    long long v;

    if (value && lore_parse_i64(value, key, &v, NULL) == LORE_OK)
        *out = (struct lore_i64){true, v};
}

/* One amendment after the other: each may give other numbers. */
static enum lore_status
amend(struct lore_db *db, struct lore_arena *a, struct lore_campaign_row *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT c.rest FROM fact_curation_subject s JOIN fact_curation c"
                     " ON c.seq = s.curation WHERE s.subject = $1"
                     " AND c.action = 'amend' AND" LORE_NOT_RETRACTED("c") " ORDER BY c.seq");
    enum lore_status status = LORE_OK;

    out->iterations = out->r.iterations;
    out->expected_records = out->r.expected_records;
    lore_bind_text(&q, 1, out->r.id);
    while (status == LORE_OK && lore_row(&q)) {
        struct lore_submission doc = {0};

        status = lore_rest_read(LORE_K_CURATION, "", lore_col_text(&q, 0, NULL), a, &doc, err);
        if (status != LORE_OK)
            break;
        amended(&doc.curations[0].values, "iterations", &out->iterations);
        amended(&doc.curations[0].values, "expected_records", &out->expected_records);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* The text that a decision gives for what the record leaves open. */
static const char *
said(struct lore_arena *a, const char *recorded, const struct lore_kvs *values, const char *key)
{
    const char *value = lore_kvs_get(values, key);

    return recorded || !value ? recorded : lore_kvs_plain(a, value);
}

/* DECISION: the closing one as stored, NULL when there is none. */
static enum lore_status
close_by(
    const char *decision, struct lore_arena *a, struct lore_campaign_row *out, struct lore_err *err)
{
    struct lore_submission doc = {0};
    const struct lore_kvs none = {0}, *values = &none;
    enum lore_status status = LORE_OK;

    if (decision) {
        status = lore_rest_read(LORE_K_CURATION, "", decision, a, &doc, err);
        if (status != LORE_OK)
            return status;
        values = &doc.curations[0].values;
    }
    out->stop_reason = said(a, out->r.stop_reason, values, "stop_reason");
    out->retrospective = said(a, out->r.retrospective, values, "retrospective");
    return status;
}

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_campaign_row *out = row;
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    out->close_reason = lore_col_text(q, 5, a);
    out->decided = out->close_reason != NULL;
    out->arrived = lore_col_i64(q, 6);
    out->last_us = lore_col_i64(q, 8); /* 0: none */
    if (out->last_us < out->received_us)
        out->last_us = out->received_us;
    status = lore_rest_read(LORE_K_CAMPAIGN, "", out->rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    out->r = doc.campaigns[0];
    out->closed = out->close_reason != NULL || out->r.ended_at || out->r.stop_reason;
    if (!out->close_reason)
        out->close_reason = out->r.stop_reason;
    status = close_by(lore_col_text(q, 7, a), a, out, err);
    return status == LORE_OK ? amend(q->db, a, out, err) : status;
}
static const struct lore_row_shape shape = {sizeof(struct lore_campaign_row), columns, "campaign"};

enum lore_status
lore_db_get_campaign(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_campaign_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_list_campaigns(struct lore_db *db, const char *kernel, struct lore_page page,
    struct lore_arena *a, struct lore_campaign_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR t.kernel = $1)"
                                      " AND ($2 = 0 OR t.seq < $2) ORDER BY t.seq DESC LIMIT $3");

    lore_bind_text(&q, 1, kernel);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

const char *
lore_campaign_alarm(const struct lore_campaign_row *c, int64_t now_us)
{
    if (!c->expected_records.set || c->arrived >= c->expected_records.v)
        return NULL;
    if (c->closed)
        return c->decided ? "closed" : "ended";
    return now_us - c->last_us >= LORE_QUIET_US ? "quiet" : NULL;
}

/* An amendment may expect more than was recorded, so what is amended is looked at, too. */
enum lore_status
lore_db_list_alarms(struct lore_db *db, int64_t now_us, size_t limit, struct lore_arena *a,
    struct lore_campaign_row **out, size_t *n, int64_t *total, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT
        " WHERE (t.expected_records >" ARRIVED " OR EXISTS (SELECT 1 FROM fact_curation_subject s"
        " JOIN fact_curation c ON c.seq = s.curation WHERE s.subject = t.id AND c.action = "
        "'amend')) AND" LORE_NOT_RETRACTED("t") " ORDER BY t.seq DESC LIMIT 2000");
    struct lore_campaign_row *rows = NULL;
    size_t count = 0, cap = 0;
    int64_t found = 0;
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        struct lore_campaign_row row = {0};

        status = columns(&q, a, &row, err);
        if (status != LORE_OK || !lore_campaign_alarm(&row, now_us))
            continue;
        found++;
        if (count < limit)
            *LORE_PUSH(a, rows, count, cap) = row;
    }
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
        *total = found;
    }
    return status;
}
