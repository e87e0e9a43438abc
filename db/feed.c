/* Rows for the in-memory indexes: every experiment as evidence, every run and experiment as a board
 * entry, the dims of every workload, in order of seq after the caller's last one. Runs and
 * experiments come from the narrow rows of entry.c, so a few scans load the indexes when the
 * service starts.
 *
 * Strings passed to the callback are valid only during the call. */
#include <string.h>

#include "db/feed.h"
#include "db/feed_known.h"
#include "db/read.h"
#include "db/workload.h"
#include "service/base/text.h"
#include "service/wire/feed.h"

/* One scan of the rows with FIRST < seq <= NEWEST. */
struct walk {
    int64_t first, newest, seen;
    bool stopped;
    struct lore_known *known; /* of the snapshot, which several scans share, or own */
    struct lore_known own;
    struct lore_buf techniques;
};

static enum lore_status
start(struct lore_db *db, int64_t after, int64_t newest, struct walk *w, struct lore_err *err)
{
    *w = (struct walk){.first = after, .newest = newest, .seen = after, .own = {.db = db}};
    w->known = db->snapshot ? lore_known_of_snapshot(db) : &w->own;
    return lore_known_expect(w->known, newest - after, err);
}

static void
bind_range(struct lore_stmt *q, const struct walk *w)
{
    lore_bind_i64(q, 1, w->first);
    lore_bind_i64(q, 2, w->newest);
}

/* *last: the last row read, or the newest row of the table when the scan ran to its end. */
static enum lore_status
end(struct lore_stmt *q, struct walk *w, enum lore_status status, int64_t *last,
    struct lore_err *err)
{
    enum lore_status closed = lore_done(q, status == LORE_OK ? err : NULL);

    status = status == LORE_OK ? closed : status;
    if (status == LORE_OK && last)
        *last = w->stopped ? w->seen : w->newest > w->first ? w->newest : w->first;
    lore_known_free(&w->own);
    lore_buf_free(&w->techniques);
    return status;
}

