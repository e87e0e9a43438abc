/* The identity of a directory's database, kept in DIR/identity (identity_file.h). SQLite takes a
 * missing file for a new database and a missing write-ahead log for an empty one. With this file, a
 * lost database is an error and not a new service, and so are an older copy in its place, another
 * key and other credentials.
 *
 * The identity is SQLite's application_id, a random number that a copy keeps. The log is removed
 * only after the file says "closed", and it says "open" only while there is a log; "open" without a
 * log therefore means that the log was lost. The head is an event that is on disk. A directory
 * without the file is new, copied by hand, or from an older program: its present state is noted. */
#include "db/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/application_id.h"
#include "db/files.h"
#include "db/identity_file.h"
#include "db/internal.h"
#include "db/last_backup.h"
#include "db/manifest.h"
#include "db/migrate.h"
#include "service/base/file.h"

#define PATH_MAX_BYTES 4096

static enum lore_status
path_of(const char *dir, const char *name, char out[PATH_MAX_BYTES], struct lore_err *err)
{
    if (snprintf(out, PATH_MAX_BYTES, "%s/%s", dir, name) >= PATH_MAX_BYTES)
        return lore_fail(err, LORE_INVALID, "%s: path too long", dir);
    return LORE_OK;
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
    lore_backup_hint(dir, err);
    return LORE_CORRUPT;
}

enum lore_status
lore_identity_check_files(const char *dir, struct lore_err *err)
{
    struct lore_noted noted;
    enum lore_status status = lore_noted_read(dir, &noted, err);

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
    status = lore_noted_read(dir, &noted, err);
    if (status != LORE_OK || !noted.open)
        return status;
    (void)lore_fail_at(err, LORE_CORRUPT, "log_gone", "data",
        "%.150s: the service did not end cleanly, and its last changes (warplore.db-wal) are "
        "missing",
        dir);
    lore_err_hint(err, "put the file back, or restore a backup into an empty directory; to go on"
                       " without those changes, remove the file `identity`");
    lore_backup_hint(dir, err);
    return LORE_CORRUPT;
}

/* A key or tokens that are not those of this service. */
static enum lore_status
other_credentials(const char *dir, const char *file, bool gone, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_CORRUPT, gone ? "credentials_gone" : "credentials_replaced",
        "data", "%.150s: %s %s", dir, file, gone ? "is missing" : "is not the one that it had");
    lore_err_hint(err,
        "put it back from a backup; or start once with --accept-credentials to go on"
        " with %s",
        gone ? "a new one" : "this one");
    lore_backup_hint(dir, err);
    return LORE_CORRUPT;
}

enum lore_status
lore_identity_check_credentials(const char *dir, struct lore_err *err)
{
    struct lore_noted noted, now = {0};
    enum lore_status status = lore_noted_read(dir, &noted, err);

    if (status == LORE_OK && (noted.auth != 0 || noted.key[0] != '\0'))
        status = lore_noted_credentials(dir, &now, err);
    if (status != LORE_OK)
        return status;
    if (noted.auth != 0 && now.auth != noted.auth)
        return other_credentials(dir, "auth.db", size_of(dir, "auth.db") < 0, err);
    if (noted.key[0] != '\0' && strcmp(now.key, noted.key) != 0)
        return other_credentials(dir, "service.key", size_of(dir, "service.key") < 0, err);
    return LORE_OK;
}

/* ---- the database ---- */

/* Whether DB has no schema or no document. */
static enum lore_status
is_empty(struct lore_db *db, bool *out, struct lore_err *err)
{
    int64_t documents = 0;
    int version = 0;
    enum lore_status status = lore_migrate_version(db, &version, err);

    if (status == LORE_OK && version > 0) {
        LORE_STMT q = lore_sql(db, "SELECT EXISTS (SELECT 1 FROM fact_document)");

        documents = lore_row(&q) ? lore_col_i64(&q, 0) : 0;
        status = lore_done(&q, err);
    }
    if (status == LORE_OK)
        *out = documents == 0;
    return status;
}

/* Another database stands where the noted one was. */
static enum lore_status
check_other(struct lore_db *db, const char *dir, struct lore_err *err)
{
    bool empty = false;
    enum lore_status status = is_empty(db, &empty, err);

    if (status != LORE_OK)
        return status;
    if (empty)
        return gone(dir, "it had another database, and the one in warplore.db is empty", err);
    (void)lore_fail_at(err, LORE_CORRUPT, "database_foreign", "data",
        "%.150s: warplore.db is another database than the one that was here", dir);
    lore_err_hint(err, "move it into a directory of its own, or put the old one back; if it is the"
                       " right one, remove the file `identity`");
    lore_backup_hint(dir, err);
    return LORE_CORRUPT;
}

