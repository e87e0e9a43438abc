/* Links an experiment to the advice whose outcome it is (docs/feedback.md). Each technique of an
 * experiment is linked to at most one item. In order of priority: the answer that the experiment
 * names; the newest answer with an "applied" reaction whose question fits the experiment; the
 * newest answer whose question fits. A question fits when it has the operator of the experiment and
 * names no other ISA, language or workload.
 *
 * Only answers and reactions that were stored before the experiment count, so that a rebuild makes
 * the same links. */
#include <string.h>

#include "db/feedback.h"
#include "db/internal.h"
#include "service/base/json.h"
#include "service/base/text.h"

/* An experiment that happened before the answer is no outcome of it. A date without a time means
 * midnight of that day, hence the tolerance of a day. */
#define DAY_US (INT64_C(86400) * 1000000)
#define CONTEXTS 8 /* each of ISA, language and workload: as given, or left open */

struct experiment {
    int64_t seq, received_us, happened_us /* INT64_MAX: unknown */;
    const char *op, *isa, *language, *workload, *named;
    bool imported;
};
struct item {
    int64_t advice, rank;
    const char *list, *how;
};

const char *
lore_advice_context(
    struct lore_arena *a, const char *isa, const char *language, const char *workload)
{
    return lore_format(a, "%s|%s|%s", isa != NULL ? isa : "", language != NULL ? language : "",
        workload != NULL ? workload : "");
}

/* The member `advice` of the experiment's `extra`; NULL when it holds no id. */
static enum lore_status
named_in(const char *rest, struct lore_arena *a, const char **out, struct lore_err *err)
{
    struct lore_json *root = NULL;
    const struct lore_json *v;
    enum lore_status status;

    if (!rest || !strstr(rest, "\"advice\""))
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), &lore_wire_limits, a, &root, err);
    v = status == LORE_OK ? lore_json_get(lore_json_get(root, "extra"), "advice") : NULL;
    if (v && v->type == LORE_J_STRING)
        *out = v->str;
    return status;
}

static enum lore_status
read_experiment(struct lore_db *db, int64_t seq, struct lore_arena *a, struct experiment *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT d.received_us, e.happened_us, k.operator, c.isa, k.language, e.workload,"
        " e.evidence, e.rest FROM fact_experiment e JOIN fact_document d ON d.seq = e.document"
        " JOIN fact_kernel k ON k.id = e.kernel LEFT JOIN cat_chip c ON c.name = e.chip"
        " WHERE e.seq = $1");
    const char *rest = NULL;
    enum lore_status status;

    lore_bind_i64(&q, 1, seq);
    *out = (struct experiment){.seq = seq};
    if (lore_row(&q)) {
        out->received_us = lore_col_i64(&q, 0);
        out->happened_us = lore_col_null(&q, 1) ? INT64_MAX : lore_col_i64(&q, 1);
        out->op = lore_col_text(&q, 2, a);
        out->isa = lore_col_text(&q, 3, a);
        out->language = lore_col_text(&q, 4, a);
        out->workload = lore_col_text(&q, 5, a);
        out->imported = lore_streq(lore_col_text(&q, 6, NULL), "imported");
        rest = lore_col_text(&q, 7, a);
    }
    status = lore_done(&q, err);
    return status == LORE_OK ? named_in(rest, a, &out->named, err) : status;
}

/* The techniques of experiment SEQ that any answer has listed. There are mostly none, and then the
 * linking ends here. DISTINCT would cost a temporary table per experiment; to link a technique
 * twice changes nothing. */
static enum lore_status
listed_techniques(struct lore_db *db, int64_t seq, struct lore_arena *a, struct lore_texts *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.technique FROM fact_experiment_technique t WHERE t.experiment = $1"
        " AND EXISTS (SELECT 1 FROM log_advice_item i WHERE i.technique = t.technique)");

    lore_bind_i64(&q, 1, seq);
    return lore_db_texts(&q, a, out, err);
}

/* Take Q's row if its answer is newer than *best. */
static enum lore_status
take(struct lore_stmt *q, const char *how, struct lore_arena *a, struct item *best,
    struct lore_err *err)
{
    if (lore_row(q) && lore_col_i64(q, 0) > best->advice)
        *best = (struct item){.advice = lore_col_i64(q, 0),
            .list = lore_col_text(q, 1, a),
            .rank = lore_col_i64(q, 2),
            .how = how};
    return lore_done(q, err);
}

static enum lore_status
find_named(struct lore_db *db, const struct experiment *x, const char *technique,
    struct lore_arena *a, struct item *best, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT i.advice, i.list, i.rank FROM log_advice v JOIN log_advice_item i"
                     " ON i.advice = v.seq WHERE v.id = $1 AND i.technique = $2 ORDER BY i.list, "
                     "i.rank LIMIT 1");

    lore_bind_text(&q, 1, x->named);
    lore_bind_text(&q, 2, technique);
    return take(&q, "named", a, best, err);
}

/* The conditions on an item that may have X as its outcome, in one context. bind_question binds
 * them as the first six parameters of both searches. */
struct question {
    const struct experiment *x;
    const char *technique, *context;
};

static void
bind_question(struct lore_stmt *q, const struct question *of)
{
    const struct experiment *x = of->x;

    lore_bind_text(q, 1, of->technique);
    lore_bind_text(q, 2, x->op);
    lore_bind_text(q, 3, of->context);
    lore_bind_i64(q, 4, x->seq);
    lore_bind_i64(q, 5, x->received_us);
    lore_bind_i64(q, 6, x->happened_us > INT64_MAX - DAY_US ? INT64_MAX : x->happened_us + DAY_US);
}

