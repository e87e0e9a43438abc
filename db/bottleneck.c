/* The bottleneck of an experiment that says none, by the metrics of what it started from
 * (service/derive/bottleneck.h): of its runs before, else those that it states, else of an earlier
 * run of the same version, workload and hard environment, which profiled what the run before only
 * timed. drv_bottleneck keeps what was found, by which rule set and from which run.
 *
 * "Earlier" is by the order of documents, not by what happens to be stored: so a rebuild finds
 * what was found when the experiment came. Nothing is looked up for an experiment with labels. */
#include "service/derive/bottleneck.h"

#include "db/facts.h"
#include "db/metrics.h"
#include "service/base/text.h"

enum { MOST_EARLIER = 32 }; /* runs of the version, newest first, that are looked at */

struct found {
    struct lore_shown_bottleneck shown;
    const char *basis, *run;
};

static void
ask(const struct lore_metrics *metrics, const char *basis, const char *run, struct lore_arena *a,
    struct found *out)
{
    if (out->shown.answered)
        return;
    lore_bottleneck_shown(metrics, a, &out->shown);
    out->basis = basis;
    out->run = run;
}

static enum lore_status
ask_earlier(struct lore_db *db, const struct lore_facts *f, const struct lore_process_run *before,
    struct lore_arena *a, struct found *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT o.id, o.metrics FROM fact_run o JOIN fact_environment n ON n.id = o.environment"
        " WHERE o.seq IN (SELECT r.seq FROM fact_run r WHERE r.version = $1 AND r.document <= $2"
        " ORDER BY r.seq DESC LIMIT $3) AND o.metrics IS NOT NULL AND o.workload = $4"
        " AND n.hard_hash = $5 AND o.chip IS NOT DISTINCT FROM $6 AND" LORE_RUN_COUNTS(
            "o") " ORDER BY o.seq DESC LIMIT 1");
    struct lore_metrics metrics = {0};
    const char *run = NULL;
    enum lore_status status = LORE_OK;

    if (before->version == NULL || before->workload == NULL || before->environment == NULL)
        return LORE_OK; /* not recorded equals nothing */
    lore_bind_text(&q, 1, before->version);
    lore_bind_i64(&q, 2, f->document);
    lore_bind_i64(&q, 3, MOST_EARLIER);
    lore_bind_text(&q, 4, before->workload);
    lore_bind_text(&q, 5, before->environment);
    lore_bind_text(&q, 6, before->chip);
    if (lore_row(&q)) {
        size_t len;
        const void *packed = lore_col_blob(&q, 1, &len, a);

        run = lore_col_text(&q, 0, a);
        status = lore_metrics_unpack(db, packed, len, a, &metrics, err);
    }
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK && run != NULL)
        ask(&metrics, "earlier_run", run, a, out);
    return status;
}

static enum lore_status
find(struct lore_db *db, const struct lore_facts *f, struct lore_arena *a, struct found *out,
    struct lore_err *err)
{
    const struct lore_process_run *before = NULL;

    for (size_t i = 0; i < f->n_profiles; i++) {
        const struct lore_process_run *r = &f->runs[f->profiles[i].run];

        if (r->side == LORE_P_BEFORE)
            ask(&r->metrics, "run_before", f->profiles[i].id, a, out);
    }
    ask(&f->stated_before, "stated", NULL, a, out);
    for (size_t i = 0; before == NULL && i < f->n_runs; i++)
        if (f->runs[i].side == LORE_P_BEFORE)
            before = &f->runs[i];
    if (out->shown.answered || before == NULL)
        return LORE_OK;
    return ask_earlier(db, f, before, a, out, err);
}

static enum lore_status
put(struct lore_db *db, int64_t experiment, const struct found *found, struct lore_arena *a,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "INSERT INTO drv_bottleneck (experiment, labels, rule_set, basis, run)"
                     " VALUES ($1, $2, $3, $4, $5)");

    lore_bind_i64(&q, 1, experiment);
    lore_bind_text(&q, 2, lore_labels_text(a, found->shown.labels));
    lore_bind_text(&q, 3, found->shown.rule_set);
    lore_bind_text(&q, 4, found->basis);
    lore_bind_text(&q, 5, found->run);
    return lore_done(&q, err);
}

enum lore_status
lore_judge_bottleneck(
    struct lore_db *db, const struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    struct found found = {0};
    enum lore_status status = LORE_OK;

    if (f->says_bottleneck)
        return LORE_OK;
    if (f->stands) { /* only an experiment that was judged before can have a row */
        LORE_STMT q = lore_sql(db, "DELETE FROM drv_bottleneck WHERE experiment = $1");

        lore_bind_i64(&q, 1, f->seq);
        status = lore_done(&q, err);
    }
    if (status == LORE_OK)
        status = find(db, f, a, &found, err);
    if (status == LORE_OK && found.shown.labels != 0)
        status = put(db, f->seq, &found, a, err);
    return status;
}
