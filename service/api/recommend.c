/* GET /api/v1/recommend: what worked for similar kernels on this chip and bottleneck. The engine
 * answers from RAM in one turn, so of one state of the memory; titles, versions, runs and lessons
 * are looked up after it, in a snapshot of the database or among what readers have kept
 * (db/seen.c): each is of a state as new or newer. */
#include "service/api/api_knowledge.h"

#include <math.h>
#include <string.h>

#include "service/api/api_feedback.h"
#include "service/api/diagnosis.h"
#include "service/api/edge.h"
#include "service/api/lessons.h"
#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/api/present_explain.h"
#include "service/api/recommend_start.h"
#include "service/api/transfer.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/memory.h"
#include "service/recommend/recommend.h"

#define ADVICE_DEFAULT 10
#define WORKLOAD_ID 32 /* digits */

static bool
is_hex(const char *s)
{
    return s[strspn(s, "0123456789abcdef")] == '\0';
}

/* The workload meant: by id, or by operator and dims. */
static enum lore_status
read_workload(struct lore_req *req, const char *op, const char **out,
    struct lore_workload *workload, struct lore_err *err)
{
    const char *dims = lore_arg_text(req, "dims", NULL);
    struct lore_workload w = {.op = op, .set = true};
    char id[33];
    enum lore_status status;

    *out = lore_arg_text(req, "workload", NULL);
    if (*out != NULL && (strlen(*out) != WORKLOAD_ID || !is_hex(*out)))
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "workload",
            "workload: expected an id of 32 hexadecimal digits");
    if (dims == NULL)
        return LORE_OK;
    if (*out != NULL)
        return lore_fail_at(
            err, LORE_INVALID, "either_or", "dims", "dims: give workload or dims, not both");
    if (op == NULL)
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "operator", "operator: dims need an operator");
    status = lore_dims_parse(dims, req->arena, &w.dims, err);
    if (status != LORE_OK) {
        if (err != NULL && err->path[0] == '\0')
            memcpy(err->path, "dims", sizeof "dims");
        return status;
    }
    w.dtype = lore_arg_text(req, "dtype", NULL);
    w.layout = lore_arg_text(req, "layout", NULL);
    lore_workload_id(lore_workload_text(req->arena, op, &w), id);
    *out = lore_strdup(req->arena, id);
    *workload = w;
    return LORE_OK;
}

/* The dims of the workload meant, as given or as stored; a workload that nobody stored has none. */
static enum lore_status
read_shape(struct lore_req *req, struct lore_question *q, const struct lore_workload *given,
    struct lore_err *err)
{
    struct lore_workload w = *given;
    struct lore_workload_row row = {0};
    struct lore_shape *shape;
    enum lore_status status;

    if (q->workload == NULL)
        return LORE_OK;
    if (!w.set) {
        status = lore_get_workload(req->db, q->workload, req->arena, &row, err);
        if (status == LORE_NOTFOUND)
            return LORE_OK;
        if (status == LORE_OK)
            status = lore_workload_fill(&row, req->arena, &w, err);
        if (status != LORE_OK)
            return status;
        if (q->op != NULL && !lore_streq(q->op, row.op))
            return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "workload",
                "workload: it is one of %s, and the question is about %s", row.op, q->op);
    }
    shape = lore_alloc(req->arena, sizeof *shape);
    shape->dims = lore_memdup(req->arena, &w.dims, sizeof w.dims);
    shape->dtype = w.dtype;
    shape->layout = w.layout;
    q->shape = shape;
    return LORE_OK;
}

/* What a run says where the question says nothing: operator, language, chip, workload, and what
 * limits it. */
static enum lore_status
from_run(struct lore_req *req, struct lore_question *q, struct lore_err *err)
{
    const char *id = lore_arg_text(req, "run", NULL);
    struct lore_run_row run = {0};
    enum lore_status status;

    if (id == NULL)
        return LORE_OK;
    status = lore_get_run(req->db, id, req->arena, &run, err);
    if (status != LORE_OK)
        return status;
    if (q->op == NULL)
        q->op = run.op;
    if (q->language == LORE_LANG_NONE && run.language != NULL)
        q->language = lore_language_find(run.language);
    if (q->chip == NULL && run.r.chip != NULL)
        q->chip = lore_chip_find(run.r.chip);
    if (q->workload == NULL && lore_streq(q->op, run.op))
        q->workload = run.workload.id;
    return q->labels != 0 ? LORE_OK
                          : lore_diagnosis_labels(req->db, &run, req->arena, &q->labels, err);
}

