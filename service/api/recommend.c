/* GET /api/v1/recommend: techniques that worked for similar kernels on this chip and bottleneck.
 * The engine answers under one read lock, so from one state of the index. Titles, versions, runs
 * and lessons are read afterwards, from a database snapshot or the read cache (db/cache.c). They
 * are as new as the index or newer. */
#include "service/api/api_knowledge.h"

#include <math.h>
#include <string.h>

#include "db/query.h"
#include "service/api/api_feedback.h"
#include "service/api/chip_meant.h"
#include "service/api/diagnosis.h"
#include "service/api/history.h"
#include "service/api/lessons.h"
#include "service/api/params.h"
#include "service/api/recommend_start.h"
#include "service/api/recommend_write.h"
#include "service/api/transfer.h"
#include "service/api/tune.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"
#include "service/recommend/recommend.h"

enum {
    ADVICE_EXPLAINED = 10, /* techniques per list, unless `limit` says otherwise */
    WORKLOAD_ID = 32       /* digits */
};

static bool
is_hex(const char *s)
{
    return s[strspn(s, "0123456789abcdef")] == '\0';
}

enum lore_status
lore_recommend_workload(struct lore_req *req, const char *op, const char **out,
    struct lore_workload *workload, struct lore_err *err)
{
    const char *dims = lore_arg_text(req, "dims", NULL);
    struct lore_workload w = {.op = op, .set = true};
    char id[33];
    enum lore_status status;

    *out = lore_arg_text(req, "workload", NULL);
    if (*out && (strlen(*out) != WORKLOAD_ID || !is_hex(*out)))
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "workload",
            "workload: expected an id of 32 hexadecimal digits");
    if (!dims)
        return LORE_OK;
    if (*out)
        return lore_fail_at(
            err, LORE_INVALID, "either_or", "dims", "dims: give workload or dims, not both");
    if (!op)
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "operator", "operator: dims need an operator");
    status = lore_dims_parse(dims, req->arena, &w.dims, err);
    if (status != LORE_OK) {
        if (err && err->path[0] == '\0')
            memcpy(err->path, "dims", sizeof "dims");
        return status;
    }
    status = lore_params_dtype(req, &w.dtype, err);
    if (status != LORE_OK)
        return status;
    w.layout = lore_arg_text(req, "layout", NULL);
    lore_workload_id(lore_workload_text(req->arena, op, &w), id);
    *out = lore_strdup(req->arena, id);
    *workload = w;
    return LORE_OK;
}

/* Set the dims of the requested workload, as given or as stored. A workload that is not stored has
 * none. */
static enum lore_status
read_shape(struct lore_req *req, struct lore_question *q, const struct lore_workload *given,
    struct lore_err *err)
{
    struct lore_workload w = *given;
    struct lore_workload_row row = {0};
    struct lore_shape *shape;
    enum lore_status status;

    if (!q->workload)
        return LORE_OK;
    if (!w.set) {
        status = lore_db_get_workload(req->db, q->workload, req->arena, &row, err);
        if (status == LORE_NOTFOUND)
            return LORE_OK;
        if (status == LORE_OK)
            status = lore_workload_fill(&row, req->arena, &w, err);
        if (status != LORE_OK)
            return status;
        if (q->op && !lore_streq(q->op, row.op))
            return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "workload",
                "workload: belongs to operator %s, not to %s", row.op, q->op);
    }
    shape = lore_alloc(req->arena, sizeof *shape);
    shape->dims = lore_memdup(req->arena, &w.dims, sizeof w.dims);
    shape->dtype = w.dtype;
    shape->layout = w.layout;
    q->shape = shape;
    return LORE_OK;
}

/* Take missing parts of the question from a run: operator, language, chip, workload, bottleneck. */
static enum lore_status
from_run(struct lore_req *req, struct lore_question *q, struct lore_err *err)
{
    const char *id = lore_arg_text(req, "run", NULL);
    struct lore_run_row run = {0};
    enum lore_status status;

    if (!id)
        return LORE_OK;
    status = lore_db_get_run(req->db, id, req->arena, &run, err);
    if (status != LORE_OK)
        return status;
    if (!q->op)
        q->op = run.op;
    if (q->language == LORE_LANG_NONE && run.language)
        q->language = lore_language_find(run.language);
    if (!q->chip && run.r.chip)
        q->chip = lore_chip_find(run.r.chip);
    if (!q->workload && lore_streq(q->op, run.op))
        q->workload = run.workload.id;
    return q->labels != 0 ? LORE_OK
                          : lore_diagnosis_labels(req->db, &run, req->arena, &q->labels, err);
}

static enum lore_status
read_least(struct lore_req *req, double *out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "min_effective_n", NULL);
    struct lore_err ignored;

    if (!text)
        return LORE_OK;
    if (lore_parse_f64(text, "min_effective_n", out, &ignored) != LORE_OK || !isfinite(*out) ||
        *out < 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "min_effective_n",
            "min_effective_n: expected a number of 0 or more");
    return LORE_OK;
}

