/* Served answers are stored. GET /api/v1/advice/{id} shows one with its outcomes; POST
 * /api/v1/advice/{id}/events records a reaction to it. db/feedback_link.c decides which experiments
 * are outcomes, service/derive/feedback_sum.c what they count for. */
#include "service/api/api_feedback.h"

#include <math.h>
#include <string.h>

#include "db/feedback_version.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/api/present.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/derive/feedback_sum.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"
#include "service/ingest/served.h"

#define NOTE_MAX 2000
#define TECHNIQUE_MAX 200
#define EVENTS "opened|applied|dismissed"

/* ---- storing an answer ---- */

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

/* State while the versions of an answer are collected. */
struct proposing {
    const struct lore_req *req;
    const struct lore_start_answer *s;
    struct lore_advised *out;
    size_t cap;
};

/* A version in two lists is stored once. A configuration that no version has is not stored. */
static void
add_version(struct proposing *p, struct lore_advised_version v)
{
    struct lore_advised *out = p->out;

    if (!v.version || (v.technique && !v.from))
        return;
    for (size_t i = 0; i < out->n_versions; i++)
        if (lore_streq(out->versions[i].version, v.version) &&
            (!v.from) == (!out->versions[i].from))
            return;
    v.chip = p->s->place.chip->name;
    v.workload = p->s->place.workload;
    *LORE_PUSH(p->req->arena, out->versions, out->n_versions, p->cap) = v;
}

/* A version that was measured on this chip and workload is no forecast and is not stored. */
static void
add_start(struct proposing *p, const char *list, size_t at, const struct lore_start *v)
{
    if (!v->measured_here)
        add_version(p, (struct lore_advised_version){.list = list,
                           .rank = (int64_t)at + 1,
                           .version = v->version,
                           .value = v->fraction.value,
                           .low = v->fraction.low,
                           .high = v->fraction.high,
                           .p_fail = v->p_fail});
}

