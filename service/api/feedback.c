/* An answer is remembered as it is given; GET /api/v1/advice/{id} says what it was and what came of
 * it; POST /api/v1/advice/{id}/events says what somebody did with it. What an outcome is decides
 * db/feedback_link.c, what it counts for service/derive/feedback_sum.c. */
#include "service/api/api_feedback.h"

#include <math.h>
#include <string.h>

#include "db/feedback_version.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/derive/feedback_sum.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"
#include "service/ingest/served.h"

#define NOTE_MAX 2000
#define TECHNIQUE_MAX 200

/* ---- remembering ---- */

static void
add_items(const struct lore_req *req, struct lore_advised *out, size_t *cap, const char *list,
    const struct lore_advice *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct lore_advice *a = &rows[i];

        *LORE_PUSH(req->arena, out->items, out->n_items, *cap) =
            (struct lore_advised_item){.list = list,
                .rank = (int64_t)i + 1,
                .technique = a->technique,
                .p_win = {true, a->p_win.value},
                .low = {true, a->p_win.low},
                .high = {true, a->p_win.high},
                .gain = {true, exp(a->gain.value)}};
    }
}

/* What is proposed in two lists is remembered once. */
static void
add_version(const struct lore_req *req, struct lore_advised *out, size_t *cap,
    const struct lore_start_answer *s, struct lore_advised_version v)
{
    for (size_t i = 0; i < out->n_versions; i++)
        if (lore_streq(out->versions[i].version, v.version) &&
            (!v.from) == (!out->versions[i].from))
            return;
    v.chip = s->place.chip->name;
    v.workload = s->place.workload;
    *LORE_PUSH(req->arena, out->versions, out->n_versions, *cap) = v;
}

/* A version that was measured there already is no prediction. */
static void
add_start(const struct lore_req *req, struct lore_advised *out, size_t *cap,
    const struct lore_start_answer *s, const char *list, size_t at, const struct lore_start *v)
{
    if (!v->measured_here)
        add_version(req, out, cap, s,
            (struct lore_advised_version){.list = list,
                .rank = (int64_t)at + 1,
                .version = v->version,
                .value = v->fraction.value,
                .low = v->fraction.low,
                .high = v->fraction.high,
                .p_fail = v->p_fail});
}

static void
add_move(const struct lore_req *req, struct lore_advised *out, size_t *cap,
    const struct lore_start_answer *s, const char *list, size_t at, const char *from,
    const struct lore_start_move *m)
{
    add_version(req, out, cap, s,
        (struct lore_advised_version){.list = list,
            .rank = (int64_t)at + 1,
            .version = m->to_version,
            .from = from,
            .technique = m->technique,
            .value = m->p_win.value,
            .low = m->p_win.low,
            .high = m->p_win.high,
            .p_fail = m->p_fail});
}

static void
add_versions(
    const struct lore_req *req, struct lore_advised *out, const struct lore_start_answer *s)
{
    size_t cap = 0;

    for (size_t i = 0; i < s->n_start; i++)
        add_start(req, out, &cap, s, "start", i, &s->start[i].s);
    for (size_t i = 0; i < s->n_moves; i++)
        add_move(req, out, &cap, s, "moves", i, s->version->v.id, &s->moves[i].m);
    for (size_t i = 0; i < s->n_next; i++) {
        const struct lore_next *n = &s->next[i].n;
        if (n->start)
            add_start(req, out, &cap, s, "next", i, n->start);
        else
            add_move(req, out, &cap, s, "next", i, n->from, n->move);
    }
}

const char *
lore_feedback_served(const struct lore_req *req, const struct lore_question *q,
    const struct lore_answer *a, const struct lore_start_answer *start)
{
    struct lore_advised said = {.caller = req->actor,
        .op = q->op,
        .chip = !q->chip ? NULL : q->chip->name,
        .isa = !q->chip ? NULL : q->chip->isa,
        .language = q->language == LORE_LANG_NONE ? NULL : lore_language_name(q->language),
        .workload = q->workload,
        .version = !start->version ? NULL : start->version->v.id,
        .labels = lore_labels_text(req->arena, q->labels)};
    char id[LORE_ULID_SIZE];
    size_t cap = 0;

    if (!req->app->served || !req->actor || lore_arg_bool(req, "quiet", false))
        return NULL;
    add_items(req, &said, &cap, "advice", a->advice, a->n_advice);
    add_items(req, &said, &cap, "avoid", a->avoid, a->n_avoid);
    add_items(req, &said, &cap, "untried", a->untried, a->n_untried);
    add_versions(req, &said, start);
    if ((said.n_items == 0 && said.n_versions == 0) ||
        !lore_served_remember(req->app->served, &said, id))
        return NULL;
    return lore_strdup(req->arena, id);
}

/* ---- one answer ---- */