static enum lore_status
read_least(struct lore_req *req, double *out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "min_effective_n", NULL);
    struct lore_err ignored;

    if (text == NULL)
        return LORE_OK;
    if (lore_parse_f64(text, "min_effective_n", out, &ignored) != LORE_OK || !isfinite(*out) ||
        *out < 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "min_effective_n",
            "min_effective_n: expected a number of 0 or more");
    return LORE_OK;
}

static enum lore_status
read_question(struct lore_req *req, struct lore_question *q, struct lore_start_answer *start,
    struct lore_err *err)
{
    const struct lore_operator *known;
    struct lore_workload given = {0};
    enum lore_status status = lore_edge_chip(req, &q->chip, err);

    if (status == LORE_OK)
        status = lore_edge_language(req, &q->language, err);
    if (status == LORE_OK)
        status = lore_edge_labels(req, &q->labels, err);
    if (status == LORE_OK)
        status = read_least(req, &q->min_effective_n, err);
    q->op = lore_edge_operator(req);
    if (status == LORE_OK)
        status = lore_start_read(req, q, start, err);
    if (status == LORE_OK)
        status = read_workload(req, q->op, &q->workload, &given, err);
    if (status == LORE_OK)
        status = from_run(req, q, err);
    if (status == LORE_OK)
        status = read_shape(req, q, &given, err);
    if (status != LORE_OK)
        return status;
    q->at_least = lore_edge_evidence(req);
    q->family = lore_arg_text(req, "family", NULL);
    known = q->op == NULL ? NULL : lore_operator_find(q->op);
    if (q->family == NULL && known != NULL)
        q->family = known->family;
    q->limit = (size_t)lore_arg_i64(req, "limit", ADVICE_DEFAULT);
    q->include_masked = lore_arg_bool(req, "masked", false);
    return LORE_OK;
}

