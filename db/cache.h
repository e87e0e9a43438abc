/* A cache shared by the readers of a pool (cache.c): N strings under a kind and an id. Thread-
 * safe. For the files of this folder. Immutable kinds: x title of an experiment, v head of a
 * version, w workload, i words of a lesson, u uses of an
 * experiment, m the version that it made. Mutable kinds: R the run of version|chip|workload, G
 * a number of chip|name. memo.h has values of its own under kinds G, F and K, a kernel. Kind L has
 * no entries: storing a lesson only moves its invalidation counter, which lesson_cache.c reads. */
#ifndef LORE_DB_CACHE_H
#define LORE_DB_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_db;
struct lore_cache *lore_cache_new(void);
struct lore_cache *lore_cache_share(struct lore_cache *s); /* needs one more lore_cache_free */
void lore_cache_free(struct lore_cache *s);
/* Get the strings in A. False: not cached, or DB belongs to no pool. */
bool lore_cache_get(struct lore_db *db, char kind, const char *id, struct lore_arena *a,
    const char **texts, size_t n);
void
lore_cache_put(struct lore_db *db, char kind, const char *id, const char *const *texts, size_t n);
struct lore_cache_stamp {
    uint64_t changed; /* the number of publications at the last invalidation of the subject */
    uint64_t all;     /* the same for the last invalidation of all subjects */
};
struct lore_cache_stamp lore_cache_stamp(struct lore_db *db, char kind, const char *subject);
/* Call it before a reader's snapshot begins. */
void lore_cache_snapshot(struct lore_db *db);
/* The writer's transaction changes SUBJECT of KIND, or possibly every subject. */
void lore_cache_invalidate(struct lore_db *db, char kind, const char *subject);
void lore_cache_invalidate_all(struct lore_db *db);
/* The writer's transaction stores an experiment with this title, which nothing says has failed. */
void lore_cache_title(struct lore_db *db, const char *id, const char *title);
/* Publish the changes of the transaction after COMMIT, also a failed one: a needless invalidation
 * costs a few reads. Titles are cached only when COMMITTED. */
void lore_cache_publish(struct lore_db *db, bool committed);

#endif
