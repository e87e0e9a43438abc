/* Which records an import has packed, by hashes of id and content: 16 bytes a record, at most
 * 32 MB. Beyond LORE_SEEN_MAX records, later ones are taken for new; the service knows
 * a repeated one by its id. */
#ifndef LORE_IMPORT_SEEN_H
#define LORE_IMPORT_SEEN_H

#include <stdint.h>

#include "service/base/arena.h"

#define LORE_SEEN_MAX ((size_t)3 << 19)

struct lore_seen {
    struct lore_seen_slot {
        uint64_t key, content; /* key 0: free */
    } * slots;
    size_t n, cap; /* cap is a power of two */
};
enum lore_seen_as { LORE_SEEN_NEW, LORE_SEEN_SAME, LORE_SEEN_OTHER };
/* Add the record KEY with CONTENT. LORE_SEEN_OTHER: KEY was added with other content, which stays.
 */
enum lore_seen_as lore_seen_add(struct lore_arena *arena, struct lore_seen *s, const char *key,
    const void *content, size_t len);
/* How often KEY was counted before; not for a table that lore_seen_add fills. */
uint64_t lore_seen_count(struct lore_arena *arena, struct lore_seen *s, const char *key);

#endif
