/* Collects the values that were tried of each parameter (tune.h): by the attempts on the kernel,
 * and by the experiments on other kernels that the index cites. When each failed attempt with a
 * technique states a value, the values failed and not the technique: it has a row here, and none
 * under `avoid`. */
#include "service/api/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/attempt.h"
#include "service/api/session_state.h"
#include "service/api/tune_next.h"
#include "service/base/text.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

struct tuning {
    struct lore_req *req;
    const struct lore_question *q;
    const struct lore_answer *a;
    struct lore_start_answer *out;
    struct lore_tune_row *v;
    size_t n, cap;
    struct lore_texts plain, stated; /* techniques that failed without a value; that have values */
};

/* ---- what was tried ---- */

static bool
is_in(const struct lore_texts *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (lore_streq(list->v[i], name))
            return true;
    return false;
}

static bool
has_row(const struct tuning *t, const char *technique)
{
    for (size_t i = 0; i < t->n; i++)
        if (lore_streq(t->v[i].technique, technique))
            return true;
    return false;
}

static struct lore_tune_row *
row_of(struct tuning *t, const char *technique, const char *parameter)
{
    for (size_t i = 0; i < t->n; i++)
        if (lore_streq(t->v[i].technique, technique) && lore_streq(t->v[i].parameter, parameter))
            return &t->v[i];
    const struct lore_technique *known = lore_technique_find(technique);
    struct lore_tune_row *row = LORE_PUSH(t->req->arena, t->v, t->n, t->cap);
    *row = (struct lore_tune_row){
        .technique = technique, .title = known ? known->title : technique, .parameter = parameter};
    return row;
}

/* Add the values that USE states to their rows. V: how the attempt ended; its value is set here. */
static void
note(struct tuning *t, const struct lore_idea_use *use, struct lore_tune_value v)
{
    struct lore_arena *arena = t->req->arena;

    for (size_t i = 0; i < use->n_params; i++) {
        if (!use->params[i].to || !*use->params[i].to)
            continue;
        struct lore_tune_row *row = row_of(t, use->technique, use->params[i].name);
        v.text = use->params[i].to;
        v.value = lore_build_scalar(arena, v.text);
        *LORE_PUSH(arena, row->tried, row->n_tried, row->cap) = v;
        if (!v.op)
            row->own_failed = v.end == LORE_ATTEMPT_GAIN ? 0 : row->own_failed + 1;
    }
    if (use->n_params == 0 && v.end >= LORE_ATTEMPT_NO_GAIN)
        lore_build_text(arena, &t->plain, use->technique);
}

static void
note_attempts(struct tuning *t)
{
    for (size_t i = 0; i < t->out->tried.n; i++) {
        const struct lore_repeats_attempt *a = &t->out->tried.v[i];

        if (a->end == LORE_ATTEMPT_PENDING ||
            (t->q->chip && a->idea.chip && !lore_streq(a->idea.chip, t->q->chip->name)))
            continue;
        for (size_t k = 0; k < a->idea.n_uses; k++)
            note(t, &a->idea.uses[k],
                (struct lore_tune_value){
                    .experiment = a->id, .end = a->end, .speedup = a->speedup});
    }
}

/* How a cited experiment ended, as far as its values are concerned. */
static enum lore_attempt_end
end_of(const struct lore_cited *c)
{
    if (c->correctness == LORE_C_FAIL)
        return LORE_ATTEMPT_WRONG;
    if (c->effect == LORE_X_WIN)
        return c->share == LORE_SHARE_OPEN ? LORE_ATTEMPT_GAIN : LORE_ATTEMPT_OPEN;
    return c->effect == LORE_X_LOSS      ? LORE_ATTEMPT_LOSS
           : c->effect == LORE_X_NEUTRAL ? LORE_ATTEMPT_NO_GAIN
                                         : LORE_ATTEMPT_PENDING;
}

/* Whether the attempts on this kernel have the experiment ID. */
static bool
is_own(const struct tuning *t, const char *id)
{
    for (size_t i = 0; i < t->out->tried.n; i++)
        if (lore_streq(t->out->tried.v[i].id, id))
            return true;
    return false;
}

