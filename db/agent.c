/* Agents as facts: an enrollment with its key, and a revocation. The event of each holds the key,
 * so the chain of events vouches for the keys by which receipts and records are checked.
 *
 * The service changes the credentials (agent_auth.c) first and stores the facts afterwards. It may
 * store a fact again, because a repeated one has no effect. */
#include <string.h>

#include "db/agent.h"
#include "db/internal.h"
#include "db/put.h"
#include "db/row_hash.h"

/* Run Q; *new: it inserted a row. */
static enum lore_status
inserted(struct lore_stmt *q, bool *new, struct lore_err *err)
{
    lore_row(q);
    *new = q->rc == SQLITE_OK &&sqlite3_changes(q->db->handle) > 0;
    return lore_done(q, err);
}

static enum lore_status
put_revoked(struct lore_db *db, const struct lore_agent_row *agent, bool *new, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO fact_agent_revoked (agent, revoked_us) VALUES ($1, $2)"
                               " ON CONFLICT (agent) DO NOTHING");

    lore_bind_text(&q, 1, agent->id);
    lore_bind_i64(&q, 2, agent->revoked_us);
    return inserted(&q, new, err);
}

enum lore_status
lore_put_agent(
    struct lore_db *db, const struct lore_agent_row *agent, int64_t now_us, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO fact_agent (id, label, public_key, enrolled_us)"
                               " VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING");
    bool new = false, revoked = false;
    enum lore_status status;

    lore_bind_text(&q, 1, agent->id);
    lore_bind_text(&q, 2, agent->label);
    lore_bind_blob(&q, 3, agent->key, sizeof agent->key);
    lore_bind_i64(&q, 4, agent->enrolled_us);
    status = inserted(&q, &new, err);
    if (status == LORE_OK && new)
        status = lore_put_event(db,
            &(struct lore_event){
                LORE_ACTOR_SERVICE, "agent_enrolled", agent->id, agent->key, now_us},
            err);
    if (status == LORE_OK && agent->revoked_us != 0)
        status = put_revoked(db, agent, &revoked, err);
    if (status == LORE_OK && revoked)
        status = lore_put_event(db,
            &(struct lore_event){
                LORE_ACTOR_SERVICE, "agent_revoked", agent->id, agent->key, now_us},
            err);
    if (status == LORE_OK && (new || revoked))
        status = lore_row_hash_vouch(db, LORE_VOUCHED_AGENT, agent->id, now_us, err);
    return status;
}

enum lore_status
lore_agent_counts(
    struct lore_db *db, const char *agent, struct lore_agent_counts *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT (SELECT count(*) FROM fact_receipt r WHERE r.agent = $1),"
        " (SELECT max(r.received_us) FROM fact_receipt r WHERE r.agent = $1),"
        " (SELECT count(*) FROM fact_receipt_line l WHERE l.agent = $1 AND l.state = 's'),"
        " (SELECT count(*) FROM fact_receipt_line l WHERE l.agent = $1 AND l.state = 'd'),"
        " (SELECT count(*) FROM fact_receipt_line l WHERE l.agent = $1 AND l.state = 'r')");

    lore_bind_text(&q, 1, agent);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "agent %s: no counts", agent);
    *out = (struct lore_agent_counts){.receipts = lore_col_i64(&q, 0),
        .last_us = lore_col_i64(&q, 1),
        .stored = lore_col_i64(&q, 2),
        .duplicates = lore_col_i64(&q, 3),
        .refused = lore_col_i64(&q, 4)};
    return lore_done(&q, err);
}
