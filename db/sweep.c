/* Sweeps: one row each, their configurations in one blob (service/wire/sweep.h). What lists need is
 * derived once, when a sweep is stored. */
#include "db/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/attempt.h"
#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"
#include "db/workload.h"
#include "service/base/text.h"

/* ---- storing ---- */

static enum lore_status
check_best(const struct lore_put_ctx *c, const struct lore_sweep *r, size_t i, struct lore_err *err)
{
    const struct lore_sweep_best *b = &r->best[i];

    if (b->configuration.v >= r->configurations.count.v)
        return lore_fail_at(err, LORE_INVALID, "invalid_value",
            lore_format(c->arena, "best[%zu].configuration", i),
            "best[%zu].configuration: there is no configuration %lld", i,
            (long long)b->configuration.v);
    return lore_reference(
        c->db, LORE_K_VERSION, lore_format(c->arena, "best[%zu].version", i), b->version, err);
}

LORE_KIND_BEFORE(sweep)
{
    const struct lore_sweep *r = record;
    struct lore_sweep lean = *r;
    struct lore_buf *packed = &c->db->scratch;
    const struct lore_name *kernel;
    enum lore_status status;

    memset(&lean.configurations, 0, sizeof lean.configurations);
    made->has_rest = true;
    made->text[2] = lore_evidence_name(r->evidence);
    status = lore_name_kernel(c->db, r->kernel, "kernel", &kernel, err);
    if (status == LORE_OK)
        status = lore_workload_put(c, &r->workload, kernel->a, &made->text[0], err);
    if (status == LORE_OK)
        status = lore_name_chip(c->db, r->chip, r->environment, &made->text[1], err);
    for (size_t i = 0; status == LORE_OK && i < r->n_best; i++)
        status = check_best(c, r, i, err);
    if (status == LORE_OK)
        status = lore_rest_write(LORE_K_SWEEP, &lean, c->arena, &made->rest, err);
    lore_buf_reset(packed);
    if (status == LORE_OK)
        status = lore_sweep_pack(r->configurations.data, packed, err);
    made->blob[0].p = packed->data;
    made->blob[0].n = packed->len;
    return status;
}

static enum lore_status
put_witness(
    struct lore_db *db, int64_t seq, const struct lore_sweep_witness *w, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_sweep_witness (sweep, technique, parameter,"
                               " speedup) VALUES ($1, $2, $3, $4)");

    lore_bind_i64(&q, 1, seq);
    lore_bind_text(&q, 2, w->technique);
    lore_bind_text(&q, 3, w->parameter);
    lore_bind_f64(&q, 4, w->speedup);
    return lore_done(&q, err);
}

/* The columns and the join that give the limit of sweep T. */
#define FLOOR " coalesce(l.floor_ns, 0)"
#define LIMIT " LEFT JOIN drv_limit l ON l.workload = t.workload AND l.chip = t.chip"

/* Two searches are one when their times agree. A search without times is always one of its own. */
static bool
has_times(const struct lore_sweep_data *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->time_ns[i] > 0)
            return true;
    return d->n_samples > 0;
}

/* Store what lists need of WHOLE, which has its samples, at a place with FLOOR_NS. */
static enum lore_status
derive(struct lore_db *db, int64_t seq, const struct lore_sweep_data *whole, double floor_ns,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_sweep (seq, timed, failed, best_ns, median_ns,"
                               " print) VALUES ($1, $2, $3, $4, $5, $6)");
    LORE_SCRATCH a = {0};
    struct lore_sweep_witness *witness;
    struct lore_sweep_data possible = *whole, *d = &possible;
    size_t timed, failed = 0, n;
    const uint32_t *order;
    enum lore_status status;
    char print[33];

    if (has_times(whole))
        lore_sweep_print(whole, &a, print); /* of what was recorded */
    else
        (void)snprintf(print, sizeof print, "unmeasured %" PRId64, seq);
    lore_sweep_set_aside(d, floor_ns, &a);
    n = lore_sweep_witnesses(d, &a, &witness);
    order = lore_sweep_order(d, &a, &timed);
    for (size_t k = 0; k < d->n_whys; k++)
        failed += d->whys[k].n;
    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, (int64_t)timed);
    lore_bind_i64(&q, 3, (int64_t)failed);
    if (timed > 0) {
        lore_bind_f64(&q, 4, d->time_ns[order[0]]);
        lore_bind_f64(&q, 5, lore_sweep_median(d, order, timed));
    }
    lore_bind_text(&q, 6, print);
    status = lore_done(&q, err);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        status = put_witness(db, seq, &witness[i], err);
    return status;
}

