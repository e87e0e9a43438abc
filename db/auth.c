/* Credentials in DIR/auth.db, a separate file with a rollback journal instead of a WAL, so that
 * `warplored token` may write it while a service reads it. Secrets are stored as hashes. Agents and
 * their codes are in agent_auth.c, all changes in auth_change.c.
 *
 * Several threads may use one handle; each call is one short transaction. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/application_id.h"
#include "db/auth_db.h"
#include "db/credentials.h"
#include "db/files.h"
#include "db/row_shape.h"
#include "service/base/file.h"
#include "service/base/xalloc.h"

static enum lore_status
create(struct lore_db *db, struct lore_err *err)
{
    return lore_db_exec(db,
        "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL;CREATE TABLE IF NOT EXISTS token ("
        " id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, role TEXT NOT NULL,"
        " hash BLOB NOT NULL, created_us INTEGER NOT NULL, expires_us INTEGER NOT NULL,"
        " revoked_us INTEGER NOT NULL) STRICT;CREATE TABLE IF NOT EXISTS agent ("
        " id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL UNIQUE, public_key BLOB NOT NULL "
        "UNIQUE, enrolled_us INTEGER NOT NULL, revoked_us INTEGER NOT NULL) STRICT;"
        "CREATE TABLE IF NOT EXISTS code ("
        " hash BLOB NOT NULL PRIMARY KEY, label TEXT, created_us INTEGER NOT NULL,"
        " expires_us INTEGER NOT NULL, used_us INTEGER NOT NULL, agent TEXT) STRICT;",
        err);
}

static enum lore_status
open_file(const char *dir, bool write, struct lore_db **out, struct lore_err *err)
{
    char path[4096];
    enum lore_status status;
    int64_t id;

    if (snprintf(path, sizeof path, "%s/auth.db", dir) >= (int)sizeof path)
        return lore_fail(err, LORE_INVALID, "%s: path too long", dir);
    if (!write && access(path, F_OK) != 0)
        return lore_fail(err, LORE_NOTFOUND, "%s: there are no tokens yet", path);
    if (!write)
        return lore_db_open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, out, err);
    status = lore_mkdirs(dir, 0700, err);
    if (status != LORE_OK)
        return status;
    status = lore_db_make_private(path, err);
    if (status == LORE_OK)
        status = lore_db_open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, out, err);
    if (status != LORE_OK)
        return status;
    status = create(*out, err);
    if (status == LORE_OK)
        status = lore_identity_give(*out, &id, err);
    if (status != LORE_OK)
        lore_db_close(*out);
    return status;
}

enum lore_status
lore_auth_open(const char *dir, bool write, struct lore_auth_db **out, struct lore_err *err)
{
    struct lore_db *db;
    struct lore_auth_db *auth;
    enum lore_status status = open_file(dir, write, &db, err);

    if (status != LORE_OK)
        return status;
    auth = lore_xalloc(sizeof *auth);
    auth->db = db;
    pthread_mutex_init(&auth->mutex, NULL);
    *out = auth;
    return LORE_OK;
}

void
lore_auth_close(struct lore_auth_db *auth)
{
    if (!auth)
        return;
    lore_db_close(auth->db);
    pthread_mutex_destroy(&auth->mutex);
    lore_xfree(auth);
}

#define SELECT "SELECT id, label, role, created_us, expires_us, revoked_us, hash FROM token"

#define ROW struct lore_token_row
static const struct lore_row_member members[] = {
    AT(id), AT(label), AT(role), AT(created_us), AT(expires_us), AT(revoked_us)};
enum { HASH = sizeof members / sizeof *members };

static enum lore_status
add_hash(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_token_row *out = row;
    size_t len;
    const void *hash = lore_col_blob(q, HASH, &len, NULL);

    (void)a;
    if (len != sizeof out->hash)
        return lore_fail(err, LORE_CORRUPT, "token %s: its hash has %zu bytes", out->id, len);
    memcpy(out->hash, hash, sizeof out->hash);
    return LORE_OK;
}

static const struct lore_row_shape shape = {
    LORE_MEMBERS(members), .noun = "token", .more = add_hash};

enum lore_status
lore_auth_get(struct lore_auth_db *auth, const char *id, struct lore_arena *a,
    struct lore_token_row *out, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(auth->db, SELECT " WHERE id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_auth_list(struct lore_auth_db *auth, struct lore_arena *a, struct lore_token_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(auth->db, SELECT " ORDER BY created_us, id");

    return lore_db_collect(&q, &shape, a, out, n, err);
}
