/* The note DIR/identity: which database this directory has, and whether it was closed cleanly
 * (identity.c). For the files of this folder. */
#ifndef LORE_DB_IDENTITY_H
#define LORE_DB_IDENTITY_H

#include "service/base/status.h"

struct lore_db;
/* Before the database file is opened, which may make it or its log. LORE_CORRUPT when a database
 * that was here is missing, or its write-ahead log is. */
enum lore_status lore_identity_check_files(const char *dir, struct lore_err *err) LORE_MUST;
/* Before migrations. LORE_CORRUPT when an empty database stands where another one was. */
enum lore_status
lore_identity_check_database(struct lore_db *db, const char *dir, struct lore_err *err) LORE_MUST;
/* DB is the database of DIR, and open: give it an identity unless it has one, and note it. Goes on
 * when the note cannot be written. */
enum lore_status
lore_identity_opened(struct lore_db *db, const char *dir, struct lore_err *err) LORE_MUST;
/* Before the writer DB is closed: copy its log back and note that. Where that fails, or DB was
 * never noted, SQLite leaves the log as it is. */
void lore_identity_closing(struct lore_db *db);
/* With DIR's lock held: remove its note and what is left of its database. LORE_INVALID when the
 * database holds a document. */
enum lore_status lore_identity_forget(const char *dir, struct lore_err *err) LORE_MUST;

#endif
