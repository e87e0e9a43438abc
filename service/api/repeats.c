/* GET /api/v1/kernels/{id}/repeats: has this idea failed in this kernel's lineage? Asked before an
 * experiment is run. A warning, never a veto; hidden experiments do not speak. */
#include "repeats.h"

#include <string.h>

#include "api_knowledge.h"
#include "edge.h"
#include "present.h"
#include "text.h"

enum { PAGE = 200, MAX_ATTEMPTS = 400, MAX_USES = 16, SHOWN = 20 };

struct loading {
    struct lore_req *req;
    struct lore_attempt *v; /* newest first while it grows */
    size_t n, cap;
    struct lore_texts not_built, not_run; /* experiments */
};

/* JSON scalar text as text: "\"nhwc\"" -> nhwc. */
static const char *
plain(struct lore_arena *arena, const char *json)
{
    size_t n = json ? strlen(json) : 0;

    return n >= 2 && json[0] == '"' ? lore_strndup(arena, json + 1, n - 2) : json;
}

/* --- what is asked --- */

static void
read_params(struct lore_arena *arena, const char *text, size_t len, struct lore_idea_use *u)
{
    struct lore_idea_param *p = NULL;
    size_t n = 0, cap = 0;

    for (size_t at = 0; at < len;) {
        size_t part = strcspn(text + at, ",}");
        const char *equals = memchr(text + at, '=', part);
        if (equals != NULL)
            *LORE_PUSH(arena, p, n, cap) = (struct lore_idea_param){
                .name = lore_strndup(arena, text + at, (size_t)(equals - text) - at),
                .to = lore_strndup(arena, equals + 1, part - (size_t)(equals + 1 - text - at))};
        at += part + 1;
    }
    u->params = p;
    u->n_params = n;
}

/* `name{a=1,b=2},other`. */
static enum lore_status
read_uses(struct lore_req *req, struct lore_idea *idea, struct lore_err *err)
{
    struct lore_idea_use *u = lore_alloc_array(req->arena, MAX_USES, sizeof *u);

    for (const char *s = lore_arg_text(req, "technique", ""); *s != '\0';) {
        size_t name = strcspn(s, ",{"), end = name;
        if (idea->n_uses == MAX_USES)
            return lore_fail_at(err, LORE_INVALID, "too_long", "technique",
                "technique: at most %d at once", MAX_USES);
        if (s[name] == '{') {
            end = name + strcspn(s + name, "}");
            if (s[end] != '}')
                return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "technique",
                    "technique: { without }; expected name{param=value}");
            read_params(req->arena, s + name + 1, end - name - 1, &u[idea->n_uses]);
            end++;
        }
        if (name > 0)
            u[idea->n_uses++].technique =
                lore_technique_slug(req->arena, lore_strndup(req->arena, s, name));
        s += end + strcspn(s + end, ",");
        s += *s == ',';
    }
    idea->uses = u;
    return LORE_OK;
}

/* What the parameters were on the version that the idea starts from. */
static enum lore_status
put_before(struct lore_req *req, const struct lore_idea *idea, struct lore_err *err)
{
    struct lore_version_row v = {0};
    struct lore_err none;
    bool any = false;

    for (size_t i = 0; i < idea->n_uses; i++)
        any |= idea->uses[i].n_params > 0;
    if (!any || idea->from_version == NULL)
        return LORE_OK;
    enum lore_status status = lore_get_version(req->db, idea->from_version, req->arena, &v, &none);
    if (status == LORE_NOTFOUND)
        return LORE_OK; /* a version that is not here yet */
    if (status != LORE_OK) {
        *err = none;
        return status;
    }
    for (size_t i = 0; i < idea->n_uses; i++) {
        struct lore_idea_param *p = (struct lore_idea_param *)idea->uses[i].params;
        for (size_t k = 0; k < idea->uses[i].n_params; k++)
            p[k].from = plain(req->arena, lore_kvs_get(&v.v.params, p[k].name));
    }
    return LORE_OK;
}

