/* Numbers that handlers work out of what is stored about a chip, kept beside what readers have
 * read (seen.c): until a spec of the chip or a decision about anything is stored. */
#ifndef LORE_DB_KEPT_H
#define LORE_DB_KEPT_H

#include <stdbool.h>

#include "service/base/arena.h"

struct lore_db;
/* The number called NAME of CHIP; false: not kept. */
bool lore_kept_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double *out);
/* To be called after lore_kept_number said false and what VALUE hangs on was read from DB, in the
 * snapshot of both. */
void lore_keep_number(
    struct lore_db *db, const char *chip, const char *name, struct lore_arena *a, double value);

#endif
