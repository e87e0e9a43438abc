/* Store served advice and the reactions to it (log_advice*). Only the writer writes here; the
 * rows belong to no submission. Each row notes the last experiment stored before it, so that
 * "later" is the order of the database, independent of clocks. */
#include "db/feedback.h"

#include <inttypes.h>

#include "db/attempt.h"
#include "db/feedback_version.h"
#include "db/internal.h"
#include "service/base/text.h"

/* Most reactions to one answer; further ones are refused. */
#define EVENTS_MAX 200
/* The most answers that one pruning deletes, so that no caller waits long. The next pruning
 * continues. */
#define PRUNE_STEP 2000

static enum lore_status
put_item(struct lore_db *db, int64_t advice, const struct lore_advised *a,
    const struct lore_advised_item *item, const char *context, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO log_advice_item (advice, list, rank, technique, p_win, low, high, gain,"
        " operator, context) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");

    lore_bind_i64(&q, 1, advice);
    lore_bind_text(&q, 2, item->list);
    lore_bind_i64(&q, 3, item->rank);
    lore_bind_text(&q, 4, item->technique);
    lore_bind_opt_f64(&q, 5, item->p_win);
    lore_bind_opt_f64(&q, 6, item->low);
    lore_bind_opt_f64(&q, 7, item->high);
    lore_bind_opt_f64(&q, 8, item->gain);
    lore_bind_text(&q, 9, a->op != NULL ? a->op : "");
    lore_bind_text(&q, 10, context);
    return lore_done(&q, err);
}

static enum lore_status
count_item(struct lore_db *db, const struct lore_advised *a, const struct lore_advised_item *item,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO log_advice_served (operator, chip, technique, list, served)"
        " VALUES ($1, $2, $3, $4, 1)"
        " ON CONFLICT (operator, chip, technique, list) DO UPDATE SET served = served + 1");

    lore_bind_text(&q, 1, a->op != NULL ? a->op : "");
    lore_bind_text(&q, 2, a->chip != NULL ? a->chip : "");
    lore_bind_text(&q, 3, item->technique);
    lore_bind_text(&q, 4, item->list);
    return lore_done(&q, err);
}

static enum lore_status
put_answer(struct lore_db *db, const struct lore_advised *in, int64_t after, int64_t *seq,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO log_advice (id, served_us, until_us, after_experiment, caller, operator, chip,"
        " isa, language, labels, workload, version)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING seq");

    lore_bind_text(&q, 1, in->id);
    lore_bind_i64(&q, 2, in->served_us);
    lore_bind_i64(&q, 3, in->until_us);
    lore_bind_i64(&q, 4, after);
    lore_bind_text(&q, 5, in->caller);
    lore_bind_text(&q, 6, in->op);
    lore_bind_text(&q, 7, in->chip);
    lore_bind_text(&q, 8, in->isa);
    lore_bind_text(&q, 9, in->language);
    lore_bind_text(&q, 10, in->labels != NULL ? in->labels : "");
    lore_bind_text(&q, 11, in->workload);
    lore_bind_text(&q, 12, in->version);
    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

enum lore_status
lore_put_advice(struct lore_db *db, const struct lore_advised *in, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    const char *context = lore_advice_context(&a, in->isa, in->language, in->workload);
    int64_t seq = 0, after = 0;
    enum lore_status status = lore_db_newest_experiment(db, &after, err);

    if (status == LORE_OK)
        status = put_answer(db, in, after, &seq, err);
    for (size_t i = 0; status == LORE_OK && i < in->n_items; i++) {
        status = put_item(db, seq, in, &in->items[i], context, err);
        if (status == LORE_OK)
            status = count_item(db, in, &in->items[i], err);
    }
    if (status == LORE_OK)
        status = lore_put_advised_versions(db, seq, in, err);
    return status;
}

/* The last answer beyond the limits of number or age; 0: none. */
static enum lore_status
last_to_go(struct lore_db *db, int64_t keep, int64_t before_us, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT max(coalesce((SELECT seq FROM log_advice ORDER BY seq DESC LIMIT 1 OFFSET $1), 0),"
        " coalesce((SELECT max(seq) FROM log_advice WHERE served_us < $2), 0))");

    lore_bind_i64(&q, 1, keep);
    lore_bind_i64(&q, 2, before_us);
    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
forget(struct lore_db *db, int64_t seq, struct lore_err *err)
{
    LORE_STMT items = lore_sql(db, "DELETE FROM log_advice_item WHERE advice = $1");
    LORE_STMT answer = lore_sql(db, "DELETE FROM log_advice WHERE seq = $1");
    enum lore_status status;

    lore_bind_i64(&items, 1, seq);
    lore_bind_i64(&answer, 1, seq);
    status = lore_done(&items, err);
    if (status == LORE_OK)
        status = lore_db_forget_advised_versions(db, seq, err);
    return status == LORE_OK ? lore_done(&answer, err) : status;
}

/* The newest answer stays whatever its age: its seq must not be reused. */
enum lore_status
lore_db_prune_advice(struct lore_db *db, int64_t keep, int64_t before_us, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT seq FROM log_advice v WHERE v.seq <= $1 AND v.seq <"
                     " (SELECT max(seq) FROM log_advice)"
                     " AND NOT EXISTS (SELECT 1 FROM log_advice_event x WHERE x.advice = v.seq)"
                     " AND NOT EXISTS (SELECT 1 FROM drv_advice_outcome o WHERE o.advice = v.seq)"
                     " AND NOT EXISTS (SELECT 1 FROM drv_advice_trial t WHERE t.advice = v.seq)"
                     " ORDER BY v.seq LIMIT $2");
    LORE_SCRATCH a = {0};
    int64_t last = 0, *gone = NULL;
    size_t n = 0, cap = 0;
    enum lore_status status = last_to_go(db, keep, before_us, &last, err);

    if (status != LORE_OK || last == 0)
        return status;
    lore_bind_i64(&q, 1, last);
    lore_bind_i64(&q, 2, PRUNE_STEP);
    while (lore_row(&q))
        *LORE_PUSH(&a, gone, n, cap) = lore_col_i64(&q, 0);
    status = lore_done(&q, err);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        status = forget(db, gone[i], err);
    return status;
}

/* The techniques that the answer listed, for a hint; "" for none. */
static const char *
listed(struct lore_db *db, int64_t advice, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT DISTINCT technique FROM log_advice_item WHERE advice = $1"
                               " ORDER BY list, rank LIMIT 6");
    const char *text = "";

    lore_bind_i64(&q, 1, advice);
    while (lore_row(&q))
        text = lore_format(a, "%s%s%s", text, *text != '\0' ? ", " : "", lore_col_text(&q, 0, a));
    return lore_done(&q, err) == LORE_OK ? text : "";
}

