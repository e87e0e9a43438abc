/* What versions show (shown.h). */
#include "db/shown.h"

#include "db/internal.h"
#include "db/read.h"

enum lore_status
lore_shown_put(struct lore_db *db, int64_t version, const struct lore_version_shown *shown,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_version_shown (version, rules, source, lacks, moot,"
                               " params, words) VALUES ($1, $2, $3, $4, $5, $6, $7)");

    lore_bind_i64(&q, 1, version);
    lore_bind_i64(&q, 2, shown->rules);
    lore_bind_text(&q, 3, shown->source);
    lore_bind_text(&q, 4, shown->lacks);
    lore_bind_text(&q, 5, shown->moot);
    lore_bind_text(&q, 6, shown->params);
    lore_bind_text(&q, 7, shown->words);
    return lore_done(&q, err);
}

enum lore_status
lore_shown_all(struct lore_db *db, lore_shown_fn fn, void *ctx, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT v.seq, v.id FROM fact_version v WHERE v.summary IS NOT NULL"
        " OR instr(v.rest, '\"params\":{') > 0"
        " OR EXISTS (SELECT 1 FROM fact_source s WHERE s.version = v.id) ORDER BY v.seq");
    LORE_SCRATCH a = {0};
    enum lore_status status = lore_db_exec(db, "DELETE FROM drv_version_shown", err);

    while (status == LORE_OK && lore_row(&q)) {
        struct lore_whole whole;

        lore_arena_reset(&a);
        status = lore_db_get_whole(db, LORE_K_VERSION, lore_col_text(&q, 1, &a), &a, &whole, err);
        if (status == LORE_OK)
            status = fn(ctx, lore_col_i64(&q, 0), whole.record, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_shown_is_old(struct lore_db *db, int64_t rules, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT EXISTS (SELECT 1 FROM drv_version_shown WHERE rules <> $1)");

    lore_bind_i64(&q, 1, rules);
    *out = lore_row(&q) && lore_col_i64(&q, 0) != 0;
    return lore_done(&q, err);
}
