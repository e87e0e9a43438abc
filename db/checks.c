/* Finds the experiments whose verdicts may change when a run is checked or when a run or version is
 * retracted. A version never changes, so a late check may settle or overturn the verdict of every
 * experiment that ends in it. A late check of a baseline may show that a later experiment loosened
 * its limits. The retraction of a run takes its contribution back.
 *
 * Nearly every run passes, and so did all other runs of its version. Such a run costs one look-up
 * in the index of runs that did not pass. */
#include "db/effects.h"
#include "db/internal.h"
#include "db/standing.h"

static enum lore_status
collect(const struct lore_put_ctx *c, struct lore_stmt *q, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(q))
        status = lore_db_note_judged(c, lore_col_text(q, 0, c->arena), err);
    return status == LORE_OK ? lore_done(q, err) : status;
}

enum lore_status
lore_db_get_dispute(struct lore_db *db, const char *record, struct lore_arena *a,
    struct lore_dispute *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT d.actor, json_extract(r.rest, '$.correctness.message') FROM fact_run r"
                     " JOIN fact_document d ON d.seq = r.document WHERE r.id = $1 UNION ALL"
                     " SELECT d.actor, coalesce(e.notes, e.title) FROM fact_experiment e"
                     " JOIN fact_document d ON d.seq = e.document WHERE e.id = $1");

    *out = (struct lore_dispute){.record = record};
    lore_bind_text(&q, 1, record);
    if (lore_row(&q)) {
        out->by = lore_col_text(&q, 0, a);
        out->why = lore_col_text(&q, 1, a);
    }
    return lore_done(&q, err);
}

/* Whether a run of VERSION did not pass. */
static enum lore_status
find_not_passed(struct lore_db *db, const char *version, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM fact_run r WHERE r.version = $1"
                               " AND (r.correctness IS NULL OR r.correctness <> 'pass') LIMIT 1");

    lore_bind_text(&q, 1, version);
    *out = lore_row(&q);
    return lore_done(&q, err);
}

/* A check of a baseline that states limits may show that an experiment loosened them. Collect the
 * experiments of the kernel whose runs after the change state limits, too. */
static enum lore_status
collect_by_limits(const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err)
{
    if (!run->correctness.atol.set && !run->correctness.rtol.set &&
        !run->correctness.rel_err_limit.set)
        return LORE_OK;
    LORE_STMT q = lore_sql(c->db,
        "SELECT e.id FROM fact_version v JOIN fact_experiment e ON e.kernel = v.kernel"
        " JOIN fact_experiment_run x ON x.experiment = e.seq AND x.side = 1"
        " JOIN fact_run r ON r.id = x.run WHERE v.id = $1 AND v.kind = 'baseline'"
        " AND (r.rest LIKE '%\"atol\"%' OR r.rest LIKE '%\"rtol\"%'"
        " OR r.rest LIKE '%\"rel_err_limit\"%')");

    lore_bind_text(&q, 1, run->version);
    return collect(c, &q, err);
}

enum lore_status
lore_check_affects(const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT e.id FROM fact_version v JOIN fact_experiment e"
                                  " ON +e.kernel = v.kernel WHERE v.id = $1"
                                  " AND e.to_version = v.id");
    bool not_passed = run->correctness.status != LORE_C_PASS;
    enum lore_status status = LORE_OK;

    if (!c->effects || !run->correctness.set)
        return LORE_OK;
    if ((status = collect_by_limits(c, run, err)) != LORE_OK ||
        run->correctness.status == LORE_C_NOT_CHECKED)
        return status;
    if (!not_passed)
        status = find_not_passed(c->db, run->version, &not_passed, err);
    if (status != LORE_OK || !not_passed)
        return status;
    lore_bind_text(&q, 1, run->version);
    return collect(c, &q, err);
}

/* Collect the experiments whose inferred bottleneck may come from the run RECORD: those that state
 * no bottleneck and whose runs before the change are of its version. They may be of any kernel. */
static enum lore_status
collect_profiled(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "SELECT e.id FROM fact_experiment_run x JOIN fact_experiment e ON e.seq = x.experiment"
        " WHERE x.side = 0 AND e.labels = '' AND x.run IN (SELECT o.id FROM fact_run r"
        " JOIN fact_run o ON o.version = r.version WHERE r.id = $1 AND r.metrics IS NOT NULL)");

    lore_bind_text(&q, 1, record);
    return collect(c, &q, err);
}

/* Collect the experiments that start or end in the version of RECORD, and those that used one of
 * its runs. The checks of a baseline affect every experiment of its kernel. Experiments with
 * ablations are few, and their attributions name runs, so all of them are collected. A tuned kernel
 * has a hundred thousand experiments, and nearly none of them depends on one version. */
enum lore_status
lore_runs_affect(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    LORE_STMT kernel = lore_sql(c->db,
        "SELECT e.id FROM fact_version v JOIN fact_experiment e ON e.kernel = v.kernel"
        " WHERE v.id = coalesce((SELECT r.version FROM fact_run r WHERE r.id = $1), $1)"
        " AND (v.kind = 'baseline' OR e.from_version = v.id OR e.to_version = v.id"
        " OR EXISTS (SELECT 1 FROM fact_attribution t WHERE t.experiment = e.id))");
    LORE_STMT uses =
        lore_sql(c->db, "SELECT e.id FROM fact_experiment_run x JOIN fact_experiment e"
                        " ON e.seq = x.experiment WHERE x.run IN (SELECT r.id FROM fact_run r"
                        " WHERE r.id = $1 OR r.version = $1)");
    LORE_STMT any = lore_sql(c->db, "SELECT 1 FROM fact_run r WHERE r.id = $1 OR r.version = $1");
    enum lore_status status;
    bool here;

    if (!c->effects)
        return LORE_OK;
    lore_bind_text(&any, 1, record);
    here = lore_row(&any);
    status = lore_done(&any, err);
    if (status != LORE_OK || !here)
        return status;
    lore_bind_text(&kernel, 1, record);
    status = collect(c, &kernel, err);
    lore_bind_text(&uses, 1, record);
    if (status == LORE_OK)
        status = collect(c, &uses, err);
    return status == LORE_OK ? collect_profiled(c, record, err) : status;
}
