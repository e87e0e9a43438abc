/* The last experiments of a kernel. The query reads the kernel's index from its end: a tuned kernel
 * has a hundred thousand experiments, and only the newest are needed. */
#include "db/attempt.h"

#include "db/internal.h"
#include "db/seen.h"

enum lore_status
lore_db_list_attempts(struct lore_db *db, const char *kernel, size_t max, struct lore_arena *arena,
    struct lore_attempt_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.id, EXISTS (SELECT 1 FROM fact_experiment_run a JOIN fact_run r ON r.id = a.run"
        " WHERE a.experiment = e.seq AND r.error_type = 'compilation'),"
        " EXISTS (SELECT 1 FROM fact_experiment_run a JOIN fact_run r ON r.id = a.run"
        " WHERE a.experiment = e.seq AND r.error_type = 'runtime')"
        " FROM fact_experiment e JOIN drv_experiment x ON x.seq = e.seq"
        " WHERE e.kernel = $1 AND x.masked = 0 ORDER BY e.seq DESC LIMIT $2");
    struct lore_attempt_row *v = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, kernel);
    lore_bind_i64(&q, 2, (int64_t)max);
    while (lore_row(&q))
        *LORE_PUSH(arena, v, count, cap) = (struct lore_attempt_row){
            lore_col_text(&q, 0, arena), lore_col_i64(&q, 1) != 0, lore_col_i64(&q, 2) != 0};
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = v;
        *n = count;
    }
    return status;
}

/* Uses the version's index: a place has thousands of runs, a version a few. */
enum lore_status
lore_db_find_run(struct lore_db *db, const char *version, const char *chip, const char *workload,
    struct lore_arena *arena, const char **out, struct lore_err *err)
{
    const char *key = lore_format(
        arena, "%s|%s|%s", version, chip != NULL ? chip : "", workload != NULL ? workload : "");
    LORE_STMT q = {0};
    enum lore_status status;

    if (lore_seen_get(db, 'R', key, arena, out, 1))
        return LORE_OK;
    q = lore_sql(db,
        "SELECT r.id FROM fact_run r WHERE r.version = $1 AND +r.chip = $2"
        " AND +r.workload IS $3 AND" LORE_NOT_RETRACTED("r") " ORDER BY r.seq DESC LIMIT 1");
    lore_bind_text(&q, 1, version);
    lore_bind_text(&q, 2, chip);
    lore_bind_text(&q, 3, workload);
    *out = lore_row(&q) ? lore_col_text(&q, 0, arena) : NULL;
    status = lore_done(&q, err);
    if (status == LORE_OK)
        lore_seen_put(db, 'R', key, out, 1);
    return status;
}
