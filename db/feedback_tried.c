/* Links trials to the versions that answers proposed (docs/feedback.md). A run of a configuration
 * on a chip and workload is the outcome of the newest answer that proposed it as a start there. An
 * experiment between two configurations is the outcome of a proposed change. Versions of equal
 * configuration are interchangeable (settings.h). As in feedback_link.c, only earlier rows count,
 * so that a rebuild makes the same links. */
#include <stdio.h>

#include "db/facts.h"
#include "db/feedback_version.h"
#include "db/internal.h"
#include "db/settings.h"
#include "service/base/text.h"

/* The outcomes kept per proposal: the first conclusive one counts, and some may be retracted. */
#define TRIALS_MAX "8"
#define DAY_US (INT64_C(86400) * 1000000)
/* The proposals of one configuration at one place that are searched, newest first. Mostly the first
 * one matches; when all are too old, the limit avoids a scan of a year of proposals. */
enum { LOOKED_AT = 200 };

struct tried {
    bool run;    /* false: an experiment */
    int64_t seq; /* its seq */
    int64_t received_us, happened_us;
    const char *configuration, *from; /* from: set for an experiment */
    const char *chip, *isa, *workload;
};
struct proposal {
    int64_t advice, rank;
    char list[8];
};

/* Read the columns of both kinds; strings belong to Q. */
static void
tried_columns(struct lore_stmt *q, struct tried *t)
{
    t->configuration = lore_col_text(q, 0, NULL);
    t->from = lore_col_text(q, 1, NULL);
    t->chip = lore_col_text(q, 2, NULL);
    t->isa = lore_col_text(q, 3, NULL);
    t->workload = lore_col_text(q, 4, NULL);
    t->received_us = lore_col_i64(q, 5);
    t->happened_us = lore_col_i64(q, 6);
}

/* The configuration of VERSION, which never changes; NULL for NULL. */
static enum lore_status
configuration_of(struct lore_db *db, const char *version, const char **out, struct lore_err *err)
{
    const struct lore_name *known = version ? lore_name_cache_find(&db->names, 's', version) : NULL;
    LORE_STMT q = {0};

    *out = known ? known->a : NULL;
    if (known || !version)
        return LORE_OK;
    q = lore_sql(db, "SELECT" LORE_CONFIGURATION("$1"));
    lore_bind_text(&q, 1, version);
    if (lore_row(&q))
        *out =
            lore_name_cache_add(&db->names, 's', version, 0, lore_col_text(&q, 0, NULL), NULL)->a;
    return lore_done(&q, err);
}

/* Whether any answer proposed the configuration of VERSION, reached from that of FROM (NULL: as a
 * start). Most were never proposed, and then the search for a proposal is skipped. */
static enum lore_status
was_proposed(
    struct lore_db *db, const char *version, const char *from, bool *out, struct lore_err *err)
{
    const char *to_configuration = NULL, *from_configuration = NULL;
    enum lore_status status = configuration_of(db, version, &to_configuration, err);

    if (status == LORE_OK)
        status = configuration_of(db, from, &from_configuration, err);
    if (status != LORE_OK)
        return status;
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM log_advice_version WHERE configuration = $1"
                               " AND from_configuration IS $2 LIMIT 1");
    lore_bind_text(&q, 1, to_configuration);
    lore_bind_text(&q, 2, from_configuration);
    *out = lore_row(&q);
    return lore_done(&q, err);
}

#define PROPOSED(after)                                                                            \
    "SELECT p.advice, p.list, p.rank, v.until_us, v.served_us FROM log_advice_version p"           \
    " CROSS JOIN log_advice v ON v.seq = p.advice WHERE p.configuration = $1"                      \
    " AND p.from_configuration IS $2 AND p.chip = $3 AND p.workload IS $4 AND " after              \
    " < $5 ORDER BY p.advice DESC"

/* Find the newest proposal for CHIP and WORKLOAD that may have T as its outcome. Set *best to it if
 * it is newer. */
static enum lore_status
find_in(struct lore_db *db, const struct tried *t, const char *chip, const char *workload,
    struct proposal *best, struct lore_err *err)
{
    LORE_STMT q = t->run ? lore_sql(db, PROPOSED("p.after_run"))
                         : lore_sql(db, PROPOSED("v.after_experiment"));
    bool found = false;

    lore_bind_text(&q, 1, t->configuration);
    lore_bind_text(&q, 2, t->from);
    lore_bind_text(&q, 3, chip);
    lore_bind_text(&q, 4, workload);
    lore_bind_i64(&q, 5, t->seq);
    for (int i = 0; i < LOOKED_AT && !found && lore_row(&q); i++)
        found =
            lore_col_i64(&q, 3) >= t->received_us && lore_col_i64(&q, 4) - DAY_US <= t->happened_us;
    if (found && lore_col_i64(&q, 0) > best->advice) {
        *best = (struct proposal){.advice = lore_col_i64(&q, 0), .rank = lore_col_i64(&q, 2)};
        snprintf(best->list, sizeof best->list, "%s", lore_col_text(&q, 1, NULL));
    }
    return lore_done(&q, err);
}

