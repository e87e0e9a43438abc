/* Store bytes by their hash (blob.c). For the files of this folder. */
#ifndef LORE_DB_BLOB_H
#define LORE_DB_BLOB_H

#include "service/base/status.h"

struct lore_db;
enum lore_status lore_blob_put(struct lore_db *db, const void *p, size_t n, const char *media_type,
    char hash[65], struct lore_err *err) LORE_MUST;

#endif
