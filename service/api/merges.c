/* Merge groups: GET /api/v1/merges (in force), /merges/proposals (duplicates that were found and
 * never merge by themselves), POST /merges (preview or apply), POST /merges/{id}/undo. Members stay
 * as they are; while a group is in force only its canonical member counts as evidence. */
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/curate.h"
#include "service/api/edge.h"
#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/base/text.h"
#include "service/derive/merging.h"

enum { PAGE = 200, MAX_LOOKED_AT = 5000, MAX_MEMBERS = 1000 };

/* An experiment as merging looks at it. */
static void
to_row(struct lore_arena *arena, const struct lore_experiment_row *e, struct lore_merge_row *out)
{
    const char **slugs = lore_alloc_array(arena, e->e.n_techniques + 1, sizeof *slugs);

    for (size_t i = 0; i < e->e.n_techniques; i++)
        slugs[i] = e->e.techniques[i].name;
    *out = (struct lore_merge_row){.id = e->e.id,
        .op = e->op,
        .kernel = e->e.kernel,
        .language = e->language,
        .chip = e->e.chip,
        .workload = e->workload.id,
        .techniques = slugs,
        .n_techniques = e->e.n_techniques,
        .effect = lore_effect_find(e->outcome.effect),
        .before_ns = e->outcome.before_ns,
        .after_ns = e->outcome.after_ns,
        .speedup = e->outcome.speedup,
        .notes = e->e.notes};
}

static void
put_members(struct lore_jsonw *w, const struct lore_experiment_row *const *rows, size_t n)
{
    lore_w_key(w, "members");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_members(w, &lore_experiment_object, rows[i]);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* Members of GROUP over ROWS; the caller opens and closes the object. CHOSEN: the canonical one,
 * when somebody chose. */
static void
put_group(struct lore_jsonw *w, const struct lore_merge_group *g, const char *chosen,
    const struct lore_experiment_row *const *rows, struct lore_arena *arena)
{
    const struct lore_experiment_row **members =
        lore_alloc_array(arena, g->n_members + 1, sizeof *members);

    for (size_t i = 0; i < g->n_members; i++)
        members[i] = rows[g->members[i]];
    lore_w_kstr(w, "canonical", chosen != NULL ? chosen : rows[g->canonical]->e.id);
    lore_w_kbool(w, "conflict", g->conflict);
    lore_w_kstr(w, "notes", g->notes);
    lore_w_kstr_opt(w, "hypothesis", g->hypothesis);
    put_members(w, members, g->n_members);
}

/* Every visible experiment, newest first, at most MAX_LOOKED_AT. */
static enum lore_status
load_visible(
    struct lore_req *req, const struct lore_experiment_row ***out, size_t *n, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .op = lore_edge_operator(req), .disagrees = -1, .masked = 0, .limit = PAGE};
    size_t got = 0, cap = 0;

    do {
        struct lore_experiment_row *rows = NULL;
        enum lore_status status = lore_list_experiments(req->db, &f, req->arena, &rows, &got, err);
        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < got; i++)
            *LORE_PUSH(req->arena, *out, *n, cap) = &rows[i];
        if (got > 0)
            f.before = rows[got - 1].seq;
    } while (got == PAGE && *n < MAX_LOOKED_AT);
    return LORE_OK;
}

enum lore_status
lore_api_merge_proposals(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_experiment_row **rows = NULL;
    struct lore_merge_group *groups = NULL;
    struct lore_merge_row *looked;
    struct lore_jsonw w;
    size_t n = 0, n_groups = 0;
    enum lore_status status = load_visible(req, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    looked = lore_alloc_array(req->arena, n + 1, sizeof *looked);
    for (size_t i = 0; i < n; i++)
        to_row(req->arena, rows[i], &looked[i]);
    lore_merge_propose(looked, n, req->arena, &groups, &n_groups);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n_groups; i++) {
        lore_w_obj(&w);
        put_group(&w, &groups[i], NULL, rows, req->arena);
        lore_w_obj_end(&w);
    }
    lore_rows_end(&w, false, 0);
    lore_w_ki64(&w, "looked_at", (int64_t)n);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* The members named in the body, loaded. */
static enum lore_status
load_members(struct lore_req *req, const struct lore_json *list, struct lore_texts *ids,
    const struct lore_experiment_row ***out, struct lore_err *err)
{
    size_t n = 0, cap = 0;

    if (list == NULL || list->type != LORE_J_ARRAY || list->len < 2 || list->len > MAX_MEMBERS)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "members",
            "members: required: a list of 2 to %d experiments", MAX_MEMBERS);
    for (const struct lore_json *m = list->child; m != NULL; m = m->next) {
        struct lore_experiment_row *row = lore_alloc(req->arena, sizeof *row);
        enum lore_status status;

        if (m->type != LORE_J_STRING)
            return lore_fail_at(err, LORE_INVALID, "wrong_type", "members",
                "members[%u]: expected an id", m->index);
        status = lore_get_experiment(req->db, m->str, req->arena, row, err);
        if (status != LORE_OK)
            return status;
        *LORE_PUSH(req->arena, ids->v, ids->n, ids->cap) = m->str;
        *LORE_PUSH(req->arena, *out, n, cap) = row;
    }
    return LORE_OK;
}

struct asked {
    struct lore_curation c; /* reason and id, as given */
    const char *canonical;
    struct lore_texts ids;
    bool dry_run;
};