static enum lore_status
check_event(
    struct lore_db *db, const char *id, const char *technique, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT v.seq, $1 IS NULL OR EXISTS (SELECT 1 FROM log_advice_item i WHERE i.advice = v.seq"
        " AND i.technique = $1), (SELECT count(*) FROM log_advice_event w WHERE w.advice = v.seq)"
        " FROM log_advice v WHERE v.id = $2");
    LORE_SCRATCH a = {0};
    bool found, lists = false, full = false;
    const char *there;
    enum lore_status status;

    lore_bind_text(&q, 1, technique);
    lore_bind_text(&q, 2, id);
    found = lore_row(&q);
    if (found) {
        *seq = lore_col_i64(&q, 0);
        lists = lore_col_i64(&q, 1) != 0;
        full = lore_col_i64(&q, 2) >= EVENTS_MAX;
    }
    if ((status = lore_done(&q, err)) != LORE_OK)
        return status;
    if (!found)
        return lore_fail_at(
            err, LORE_NOTFOUND, "unknown_advice", "id", "id: no advice is stored under %.26s", id);
    if (full)
        return lore_fail_at(err, LORE_TOOBIG, "too_many", "id",
            "id: this answer already has %d reactions, the most it may have", EVENTS_MAX);
    if (lists)
        return LORE_OK;
    there = listed(db, *seq, &a, err);
    (void)lore_fail_at(err, LORE_INVALID, "unknown_technique", "technique",
        "technique: that answer did not list %.80s", technique);
    if (err)
        lore_err_hint(err, "%s%s", *there != '\0' ? "it listed " : "it listed nothing", there);
    return LORE_INVALID;
}

enum lore_status
lore_put_advice_event(struct lore_db *db, const char *advice, const struct lore_advice_event *in,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO log_advice_event (advice, event, technique, note,"
                               " caller, at_us, after_experiment)"
                               " VALUES ($1, $2, $3, $4, $5, $6, $7)");
    int64_t seq = 0, after = 0;
    enum lore_status status = check_event(db, advice, in->technique, &seq, err);

    if (status == LORE_OK)
        status = lore_db_newest_experiment(db, &after, err);
    if (status != LORE_OK)
        return status;
    lore_bind_i64(&q, 1, seq);
    lore_bind_text(&q, 2, in->event);
    lore_bind_text(&q, 3, in->technique);
    lore_bind_text(&q, 4, in->note);
    lore_bind_text(&q, 5, in->caller);
    lore_bind_i64(&q, 6, in->at_us);
    lore_bind_i64(&q, 7, after);
    return lore_done(&q, err);
}
