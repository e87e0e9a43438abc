/* Attempts from the database, to compare a plan with them (repeats.h). */
#include "service/api/attempts.h"

#include <string.h>

#include "db/attempt.h"
#include "db/memo.h"
#include "service/api/params.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/catalogue/words.h"
#include "service/derive/outcome.h"

#define SMALL_GAIN 1.02 /* a neutral result has not failed above this */
enum { ELSEWHERE = 2000, DAY = 10 };

/* JSON scalar text as text: "\"nhwc\"" -> nhwc. */
static const char *
plain(struct lore_arena *arena, const char *json)
{
    size_t n = json ? strlen(json) : 0;

    return n >= 2 && json[0] == '"' ? lore_strndup(arena, json + 1, n - 2) : json;
}

const char *
lore_attempts_value(struct lore_arena *arena, const struct lore_kvs *params, const char *name)
{
    for (size_t i = 0; i < params->n; i++)
        if (lore_streq(lore_words_parameter(params->v[i].key, arena), name))
            return plain(arena, params->v[i].value);
    return NULL;
}

enum lore_status
lore_attempts_fill_parameters(
    struct lore_req *req, const struct lore_idea *idea, struct lore_err *err)
{
    struct lore_version_row v = {0};
    struct lore_err none;
    bool any = false;

    for (size_t i = 0; i < idea->n_uses; i++) {
        struct lore_idea_param *p = (struct lore_idea_param *)idea->uses[i].params;
        any |= idea->uses[i].n_params > 0;
        for (size_t k = 0; k < idea->uses[i].n_params; k++)
            p[k].name = lore_words_parameter_of(idea->uses[i].technique, p[k].name, req->arena);
    }
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
            p[k].from = lore_attempts_value(req->arena, &v.v.params, p[k].name);
    }
    return LORE_OK;
}

static enum lore_attempt_end
end_of(const struct lore_attempt_row *a)
{
    enum lore_effect effect = lore_effect_find(a->effect);

    /* a run with an error also has a failed check, but the error is more specific */
    if (a->not_built)
        return LORE_ATTEMPT_NOT_BUILT;
    if (a->not_run)
        return LORE_ATTEMPT_NOT_RUN;
    if (a->timed_out || lore_streq(a->correctness, "timeout"))
        return LORE_ATTEMPT_TIMED_OUT;
    if (lore_streq(a->correctness, "fail"))
        return LORE_ATTEMPT_WRONG;
    if (effect == LORE_X_NOT_MEASURED)
        return LORE_ATTEMPT_PENDING;
    if (effect == LORE_X_WIN)
        return LORE_ATTEMPT_GAIN;
    if (effect == LORE_X_INCONCLUSIVE ||
        (effect == LORE_X_NEUTRAL && a->speedup.set && a->speedup.v > SMALL_GAIN))
        return LORE_ATTEMPT_OPEN;
    return effect == LORE_X_NEUTRAL ? LORE_ATTEMPT_NO_GAIN : LORE_ATTEMPT_LOSS;
}

/* A parameter's value as text: nhwc, 64. */
static const char *
show_value(const struct lore_json *v)
{
    return v->type == LORE_J_BOOL ? v->i ? "true" : "false" : v->str ? v->str : "";
}

enum lore_status
lore_attempts_read_uses(
    struct lore_req *req, const char *json, struct lore_idea *idea, struct lore_err *err)
{
    struct lore_json *root = NULL;
    struct lore_idea_use *u;
    enum lore_status status = lore_json_parse(json, strlen(json), NULL, req->arena, &root, err);

    if (status != LORE_OK)
        return status;
    u = lore_alloc_array(req->arena, root->len + 1u, sizeof *u);
    for (const struct lore_json *t = root->child; t; t = t->next) {
        const struct lore_json *name = lore_json_get(t, "name"), *of = lore_json_get(t, "params");
        const struct lore_json *state = lore_json_get(t, "status");

        if (state && !lore_streq(state->str, "applied"))
            continue; /* "Non-persistent …" is no attempt at persistence */
        struct lore_idea_param *p = lore_alloc_array(req->arena, of ? of->len + 1u : 1, sizeof *p);
        struct lore_idea_use *use = &u[idea->n_uses++];
        use->technique = lore_technique_slug(req->arena, name && name->str ? name->str : "");
        use->params = p;
        for (const struct lore_json *v = of ? of->child : NULL; v; v = v->next)
            p[use->n_params++] = (struct lore_idea_param){v->key, NULL, show_value(v)};
    }
    idea->uses = u;
    return LORE_OK;
}

