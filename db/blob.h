/* Store bytes by their hash (blob.c). For the files of this folder. */
#ifndef LORE_DB_BLOB_H
#define LORE_DB_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

struct lore_db;
struct lore_blob {
    char hash[65];
    bool is_new; /* these bytes were not stored before */
};
enum lore_status lore_blob_put(struct lore_db *db, const void *p, size_t n, const char *media_type,
    struct lore_blob *out, struct lore_err *err) LORE_MUST;

#endif
