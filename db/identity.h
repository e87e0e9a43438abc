/* The file DIR/identity names the database of this directory and says whether it was closed cleanly
 * (identity.c). For the files of this folder. */
#ifndef LORE_DB_IDENTITY_H
#define LORE_DB_IDENTITY_H

#include "service/base/status.h"

struct lore_db;
/* Call it before the database file is opened, which may create the file or its log. LORE_CORRUPT:
 * the database that was here is missing, or its write-ahead log is. */
enum lore_status lore_identity_check_files(const char *dir, struct lore_err *err) LORE_MUST;
/* Call it before migrations. LORE_CORRUPT: an empty database is in the place of another one. */
enum lore_status
lore_identity_check_database(struct lore_db *db, const char *dir, struct lore_err *err) LORE_MUST;
/* Give the open database DB of DIR an identity, unless it has one, and write it to DIR. A file that
 * cannot be written is no error. */
enum lore_status
lore_identity_opened(struct lore_db *db, const char *dir, struct lore_err *err) LORE_MUST;
/* Call it before the writer DB is closed: checkpoint the log and mark a clean end. When that fails,
 * or the identity was never written, SQLite leaves the log in place. */
void lore_identity_closing(struct lore_db *db);
/* Remove the file and the remains of the database. DIR's lock must be held. LORE_INVALID: the
 * database holds a document. */
enum lore_status lore_identity_forget(const char *dir, struct lore_err *err) LORE_MUST;

#endif
