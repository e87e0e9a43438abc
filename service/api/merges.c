/* Merge groups: GET /api/v1/merges (in force), /merges/proposals (duplicates that were found and
 * never merge by themselves), POST /merges (preview or apply), POST /merges/{id}/undo. Members stay
 * as they are; while a group is in force only its canonical member counts as evidence. */
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/curate.h"
#include "service/api/names.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/derive/merging.h"

enum { PAGE = 200, MAX_LOOKED_AT = 5000, MAX_MEMBERS = 1000 };

/* Convert an experiment to the input of merging. */
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

/* A proposed or applied merge. */
struct preview {
    const char *id;      /* of the decision; NULL: nothing was merged */
    const bool *applied; /* NULL: a proposal */
    const char *canonical;
    struct lore_merge_group g;
    struct lore_experiment_row *members;
};

static void
write_applied(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct preview *p = row;

    if (p->applied)
        lore_w_kbool(w, key, *p->applied);
}

#define ROW struct preview
static const struct lore_object_member preview[] = {
    {"id", AT(id), "ulid"},
    {"applied", WRITTEN(write_applied), "boolean"},
    {"!canonical", AT(canonical), "ulid", "member that counts for the group"},
    {"!conflict", AT(g.conflict), NULL, "members have different effects"},
    {"!notes", AT(g.notes)},
    {"hypothesis", AT(g.hypothesis)},
    {"!members", LIST(members, g.n_members, lore_experiment_object)},
};
const struct lore_object lore_merge_preview_object = LORE_OBJECT("MergePreview", preview);
#undef ROW

/* Preview of group G over ROWS. CHOSEN: the caller's canonical member; NULL: automatic. */
static struct preview
preview_of(const struct lore_merge_group *g, const char *chosen,
    const struct lore_experiment_row *const *rows, struct lore_arena *arena)
{
    struct preview p = {.g = *g,
        .canonical = chosen != NULL ? chosen : rows[g->canonical]->e.id,
        .members = lore_alloc_array(arena, g->n_members + 1, sizeof *p.members)};

    for (size_t i = 0; i < g->n_members; i++)
        p.members[i] = *rows[g->members[i]];
    return p;
}

struct proposals {
    struct preview *rows;
    size_t n, looked_at;
    const char *next; /* NULL: all proposals are on one page */
};
#define ROW struct proposals
static const struct lore_object_member proposals[] = {
    {"!rows", LIST(rows, n, lore_merge_preview_object)},
    {"!next", AT(next), "text?"},
    {"!looked_at", AT(looked_at), NULL, "experiments"},
};
const struct lore_object lore_merge_proposals_object = LORE_OBJECT("MergeProposals", proposals);
#undef ROW

/* Every visible experiment, newest first, at most MAX_LOOKED_AT. */
static enum lore_status
load_visible(
    struct lore_req *req, const struct lore_experiment_row ***out, size_t *n, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .op = lore_params_operator(req), .disagrees = -1, .masked = 0, .page.limit = PAGE};
    size_t got = 0, cap = 0;

    do {
        struct lore_experiment_row *rows = NULL;
        enum lore_status status =
            lore_db_list_experiments(req->db, &f, req->arena, &rows, &got, err);
        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < got; i++)
            *LORE_PUSH(req->arena, *out, *n, cap) = &rows[i];
        if (got > 0)
            f.page.before = rows[got - 1].seq;
    } while (got == PAGE && *n < MAX_LOOKED_AT);
    return LORE_OK;
}

