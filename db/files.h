/* The database file as a whole: open, transactions, checkpoints, the pool of readers (open.c,
 * migrate.c, readers.c). */
#ifndef LORE_DB_FILES_H
#define LORE_DB_FILES_H

#include "service/base/status.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct lore_db;
/* Open DIR/warplore.db for writing: lock file, settings, migrations (with a backup in DIR/backup
 * before the migration of a non-empty database), catalogue. LORE_BUSY: another service has it open.
 * LORE_CORRUPT code database_gone: the directory had a database and now has none or an empty one.
 * LORE_CORRUPT code log_gone: the write-ahead log is missing although the database was not closed
 * cleanly; database_foreign, rolled_back: it is another or an older database than the directory
 * had; credentials_gone, credentials_replaced: so are auth.db or service.key. */
enum lore_status
lore_db_open_writer(const char *dir, struct lore_db **out, struct lore_err *err) LORE_MUST;
/* Let the next writer create a new database in a directory whose database is gone, or never
 * existed. LORE_INVALID code database_there: the database holds a document. */
enum lore_status lore_db_allow_new(const char *dir, struct lore_err *err) LORE_MUST;
/* Let the next writer take a database that lacks events it had (ROLLBACK), or other credentials. */
enum lore_status
lore_db_accept(const char *dir, bool rollback, bool credentials, struct lore_err *err) LORE_MUST;
/* Whether the database was not closed cleanly before this writer opened it. */
bool lore_db_was_unclean(const struct lore_db *writer);
/* Do not mark the database as closed cleanly when the writer is closed: it is damaged. */
void lore_db_keep_open(struct lore_db *writer);
/* Whether DB, a reader without a snapshot, is the database that its directory had, with all its
 * events: LORE_CORRUPT codes database_gone, database_foreign, rolled_back. */
enum lore_status lore_db_check_identity(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Note in the directory up to which event its database has come, from a reader without a snapshot.
 */
enum lore_status lore_db_note_identity(struct lore_db *reader, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_open_reader(const char *dir, struct lore_db **out, struct lore_err *err) LORE_MUST;
/* Open a reader of the same file as DB. */
enum lore_status
lore_db_open_beside(const struct lore_db *db, struct lore_db **out, struct lore_err *err) LORE_MUST;
void lore_db_close(struct lore_db *db);
enum lore_status lore_db_begin(struct lore_db *db, struct lore_err *err) LORE_MUST; /* IMMEDIATE */
enum lore_status lore_db_commit(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Whether each commit waits for the disk, which is the rule. Without it, a power cut may lose the
 * last commits, but leaves the database whole. Not inside a transaction. */
enum lore_status
lore_db_sync_commits(struct lore_db *db, bool wait, struct lore_err *err) LORE_MUST;
void lore_db_rollback(struct lore_db *db);
enum lore_status
lore_db_savepoint(struct lore_db *db, struct lore_err *err) LORE_MUST; /* one level */
enum lore_status lore_db_release(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_undo(struct lore_db *db); /* roll back to the savepoint */
enum lore_status lore_db_checkpoint(
    struct lore_db *db, bool truncate, int64_t *wal_bytes, struct lore_err *err) LORE_MUST;
/* Bytes in the log after the last commit, which the next checkpoint must copy. Writer only. */
int64_t lore_db_wal_bytes(const struct lore_db *db);
/* Begin one read transaction for a whole request, so that its reads agree. */
enum lore_status lore_db_snapshot(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_snapshot_end(struct lore_db *db);
/* A long read beside a writer should use snapshots of about this length. The log cannot be
 * truncated while one is open; a truncating checkpoint waits four times as long for it to end. */
#define LORE_SNAPSHOT_US 50000
/* Abandon a read after MS milliseconds from now (0: no limit): LORE_BUSY. */
void lore_db_deadline(struct lore_db *db, int ms);
/* End every read of DB with LORE_BUSY once another thread sets *STOP. */
void lore_db_stop_with(struct lore_db *db, const atomic_bool *stop);
int lore_db_schema_version(void); /* of this binary */
enum lore_status
lore_db_check(struct lore_db *db, struct lore_err *err) LORE_MUST; /* integrity_check */
/* Whether every page can be read and is well formed. Indexes are not compared with their tables. */
enum lore_status lore_db_quick_check(struct lore_db *db, struct lore_err *err) LORE_MUST;

struct lore_readers;
enum lore_status lore_readers_open(
    const char *dir, int n, struct lore_readers **out, struct lore_err *err) LORE_MUST;
/* Open N more readers that share the cache of OF, and must be closed before OF. Callers of one
 * pool never wait for callers of the other. */
enum lore_status lore_readers_open_beside(const struct lore_readers *of, int n,
    struct lore_readers **out, struct lore_err *err) LORE_MUST;
/* Let WRITER invalidate the cache of the readers (cache.c). Call it before the writer's first
 * commit beside them. */
void lore_readers_follow(struct lore_readers *r, struct lore_db *writer);
struct lore_db *lore_readers_take(struct lore_readers *r, int wait_ms); /* NULL: timeout */
void lore_readers_give(struct lore_readers *r, struct lore_db *db);
void lore_readers_close(struct lore_readers *r);

#endif