static void
write_question(
    struct lore_jsonw *w, const struct lore_question *q, const struct lore_workload_row *workload)
{
    lore_w_key(w, "question");
    lore_w_obj(w);
    lore_w_kstr_opt(w, "operator", q->op);
    lore_w_kstr_opt(w, "family", q->family);
    if (q->language != LORE_LANG_NONE)
        lore_w_kstr(w, "language", lore_language_name(q->language));
    lore_w_key(w, "chip");
    if (q->chip == NULL) {
        lore_w_null(w);
    } else {
        lore_w_obj(w);
        lore_w_kstr(w, "name", q->chip->name);
        lore_w_kstr(w, "arch", q->chip->arch);
        lore_w_kstr(w, "vendor", q->chip->vendor);
        lore_w_kstr(w, "isa", q->chip->isa);
        lore_w_obj_end(w);
    }
    lore_present_labels(w, "bottleneck", q->labels);
    if (q->at_least != LORE_EV_NONE)
        lore_w_kstr(w, "evidence", lore_evidence_name(q->at_least));
    if (q->min_effective_n > 0)
        lore_w_kf64(w, "min_effective_n", q->min_effective_n);
    lore_w_key(w, "workload");
    if (q->workload == NULL) {
        lore_w_null(w);
    } else if (workload->id != NULL) {
        lore_w_object(w, &lore_workload_object, workload);
    } else { /* nothing was ever measured on it */
        lore_w_obj(w);
        lore_w_kstr(w, "id", q->workload);
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
}

static void
write_interval(struct lore_jsonw *w, const char *key, double value, double low, double high)
{
    lore_w_key(w, key);
    lore_w_obj(w);
    lore_w_kf64(w, "value", value);
    lore_w_kf64(w, "low", low);
    lore_w_kf64(w, "high", high);
    lore_w_obj_end(w);
}

/* Titles of the cited experiments, read in one go and used up in the order of writing: advice,
 * avoid, similar. */
struct titles {
    const char **ids, **v;
    size_t n, cap, next;
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

static void
write_cited(struct lore_jsonw *w, struct titles *titles, const struct lore_cited *c)
{
    lore_w_obj(w);
    lore_w_kstr(w, "experiment", c->experiment);
    lore_w_kstr_opt(w, "operator", c->op);
    if (c->language != LORE_LANG_NONE)
        lore_w_kstr(w, "language", lore_language_name(c->language));
    lore_w_kstr_opt(w, "chip", c->chip);
    lore_w_kstr(w, "effect", lore_effect_name(c->effect));
    lore_w_kstr(w, "correctness",
        lore_check_name(c->correctness == LORE_C_NONE ? LORE_C_NOT_CHECKED : c->correctness));
    lore_w_kstr(w, "process", c->process_broken ? "broken" : "clean");
    if (c->evidence != LORE_EV_NONE)
        lore_w_kstr(w, "evidence", lore_evidence_name(c->evidence));
    if (c->speedup != 0)
        lore_w_kf64(w, "speedup", c->speedup);
    lore_present_labels(w, "labels", c->labels);
    if (c->labels_derived && c->labels != 0)
        lore_present_labels(w, "derived_labels", c->labels);
    lore_w_kstr(w, "travel", lore_travel_name(c->travel));
    lore_w_kf64(w, "weight", c->weight);
    if (c->alike > 0)
        lore_w_kf64(w, "alike", c->alike);
    if (c->years_older > 0)
        lore_w_ki64(w, "years_older", c->years_older);
    if (c->share != LORE_SHARE_OPEN)
        lore_w_kstr(w, "share", c->share == LORE_SHARE_INERT ? "inert" : "absent");
    lore_w_kstr_opt(w, "title", titles->v[titles->next++]);
    lore_w_obj_end(w);
}

static void
write_counts(struct lore_jsonw *w, const struct lore_advice *a)
{
    lore_w_ki64(w, "tried", (int64_t)a->tried);
    lore_w_ki64(w, "won", (int64_t)a->won);
    lore_w_ki64(w, "neutral", (int64_t)a->neutral);
    lore_w_ki64(w, "lost", (int64_t)a->lost);
    lore_w_ki64(w, "inconclusive", (int64_t)a->inconclusive);
    lore_w_ki64(w, "not_measured", (int64_t)a->not_measured);
    lore_w_ki64(w, "said_lost", (int64_t)a->said_lost);
    lore_w_ki64(w, "tried_here", (int64_t)a->tried_here);
    lore_w_ki64(w, "won_here", (int64_t)a->won_here);
    lore_w_ki64(w, "lost_here", (int64_t)a->lost_here);
    lore_w_kf64(w, "effective_n", a->effective_n);
    lore_w_key(w, "travel");
    lore_w_obj(w);
    lore_w_kstr(w, "nearest", lore_travel_name(a->nearest));
    lore_w_key(w, "counts");
    lore_w_obj(w);
    for (int t = 0; t < LORE_T_COUNT; t++) {
        if (a->by_travel[t] > 0)
            lore_w_ki64(w, lore_travel_name(t), (int64_t)a->by_travel[t]);
    }
    lore_w_obj_end(w);
    lore_w_obj_end(w);
    lore_w_kbool(w, "same_operator", a->same_operator);
    lore_w_kbool(w, "same_family", a->same_family);
    lore_w_kbool(w, "contested", a->contested);
    lore_w_ki64(w, "process_faults", (int64_t)a->process_faults);
    lore_w_ki64(w, "incorrect", (int64_t)a->incorrect);
    lore_w_ki64(w, "inert", (int64_t)a->inert);
    lore_w_ki64(w, "absent", (int64_t)a->absent);
    lore_w_ki64(w, "workloads", (int64_t)a->workloads);
    lore_w_ki64(w, "alike", (int64_t)a->alike);
    if (a->sampled)
        lore_w_kbool(w, "sampled", true);
    lore_w_key(w, "worst");
    if (a->worst_in == NULL) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kf64(w, "speedup", a->worst);
    lore_w_kstr(w, "experiment", a->worst_in);
    lore_w_obj_end(w);
}

/* Advice, avoid and untried share a shape; what nobody tried has no counts and no evidence. */
static void
write_advice(struct lore_jsonw *w, struct titles *titles, const struct lore_advice *a,
    const struct lore_repeat *repeats, bool tried)
{
    const struct lore_technique *t = a->known;

    lore_w_obj(w);
    lore_w_kstr(w, "technique", a->technique);
    lore_w_kstr(w, "title", t == NULL ? a->technique : t->title);
    write_interval(w, "p_win", a->p_win.value, a->p_win.low, a->p_win.high);
    write_interval(w, "gain", exp(a->gain.value), exp(a->gain.low), exp(a->gain.high));
    if (tried)
        write_counts(w, a);
    if (t != NULL) {
        lore_w_kstr_opt(w, "axis", t->axis);
        lore_w_kstr_opt(w, "layer", t->layer);
        lore_w_kstr_opt(w, "summary", t->summary);
    }
    if (!tried)
        lore_present_labels(w, "triggers", t == NULL ? 0 : t->triggers);
    lore_w_kstr_opt(w, "why", a->why);
    lore_start_write_repeat(w, repeats);
    lore_present_steps(w, a);
    if (tried) {
        lore_w_key(w, "evidence");
        lore_w_arr(w);
        for (size_t i = 0; i < a->n_cited; i++)
            write_cited(w, titles, &a->cited[i]);
        lore_w_arr_end(w);
    }
    lore_w_obj_end(w);
}

static void
write_list(struct lore_jsonw *w, const char *key, struct titles *titles,
    const struct lore_advice *list, size_t n, const struct lore_repeat *const *repeats, bool tried)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        write_advice(w, titles, &list[i], repeats != NULL ? repeats[i] : NULL, tried);
    lore_w_arr_end(w);
}

static void
write_knowledge(
    struct lore_jsonw *w, const struct lore_answer *a, const struct lore_start_answer *start)
{
    lore_w_kstr(w, "summary", a->summary);
    lore_w_kbool(w, "empty", a->empty);
    lore_w_key(w, "knowledge");
    lore_w_obj(w);
    lore_w_ki64(w, "considered", (int64_t)a->considered);
    lore_w_ki64(w, "matched", (int64_t)a->matched);
    lore_w_ki64(w, "on_operator", (int64_t)a->on_operator);
    lore_w_ki64(w, "on_chip", (int64_t)a->on_chip);
    lore_w_kf64(w, "base_rate", a->base_rate);
    lore_start_write_level(w, start);
    lore_w_obj_end(w);
}

/* What the chips of the evidence can do beside the chip asked for. */
static enum lore_status
find_transfers(struct lore_req *req, const struct lore_question *q, const struct lore_answer *a,
    struct lore_transfers *t, struct lore_err *err)
{
    struct lore_workload_row workload = {0};
    struct lore_err ignored;
    const char *dtype = lore_arg_text(req, "dtype", NULL);
    enum lore_status status;

