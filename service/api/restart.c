/* POST /api/v1/kernels/{id}/restart: hide a random half of the versions, never the baseline or the
 * best, so that a new attempt is not biased by all of them. Nothing is deleted: each hidden
 * experiment gets a mask. A restart curation stores the seed and the hidden and visible versions,
 * which documents what the author could see. */
#include <inttypes.h>
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/curate.h"
#include "service/api/history.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/derive/restart.h"
#include "service/http/app.h"
#include "service/wire/wire.h"

struct asked {
    struct lore_curation c; /* reason and id, as given */
    const char *seed_text;
    uint64_t seed;
    bool dry_run;
};

#define ROW struct lore_curation
static const struct lore_object_member request[] = {
    {"", MEMBERS_HERE(lore_reason_request_object)},
    {"seed", BY_HAND, "any", "seed of the random choice: text, or a number of 0 or more"},
    {"dry_run", BY_HAND, "boolean", "preview without hiding"},
};
const struct lore_object lore_restart_request_object = LORE_OBJECT("RestartRequest", request);
#undef ROW

/* A number is the seed itself, text is hashed. Without a seed the request's id is hashed. */
static void
read_seed(struct lore_req *req, const struct lore_json *given, struct asked *a)
{
    unsigned char digest[32];
    const char *text = given != NULL && given->type == LORE_J_STRING ? given->str : NULL;

    if (given && given->is_int) {
        a->seed = (uint64_t)given->i;
        a->seed_text = lore_format(req->arena, "%" PRIu64, a->seed);
        return;
    }
    a->seed_text = text != NULL && *text != '\0' ? text : req->request_id;
    lore_hash(a->seed_text, strlen(a->seed_text), digest);
    memcpy(&a->seed, digest, sizeof a->seed);
    a->seed >>= 11; /* fits an integer that every JSON reader keeps exact */
}

static enum lore_status
read_body(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    struct lore_json *body = NULL;
    enum lore_status status =
        lore_curate_body(req, &lore_restart_request_object, &body, &a->c, err);

    if (status == LORE_OK && lore_json_get(body, "dry_run"))
        status = lore_json_bool(body, "dry_run", &a->dry_run, err);
    if (status != LORE_OK)
        return status;
    const struct lore_json *seed = lore_json_get(body, "seed");
    if (seed && seed->type != LORE_J_STRING && (!seed->is_int || seed->i < 0))
        return lore_fail_at(err, LORE_INVALID, "wrong_type", "seed",
            "seed: expected text or an integer of 0 or more");
    read_seed(req, seed, a);
    return LORE_OK;
}

static enum lore_status
plan(const struct lore_history *h, struct lore_arena *arena, uint64_t seed,
    struct lore_restart *out, struct lore_err *err)
{
    struct lore_restart_version *v = lore_alloc_array(arena, h->line.n + 1, sizeof *v);
    size_t n = 0;

    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_lineage_step *s = &h->line.steps[i];
        const struct lore_history_version *t = &h->entries[s->in];

        /* ablations explain a version, libraries are no attempts: both stay as they are */
        if (t->version->v.kind == LORE_V_ABLATION || t->version->v.kind == LORE_V_LIBRARY)
            continue;
        v[n++] = (struct lore_restart_version){.id = t->version->v.id,
            .ordinal = t->version->v.ordinal,
            .kind = s->baseline ? LORE_V_BASELINE : t->version->v.kind,
            .masked = t->hidden,
            .is_best = s->champion || t->n_made == 0}; /* nothing there that a mask could hide */
    }
    return lore_restart_plan(v, n, seed, arena, out, err);
}

static bool
among(const char *id, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(list[i], id))
            return true;
    return false;
}

/* Experiments that made the hidden versions, and are not hidden yet. */
static struct lore_texts
experiments_of(const struct lore_history *h, const struct lore_restart *r, struct lore_arena *arena)
{
    struct lore_texts out = {0};

    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[h->line.steps[i].in];

        if (!among(t->version->v.id, r->hidden, r->n_hidden))
            continue;
        for (size_t k = 0; k < t->n_made; k++)
            if (!t->made[k]->masked)
                *LORE_PUSH(arena, out.v, out.n, out.cap) = t->made[k]->e.id;
    }
    return out;
}

struct excluded {
    const char *version, *why;
};
#define ROW struct excluded
static const struct lore_object_member excluded[] = {
    {"!version", AT(version), "ulid"},
    {"!why", AT(why), "baseline|best|no_experiment"},
};
static const struct lore_object lore_never_hidden_object = LORE_OBJECT("Excluded", excluded);
#undef ROW

struct answer {
    const char *id, *seed, *method, *from_version; /* id: NULL: nothing was stored */
    struct lore_restart r;
    struct lore_texts masked;
    struct excluded *excluded;
    size_t n_excluded;
};
#define ROW struct answer
static const struct lore_object_member hidden[] = {
    {"!hidden_versions", STRINGS(r.hidden, r.n_hidden), "[ulid"},
    {"!masked_experiments", AT(masked), "[ulid"},
    {"!visible_versions", STRINGS(r.visible, r.n_visible), "[ulid"},
};
static const struct lore_object hidden_ids = LORE_OBJECT("", hidden);