LORE_KIND_AFTER(sweep)
{
    const struct lore_sweep *r = record;

    (void)made;
    c->db->newest_sweep = seq;
    lore_cache_invalidate(c->db, 'K', r->kernel);
    return derive(c->db, seq, r->configurations.data, 0, err);
}

static enum lore_status
forget(struct lore_db *db, int64_t seq, struct lore_err *err)
{
    LORE_STMT w = lore_sql(db, "DELETE FROM drv_sweep_witness WHERE sweep = $1");
    LORE_STMT s = lore_sql(db, "DELETE FROM drv_sweep WHERE seq = $1");
    enum lore_status status;

    lore_cache_invalidate_all(db); /* rare: it is too fast, or a limit changed */
    lore_bind_i64(&w, 1, seq);
    lore_bind_i64(&s, 1, seq);
    status = lore_done(&w, err);
    return status == LORE_OK ? lore_done(&s, err) : status;
}

/* Derive again the sweeps that Q selects. */
static enum lore_status
derive_again(struct lore_db *db, struct lore_stmt *q, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(q)) {
        struct lore_sweep_data d;
        size_t n;
        lore_arena_reset(&a);
        const void *packed = lore_col_blob(q, 1, &n, NULL);
        status = lore_sweep_unpack(packed, n, LORE_SWEEP_SAMPLES, &a, &d, err);
        if (status == LORE_OK)
            status = forget(db, lore_col_i64(q, 0), err);
        if (status == LORE_OK)
            status = derive(db, lore_col_i64(q, 0), &d, lore_col_f64(q, 2), err);
    }
    return status == LORE_OK ? lore_done(q, err) : status;
}

enum lore_status
lore_sweeps_all(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT t.seq, t.packed," FLOOR " FROM fact_sweep t" LIMIT " ORDER BY t.seq");

    return derive_again(db, &q, err);
}

enum lore_status
lore_sweep_judge(struct lore_db *db, const char *id, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT t.seq, t.packed," FLOOR " FROM fact_sweep t" LIMIT " WHERE t.id = $1");

    lore_bind_text(&q, 1, id);
    return derive_again(db, &q, err);
}

/* ---- reading ---- */

/* Of several records of one search on one chip, the one that counts: with a workload before one
 * without, then the oldest. None of those that are retracted. One or two equal times do not make
 * two searches one, unless kernel and workload are the same, too. */
#define COUNTS                                                                                     \
    "(SELECT o.seq FROM drv_sweep e JOIN fact_sweep o ON o.seq = e.seq WHERE e.print = y.print"    \
    " AND o.chip IS t.chip AND (y.timed > 2 OR (o.kernel = t.kernel AND o.workload IS"             \
    " t.workload)) AND" LORE_NOT_RETRACTED("o") " ORDER BY o.workload IS NULL, o.seq LIMIT 1)"
#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, k.operator, k.name, k.language,"          \
    " t.workload, w.label, t.configurations, y.timed, y.failed, y.best_ns, y.median_ns,"           \
    " v.id, v.label,"                                                                              \
    " (SELECT s.id FROM fact_sweep s WHERE s.seq = " COUNTS " AND s.seq <> t.seq),"                \
    " (SELECT z.retraction FROM drv_curated z WHERE z.record = t.id) FROM fact_sweep t"            \
    " JOIN drv_sweep y ON y.seq = t.seq JOIN fact_document d ON d.seq = t.document"                \
    " JOIN fact_kernel k ON k.id = t.kernel LEFT JOIN fact_workload w ON w.id = t.workload"        \
    " LEFT JOIN fact_version v ON v.id = json_extract(t.rest, '$.best[0].version')"                \
    " AND NOT EXISTS (SELECT 1 FROM fact_run r JOIN drv_curated z ON z.record = r.id"              \
    " WHERE r.version = v.id AND z.beyond IS NOT NULL)"

/* The record without the values that only its decoder wants. */
static enum lore_status
without_head(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_sweep_row *r = row;

    (void)q, (void)a, (void)err;
    memset(&r->r.configurations, 0, sizeof r->r.configurations);
    return LORE_OK;
}

