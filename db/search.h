/* The full-text index: queries and updates (search.c). For the files of this folder. */
#ifndef LORE_DB_SEARCH_H
#define LORE_DB_SEARCH_H

#include "service/base/arena.h"
#include "service/base/buf.h"
#include <stdint.h>

struct lore_db;
/* Turn TEXT into an FTS5 query: each word quoted, the last one a prefix unless it is very short.
 * NULL: TEXT has no word. */
const char *lore_search_query(const char *text, struct lore_arena *a);
/* Set the lowest row of drv_search that is ranked: only the newest LORE_SEARCH_MATCHES matches are.
 */
#define LORE_SEARCH_MATCHES 10000
enum lore_status lore_search_floor(
    struct lore_db *db, const char *query, int64_t *floor, struct lore_err *err) LORE_MUST;
/* Add a row to the index. In a transaction the row waits for lore_search_flush: FTS5 writes a
 * segment for every savepoint in which it has rows, which is a sixth of the cost of a small
 * document. */
#define LORE_UNSEARCHED_MAX (4u << 20) /* bytes that may wait while no savepoint is open */
enum lore_status lore_search_put(struct lore_db *db, const char *kind, const char *id,
    const char *title, const struct lore_buf *body, struct lore_err *err) LORE_MUST;
/* Insert the waiting rows. Call it before the commit, outside of savepoints. */
enum lore_status lore_search_flush(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
