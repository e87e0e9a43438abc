/* The file DIR/identity: what the directory had when a service last looked (identity_file.c). For
 * the files of this folder. */
#ifndef LORE_DB_IDENTITY_FILE_H
#define LORE_DB_IDENTITY_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/put.h"
#include "service/base/hash.h"
#include "service/base/status.h"

struct lore_noted {
    bool known, open;            /* known: the file exists; open: the database was not closed */
    uint32_t id, auth;           /* application_id of warplore.db and auth.db; 0: not known */
    struct lore_chain_head head; /* an event that the database has; seq 0: not known */
    char key[LORE_HASH_HEX];     /* hash of the file service.key; empty: not known */
};
/* A missing file is no error. LORE_CORRUPT: it cannot be read as what lore_noted_write writes. */
enum lore_status
lore_noted_read(const char *dir, struct lore_noted *out, struct lore_err *err) LORE_MUST;
/* Write the file, unless it says the same already. */
enum lore_status
lore_noted_write(const char *dir, const struct lore_noted *n, struct lore_err *err) LORE_MUST;
/* Fill auth and key with what DIR has now; what is missing is as not known. */
enum lore_status
lore_noted_credentials(const char *dir, struct lore_noted *n, struct lore_err *err) LORE_MUST;

#endif
