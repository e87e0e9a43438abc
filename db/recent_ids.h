/* The ids of the newest records, in the memory of the writer. They tell without a query that a new
 * id belongs to no record of any kind (recent_ids.c). For the files of this folder. */
#ifndef LORE_DB_RECENT_IDS_H
#define LORE_DB_RECENT_IDS_H

#include <stdbool.h>

#include "service/base/ulid.h"

struct lore_recent_set;
struct lore_recent_ids {
    struct lore_recent_set *sets; /* NULL: none yet */
    char floor[LORE_ULID_SIZE];   /* no id that is missing here is greater; empty: not known */
};

/* Set the greatest id of all stored records before the first lore_recent_ids_add; NULL: there is
 * none. */
void lore_recent_ids_begin(struct lore_recent_ids *r, const char *greatest);
/* Note that a record with the valid ID was stored. Returns true when no other record had it. False
 * means that one may have it. */
bool lore_recent_ids_add(struct lore_recent_ids *r, const char *id);
void lore_recent_ids_free(struct lore_recent_ids *r);

#endif
