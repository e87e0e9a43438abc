/* The documents of a database in the order in which they were acknowledged, some at a time, for a
 * database that holds those of one project (excerpt.c). */
#ifndef LORE_DB_EXCERPT_H
#define LORE_DB_EXCERPT_H

#include <stddef.h>
#include <stdint.h>

#include "db/put.h"

struct lore_db;
struct lore_arrived_row {
    int64_t event, at_us;
    const char *id, *actor, *owner; /* owner NULL: nobody's */
    const void *packed;             /* as lore_zstd_pack gave it */
    size_t len;
};
struct lore_arrived_part {
    int64_t after;              /* an event; the documents behind it */
    size_t most, bytes;         /* at most so many, and no more once they have so many bytes */
    struct lore_arrived_row *v; /* room for `most` */
    size_t n;
    struct lore_chain_head to; /* the last event that is covered; where it is `after`, there is
                                  nothing new */
};
enum lore_status lore_db_documents_after(struct lore_db *db, struct lore_arrived_part *part,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* Whether ID is a record or a document of DB; *actor: of its document. LORE_NOTFOUND: neither. */
enum lore_status lore_db_find_any(struct lore_db *db, const char *id, struct lore_arena *a,
    const char **actor, struct lore_err *err) LORE_MUST;

#endif
