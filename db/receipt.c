/* Receipts: the service's statement of the records it has from an agent's batch, chained per agent
 * and signed, with the agent's signature over each record. Numbers and chain are made in the
 * transaction that stores the receipt, so two batches never get the same position. */
#include <inttypes.h>
#include <string.h>

#include "db/agent.h"
#include "db/internal.h"
#include "db/put.h"
#include "db/row_hash.h"

/* Copy a blob of exactly N bytes into OUT. */
static bool
take_bytes(struct lore_stmt *q, int col, unsigned char *out, size_t n)
{
    size_t len;
    const void *p = lore_col_blob(q, col, &len, NULL);

    if (len == n)
        memcpy(out, p, n);
    return len == n;
}

/* Find R's position at the end of its agent's chain. */
static enum lore_status
find_place(struct lore_db *db, struct lore_batch_receipt *r, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT number, hash FROM fact_receipt WHERE agent = $1"
                               " ORDER BY number DESC LIMIT 1");

    lore_bind_text(&q, 1, r->agent);
    r->number = 1;
    memset(r->previous, 0, sizeof r->previous);
    if (lore_row(&q)) {
        r->number = lore_col_i64(&q, 0) + 1;
        if (!take_bytes(&q, 1, r->previous, sizeof r->previous))
            return lore_end(
                &q, err, LORE_CORRUPT, "agent %s: its last receipt has no hash", r->agent);
    }
    return lore_done(&q, err);
}

/* Log an event when the key differs from that of the previous receipt. */
static enum lore_status
note_key(struct lore_db *db, const unsigned char key[LORE_PUBLIC_KEY], int64_t now_us,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT service_key FROM fact_receipt ORDER BY seq DESC LIMIT 1");
    unsigned char last[LORE_PUBLIC_KEY];
    bool same =
        lore_row(&q) && take_bytes(&q, 0, last, sizeof last) && memcmp(last, key, sizeof last) == 0;
    enum lore_status status = lore_done(&q, err);
    char text[LORE_PUBLIC_KEY_TEXT];

    if (status != LORE_OK || same)
        return status;
    lore_signing_text(key, LORE_PUBLIC_KEY, text);
    return lore_put_event(
        db, &(struct lore_event){LORE_ACTOR_SERVICE, "service_key", text, key, now_us}, err);
}

static enum lore_status
put_head(struct lore_db *db, const struct lore_batch_receipt *r, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO fact_receipt (agent, number, batch, previous, hash, signature, service_key,"
        " received_us) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (batch) DO NOTHING");

    lore_bind_text(&q, 1, r->agent);
    lore_bind_i64(&q, 2, r->number);
    lore_bind_text(&q, 3, r->batch);
    lore_bind_blob(&q, 4, r->previous, sizeof r->previous);
    lore_bind_blob(&q, 5, r->hash, sizeof r->hash);
    lore_bind_blob(&q, 6, r->signature, sizeof r->signature);
    lore_bind_blob(&q, 7, r->key, sizeof r->key);
    lore_bind_i64(&q, 8, r->received_us);
    lore_row(&q);
    if (q.rc == SQLITE_OK && sqlite3_changes(db->handle) == 0)
        return lore_fail_at(
            err, LORE_CONFLICT, "replayed_batch", "", "batch %s was received before", r->batch);
    *seq = sqlite3_last_insert_rowid(db->handle);
    return lore_done(&q, err);
}

static enum lore_status
put_line(struct lore_db *db, const struct lore_batch_receipt *r, size_t i, int64_t seq,
    struct lore_err *err)
{
    const struct lore_receipt_record *x = &r->records[i];
    const char state[2] = {x->line.state, '\0'};
    LORE_STMT q = lore_sql(db,
        "INSERT INTO fact_receipt_line (receipt, position, agent, record, hash, signature, state,"
        " document, code) VALUES ($1, $2, $3, $4, $5, $6, $7,"
        " (SELECT seq FROM fact_document WHERE id = $8), $9)");

    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, (int64_t)i);
    lore_bind_text(&q, 3, r->agent);
    lore_bind_i64(&q, 4, (int64_t)x->line.seq);
    lore_bind_blob(&q, 5, x->line.hash, sizeof x->line.hash);
    lore_bind_blob(&q, 6, x->signature, sizeof x->signature);
    lore_bind_text(&q, 7, state);
    lore_bind_text(&q, 8, x->document);
    lore_bind_text(&q, 9, x->code);
    return lore_done(&q, err);
}

static void
hash_receipt(const struct lore_batch_receipt *r, unsigned char out[32])
{
    struct lore_receipt_line lines[LORE_BATCH_RECORDS];

    for (size_t i = 0; i < r->n; i++)
        lines[i] = r->records[i].line;
    lore_receipt_hash(
        &(struct lore_receipt_head){r->previous, r->agent, r->batch, (uint64_t)r->number}, lines,
        r->n, out);
}

/* Store R, which is complete. */
static enum lore_status
put_complete(
    struct lore_db *db, const struct lore_batch_receipt *r, const char *actor, struct lore_err *err)
{
    int64_t seq = 0;
    enum lore_status status = note_key(db, r->key, r->received_us, err);

    if (status == LORE_OK)
        status = put_head(db, r, &seq, err);
    for (size_t i = 0; i < r->n && status == LORE_OK; i++)
        status = put_line(db, r, i, seq, err);
    if (status == LORE_OK)
        status = lore_put_event(
            db, &(struct lore_event){actor, "receipt", r->batch, r->hash, r->received_us}, err);
    if (status == LORE_OK)
        status = lore_row_hash_vouch(db, LORE_VOUCHED_RECEIPT, r->batch, r->received_us, err);
    return status;
}