/* Whether DB still has the noted event. */
static enum lore_status
check_head(
    struct lore_db *db, const char *dir, const struct lore_noted *noted, struct lore_err *err)
{
    struct lore_chain_head head = {0};
    enum lore_status status = lore_db_head(db, noted->head.seq, &head, err);

    if (status != LORE_OK || memcmp(&head, &noted->head, sizeof head) == 0)
        return status;
    if (head.seq == noted->head.seq)
        (void)lore_fail_at(err, LORE_CORRUPT, "rolled_back", "data",
            "%.150s: the database has another history than it had: event %" PRId64 " differs", dir,
            head.seq);
    else
        (void)lore_fail_at(err, LORE_CORRUPT, "rolled_back", "data",
            "%.150s: the database is older than it was: it ends at event %" PRId64
            ", and had event %" PRId64,
            dir, head.seq, noted->head.seq);
    lore_err_hint(err, "put the newer files back; to go on without what came later, start once"
                       " with --accept-rollback");
    lore_backup_hint(dir, err);
    return LORE_CORRUPT;
}

enum lore_status
lore_identity_check_database(struct lore_db *db, const char *dir, struct lore_err *err)
{
    struct lore_noted noted;
    int64_t id = 0;
    enum lore_status status = lore_noted_read(dir, &noted, err);

    if (status == LORE_OK)
        status = lore_identity_of(db, &id, err);
    if (status != LORE_OK || !noted.known)
        return status;
    if ((uint32_t)id != noted.id)
        return check_other(db, dir, err);
    return noted.head.seq > 0 ? check_head(db, dir, &noted, err) : LORE_OK;
}

enum lore_status
lore_identity_accept(const char *dir, bool rollback, bool credentials, struct lore_err *err)
{
    struct lore_noted noted;
    enum lore_status status = lore_noted_read(dir, &noted, err);

    if (status != LORE_OK || !noted.known)
        return status;
    if (rollback)
        noted.head = (struct lore_chain_head){0};
    if (credentials) {
        noted.auth = 0;
        noted.key[0] = '\0';
    }
    return lore_noted_write(dir, &noted, err);
}

/* ---- what is noted ---- */

/* Note the state of DB, a writer or a reader of DIR. */
static enum lore_status
note(struct lore_db *db, const char *dir, bool open, struct lore_err *err)
{
    struct lore_noted n = {.known = true, .open = open};
    int64_t id = 0;
    enum lore_status status = lore_identity_of(db, &id, err);

    n.id = (uint32_t)id;
    if (status == LORE_OK)
        status = lore_db_head(db, INT64_MAX, &n.head, err);
    if (status == LORE_OK)
        status = lore_noted_credentials(dir, &n, err);
    return status == LORE_OK ? lore_noted_write(dir, &n, err) : status;
}

enum lore_status
lore_identity_opened(struct lore_db *db, const char *dir, struct lore_err *err)
{
    struct lore_noted noted;
    struct lore_err ignored;
    int64_t id = 0;
    enum lore_status status = lore_noted_read(dir, &noted, err);

    if (status == LORE_OK)
        status = lore_identity_give(db, &id, err);
    db->unclean = noted.open;
    /* On a full disk the service still starts, for its readers. If the file was not written, the
     * log stays when the database is closed. */
    if (status == LORE_OK && note(db, dir, true, &ignored) == LORE_OK)
        db->identity = (uint32_t)id;
    return status;
}

static void
directory_of(const struct lore_db *db, char dir[PATH_MAX_BYTES])
{
    snprintf(dir, PATH_MAX_BYTES, "%.*s", (int)(strrchr(db->path, '/') - db->path), db->path);
}

enum lore_status
lore_db_note_identity(struct lore_db *reader, struct lore_err *err)
{
    char dir[PATH_MAX_BYTES];

    directory_of(reader, dir);
    return note(reader, dir, true, err);
}

enum lore_status
lore_db_check_identity(struct lore_db *db, struct lore_err *err)
{
    char dir[PATH_MAX_BYTES];

    directory_of(db, dir);
    enum lore_status status = lore_identity_check_database(db, dir, err);
    return status == LORE_OK ? lore_identity_check_credentials(dir, err) : status;
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

    directory_of(db, dir);
    if (db->identity == 0 || !is_checkpointed(db) || note(db, dir, false, &ignored) != LORE_OK)
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

enum lore_status
lore_identity_restored(const char *dir, const struct lore_manifest *m, struct lore_err *err)
{
    struct lore_noted n = {.known = true, .id = (uint32_t)m->identity};

    return lore_noted_write(dir, &n, err);
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
