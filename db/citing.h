/* The lessons that cite an experiment. */
#ifndef LORE_DB_CITING_H
#define LORE_DB_CITING_H

#include "db/rows.h"

struct lore_db;
#define LORE_CITING_MAX 50
/* List insights whose `experiments` name EXPERIMENT, newest first, among the newest 20,000
 * insights; at most LORE_CITING_MAX. Only seq, id, kind and title are set.
 */
enum lore_status lore_db_list_citing(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_insight_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
