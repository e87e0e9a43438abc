/* A set-associative cache of ids. A record's id contains its time, so a new id is nearly always
 * greater than those of long ago. `floor` is the greatest id that was stored before the cache began
 * or that left the cache: an id above it is in the cache or new. Ids of rolled-back records stay;
 * they only cost a query. */
#include "db/recent_ids.h"

#include <string.h>

#include "service/base/xalloc.h"

enum { LENGTH = LORE_ULID_SIZE - 1, WAYS = 8, SETS = 8192 }; /* 65,536 ids, 1.7 MB */

struct lore_recent_set {
    char id[WAYS][LENGTH];
    unsigned char used, next; /* next: the oldest, when all are used */
};

void
lore_recent_ids_begin(struct lore_recent_ids *r, const char *greatest)
{
    if (!r->sets)
        r->sets = lore_xcalloc(SETS, sizeof *r->sets);
    memcpy(r->floor, greatest ? greatest : "0", greatest ? LORE_ULID_SIZE : 2);
}

/* The set of ID, from its random part. */
static struct lore_recent_set *
set_of(struct lore_recent_ids *r, const char *id)
{
    uint64_t a, b;

    memcpy(&a, id + LENGTH - 8, sizeof a);
    memcpy(&b, id + LENGTH - 16, sizeof b);
    return &r->sets[((a ^ b << 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 51]; /* 13 bits */
}

bool
lore_recent_ids_add(struct lore_recent_ids *r, const char *id)
{
    struct lore_recent_set *set;

    if (strlen(id) != LENGTH)
        return false;
    set = set_of(r, id);
    for (unsigned i = 0; i < set->used; i++)
        if (memcmp(set->id[i], id, LENGTH) == 0)
            return false;
    if (set->used < WAYS)
        set->next = set->used++;
    else if (memcmp(set->id[set->next], r->floor, LENGTH) > 0)
        memcpy(r->floor, set->id[set->next], LENGTH);
    memcpy(set->id[set->next], id, LENGTH);
    set->next = (unsigned char)((set->next + 1) % WAYS);
    return memcmp(id, r->floor, LENGTH) > 0;
}

void
lore_recent_ids_free(struct lore_recent_ids *r)
{
    lore_xfree(r->sets);
    r->sets = NULL;
}