static void
add_move(struct proposing *p, const char *list, size_t at, const char *from,
    const struct lore_start_move *m)
{
    add_version(p, (struct lore_advised_version){.list = list,
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
    struct proposing p = {.req = req, .s = s, .out = out};

    for (size_t i = 0; i < s->n_start; i++)
        add_start(&p, "start", i, &s->start[i].s);
    for (size_t i = 0; i < s->n_moves; i++)
        add_move(&p, "moves", i, s->version->v.id, &s->moves[i].m);
    for (size_t i = 0; i < s->n_next; i++) {
        const struct lore_next *n = &s->next[i].n;
        if (n->start)
            add_start(&p, "next", i, n->start);
        else
            add_move(&p, "next", i, n->from, n->move);
    }
}

const char *
lore_feedback_store(const struct lore_req *req, const struct lore_question *q,
    const struct lore_answer *a, const struct lore_start_answer *start)
{
    struct lore_advised served = {.caller = req->actor,
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
    add_items(req, &served, &cap, "advice", a->advice, a->n_advice);
    add_items(req, &served, &cap, "avoid", a->avoid, a->n_avoid);
    add_items(req, &served, &cap, "untried", a->untried, a->n_untried);
    add_versions(req, &served, start);
    if ((served.n_items == 0 && served.n_versions == 0) ||
        !lore_served_remember(req->app->served, &served, id))
        return NULL;
    return lore_strdup(req->arena, id);
}

/* ---- one answer ---- */

static void
write_bottleneck(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_advised *a = row;

    lore_present_labels(w, key, lore_labels_parse(a->labels, NULL));
}

#define ROW struct lore_advised
static const struct lore_object_member question[] = {
    {"operator", AT(op)},
    {"chip", AT(chip)},
    {"language", AT(language)},
    {"workload", AT(workload)},
    {"version", AT(version), "ulid"},
    {"!bottleneck", WRITTEN(write_bottleneck), "[text"},
};
static const struct lore_object question_object = LORE_OBJECT("ServedQuestion", question);
#undef ROW

static bool
is_of(const struct lore_advice_result *r, const struct lore_advised_item *i)
{
    return r->rank == i->rank && strcmp(r->list, i->list) == 0;
}

/* Outcome of item I so far, as the statistics count it: the first decisive experiment. */
static enum lore_item_outcome
came_of(const struct lore_advice_row *row, const struct lore_advised_item *i)
{
    enum lore_item_outcome came = LORE_ITEM_OPEN;

    for (size_t k = 0; k < row->n_results; k++)
        if (is_of(&row->results[k], i) && came < LORE_ITEM_NOT &&
            lore_advice_outcome(&row->results[k]) > came)
            came = lore_advice_outcome(&row->results[k]);
    return came;
}

/* The last reaction to item I; NULL: none. */
static const char *
last_reaction(const struct lore_advice_row *row, const struct lore_advised_item *i)
{
    const char *said = NULL;

    for (size_t k = 0; k < row->n_events; k++)
        if (!row->events[k].technique || strcmp(row->events[k].technique, i->technique) == 0)
            said = row->events[k].event;
    return said;
}

static void
write_came(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, lore_item_outcome_name(lore_advice_outcome(row)));
}

#define CAME "open|inconclusive|did_not|worked"
#define ROW struct lore_advice_result
static const struct lore_object_member tried[] = {
    {"!experiment", AT(experiment), "ulid"},
    {"!how", AT(how), "named|applied|context"},
    {"!effect", NAMED(effect, lore_effect_name)},
    {"speedup", AT(speedup)},
    {"!came", WRITTEN(write_came), CAME},
};
static const struct lore_object tried_object = LORE_OBJECT("", tried);
static const struct lore_object_member outcome[] = {
    {"", MEMBERS_HERE(tried_object)},
    {"!hidden", AT(hidden)},
};
static const struct lore_object outcome_object = LORE_OBJECT("ServedOutcome", outcome);
#undef ROW

struct item {
    struct lore_advised_item i;
    const char *said;
    enum lore_item_outcome came;
    struct lore_advice_result *outcomes;
    size_t n_outcomes;
};
#define ROW struct item
static const struct lore_object_member item_table[] = {
    {"!list", AT(i.list)},
    {"!rank", AT(i.rank)},
    {"!technique", AT(i.technique)},
    {"p_win", AT(i.p_win)},
    {"gain", AT(i.gain), NULL, "expected speedup"},
    {"said", AT(said), EVENTS, "the last reaction"},
    {"!came", NAMED(came, lore_item_outcome_name), CAME},
    {"!outcomes", LIST(outcomes, n_outcomes, outcome_object)},
};
static const struct lore_object item_object = LORE_OBJECT("ServedItem", item_table);
#undef ROW

#define ROW struct lore_start_result
static const struct lore_object_member ran[] = {
    {"!run", AT(run), "ulid"},
    {"time_ns", AT(time_ns)},
    {"!failed", AT(failed)},
};
static const struct lore_object ran_object = LORE_OBJECT("", ran);
#undef ROW

/* Outcome of a proposed version: a run for a start, an experiment for a change. */
struct trial {
    const struct lore_start_result *run;
    const struct lore_advice_result *experiment;
    bool hidden;
};
#define ROW struct trial
static const struct lore_object_member trial[] = {
    {"", SPREAD(run, ran_object)},
    {"", SPREAD(experiment, tried_object)},
    {"!hidden", AT(hidden)},
};
static const struct lore_object trial_object = LORE_OBJECT("ServedTrial", trial);
#undef ROW

#define ROW struct lore_advised_version
static const struct lore_object_member stated[] = {
    {"!value", AT(value)}, {"!low", AT(low)}, {"!high", AT(high)}};
static const struct lore_object stated_object = LORE_OBJECT("StatedInterval", stated);
#undef ROW

struct version {
    struct lore_advised_version v;
    const struct lore_advised_version *fraction, *p_win; /* one of the two */
    struct trial *trials;
    size_t n_trials;
};
#define ROW struct version
static const struct lore_object_member version_table[] = {
    {"!list", AT(v.list), "start|moves|next"},
    {"!rank", AT(v.rank)},
    {"!version", AT(v.version), "ulid"},
    {"from_version", AT(v.from), "ulid"},
    {"technique", AT(v.technique)},
    {"!chip", AT(v.chip)},
    {"workload", AT(v.workload)},
    {"fraction", POINTER(fraction, stated_object), NULL, "of the optimum"},
    {"p_win", POINTER(p_win, stated_object)},
    {"!p_fail", AT(v.p_fail)},
    {"!outcomes", LIST(trials, n_trials, trial_object)},
};
static const struct lore_object version_object = LORE_OBJECT("ServedVersion", version_table);
#undef ROW

#define ROW struct lore_advice_event
static const struct lore_object_member event[] = {
    {"!event", AT(event), EVENTS},
    {"technique", AT(technique)},
    {"note", AT(note)},
    {"!actor", AT(caller)},
    {"!at", TIME(at_us)},
};
static const struct lore_object event_object = LORE_OBJECT("ServedEvent", event);
#undef ROW

struct served {
    struct lore_advice_row row;
    struct item *items;
    struct version *versions;
};
#define ROW struct served
static const struct lore_object_member served[] = {
    {"!id", AT(row.a.id), "ulid"},
    {"!served_at", TIME(row.a.served_us)},
    {"!until", TIME(row.a.until_us), NULL, "later experiments do not count as outcomes"},
    {"!caller", AT(row.a.caller)},
    {"!question", OBJECT(row.a, question_object)},
    {"!items", LIST(items, row.a.n_items, item_object)},
    {"!versions", LIST(versions, row.a.n_versions, version_object)},
    {"!events", LIST(row.events, row.n_events, event_object)},
};
const struct lore_object lore_served_object = LORE_OBJECT("ServedAdvice", served);
#undef ROW

static struct item
item_of(const struct lore_advice_row *row, const struct lore_advised_item *i, struct lore_arena *a)
{
    struct item out = {.i = *i, .said = last_reaction(row, i), .came = came_of(row, i)};
    size_t cap = 0;

    for (size_t k = 0; k < row->n_results; k++)
        if (is_of(&row->results[k], i))
            *LORE_PUSH(a, out.outcomes, out.n_outcomes, cap) = row->results[k];
    return out;
}

static struct version
version_of(const struct lore_advised_version *v, const struct lore_version_outcomes *o,
    struct lore_arena *a)
{
    struct version out = {.v = *v, .fraction = v->from ? NULL : v, .p_win = v->from ? v : NULL};
    size_t cap = 0;

    for (size_t i = 0; v->from == NULL && i < o->n_starts; i++) {
        const struct lore_start_result *r = &o->starts[i];

        if (r->rank == v->rank && lore_streq(r->list, v->list))
            *LORE_PUSH(a, out.trials, out.n_trials, cap) =
                (struct trial){.run = r, .hidden = r->hidden};
    }
    for (size_t i = 0; v->from != NULL && i < o->n_moves; i++) {
        const struct lore_advice_result *r = &o->moves[i];

        if (r->rank == v->rank && lore_streq(r->list, v->list))
            *LORE_PUSH(a, out.trials, out.n_trials, cap) =
                (struct trial){.experiment = r, .hidden = r->hidden};
    }
    return out;
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
    struct served x = {0};
    struct lore_version_outcomes found = {0};
    enum lore_status status = check_id(req, err);

    if (status == LORE_OK)
        status = lore_db_get_advice(req->db, req->vars[0], req->arena, &x.row, err);
    if (status == LORE_OK)
        status = lore_db_get_version_outcomes(req->db, x.row.seq, req->arena, &found, err);
    if (status != LORE_OK)
        return status;
    x.items = lore_alloc_array(req->arena, x.row.a.n_items + 1, sizeof *x.items);
    for (size_t i = 0; i < x.row.a.n_items; i++)
        x.items[i] = item_of(&x.row, &x.row.a.items[i], req->arena);
    x.versions = lore_alloc_array(req->arena, x.row.a.n_versions + 1, sizeof *x.versions);
    for (size_t i = 0; i < x.row.a.n_versions; i++)
        x.versions[i] = version_of(&x.row.a.versions[i], &found, req->arena);
    return lore_reply_object(resp, &lore_served_object, &x, err);
}

/* ---- reactions to an answer ---- */

struct reaction {
    const char *advice;
    struct lore_advice_event event;
};
#define ROW struct reaction
static const struct lore_object_member reaction[] = {
    {"!id", AT(advice), "ulid"},
    {"!event", AT(event.event), EVENTS},
    {"technique", AT(event.technique)},
    {"!at", TIME(event.at_us)},
};
const struct lore_object lore_advice_event_object = LORE_OBJECT("AdviceEvent", reaction);
#undef ROW

#define ROW struct lore_advice_event
static const struct lore_object_member request[] = {
    {"!event", AT(event), EVENTS},
    {"technique", AT(technique), NULL,
        "technique of the answer; required for applied and dismissed"},
    {"note", AT(note)},
};
const struct lore_object lore_event_request_object = LORE_OBJECT("AdviceEventRequest", request);
#undef ROW

static enum lore_status
check_texts(const struct lore_req *req, struct lore_advice_event *e, struct lore_err *err)
{
    if (!e->event || !lore_choice(EVENTS, e->event))
        return lore_fail_at(err, LORE_INVALID, "invalid_choice", "event",
            "event: required: opened, applied or dismissed");
    if (e->technique && (*e->technique == '\0' || strlen(e->technique) > TECHNIQUE_MAX))
        return lore_fail_at(err, LORE_INVALID, "invalid_length", "technique",
            "technique: 1 to %d bytes", TECHNIQUE_MAX);
    if (!e->technique && !lore_streq(e->event, "opened"))
        return lore_fail_at(err, LORE_INVALID, "missing_field", "technique",
            "technique: required: name the technique that was %s", e->event);
    if (e->note && strlen(e->note) > NOTE_MAX)
        return lore_fail_at(
            err, LORE_INVALID, "too_long", "note", "note: longer than %d bytes", NOTE_MAX);
    if (e->technique)
        e->technique = lore_technique_slug(req->arena, e->technique);
    return LORE_OK;
}

static enum lore_status
store_reaction(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    struct reaction *s = ctx;

    s->event.at_us = now_us;
    return lore_put_advice_event(db, s->advice, &s->event, err);
}

enum lore_status
lore_api_advice_event(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct reaction s = {.advice = req->vars[0], .event = {.caller = req->actor}};
    struct lore_json *body = NULL;
    enum lore_status status = check_id(req, err);

    if (status == LORE_OK)
        status = lore_params_body(req, &body, err);
    if (status == LORE_OK)
        status = lore_object_read(&lore_event_request_object, body, &s.event, err);
    if (status == LORE_OK)
        status = check_texts(req, &s.event, err);
    if (status == LORE_OK)
        status = lore_ingest_write(req->app->ingest, store_reaction, &s, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_object(resp, &lore_advice_event_object, &s, err);
}
