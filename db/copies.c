/* The same measurement in two places: a folder that was copied and imported twice, a file that was
 * renamed, a kernel that lies in two projects. Both records stay, and one of them counts.
 *
 * Two versions are twins when they have the same content: operator, language, parameters and the
 * bytes of their sources, whatever the files are called. A version without sources is known by
 * the names of kernel and version, and only when its kernel has a project. A run is a copy when
 * its version's twin has a run on the same workload and chip with the same samples in order. Times
 * without samples are too coarse for that: they must come from the same bytes, so both documents
 * must have a file in common. An experiment is a copy when it states the same and all its runs are
 * copies of runs of the original. Two files may state one measurement under different versions:
 * same kernel, idea, workload and chip, and both times equal in five digits or more.
 *
 * A version without a twin costs its runs nothing: the cached name of the version knows it. */
#include "db/copies.h"

#include <math.h>
#include <string.h>

#include "db/catalogue_inner.h"
#include "db/columns.h"
#include "db/experiment_facets.h"
#include "db/internal.h"
#include "db/name_cache.h"
#include "service/base/hash.h"

/* ---- versions ---- */

static void
add_part(struct lore_buf *b, struct lore_stmt *q, int column)
{
    const char *text = lore_col_text(q, column, NULL);

    lore_buf_printf(b, "|%s", text ? text : "");
}

static enum lore_status
add_sources(
    struct lore_db *db, int64_t version, struct lore_buf *b, bool *any, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT s.blob FROM fact_version v JOIN fact_source s"
                               " ON s.version = v.id WHERE v.seq = $1 ORDER BY s.blob");

    lore_bind_i64(&q, 1, version);
    for (*any = false; lore_row(&q); *any = true)
        add_part(b, &q, 0);
    return lore_done(&q, err);
}

static int64_t
hash_of(const struct lore_buf *b)
{
    unsigned char hash[LORE_HASH_BYTES];
    int64_t out;

    lore_hash(b->data, b->len, hash);
    memcpy(&out, hash, sizeof out);
    return out;
}

/* *content: 0 when nothing identifies the version. */
static enum lore_status
content_of(struct lore_db *db, int64_t version, int64_t *content, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT k.operator, k.language, CASE WHEN instr(v.rest, '\"params\":{') > 0"
        " THEN json_extract(v.rest, '$.params') END, k.name, v.label, v.tag, v.ordinal,"
        " k.project IS NOT NULL FROM fact_version v JOIN fact_kernel k ON k.id = v.kernel"
        " WHERE v.seq = $1");
    LORE_BUF b = {0};
    bool any = false;
    enum lore_status status = add_sources(db, version, &b, &any, err);

    *content = 0;
    lore_bind_i64(&q, 1, version);
    if (status != LORE_OK || !lore_row(&q))
        return status == LORE_OK ? lore_done(&q, err) : status;
    for (int i = 0; i < (any ? 3 : 7); i++)
        add_part(&b, &q, i);
    if (any || lore_col_i64(&q, 7) != 0)
        *content = hash_of(&b);
    return lore_done(&q, err);
}

/* The first version of CONTENT other than VERSION; NULL: none. */
static enum lore_status
twin_of(struct lore_db *db, int64_t content, int64_t version, struct lore_arena *a,
    const char **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT v.id FROM drv_content t JOIN fact_version v"
                               " ON v.seq = t.version WHERE t.content = $1 AND t.version < $2"
                               " ORDER BY t.version LIMIT 1");

    lore_bind_i64(&q, 1, content);
    lore_bind_i64(&q, 2, version);
    *out = lore_row(&q) ? lore_col_text(&q, 0, a) : NULL;
    return lore_done(&q, err);
}

/* *twin: the twin of version SEQ in A; NULL: none. */
static enum lore_status
add_version(
    struct lore_db *db, int64_t seq, struct lore_arena *a, const char **twin, struct lore_err *err)
{
    LORE_STMT q = {0};
    int64_t content = 0;
    enum lore_status status = content_of(db, seq, &content, err);

