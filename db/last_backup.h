/* The last good backup of a data directory (last_backup.c). */
#ifndef LORE_DB_LAST_BACKUP_H
#define LORE_DB_LAST_BACKUP_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_backup {
    char path[4096]; /* its folder */
    int64_t made_us; /* the state that it holds */
    int64_t bytes, took_us;
};
/* Note B as the last backup of DATA. A directory that cannot be written goes without. */
void lore_backup_remember(const char *data, const struct lore_backup *b);
/* The last backup that was made of DATA. LORE_NOTFOUND: none is known. */
enum lore_status
lore_backup_last(const char *data, struct lore_backup *out, struct lore_err *err) LORE_MUST;
/* Add to a hint in *err where the last good backup of DATA is. */
void lore_backup_hint(const char *data, struct lore_err *err);

#endif
