/* The folder in which one run's capture files are made, under TMPDIR or /tmp, open to its owner
 * alone. It is removed when the run ends; the next run removes the folder of a killed run. */
#ifndef LORE_RUN_RUNDIR_H
#define LORE_RUN_RUNDIR_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_rundir {
    const char *path;
    int lock; /* held while we live, so that nobody takes the folder for a dead run's */
};
/* Make a folder, and remove those of dead runs. LORE_IO names the folder. Text in ARENA. */
enum lore_status
lore_rundir_make(struct lore_arena *arena, struct lore_rundir *out, struct lore_err *err) LORE_MUST;
/* Make folder NAME in the run folder D, for one more execution of the program. */
enum lore_status lore_rundir_sub(const struct lore_rundir *d, const char *name,
    struct lore_arena *arena, const char **path, struct lore_err *err) LORE_MUST;
/* Remove it with all in it; a zeroed one is fine. */
void lore_rundir_remove(struct lore_rundir *d);
/* Bytes of the capture files in PATH, and how many there are: what a progress line shows. */
void lore_rundir_size(const char *path, uint64_t *bytes, unsigned *files);

/* Whether its file system is full, so that capture records may be missing. */
bool lore_rundir_full(const struct lore_rundir *d);

#endif