    *twin = NULL;
    if (status != LORE_OK || content == 0)
        return status;
    status = twin_of(db, content, seq, a, twin, err);
    q = lore_sql(db, "INSERT INTO drv_content (version, content, twin) VALUES ($1, $2, $3)");
    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, content);
    lore_bind_text(&q, 3, *twin);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_copies_add_version(
    const struct lore_put_ctx *c, int64_t seq, const struct lore_version *r, struct lore_err *err)
{
    const struct lore_name *kernel;
    const char *twin = NULL;
    enum lore_status status = lore_name_kernel(c->db, r->kernel, "kernel", &kernel, err);

    if (status == LORE_OK && (r->n_sources > 0 || kernel->n != 0))
        status = add_version(c->db, seq, c->arena, &twin, err);
    if (status == LORE_OK)
        (void)lore_name_cache_add(&c->db->names, 'v', r->id, 0, kernel->a, twin);
    return status;
}

/* ---- runs and experiments ---- */

/* Condition: documents A and B hold the same file. */
#define SHARE_A_FILE(a, b)                                                                         \
    " EXISTS (SELECT 1 FROM fact_artifact f JOIN fact_artifact g ON g.blob = f.blob"               \
    " WHERE f.document = " a " AND g.document = " b ")"

static enum lore_status
put_copy(struct lore_db *db, struct lore_stmt *found, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_copy (record, original, version)"
                               " VALUES ($1, $2, $3)");

    for (int i = 0; i < 3; i++)
        lore_bind_text(&q, i + 1, lore_col_text(found, i, NULL));
    return lore_done(&q, err);
}

/* Store what Q finds for record SEQ, whose version has TWIN (or whose kernel is TWIN). */
static enum lore_status
add_found(struct lore_stmt *q, int64_t seq, const char *twin, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    lore_bind_text(q, 1, twin);
    lore_bind_i64(q, 2, seq);
    if (lore_row(q))
        status = put_copy(q->db, q, err);
    return status == LORE_OK ? lore_done(q, err) : status;
}

enum lore_status
lore_copies_add_run(struct lore_db *db, int64_t seq, const char *version, struct lore_err *err)
{
    LORE_STMT q = {0};
    const struct lore_name *name;
    enum lore_status status = lore_name_version(db, version, "version", &name, err);

    if (status != LORE_OK || !name->b)
        return status;
    q = lore_sql(db,
        "SELECT r.id, o.id, o.version FROM fact_run r JOIN fact_run o ON o.version = $1"
        " WHERE r.seq = $2 AND +o.seq < r.seq AND +o.workload IS r.workload AND o.chip IS r.chip"
        " AND o.samples_ns IS r.samples_ns AND o.stated_median_ns IS r.stated_median_ns"
        " AND o.stated_mean_ns IS r.stated_mean_ns AND o.stated_min_ns IS r.stated_min_ns"
        " AND o.error_type IS r.error_type AND o.correctness IS r.correctness"
        " AND (r.n_samples > 1 OR" SHARE_A_FILE(
            "r.document", "o.document") ")"
                                        " ORDER BY +o.seq LIMIT 1");
    return add_found(&q, seq, name->b, err);
}

/* Condition: experiment O, the earlier one, states what E states, and every run of E is a copy of a
 * run on the same side of O. Without runs, both come from the same file. The + keeps SQLite from
 * searching by workload: a workload has many experiments. */
#define STATES_THE_SAME                                                                            \
    " +o.seq < e.seq AND +o.workload IS e.workload AND o.chip IS e.chip AND o.title IS e.title"    \
    " AND o.claimed_before_ns IS e.claimed_before_ns"                                              \
    " AND o.claimed_after_ns IS e.claimed_after_ns AND o.claimed_speedup IS e.claimed_speedup"     \
    " AND o.typed_outcome IS e.typed_outcome AND o.evidence = e.evidence"                          \
    " AND (o.to_version IS NULL) = (e.to_version IS NULL)"                                         \
    " AND NOT EXISTS (SELECT 1 FROM fact_experiment_run x WHERE x.experiment = e.seq"              \
    " AND NOT EXISTS (SELECT 1 FROM drv_copy c JOIN fact_experiment_run y ON y.run = c.original"   \
    " AND y.experiment = o.seq AND y.side = x.side WHERE c.record = x.run))"                       \
    " AND (EXISTS (SELECT 1 FROM fact_experiment_run x WHERE x.experiment = e.seq)"                \
    " OR" SHARE_A_FILE("e.document", "o.document") ") ORDER BY +o.seq LIMIT 1"