enum lore_status
lore_put_receipt(struct lore_db *db, const unsigned char secret[LORE_SECRET_KEY],
    struct lore_batch_receipt *r, const char *actor, int64_t now_us, struct lore_err *err)
{
    enum lore_status status = find_place(db, r, err);

    if (status != LORE_OK)
        return status;
    r->received_us = now_us;
    hash_receipt(r, r->hash);
    lore_signing_receipt(secret, r->hash, r->signature);
    return put_complete(db, r, actor, err);
}

enum lore_status
lore_put_signed_receipt(
    struct lore_db *db, const struct lore_batch_receipt *r, const char *actor, struct lore_err *err)
{
    struct lore_batch_receipt place = *r;
    unsigned char hash[32];
    enum lore_status status = find_place(db, &place, err);

    if (status != LORE_OK)
        return status;
    hash_receipt(r, hash);
    if (place.number != r->number || memcmp(hash, r->hash, sizeof hash) != 0 ||
        memcmp(place.previous, r->previous, sizeof r->previous) != 0)
        return lore_fail(err, LORE_CORRUPT,
            "receipt %" PRId64 " of agent %s: it does not follow from the receipts before it",
            r->number, r->agent);
    return put_complete(db, r, actor, err);
}

enum lore_status
lore_db_batch_used(struct lore_db *db, const char *batch, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM fact_receipt WHERE batch = $1");

    lore_bind_text(&q, 1, batch);
    *out = lore_row(&q);
    return lore_done(&q, err);
}

enum lore_status
lore_db_find_signed(struct lore_db *db, const char *agent, uint64_t seq, struct lore_arena *a,
    struct lore_signed *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT l.hash, d.id FROM fact_receipt_line l JOIN fact_document d ON d.seq = l.document"
        " WHERE l.agent = $1 AND l.record = $2 AND l.state <> 'r' ORDER BY l.receipt LIMIT 1");

    out->document = NULL;
    lore_bind_text(&q, 1, agent);
    lore_bind_i64(&q, 2, (int64_t)seq);
    if (lore_row(&q)) {
        if (!take_bytes(&q, 0, out->hash, sizeof out->hash))
            return lore_end(
                &q, err, LORE_CORRUPT, "agent %s, record %" PRIu64 ": no hash", agent, seq);
        out->document = lore_col_text(&q, 1, a);
    }
    return lore_done(&q, err);
}

/* ---- reading back ---- */

static enum lore_status
read_lines(struct lore_db *db, int64_t seq, struct lore_arena *a, struct lore_batch_receipt *r,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT l.record, l.hash, l.signature, l.state, d.id, l.code FROM fact_receipt_line l"
        " LEFT JOIN fact_document d ON d.seq = l.document WHERE l.receipt = $1 ORDER BY "
        "l.position");
    size_t cap = 0;

    lore_bind_i64(&q, 1, seq);
    while (lore_row(&q)) {
        struct lore_receipt_record *x = LORE_PUSH(a, r->records, r->n, cap);
        const char *state = lore_col_text(&q, 3, NULL);

        x->line.seq = (uint64_t)lore_col_i64(&q, 0);
        x->line.state = state != NULL ? state[0] : '?';
        x->document = lore_col_text(&q, 4, a);
        x->code = lore_col_text(&q, 5, a);
        if (!take_bytes(&q, 1, x->line.hash, sizeof x->line.hash) ||
            !take_bytes(&q, 2, x->signature, sizeof x->signature))
            return lore_end(&q, err, LORE_CORRUPT,
                "receipt %" PRId64 " of agent %s: record %" PRIu64
                " has a damaged hash or signature",
                r->number, r->agent, x->line.seq);
    }
    return lore_done(&q, err);
}

#define ROW struct lore_batch_receipt
static const struct lore_row_member receipt_members[] = {
    AT(agent), AT(number), AT(batch), AT(received_us)};
enum { SEQ = sizeof receipt_members / sizeof *receipt_members, PREVIOUS, HASH, SIGNATURE, KEY };

static enum lore_status
add_proof(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_batch_receipt *r = row;

    if (!take_bytes(q, PREVIOUS, r->previous, sizeof r->previous) ||
        !take_bytes(q, HASH, r->hash, sizeof r->hash) ||
        !take_bytes(q, SIGNATURE, r->signature, sizeof r->signature) ||
        !take_bytes(q, KEY, r->key, sizeof r->key))
        return lore_fail(err, LORE_CORRUPT,
            "receipt %" PRId64 " of agent %s: a damaged hash, signature or key", r->number,
            r->agent);
    return read_lines(q->db, lore_col_i64(q, SEQ), a, r, err);
}

static const struct lore_row_shape receipt_rows = {
    LORE_MEMBERS(receipt_members), .more = add_proof};

enum lore_status
lore_db_list_receipts(struct lore_db *db, const struct lore_receipt_part *part,
    struct lore_arena *a, struct lore_batch_receipt **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT agent, number, batch, received_us, seq, previous, hash, signature, service_key"
        " FROM fact_receipt WHERE agent = $1 AND number > $2 ORDER BY number LIMIT $3");

    lore_bind_text(&q, 1, part->agent);
    lore_bind_i64(&q, 2, part->after);
    lore_bind_i64(&q, 3, (int64_t)part->most);
    return lore_db_collect(&q, &receipt_rows, a, out, n, err);
}