static enum lore_status
read_idea(struct lore_req *req, struct lore_idea *idea, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = read_uses(req, idea, err);

    if (status == LORE_OK)
        status = lore_edge_chip(req, &chip, err);
    if (status != LORE_OK)
        return status;
    idea->text = lore_arg_text(req, "text", NULL);
    idea->chip = chip ? chip->name : NULL;
    idea->workload = lore_arg_text(req, "workload", NULL);
    idea->from_version = lore_arg_text(req, "from_version", NULL);
    if (idea->n_uses == 0 && idea->text == NULL)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "technique",
            "technique: required, or text: what is planned");
    return put_before(req, idea, err);
}

/* --- the attempts --- */

static bool
among(const struct lore_texts *t, const char *id)
{
    for (size_t i = 0; i < t->n; i++)
        if (lore_streq(t->v[i], id))
            return true;
    return false;
}

static enum lore_status
failed_by(struct loading *l, const char *type, struct lore_texts *out, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .kernel = l->req->vars[0], .error_type = type, .disagrees = -1, .masked = 0, .limit = PAGE};
    struct lore_experiment_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_list_experiments(l->req->db, &f, l->req->arena, &rows, &n, err);

    for (size_t i = 0; status == LORE_OK && i < n; i++)
        *LORE_PUSH(l->req->arena, out->v, out->n, out->cap) = rows[i].e.id;
    return status;
}

static enum lore_attempt_end
end_of(const struct loading *l, const struct lore_experiment_row *r)
{
    const struct lore_outcome_row *o = &r->outcome;
    enum lore_effect effect = lore_effect_find(o->effect);

    /* a run that ended in an error also stands as wrong: the error says more. What was measured
     * after all got over its errors. */
    if (effect == LORE_X_NOT_MEASURED && among(&l->not_built, r->e.id))
        return LORE_AT_NOT_BUILT;
    if (effect == LORE_X_NOT_MEASURED && among(&l->not_run, r->e.id))
        return LORE_AT_NOT_RUN;
    if (lore_streq(o->correctness, "fail") || lore_streq(o->correctness, "timeout"))
        return LORE_AT_WRONG;
    if (effect == LORE_X_WIN)
        return LORE_AT_GAIN;
    if (effect == LORE_X_LOSS)
        return LORE_AT_SLOWER;
    return effect == LORE_X_NOT_MEASURED ? LORE_AT_PENDING : LORE_AT_EVEN;
}

static void
put_uses(struct lore_arena *arena, const struct lore_experiment *e, struct lore_idea *idea)
{
    struct lore_idea_use *u = lore_alloc_array(arena, e->n_techniques + 1, sizeof *u);

    for (size_t i = 0; i < e->n_techniques; i++) {
        const struct lore_kvs *kvs = &e->techniques[i].params;
        struct lore_idea_param *p = lore_alloc_array(arena, kvs->n + 1, sizeof *p);
        for (size_t k = 0; k < kvs->n; k++)
            p[k] = (struct lore_idea_param){kvs->v[k].key, NULL, plain(arena, kvs->v[k].value)};
        u[i] = (struct lore_idea_use){e->techniques[i].name, p, kvs->n};
    }
    idea->uses = u;
    idea->n_uses = e->n_techniques;
}

static enum lore_status
add(struct loading *l, const char *id, struct lore_err *err)
{
    struct lore_arena *arena = l->req->arena;
    struct lore_experiment_row r = {0};
    struct lore_hypothesis_row h = {0};
    enum lore_status status = lore_get_experiment(l->req->db, id, arena, &r, err);

    if (status == LORE_OK && r.e.hypothesis)
        status = lore_get_hypothesis(l->req->db, r.e.hypothesis, arena, &h, err);
    if (status == LORE_OK)
        status = lore_edge_room(arena, "the attempts", err);
    if (status != LORE_OK)
        return status;
    struct lore_attempt a = {.id = id,
        .idea = {.text = h.h.claim,
            .from_version = r.e.from_version,
            .workload = r.workload.id,
            .chip = r.e.chip},
        .to_version = r.e.to_version,
        .end = end_of(l, &r),
        .speedup = r.outcome.speedup.set ? r.outcome.speedup.v : 0};
    put_uses(arena, &r.e, &a.idea);
    if (a.idea.text == NULL && a.idea.n_uses == 0)
        a.idea.text = r.e.title;
    *LORE_PUSH(arena, l->v, l->n, l->cap) = a;
    return put_before(l->req, &l->v[l->n - 1].idea, err);
}

