/* The identity of a directory's database, stored in DIR/identity: "5f3c2a10 open" or "5f3c2a10
 * closed". SQLite takes a missing file for a new database and a missing write-ahead log for an
 * empty one. With this file, a lost database is an error and not a new service.
 *
 * The identity is SQLite's application_id, a random number that a copy by VACUUM INTO keeps. The
 * log is removed only after the file says "closed", and it says "open" only while there is a log;
 * "open" without a log therefore means that the log was lost. A directory without the file is new,
 * restored from a backup, or from an older program: its present identity is stored. */
#include "db/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/files.h"
#include "db/internal.h"
#include "db/migrate.h"
#include "service/base/file.h"

#define PATH_MAX_BYTES 4096

struct noted {
    bool known; /* the file exists */
    bool open;
    uint32_t id;
};

static enum lore_status
path_of(const char *dir, const char *name, char out[PATH_MAX_BYTES], struct lore_err *err)
{
    if (snprintf(out, PATH_MAX_BYTES, "%s/%s", dir, name) >= PATH_MAX_BYTES)
        return lore_fail(err, LORE_INVALID, "%s: path too long", dir);
    return LORE_OK;
}

static enum lore_status
read_note(const char *dir, struct noted *out, struct lore_err *err)
{
    char path[PATH_MAX_BYTES], state[8] = "";
    LORE_BUF text = {.max = 64};
    enum lore_status status = path_of(dir, "identity", path, err);

    *out = (struct noted){0};
    if (status == LORE_OK)
        status = lore_file_read(path, &text, err);
    if (status == LORE_NOTFOUND)
        return LORE_OK;
    if (status == LORE_OK &&
        sscanf(text.data ? text.data : "", "%8" SCNx32 " %7s", &out->id, state) != 2) {
        status = lore_fail(err, LORE_CORRUPT, "%s: expected an identity and a state", path);
        lore_err_hint(
            err, "check that DIR/warplore.db is the right database, then remove this file");
    }
    out->known = status == LORE_OK;
    out->open = strcmp(state, "open") == 0;
    return status;
}

static enum lore_status
write_note(const char *dir, uint32_t id, const char *state, struct lore_err *err)
{
    char path[PATH_MAX_BYTES], text[32];
    int n = snprintf(text, sizeof text, "%08" PRIx32 " %s\n", id, state);
    enum lore_status status = path_of(dir, "identity", path, err);

    return status == LORE_OK ? lore_file_write(path, text, (size_t)n, 0600, err) : status;
}

/* The size of DIR/NAME; -1: there is no such file. */
static int64_t
size_of(const char *dir, const char *name)
{
    char path[PATH_MAX_BYTES];
    struct stat s;
    struct lore_err ignored;

    if (path_of(dir, name, path, &ignored) != LORE_OK || stat(path, &s) != 0)
        return -1;
    return s.st_size;
}

static enum lore_status
gone(const char *dir, const char *what, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_CORRUPT, "database_gone", "data", "%.150s: %s", dir, what);
    lore_err_hint(err,
        "restore a backup into an empty directory and start there; or start once with"
        " --new to begin again with an empty database");
    return LORE_CORRUPT;
}

enum lore_status
lore_identity_check_files(const char *dir, struct lore_err *err)
{
    struct noted noted;
    enum lore_status status = read_note(dir, &noted, err);

    if (status != LORE_OK)
        return status;
    if (size_of(dir, "warplore.db") <= 0) {
        if (noted.known)
            return gone(dir, "it had a database, and warplore.db is missing or empty", err);
        if (size_of(dir, "warplore.db-wal") > 0)
            return gone(dir, "warplore.db-wal is there, and its database is missing or empty", err);
        return LORE_OK;
    }
    if (!noted.open || size_of(dir, "warplore.db-wal") >= 0)
        return LORE_OK;
    /* A service may have ended between the two checks. */
    status = read_note(dir, &noted, err);
    if (status != LORE_OK || !noted.open)
        return status;
    (void)lore_fail_at(err, LORE_CORRUPT, "log_gone", "data",
        "%.150s: the service did not end cleanly, and its last changes (warplore.db-wal) are "
        "missing",
        dir);
    lore_err_hint(err,
        "put the file back, or restore a backup; to go on without those changes, remove"
        " the file `identity` in that directory");
    return LORE_CORRUPT;
}

/* ---- the database ---- */