enum lore_status
lore_api_merge_proposals(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_experiment_row **rows = NULL;
    struct lore_merge_group *groups = NULL;
    struct lore_merge_row *looked;
    struct proposals x = {0};
    size_t n = 0;
    enum lore_status status = load_visible(req, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    looked = lore_alloc_array(req->arena, n + 1, sizeof *looked);
    for (size_t i = 0; i < n; i++)
        to_row(req->arena, rows[i], &looked[i]);
    lore_merging_propose(looked, n, req->arena, &groups, &x.n);
    x.looked_at = n;
    x.rows = lore_alloc_array(req->arena, x.n + 1, sizeof *x.rows);
    for (size_t i = 0; i < x.n; i++)
        x.rows[i] = preview_of(&groups[i], NULL, rows, req->arena);
    return lore_reply_object(resp, &lore_merge_proposals_object, &x, err);
}

/* Replace a name by its id. */
static enum lore_status
name_experiment(struct lore_req *req, struct lore_resp *resp, const char *path, const char **id,
    struct lore_err *err)
{
    return !*id || lore_ulid_valid(*id)
               ? LORE_OK
               : lore_naming_find(
                     &(struct lore_naming){
                         .req = req, .resp = resp, .kind = "experiment", .text = *id, .path = path},
                     id, err);
}

/* The members named in the body, loaded. */
static enum lore_status
load_members(struct lore_req *req, struct lore_resp *resp, const struct lore_json *list,
    struct lore_texts *ids, const struct lore_experiment_row ***out, struct lore_err *err)
{
    size_t n = 0, cap = 0;

    if (!list || list->type != LORE_J_ARRAY || list->len < 2 || list->len > MAX_MEMBERS)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "members",
            "members: required: a list of 2 to %d experiments", MAX_MEMBERS);
    for (const struct lore_json *m = list->child; m != NULL; m = m->next) {
        struct lore_experiment_row *row = lore_alloc(req->arena, sizeof *row);
        enum lore_status status;

        if (m->type != LORE_J_STRING)
            return lore_fail_at(err, LORE_INVALID, "wrong_type", "members",
                "members[%u]: expected an id", m->index);
        const char *id = m->str;
        status = name_experiment(req, resp, "members", &id, err);
        if (status == LORE_OK)
            status = lore_db_get_experiment(req->db, id, req->arena, row, err);
        if (status != LORE_OK)
            return status;
        *LORE_PUSH(req->arena, ids->v, ids->n, ids->cap) = id;
        *LORE_PUSH(req->arena, *out, n, cap) = row;
    }
    return LORE_OK;
}

struct asked {
    struct lore_curation c; /* reason, id and canonical, as given */
    struct lore_texts ids;
    bool dry_run;
};
#define ROW struct lore_curation
static const struct lore_object_member request[] = {
    {"", MEMBERS_HERE(lore_reason_request_object)},
    {"!members", BY_HAND, "[ulid", "2 experiments or more"},
    {"canonical", AT(canonical), "ulid", "member that counts for all"},
    {"dry_run", BY_HAND, "boolean", "preview without merging"},
};
const struct lore_object lore_merge_request_object = LORE_OBJECT("MergeRequest", request);
#undef ROW

static enum lore_status
answer(struct lore_req *req, struct lore_resp *resp, const struct asked *a,
    const struct lore_merge_group *g, const struct lore_experiment_row *const *rows,
    struct lore_err *err)
{
    struct lore_curation c = {.action = "merge",
        .subjects = a->ids,
        .canonical = a->c.canonical != NULL ? a->c.canonical : rows[g->canonical]->e.id,
        .id = a->c.id,
        .reason = a->c.reason};
    struct preview p = preview_of(g, a->c.canonical, rows, req->arena);
    bool again = false, applied = !a->dry_run;
    enum lore_status status =
        a->dry_run ? LORE_OK : lore_curate_submit(req, &c, 1, false, &again, err);