static enum lore_status
newest_run(struct lore_db *db, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_run");

    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
newest_experiment(struct lore_db *db, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_experiment");

    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

/* ---- evidence ---- */

/* Whether the author reports a loss without a number. */
static bool
said_lost(enum lore_effect effect, bool typed_lost)
{
    return effect == LORE_X_NOT_MEASURED && typed_lost;
}

static enum lore_status
evidence_columns(
    struct lore_stmt *q, struct walk *w, struct lore_evidence_in *in, struct lore_err *err)
{
    const struct lore_known_kernel *kernel = NULL;
    enum lore_status status = lore_known_kernel(w->known, lore_col_i64(q, 2), &kernel, err);

    if (status != LORE_OK)
        return status;
    in->seq = lore_col_i64(q, 0);
    in->experiment = lore_col_text(q, 1, NULL);
    in->op = kernel->op;
    in->family = kernel->family;
    in->language = kernel->language_name;
    in->chip = lore_col_text(q, 3, NULL);
    in->workload = lore_col_text(q, 4, NULL);
    in->labels = lore_known_labels(w->known, lore_col_text(q, 5, NULL));
    in->effect = lore_effect_find(lore_col_text(q, 6, NULL));
    in->correctness = lore_check_of(lore_col_text(q, 7, NULL));
    in->process_broken = lore_streq(lore_col_text(q, 8, NULL), "broken");
    in->masked = lore_col_i64(q, 9) != 0;
    in->evidence = lore_evidence_of(lore_col_text(q, 10, NULL));
    in->speedup = lore_col_f64(q, 11); /* NULL reads as 0: not measured */
    in->said_lost = said_lost(in->effect, lore_col_i64(q, 13) != 0);
    in->labels_derived = lore_col_i64(q, 14) != 0;
    in->at_us = lore_col_i64(q, 15);
    return LORE_OK;
}

/* Pass IN on once for each of TECHNIQUES, a list as in drv_experiment_entry. */
static bool
each_technique(struct walk *w, struct lore_evidence_in *in, const char *techniques,
    lore_evidence_fn fn, void *ctx)
{
    bool more = true;

    lore_buf_reset(&w->techniques);
    lore_buf_puts(&w->techniques, techniques);
    for (char *at = w->techniques.data, *next; more && at; at = next) {
        next = strchr(at, ',');
        if (next != NULL)
            *next++ = '\0';
        in->step = *at == '~';
        at += in->step;
        in->share = *at == '-'   ? LORE_SHARE_INERT
                    : *at == '!' ? LORE_SHARE_ABSENT
                                 : LORE_SHARE_OPEN;
        in->technique = in->share != LORE_SHARE_OPEN ? at + 1 : at;
        more = fn(ctx, in);
    }
    return more;
}

/* The experiments to read: after < seq <= newest. */
struct range {
    int64_t after, newest;
    int64_t *last; /* NULL, or where the last one read is noted */
};

/* An experiment that compares with a library and names no technique is a board entry, not
 * evidence. */
static enum lore_status
each_evidence(struct lore_db *db, const struct range *of, lore_evidence_fn fn, void *ctx,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT x.seq, y.id, y.kernel, x.chip, y.workload, x.labels, x.effect, x.correctness,"
        " x.process, x.masked, x.evidence, x.speedup, y.techniques, y.typed_lost,"
        " y.labels_derived, y.at_us * y.dated FROM drv_experiment x JOIN drv_experiment_entry y ON "
        "y.seq = "
        "x.seq WHERE x.seq > $1 AND x.seq <= $2"
        " AND (y.base IS DISTINCT FROM 'library' OR y.techniques IS NOT NULL) ORDER BY x.seq");
    struct walk w;
    enum lore_status status = start(db, of->after, of->newest, &w, err);

    bind_range(&q, &w);
    while (status == LORE_OK && !w.stopped && lore_row(&q)) {
        struct lore_evidence_in in = {0};
        const char *techniques = lore_col_text(&q, 12, NULL);

        status = evidence_columns(&q, &w, &in, err);
        w.seen = lore_col_i64(&q, 0);
        if (status == LORE_OK)
            w.stopped = !(techniques ? each_technique(&w, &in, techniques, fn, ctx) : fn(ctx, &in));
    }
    return end(&q, &w, status, of->last, err);
}

enum lore_status
lore_db_each_evidence(struct lore_db *db, int64_t after_seq, lore_evidence_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    struct range of = {.after = after_seq, .last = last_seq};
    enum lore_status status = newest_experiment(db, &of.newest, err);

    return status == LORE_OK ? each_evidence(db, &of, fn, ctx, err) : status;
}

/* ---- the board ---- */

/* The first columns of both queries, for runs and for stated results. */
#define ENTRY_COLUMNS                                                                              \
    "y.seq, y.id, y.kernel, y.version, y.version_label, y.version_kind, y.workload"
enum { SHARED = 7 };
#define IS_COPY LORE_IS_COPY("y.id")

static enum lore_status
entry_columns(struct lore_stmt *q, struct walk *w, struct lore_entry *e, struct lore_err *err)
{
    struct lore_known_aside aside = {0};
    const struct lore_known_kernel *kernel = NULL;
    enum lore_status status = lore_known_kernel(w->known, lore_col_i64(q, 2), &kernel, err);

    if (status != LORE_OK)
        return status;
    e->seq = lore_col_i64(q, 0);
    e->op = kernel->op;
    e->family = kernel->family;
    e->language = kernel->language;
    e->kernel = kernel->id;
    e->kernel_name = kernel->name;
    e->project = kernel->project;
    e->version = lore_col_text(q, 3, NULL);
    e->version_label = lore_col_text(q, 4, NULL);
    e->version_kind = lore_version_kind_of(lore_col_text(q, 5, NULL));
    e->workload = lore_col_text(q, 6, NULL);
    status = lore_known_workload(w->known, e->workload, &e->workload_label, err);
    if (status == LORE_OK)
        status = lore_known_aside(w->known, e->version, &aside, err);
    e->version_retracted = aside.retracted;
    if (status == LORE_OK)
        status = lore_known_aside(w->known, lore_col_text(q, 1, NULL), &aside, err);
    e->retracted = aside.retracted;
    e->beyond = aside.beyond;
    return status;
}

static enum lore_status
run_columns(struct lore_stmt *q, struct walk *w, struct lore_entry *e, struct lore_err *err)
{
    int i = SHARED;
    enum lore_status status = entry_columns(q, w, e, err);

    e->run = lore_col_text(q, 1, NULL);
    e->chip = lore_col_text(q, i++, NULL);
    if (status == LORE_OK)
        status = lore_known_environment(w->known, lore_col_i64(q, i++), &e->env_hard, err);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    e->correctness = lore_check_of(lore_col_text(q, i++, NULL));
    e->failed = lore_col_i64(q, i++) != 0;
    e->method = lore_col_text(q, i++, NULL);
    e->at_us = lore_col_i64(q, i++);
    e->labels = lore_known_labels(w->known, lore_col_text(q, i++, NULL));
    e->labels_derived = lore_col_i64(q, i++) != 0;
    e->disputes = lore_col_i64(q, i++) != 0;
    e->copy = lore_col_i64(q, i++) != 0;
    e->n_samples = (size_t)lore_col_i64(q, i++);
    e->time_ns = lore_col_f64(q, i++); /* NULL reads as 0: unknown */
    e->low_ns = lore_col_f64(q, i++);
    e->high_ns = lore_col_f64(q, i++);
    e->median_low_ns = lore_col_f64(q, i++);
    e->median_high_ns = lore_col_f64(q, i++);
    return status;
}

enum lore_status
lore_db_each_run_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT " ENTRY_COLUMNS ", y.chip, y.environment, y.evidence, y.correctness, y.failed,"
        " y.tool, y.at_us, y.labels, y.labels_derived, y.disputes," IS_COPY
        ", y.n_samples, y.time_ns, y.low_ns, y.high_ns,"
        " y.median_low_ns, y.median_high_ns FROM drv_run_entry y"
        " WHERE y.seq > $1 AND y.seq <= $2 ORDER BY y.seq");
    struct walk w = {0};
    int64_t newest = 0;
    enum lore_status status = newest_run(db, &newest, err);

    if (status == LORE_OK)
        status = start(db, after_seq, newest, &w, err);
    bind_range(&q, &w);
    while (status == LORE_OK && !w.stopped && lore_row(&q)) {
        struct lore_entry e = {0};

        status = run_columns(&q, &w, &e, err);
        w.seen = e.seq;
        w.stopped = status != LORE_OK || !fn(ctx, &e);
    }
    return end(&q, &w, status, last_seq, err);
}

