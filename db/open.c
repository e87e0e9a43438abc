/* Open the database file; transactions and checkpoints.
 *
 * One writer per data directory (DIR/lock) does every write and every checkpoint;
 * readers are opened READONLY and never checkpoint. SQLite before 3.51.3 can lose committed pages
 * when two connections checkpoint, so acknowledged data depends on this rule.
 *
 * See migrate.c for migrations and readers.c for the pool of readers. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/feed_known.h"
#include "db/files.h"
#include "db/identity.h"
#include "db/internal.h"
#include "db/memo.h"
#include "db/migrate.h"
#include "db/name_cache.h"
#include "db/search.h"
#include "db/search_rank.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/xalloc.h"

#define BUSY_MS 5000
#define CHECKPOINT_WAIT_MS 200 /* the time a truncating checkpoint may wait for readers */
#define VALUE_MAX (128 << 20)  /* bytes of one value: more than twice the largest document */
#define PROGRESS_OPS 2000      /* virtual machine steps between checks of the deadline */
#define WAL_KEPT "67108864"    /* largest WAL file that SQLite keeps when it restarts the log */
#define CACHE_KIB "-65536"     /* 64 MiB of pages for the writer */

enum lore_status
lore_db_exec(struct lore_db *db, const char *sql, struct lore_err *err)
{
    int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK ? LORE_OK : lore_db_fail(db, rc, err);
}

static int
past_deadline(void *ctx)
{
    const struct lore_db *db = ctx;

    return (db->deadline_us != 0 && lore_ticks_us() > db->deadline_us) ||
           (db->stop && atomic_load(db->stop));
}

/* Switch off SQLite's count of allocations, whose lock all readers would share; nobody reads it. */
static void
configure(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static void
harden(sqlite3 *h)
{
    sqlite3_busy_timeout(h, BUSY_MS);
    sqlite3_extended_result_codes(h, 1);
    sqlite3_db_config(h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_limit(h, SQLITE_LIMIT_LENGTH, VALUE_MAX);
    sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(h, SQLITE_LIMIT_WORKER_THREADS, 0);
}

enum lore_status
lore_db_open_file(const char *path, int flags, struct lore_db **out, struct lore_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct lore_db *db = lore_xalloc(sizeof *db);
    enum lore_status status;
    int rc;

    pthread_once(&once, configure);
    db->lock_fd = -1;
    db->path = lore_xstrdup(path);
    db->names.arena.kept = true;
    rc = sqlite3_open_v2(path, &db->handle, flags | SQLITE_OPEN_NOFOLLOW, NULL);
    if (rc != SQLITE_OK) {
        status = lore_db_fail(db, rc, err);
        lore_db_close(db);
        return status;
    }
    harden(db->handle);
    status = lore_db_exec(
        db, "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;", err);
    if (status == LORE_OK)
        status = lore_search_rank_register(db, err);
    if (status != LORE_OK) {
        lore_db_close(db);
        return status;
    }
    *out = db;
    return LORE_OK;
}

static enum lore_status
unwritable(const char *dir, const char *why, struct lore_err *err)
{
    enum lore_status status = lore_fail_at(
        err, LORE_IO, "unwritable", "data", "data: cannot write to %.150s: %s", dir, why);

    lore_err_hint(err, "give the directory to the user that runs warplored (chown, chmod 700), or"
                       " name another one with --data");
    return status;
}

static enum lore_status
make_directory(const char *dir, struct lore_err *err)
{
    return lore_mkdirs(dir, 0700, NULL) == LORE_OK ? LORE_OK
                                                   : unwritable(dir, strerror(errno), err);
}

static enum lore_status
take_lock(const char *dir, int *out, struct lore_err *err)
{
    char path[4096];
    int fd;

    if (snprintf(path, sizeof path, "%s/lock", dir) >= (int)sizeof path)
        return lore_fail(err, LORE_INVALID, "%s: path too long", dir);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return unwritable(dir, strerror(errno), err);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return lore_fail(err, LORE_BUSY, "%s: another warplored is using it", dir);
    }
    *out = fd;
    return LORE_OK;
}

enum lore_status
lore_db_make_private(const char *path, struct lore_err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0 && errno != EEXIST)
        return lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return LORE_OK;
}

/* A restarted log keeps its file, so the size of the file tells nothing; SQLite reports the pages
 * in use. */
static int
note_wal(void *arg, sqlite3 *handle, const char *name, int pages)
{
    struct lore_db *db = arg;

    (void)handle;
    (void)name;
    db->wal_pages = pages;
    return SQLITE_OK;
}

int64_t
lore_db_wal_bytes(const struct lore_db *db)
{
    return db->wal_pages * 4096;
}