/* Note what the experiments cited for A say of its values. */
static enum lore_status
note_cited(struct tuning *t, const struct lore_advice *a, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < a->n_cited && status == LORE_OK; i++) {
        const struct lore_cited *c = &a->cited[i];
        struct lore_idea idea = {0};
        const char *json = NULL;

        if (!lore_streq(c->op, t->q->op) || is_own(t, c->experiment) ||
            end_of(c) == LORE_ATTEMPT_PENDING)
            continue;
        status = lore_db_get_uses(t->req->db, c->experiment, t->req->arena, &json, err);
        if (status == LORE_OK && json)
            status = lore_attempts_read_uses(t->req, json, &idea, err);
        if (status == LORE_OK && json)
            status = lore_attempts_fill_parameters(t->req, &idea, err);
        bool stated = false;
        for (size_t k = 0; k < idea.n_uses; k++) {
            if (!lore_streq(idea.uses[k].technique, a->technique))
                continue;
            stated = true;
            note(t, &idea.uses[k],
                (struct lore_tune_value){.experiment = c->experiment,
                    .op = c->op,
                    .end = end_of(c),
                    .speedup = c->speedup});
        }
        if (!stated && end_of(c) >= LORE_ATTEMPT_NO_GAIN)
            lore_build_text(t->req->arena, &t->plain, a->technique);
    }
    return status;
}

/* ---- which rows stay ---- */

static const struct lore_advice *
find(const struct lore_advice *v, size_t n, const char *technique)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(v[i].technique, technique))
            return &v[i];
    return NULL;
}

/* What an ablation found to be without effect failed whatever its value. */
static bool
failed_here(const struct lore_advice *a)
{
    return a && a->tried_here > 0 && a->won_here == 0 && a->inert == 0;
}

/* A row is about what the version has, or about what failed here by its values alone. */
static bool
stays(const struct tuning *t, const struct lore_tune_row *r)
{
    if (is_in(&t->q->has, r->technique))
        return true;
    return failed_here(find(t->a->avoid, t->a->n_avoid, r->technique)) &&
           !is_in(&t->plain, r->technique);
}

static void
leave_out(struct lore_answer *a, const struct tuning *t)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_avoid; i++)
        if (!has_row(t, a->avoid[i].technique))
            a->avoid[n++] = a->avoid[i];
    a->n_avoid = n;
}

/* The changes that lead to known configurations come first, in their order. What was tried of the
 * parameter stands at the first of them. */
static void
put_moves(struct tuning *t)
{
    const struct lore_start_answer *out = t->out;
    struct lore_tune_row *v = lore_alloc_array(t->req->arena, out->n_moves + t->n + 1, sizeof *v);
    size_t n = 0;

    for (size_t i = 0; i < out->n_moves; i++) {
        const struct lore_move_row *m = &out->moves[i];
        struct lore_tune_row *known = row_of(t, m->m.technique, m->m.parameter);
        v[n] = *known;
        known->move = v[n].move = m;
        known->n_tried = 0;
        v[n].from = m->from_value;
        v[n].to = m->to_value;
        v[n].p_win = m->m.p_win;
        lore_tune_next(&v[n++], t->req->arena);
    }
    for (size_t i = 0; i < t->n; i++)
        if (!t->v[i].move)
            v[n++] = t->v[i];
    t->v = v;
    t->n = n;
}

/* ---- odds, values and words ---- */

/* Whether the version's own source was read: then values of its ancestors say nothing about it. */
static bool
has_source(const struct lore_about *about)
{
    for (size_t i = 0; i < about->line.n; i++)
        if (about->line.v[i]->known & LORE_KNOWN_SOURCE)
            return true;
    return false;
}

/* The value now: what the version's parameters say, else the attempt that made it, else the newest
 * attempt of its line. */
static void
set_now(struct tuning *t, struct lore_tune_row *r)
{
    const struct lore_version *v = &t->out->about.version->v;
    const char *at = v->id;

    for (size_t i = 0; r->parameter && i < v->params.n; i++)
        if (lore_streq(lore_words_parameter(v->params.v[i].key, t->req->arena), r->parameter))
            r->from = v->params.v[i].value;
    for (size_t i = t->out->tried.n; i-- > 0 && !r->from;) {
        const struct lore_repeats_attempt *a = &t->out->tried.v[i];
        if (!lore_streq(a->to_version, at))
            continue;
        for (size_t k = 0; k < r->n_tried; k++)
            if (lore_streq(r->tried[k].experiment, a->id))
                r->from = r->tried[k].value;
        if (has_source(&t->out->about))
            break;
        at = a->idea.from_version;
    }
}

