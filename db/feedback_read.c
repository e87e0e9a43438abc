/* Read served advice: one complete answer, counts, outcomes with the verdicts in force. */
#include "db/feedback.h"
#include "db/feedback_version.h"
#include "db/internal.h"
#include "db/judged.h"
#include "service/base/text.h"

/* The number of experiments after an answer that are searched for the best one: a database that
 * grows by a thousand per second must not make the query slow. */
#define LOOKED_THROUGH "50000"
/* The filter of answers V and items I: $1 operator, $2 technique, $3 ",chip,chip,". */
#define PASSES                                                                                     \
    "($1 IS NULL OR v.operator = $1) AND ($2 IS NULL OR i.technique = $2)"                         \
    " AND ($3 IS NULL OR instr($3, ',' || v.chip || ',') > 0)"
#define RESULT_COLUMNS                                                                             \
    "o.advice, o.rank, v.chip, o.technique, o.list, o.how, e.id, i.p_win, i.gain, x.speedup,"      \
    " x.effect, x.correctness, x.masked, tv.verdict, e.typed_outcome"
/* An experiment may use a technique twice; the outcome then has the verdict on the first use. */
#define RESULT_JOINS                                                                               \
    " JOIN log_advice v ON v.seq = o.advice JOIN log_advice_item i ON i.advice = o.advice"         \
    " AND i.list = o.list AND i.rank = o.rank JOIN fact_experiment e ON e.seq = o.experiment"      \
    " JOIN drv_experiment x ON x.seq = o.experiment"                                               \
    " LEFT JOIN fact_experiment_technique t ON t.experiment = o.experiment"                        \
    " AND t.position = (SELECT min(u.position) FROM fact_experiment_technique u"                   \
    " WHERE u.experiment = o.experiment AND u.technique = o.technique)"                            \
    " LEFT JOIN drv_technique_verdict tv ON tv.experiment = t.experiment"                          \
    " AND tv.position = t.position"

void
lore_db_bind_advice_filter(
    struct lore_stmt *q, const struct lore_advice_filter *f, struct lore_arena *a)
{
    const char *chips = f->n_chips > 0 ? "," : NULL;

    for (size_t i = 0; i < f->n_chips; i++)
        chips = lore_format(a, "%s%s,", chips, f->chips[i]);
    lore_bind_text(q, 1, f->op);
    lore_bind_text(q, 2, f->technique);
    lore_bind_text(q, 3, chips);
}

enum lore_status
lore_db_get_advice_stored(struct lore_db *db, struct lore_advice_stored *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT count(*), coalesce(max(seq), 0), coalesce(min(served_us), 0)"
                               " FROM log_advice");

    if (lore_row(&q))
        *out = (struct lore_advice_stored){
            lore_col_i64(&q, 0), lore_col_i64(&q, 1) - lore_col_i64(&q, 0), lore_col_i64(&q, 2)};
    return lore_done(&q, err);
}

#define ROW struct lore_advice_count
static const struct lore_row_member count_members[] = {
    AT(chip), AT(technique), AT(list), AT(served), AT(opened), AT(applied), AT(dismissed)};
static const struct lore_row_shape count_rows = {LORE_MEMBERS(count_members)};
#undef ROW

enum lore_status
lore_count_advice(struct lore_db *db, const struct lore_advice_filter *f, struct lore_arena *a,
    struct lore_advice_count **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT chip, technique, list, sum(served), sum(opened), sum(applied), sum(dismissed) FROM "
        "(SELECT n.chip AS chip, n.technique AS technique, n.list AS list,"
        " n.served AS served, 0 AS opened, 0 AS applied, 0 AS dismissed FROM log_advice_served n"
        " WHERE n.list NOT IN ('start', 'moves') AND ($1 IS NULL OR n.operator = $1)"
        " AND ($2 IS NULL OR n.technique = $2)"
        " AND ($3 IS NULL OR instr($3, ',' || n.chip || ',') > 0)"
        " UNION ALL SELECT coalesce(v.chip, ''), i.technique, i.list, 0,"
        " count(DISTINCT CASE w.event WHEN 'opened' THEN i.advice END),"
        " count(DISTINCT CASE w.event WHEN 'applied' THEN i.advice END),"
        " count(DISTINCT CASE w.event WHEN 'dismissed' THEN i.advice END)"
        " FROM log_advice_event w JOIN log_advice v ON v.seq = w.advice"
        " JOIN log_advice_item i ON i.advice = w.advice"
        " AND (w.technique IS NULL OR w.technique = i.technique) WHERE " PASSES " GROUP BY 1, 2, 3)"
        " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3");

    lore_db_bind_advice_filter(&q, f, a);
    return lore_db_collect(&q, &count_rows, a, out, n, err);
}

#define ROW struct lore_advice_result
static const struct lore_row_member result_members[] = {AT(advice), AT(rank), AT(chip),
    AT(technique), AT(list), AT(how), AT(experiment), AT(p_win), AT(gain), AT(speedup),
    AT_ENUM(effect, lore_effect_find), AT_ENUM(correctness, lore_check_of), AT(hidden)};
enum { VERDICT = sizeof result_members / sizeof *result_members, TYPED };

static enum lore_status
add_verdict(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    const char *verdict = lore_col_text(q, VERDICT, NULL);
    struct lore_advice_result *r = row;

    (void)a, (void)err;
    r->unearned =
        lore_streq(verdict, "ineffective") || lore_streq(verdict, "implementation_failed");
    r->said_lost = r->effect == LORE_X_NOT_MEASURED &&
                   lore_effect_typed(lore_col_text(q, TYPED, NULL)) == LORE_X_LOSS;
    return LORE_OK;
}