static void
put_slugs(struct lore_arena *arena, const char *slugs, struct lore_idea *idea)
{
    struct lore_idea_use *u = NULL;
    size_t cap = 0;

    for (const char *s = slugs; s && *s;) {
        size_t n = strcspn(s, ",");
        *LORE_PUSH(arena, u, idea->n_uses, cap) =
            (struct lore_idea_use){.technique = lore_strndup(arena, s, n)};
        s += n + (s[n] == ',');
    }
    idea->uses = u;
}

static enum lore_status
convert(struct lore_req *req, const struct lore_attempt_row *a, bool values,
    struct lore_repeats_attempt *out, struct lore_err *err)
{
    char time[LORE_TIME_SIZE];

    lore_time_format(a->at_us, time);
    *out = (struct lore_repeats_attempt){.id = a->id,
        .idea = {.text = a->claim                         ? a->claim
                         : lore_streq(a->title, a->slugs) ? NULL
                                                          : a->title,
            .title = a->claim ? a->title : NULL,
            .from_version = a->from_version,
            .workload = a->workload,
            .chip = a->chip},
        .to_version = a->to_version,
        .loose = a->loose,
        .withdrawn = a->withdrawn,
        .end = end_of(a),
        .speedup = a->speedup.set ? a->speedup.v : 0,
        .author = a->author,
        .day = lore_strndup(req->arena, time, DAY),
        .base_label = a->base_label,
        .base_has = a->base_has,
        .kernel = a->kernel_name};
    if (!a->uses || !values) {
        put_slugs(req->arena, a->slugs, &out->idea);
        return LORE_OK;
    }
    enum lore_status status = lore_attempts_read_uses(req, a->uses, &out->idea, err);
    return status == LORE_OK ? lore_attempts_fill_parameters(req, &out->idea, err) : status;
}

static enum lore_status
add(struct lore_req *req, const struct lore_attempt_row *rows, size_t n,
    const struct lore_attempt_filter *f, struct lore_repeats_attempt *out, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        status = convert(req, &rows[i], f->of != LORE_ATTEMPTS_NEWEST, &out[i], err);
        out[i].other_kernel = f->of == LORE_ATTEMPTS_ELSEWHERE;
    }
    return status;
}

static enum lore_status
load(struct lore_req *req, const struct lore_attempts_scope *scope, struct lore_attempts *out,
    struct lore_err *err)
{
    struct lore_attempt_filter f = {.of = scope->newest   ? LORE_ATTEMPTS_NEWEST
                                          : scope->kernel ? LORE_ATTEMPTS_KERNEL
                                                          : LORE_ATTEMPTS_OPERATOR,
        .kernel = scope->kernel,
        .op = scope->op,
        .max = scope->max};
    struct lore_attempt_filter other = f;
    struct lore_attempt_row *here = NULL, *there = NULL;
    size_t n_here = 0, n_there = 0;
    enum lore_status status = lore_db_list_attempts(req->db, &f, req->arena, &here, &n_here, err);

    other.of = LORE_ATTEMPTS_ELSEWHERE;
    other.max = ELSEWHERE;
    if (status == LORE_OK && scope->kernel && scope->op)
        status = lore_db_list_attempts(req->db, &other, req->arena, &there, &n_there, err);
    if (status != LORE_OK)
        return status;
    struct lore_repeats_attempt *v = lore_alloc_array(req->arena, n_here + n_there + 1, sizeof *v);
    *out = (struct lore_attempts){.v = v, .n = n_here + n_there};
    status = add(req, there, n_there, &other, v, err);
    return status == LORE_OK ? add(req, here, n_here, &f, v + n_there, err) : status;
}

static enum lore_status
make(struct lore_db *db, const void *scope, struct lore_arena *arena, const void **out, bool *own,
    struct lore_err *err)
{
    struct lore_req req = {.db = db, .arena = arena};
    struct lore_attempts *found = lore_alloc(arena, sizeof *found);
    enum lore_status status = load(&req, scope, found, err);

    (void)own;
    if (status == LORE_OK)
        found->past = lore_repeats_read(found->v, found->n, arena);
    *out = found;
    return status;
}

enum lore_status
lore_attempts_load(struct lore_req *req, const struct lore_attempts_scope *scope,
    struct lore_attempts *out, struct lore_err *err)
{
    const struct lore_memo_key key = {LORE_MEMO_KERNEL, scope->kernel,
        lore_format(req->arena, "attempts %zu", scope->max), make, scope};
    const void *found = NULL;

    if (!scope->kernel || scope->op || scope->max == 0)
        return load(req, scope, out, err);
    enum lore_status status = lore_memo_get(req->db, &key, req->arena, &found, err);
    if (status == LORE_OK)
        *out = *(const struct lore_attempts *)found;
    return status;
}
