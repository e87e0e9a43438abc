/* The file DIR/identity says which database, key and credentials this directory has, up to which
 * event, and whether the database was closed cleanly (identity.c). For the files of this folder. */
#ifndef LORE_DB_IDENTITY_H
#define LORE_DB_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
struct lore_manifest;
/* Call it before the database file is opened, which may create the file or its log. LORE_CORRUPT:
 * the database that was here is missing, or its write-ahead log is. */
enum lore_status lore_identity_check_files(const char *dir, struct lore_err *err) LORE_MUST;
/* LORE_CORRUPT: the key or the credentials are missing or not those that were here. */
enum lore_status lore_identity_check_credentials(const char *dir, struct lore_err *err) LORE_MUST;
/* Call it before migrations. LORE_CORRUPT: an empty or foreign database is in the place of another
 * one, or it lacks events that it had. */
enum lore_status
lore_identity_check_database(struct lore_db *db, const char *dir, struct lore_err *err) LORE_MUST;
/* Let the next start take an older database, or other credentials. DIR's lock must be held. */
enum lore_status lore_identity_accept(
    const char *dir, bool rollback, bool credentials, struct lore_err *err) LORE_MUST;
/* Give the open database DB of DIR an identity, unless it has one, and write it to DIR. A file that
 * cannot be written is no error. */
enum lore_status
lore_identity_opened(struct lore_db *db, const char *dir, struct lore_err *err) LORE_MUST;
/* Call it before the writer DB is closed: checkpoint the log and mark a clean end. When that fails,
 * or the identity was never written, SQLite leaves the log in place. */
void lore_identity_closing(struct lore_db *db);
/* Note in DIR, before its files are there, that it will have the database of M. */
enum lore_status lore_identity_restored(
    const char *dir, const struct lore_manifest *m, struct lore_err *err) LORE_MUST;
/* Remove the file and the remains of the database. DIR's lock must be held. LORE_INVALID: the
 * database holds a document. */
enum lore_status lore_identity_forget(const char *dir, struct lore_err *err) LORE_MUST;

#endif
