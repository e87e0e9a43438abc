/* Agents, revoked ones included, and their one-time codes in DIR/auth.db. A code works once: its
 * use and the new agent are one transaction. Only the hash of a code is stored. Every usable code
 * is compared in constant time, so the response time reveals nothing. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "db/auth_change.h"
#include "db/auth_db.h"
#include "db/files.h"
#include "db/row_shape.h"

#define LABELS 100 /* limits the attempts to find a free label */

/* Find the usable code HASH and its label, or NULL. */
static enum lore_status
find_code(struct lore_auth_db *auth, const unsigned char hash[32], int64_t now_us,
    struct lore_arena *a, const char **label, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(auth->db, "SELECT hash, label FROM code WHERE used_us = 0 AND expires_us > $1");
    bool found = false;
    enum lore_status status;

    lore_bind_i64(&q, 1, now_us);
    while (lore_row(&q)) {
        size_t len;
        const void *stored = lore_col_blob(&q, 0, &len, NULL);

        if (len != 32 || sodium_memcmp(stored, hash, 32) != 0)
            continue;
        found = true;
        *label = lore_col_text(&q, 1, a);
    }
    status = lore_done(&q, err);
    if (status == LORE_OK && !found) {
        status = lore_fail_at(
            err, LORE_FORBIDDEN, "bad_code", "code", "code: this enrollment code is not valid");
        lore_err_hint(err, "ask for a new one: it may be mistyped, expired or used");
    }
    return status;
}

static enum lore_status
is_known(struct lore_auth_db *auth, const char *label, bool *known, struct lore_err *err)
{
    LORE_STMT q = lore_sql(auth->db, "SELECT 1 FROM agent WHERE label = $1");

    lore_bind_text(&q, 1, label);
    *known = lore_row(&q);
    return lore_done(&q, err);
}

/* Two agents never share a label, because readers could not tell their submissions apart. */
static enum lore_status
free_label(struct lore_auth_db *auth, const char *wanted, struct lore_arena *a, const char **out,
    struct lore_err *err)
{
    const char *label = wanted;

    for (int i = 2; i < LABELS; i++) {
        bool known = false;
        enum lore_status status = is_known(auth, label, &known, err);

        if (status != LORE_OK)
            return status;
        if (!known) {
            *out = label;
            return LORE_OK;
        }
        label = lore_format(a, "%s-%d", wanted, i);
    }
    return lore_fail_at(
        err, LORE_CONFLICT, "conflict", "label", "label: too many agents have this label");
}

static void
roll_back(struct lore_db **db)
{
    lore_db_rollback(*db);
}

enum lore_status
lore_db_auth_enroll(struct lore_auth_db *auth, const unsigned char hash[32],
    const struct lore_agent_row *agent, struct lore_arena *a, const char **label,
    struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    struct lore_agent_row row = *agent;
    const struct lore_auth_change change = {
        .kind = LORE_AUTH_AGENT_ENROLLED, .at_us = agent->enrolled_us, .agent = &row, .code = hash};
    const char *code_label = NULL;
    enum lore_status status = lore_db_exec(auth->db, "BEGIN IMMEDIATE", err);

    if (status != LORE_OK)
        return status;
    __attribute__((cleanup(roll_back), unused)) struct lore_db *unless_committed = auth->db;
    status = find_code(auth, hash, agent->enrolled_us, a, &code_label, err);
    if (status == LORE_OK)
        status =
            free_label(auth, code_label != NULL ? code_label : agent->label, a, &row.label, err);
    if (status == LORE_OK)
        status = lore_auth_apply_held(auth, &change, err);
    if (status == LORE_OK)
        status = lore_db_exec(auth->db, "COMMIT", err);
    if (status == LORE_OK)
        *label = row.label;
    return status;
}

#define SELECT "SELECT id, label, enrolled_us, revoked_us, public_key FROM agent"

#define ROW struct lore_agent_row
static const struct lore_row_member members[] = {
    AT(id), AT(label), AT(enrolled_us), AT(revoked_us)};
enum { KEY = sizeof members / sizeof *members };

static enum lore_status
add_key(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_agent_row *out = row;
    size_t len;
    const void *key = lore_col_blob(q, KEY, &len, NULL);

    (void)a;
    if (len != sizeof out->key)
        return lore_fail(err, LORE_CORRUPT, "agent %s: its key has %zu bytes", out->id, len);
    memcpy(out->key, key, sizeof out->key);
    return LORE_OK;
}

static const struct lore_row_shape shape = {
    LORE_MEMBERS(members), .noun = "agent", .more = add_key};

enum lore_status
lore_db_auth_agent(struct lore_auth_db *auth, const char *id, struct lore_arena *a,
    struct lore_agent_row *out, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(auth->db, SELECT " WHERE id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_auth_agents(struct lore_auth_db *auth, struct lore_arena *a, struct lore_agent_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(auth->db, SELECT " ORDER BY enrolled_us, id");

    return lore_db_collect(&q, &shape, a, out, n, err);
}
