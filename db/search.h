/* The full-text index: asking it, and making records findable (search.c). For the files of this
 * folder. */
#ifndef LORE_DB_SEARCH_H
#define LORE_DB_SEARCH_H

#include "db/put.h"
#include "service/base/buf.h"

/* TEXT as an FTS5 query: each word quoted, the last a prefix unless it is very short. NULL: no word
 * in it. */
const char *lore_search_query(const char *text, struct lore_arena *a);
/* Rows of drv_search below this are not ranked: the newest LORE_SEARCH_MATCHES matches are. */
#define LORE_SEARCH_MATCHES 10000
enum lore_status lore_search_floor(
    struct lore_db *db, const char *query, int64_t *floor, struct lore_err *err) LORE_MUST;
/* Make a row findable. In a transaction the row waits for lore_search_flush: FTS5 writes a segment
 * of its own for every savepoint that it lives through, a sixth of the cost of a small document. */
#define LORE_UNSEARCHED_MAX (4u << 20) /* bytes that may wait outside of a savepoint */
enum lore_status lore_search_put(struct lore_db *db, const char *kind, const char *id,
    const char *title, const struct lore_buf *body, struct lore_err *err) LORE_MUST;
/* Insert the rows that wait. For the commit, outside of savepoints. */
enum lore_status lore_search_flush(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
