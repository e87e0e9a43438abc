/* Store bytes by their hash (blob.c). For the files of this folder. */
#ifndef LORE_DB_BLOB_H
#define LORE_DB_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

struct lore_db;
struct lore_buf;
struct lore_blob {
    char hash[65];
    bool is_new; /* these bytes were not stored before */
};
/* lore_blob_note stores only hash and size, of bytes that are an artifact of the document being
 * stored: lore_db_get_blob reads them from there. */
enum lore_status lore_blob_put(struct lore_db *db, const void *p, size_t n, const char *media_type,
    struct lore_blob *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_blob_note(struct lore_db *db, const void *p, size_t n, const char *media_type,
    struct lore_blob *out, struct lore_err *err) LORE_MUST;
/* Append the artifact with this HASH to OUT, from the first document that has it (document.c). */
enum lore_status lore_artifact_read(
    struct lore_db *db, const char *hash, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
