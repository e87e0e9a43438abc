/* Documents against their hashes and the event log. Both are read in order, side by side: the log
 * has one event per document, written in the same transaction. */
#include <inttypes.h>
#include <string.h>

#include "db/internal.h"
#include "db/put.h"
#include "db/read.h"
#include "db/verify.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

enum { SEQ, ID, HASH, ZSTD, BYTES, RECEIVED, ACTOR, OWNER };
enum { EVENT_SUBJECT, EVENT_ACTOR, EVENT_AT, EVENT_DETAIL };

static enum lore_status
differs(const char *id, const char *what, struct lore_err *err)
{
    return lore_fail_at(err, LORE_CORRUPT, "document_damaged", "", "document %s: %s", id, what);
}

/* Whether the event stands for the document with HASH. Before owners were part of it, the detail
 * was the hash of the document alone. */
static bool
is_event_of(struct lore_stmt *e, const char *owner, const unsigned char hash[32])
{
    unsigned char detail[32];
    size_t len;
    const void *stored = lore_col_blob(e, EVENT_DETAIL, &len, NULL);

    lore_submission_detail(hash, owner, detail);
    return len == 32 && (memcmp(stored, detail, 32) == 0 || memcmp(stored, hash, 32) == 0);
}

static enum lore_status
check_event(struct lore_stmt *e, const struct lore_verified_document *d,
    const unsigned char hash[32], struct lore_err *err)
{
    if (!lore_row(e))
        return e->rc == SQLITE_OK ? differs(d->id, "the event log does not have it", err)
                                  : lore_done(e, err);
    if (!lore_streq(lore_col_text(e, EVENT_SUBJECT, NULL), d->id) ||
        !is_event_of(e, d->owner, hash))
        return differs(d->id, "the event log has another document, or another owner of it", err);
    if (!lore_streq(lore_col_text(e, EVENT_ACTOR, NULL), d->actor) ||
        lore_col_i64(e, EVENT_AT) != d->received_us)
        return differs(d->id, "its actor or time differs from the event log", err);
    return LORE_OK;
}

static enum lore_status
check_bytes(struct lore_stmt *q, const struct lore_verified_document *d, struct lore_buf *text,
    unsigned char hash[32], struct lore_err *err)
{
    char hex[LORE_HASH_HEX];
    struct lore_err why = {0};

    lore_buf_reset(text);
    if (lore_zstd_unpack(d->packed, d->len, text, &why) != LORE_OK)
        return differs(d->id, "its bytes cannot be unpacked", err);
    lore_hash(text->data ? text->data : "", text->len, hash);
    lore_hex(hash, 32, hex);
    if (!lore_streq(hex, lore_col_text(q, HASH, NULL)) ||
        (int64_t)text->len != lore_col_i64(q, BYTES))
        return differs(d->id, "its bytes are not those that arrived", err);
    return LORE_OK;
}

enum lore_status
lore_db_verify_blobs(struct lore_db *db, int64_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT hash FROM fact_blob ORDER BY hash");
    LORE_BUF bytes = {0};
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    for (*n = 0; status == LORE_OK && lore_row(&q); ++*n) {
        struct lore_err why = {0};
        const char *hash = lore_col_text(&q, 0, NULL);

        lore_buf_reset(&bytes);
        status = lore_db_get_blob(db, hash, &bytes, NULL, &a, &why);
        if (status != LORE_OK)
            return lore_fail_at(
                err, LORE_CORRUPT, "blob_damaged", "", "blob %s: %.120s", hash, why.msg);
        lore_arena_reset(&a);
    }
    return lore_done(&q, err);
}

enum lore_status
lore_db_verify_documents(
    struct lore_db *db, lore_verified_fn *fn, void *ctx, int64_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT d.seq, d.id, d.hash, d.zstd, d.bytes, d.received_us, d.actor, o.owner"
                     " FROM fact_document d LEFT JOIN fact_document_owner o ON o.document = d.seq"
                     " ORDER BY d.seq");
    LORE_STMT events = lore_sql(db, "SELECT subject, actor, at_us, detail FROM fact_event"
                                    " WHERE kind = 'submission' ORDER BY seq");
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    for (*n = 0; status == LORE_OK && lore_row(&q); ++*n) {
        struct lore_verified_document d = {.seq = lore_col_i64(&q, SEQ),
            .id = lore_col_text(&q, ID, &a),
            .actor = lore_col_text(&q, ACTOR, &a),
            .owner = lore_col_text(&q, OWNER, &a),
            .received_us = lore_col_i64(&q, RECEIVED)};
        unsigned char hash[32];

        d.packed = lore_col_blob(&q, ZSTD, &d.len, NULL);
        status = check_bytes(&q, &d, &text, hash, err);
        if (status == LORE_OK)
            status = check_event(&events, &d, hash, err);
        if (status == LORE_OK)
            status = fn(ctx, &d, err);
        lore_arena_reset(&a);
    }
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK && lore_row(&events))
        return differs(
            lore_col_text(&events, EVENT_SUBJECT, NULL), "only the event log has it", err);
    return status == LORE_OK ? lore_done(&events, err) : status;
}
