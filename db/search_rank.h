/* Ranking of full-text matches one by one (search_rank.c). For search.c and open.c. */
#ifndef LORE_DB_SEARCH_RANK_H
#define LORE_DB_SEARCH_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
#define LORE_SEARCH_PHRASES 16 /* words of one query */

struct lore_ranked {
    double rank; /* lower is better */
    int64_t rowid;
    const char *snippet; /* the reader's */
};
/* One query under way: the best so far, best first. */
struct lore_ranking {
    double idf[LORE_SEARCH_PHRASES]; /* weight of each word */
    double average;                  /* words of a row; 0: not asked yet */
    struct lore_ranked *best;
    size_t n, cap;
    size_t at;   /* where the row went that was kept last */
    bool closed; /* enough were ranked: what comes is only counted */
};
/* The SQL function lore_kept(drv_search): ranks the current match by BM25 into db->ranking; 1 when
 * it is among the best so far, so that only for those a snippet has to be made, else 0. */
enum lore_status lore_search_rank_register(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