static void
write_question(struct lore_jsonw *w, const struct lore_advised *a)
{
    lore_w_key(w, "question");
    lore_w_obj(w);
    lore_w_kstr_opt(w, "operator", a->op);
    lore_w_kstr_opt(w, "chip", a->chip);
    lore_w_kstr_opt(w, "language", a->language);
    lore_w_kstr_opt(w, "workload", a->workload);
    lore_w_kstr_opt(w, "version", a->version);
    lore_present_labels(w, "bottleneck", lore_labels_parse(a->labels, NULL));
    lore_w_obj_end(w);
}

static bool
is_of(const struct lore_advice_result *r, const struct lore_advised_item *i)
{
    return r->rank == i->rank && strcmp(r->list, i->list) == 0;
}

/* What came of item I by now, as the statistics count it: the first that decides. */
static enum lore_came
came_of(const struct lore_advice_row *row, const struct lore_advised_item *i)
{
    enum lore_came came = LORE_CAME_OPEN;

    for (size_t k = 0; k < row->n_results; k++)
        if (is_of(&row->results[k], i) && came < LORE_CAME_NOT &&
            lore_advice_came(&row->results[k]) > came)
            came = lore_advice_came(&row->results[k]);
    return came;
}

/* The last thing that was said of item I; NULL: nothing. */
static const char *
said_of(const struct lore_advice_row *row, const struct lore_advised_item *i)
{
    const char *said = NULL;

    for (size_t k = 0; k < row->n_events; k++)
        if (!row->events[k].technique || strcmp(row->events[k].technique, i->technique) == 0)
            said = row->events[k].event;
    return said;
}

static void
write_outcome(struct lore_jsonw *w, const struct lore_advice_result *r)
{
    lore_w_obj(w);
    lore_w_kstr(w, "experiment", r->experiment);
    lore_w_kstr(w, "how", r->how);
    lore_w_kstr(w, "effect", lore_effect_name(r->effect));
    lore_present_f64(w, "speedup", r->speedup);
    lore_w_kstr(w, "came", lore_came_name(lore_advice_came(r)));
    lore_w_kbool(w, "hidden", r->hidden);
    lore_w_obj_end(w);
}

