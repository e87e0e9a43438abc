/* Verifies receipts and signed records. Every agent's chain is checked from its start, with every
 * signature, and every stored document is hashed again. The chain of events is checked before
 * (event.c) and must name the same keys, receipts and hashes, so that neither can be changed,
 * extended or shortened alone. */
#include <inttypes.h>
#include <string.h>

#include "db/agent.h"
#include "db/internal.h"
#include "db/migrate.h"
#include "db/read.h"
#include "db/row_hash.h"
#include "service/base/file.h"
#include "service/base/hash.h"

#define AT_ONCE 64 /* receipts in memory */

struct walk {
    struct lore_db *db;
    struct lore_arena arena;
    struct lore_buf text; /* of the present document */
    int64_t receipts, records;
};

/* Run Q, which searches for a fault; LORE_CORRUPT names WHAT and the subject it finds. */
static enum lore_status
find_fault(struct lore_stmt *q, const char *what, struct lore_err *err)
{
    const char *subject;

    if (!lore_row(q))
        return lore_done(q, err);
    subject = lore_col_text(q, 0, NULL);
    return lore_end(q, err, LORE_CORRUPT, "%s: %s", subject != NULL ? subject : "?", what);
}

/* Check that facts and events agree on agents, keys and receipts. */
static enum lore_status
check_events(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT agents =
        lore_sql(db, "SELECT id, public_key FROM fact_agent EXCEPT"
                     " SELECT subject, detail FROM fact_event WHERE kind = 'agent_enrolled'");
    LORE_STMT lost =
        lore_sql(db, "SELECT subject, detail FROM fact_event WHERE kind = 'receipt' EXCEPT"
                     " SELECT batch, hash FROM fact_receipt");
    LORE_STMT added =
        lore_sql(db, "SELECT batch, hash FROM fact_receipt EXCEPT"
                     " SELECT subject, detail FROM fact_event WHERE kind = 'receipt'");
    LORE_STMT keys = lore_sql(db,
        "SELECT 'the service''s key', k.service_key FROM (SELECT service_key FROM fact_receipt"
        " EXCEPT SELECT detail FROM fact_event WHERE kind = 'service_key') k");
    enum lore_status status =
        find_fault(&agents, "the event log has no enrollment of this agent with this key", err);

    if (status == LORE_OK)
        status = find_fault(&lost, "the receipt of this batch differs from the event log", err);
    if (status == LORE_OK)
        status = find_fault(&added, "the event log has no such receipt of this batch", err);
    return status == LORE_OK
               ? find_fault(
                     &keys, "a receipt is signed with a key that is not in the event log", err)
               : status;
}

/* Hash the stored bytes of document ID; *whole: they are the bytes as received. */
static enum lore_status
hash_document(
    struct walk *w, const char *id, unsigned char hash[32], bool *whole, struct lore_err *err)
{
    struct lore_document_row row;
    char hex[LORE_HASH_HEX];
    enum lore_status status;

    lore_buf_reset(&w->text);
    status = lore_db_get_document(w->db, id, &w->arena, &row, &w->text, err);
    if (status != LORE_OK)
        return status;
    lore_hash(w->text.data ? w->text.data : "", w->text.len, hash);
    lore_hex(hash, 32, hex);
    *whole = strcmp(hex, row.hash) == 0;
    return LORE_OK;
}

static enum lore_status
bad_record(const struct lore_batch_receipt *r, const struct lore_receipt_record *x,
    const char *what, struct lore_err *err)
{
    return lore_fail(err, LORE_CORRUPT, "agent %s, receipt %" PRId64 ", record %" PRIu64 ": %s",
        r->agent, r->number, x->line.seq, what);
}

/* Check one record. A duplicate may have arrived with other formatting than the stored document.
 * Then only the stored bytes are compared with the hash of their document. */