/* Search proposals for its chip or the chip's ISA, on its workload or on an unknown one. */
static enum lore_status
find(struct lore_db *db, const struct tried *t, struct proposal *best, struct lore_err *err)
{
    const char *const chips[] = {t->chip, lore_streq(t->isa, t->chip) ? NULL : t->isa};
    enum lore_status status = LORE_OK;

    for (int i = 0; i < 2 && chips[i] && status == LORE_OK; i++) {
        status = find_in(db, t, chips[i], NULL, best, err);
        if (status == LORE_OK && t->workload)
            status = find_in(db, t, chips[i], t->workload, best, err);
    }
    return status;
}

static enum lore_status
put_link(struct lore_db *db, int64_t record, const struct proposal *to, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_advice_trial (advice, list, rank, record) SELECT $1, $2, $3, $4 WHERE"
        " (SELECT count(*) FROM drv_advice_trial t WHERE t.advice = $1 AND t.list = $2"
        " AND t.rank = $3) < " TRIALS_MAX " ON CONFLICT (advice, list, rank, record) DO NOTHING");

    lore_bind_i64(&q, 1, to->advice);
    lore_bind_text(&q, 2, to->list);
    lore_bind_i64(&q, 3, to->rank);
    lore_bind_i64(&q, 4, record);
    return lore_done(&q, err);
}

static enum lore_status
link_tried(struct lore_db *db, const struct tried *t, struct lore_err *err)
{
    struct proposal best = {0};
    enum lore_status status = find(db, t, &best, err);

    return status == LORE_OK && best.advice != 0 ? put_link(db, t->seq, &best, err) : status;
}

static enum lore_status
link_start(struct lore_db *db, int64_t run, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT" LORE_CONFIGURATION(
            "y.version") ", NULL, y.chip, c.isa, y.workload, d.received_us,"
                         " y.at_us FROM drv_run_entry y CROSS JOIN cat_chip c ON c.name = y.chip"
                         " CROSS JOIN fact_run r ON r.seq = y.seq CROSS JOIN fact_document d ON "
                         "d.seq = r.document WHERE y.seq = $1 AND y.evidence <> 'imported'");
    struct tried t = {.run = true, .seq = run};
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, run);
    if (lore_row(&q)) {
        tried_columns(&q, &t);
        status = link_tried(db, &t, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
link_move(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT" LORE_CONFIGURATION("e.to_version") "," LORE_CONFIGURATION(
            "e.from_version") ", e.chip, c.isa, e.workload, d.received_us, coalesce(e.happened_us, "
                              "d.received_us)"
                              " FROM fact_experiment e CROSS JOIN cat_chip c ON c.name = e.chip"
                              " CROSS JOIN fact_document d ON d.seq = e.document WHERE e.seq = $1"
                              " AND e.from_version IS NOT NULL AND e.to_version IS NOT NULL"
                              " AND e.evidence <> 'imported'");
    struct tried t = {.seq = experiment};
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, experiment);
    if (lore_row(&q)) {
        tried_columns(&q, &t);
        status = link_tried(db, &t, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_db_link_start(struct lore_db *db, int64_t run, const char *version, struct lore_err *err)
{
    bool proposed = false;
    enum lore_status status = was_proposed(db, version, NULL, &proposed, err);

    return status == LORE_OK && proposed ? link_start(db, run, err) : status;
}

enum lore_status
lore_db_link_move(struct lore_db *db, const struct lore_fact_experiment *x, struct lore_err *err)
{
    bool proposed = false;
    enum lore_status status = LORE_OK;

    if (x->from_version && x->to_version)
        status = was_proposed(db, x->to_version, x->from_version, &proposed, err);
    return status == LORE_OK && proposed ? link_move(db, x->seq, err) : status;
}

/* ---- all of them ---- */

/* Every version with a proposed configuration. */
#define ANY_PROPOSED                                                                               \
    " (SELECT version FROM log_advice_version UNION SELECT u.id FROM drv_version_settings z"       \
    " JOIN fact_version u ON u.seq = z.version WHERE z.settings IN"                                \
    " (SELECT configuration FROM log_advice_version))"

static enum lore_status
link_each(struct lore_db *db, struct lore_stmt *q,
    enum lore_status (*link)(struct lore_db *db, int64_t seq, struct lore_err *err),
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(q))
        status = link(db, lore_col_i64(q, 0), err);
    return status == LORE_OK ? lore_done(q, err) : status;
}

enum lore_status
lore_db_link_all_tried(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT runs =
        lore_sql(db, "SELECT seq FROM drv_run_entry WHERE version IN" ANY_PROPOSED " ORDER BY seq");
    LORE_STMT moves = lore_sql(
        db, "SELECT seq FROM fact_experiment WHERE to_version IN" ANY_PROPOSED " ORDER BY seq");
    enum lore_status status = lore_db_exec(db, "DELETE FROM drv_advice_trial", err);

    if (status == LORE_OK)
        status = lore_name_advised(db, err);
    if (status == LORE_OK)
        status = link_each(db, &runs, link_start, err);
    return status == LORE_OK ? link_each(db, &moves, link_move, err) : status;
}