    if (status != LORE_OK)
        return status;
    resp->status = a->dry_run || again ? 200 : 201;
    p.id = applied ? c.id : NULL;
    p.applied = &applied;
    return lore_reply_object(resp, &lore_merge_preview_object, &p, err);
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
    struct lore_merge_group group;
    struct lore_json *body = NULL;
    struct lore_merge_row *looked;
    struct asked a = {0};
    enum lore_status status = lore_curate_body(req, &lore_merge_request_object, &body, &a.c, err);

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
    status = load_members(req, resp, lore_json_get(body, "members"), &a.ids, &rows, err);
    if (status == LORE_OK)
        status = name_experiment(req, resp, "canonical", &a.c.canonical, err);
    lore_req_read_end(req);
    if (status == LORE_OK && a.c.canonical && !named(&a.ids, a.c.canonical))
        status = lore_fail_at(err, LORE_INVALID, "wrong_subject", "canonical",
            "canonical: %.40s is none of the members", a.c.canonical);
    if (status != LORE_OK)
        return status;
    looked = lore_alloc_array(req->arena, a.ids.n, sizeof *looked);
    for (size_t i = 0; i < a.ids.n; i++)
        to_row(req->arena, rows[i], &looked[i]);
    struct lore_merge_ids wanted = {(const char *const *)a.ids.v, a.ids.n};
    status = lore_merging_preview(looked, a.ids.n, &wanted, req->arena, &group, err);
    return status == LORE_OK ? answer(req, resp, &a, &group, rows, err) : status;
}

enum lore_status
lore_api_merge_undo(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation c = {.action = "unmerge"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, &lore_reason_request_object, &body, &c, err);

    return status == LORE_OK ? lore_curate_one(req, resp, &c, LORE_K_CURATION, err) : status;
}

/* A merge is in force while its first subject still belongs to it. */
static enum lore_status
in_force(struct lore_req *req, const struct lore_curation_row *c, bool *out, struct lore_err *err)
{
    const char *merge = NULL, *canonical = NULL;
    enum lore_status status = c->r.subjects.n == 0 ? LORE_OK
                                                   : lore_db_get_merge(req->db, c->r.subjects.v[0],
                                                         req->arena, &merge, &canonical, err);

    *out = lore_streq(merge, c->r.id);
    return status;
}

struct group {
    struct lore_curation_row c;
    bool conflict;
    struct lore_experiment_row *members;
};
#define ROW struct group
static const struct lore_object_member group[] = {
    {"!id", AT(c.r.id), "ulid"},
    {"canonical", AT(c.r.canonical), "ulid", "member that counts for the group"},
    {"!conflict", AT(conflict), NULL, "members have different effects"},
    {"!reason", AT(c.r.reason)},
    {"actor", AT(c.actor)},
    {"at", TIME(c.at_us)},
    {"!members", LIST(members, c.r.subjects.n, lore_experiment_object)},
    {"!seq", AT(c.seq)},
};
const struct lore_object lore_merge_group_object = LORE_OBJECT("MergeGroup", group);
#undef ROW

/* Read and write one group at a time, to bound memory. */
static enum lore_status
put_merge(struct lore_req *req, struct lore_jsonw *w, const struct lore_curation_row *c,
    struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct group g = {
        .c = *c, .members = lore_alloc_array(&scratch, c->r.subjects.n + 1, sizeof *g.members)};
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < c->r.subjects.n; i++) {
        status = lore_db_get_experiment(req->db, c->r.subjects.v[i], &scratch, &g.members[i], err);
        g.conflict =
            g.conflict || !lore_streq(g.members[i].outcome.effect, g.members[0].outcome.effect);
    }
    if (status == LORE_OK)
        lore_object_write(w, &lore_merge_group_object, &g);
    return status;
}

enum lore_status
lore_api_merges(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation_row *rows = NULL;
    struct lore_list_filter f;
    struct lore_err later; /* error of a reply that is discarded */
    struct lore_paging paging;
    struct lore_jsonw w;
    size_t n = 0;
    bool more, live = false;
    enum lore_status written;
    enum lore_status status = lore_params_list(req, &paging, &f, err);

    f.action = "merge";
    if (status == LORE_OK)
        status = lore_db_list_curations(req->db, &f, req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_paging_rows(&paging, n, &more);
    lore_paging_begin(&w, resp);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        status = in_force(req, &rows[i], &live, err);
        if (status == LORE_OK && live)
            status = put_merge(req, &w, &rows[i], err);
    }
    written =
        lore_paging_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}
