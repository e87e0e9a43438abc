/* The event log: submissions, decisions, agents, receipts, service keys, migrations and rebuilds.
 * Each row is hashed together with the hash of the previous row, which reveals a row that was
 * edited or removed.
 *
 *   hash = BLAKE2b-256(previous hash, seq and at_us as little-endian 64 bit,
 *                      actor 0 kind 0 subject 0 detail)
 *
 * The first previous hash is 32 zero bytes. The chain proves order and integrity, not
 * authorship. */
#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "db/internal.h"
#include "db/put.h"
#include "db/read.h"
#include "db/rows.h"

static void
chain(const unsigned char previous[32], const struct lore_event_row *e, const void *detail,
    size_t detail_len, unsigned char out[32])
{
    const char *texts[] = {e->actor, e->kind, e->subject};
    int64_t numbers[] = {e->seq, e->at_us};
    crypto_generichash_state state;

    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "hashed as they lie in memory");
    crypto_generichash_init(&state, NULL, 0, 32);
    crypto_generichash_update(&state, previous, 32);
    crypto_generichash_update(&state, (const unsigned char *)numbers, sizeof numbers);
    for (size_t i = 0; i < 3; i++)
        crypto_generichash_update(&state, (const unsigned char *)texts[i], strlen(texts[i]) + 1);
    crypto_generichash_update(&state, detail, detail_len);
    crypto_generichash_final(&state, out, 32);
}

void
lore_submission_detail(const unsigned char hash[32], const char *owner, unsigned char out[32])
{
    crypto_generichash_state state;

    memcpy(out, hash, 32);
    if (!owner)
        return;
    crypto_generichash_init(&state, NULL, 0, 32);
    crypto_generichash_update(&state, hash, 32);
    crypto_generichash_update(&state, (const unsigned char *)owner, strlen(owner));
    crypto_generichash_final(&state, out, 32);
}

enum lore_status
lore_db_head(struct lore_db *db, int64_t upto, struct lore_chain_head *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, hash FROM fact_event WHERE seq <= $1"
                               " ORDER BY seq DESC LIMIT 1");
    const void *hash;
    size_t len = 0;

    *out = (struct lore_chain_head){0};
    lore_bind_i64(&q, 1, upto);
    if (lore_row(&q)) {
        hash = lore_col_blob(&q, 1, &len, NULL);
        if (len != sizeof out->hash)
            return lore_end(&q, err, LORE_CORRUPT, "event log: the last hash is not 32 bytes");
        memcpy(out->hash, hash, sizeof out->hash);
        out->seq = lore_col_i64(&q, 0);
    }
    return lore_done(&q, err);
}

static enum lore_status
know_last(struct lore_db *db, struct lore_err *err)
{
    struct lore_chain_head head;
    enum lore_status status;

    if (db->event_known)
        return LORE_OK;
    status = lore_db_head(db, INT64_MAX, &head, err);
    if (status != LORE_OK)
        return status;
    db->event_seq = head.seq;
    memcpy(db->event_hash, head.hash, sizeof db->event_hash);
    db->event_known = true;
    return LORE_OK;
}

enum lore_status
lore_put_event(struct lore_db *db, const struct lore_event *in, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO fact_event (seq, at_us, actor, kind, subject, detail,"
                               " hash) VALUES ($1, $2, $3, $4, $5, $6, $7)");
    struct lore_event_row e = {
        .at_us = in->at_us, .actor = in->actor, .kind = in->kind, .subject = in->subject};
    unsigned char hash[32];
    enum lore_status status = know_last(db, err);

    if (status != LORE_OK)
        return status;
    e.seq = db->event_seq + 1;
    chain(db->event_hash, &e, in->detail, 32, hash);
    lore_bind_i64(&q, 1, e.seq);
    lore_bind_i64(&q, 2, e.at_us);
    lore_bind_text(&q, 3, e.actor);
    lore_bind_text(&q, 4, e.kind);
    lore_bind_text(&q, 5, e.subject);
    lore_bind_blob(&q, 6, in->detail, 32);
    lore_bind_blob(&q, 7, hash, 32);
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        db->event_seq = e.seq;
        memcpy(db->event_hash, hash, 32);
    }
    return status;
}

#define ROW struct lore_event_row
static const struct lore_row_member members[] = {
    AT(seq), AT(at_us), AT(actor), AT(kind), AT(subject)};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};
enum { DETAIL = sizeof members / sizeof *members, HASH };

enum lore_status
lore_db_verify_events(struct lore_db *db, int64_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        db, "SELECT seq, at_us, actor, kind, subject, detail, hash FROM fact_event ORDER BY seq");
    unsigned char last[32] = {0}, hash[32];
    int64_t count = 0;
    enum lore_status status;

    while (lore_row(&q)) {
        struct lore_event_row e;
        size_t detail_len, hash_len;
        const void *detail = lore_col_blob(&q, DETAIL, &detail_len, NULL);
        const void *stored = lore_col_blob(&q, HASH, &hash_len, NULL);

        lore_row_fill(&q, &shape, NULL, &e);
        chain(last, &e, detail, detail_len, hash);
        if (e.seq != count + 1 || hash_len != 32 || memcmp(stored, hash, 32) != 0)
            return lore_fail(err, LORE_CORRUPT,
                "event %" PRId64 ": its hash does not follow from event %" PRId64, e.seq, count);
        memcpy(last, hash, 32);
        count++;
    }
    status = lore_done(&q, err);
    if (status == LORE_OK)
        *n = count;
    return status;
}

enum lore_status
lore_db_list_events(struct lore_db *db, struct lore_page page, struct lore_arena *a,
    struct lore_event_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, at_us, actor, kind, subject FROM fact_event"
                               " WHERE $1 = 0 OR seq < $1 ORDER BY seq DESC LIMIT $2");

    lore_bind_i64(&q, 1, page.before);
    lore_bind_i64(&q, 2, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}