    if (dtype == NULL && q->workload != NULL &&
        lore_get_workload(req->db, q->workload, req->arena, &workload, &ignored) == LORE_OK)
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

/* All that RAM says. What it names may have been stored since the question was read, so what
 * follows is read in a snapshot of its own. */
static enum lore_status
ask_memory(struct lore_req *req, const struct lore_question *q, struct lore_answer *a,
    struct lore_start_answer *start, struct lore_err *err)
{
    struct lore_memory *memory = req->app->memory;

    lore_recommend(lore_memory_evidence(memory), q, req->arena, a);
    lore_start_ask(req, q, start);
    lore_memory_done(memory);
    lore_db_snapshot_end(req->db);
    return lore_db_snapshot(req->db, err);
}

/* An answer is no resource that anybody keeps across a restart. */
static const char *
tag_of(struct lore_arena *arena, const struct lore_buf *body)
{
    char tag[LORE_HASH_TAG];

    lore_hash_tag(body->data, body->len, tag);
    return lore_strdup(arena, tag);
}

enum lore_status
lore_api_recommend(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_question q = {0};
    struct lore_answer a = {0};
    struct lore_workload_row workload = {0};
    struct lore_lessons lessons = {0};
    struct titles titles = {0};
    struct lore_transfers transfers = {0};
    struct lore_start_answer start = {0};
    struct lore_err ignored;
    struct lore_jsonw w;
    enum lore_status status;

    if (lore_streq(lore_arg_text(req, "method", NULL), "seed-score"))
        return lore_api_recommend_seed(req, resp, err);
    status = read_question(req, &q, &start, err);
    if (status == LORE_OK)
        status = lore_start_check(&q, &start, err);
    if (status == LORE_OK)
        status = ask_memory(req, &q, &a, &start, err);
    if (status == LORE_OK)
        status = lore_start_find(req, &q, &a, &start, err);
    if (status == LORE_OK)
        status = find_titles(req, &a, &titles, err);
    if (status == LORE_OK)
        status = lore_lessons_find(req->db, &q, &a, req->arena, &lessons, err);
    if (status == LORE_OK)
        status = find_transfers(req, &q, &a, &transfers, err);
    if (status != LORE_OK)
        return status;
    if (q.workload != NULL &&
        lore_get_workload(req->db, q.workload, req->arena, &workload, &ignored) != LORE_OK)
        workload = (struct lore_workload_row){0};
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr_opt(&w, "advice_id", lore_feedback_served(req, &q, &a, &start));
    write_question(&w, &q, &workload);
    write_knowledge(&w, &a, &start);
    lore_start_write(&w, &start);
    write_list(&w, "advice", &titles, a.advice, a.n_advice, start.repeats, true);
    write_list(&w, "avoid", &titles, a.avoid, a.n_avoid, NULL, true);
    write_list(&w, "untried", &titles, a.untried, a.n_untried, NULL, false);
    lore_present_telling(&w, &a.telling);
    lore_w_key(&w, "similar");
    lore_w_arr(&w);
    for (size_t i = 0; i < a.n_similar; i++)
        write_cited(&w, &titles, &a.similar[i]);
    lore_w_arr_end(&w);
    lore_present_transfers(&w, &transfers);
    lore_lessons_write(&w, &lessons);
    lore_present_model(&w);
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        resp->etag = tag_of(req->arena, &resp->body);
    return status;
}