static void
write_item(
    struct lore_jsonw *w, const struct lore_advice_row *row, const struct lore_advised_item *i)
{
    lore_w_obj(w);
    lore_w_kstr(w, "list", i->list);
    lore_w_ki64(w, "rank", i->rank);
    lore_w_kstr(w, "technique", i->technique);
    lore_present_f64(w, "p_win", i->p_win);
    lore_present_f64(w, "gain", i->gain);
    lore_w_kstr_opt(w, "said", said_of(row, i));
    lore_w_kstr(w, "came", lore_came_name(came_of(row, i)));
    lore_w_key(w, "outcomes");
    lore_w_arr(w);
    for (size_t k = 0; k < row->n_results; k++) {
        const struct lore_advice_result *r = &row->results[k];

        if (is_of(r, i))
            write_outcome(w, r);
    }
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

/* What became of the version proposed: runs of one to start from, experiments of a change. */
static void
write_version(struct lore_jsonw *w, const struct lore_advised_version *v,
    const struct lore_version_outcomes *o)
{
    lore_w_obj(w);
    lore_w_kstr(w, "list", v->list);
    lore_w_ki64(w, "rank", v->rank);
    lore_w_kstr(w, "version", v->version);
    lore_w_kstr_opt(w, "from_version", v->from);
    lore_w_kstr_opt(w, "technique", v->technique);
    lore_w_kstr(w, "chip", v->chip);
    lore_w_kstr_opt(w, "workload", v->workload);
    lore_w_key(w, !v->from ? "fraction" : "p_win");
    lore_w_obj(w);
    lore_w_kf64(w, "value", v->value);
    lore_w_kf64(w, "low", v->low);
    lore_w_kf64(w, "high", v->high);
    lore_w_obj_end(w);
    lore_w_kf64(w, "p_fail", v->p_fail);
    lore_w_key(w, "outcomes");
    lore_w_arr(w);
    for (size_t i = 0; v->from == NULL && i < o->n_starts; i++) {
        const struct lore_start_result *r = &o->starts[i];
        if (r->rank != v->rank || !lore_streq(r->list, v->list))
            continue;
        lore_w_obj(w);
        lore_w_kstr(w, "run", r->run);
        if (r->time_ns > 0)
            lore_w_kf64(w, "time_ns", r->time_ns);
        lore_w_kbool(w, "failed", r->failed);
        lore_w_kbool(w, "hidden", r->hidden);
        lore_w_obj_end(w);
    }
    for (size_t i = 0; v->from != NULL && i < o->n_moves; i++)
        if (o->moves[i].rank == v->rank && lore_streq(o->moves[i].list, v->list))
            write_outcome(w, &o->moves[i]);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

static void
write_event(struct lore_jsonw *w, const struct lore_advice_event *e)
{
    lore_w_obj(w);
    lore_w_kstr(w, "event", e->event);
    lore_w_kstr_opt(w, "technique", e->technique);
    lore_w_kstr_opt(w, "note", e->note);
    lore_w_kstr(w, "actor", e->caller);
    lore_w_ktime(w, "at", e->at_us);
    lore_w_obj_end(w);
}

static enum lore_status
check_id(const struct lore_req *req, struct lore_err *err)
{
    return lore_ulid_valid(req->vars[0])
               ? LORE_OK
               : lore_fail_at(err, LORE_INVALID, "invalid_id", "id", "id: expected a ULID");
}

enum lore_status
lore_api_advice(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_advice_row row = {0};
    struct lore_version_outcomes tried = {0};
    struct lore_jsonw w;
    enum lore_status status = check_id(req, err);

    if (status == LORE_OK)
        status = lore_db_get_advice(req->db, req->vars[0], req->arena, &row, err);
    if (status == LORE_OK)
        status = lore_db_get_version_outcomes(req->db, row.seq, req->arena, &tried, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "id", row.a.id);
    lore_w_ktime(&w, "served_at", row.a.served_us);
    lore_w_ktime(&w, "until", row.a.until_us);
    lore_w_kstr(&w, "caller", row.a.caller);
    write_question(&w, &row.a);
    lore_w_key(&w, "items");
    lore_w_arr(&w);
    for (size_t i = 0; i < row.a.n_items; i++)
        write_item(&w, &row, &row.a.items[i]);
    lore_w_arr_end(&w);
    lore_w_key(&w, "versions");
    lore_w_arr(&w);
    for (size_t i = 0; i < row.a.n_versions; i++)
        write_version(&w, &row.a.versions[i], &tried);
    lore_w_arr_end(&w);
    lore_w_key(&w, "events");
    lore_w_arr(&w);
    for (size_t i = 0; i < row.n_events; i++)
        write_event(&w, &row.events[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* ---- what somebody did with it ---- */

struct saying {
    const char *advice;
    struct lore_advice_event event;
};

static enum lore_status
read_texts(const struct lore_json *body, struct lore_advice_event *e, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *m = body->child; m != NULL; m = m->next) {
        if (lore_choice("event|technique|note", m->key))
            continue;
        status =
            lore_fail_at(err, LORE_INVALID, "unknown_field", m->key, "%s: unknown field", m->key);
        lore_err_hint(err, "fields: event|technique|note");
        return status;
    }
    status = lore_json_text(body, "event", &e->event, err);
    if (status == LORE_OK)
        status = lore_json_text(body, "technique", &e->technique, err);
    return status == LORE_OK ? lore_json_text(body, "note", &e->note, err) : status;
}

static enum lore_status
check_texts(const struct lore_req *req, struct lore_advice_event *e, struct lore_err *err)
{
    if (!e->event || !lore_choice("opened|applied|dismissed", e->event))
        return lore_fail_at(err, LORE_INVALID, "invalid_choice", "event",
            "event: required: opened, applied or dismissed");
    if (e->technique && (*e->technique == '\0' || strlen(e->technique) > TECHNIQUE_MAX))
        return lore_fail_at(err, LORE_INVALID, "invalid_length", "technique",
            "technique: 1 to %d bytes", TECHNIQUE_MAX);
    if (!e->technique && !lore_streq(e->event, "opened"))
        return lore_fail_at(err, LORE_INVALID, "missing_field", "technique",
            "technique: required: which of it was %s", e->event);
    if (e->note && strlen(e->note) > NOTE_MAX)
        return lore_fail_at(
            err, LORE_INVALID, "too_long", "note", "note: longer than %d bytes", NOTE_MAX);
    if (e->technique)
        e->technique = lore_technique_slug(req->arena, e->technique);
    return LORE_OK;
}

static enum lore_status
say(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    struct saying *s = ctx;

    s->event.at_us = now_us;
    return lore_put_advice_event(db, s->advice, &s->event, err);
}

enum lore_status
lore_api_advice_event(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct saying s = {.advice = req->vars[0], .event = {.caller = req->actor}};
    struct lore_json *body = NULL;
    struct lore_jsonw w;
    enum lore_status status = check_id(req, err);

    if (status == LORE_OK)
        status = lore_edge_body(req, &body, err);
    if (status == LORE_OK)
        status = read_texts(body, &s.event, err);
    if (status == LORE_OK)
        status = check_texts(req, &s.event, err);
    if (status == LORE_OK)
        status = lore_ingest_write(req->app->ingest, say, &s, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "id", s.advice);
    lore_w_kstr(&w, "event", s.event.event);
    lore_w_kstr_opt(&w, "technique", s.event.technique);
    lore_w_ktime(&w, "at", s.event.at_us);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
