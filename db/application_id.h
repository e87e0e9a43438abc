/* The random number that SQLite keeps in the header of a database file, and every copy of it has
 * (application_id.c). For the files of this folder. */
#ifndef LORE_DB_APPLICATION_ID_H
#define LORE_DB_APPLICATION_ID_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* The number of DB; 0: it has none yet. */
enum lore_status lore_identity_of(struct lore_db *db, int64_t *out, struct lore_err *err) LORE_MUST;
/* Give DB a random number, unless it has one. */
enum lore_status
lore_identity_give(struct lore_db *db, int64_t *id, struct lore_err *err) LORE_MUST;

#endif
