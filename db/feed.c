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

/* ---- evidence ---- */

/* Whether the author reports a loss without a number. */
static bool
said_lost(enum lore_effect effect, bool typed_lost)
{
    return effect == LORE_X_NOT_MEASURED && typed_lost;
}

static enum lore_status
evidence_columns(
    struct lore_stmt *q, struct lore_known *k, struct lore_evidence_in *in, struct lore_err *err)
{
    const struct lore_known_kernel *kernel = NULL;
    enum lore_status status = lore_known_kernel(k, lore_col_i64(q, 2), &kernel, err);

    if (status != LORE_OK)
        return status;
    in->seq = lore_col_i64(q, 0);
    in->experiment = lore_col_text(q, 1, NULL);
    in->op = kernel->op;
    in->family = kernel->family;
    in->language = kernel->language_name;
    in->chip = lore_col_text(q, 3, NULL);
    in->workload = lore_col_text(q, 4, NULL);
    in->labels = lore_known_labels(k, lore_col_text(q, 5, NULL));
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

struct evidence_to {
    lore_evidence_fn fn;
    void *ctx;
};

/* Pass IN on once for each of TECHNIQUES, a list as in drv_experiment_entry. */
static bool
each_technique(const struct evidence_to *to, struct lore_evidence_in *in, char *techniques)
{
    bool more = true;

    for (char *at = techniques, *next; more && at; at = next) {
        next = strchr(at, ',');
        if (next != NULL)
            *next++ = '\0';
        in->step = *at == '~';
        at += in->step;
        in->share = *at == '-'   ? LORE_SHARE_INERT
                    : *at == '!' ? LORE_SHARE_ABSENT
                                 : LORE_SHARE_OPEN;
        in->technique = in->share != LORE_SHARE_OPEN ? at + 1 : at;
        more = to->fn(to->ctx, in);
    }
    return more;
}

static enum lore_status
evidence_row(struct lore_stmt *q, struct lore_feed_scan *s, void *to, struct lore_err *err)
{
    struct lore_evidence_in in = {0};
    const struct evidence_to *e = to;
    char *techniques = (char *)lore_col_text(q, 12, &s->arena);
    enum lore_status status = evidence_columns(q, s->known, &in, err);

    if (status == LORE_OK)
        s->stopped = !(techniques ? each_technique(e, &in, techniques) : e->fn(e->ctx, &in));
    return status;
}

#define NEWEST_EXPERIMENT "SELECT coalesce(max(seq), 0) FROM fact_experiment"

/* An experiment that compares with a library and names no technique is a board entry, not
 * evidence. END as in lore_feed_scan. */
static enum lore_status
each_evidence(
    struct lore_feed_scan *s, struct lore_stmt *end, struct evidence_to to, struct lore_err *err)
{
    LORE_STMT q = lore_sql(s->db,
        "SELECT x.seq, y.id, y.kernel, x.chip, y.workload, x.labels, x.effect, x.correctness,"
        " x.process, x.masked, x.evidence, x.speedup, y.techniques, y.typed_lost,"
        " y.labels_derived, y.at_us * y.dated FROM drv_experiment x JOIN drv_experiment_entry y ON "
        "y.seq = "
        "x.seq WHERE x.seq > $1 AND x.seq <= $2"
        " AND (y.base IS DISTINCT FROM 'library' OR y.techniques IS NOT NULL) ORDER BY x.seq");

    return lore_feed_scan(s, end, &q, evidence_row, &to, err);
}

enum lore_status
lore_db_each_evidence(struct lore_db *db, int64_t after_seq, lore_evidence_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, NEWEST_EXPERIMENT);
    struct lore_feed_scan s = {.db = db, .after = after_seq, .last = last_seq};

    return each_evidence(&s, &end, (struct evidence_to){fn, ctx}, err);
}

/* ---- the board ---- */

/* The first columns of both queries, for runs and for stated results. */
#define ENTRY_COLUMNS                                                                              \
    "y.seq, y.id, y.kernel, y.version, y.version_label, y.version_kind, y.workload"
enum { SHARED = 7 };
#define IS_COPY LORE_IS_COPY("y.id")

static enum lore_status
entry_columns(struct lore_stmt *q, struct lore_known *k, struct lore_entry *e, struct lore_err *err)
{
    struct lore_known_aside aside = {0};
    struct lore_known_workload workload = {0};
    const struct lore_known_kernel *kernel = NULL;
    enum lore_status status = lore_known_kernel(k, lore_col_i64(q, 2), &kernel, err);

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
    status = lore_known_workload(k, e->workload, &workload, err);
    e->workload_label = workload.label;
    if (status == LORE_OK)
        status = lore_known_aside(k, e->version, &aside, err);
    e->version_retracted = aside.retracted;
    if (status == LORE_OK)
        status = lore_known_aside(k, lore_col_text(q, 1, NULL), &aside, err);
    e->retracted = aside.retracted;
    e->beyond = aside.beyond;
    return status;
}