static const struct lore_row_shape result_rows = {
    LORE_MEMBERS(result_members), .more = add_verdict};
#undef ROW

enum lore_status
lore_db_list_advice_outcomes(struct lore_db *db, const struct lore_advice_filter *f,
    struct lore_arena *a, struct lore_advice_result **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT " RESULT_COLUMNS " FROM drv_advice_outcome o" RESULT_JOINS " WHERE " PASSES
        " ORDER BY o.advice DESC, o.list, o.rank, o.experiment LIMIT $4");

    lore_db_bind_advice_filter(&q, f, a);
    lore_bind_i64(&q, 4, (int64_t)f->limit);
    return lore_db_collect(&q, &result_rows, a, out, n, err);
}

enum lore_status
lore_db_best_after_advice(
    struct lore_db *db, int64_t advice, struct lore_f64 *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT max(x.speedup) FROM log_advice v JOIN drv_experiment x"
        " ON x.seq > v.after_experiment AND x.seq <= v.after_experiment + " LOOKED_THROUGH
        " AND x.operator = v.operator JOIN fact_experiment e ON e.seq = x.seq"
        " JOIN fact_document d ON d.seq = e.document LEFT JOIN cat_chip c ON c.name = x.chip"
        " WHERE v.seq = $1 AND x.masked = 0 AND x.effect IN ('win', 'neutral', 'loss')"
        " AND x.correctness NOT IN ('fail', 'timeout') AND x.evidence <> 'imported'"
        " AND (v.isa IS NULL OR c.isa = v.isa) AND (v.language IS NULL OR x.language = v.language)"
        " AND (v.workload IS NULL OR e.workload = v.workload) AND d.received_us <= v.until_us");

    lore_bind_i64(&q, 1, advice);
    *out = (struct lore_f64){0};
    if (lore_row(&q))
        *out = lore_col_opt_f64(&q, 0);
    return lore_done(&q, err);
}

#define ROW struct lore_advice_row
static const struct lore_row_member answer_members[] = {AT(seq), AT(a.id), AT(a.caller),
    AT(a.served_us), AT(a.until_us), AT(a.op), AT(a.chip), AT(a.isa), AT(a.language),
    AT(a.workload), AT(a.version), AT(a.labels)};
static const struct lore_row_shape answer_rows = {LORE_MEMBERS(answer_members)};
#undef ROW

static enum lore_status
read_answer(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_advice_row *out,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT seq, id, caller, served_us, until_us, operator, chip, isa,"
                     " language, workload, version, labels FROM log_advice WHERE id = $1");
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q)) {
        status = lore_done(&q, err);
        return status != LORE_OK ? status
                                 : lore_fail_at(err, LORE_NOTFOUND, "unknown_advice", "id",
                                       "id: no advice is stored under %.26s", id);
    }
    lore_row_fill(&q, &answer_rows, a, out);
    return lore_done(&q, err);
}

#define ROW struct lore_advised_item
static const struct lore_row_member item_members[] = {
    AT(list), AT(rank), AT(technique), AT(p_win), AT(low), AT(high), AT(gain)};
static const struct lore_row_shape item_rows = {LORE_MEMBERS(item_members)};
#undef ROW
#define ROW struct lore_advice_event
static const struct lore_row_member event_members[] = {
    AT(event), AT(technique), AT(note), AT(caller), AT(at_us)};
static const struct lore_row_shape event_rows = {LORE_MEMBERS(event_members)};
#undef ROW

static enum lore_status
read_parts(
    struct lore_db *db, struct lore_arena *a, struct lore_advice_row *out, struct lore_err *err)
{
    LORE_STMT items = lore_sql(db, "SELECT list, rank, technique, p_win, low, high, gain"
                                   " FROM log_advice_item WHERE advice = $1 ORDER BY list, rank");
    LORE_STMT events =
        lore_sql(db, "SELECT event, technique, note, caller, at_us FROM log_advice_event"
                     " WHERE advice = $1 ORDER BY seq LIMIT 1000");
    LORE_STMT results =
        lore_sql(db, "SELECT " RESULT_COLUMNS " FROM drv_advice_outcome o" RESULT_JOINS
                     " WHERE o.advice = $1 ORDER BY o.list, o.rank, o.experiment LIMIT 1000");
    enum lore_status status;

    lore_bind_i64(&items, 1, out->seq);
    lore_bind_i64(&events, 1, out->seq);
    lore_bind_i64(&results, 1, out->seq);
    status = lore_db_collect(&items, &item_rows, a, &out->a.items, &out->a.n_items, err);
    if (status == LORE_OK)
        status = lore_db_list_advised_versions(db, out->seq, a, &out->a, err);
    if (status == LORE_OK)
        status = lore_db_collect(&events, &event_rows, a, &out->events, &out->n_events, err);
    return status == LORE_OK
               ? lore_db_collect(&results, &result_rows, a, &out->results, &out->n_results, err)
               : status;
}

enum lore_status
lore_db_get_advice(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_advice_row *out, struct lore_err *err)
{
    struct lore_advice_row row = {0};
    enum lore_status status = read_answer(db, id, a, &row, err);

    if (status == LORE_OK)
        status = read_parts(db, a, &row, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}
