/* The attempts of one kernel's lineage, to check whether an idea has failed there (repeats.h).
 * Hidden experiments are left out. */
#include "service/api/attempts.h"

#include <string.h>

#include "db/attempt.h"
#include "service/api/params.h"
#include "service/base/text.h"

/* JSON scalar text as text: "\"nhwc\"" -> nhwc. */
static const char *
plain(struct lore_arena *arena, const char *json)
{
    size_t n = json ? strlen(json) : 0;

    return n >= 2 && json[0] == '"' ? lore_strndup(arena, json + 1, n - 2) : json;
}

/* Old parameter values stay unset when the version is not stored. */
enum lore_status
lore_attempts_fill_parameters(
    struct lore_req *req, const struct lore_idea *idea, struct lore_err *err)
{
    struct lore_version_row v = {0};
    struct lore_err none;
    bool any = false;

    for (size_t i = 0; i < idea->n_uses; i++)
        any |= idea->uses[i].n_params > 0;
    if (!any || !idea->from_version)
        return LORE_OK;
    enum lore_status status =
        lore_db_get_version_head(req->db, idea->from_version, req->arena, &v, &none);
    if (status == LORE_NOTFOUND)
        return LORE_OK; /* the version is not stored yet */
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

/* Whether the author recorded a pitfall of TYPE. */
static bool
has_pitfall(const struct lore_experiment *e, const char *type)
{
    for (size_t i = 0; i < e->n_pitfalls; i++)
        if (lore_streq(e->pitfalls[i].type, type))
            return true;
    return false;
}

static enum lore_attempt_end
end_of(const struct lore_attempt_row *a, const struct lore_experiment_row *r)
{
    const struct lore_outcome_row *o = &r->outcome;
    enum lore_effect effect = lore_effect_find(o->effect);

    /* a run with an error also has a failed check, but the error is more specific. An experiment
     * that was measured has overcome its errors. */
    if (effect == LORE_X_NOT_MEASURED && (a->not_built || has_pitfall(&r->e, "compilation")))
        return LORE_ATTEMPT_NOT_BUILT;
    if (effect == LORE_X_NOT_MEASURED && (a->not_run || has_pitfall(&r->e, "runtime")))
        return LORE_ATTEMPT_NOT_RUN;
    if (lore_streq(o->correctness, "fail") || lore_streq(o->correctness, "timeout"))
        return LORE_ATTEMPT_WRONG;
    if (effect == LORE_X_WIN)
        return LORE_ATTEMPT_GAIN;
    if (effect == LORE_X_LOSS ||
        (effect == LORE_X_NEUTRAL && !(o->speedup.set && o->speedup.v > 1.02)))
        return LORE_ATTEMPT_NO_GAIN;
    return effect == LORE_X_NOT_MEASURED ? LORE_ATTEMPT_PENDING : LORE_ATTEMPT_OPEN;
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
add(struct lore_req *req, const struct lore_attempt_row *found, struct lore_repeats_attempt *out,
    struct lore_err *err)
{
    struct lore_arena *arena = req->arena;
    struct lore_experiment_row r = {0};
    struct lore_hypothesis_row h = {0};
    enum lore_status status = lore_db_get_experiment(req->db, found->id, arena, &r, err);

    if (status == LORE_OK && r.e.hypothesis)
        status = lore_db_get_hypothesis(req->db, r.e.hypothesis, arena, &h, err);
    if (status != LORE_OK)
        return status;
    *out = (struct lore_repeats_attempt){.id = found->id,
        .idea = {.text = h.h.claim,
            .from_version = r.e.from_version,
            .workload = r.workload.id,
            .chip = r.e.chip},
        .to_version = r.e.to_version,
        .end = end_of(found, &r),
        .speedup = r.outcome.speedup.set ? r.outcome.speedup.v : 0};
    put_uses(arena, &r.e, &out->idea);
    if (!out->idea.text && out->idea.n_uses == 0)
        out->idea.text = r.e.title;
    return lore_attempts_fill_parameters(req, &out->idea, err);
}

enum lore_status
lore_attempts_load(struct lore_req *req, const char *kernel, size_t max, struct lore_attempts *out,
    struct lore_err *err)
{
    struct lore_list_filter f = {.kernel = kernel, .page.limit = max};
    struct lore_attempt_row *rows = NULL;
    struct lore_repeats_attempt *v;
    size_t n = 0;
    enum lore_status status = lore_db_list_attempts(req->db, &f, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    v = lore_alloc_array(req->arena, n + 1, sizeof *v);
    for (size_t i = 0; status == LORE_OK && i < n; i++) /* oldest first */
        status = add(req, &rows[i], &v[n - 1 - i], err);
    if (status == LORE_OK)
        *out = (struct lore_attempts){v, n};
    return status;
}
