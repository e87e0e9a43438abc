/* Ranking of full-text matches one by one (search_rank.c). For search.c and open.c. */
#ifndef LORE_DB_SEARCH_RANK_H
#define LORE_DB_SEARCH_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
#define LORE_SEARCH_PHRASES 16 /* words of one query */

struct lore_search_ranked {
    double rank; /* lower is better */
    int64_t rowid;
    const char *snippet; /* in the arena of the search */
};
/* The state of a running query: its best matches so far, best first. */
struct lore_ranking {
    double idf[LORE_SEARCH_PHRASES]; /* weight of each word */
    double average;                  /* average words per row; 0: not yet read */
    struct lore_search_ranked *best;
    size_t n, cap;
    size_t at;   /* position of the match that was kept last */
    bool closed; /* enough matches were ranked; a further one is not ranked */
};
/* Register the SQL function lore_rank_match(drv_search). It ranks the current match by BM25 into
 * db->ranking and returns 1 when the match is among the best so far, else 0. Only those need a
 * snippet. */
enum lore_status lore_search_rank_register(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
