/* Caches the numbers of chips as strings in cache.c, with every digit. */
#include "db/cached_number.h"

#include <stdlib.h>

#include "db/cache.h"
#include "db/internal.h"
#include "service/base/text.h"

bool
lore_cached_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double *out)
{
    const char *text;

    if (!lore_cache_get(db, 'G', lore_format(a, "%s|%s", chip, name), a, &text, 1))
        return false;
    *out = strtod(text, NULL);
    return true;
}

void
lore_cache_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double value)
{
    const char *text = lore_format(a, "%a", value);

    lore_cache_put(db, 'G', lore_format(a, "%s|%s", chip, name), &text, 1);
}