/* What an experiment is looked up by; NULL: it names none. */
struct known_by {
    const char *kernel, *version, *run; /* run: one of its runs, rather one after the change */
    bool times;                         /* it has no runs, and states both times precisely */
};

/* An experiment with runs: those of the original of a run are few. */
static enum lore_status
add_by_run(struct lore_db *db, int64_t seq, const char *run, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.id, o.id, coalesce(o.to_version, o.from_version, o.id) FROM drv_copy p"
        " JOIN fact_experiment_run b ON b.run = p.original"
        " JOIN fact_experiment o ON o.seq = b.experiment JOIN fact_experiment e"
        " WHERE p.record = $1 AND e.seq = $2 AND" STATES_THE_SAME);

    return add_found(&q, seq, run, err);
}

/* An experiment with a version, whose twin is TWIN, and without runs. */
static enum lore_status
add_by_version(struct lore_db *db, int64_t seq, const char *twin, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT e.id, o.id, v.id FROM fact_version v JOIN fact_experiment o"
                     " ON o.kernel = v.kernel AND coalesce(o.to_version, o.from_version) = v.id"
                     " JOIN fact_experiment e WHERE v.id = $1 AND e.seq = $2 AND" STATES_THE_SAME);

    return add_found(&q, seq, twin, err);
}

/* An experiment with neither: look among the kernels of the same names. */
static enum lore_status
add_by_kernel(struct lore_db *db, int64_t seq, const char *kernel, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.id, o.id, o.id FROM fact_kernel k JOIN fact_kernel w ON w.operator = k.operator"
        " AND w.language = k.language AND w.name = k.name AND w.id <> k.id"
        " JOIN fact_experiment o ON o.kernel = w.id AND o.from_version IS NULL"
        " JOIN fact_experiment e WHERE k.id = $1 AND e.seq = $2 AND" STATES_THE_SAME);

    return add_found(&q, seq, kernel, err);
}

/* Whether NS has more than four significant digits. */
static bool
is_precise(struct lore_f64 ns)
{
    double unit = ns.set && ns.v > 0 ? pow(10, floor(log10(ns.v)) - 3) : 0;

    return unit > 0 && fabs(ns.v / unit - round(ns.v / unit)) > 1e-6;
}

