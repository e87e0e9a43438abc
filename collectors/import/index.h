/* A map from text to a number, for lists that must not repeat a line. Entries are never removed. */
#ifndef LORE_IMPORT_INDEX_H
#define LORE_IMPORT_INDEX_H

#include <stdbool.h>

#include "service/base/arena.h"

struct lore_index_slot {
    const char *key; /* NULL: free */
    size_t value;
};
struct lore_index {
    struct lore_index_slot *slots;
    size_t n, cap; /* cap is a power of two; the table is at most half full */
};
/* The value of KEY. A new KEY is copied and its value is 0. The pointer is valid until the next
 * call. */
size_t *lore_index_at(struct lore_arena *arena, struct lore_index *index, const char *key);
/* The value of KEY; NULL: it is not there. */
size_t *lore_index_find(const struct lore_index *index, const char *key);

#endif
