/* The bottleneck of an experiment that states none, from the metrics of its from-version
 * (service/derive/bottleneck.h). The metrics are those of the runs before, else the stated ones.
 * Else an earlier run of the same version, workload and hard environment gives them. It may be a
 * profile while the runs before were only timed. Experiments that state labels are skipped. */
#include "service/derive/bottleneck.h"

#include "service/verdicts/gather.h"

struct found {
    struct lore_shown_bottleneck shown;
    const char *basis, *run;
};

static void
try_metrics(const struct lore_metrics *metrics, const char *basis, const char *run,
    struct lore_arena *a, struct found *out)
{
    if (out->shown.answered)
        return;
    lore_bottleneck_from_metrics(metrics, a, &out->shown);
    out->basis = basis;
    out->run = run;
}

static enum lore_status
try_earlier_run(struct lore_db *db, const struct lore_gathered *g,
    const struct lore_process_run *before, struct lore_arena *a, struct found *out,
    struct lore_err *err)
{
    const struct lore_fact_run like = {.version = before->version,
        .workload = before->workload,
        .environment = before->environment,
        .chip = before->chip};
    struct lore_fact_profile earlier = {0};

    if (!before->version || !before->workload || !before->environment)
        return LORE_OK; /* an unrecorded value matches no other run */
    enum lore_status status = lore_fact_earlier(db, g->x.document, &like, a, &earlier, err);
    if (status == LORE_OK && earlier.run)
        try_metrics(&earlier.metrics, "earlier_run", earlier.run, a, out);
    return status;
}

static enum lore_status
find(struct lore_db *db, const struct lore_gathered *g, struct lore_arena *a, struct found *out,
    struct lore_err *err)
{
    const struct lore_process_run *before = NULL;

    for (size_t i = 0; i < g->n_profiles; i++) {
        const struct lore_process_run *r = &g->runs[g->profiles[i].run];

        if (r->side == LORE_P_BEFORE)
            try_metrics(&r->metrics, "run_before", g->profiles[i].stored.id, a, out);
    }
    try_metrics(&g->x.stated[0], "stated", NULL, a, out);
    for (size_t i = 0; before == NULL && i < g->n_runs; i++)
        if (g->runs[i].side == LORE_P_BEFORE)
            before = &g->runs[i];
    if (out->shown.answered || !before)
        return LORE_OK;
    return try_earlier_run(db, g, before, a, out, err);
}

enum lore_status
lore_judge_bottleneck(
    struct lore_db *db, const struct lore_gathered *g, struct lore_arena *a, struct lore_err *err)
{
    struct found found = {0};
    enum lore_status status = LORE_OK;

    if (g->x.says_bottleneck)
        return LORE_OK;
    if (g->x.judged) /* only an experiment that was judged before can have a row */
        status = lore_db_forget_bottleneck(db, g->x.seq, err);
    if (status == LORE_OK)
        status = find(db, g, a, &found, err);
    if (status != LORE_OK || found.shown.labels == 0)
        return status;
    return lore_put_bottleneck(db, g->x.seq,
        &(struct lore_derived_bottleneck){
            found.shown.labels, found.shown.rule_set, found.basis, found.run},
        a, err);
}
