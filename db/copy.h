/* Copies of files and databases that are on disk when the call returns (copy.c). For the files of
 * this folder. */
#ifndef LORE_DB_COPY_H
#define LORE_DB_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/hash.h"
#include "service/base/status.h"

struct lore_db;
/* Copy the database DB into a new file PATH of mode 0600, which needs no other file to be read.
 * GENTLY: with pauses, for a copy beside a service; DB must then hold a snapshot, or no other
 * connection may write. */
enum lore_status lore_copy_database(
    struct lore_db *db, const char *path, bool gently, struct lore_err *err) LORE_MUST;
/* Read the file FROM and hash it; with TO, copy it into that new file of mode 0600. */
enum lore_status lore_copy_file(const char *from, const char *to, int64_t *bytes,
    char hash[LORE_HASH_HEX], struct lore_err *err) LORE_MUST;
/* Sync the file or directory PATH. */
enum lore_status lore_copy_sync(const char *path, struct lore_err *err) LORE_MUST;

#endif
