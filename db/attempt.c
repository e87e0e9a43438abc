/* Attempts: experiments with what a plan is compared with, and the verdict in force. A comparison
 * with a library is none. One statement reads a kernel with ten thousand attempts, so nothing is
 * read that a plan is not compared with: the runs only where nothing was measured, and parameters
 * only where the record has some. */
#include "db/attempt.h"

#include "db/cache.h"
#include "db/internal.h"

#define ROW struct lore_attempt_row
static const struct lore_row_member members[] = {AT(id), AT(kernel), AT(kernel_name), AT(title),
    AT(claim), AT(chip), AT(workload), AT(from_version), AT(to_version), AT(base_label),
    AT(base_has), AT(author), AT(effect), AT(correctness), AT(speedup), AT(slugs), AT(uses),
    AT(at_us), AT(not_built), AT(not_run), AT(timed_out), AT(loose), AT(withdrawn)};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};
#undef ROW

/* Whether it was never measured, and a run or the author says how it failed. */
#define FAILED(error)                                                                              \
    "CASE WHEN x.effect = 'not_measured' THEN"                                                     \
    " EXISTS (SELECT 1 FROM fact_experiment_run a JOIN fact_run r ON r.id = a.run"                 \
    " WHERE a.experiment = e.seq AND r.error_type = '" error "')"                                  \
    " OR coalesce(e.rest LIKE '%\"pitfalls\":[%{\"type\":\"" error "\"%', 0) ELSE 0 END"
#define FAILURES FAILED("compilation") ", " FAILED("runtime") ", " FAILED("timeout")
#define ATTEMPTS                                                                                   \
    "SELECT e.id, e.kernel, k.name, e.title, h.claim, e.chip, e.workload, e.from_version,"         \
    " e.to_version, b.label, coalesce(w.source || ',', '') || coalesce(w.params || ',', '')"       \
    " || coalesce(w.words, ''),"                                                                   \
    " e.author, x.effect, x.correctness, x.speedup,"                                               \
    " (SELECT group_concat(t.technique) FROM fact_experiment_technique t"                          \
    " WHERE t.experiment = e.seq),"                                                                \
    " CASE WHEN instr(e.rest, '\"params\":') > 0 THEN json_extract(e.rest, '$.techniques') END,"   \
    " coalesce(e.happened_us, d.received_us), " FAILURES ", coalesce(e.base, '') = 'previous',"    \
    " x.effect = 'not_measured' AND EXISTS (SELECT 1 FROM fact_experiment_run a"                   \
    " JOIN drv_curated c ON c.record = a.run"                                                      \
    " WHERE a.experiment = e.seq AND c.retraction IS NOT NULL)"                                    \
    " FROM fact_experiment e CROSS JOIN drv_experiment x ON x.seq = e.seq"                         \
    " JOIN fact_kernel k ON k.id = e.kernel JOIN fact_document d ON d.seq = e.document"            \
    " LEFT JOIN fact_hypothesis h ON h.id = e.hypothesis"                                          \
    " LEFT JOIN fact_version b ON b.id = e.from_version"                                           \
    " LEFT JOIN drv_version_shown w ON w.version = b.seq"                                          \
    " WHERE x.masked = 0 AND b.kind IS NOT 'library'"

/* By the index of kernels, whose entries are in the order of seq. */
#define NEWEST(which)                                                                              \
    ATTEMPTS " AND e.seq IN (SELECT o.seq FROM fact_kernel s CROSS JOIN fact_experiment o"         \
             " ON o.kernel = s.id WHERE " which " ORDER BY o.seq DESC LIMIT $3) ORDER BY e.seq"

enum lore_status
lore_db_list_attempts(struct lore_db *db, const struct lore_attempt_filter *f,
    struct lore_arena *arena, struct lore_attempt_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = {0};

    if (f->of == LORE_ATTEMPTS_KERNEL)
        q = lore_sql(db, NEWEST("s.id = $1 AND $2 IS $2"));
    else if (f->of == LORE_ATTEMPTS_OPERATOR)
        q = lore_sql(db, NEWEST("$1 IS $1 AND s.operator = $2"));
    else if (f->of == LORE_ATTEMPTS_NEWEST)
        q = lore_sql(db,
            ATTEMPTS " AND $1 IS $1 AND $2 IS $2 AND e.seq > (SELECT max(seq) - $3 FROM"
                     " fact_experiment) ORDER BY e.kernel, e.seq");
    else
        q = lore_sql(db, NEWEST("s.id <> $1 AND s.operator = $2"));
    lore_bind_text(&q, 1, f->kernel);
    lore_bind_text(&q, 2, f->op);
    lore_bind_i64(&q, 3, f->max > 0 ? (int64_t)f->max : -1);
    return lore_db_collect(&q, &shape, arena, out, n, err);
}

enum lore_status
lore_db_never_ran(struct lore_db *db, const char *experiment, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT " FAILED("compilation") ", " FAILED(
                                   "runtime") " FROM fact_experiment e CROSS JOIN drv_experiment x"
                                              " ON x.seq = e.seq WHERE e.id = $1");

    lore_bind_text(&q, 1, experiment);
    *out = lore_row(&q) && (lore_col_i64(&q, 0) != 0 || lore_col_i64(&q, 1) != 0);
    return lore_done(&q, err);
}

enum lore_status
lore_db_newest_experiment(struct lore_db *db, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_experiment");

    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

enum lore_status
lore_db_get_uses(struct lore_db *db, const char *experiment, struct lore_arena *arena,
    const char **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT CASE WHEN instr(rest, '\"params\":') > 0 THEN"
                               " json_extract(rest, '$.techniques') END"
                               " FROM fact_experiment WHERE id = $1");
    enum lore_status status;

    if (lore_cache_get(db, 'u', experiment, arena, out, 1))
        return LORE_OK;
    lore_bind_text(&q, 1, experiment);
    bool there = lore_row(&q);
    *out = there ? lore_col_text(&q, 0, arena) : NULL;
    status = lore_done(&q, err);
    if (status == LORE_OK && there)
        lore_cache_put(db, 'u', experiment, out, 1);
    return status;
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