static enum lore_status
prepare_writer(struct lore_db *db, const char *dir, struct lore_err *err)
{
    enum lore_status status = lore_identity_check_database(db, dir, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_exec(db,
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
        "PRAGMA journal_size_limit=" WAL_KEPT "; PRAGMA cache_size=" CACHE_KIB ";"
        "PRAGMA foreign_keys=ON;",
        err);
    sqlite3_wal_hook(db->handle, note_wal, db);
    if (status == LORE_OK)
        status = lore_migrate(db, dir, lore_migrations, err);
    if (status == LORE_OK)
        status = lore_catalogue_sync(db, err);
    if (status == LORE_OK)
        status = lore_identity_opened(db, dir, err);
    return status;
}

static enum lore_status
open_locked(const char *dir, int lock_fd, struct lore_db **out, struct lore_err *err)
{
    char path[4096];
    struct lore_db *db;
    enum lore_status status;

    snprintf(path, sizeof path, "%s/warplore.db", dir);
    status = lore_identity_check_files(dir, err);
    if (status == LORE_OK)
        status = lore_identity_check_credentials(dir, err);
    if (status == LORE_OK)
        status = lore_db_make_private(path, err);
    if (status == LORE_OK)
        status = lore_db_open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, &db, err);
    if (status != LORE_OK) {
        close(lock_fd);
        return status;
    }
    db->writer = true;
    db->lock_fd = lock_fd;
    status = prepare_writer(db, dir, err);
    if (status != LORE_OK) {
        lore_db_close(db);
        return status;
    }
    *out = db;
    return LORE_OK;
}

enum lore_status
lore_db_open_writer(const char *dir, struct lore_db **out, struct lore_err *err)
{
    enum lore_status status = make_directory(dir, err);
    int fd;

    if (status == LORE_OK)
        status = take_lock(dir, &fd, err);
    if (status != LORE_OK)
        return status;
    return open_locked(dir, fd, out, err);
}

enum lore_status
lore_db_allow_new(const char *dir, struct lore_err *err)
{
    enum lore_status status = make_directory(dir, err);
    int fd;

    if (status == LORE_OK)
        status = take_lock(dir, &fd, err);
    if (status != LORE_OK)
        return status;
    status = lore_identity_forget(dir, err);
    close(fd);
    return status;
}

enum lore_status
lore_db_accept(const char *dir, bool rollback, bool credentials, struct lore_err *err)
{
    int fd;
    enum lore_status status = take_lock(dir, &fd, err);

    if (status != LORE_OK)
        return status;
    status = lore_identity_accept(dir, rollback, credentials, err);
    close(fd);
    return status;
}

bool
lore_db_was_unclean(const struct lore_db *writer)
{
    return writer->unclean;
}

void
lore_db_keep_open(struct lore_db *writer)
{
    writer->identity = 0;
}

enum lore_status
lore_db_open_reader(const char *dir, struct lore_db **out, struct lore_err *err)
{
    char path[4096];
    struct lore_db *db;
    enum lore_status status;
    int version = 0;

    if (snprintf(path, sizeof path, "%s/warplore.db", dir) >= (int)sizeof path)
        return lore_fail(err, LORE_INVALID, "%s: path too long", dir);
    status = lore_identity_check_files(dir, err);
    if (status != LORE_OK)
        return status;
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return lore_fail_at(err, LORE_NOTFOUND, "no_database", "data",
            "data: %.160s holds no database (warplore.db)", dir);
    status = lore_db_open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &db, err);
    if (status != LORE_OK)
        return status;
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_progress_handler(db->handle, PROGRESS_OPS, past_deadline, db);
    status = lore_db_exec(db, "PRAGMA query_only=ON;", err);
    if (status == LORE_OK)
        status = lore_migrate_version(db, &version, err);
    if (status == LORE_OK && version != lore_db_schema_version())
        status =
            lore_fail(err, LORE_UNSUPPORTED, "%s: schema version %d, this program reads version %d",
                path, version, lore_db_schema_version());
    if (status != LORE_OK) {
        lore_db_close(db);
        return status;
    }
    *out = db;
    return LORE_OK;
}

enum lore_status
lore_db_open_beside(const struct lore_db *db, struct lore_db **out, struct lore_err *err)
{
    const char *name = strrchr(db->path, '/');
    char dir[4096];

    if (!name ||
        snprintf(dir, sizeof dir, "%.*s", (int)(name - db->path), db->path) >= (int)sizeof dir)
        return lore_fail(err, LORE_INVALID, "%s: path too long", db->path);
    return lore_db_open_reader(dir, out, err);
}