/* A stated time is no board entry when the experiment has runs after the change. */
static enum lore_status
claim_columns(struct lore_stmt *q, struct walk *w, struct lore_entry *e, struct lore_err *err)
{
    int i = SHARED;
    int64_t runs_after;
    enum lore_status status = entry_columns(q, w, e, err);

    e->experiment = lore_col_text(q, 1, NULL);
    e->chip = lore_col_text(q, i++, NULL);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    e->correctness = lore_check_of(lore_col_text(q, i++, NULL));
    e->masked = lore_col_i64(q, i) != 0;
    e->copy = lore_col_i64(q, i++) == LORE_MASKED_COPY;
    e->effect = lore_effect_find(lore_col_text(q, i++, NULL));
    e->labels = lore_known_labels(w->known, lore_col_text(q, i++, NULL));
    e->labels_derived = lore_col_i64(q, i++) != 0;
    e->at_us = lore_col_i64(q, i++);
    runs_after = lore_col_i64(q, i++);
    e->runs_checked = runs_after == 2;
    e->time_ns = runs_after == 0 ? lore_col_f64(q, i) : 0; /* NULL reads as 0: not stated */
    i++;
    e->speedup = lore_col_f64(q, i++);
    e->speedup_low = lore_col_f64(q, i++);
    e->speedup_high = lore_col_f64(q, i++);
    e->base = lore_base_of(lore_col_text(q, i++, NULL));
    e->base_name = lore_col_text(q, i++, NULL);
    e->said_lost = said_lost(e->effect, lore_col_i64(q, i++) != 0);
    e->disputes = lore_col_i64(q, i++) != 0;
    return status;
}

