/* Backups of a data directory (backup.c) and their restoration (restore.c). A backup is a folder
 * with the files that its manifest lists. */
#ifndef LORE_DB_BACKUP_H
#define LORE_DB_BACKUP_H

#include <stdatomic.h>

#include "db/last_backup.h"
#include "db/manifest.h"

struct lore_backup_plan {
    const char *data;        /* the data directory */
    const char *to;          /* the folder for backups, made when missing */
    const char *version;     /* of this program */
    const atomic_bool *stop; /* another thread sets it to end the backup (LORE_BUSY); may be NULL */
};
/* Copy a data directory into a new folder. A service may run and store meanwhile: the copy is its
 * state at one moment, and no writer waits for it. The folder appears when the copy is complete,
 * checked and on disk. The calling thread keeps a low priority. */
enum lore_status lore_backup_make(
    const struct lore_backup_plan *p, struct lore_backup *out, struct lore_err *err) LORE_MUST;
/* Delete the oldest backups of DATA's database in TO, and keep the newest KEEP. */
enum lore_status
lore_backup_prune(const char *data, const char *to, int keep, struct lore_err *err) LORE_MUST;
/* Compare every file of the backup FROM with its manifest. LORE_CORRUPT names the first that
 * differs. */
enum lore_status lore_backup_check(const char *from, struct lore_arena *a,
    struct lore_manifest *out, struct lore_err *err) LORE_MUST;
/* Copy the backup FROM (or the newest in the folder FROM) into DATA, which must be empty or
 * missing. FROM is not changed. *out: the manifest; *path: the backup that was taken. */
enum lore_status lore_backup_restore(const char *from, const char *data, struct lore_arena *a,
    struct lore_manifest *out, struct lore_err *err) LORE_MUST;

#endif