static enum lore_status
load(struct loading *l, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .kernel = l->req->vars[0], .disagrees = -1, .masked = 0, .limit = PAGE};
    enum lore_status status = failed_by(l, "compilation", &l->not_built, err);
    size_t n = 0;

    if (status == LORE_OK)
        status = failed_by(l, "runtime", &l->not_run, err);
    do {
        struct lore_experiment_row *rows = NULL;
        if (status == LORE_OK)
            status = lore_list_experiments(l->req->db, &f, l->req->arena, &rows, &n, err);
        for (size_t i = 0; status == LORE_OK && i < n; i++)
            status = add(l, rows[i].e.id, err);
        if (status == LORE_OK && n > 0)
            f.before = rows[n - 1].seq;
    } while (status == LORE_OK && n == PAGE && l->n < MAX_ATTEMPTS);
    for (size_t i = 0; i < l->n / 2; i++) { /* oldest first */
        struct lore_attempt a = l->v[i];
        l->v[i] = l->v[l->n - 1 - i];
        l->v[l->n - 1 - i] = a;
    }
    return status;
}

/* --- the answer --- */

static void
put_row(struct lore_jsonw *w, const struct lore_repeat *r)
{
    lore_w_obj(w);
    lore_w_kstr(w, "experiment", r->of->id);
    lore_w_kstr(w, "kind", lore_repeat_kind_name(r->kind));
    lore_w_kbool(w, "flagged", r->flagged);
    lore_w_kstr(w, "why", r->why);
    lore_w_kstr(w, "end", lore_attempt_end_name(r->of->end));
    if (r->of->speedup > 0)
        lore_w_kf64(w, "speedup", r->of->speedup);
    lore_w_ki64(w, "changes_since", (int64_t)r->changes);
    lore_w_kf64(w, "words_alike", r->alike);
    lore_w_kstr_opt(w, "claim", r->of->idea.text);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_repeats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct loading l = {.req = req};
    struct lore_kernel_row k = {0};
    struct lore_idea idea = {0};
    struct lore_repeats found;
    struct lore_jsonw w;
    enum lore_status status = lore_get_kernel(req->db, req->vars[0], req->arena, &k, err);

    if (status == LORE_OK)
        status = read_idea(req, &idea, err);
    if (status == LORE_OK)
        status = load(&l, err);
    if (status != LORE_OK)
        return status;
    lore_repeats_find(&idea, l.v, l.n, req->arena, &found);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < found.n && i < SHOWN; i++)
        put_row(&w, &found.v[i]);
    lore_rows_end(&w, false, 0);
    lore_w_kstr(&w, "kind", lore_repeat_kind_name(found.kind));
    lore_w_kbool(&w, "flagged", found.flagged);
    lore_w_ki64(&w, "found", (int64_t)found.n);
    lore_w_ki64(&w, "elsewhere", (int64_t)found.elsewhere);
    lore_w_ki64(&w, "attempts", (int64_t)found.attempts);
    lore_w_ki64(&w, "since_gain", (int64_t)found.since_gain);
    lore_w_kbool(&w, "gained", found.gained);
    lore_w_ki64(&w, "technique_tried", (int64_t)found.technique_tried);
    lore_w_ki64(&w, "technique_failed", (int64_t)found.technique_failed);
    lore_w_ki64(&w, "recent", (int64_t)found.recent);
    lore_w_ki64(&w, "recent_not_built", (int64_t)found.recent_not_built);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
