/* Titles of experiments and sweeps by id, for answers that cite many of them. */
#include "db/cache.h"
#include "db/internal.h"
#include "db/query.h"

static enum lore_status
title_of(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_title *out,
    struct lore_err *err)
{
    LORE_STMT q = {0};

    if (lore_cache_get(db, 'x', id, a, &out->text, 1))
        return LORE_OK;
    q = lore_sql(db,
        "SELECT title, 0 FROM fact_experiment WHERE id = $1 UNION ALL"
        " SELECT 'Sweep of ' || k.name || ', ' || s.configurations || ' configurations', 1"
        " FROM fact_sweep s JOIN fact_kernel k ON k.id = s.kernel WHERE s.id = $1");
    lore_bind_text(&q, 1, id);
    if (lore_row(&q))
        *out = (struct lore_title){lore_col_text(&q, 0, a), lore_col_i64(&q, 1) != 0};
    if (out->text && !out->sweep) /* the cache knows titles only */
        lore_cache_put(db, 'x', id, &out->text, 1);
    return lore_done(&q, err);
}

enum lore_status
lore_experiment_titles(struct lore_db *db, const char *const *ids, size_t n, struct lore_arena *a,
    struct lore_title *titles, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n && status == LORE_OK; i++)
        status = title_of(db, ids[i], a, &titles[i], err);
    return status;
}

enum lore_status
lore_experiment_made(struct lore_db *db, const char *id, struct lore_arena *a, const char **version,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT to_version FROM fact_experiment WHERE id = $1");

    lore_bind_text(&q, 1, id);
    *version = lore_row(&q) ? lore_col_text(&q, 0, a) : NULL;
    return lore_done(&q, err);
}
