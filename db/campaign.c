/* Campaigns: series of experiments with a goal. The plan stays as recorded. An amendment is a
 * curation; its numbers fill separate members of struct lore_campaign_row. */
#include "db/internal.h"
#include "db/kinds.h"
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
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, x.reason, x.id," ARRIVED ","              \
    " max(d.received_us, coalesce((SELECT max(v.received_us) FROM fact_experiment_campaign e"      \
    " JOIN fact_experiment i ON i.seq = e.experiment JOIN fact_document v ON v.seq = i.document"   \
    " WHERE e.campaign = t.id), 0)), x.rest"                                                       \
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

/* Apply the amendments in order: a later one overrides the numbers of an earlier one. */
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

/* The recorded text, or else the text of the closing decision. */
static const char *
text_or_decision(
    struct lore_arena *a, const char *recorded, const struct lore_kvs *values, const char *key)
{
    const char *value = lore_kvs_get(values, key);

    return recorded || !value ? recorded : lore_kvs_plain(a, value);
}

/* Fill stop reason and retrospective. DECISION: the closing curation as stored, or NULL. */
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
    out->stop_reason = text_or_decision(a, out->r.stop_reason, values, "stop_reason");
    out->retrospective = text_or_decision(a, out->r.retrospective, values, "retrospective");
    return status;
}

#define ROW struct lore_campaign_row
static const struct lore_row_member members[] = {
    LORE_KNOWN_MEMBERS, AT(close_reason), AT(decision), AT(arrived), AT(last_us)};
enum { DECISION = sizeof members / sizeof *members };

static enum lore_status
add_standing(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_campaign_row *out = row;
    enum lore_status status;

    out->closed = out->close_reason != NULL || out->r.ended_at || out->r.stop_reason;
    if (!out->close_reason)
        out->close_reason = out->r.stop_reason;
    status = close_by(lore_col_text(q, DECISION, a), a, out, err);
    return status == LORE_OK ? amend(q->db, a, out, err) : status;
}

const struct lore_row_shape lore_campaign_rows = {LORE_MEMBERS(members), .noun = "campaign",
    LORE_RECORD(LORE_K_CAMPAIGN, LORE_DECODE_LISTS, r), .more = add_standing,
    .get = LORE_LITERAL(SELECT " WHERE t.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE ($kernel IS NULL OR t.kernel = $kernel)"
                                " AND ($name IS NULL OR t.label = $name)" LORE_PAGE("t"))};

const char *
lore_campaign_alarm(const struct lore_campaign_row *c, int64_t now_us)
{
    if (!c->expected_records.set || c->arrived >= c->expected_records.v)
        return NULL;
    if (c->closed)
        return c->decision ? "closed" : "ended";
    return now_us - c->last_us >= LORE_QUIET_US ? "quiet" : NULL;
}

/* An amendment may raise the expected number, so the query includes every amended campaign. */
enum lore_status
lore_db_list_alarms(struct lore_db *db, int64_t now_us, size_t limit, struct lore_arena *a,
    struct lore_alarms *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT
        " WHERE (t.expected_records >" ARRIVED " OR EXISTS (SELECT 1 FROM fact_curation_subject s"
        " JOIN fact_curation c ON c.seq = s.curation WHERE s.subject = t.id AND c.action = "
        "'amend')) AND" LORE_NOT_RETRACTED("t") " ORDER BY t.seq DESC LIMIT 2000");
    struct lore_alarms found = {0};
    size_t n = 0;
    enum lore_status status = lore_db_collect(&q, &lore_campaign_rows, a, &found.rows, &n, err);

    for (size_t i = 0; status == LORE_OK && i < n; i++)
        if (lore_campaign_alarm(&found.rows[i], now_us) && found.total++ < (int64_t)limit)
            found.rows[found.n++] = found.rows[i];
    if (status == LORE_OK)
        *out = found;
    return status;
}