static enum lore_status
number(struct lore_stmt *q, int64_t *out, struct lore_err *err)
{
    *out = lore_row(q) ? lore_col_i64(q, 0) : 0;
    return lore_done(q, err);
}

static enum lore_status
identity_of(struct lore_db *db, int64_t *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "PRAGMA application_id");

    return number(&q, out, err);
}

/* Whether DB has no schema or no document. */
static enum lore_status
is_empty(struct lore_db *db, bool *out, struct lore_err *err)
{
    int64_t documents = 0;
    int version = 0;
    enum lore_status status = lore_migrate_version(db, &version, err);

    if (status == LORE_OK && version > 0) {
        LORE_STMT q = lore_sql(db, "SELECT EXISTS (SELECT 1 FROM fact_document)");

        status = number(&q, &documents, err);
    }
    if (status == LORE_OK)
        *out = documents == 0;
    return status;
}

enum lore_status
lore_identity_check_database(struct lore_db *db, const char *dir, struct lore_err *err)
{
    struct noted noted;
    int64_t id = 0;
    bool empty = false;
    enum lore_status status = read_note(dir, &noted, err);

    if (status == LORE_OK)
        status = identity_of(db, &id, err);
    if (status != LORE_OK || !noted.known || (uint32_t)id == noted.id)
        return status;
    status = is_empty(db, &empty, err);
    if (status == LORE_OK && empty)
        return gone(dir, "it had another database, and the one in warplore.db is empty", err);
    return status;
}

static enum lore_status
give_identity(struct lore_db *db, int64_t *id, struct lore_err *err)
{
    char pragma[64];
    enum lore_status status = identity_of(db, id, err);

    if (status != LORE_OK || *id != 0)
        return status;
    *id = 1 + randombytes_uniform(INT32_MAX);
    snprintf(pragma, sizeof pragma, "PRAGMA application_id = %" PRId64, *id);
    return lore_db_exec(db, pragma, err);
}

enum lore_status
lore_identity_opened(struct lore_db *db, const char *dir, struct lore_err *err)
{
    int64_t id = 0;
    struct lore_err ignored;
    enum lore_status status = give_identity(db, &id, err);

    /* On a full disk the service still starts, for its readers. If the file was not written, the
     * log stays when the database is closed. */
    if (status == LORE_OK && write_note(dir, (uint32_t)id, "open", &ignored) == LORE_OK)
        db->identity = (uint32_t)id;
    return status;
}

static bool
is_checkpointed(struct lore_db *db)
{
    struct lore_err ignored;
    int64_t wal_bytes = 1;

    if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return lore_db_checkpoint(db, true, &wal_bytes, &ignored) == LORE_OK && wal_bytes == 0;
}

void
lore_identity_closing(struct lore_db *db)
{
    char dir[PATH_MAX_BYTES];
    struct lore_err ignored;

    snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(db->path, '/') - db->path), db->path);
    if (db->identity == 0 || !is_checkpointed(db) ||
        write_note(dir, db->identity, "closed", &ignored) != LORE_OK)
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

/* ---- beginning again ---- */

/* Check that the database of DIR holds no document and may be deleted. */
static enum lore_status
check_nothing_lost(const char *dir, struct lore_err *err)
{
    char path[PATH_MAX_BYTES];
    struct lore_db *db;
    bool empty = false;
    enum lore_status status = path_of(dir, "warplore.db", path, err);

    if (status != LORE_OK || size_of(dir, "warplore.db") <= 0)
        return status;
    status = lore_db_open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &db, err);
    if (status != LORE_OK)
        return status;
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    status = is_empty(db, &empty, err);
    lore_db_close(db);
    if (status != LORE_OK || empty)
        return status;
    (void)lore_fail_at(
        err, LORE_INVALID, "database_there", "new", "--new: %.150s holds a database", dir);
    lore_err_hint(err, "start without --new to use it, or with --data and another directory");
    return LORE_INVALID;
}

/* The file is removed last: after a crash in between, the directory is refused as before. */
enum lore_status
lore_identity_forget(const char *dir, struct lore_err *err)
{
    static const char *const names[] = {
        "warplore.db-wal", "warplore.db-shm", "warplore.db", "identity"};
    char path[PATH_MAX_BYTES];
    enum lore_status status = check_nothing_lost(dir, err);

    for (size_t i = 0; i < sizeof names / sizeof *names && status == LORE_OK; i++) {
        status = path_of(dir, names[i], path, err);
        if (status == LORE_OK && unlink(path) != 0 && errno != ENOENT)
            status = lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
    }
    return status;
}
