/* Titles of experiments by id, for answers that cite many of them. */
#include "db.h"

enum lore_status
lore_experiment_titles(struct lore_db *db, const char *const *ids, size_t n, struct lore_arena *a,
    const char **titles, struct lore_err *err)
{
    for (size_t i = 0; i < n; i++) {
        LORE_STMT q = lore_sql(db, "SELECT title FROM fact_experiment WHERE id = $1");
        enum lore_status status;

        lore_bind_text(&q, 1, ids[i]);
        titles[i] = lore_row(&q) ? lore_col_text(&q, 0, a) : NULL;
        status = lore_done(&q, err);
        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}
