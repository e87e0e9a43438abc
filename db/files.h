/* The database file as a whole: open, transactions, checkpoints, the pool of readers (open.c,
 * migrate.c, readers.c). */
#ifndef LORE_DB_FILES_H
#define LORE_DB_FILES_H

#include "service/base/status.h"
#include <stdbool.h>
#include <stdint.h>

struct lore_db;
/* Open DIR/warplore.db for writing: lock file, pragmas, migrations (with a backup DIR/backup/…
 * before a migration of a non-empty database), catalogue sync. LORE_BUSY when another service holds
 * it. LORE_CORRUPT code database_gone when the directory had a database and has none or an empty
 * one now, code log_gone when it was not closed cleanly and its write-ahead log is missing. */
enum lore_status
lore_db_open_writer(const char *dir, struct lore_db **out, struct lore_err *err) LORE_MUST;
/* For a directory whose database is gone, or that never had one: the next writer makes a new one.
 * LORE_INVALID code database_there when its database holds a document. */
enum lore_status lore_db_begin_again(const char *dir, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_open_reader(const char *dir, struct lore_db **out, struct lore_err *err) LORE_MUST;
/* A reader of the same file as DB. */
enum lore_status
lore_db_open_beside(const struct lore_db *db, struct lore_db **out, struct lore_err *err) LORE_MUST;
void lore_db_close(struct lore_db *db);
enum lore_status lore_db_begin(struct lore_db *db, struct lore_err *err) LORE_MUST; /* IMMEDIATE */
enum lore_status lore_db_commit(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_rollback(struct lore_db *db);
enum lore_status
lore_db_savepoint(struct lore_db *db, struct lore_err *err) LORE_MUST; /* one level */
enum lore_status lore_db_release(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_undo(struct lore_db *db); /* back to the savepoint */
enum lore_status lore_db_checkpoint(
    struct lore_db *db, bool truncate, int64_t *wal_bytes, struct lore_err *err) LORE_MUST;
/* Bytes in the log after the last commit: what the next checkpoint has to copy. Writer only. */
int64_t lore_db_wal_bytes(const struct lore_db *db);
/* A read transaction for the whole request, so that several reads agree. */
enum lore_status lore_db_snapshot(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_snapshot_end(struct lore_db *db);
/* Beside a writer a long read is best made in snapshots of about this length: the log is not cut
 * while one is open, and whoever cuts it waits four times as long. */
#define LORE_SNAPSHOT_US 50000
/* Abandon a read after MS milliseconds from now (0: no limit): LORE_BUSY. */
void lore_db_deadline(struct lore_db *db, int ms);
int lore_db_schema_version(void); /* of this binary */
enum lore_status
lore_db_check(struct lore_db *db, struct lore_err *err) LORE_MUST; /* integrity_check */

struct lore_readers;
enum lore_status lore_readers_open(
    const char *dir, int n, struct lore_readers **out, struct lore_err *err) LORE_MUST;
/* N more that share what the readers OF keep, and are closed before them. Who takes one of these
 * does not wait for who has one of those. */
enum lore_status lore_readers_open_beside(const struct lore_readers *of, int n,
    struct lore_readers **out, struct lore_err *err) LORE_MUST;
/* WRITER tells the readers what it changes, so that they may keep what they have read (seen.c).
 * Before its first commit beside them. */
void lore_readers_follow(struct lore_readers *r, struct lore_db *writer);
struct lore_db *lore_readers_take(struct lore_readers *r, int wait_ms); /* NULL: none came free */
void lore_readers_give(struct lore_readers *r, struct lore_db *db);
void lore_readers_close(struct lore_readers *r);

#endif
