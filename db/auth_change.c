/* Changes of auth.db (auth_change.h): one statement or two for each kind. */
#include "db/auth_change.h"

#include <sqlite3.h>

#include "db/auth_db.h"
#include "db/files.h"

/* The result of the statement Q, where a change of no row means STATUS for the thing ID. */
static enum lore_status
changed(struct lore_auth_db *auth, struct lore_stmt *q, enum lore_status status, const char *what,
    const char *id, struct lore_err *err)
{
    bool none;

    lore_row(q);
    none = q->rc == SQLITE_OK && sqlite3_changes(auth->db->handle) == 0;
    if (!none)
        return lore_done(q, err);
    if (status == LORE_NOTFOUND)
        return lore_end(q, err, LORE_NOTFOUND, "%s %s: no such %s", what, id, what);
    return lore_fail_at(
        err, LORE_CONFLICT, "conflict", "id", "%s %s: this id is already in use", what, id);
}

static enum lore_status
make_token(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    const struct lore_token_row *t = c->token;
    LORE_STMT q = lore_sql(auth->db,
        "INSERT INTO token (id, label, role, hash, created_us, expires_us, revoked_us)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING");

    lore_bind_text(&q, 1, t->id);
    lore_bind_text(&q, 2, t->label != NULL ? t->label : "");
    lore_bind_text(&q, 3, t->role);
    lore_bind_blob(&q, 4, t->hash, sizeof t->hash);
    lore_bind_i64(&q, 5, t->created_us);
    lore_bind_i64(&q, 6, t->expires_us);
    lore_bind_i64(&q, 7, t->revoked_us);
    return changed(auth, &q, LORE_CONFLICT, "token", t->id, err);
}

static enum lore_status
revoke_token(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    LORE_STMT q = lore_sql(auth->db, "UPDATE token SET revoked_us = CASE WHEN revoked_us = 0"
                                     " THEN $1 ELSE revoked_us END WHERE id = $2");

    lore_bind_i64(&q, 1, c->at_us);
    lore_bind_text(&q, 2, c->id);
    return changed(auth, &q, LORE_NOTFOUND, "token", c->id, err);
}

static enum lore_status
revoke_agent(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    LORE_STMT q = lore_sql(auth->db, "UPDATE agent SET revoked_us = CASE WHEN revoked_us = 0"
                                     " THEN $1 ELSE revoked_us END WHERE id = $2");

    lore_bind_i64(&q, 1, c->at_us);
    lore_bind_text(&q, 2, c->id);
    return changed(auth, &q, LORE_NOTFOUND, "agent", c->id, err);
}

static enum lore_status
make_code(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    LORE_STMT q = lore_sql(auth->db, "INSERT INTO code (hash, label, created_us, expires_us,"
                                     " used_us) VALUES ($1, $2, $3, $4, 0)");

    lore_bind_blob(&q, 1, c->code, 32);
    lore_bind_text(&q, 2, c->label);
    lore_bind_i64(&q, 3, c->at_us);
    lore_bind_i64(&q, 4, c->expires_us);
    return lore_done(&q, err);
}

static enum lore_status
add_agent(struct lore_auth_db *auth, const struct lore_agent_row *agent, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(auth->db, "INSERT INTO agent (id, label, public_key, enrolled_us, revoked_us)"
                           " VALUES ($1, $2, $3, $4, 0) ON CONFLICT (public_key) DO NOTHING");

    lore_bind_text(&q, 1, agent->id);
    lore_bind_text(&q, 2, agent->label);
    lore_bind_blob(&q, 3, agent->key, sizeof agent->key);
    lore_bind_i64(&q, 4, agent->enrolled_us);
    lore_row(&q);
    if (q.rc == SQLITE_OK && sqlite3_changes(auth->db->handle) == 0)
        return lore_fail_at(err, LORE_CONFLICT, "conflict", "public_key",
            "public_key: this key is already enrolled");
    return lore_done(&q, err);
}

static enum lore_status
use_code(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    LORE_STMT q = lore_sql(auth->db, "UPDATE code SET used_us = $1, agent = $2 WHERE hash = $3");

    lore_bind_i64(&q, 1, c->at_us);
    lore_bind_text(&q, 2, c->agent->id);
    lore_bind_blob(&q, 3, c->code, 32);
    return lore_done(&q, err);
}

static enum lore_status
enroll_agent(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    enum lore_status status = add_agent(auth, c->agent, err);

    return status == LORE_OK ? use_code(auth, c, err) : status;
}

static enum lore_status
drop_agent(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    LORE_STMT agent = lore_sql(auth->db, "DELETE FROM agent WHERE id = $1");
    LORE_STMT code =
        lore_sql(auth->db, "UPDATE code SET used_us = 0, agent = NULL WHERE agent = $1");
    enum lore_status status;

    lore_bind_text(&code, 1, c->id);
    if ((status = lore_done(&code, err)) != LORE_OK)
        return status;
    lore_bind_text(&agent, 1, c->id);
    return changed(auth, &agent, LORE_NOTFOUND, "agent", c->id, err);
}

enum lore_status
lore_auth_apply_held(
    struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    static enum lore_status (*const apply[])(
        struct lore_auth_db *, const struct lore_auth_change *, struct lore_err *) = {
        [LORE_AUTH_TOKEN_MADE] = make_token,
        [LORE_AUTH_TOKEN_REVOKED] = revoke_token,
        [LORE_AUTH_CODE_MADE] = make_code,
        [LORE_AUTH_AGENT_ENROLLED] = enroll_agent,
        [LORE_AUTH_AGENT_REVOKED] = revoke_agent,
        [LORE_AUTH_AGENT_DROPPED] = drop_agent,
    };

    return apply[c->kind](auth, c, err);
}

static void
roll_back(struct lore_db **db)
{
    lore_db_rollback(*db);
}

enum lore_status
lore_auth_apply(struct lore_auth_db *auth, const struct lore_auth_change *c, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    enum lore_status status = lore_db_exec(auth->db, "BEGIN IMMEDIATE", err);

    if (status != LORE_OK)
        return status;
    __attribute__((cleanup(roll_back), unused)) struct lore_db *unless_committed = auth->db;
    status = lore_auth_apply_held(auth, c, err);
    return status == LORE_OK ? lore_db_exec(auth->db, "COMMIT", err) : status;
}