/* An experiment that states precise times: look among those that state the same time after. */
static enum lore_status
add_by_times(struct lore_db *db, int64_t seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.id, o.id, coalesce(o.to_version, o.from_version, o.id) FROM fact_experiment e"
        " JOIN fact_kernel k ON k.id = e.kernel JOIN fact_experiment o"
        " ON o.claimed_after_ns = e.claimed_after_ns JOIN fact_kernel w ON w.id = o.kernel"
        " WHERE e.seq = $1 AND o.seq < e.seq AND o.claimed_before_ns = e.claimed_before_ns"
        " AND w.operator = k.operator AND w.language = k.language AND w.name = k.name"
        " AND o.workload IS e.workload AND o.chip IS e.chip AND o.title IS e.title"
        " AND o.typed_outcome IS e.typed_outcome AND o.evidence = e.evidence"
        " ORDER BY o.seq LIMIT 1");
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, seq);
    if (lore_row(&q))
        status = put_copy(db, &q, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
add_experiment(struct lore_db *db, int64_t seq, const struct known_by *by, struct lore_err *err)
{
    const struct lore_name *name = NULL;
    enum lore_status status = by->version
                                  ? lore_name_version(db, by->version, "to_version", &name, err)
                                  : lore_name_kernel(db, by->kernel, "kernel", &name, err);

    if (status == LORE_OK && by->times)
        return add_by_times(db, seq, err);
    if (status != LORE_OK || (by->version ? !name->b : name->n == 0))
        return status;
    if (by->run)
        return add_by_run(db, seq, by->run, err);
    return by->version ? add_by_version(db, seq, name->b, err)
                       : add_by_kernel(db, seq, by->kernel, err);
}

enum lore_status
lore_copies_add_experiment(
    struct lore_db *db, int64_t seq, const struct lore_experiment *r, struct lore_err *err)
{
    const struct lore_texts *runs = r->runs_after.n > 0 ? &r->runs_after : &r->runs_before;
    struct known_by by = {.kernel = r->kernel,
        .version = r->to_version ? r->to_version : r->from_version,
        .run = runs->n > 0 ? runs->v[0] : NULL};

    by.times =
        !by.run && is_precise(r->claim.latency_before_ns) && is_precise(r->claim.latency_after_ns);
    return add_experiment(db, seq, &by, err);
}

enum lore_status
lore_copies_of(struct lore_db *db, const char *record, struct lore_arena *a, struct lore_texts *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT record FROM drv_copy WHERE original = $1 OR version = $1");

    lore_bind_text(&q, 1, record);
    return lore_db_texts(&q, a, out, err);
}

/* ---- all of them ---- */

static enum lore_status
all_versions(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT v.seq FROM fact_version v JOIN fact_kernel k ON k.id = v.kernel"
                     " WHERE k.project IS NOT NULL OR EXISTS (SELECT 1 FROM fact_source s"
                     " WHERE s.version = v.id) ORDER BY v.seq");
    LORE_SCRATCH a = {0};
    const char *twin;
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        lore_arena_reset(&a);
        status = add_version(db, lore_col_i64(&q, 0), &a, &twin, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
all_runs(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT r.seq, v.id FROM drv_content t JOIN fact_version v"
                               " ON v.seq = t.version JOIN fact_run r ON r.version = v.id"
                               " WHERE t.twin IS NOT NULL ORDER BY r.seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q))
        status = lore_copies_add_run(db, lore_col_i64(&q, 0), lore_col_text(&q, 1, NULL), err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* Experiments of versions that have a twin, and those without a version in a project. */
static enum lore_status
all_experiments(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT e.seq, e.kernel, v.id, (SELECT x.run FROM fact_experiment_run x"
                     " WHERE x.experiment = e.seq ORDER BY x.side DESC, x.position LIMIT 1),"
                     " e.claimed_before_ns, e.claimed_after_ns FROM fact_experiment e JOIN "
                     "fact_kernel k ON k.id = e.kernel"
                     " LEFT JOIN fact_version v ON v.id = coalesce(e.to_version, e.from_version)"
                     " LEFT JOIN drv_content t ON t.version = v.seq"
                     " WHERE t.twin IS NOT NULL OR (v.id IS NULL AND k.project IS NOT NULL)"
                     " OR e.claimed_after_ns IS NOT NULL ORDER BY e.seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        int64_t seq = lore_col_i64(&q, 0);
        struct known_by by = {.kernel = lore_col_text(&q, 1, NULL),
            .version = lore_col_text(&q, 2, NULL),
            .run = lore_col_text(&q, 3, NULL)};

        by.times =
            !by.run && is_precise(lore_col_opt_f64(&q, 4)) && is_precise(lore_col_opt_f64(&q, 5));
        status = add_experiment(db, seq, &by, err);
        if (status == LORE_OK)
            status = lore_experiment_facets_put(db, seq, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_copies_all(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status =
        lore_db_exec(db, "DELETE FROM drv_copy; DELETE FROM drv_content", err);

    lore_name_cache_clear(&db->names); /* it knows twins */
    if (status == LORE_OK)
        status = all_versions(db, err);
    if (status == LORE_OK)
        status = all_runs(db, err);
    return status == LORE_OK ? all_experiments(db, err) : status;
}