/* The state of the session for an attempt with TECHNIQUE. */
static struct lore_session_state
state_of(const struct lore_start_answer *out, const char *technique)
{
    struct lore_session_state at = {.since = out->lineage.since_gain};

    for (size_t i = 0; i < out->tried.n; i++) {
        const struct lore_repeats_attempt *a = &out->tried.v[i];
        for (size_t k = 0; a->end != LORE_ATTEMPT_PENDING && k < a->idea.n_uses; k++)
            if (lore_streq(a->idea.uses[k].technique, technique)) {
                at.failed = a->end == LORE_ATTEMPT_GAIN ? 0 : at.failed + 1;
                at.again = true;
            }
    }
    return at;
}

/* The odds are those of any attempt in this state. What the technique did elsewhere says how well
 * it goes in, not how well its values are chosen, and only orders rows of equal odds. */
static void
set_odds(const struct tuning *t, struct lore_tune_row *r)
{
    const struct lore_advice *known = find(t->a->there, t->a->n_there, r->technique);
    const struct lore_session_state at = state_of(t->out, r->technique);

    r->failed = at.failed;
    r->p_win.value = lore_session_p(&t->out->session, &at);
    r->elsewhere = known ? known->p_win.value : 0;
}

/* Whether the row R has information: a next value, or the failure of values other than the present
 * one. A parameter that no attempt on this kernel states needs a number that won on another. */
static bool
tells(const struct tuning *t, const struct lore_tune_row *r)
{
    bool own = r->from != NULL, failed = false;

    if (!r->from && has_source(&t->out->about))
        return false; /* the source may have any value already */
    for (size_t i = 0; i < r->n_tried; i++) {
        const struct lore_tune_value *v = &r->tried[i];
        own |= !v->op;
        failed |= !v->op && v->end >= LORE_ATTEMPT_NO_GAIN && !lore_streq(v->value, r->from);
    }
    return own ? r->to || (failed && is_in(&t->q->has, r->technique))
               : r->to && lore_is_digit(r->to[r->to[0] == '"']);
}

/* Drop the rows about techniques that the version lacks, and the rows without information. */
static void
keep(struct tuning *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct lore_tune_row *r = &t->v[i];
        if (!stays(t, r) || lore_line_is_moot(&t->out->about.line, r->technique))
            continue;
        set_now(t, r);
        lore_tune_next(r, t->req->arena);
        lore_build_text(t->req->arena, &t->stated, r->technique);
        if (tells(t, r))
            t->v[n++] = *r;
    }
    t->n = n;
}

/* A row for each technique of which no value is known, in a session. */
static void
add_unstated(struct tuning *t)
{
    const struct lore_texts *has = &t->q->has;

    for (size_t i = 0; i < has->n; i++)
        if (!is_in(&t->stated, has->v[i]) && lore_words_has_parameter(has->v[i]) &&
            !lore_line_is_moot(&t->out->about.line, has->v[i]))
            lore_tune_next(row_of(t, has->v[i], NULL), t->req->arena);
}

static int
ascending(double a, double b)
{
    return (a > b) - (a < b);
}

static int
by_odds(const void *a, const void *b)
{
    const struct lore_tune_row *x = a, *y = b;
    int order = ascending((double)x->turn, (double)y->turn);

    if (order == 0)
        order = ascending(y->p_win.value, x->p_win.value);
    if (order == 0)
        order = ascending(y->elsewhere, x->elsewhere);
    if (order == 0)
        order = strcmp(x->technique, y->technique);
    if (order == 0)
        order = ascending(!x->to, !y->to);
    if (order == 0)
        order = ascending((double)x->own_failed, (double)y->own_failed);
    return order != 0 || !x->parameter || !y->parameter ? order
                                                        : strcmp(x->parameter, y->parameter);
}

/* Best odds first. The second row of a technique comes after the first of every other, and so does
 * one without a next value. */