static enum lore_status
read_question(struct lore_req *req, const struct lore_recommend_defaults *d,
    struct lore_recommended *out, struct lore_err *err)
{
    struct lore_question *q = &out->question;
    struct lore_start_answer *start = &out->start;
    const struct lore_operator *known;
    struct lore_workload given = {0};
    enum lore_status status = lore_params_chip(req, &q->chip, err);

    if (status == LORE_OK)
        status = lore_params_language(req, &q->language, err);
    if (status == LORE_OK)
        status = lore_params_labels(req, &q->labels, err);
    if (status == LORE_OK)
        status = read_least(req, &q->min_effective_n, err);
    q->op = lore_params_operator(req);
    if (status == LORE_OK)
        q->chip = lore_chip_meant(req, q->op ? q->op : d->op, q->chip, &out->chip_note);
    if (status == LORE_OK)
        status = lore_start_read(req, lore_arg_text(req, "version", d->version), q, start, err);
    q->op = q->op ? q->op : d->op;
    q->chip = q->chip ? q->chip : d->chip;
    if (q->language == LORE_LANG_NONE)
        q->language = d->language;
    if (status == LORE_OK)
        status = lore_recommend_workload(req, q->op, &q->workload, &given, err);
    q->workload = q->workload ? q->workload : d->workload;
    if (status == LORE_OK)
        status = from_run(req, q, err);
    if (status == LORE_OK)
        status = read_shape(req, q, &given, err);
    if (status != LORE_OK)
        return status;
    start->asked_next |= d->next && q->op && q->chip;
    q->at_least = lore_params_evidence(req);
    q->family = lore_arg_text(req, "family", NULL);
    known = !q->op ? NULL : lore_operator_find(q->op);
    if (!q->family && known)
        q->family = known->family;
    q->brief = !d->whole;
    q->limit = (size_t)lore_arg_i64(req, "limit", (int64_t)d->limit);
    q->include_masked = lore_arg_bool(req, "with_masked", false);
    return LORE_OK;
}

/* Titles of the cited experiments, read in one go, in the order of writing: advice, avoid, similar.
 */
struct titles {
    const char **ids;
    struct lore_title *v;
    size_t n, cap;
};

static void
note_ids(struct titles *t, struct lore_arena *arena, const struct lore_cited *cited, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *LORE_PUSH(arena, t->ids, t->n, t->cap) = cited[i].experiment;
}

static enum lore_status
find_titles(
    struct lore_req *req, const struct lore_answer *a, struct titles *t, struct lore_err *err)
{
    for (size_t i = 0; i < a->n_advice; i++)
        note_ids(t, req->arena, a->advice[i].cited, a->advice[i].n_cited);
    for (size_t i = 0; i < a->n_avoid; i++)
        note_ids(t, req->arena, a->avoid[i].cited, a->avoid[i].n_cited);
    note_ids(t, req->arena, a->similar, a->n_similar);
    t->v = lore_alloc_array(req->arena, t->n + 1, sizeof *t->v);
    return lore_experiment_titles(req->db, t->ids, t->n, req->arena, t->v, err);
}

/* Compare the chips of the evidence with the requested chip. */
static enum lore_status
find_transfers(struct lore_req *req, const struct lore_question *q, const struct lore_answer *a,
    struct lore_transfers *t, struct lore_err *err)
{
    struct lore_workload_row workload = {0};
    struct lore_err ignored;
    const char *dtype = lore_arg_text(req, "dtype", NULL);
    enum lore_status status;

    if (!dtype && q->workload &&
        lore_db_get_workload(req->db, q->workload, req->arena, &workload, &ignored) == LORE_OK)
        dtype = workload.dtype;
    status = lore_transfers_begin(req->db, q->chip, dtype, req->arena, t, err);
    for (size_t i = 0; i < a->n_advice; i++)
        for (size_t k = 0; k < a->advice[i].n_cited && status == LORE_OK; k++)
            status = lore_transfers_add(req->db, a->advice[i].cited[k].chip, t, err);
    for (size_t i = 0; i < a->n_avoid; i++)
        for (size_t k = 0; k < a->avoid[i].n_cited && status == LORE_OK; k++)
            status = lore_transfers_add(req->db, a->avoid[i].cited[k].chip, t, err);
    return status;
}

/* Answer from the index. Its records may be newer than the current snapshot, so start a new
 * snapshot afterwards. */
static enum lore_status
ask_index(struct lore_req *req, struct lore_recommended *x, struct lore_err *err)
{
    enum lore_status status;

    lore_start_query_index(req, &x->question, &x->start);
    status = lore_start_stand(req, &x->question, &x->start, err);
    if (status == LORE_OK)
        status = lore_tune_read_session(req, &x->question, &x->start, err);
    if (status != LORE_OK)
        return status;
    {
        LORE_INDEXES_VIEW indexes = req->app->indexes;

        const struct lore_evidence_index *evidence = lore_indexes_evidence(indexes);
        lore_recommend(evidence, &x->question, req->arena, &x->answer);
        x->nothing = lore_evidence_count(evidence) == 0;
    }
    lore_db_snapshot_end(req->db);
    return lore_db_snapshot(req->db, err);
}

