/* The cache of lessons of a pool of readers (lesson_cache.c). For the files of this folder. */
#ifndef LORE_DB_LESSON_CACHE_H
#define LORE_DB_LESSON_CACHE_H

#include "db/rows.h"

/* The columns of a lesson in the order of the SELECT. */
enum {
    LORE_LESSON_OP = 3,
    LORE_LESSON_FAMILY = 4,
    LORE_LESSON_TECHNIQUE = 7,
    LORE_LESSON_COLUMNS = 11
};
const char **lore_lesson_column(struct lore_lesson *l, int column);

#define LORE_LESSONS_MAX 512 /* in one list */

struct lore_db;
struct lore_lesson_cache;
struct lore_lesson_cache *lore_lesson_cache_new(void);
void lore_lesson_cache_free(struct lore_lesson_cache *k);
/* As lore_db_list_lessons, from the cache. LORE_NOTFOUND, without a message: DB belongs to no pool,
 * or there are too many lessons to cache. */
enum lore_status lore_lesson_cache_list(struct lore_db *db, const struct lore_lesson_scope *of,
    struct lore_arena *a, struct lore_lesson **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
