/* Titles of experiments and sweeps by id, and how the experiments failed, for answers that cite
 * many of them. Neither changes, so both are cached. */
#include "db/cache.h"
#include "db/internal.h"
#include "db/query.h"

static enum lore_status
title_of(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_title *out,
    struct lore_err *err)
{
    LORE_STMT q = {0};
    const char *texts[2]; /* of an experiment: its title, its error */

    *out = (struct lore_title){0};
    if (lore_cache_get(db, 'x', id, a, texts, 2)) {
        *out = (struct lore_title){texts[0], texts[1], false};
        return LORE_OK;
    }
    q = lore_sql(db,
        "SELECT e.title, coalesce((SELECT r.error_type FROM fact_experiment_run u"
        " JOIN fact_run r ON r.id = u.run WHERE u.experiment = e.seq"
        " AND r.error_type IS NOT NULL LIMIT 1), CASE WHEN instr(e.rest, '\"pitfalls\":') > 0"
        " THEN json_extract(e.rest, '$.pitfalls[0].type') END), 0"
        " FROM fact_experiment e WHERE e.id = $1 UNION ALL"
        " SELECT 'Sweep of ' || k.name || ', ' || s.configurations || ' configurations', NULL,"
        " 1 FROM fact_sweep s JOIN fact_kernel k ON k.id = s.kernel WHERE s.id = $1");
    lore_bind_text(&q, 1, id);
    if (lore_row(&q)) {
        texts[0] = lore_col_text(&q, 0, a);
        texts[1] = lore_col_text(&q, 1, a);
        *out = (struct lore_title){texts[0], texts[1], lore_col_i64(&q, 2) != 0};
        if (!out->sweep) /* the cache knows experiments only */
            lore_cache_put(db, 'x', id, texts, 2);
    }
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
    enum lore_status status;

    if (lore_cache_get(db, 'm', id, a, version, 1))
        return LORE_OK;
    lore_bind_text(&q, 1, id);
    bool there = lore_row(&q);
    *version = there ? lore_col_text(&q, 0, a) : NULL;
    status = lore_done(&q, err);
    if (status == LORE_OK && there)
        lore_cache_put(db, 'm', id, version, 1);
    return status;
}