#define ROW struct lore_sweep_row
static const struct lore_row_member members[] = {LORE_KNOWN_MEMBERS, AT(op), AT(kernel_name),
    AT(language), AT(workload_id), AT(workload_label), AT(count), AT(timed), AT(failed),
    AT(best_ns), AT(median_ns), AT(best_version), AT(best_label), AT(same), AT_THERE(retracted)};
const struct lore_row_shape lore_sweep_rows = {LORE_MEMBERS(members), .noun = "sweep",
    LORE_RECORD(LORE_K_SWEEP, LORE_DECODE_LISTS, r),
    .head = "\"configurations\":{\"count\":1,\"times_ns\":\"-\"},", .more = without_head,
    .get = LORE_LITERAL(SELECT " WHERE t.id = $1"),
    .list = LORE_LITERAL(SELECT
        " WHERE ($op IS NULL OR k.operator = $op)"
        " AND ($kernel IS NULL OR t.kernel = $kernel)"
        " AND ($workload IS NULL OR t.workload = $workload)"
        " AND " LORE_CHIP_COVERED("t.chip") " AND (t.seq = " COUNTS
                                            " OR (t.kernel = $kernel AND" LORE_NOT_RETRACTED(
                                                "t") " AND t.kernel <> (SELECT o.kernel FROM "
                                                     "fact_sweep o WHERE o.seq = " COUNTS
                                                     ")))" LORE_PAGE("t"))};

enum lore_status
lore_db_get_configurations(struct lore_db *db, const char *sweep, unsigned what,
    struct lore_arena *a, struct lore_sweep_data *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT t.packed," FLOOR " FROM fact_sweep t" LIMIT " WHERE t.id = $1");
    enum lore_status status;
    const void *packed;
    size_t n;

    lore_bind_text(&q, 1, sweep);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "there is no sweep %s", sweep);
    packed = lore_col_blob(&q, 0, &n, NULL);
    status = lore_sweep_unpack(packed, n, what, a, out, err);
    if (status == LORE_OK)
        lore_sweep_set_aside(out, lore_col_f64(&q, 1), a);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_db_find_sweep(struct lore_db *db, const char *op, const struct lore_run_place *at,
    struct lore_arena *a, const char **id, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.id FROM fact_sweep t JOIN fact_kernel k ON k.id = t.kernel"
        " WHERE k.operator = $1 AND t.chip = $2 AND t.workload IS $3 AND" LORE_NOT_RETRACTED(
            "t") " ORDER BY t.seq DESC LIMIT 1");

    lore_bind_text(&q, 1, op);
    lore_bind_text(&q, 2, at->chip);
    lore_bind_text(&q, 3, at->workload);
    if (lore_row(&q))
        *id = lore_col_text(&q, 0, a);
    return lore_done(&q, err);
}

/* ---- for the index of moves ---- */

static enum lore_status
read_sweep(
    struct lore_stmt *q, struct lore_arena *a, struct lore_trial_sweep *s, struct lore_err *err)
{
    struct lore_sweep_data *data = lore_alloc(a, sizeof *data);
    size_t n;
    const void *packed = lore_col_blob(q, 11, &n, NULL);

    *s = (struct lore_trial_sweep){.seq = lore_col_i64(q, 0),
        .id = lore_col_text(q, 1, NULL),
        .op = lore_col_text(q, 2, NULL),
        .kernel = lore_col_text(q, 3, NULL),
        .kernel_name = lore_col_text(q, 4, NULL),
        .language = lore_language_find(lore_col_text(q, 5, NULL)),
        .chip = lore_col_text(q, 6, NULL),
        .workload = lore_col_text(q, 7, NULL),
        .size = lore_workload_size(lore_col_text(q, 8, NULL)),
        .kind = lore_workload_kind(a, lore_col_text(q, 9, NULL), lore_col_text(q, 10, NULL)),
        .evidence = lore_evidence_of(lore_col_text(q, 12, NULL)),
        .data = data};
    enum lore_status status = lore_sweep_unpack(packed, n, 0, a, data, err);
    if (status == LORE_OK)
        lore_sweep_set_aside(data, lore_col_f64(q, 13), a);
    return status;
}

static enum lore_status
read_newest(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_sweep");

    if (lore_row(&q))
        db->newest_sweep = lore_col_i64(&q, 0);
    db->sweeps_known = true;
    return lore_done(&q, err);
}