static enum lore_status
check_record(struct walk *w, const struct lore_agent_row *agent, const struct lore_batch_receipt *r,
    const struct lore_receipt_record *x, struct lore_err *err)
{
    unsigned char hash[32];
    bool whole = false;
    enum lore_status status;

    if (x->line.state == 'r')
        return LORE_OK;
    if (!x->document)
        return bad_record(r, x, "its document is not there", err);
    if (!lore_signing_hash_ok(agent->key, agent->id, x->line.seq, x->line.hash, x->signature))
        return bad_record(r, x, "not signed by the agent", err);
    w->records++;
    status = hash_document(w, x->document, hash, &whole, err);
    if (status == LORE_OK && memcmp(hash, x->line.hash, sizeof hash) != 0 &&
        (x->line.state == 's' || !whole))
        return bad_record(r, x, "its document is not the one that the agent signed", err);
    return status;
}

static enum lore_status
check_receipt(struct walk *w, const struct lore_agent_row *agent,
    const struct lore_batch_receipt *r, int64_t number, const unsigned char previous[32],
    struct lore_err *err)
{
    struct lore_receipt_line *lines = lore_alloc_array(&w->arena, r->n + 1, sizeof *lines);
    unsigned char hash[32];
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < r->n; i++)
        lines[i] = r->records[i].line;
    lore_receipt_hash(
        &(struct lore_receipt_head){previous, agent->id, r->batch, (uint64_t)r->number}, lines,
        r->n, hash);
    if (r->number != number || memcmp(r->previous, previous, 32) != 0 ||
        memcmp(r->hash, hash, sizeof hash) != 0)
        return lore_fail(err, LORE_CORRUPT,
            "agent %s, receipt %" PRId64 ": does not follow from receipt %" PRId64, agent->id,
            r->number, number - 1);
    if (!lore_signing_receipt_ok(r->key, r->hash, r->signature))
        return lore_fail(err, LORE_CORRUPT,
            "agent %s, receipt %" PRId64 ": not signed by the service", agent->id, r->number);
    w->receipts++;
    for (size_t i = 0; i < r->n && status == LORE_OK; i++)
        status = check_record(w, agent, r, &r->records[i], err);
    return status;
}

static enum lore_status
check_chain(struct walk *w, const struct lore_agent_row *agent, struct lore_err *err)
{
    unsigned char previous[32] = {0};
    int64_t number = 0;
    size_t n = AT_ONCE;
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && n == AT_ONCE) {
        struct lore_receipt_part part = {agent->id, number, AT_ONCE};
        struct lore_batch_receipt *rows = NULL;

        status = lore_db_list_receipts(w->db, &part, &w->arena, &rows, &n, err);
        for (size_t i = 0; i < n && status == LORE_OK; i++) {
            status = check_receipt(w, agent, &rows[i], ++number, previous, err);
            memcpy(previous, rows[i].hash, sizeof previous);
        }
        lore_arena_reset(&w->arena);
    }
    return status;
}

static enum lore_status
check_chains(struct walk *w, struct lore_err *err)
{
    LORE_STMT q = lore_sql(w->db, "SELECT id, public_key FROM fact_agent ORDER BY seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        char id[LORE_ULID_SIZE] = "";
        struct lore_agent_row agent = {.id = id};
        const char *text = lore_col_text(&q, 0, NULL);
        size_t len;
        const void *key = lore_col_blob(&q, 1, &len, NULL);

        strncat(id, text != NULL ? text : "", sizeof id - 1);
        if (len != sizeof agent.key)
            return lore_end(&q, err, LORE_CORRUPT, "agent %s: its key has a wrong length", id);
        memcpy(agent.key, key, sizeof agent.key);
        status = check_chain(w, &agent, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_db_verify_receipts(
    struct lore_db *db, int64_t *receipts, int64_t *records, struct lore_err *err)
{
    struct walk w = {.db = db};
    int version = 0;
    enum lore_status status = lore_migrate_version(db, &version, err);

    *receipts = *records = 0;
    if (status != LORE_OK || version < 4)
        return status;
    status = check_events(db, err);
    if (status == LORE_OK)
        status = check_chains(&w, err);
    if (status == LORE_OK)
        status = lore_row_hash_check(db, err);
    *receipts = w.receipts;
    *records = w.records;
    lore_buf_free(&w.text);
    lore_arena_free(&w.arena);
    return status;
}