static enum lore_status
each_claim(
    struct lore_db *db, const struct range *of, lore_entry_fn fn, void *ctx, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT " ENTRY_COLUMNS ", x.chip, x.evidence, x.correctness, x.masked, x.effect, x.labels,"
        " y.labels_derived, y.at_us, y.runs_after, y.time_ns, coalesce(y.speedup, x.speedup),"
        " y.low, y.high, y.base, y.base_name, y.typed_lost, x.disputes FROM drv_experiment x"
        " JOIN drv_experiment_entry y ON y.seq = x.seq WHERE x.seq > $1 AND x.seq <= $2"
        " ORDER BY x.seq");
    struct walk w;
    enum lore_status status = start(db, of->after, of->newest, &w, err);

    bind_range(&q, &w);
    while (status == LORE_OK && !w.stopped && lore_row(&q)) {
        struct lore_entry e = {0};

        status = claim_columns(&q, &w, &e, err);
        w.seen = e.seq;
        w.stopped = status != LORE_OK || !fn(ctx, &e);
    }
    return end(&q, &w, status, of->last, err);
}

enum lore_status
lore_db_each_claim_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    struct range of = {.after = after_seq, .last = last_seq};
    enum lore_status status = newest_experiment(db, &of.newest, err);

    return status == LORE_OK ? each_claim(db, &of, fn, ctx, err) : status;
}

#define ROW struct lore_workload_row
static const struct lore_row_member workload_members[] = {LORE_WORKLOAD_MEMBERS()};
static const struct lore_row_shape workload_rows = {LORE_MEMBERS(workload_members)};
enum { WORKLOAD_ROWID = sizeof workload_members / sizeof *workload_members };

/* Workloads are never deleted, so their rowids increase. */
enum lore_status
lore_db_each_workload(struct lore_db *db, int64_t after_seq, lore_workload_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT " LORE_WORKLOAD_COLUMNS ", w.rowid"
                               " FROM fact_workload w WHERE w.rowid > $1 ORDER BY w.rowid");
    LORE_SCRATCH a = {0};
    int64_t seen = after_seq;
    bool stopped = false;
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, after_seq);
    while (status == LORE_OK && !stopped && lore_row(&q)) {
        struct lore_workload_row row = {0};
        struct lore_workload w;

        lore_arena_reset(&a);
        lore_row_fill(&q, &workload_rows, &a, &row);
        status = lore_workload_fill(&row, &a, &w, err);
        seen = lore_col_i64(&q, WORKLOAD_ROWID);
        stopped = status != LORE_OK || !fn(ctx, row.id, &w);
    }
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK && last_seq)
        *last_seq = seen;
    return status;
}

enum lore_status
lore_feed_experiment(struct lore_db *db, const char *experiment, lore_evidence_fn evidence,
    lore_entry_fn entry, void *ctx, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq FROM fact_experiment WHERE id = $1");
    enum lore_status status;
    struct range of = {0};

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    of.newest = lore_col_i64(&q, 0);
    of.after = of.newest - 1;
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = each_evidence(db, &of, evidence, ctx, err);
    return status == LORE_OK ? each_claim(db, &of, entry, ctx, err) : status;
}