/* Find the newest such item in one context that was not dismissed. */
static enum lore_status
find_context(struct lore_db *db, const struct question *of, struct lore_arena *a, struct item *best,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT i.advice, i.list, i.rank FROM log_advice_item i JOIN log_advice v"
        " ON v.seq = i.advice WHERE i.technique = $1 AND i.operator = $2 AND i.context = $3"
        " AND v.after_experiment < $4 AND v.until_us >= $5 AND v.served_us <= $6"
        " AND NOT EXISTS (SELECT 1 FROM log_advice_event n WHERE n.advice = i.advice"
        " AND n.technique = i.technique AND n.event = 'dismissed' AND n.after_experiment < $4)"
        " ORDER BY i.advice DESC, i.list, i.rank LIMIT 1");

    bind_question(&q, of);
    return take(&q, "context", a, best, err);
}

/* Find the newest such item with an "applied" reaction that was not dismissed after it. */
static enum lore_status
find_applied(struct lore_db *db, const struct question *of, struct lore_arena *a, struct item *best,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT i.advice, i.list, i.rank FROM log_advice_event w JOIN log_advice_item i"
        " ON i.advice = w.advice AND i.technique = w.technique JOIN log_advice v"
        " ON v.seq = i.advice WHERE w.technique = $1 AND w.event = 'applied' AND i.operator = $2"
        " AND i.context = $3 AND w.after_experiment < $4 AND v.until_us >= $5 AND v.served_us <= $6"
        " AND NOT EXISTS (SELECT 1 FROM log_advice_event n WHERE n.advice = w.advice"
        " AND n.technique = w.technique AND n.event = 'dismissed' AND n.seq > w.seq"
        " AND n.after_experiment < $4) ORDER BY i.advice DESC, i.list, i.rank LIMIT 1");

    bind_question(&q, of);
    return take(&q, "applied", a, best, err);
}

/* Whether anybody ever applied TECHNIQUE. Mostly nobody did, which saves the search of every
 * context. */
static enum lore_status
was_applied(struct lore_db *db, const char *technique, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        db, "SELECT 1 FROM log_advice_event WHERE technique = $1 AND event = 'applied' LIMIT 1");

    lore_bind_text(&q, 1, technique);
    *out = lore_row(&q);
    return lore_done(&q, err);
}

/* Every context that X matches: with each of ISA, language and workload, or without. */
static size_t
contexts_of(const struct experiment *x, struct lore_arena *a, const char *out[CONTEXTS])
{
    size_t n = 0;

    for (int bits = 0; bits < CONTEXTS; bits++) {
        if (((bits & 1) && !x->isa) || ((bits & 2) && !x->language) || ((bits & 4) && !x->workload))
            continue;
        out[n++] = lore_advice_context(a, bits & 1 ? x->isa : NULL, bits & 2 ? x->language : NULL,
            bits & 4 ? x->workload : NULL);
    }
    return n;
}

typedef enum lore_status find_fn(struct lore_db *db, const struct question *of,
    struct lore_arena *a, struct item *best, struct lore_err *err);

static enum lore_status
find(struct lore_db *db, const struct experiment *x, const char *technique, struct lore_arena *a,
    struct item *best, struct lore_err *err)
{
    find_fn *const finds[] = {find_applied, find_context};
    const char *contexts[CONTEXTS];
    enum lore_status status = LORE_OK;
    bool applied = false;
    size_t n;

    if (x->named) {
        status = find_named(db, x, technique, a, best, err);
        if (status != LORE_OK || best->advice != 0)
            return status;
    }
    if (x->imported || !x->op)
        return LORE_OK;
    n = contexts_of(x, a, contexts);
    status = was_applied(db, technique, &applied, err);
    for (size_t k = applied ? 0 : 1; k < 2 && best->advice == 0; k++)
        for (size_t i = 0; i < n && status == LORE_OK; i++)
            status = finds[k](db, &(struct question){x, technique, contexts[i]}, a, best, err);
    return status;
}

static enum lore_status
put_link(struct lore_db *db, int64_t experiment, const char *technique, const struct item *to,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "INSERT INTO drv_advice_outcome (experiment, technique, advice, list,"
                     " rank, how) VALUES ($1, $2, $3, $4, $5, $6)"
                     " ON CONFLICT (experiment, technique) DO NOTHING");

    lore_bind_i64(&q, 1, experiment);
    lore_bind_text(&q, 2, technique);
    lore_bind_i64(&q, 3, to->advice);
    lore_bind_text(&q, 4, to->list);
    lore_bind_i64(&q, 5, to->rank);
    lore_bind_text(&q, 6, to->how);
    return lore_done(&q, err);
}

enum lore_status
lore_feedback_link(
    struct lore_db *db, int64_t experiment, struct lore_arena *a, struct lore_err *err)
{
    struct lore_texts techniques = {0};
    struct experiment x;
    enum lore_status status = listed_techniques(db, experiment, a, &techniques, err);

    if (status != LORE_OK || techniques.n == 0)
        return status;
    status = read_experiment(db, experiment, a, &x, err);
    for (size_t i = 0; status == LORE_OK && i < techniques.n; i++) {
        struct item best = {0};

        status = find(db, &x, techniques.v[i], a, &best, err);
        if (status == LORE_OK && best.advice != 0)
            status = put_link(db, experiment, techniques.v[i], &best, err);
    }
    return status;
}