static void
sort(struct tuning *t)
{
    for (int turns = 0; turns < 2 && t->n > 1; turns++) {
        qsort(t->v, t->n, sizeof *t->v, by_odds);
        for (size_t i = t->n; i-- > 1 && turns == 0;)
            for (size_t k = i; k-- > 0 && lore_streq(t->v[k].technique, t->v[i].technique);)
                t->v[i].turn++;
        for (size_t i = 0; i < t->n && turns == 0; i++)
            t->v[i].turn += !t->v[i].to;
    }
}

/* ---- all of it ---- */

/* The rows, in no order. */
static enum lore_status
collect(struct tuning *t, struct lore_err *err)
{
    const struct lore_answer *a = t->a;
    enum lore_status status = LORE_OK;

    note_attempts(t);
    for (size_t i = 0; i < a->n_there && status == LORE_OK; i++)
        status = note_cited(t, &a->there[i], err);
    for (size_t i = 0; i < a->n_avoid && status == LORE_OK; i++)
        if (failed_here(&a->avoid[i]) && lore_words_has_parameter(a->avoid[i].technique))
            status = note_cited(t, &a->avoid[i], err);
    keep(t);
    if (t->out->n_moves == 0 && t->out->lineage.attempts > 0)
        add_unstated(t);
    if (lore_about_is_done(&t->out->about))
        t->n = 0;
    return status;
}

enum lore_status
lore_tune_find(struct lore_req *req, const struct lore_question *q, struct lore_answer *a,
    struct lore_start_answer *out, struct lore_err *err)
{
    struct tuning t = {.req = req, .q = q, .a = a, .out = out};
    enum lore_status status = out->about.version ? collect(&t, err) : LORE_OK;

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < t.n; i++)
        set_odds(&t, &t.v[i]);
    sort(&t);
    put_moves(&t);
    leave_out(a, &t);
    out->tune = t.n > 0 ? t.v : NULL;
    out->n_tune = q->limit > 0 && t.n > q->limit ? q->limit : t.n;
    out->ranks = lore_alloc_array(req->arena, a->n_advice + 1, sizeof *out->ranks);
    lore_tune_rank(a, out);
    return LORE_OK;
}

void
lore_tune_rank(const struct lore_answer *a, struct lore_start_answer *out)
{
    size_t i = 0, k = 0, n = a->n_advice + out->n_tune;
    bool tune = out->n_tune > 0 && out->tune[0].to &&
                (a->n_advice == 0 || out->tune[0].p_win.value > a->advice[0].p_win.value);

    for (size_t rank = 1; rank <= n; rank++, tune = !tune) {
        tune = k < out->n_tune && (tune || i == a->n_advice);
        *(tune ? &out->tune[k++].rank : &out->ranks[i++]) = rank;
    }
}

enum lore_status
lore_tune_read_session(struct lore_req *req, struct lore_question *q, struct lore_start_answer *out,
    struct lore_err *err)
{
    struct lore_idea none = {0};
    bool there = false,
         own = out->about.by == LORE_ABOUT_GIVEN || out->about.by == LORE_ABOUT_CHAMPION;
    enum lore_status status = LORE_OK;

    if (!out->about.version)
        return LORE_OK;
    none.from_version = out->about.version->v.id;
    if (!is_in(&q->has, LORE_TECHNIQUE_INHERENT))
        lore_build_text(req->arena, &q->has, LORE_TECHNIQUE_INHERENT);
    status = lore_start_is_lineage_short(req, out->about.version, &there, err);
    if (status == LORE_OK && there)
        status = lore_attempts_load(req,
            &(struct lore_attempts_scope){
                .kernel = out->about.version->v.kernel, .max = LORE_ATTEMPTS_READ},
            &out->tried, err);
    if (status != LORE_OK)
        return status;
    if (!there)
        out->tried.past = lore_repeats_read(NULL, 0, req->arena);
    lore_repeats_find(&none, out->tried.past, req->arena, &out->lineage);
    status = lore_session_now(req, &out->session, err);
    const struct lore_session_state at = {.since = out->lineage.since_gain};
    out->p_any = lore_session_p(&out->session, &at);
    if (own && out->lineage.attempts > 0 && !out->lineage.unordered)
        q->session = lore_session_shift(&out->session, &at);
    return status;
}