void
lore_db_close(struct lore_db *db)
{
    if (!db)
        return;
    if (db->writer)
        lore_identity_closing(db);
    lore_stmts_free(db);
    sqlite3_close_v2(db->handle);
    if (db->lock_fd >= 0)
        close(db->lock_fd);
    lore_name_cache_clear(&db->names);
    lore_xfree(db->names.slot);
    lore_recent_ids_free(&db->ids);
    lore_buf_free(&db->scratch);
    lore_buf_free(&db->words);
    lore_buf_free(&db->unsearched);
    lore_buf_free(&db->quoted_text);
    lore_buf_free(&db->quoted_lines);
    lore_buf_free(&db->changed);
    lore_buf_free(&db->titles);
    lore_memo_release(db);
    lore_xfree(db->memo);
    lore_cache_free(db->writer ? db->cache : NULL);
    lore_xfree(db->path);
    lore_xfree(db);
}

/* Clear the connection's caches, which may hold rows that are gone. */
static void
forget(struct lore_db *db)
{
    lore_name_cache_clear(&db->names);
    memset(&db->profiles, 0, sizeof db->profiles);
    memset(&db->unprofiled, 0, sizeof db->unprofiled);
    db->event_known = false;
    db->withheld = 0;
}

enum lore_status
lore_db_begin(struct lore_db *db, struct lore_err *err)
{
    lore_name_cache_trim(&db->names);
    return lore_db_exec(db, "BEGIN IMMEDIATE", err);
}

enum lore_status
lore_db_commit(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = lore_search_flush(db, err);

    if (status == LORE_OK)
        status = lore_db_exec(db, "COMMIT", err);
    lore_cache_publish(db, status == LORE_OK); /* also after a failure: costs only misses */
    return status;
}

enum lore_status
lore_db_sync_commits(struct lore_db *db, bool wait, struct lore_err *err)
{
    return lore_db_exec(db, wait ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", err);
}

void
lore_db_rollback(struct lore_db *db)
{
    /* SQLite may have rolled back by itself (disk full). */
    if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    lore_buf_reset(&db->unsearched);
    lore_buf_reset(&db->titles);
    db->saved = false;
    forget(db);
}

enum lore_status
lore_db_savepoint(struct lore_db *db, struct lore_err *err)
{
    db->unsearched_mark = db->unsearched.len;
    db->titles_mark = db->titles.len;
    db->saved = true;
    return lore_db_exec(db, "SAVEPOINT one", err);
}

enum lore_status
lore_db_release(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = lore_db_exec(db, "RELEASE one", err);

    db->saved = false;
    if (status == LORE_OK && db->unsearched.len > LORE_UNSEARCHED_MAX)
        status = lore_search_flush(db, err);
    return status;
}

void
lore_db_undo(struct lore_db *db)
{
    if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK TO one; RELEASE one", NULL, NULL, NULL);
    db->saved = false;
    if (db->unsearched.len > db->unsearched_mark) {
        db->unsearched.len = db->unsearched_mark;
        db->unsearched.data[db->unsearched.len] = '\0';
    }
    if (db->titles.len > db->titles_mark)
        db->titles.len = db->titles_mark;
    forget(db);
}

enum lore_status
lore_db_checkpoint(struct lore_db *db, bool truncate, int64_t *wal_bytes, struct lore_err *err)
{
    int mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
    char path[4096 + 8];
    struct stat st;
    int rc;

    sqlite3_busy_timeout(db->handle, CHECKPOINT_WAIT_MS);
    rc = sqlite3_wal_checkpoint_v2(db->handle, NULL, mode, NULL, NULL);
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    /* BUSY: readers prevented a complete checkpoint; the rest follows later. */
    if (rc != SQLITE_OK && (rc & 0xff) != SQLITE_BUSY)
        return lore_db_fail(db, rc, err);
    snprintf(path, sizeof path, "%s-wal", db->path);
    if (wal_bytes != NULL)
        *wal_bytes = stat(path, &st) == 0 ? st.st_size : 0;
    return LORE_OK;
}

enum lore_status
lore_db_snapshot(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status;

    lore_cache_snapshot(db);
    status = lore_db_exec(db, "BEGIN", err);
    db->snapshot = status == LORE_OK;
    return status;
}

void
lore_db_snapshot_end(struct lore_db *db)
{
    if (db->snapshot)
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    db->snapshot = false;
    lore_known_end_snapshot(db);
}

void
lore_db_stop_with(struct lore_db *db, const atomic_bool *stop)
{
    db->stop = stop;
}

void
lore_db_deadline(struct lore_db *db, int ms)
{
    db->deadline_us = ms > 0 ? lore_ticks_us() + (int64_t)ms * 1000 : 0;
}