static enum lore_status
each_sweep(struct lore_db *db, int64_t after_seq, lore_sweep_fn fn, void *ctx, int64_t *last_seq,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.seq, t.id, k.operator, k.id, k.name, k.language, t.chip, t.workload, w.dims,"
        " w.dtype, w.layout, t.packed, t.evidence," FLOOR " FROM fact_sweep t" LIMIT
        " JOIN drv_sweep y ON y.seq = t.seq JOIN fact_kernel k ON k.id = t.kernel"
        " LEFT JOIN fact_workload w ON w.id = t.workload WHERE t.seq > $1"
        " AND t.chip IS NOT NULL AND t.seq = " COUNTS " ORDER BY t.seq");
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;
    bool more = true;

    lore_bind_i64(&q, 1, after_seq);
    while (status == LORE_OK && more && lore_row(&q)) {
        struct lore_trial_sweep s;

        lore_arena_reset(&a);
        status = read_sweep(&q, &a, &s, err);
        if (status == LORE_OK) {
            *last_seq = s.seq;
            more = fn(ctx, &s);
        }
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* The writer asks after every commit, and few bring a sweep. */
enum lore_status
lore_db_each_sweep(struct lore_db *db, int64_t after_seq, lore_sweep_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    enum lore_status status = db->writer && !db->sweeps_known ? read_newest(db, err) : LORE_OK;

    if (status != LORE_OK || (db->writer && db->newest_sweep <= after_seq))
        return status;
    return each_sweep(db, after_seq, fn, ctx, last_seq, err);
}

/* ---- for the index of evidence ---- */

/* A ratio of best times has no interval. */
static enum lore_effect
effect_of(double speedup)
{
    return speedup > 1.05 ? LORE_X_WIN : speedup < 1 / 1.02 ? LORE_X_LOSS : LORE_X_NEUTRAL;
}

/* The sweeps after a seq, or the one with an id, and all other records of their searches. */
static enum lore_status
each_witness(struct lore_db *db, int64_t after_seq, const char *id, lore_witness_fn fn, void *ctx,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.seq, t.id, k.operator, o.family, k.language, t.chip, t.workload, t.evidence,"
        " t.searched_us, w.technique, w.speedup,"
        " t.seq IS NOT " COUNTS " FROM drv_sweep y JOIN fact_sweep t ON t.seq = y.seq"
        " JOIN drv_sweep_witness w ON w.sweep = t.seq JOIN fact_kernel k ON k.id = t.kernel"
        " JOIN cat_operator o ON o.name = k.operator"
        " WHERE y.print IN (SELECT e.print FROM fact_sweep f JOIN drv_sweep e ON e.seq = f.seq"
        " WHERE f.seq > $1 OR f.id = $2) ORDER BY t.seq");
    bool more = true;

    lore_bind_i64(&q, 1, after_seq);
    lore_bind_text(&q, 2, id);
    while (more && lore_row(&q)) {
        const struct lore_evidence_in in = {.seq = lore_col_i64(&q, 0),
            .experiment = lore_col_text(&q, 1, NULL),
            .op = lore_col_text(&q, 2, NULL),
            .family = lore_col_text(&q, 3, NULL),
            .language = lore_col_text(&q, 4, NULL),
            .chip = lore_col_text(&q, 5, NULL),
            .workload = lore_col_text(&q, 6, NULL),
            .evidence = lore_evidence_of(lore_col_text(&q, 7, NULL)),
            .at_us = lore_col_i64(&q, 8), /* NULL reads 0: not recorded */
            .technique = lore_col_text(&q, 9, NULL),
            .speedup = lore_col_f64(&q, 10),
            .effect = effect_of(lore_col_f64(&q, 10)),
            .correctness = LORE_C_NOT_CHECKED,
            .masked = lore_col_i64(&q, 11) != 0,
            .step = true};
        more = fn(ctx, &in);
    }
    return lore_done(&q, err);
}

enum lore_status
lore_db_each_witness(struct lore_db *db, int64_t after_seq, lore_witness_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    enum lore_status status = db->writer && db->sweeps_known ? LORE_OK : read_newest(db, err);
    int64_t newest = db->newest_sweep;

    if (status != LORE_OK || newest <= after_seq)
        return status;
    status = each_witness(db, after_seq, NULL, fn, ctx, err);
    if (status == LORE_OK)
        *last_seq = newest;
    return status;
}

enum lore_status
lore_db_feed_witness(
    struct lore_db *db, const char *id, lore_witness_fn fn, void *ctx, struct lore_err *err)
{
    return each_witness(db, INT64_MAX, id, fn, ctx, err);
}
