/* Numbers that handlers compute for a chip, stored in the cache of the readers (cache.c). A new
 * spec of a chip invalidates the numbers of that chip. A decision other than a mask, a merge, their
 * undoing or a comment invalidates all numbers. */
#ifndef LORE_DB_CACHED_NUMBER_H
#define LORE_DB_CACHED_NUMBER_H

#include <stdbool.h>

#include "service/base/arena.h"

struct lore_db;
/* Get the number NAME of CHIP; false: not cached. */
bool lore_cached_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double *out);
/* Cache a number. Call it after lore_cached_number returned false and the data behind VALUE was
 * read from DB, both in one snapshot. */
void lore_cache_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double value);

#endif
