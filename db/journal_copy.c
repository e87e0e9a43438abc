/* Walks the chain of events. A submission, a receipt and a refusal are acknowledged; decisions are
 * part of their documents. The other events follow from these, or concern this database alone. */
#include "db/journal_copy.h"

#include <string.h>

#include "db/db.h"
#include "db/internal.h"

static enum lore_status
copy_document(
    struct lore_db *db, const char *id, lore_acknowledged_fn *fn, void *ctx, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT d.zstd, d.actor, d.received_us, o.owner FROM fact_document d"
                     " LEFT JOIN fact_document_owner o ON o.document = d.seq WHERE d.id = $1");
    LORE_SCRATCH a = {0};
    struct lore_acknowledged x = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "document %s: its event is there, it is not", id);
    x.packed = lore_col_blob(&q, 0, &x.len, NULL);
    x.actor = lore_col_text(&q, 1, &a);
    x.at_us = lore_col_i64(&q, 2);
    x.owner = lore_col_text(&q, 3, &a);
    status = fn(ctx, &x, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
copy_receipt(struct lore_db *db, const struct lore_event *e, lore_acknowledged_fn *fn, void *ctx,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT agent, number FROM fact_receipt WHERE batch = $1");
    LORE_SCRATCH a = {0};
    struct lore_batch_receipt *found = NULL;
    struct lore_receipt_part part = {.most = 1};
    size_t n = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, e->subject);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "receipt of batch %s: its event is there, it is not",
            e->subject);
    part.agent = lore_col_text(&q, 0, &a);
    part.after = lore_col_i64(&q, 1) - 1;
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = lore_db_list_receipts(db, &part, &a, &found, &n, err);
    if (status != LORE_OK || n != 1)
        return status;
    return fn(ctx,
        &(struct lore_acknowledged){.actor = e->actor, .at_us = e->at_us, .receipt = found}, err);
}

static enum lore_status
copy_event(struct lore_db *db, const struct lore_event *e, lore_acknowledged_fn *fn, void *ctx,
    struct lore_err *err)
{
    if (strcmp(e->kind, "submission") == 0)
        return copy_document(db, e->subject, fn, ctx, err);
    if (strcmp(e->kind, "receipt") == 0)
        return copy_receipt(db, e, fn, ctx, err);
    if (strcmp(e->kind, "batch_refused") != 0)
        return LORE_OK;
    return fn(
        ctx, &(struct lore_acknowledged){.actor = e->actor, .at_us = e->at_us, .event = e}, err);
}

enum lore_status
lore_db_acknowledged(struct lore_db *db, lore_acknowledged_fn *fn, void *ctx, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT actor, kind, subject, detail, at_us FROM fact_event ORDER BY seq");
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        size_t len;
        struct lore_event e;

        lore_arena_reset(&a);
        e = (struct lore_event){.actor = lore_col_text(&q, 0, &a),
            .kind = lore_col_text(&q, 1, &a),
            .subject = lore_col_text(&q, 2, &a),
            .detail = lore_col_blob(&q, 3, &len, &a),
            .at_us = lore_col_i64(&q, 4)};
        if (len != 32)
            return lore_fail(err, LORE_CORRUPT, "an event has a detail of %zu bytes", len);
        status = copy_event(db, &e, fn, ctx, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}
