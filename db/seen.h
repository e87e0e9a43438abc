/* What readers of a pool have read, kept for the others (seen.c): N texts behind a kind and an id.
 * Thread-safe. For the files of this folder. Kinds: x title of an experiment, v head of a version,
 * w workload, i words of a lesson; of what may change, R the run of version|chip|workload, G a
 * number of chip|name; L is told of when a lesson is stored. */
#ifndef LORE_DB_SEEN_H
#define LORE_DB_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_db;
struct lore_seen *lore_seen_new(void);
struct lore_seen *lore_seen_share(struct lore_seen *s); /* one lore_seen_free more */
void lore_seen_free(struct lore_seen *s);
/* Texts in A; false: not there, or DB belongs to no pool. */
bool lore_seen_get(struct lore_db *db, char kind, const char *id, struct lore_arena *a,
    const char **texts, size_t n);
void
lore_seen_put(struct lore_db *db, char kind, const char *id, const char *const *texts, size_t n);
struct lore_told {
    uint64_t changed, all; /* changes told when the last one came: of a subject, of everything */
};
struct lore_told lore_seen_told(struct lore_db *db, char kind, const char *subject);
/* A reader's snapshot is about to begin. */
void lore_seen_snapshot(struct lore_db *db);
/* The writer's transaction changes what KIND says of SUBJECT; anything that may change. */
void lore_seen_change(struct lore_db *db, char kind, const char *subject);
void lore_seen_change_all(struct lore_db *db);
/* The writer's transaction stores an experiment. */
void lore_seen_title(struct lore_db *db, const char *id, const char *title);
void lore_seen_tell(struct lore_db *db, bool committed); /* after the commit, or in its place */

#endif
