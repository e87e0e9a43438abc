/* GET /api/v1/kernels/{id}/repeats: has this idea failed in this kernel's lineage? Asked before an
 * experiment is run. A warning, never a veto; hidden experiments do not speak. */
#include "service/derive/repeats.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/attempts.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/base/text.h"

enum { MAX_ATTEMPTS = 400, MAX_USES = 16, SHOWN = 20 };

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
    return lore_attempts_before(req, idea, err);
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
    struct lore_attempts l = {0};
    struct lore_kernel_row k = {0};
    struct lore_idea idea = {0};
    struct lore_repeats found;
    struct lore_jsonw w;
    enum lore_status status = lore_get_kernel(req->db, req->vars[0], req->arena, &k, err);

    if (status == LORE_OK)
        status = read_idea(req, &idea, err);
    if (status == LORE_OK)
        status = lore_attempts_load(req, req->vars[0], MAX_ATTEMPTS, &l, err);
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
    lore_w_ki64(&w, "left_out", l.n == MAX_ATTEMPTS ? k.n_experiments - MAX_ATTEMPTS : 0);
    lore_w_ki64(&w, "since_gain", (int64_t)found.since_gain);
    lore_w_kbool(&w, "gained", found.gained);
    lore_w_ki64(&w, "technique_tried", (int64_t)found.technique_tried);
    lore_w_ki64(&w, "technique_failed", (int64_t)found.technique_failed);
    lore_w_ki64(&w, "recent", (int64_t)found.recent);
    lore_w_ki64(&w, "recent_not_built", (int64_t)found.recent_not_built);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