/* No experiment names a technique: say what there is instead. */
static enum lore_status
say_holdings(struct lore_req *req, struct lore_answer *a, struct lore_err *err)
{
    struct lore_holdings has = {0};
    const char *what = "";
    enum lore_status status = lore_db_get_holdings(req->db, &has, err);
    const struct {
        bool there;
        const char *name;
    } kinds[] = {{has.experiments, "experiments"}, {has.runs, "runs"}, {has.sweeps, "sweeps"}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].there)
            what = lore_format(req->arena, "%s%s%s", what, *what ? " and " : "", kinds[i].name);
    a->summary = *what ? lore_format(req->arena,
                             "The memory holds %s, but no experiment that names a technique.", what)
                       : "The memory holds no experiments yet.";
    return status;
}

enum lore_status
lore_recommend_ask(struct lore_req *req, const struct lore_recommend_defaults *d,
    struct lore_recommended *out, struct lore_err *err)
{
    struct lore_question *q = &out->question;
    struct lore_err ignored;
    enum lore_status status = read_question(req, d, out, err);

    if (status == LORE_OK)
        status = lore_start_check(q, &out->start, err);
    if (status == LORE_OK)
        status = ask_index(req, out, err);
    if (status == LORE_OK && out->nothing)
        status = say_holdings(req, &out->answer, err);
    if (status == LORE_OK)
        status = lore_start_read_rows(req, q, &out->answer, &out->start, err);
    if (status == LORE_OK)
        status = lore_tune_find(req, q, &out->answer, &out->start, err);
    if (status == LORE_OK)
        status = lore_lessons_find(req->db, q, &out->answer, req->arena, &out->lessons, err);
    if (status != LORE_OK)
        return status;
    lore_recommend_stop(req, out);
    if (q->workload && /* else nothing was measured on it */
        lore_db_get_workload(req->db, q->workload, req->arena, &out->workload, &ignored) != LORE_OK)
        out->workload = (struct lore_workload_row){.id = q->workload};
    return LORE_OK;
}

/* ETag of an answer: a hash of its bytes. */
static const char *
tag_of(struct lore_arena *arena, const struct lore_buf *body)
{
    char tag[LORE_HASH_TAG];

    lore_hash_tag(body->data, body->len, tag);
    return lore_strdup(arena, tag);
}

/* The whole answer. */
static enum lore_status
explain(
    struct lore_req *req, struct lore_resp *resp, struct lore_recommended *x, struct lore_err *err)
{
    struct titles titles = {0};
    struct lore_transfers transfers = {0};
    enum lore_status status = find_titles(req, &x->answer, &titles, err);

    if (status == LORE_OK)
        status = find_transfers(req, &x->question, &x->answer, &transfers, err);
    if (status != LORE_OK)
        return status;
    x->advice_id = lore_feedback_store(req, &x->question, &x->answer, &x->start);
    x->titles = titles.v;
    x->transfers = &transfers;
    return lore_recommended_reply(req, resp, x, err);
}

/* A kernel gives its operator and language, and its best version to improve. */
static enum lore_status
from_kernel(struct lore_req *req, struct lore_recommend_defaults *d, struct lore_err *err)
{
    const char *id = lore_arg_text(req, "kernel", NULL);
    struct lore_history *h = lore_alloc(req->arena, sizeof *h);
    struct lore_history_filter at = {0};
    struct lore_kernel_row kernel = {0};
    enum lore_status status;

    if (!id)
        return LORE_OK;
    status = lore_db_get_kernel(req->db, id, req->arena, &kernel, err);
    if (status == LORE_OK)
        status = lore_history_read_filter(req, &at, err);
    if (status == LORE_OK)
        status = lore_history_load(req->db, id, &at, req->arena, h, err);
    if (status != LORE_OK)
        return status;
    d->op = kernel.k.op;
    d->language = kernel.k.language;
    d->version = lore_history_champion(h) ? lore_history_champion(h)->version->v.id : NULL;
    return LORE_OK;
}

enum lore_status
lore_api_recommend(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    bool explained = lore_arg_bool(req, "explain", false);
    struct lore_recommended x = {0};
    struct lore_recommend_defaults d = {
        .limit = explained ? ADVICE_EXPLAINED : LORE_ADVICE_SHORT, .whole = explained};
    enum lore_status status;

    if (lore_streq(lore_arg_text(req, "method", NULL), "seed-score"))
        return lore_api_recommend_seed(req, resp, err);
    status = from_kernel(req, &d, err);
    if (status == LORE_OK)
        status = lore_recommend_ask(req, &d, &x, err);
    if (status == LORE_OK && x.chip_note && x.answer.summary)
        x.answer.summary = lore_format(req->arena, "%s %s", x.chip_note, x.answer.summary);
    if (status == LORE_OK)
        status =
            explained ? explain(req, resp, &x, err) : lore_recommended_short(req, resp, &x, err);
    if (status == LORE_OK)
        resp->etag = tag_of(req->arena, &resp->body);
    return status;
}
