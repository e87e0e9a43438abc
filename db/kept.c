/* Caches the numbers of chips as strings in seen.c, with every digit. */
#include "db/kept.h"

#include <stdlib.h>

#include "db/internal.h"
#include "db/seen.h"
#include "service/base/text.h"

bool
lore_kept_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double *out)
{
    const char *text;

    if (!lore_seen_get(db, 'G', lore_format(a, "%s|%s", chip, name), a, &text, 1))
        return false;
    *out = strtod(text, NULL);
    return true;
}

void
lore_keep_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double value)
{
    const char *text = lore_format(a, "%a", value);

    lore_seen_put(db, 'G', lore_format(a, "%s|%s", chip, name), &text, 1);
}