static enum lore_status
run_columns(
    struct lore_stmt *q, struct lore_feed_scan *s, struct lore_entry *e, struct lore_err *err)
{
    int i = SHARED;
    enum lore_status status = entry_columns(q, s->known, e, err);

    e->run = lore_col_text(q, 1, NULL);
    e->chip = lore_col_text(q, i++, NULL);
    if (status == LORE_OK)
        status = lore_known_environment(s->known, lore_col_i64(q, i++), &e->env_hard, err);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    e->correctness = lore_check_of(lore_col_text(q, i++, NULL));
    e->failed = lore_col_i64(q, i++) != 0;
    e->method = lore_col_text(q, i++, NULL);
    e->at_us = lore_col_i64(q, i++);
    e->labels = lore_known_labels(s->known, lore_col_text(q, i++, NULL));
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

LORE_FEED_ROW(run, lore_entry, lore_entry_fn)

enum lore_status
lore_db_each_run_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_run");
    LORE_STMT q = lore_sql(db,
        "SELECT " ENTRY_COLUMNS ", y.chip, y.environment, y.evidence, y.correctness, y.failed,"
        " y.tool, y.at_us, y.labels, y.labels_derived, y.disputes," IS_COPY
        ", y.n_samples, y.time_ns, y.low_ns, y.high_ns,"
        " y.median_low_ns, y.median_high_ns FROM drv_run_entry y"
        " WHERE y.seq > $1 AND y.seq <= $2 ORDER BY y.seq");
    struct lore_feed_scan s = {.db = db, .after = after_seq, .last = last_seq};

    return lore_feed_scan(&s, &end, &q, run_row, &(struct run_to){fn, ctx}, err);
}

/* A stated time is no board entry when the experiment has runs after the change. */
static enum lore_status
claim_columns(
    struct lore_stmt *q, struct lore_feed_scan *s, struct lore_entry *e, struct lore_err *err)
{
    int i = SHARED;
    int64_t runs_after;
    enum lore_status status = entry_columns(q, s->known, e, err);

    e->experiment = lore_col_text(q, 1, NULL);
    e->chip = lore_col_text(q, i++, NULL);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    e->correctness = lore_check_of(lore_col_text(q, i++, NULL));
    e->masked = lore_col_i64(q, i) != 0;
    e->copy = lore_col_i64(q, i++) == LORE_MASKED_COPY;
    e->effect = lore_effect_find(lore_col_text(q, i++, NULL));
    e->labels = lore_known_labels(s->known, lore_col_text(q, i++, NULL));
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

LORE_FEED_ROW(claim, lore_entry, lore_entry_fn)

static enum lore_status
each_claim(
    struct lore_feed_scan *s, struct lore_stmt *end, struct claim_to to, struct lore_err *err)
{
    LORE_STMT q = lore_sql(s->db,
        "SELECT " ENTRY_COLUMNS ", x.chip, x.evidence, x.correctness, x.masked, x.effect, x.labels,"
        " y.labels_derived, y.at_us, y.runs_after, y.time_ns, coalesce(y.speedup, x.speedup),"
        " y.low, y.high, y.base, y.base_name, y.typed_lost, x.disputes FROM drv_experiment x"
        " JOIN drv_experiment_entry y ON y.seq = x.seq WHERE x.seq > $1 AND x.seq <= $2"
        " ORDER BY x.seq");

    return lore_feed_scan(s, end, &q, claim_row, &to, err);
}

enum lore_status
lore_db_each_claim_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, NEWEST_EXPERIMENT);
    struct lore_feed_scan s = {.db = db, .after = after_seq, .last = last_seq};

    return each_claim(&s, &end, (struct claim_to){fn, ctx}, err);
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

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    int64_t seq = lore_col_i64(&q, 0);
    struct lore_feed_scan one = {.db = db, .after = seq - 1, .newest = seq}, again = one;
    enum lore_status status = lore_done(&q, err);
    if (status == LORE_OK)
        status = each_evidence(&one, NULL, (struct evidence_to){evidence, ctx}, err);
    return status == LORE_OK ? each_claim(&again, NULL, (struct claim_to){entry, ctx}, err)
                             : status;
}
