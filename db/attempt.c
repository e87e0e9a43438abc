/* The last experiments of a kernel. The query reads the kernel's index from its end: a tuned kernel
 * has a hundred thousand experiments, and only the newest are needed. */
#include "db/attempt.h"

#include "db/cache.h"
#include "db/internal.h"

#define ROW struct lore_attempt_row
static const struct lore_row_member members[] = {AT(id), AT(not_built), AT(not_run)};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};

enum lore_status
lore_db_list_attempts(struct lore_db *db, const struct lore_list_filter *f,
    struct lore_arena *arena, struct lore_attempt_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.id, EXISTS (SELECT 1 FROM fact_experiment_run a JOIN fact_run r ON r.id = a.run"
        " WHERE a.experiment = e.seq AND r.error_type = 'compilation'),"
        " EXISTS (SELECT 1 FROM fact_experiment_run a JOIN fact_run r ON r.id = a.run"
        " WHERE a.experiment = e.seq AND r.error_type = 'runtime')"
        " FROM fact_experiment e JOIN drv_experiment x ON x.seq = e.seq"
        " WHERE e.kernel = $kernel AND x.masked = 0" LORE_PAGE("e"));

    lore_list_bind(&q, f);
    return lore_db_collect(&q, &shape, arena, out, n, err);
}

/* Uses the version's index: a place has thousands of runs, a version a few. */
enum lore_status
lore_db_find_run(struct lore_db *db, const struct lore_run_place *at, struct lore_arena *arena,
    const char **out, struct lore_err *err)
{
    const char *key = lore_format(arena, "%s|%s|%s", at->version, at->chip != NULL ? at->chip : "",
        at->workload != NULL ? at->workload : "");
    LORE_STMT q = {0};
    enum lore_status status;

    if (lore_cache_get(db, 'R', key, arena, out, 1))
        return LORE_OK;
    q = lore_sql(db,
        "SELECT r.id FROM fact_run r WHERE r.version = $1 AND +r.chip = $2"
        " AND +r.workload IS $3 AND" LORE_NOT_RETRACTED("r") " ORDER BY r.seq DESC LIMIT 1");
    lore_bind_text(&q, 1, at->version);
    lore_bind_text(&q, 2, at->chip);
    lore_bind_text(&q, 3, at->workload);
    *out = lore_row(&q) ? lore_col_text(&q, 0, arena) : NULL;
    status = lore_done(&q, err);
    if (status == LORE_OK)
        lore_cache_put(db, 'R', key, out, 1);
    return status;
}