static enum lore_status
answer(struct lore_req *req, struct lore_resp *resp, const struct asked *a,
    const struct lore_merge_group *g, const struct lore_experiment_row *const *rows,
    struct lore_err *err)
{
    struct lore_curation c = {.action = "merge",
        .subjects = a->ids,
        .canonical = a->canonical != NULL ? a->canonical : rows[g->canonical]->e.id,
        .id = a->c.id,
        .reason = a->c.reason};
    struct lore_jsonw w;
    bool again = false;
    enum lore_status status =
        a->dry_run ? LORE_OK : lore_curate_submit(req, &c, 1, false, &again, err);

    if (status != LORE_OK)
        return status;
    resp->status = a->dry_run || again ? 200 : 201;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr_opt(&w, "id", a->dry_run ? NULL : c.id);
    lore_w_kbool(&w, "applied", !a->dry_run);
    put_group(&w, g, a->canonical, rows, req->arena);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

static bool
named(const struct lore_texts *ids, const char *id)
{
    for (size_t i = 0; i < ids->n; i++)
        if (lore_streq(ids->v[i], id))
            return true;
    return false;
}

enum lore_status
lore_api_merge(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_experiment_row **rows = NULL;
    struct lore_merge_group *group = NULL;
    struct lore_json *body = NULL;
    struct lore_merge_row *looked;
    struct asked a = {0};
    enum lore_status status = lore_curate_body(req, "members|canonical|dry_run", &body, &a.c, err);

    if (status == LORE_OK)
        status = lore_json_text(body, "canonical", &a.canonical, err);
    if (status == LORE_OK)
        status = lore_json_bool(body, "dry_run", &a.dry_run, err);
    if (status == LORE_OK && !a.dry_run && req->role < LORE_CURATOR) {
        status = lore_fail_at(
            err, LORE_FORBIDDEN, "needs_curator", "dry_run", "dry_run: merging needs a curator");
        lore_err_hint(err, "a contributor may preview it: \"dry_run\": true");
    }
    if (status == LORE_OK)
        status = lore_req_read(req, NULL, err);
    if (status != LORE_OK)
        return status;
    status = load_members(req, lore_json_get(body, "members"), &a.ids, &rows, err);
    lore_req_read_end(req);
    if (status == LORE_OK && a.canonical != NULL && !named(&a.ids, a.canonical))
        status = lore_fail_at(err, LORE_INVALID, "wrong_subject", "canonical",
            "canonical: %.40s is none of the members", a.canonical);
    if (status != LORE_OK)
        return status;
    looked = lore_alloc_array(req->arena, a.ids.n, sizeof *looked);
    for (size_t i = 0; i < a.ids.n; i++)
        to_row(req->arena, rows[i], &looked[i]);
    struct lore_merge_ids wanted = {(const char *const *)a.ids.v, a.ids.n};
    status = lore_merge_preview(looked, a.ids.n, &wanted, 1, req->arena, &group, err);
    return status == LORE_OK ? answer(req, resp, &a, &group[0], rows, err) : status;
}

enum lore_status
lore_api_merge_undo(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation c = {.action = "unmerge"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, "", &body, &c, err);

    return status == LORE_OK ? lore_curate_one(req, resp, &c, LORE_K_CURATION, err) : status;
}

/* In force: some member says so. */
static enum lore_status
in_force(struct lore_req *req, const struct lore_curation_row *c, bool *out, struct lore_err *err)
{
    const char *merge = NULL, *canonical = NULL;
    enum lore_status status = c->r.subjects.n == 0 ? LORE_OK
                                                   : lore_get_merge(req->db, c->r.subjects.v[0],
                                                         req->arena, &merge, &canonical, err);

    *out = lore_streq(merge, c->r.id);
    return status;
}

/* Members are read, written and forgotten. */
static enum lore_status
put_merge(struct lore_req *req, struct lore_jsonw *w, const struct lore_curation_row *c,
    struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    const struct lore_experiment_row **members =
        lore_alloc_array(&scratch, c->r.subjects.n + 1, sizeof *members);
    enum lore_status status = LORE_OK;
    bool conflict = false;

    for (size_t i = 0; status == LORE_OK && i < c->r.subjects.n; i++) {
        struct lore_experiment_row *row = lore_alloc(&scratch, sizeof *row);

        status = lore_get_experiment(req->db, c->r.subjects.v[i], &scratch, row, err);
        members[i] = row;
        conflict = conflict || !lore_streq(row->outcome.effect, members[0]->outcome.effect);
    }
    if (status == LORE_OK) {
        lore_w_obj(w);
        lore_w_kstr(w, "id", c->r.id);
        lore_w_kstr_opt(w, "canonical", c->r.canonical);
        lore_w_kbool(w, "conflict", conflict);
        lore_w_kstr(w, "reason", c->r.reason);
        lore_w_kstr_opt(w, "actor", c->actor);
        lore_present_time(w, "at", c->at_us);
        put_members(w, members, c->r.subjects.n);
        lore_w_ki64(w, "seq", c->seq);
        lore_w_obj_end(w);
    }
    return status;
}

enum lore_status
lore_api_merges(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation_row *rows = NULL;
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more, live = false;
    enum lore_status written;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_list_curations(
            req->db, NULL, "merge", lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        status = in_force(req, &rows[i], &live, err);
        if (status == LORE_OK && live)
            status = put_merge(req, &w, &rows[i], err);
    }
    written =
        lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}