static const struct lore_object_member answer_table[] = {
    {"id", AT(id), "ulid"},
    {"!seed", AT(seed)},
    {"!method", AT(method)},
    {"", MEMBERS_HERE(hidden_ids)},
    {"!excluded", LIST(excluded, n_excluded, lore_never_hidden_object), NULL,
        "versions that are never hidden"},
    {"from_version", AT(from_version), "ulid", "version to continue from"},
    {"!next_ordinal", AT(r.next_ordinal)},
};
const struct lore_object lore_restart_object = LORE_OBJECT("Restart", answer_table);
#undef ROW

/* List the versions that are never hidden, with reasons. */
static void
list_excluded(struct lore_arena *arena, const struct lore_history *h, struct answer *x)
{
    x->excluded = lore_alloc_array(arena, h->line.n + 1, sizeof *x->excluded);
    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_lineage_step *s = &h->line.steps[i];
        const struct lore_history_version *t = &h->entries[s->in];
        const char *why = s->baseline      ? "baseline"
                          : s->champion    ? "best"
                          : t->n_made == 0 ? "no_experiment"
                                           : NULL;

        if (why && t->version->v.kind != LORE_V_ABLATION && t->version->v.kind != LORE_V_LIBRARY)
            x->excluded[x->n_excluded++] = (struct excluded){t->version->v.id, why};
    }
}

static enum lore_status
answer(struct lore_req *req, struct lore_resp *resp, const struct lore_history *h, struct answer *x,
    struct lore_err *err)
{
    const struct lore_lineage *line = &h->line;
    size_t from = line->champion < line->n ? line->champion : line->baseline;

    resp->status = x->id != NULL ? 201 : 200;
    x->method = LORE_RESTART_METHOD;
    list_excluded(req->arena, h, x);
    if (from < line->n)
        x->from_version = h->entries[line->steps[from].in].version->v.id;
    return lore_reply_object(resp, &lore_restart_object, x, err);
}

/* The ids of hidden and visible versions, as the curation's extra. */
static enum lore_status
write_visibility(
    struct lore_arena *arena, const struct answer *x, const char **out, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_jsonw w;
    enum lore_status status;

    lore_jsonw_begin(&w, &text, false);
    lore_object_write(&w, &hidden_ids, x);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        *out = lore_strndup(arena, text.data, text.len);
    return status;
}

/* Submit one mask per experiment, and the restart curation. */
static enum lore_status
apply(struct lore_req *req, const struct asked *a, struct answer *x, struct lore_err *err)
{
    const struct lore_texts *masked = &x->masked;
    struct lore_curation *c = lore_alloc_array(req->arena, masked->n + 1, sizeof *c);
    struct lore_curation *last = &c[masked->n];
    enum lore_status status;

    memset(c, 0, (masked->n + 1) * sizeof *c);
    for (size_t i = 0; i < masked->n; i++) {
        c[i].action = "mask";
        c[i].subjects = (struct lore_texts){&masked->v[i], 1, 1};
        c[i].reason = lore_format(req->arena, "partial restart: %s", a->c.reason);
    }
    last->id = a->c.id;
    last->action = "restart";
    last->subjects = (struct lore_texts){&req->vars[0], 1, 1};
    last->reason = a->c.reason;
    lore_kvs_set(req->arena, &last->values, "seed", lore_kvs_quote(req->arena, a->seed_text));
    lore_kvs_set(
        req->arena, &last->values, "method", lore_kvs_quote(req->arena, LORE_RESTART_METHOD));
    lore_kvs_set(req->arena, &last->values, "next_ordinal",
        lore_format(req->arena, "%" PRId64, x->r.next_ordinal));
    status = write_visibility(req->arena, x, &last->extra, err);
    if (status == LORE_OK)
        status = lore_curate_submit(req, c, masked->n + 1, true, NULL, err);
    if (status == LORE_OK)
        x->id = last->id;
    return status;
}

/* Refuse an id that is stored: computing the restart again would hide another half. */
static enum lore_status
check_new(struct lore_req *req, const char *id, struct lore_err *err)
{
    struct lore_curation_row row = {0};
    struct lore_err none;
    enum lore_status status =
        !id ? LORE_NOTFOUND : lore_db_get_curation(req->db, id, req->arena, &row, &none);

    if (status == LORE_NOTFOUND)
        return LORE_OK;
    if (status != LORE_OK) {
        *err = none;
        return status;
    }
    status = lore_fail_at(
        err, LORE_CONFLICT, "already_decided", "id", "id: decision %s is stored already", id);
    lore_err_hint(err, "GET /api/v1/curations/%s", id);
    return status;
}

enum lore_status
lore_api_restart(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct asked a = {0};
    struct lore_history h = {0};
    struct answer x = {0};
    enum lore_status status = read_body(req, &a, err);

    if (status == LORE_OK)
        status = lore_req_read(req, NULL, err);
    if (status != LORE_OK)
        return status;
    status = check_new(req, a.c.id, err);
    if (status == LORE_OK)
        status = lore_history_load(
            req->db, req->vars[0], &(struct lore_history_filter){0}, req->arena, &h, err);
    lore_req_read_end(req);
    if (status == LORE_OK && plan(&h, req->arena, a.seed, &x.r, err) != LORE_OK)
        status = lore_fail_at(err, LORE_CONFLICT, "restart_refused", "",
            "nothing can be hidden: every visible version is the baseline, the best, "
            "or without an experiment");
    if (status != LORE_OK)
        return status;
    x.seed = a.seed_text;
    x.masked = experiments_of(&h, &x.r, req->arena);
    if (!a.dry_run)
        status = apply(req, &a, &x, err);
    return status == LORE_OK ? answer(req, resp, &h, &x, err) : status;
}
