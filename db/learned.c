/* drv_model: old parameters stay and the newest of a name is in force, so that a past answer can be
 * traced to the parameters of its time. */
#include "db/learned.h"

#include "db/facts.h"
#include "db/internal.h"

enum lore_status
lore_db_get_learned(struct lore_db *db, const char *name, struct lore_arena *arena,
    struct lore_learned *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT numbers, basis, trained_us FROM drv_model WHERE name = $1 ORDER BY seq DESC"
        " LIMIT 1");

    lore_bind_text(&q, 1, name);
    if (!lore_row(&q)) {
        enum lore_status status = lore_done(&q, err);
        return status != LORE_OK ? status
                                 : lore_fail_at(err, LORE_NOTFOUND, "not_learned", "",
                                       "model %s was not trained yet", name);
    }
    out->numbers = lore_col_text(&q, 0, arena);
    out->basis = lore_col_text(&q, 1, arena);
    out->trained_us = lore_col_i64(&q, 2);
    return lore_done(&q, err);
}

enum lore_status
lore_put_learned(
    struct lore_db *db, const char *name, const struct lore_learned *in, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        db, "INSERT INTO drv_model (name, numbers, basis, trained_us) VALUES ($1, $2, $3, $4)");

    lore_bind_text(&q, 1, name);
    lore_bind_text(&q, 2, in->numbers);
    lore_bind_text(&q, 3, in->basis);
    lore_bind_i64(&q, 4, in->trained_us);
    return lore_done(&q, err);
}
