/* GET /api/v1/records/{id}: any stored record by its id, whatever it is, with what people decided
 * about it. Some kinds have an address of their own, which says more; technique definitions,
 * verifications and attributions are read one by one only here. */
#include "service/api/records.h"

#include "service/api/api_knowledge.h"
#include "service/api/present.h"
#include "service/base/text.h"

/* What every kind of row has: the record itself, and what no column took. */
struct whole {
    const void *record;
    const char *rest;
};

#define LOAD(noun, member)                                                                         \
    static enum lore_status load_##noun(struct lore_db *db, const char *id, struct lore_arena *a,  \
        struct whole *out, struct lore_err *err)                                                   \
    {                                                                                              \
        struct lore_##noun##_row *row = lore_alloc(a, sizeof *row);                                \
        enum lore_status status = lore_get_##noun(db, id, a, row, err);                            \
                                                                                                   \
        if (status == LORE_OK)                                                                     \
            *out = (struct whole){&row->member, row->rest};                                        \
        return status;                                                                             \
    }
LOAD(kernel, k)
LOAD(version, v)
LOAD(environment, e)
LOAD(run, r)
LOAD(hypothesis, h)
LOAD(experiment, e)
LOAD(attribution, a)
LOAD(insight, i)
LOAD(source_document, r)
LOAD(spec, r)
LOAD(technique_def, r)
LOAD(verification, r)
LOAD(campaign, r)
LOAD(direction, r)
LOAD(curation, r)

static const struct {
    enum lore_status (*load)(struct lore_db *db, const char *id, struct lore_arena *a,
        struct whole *out, struct lore_err *err);
    const char *address; /* NULL: none of its own */
} kinds[LORE_K_COUNT] = {
    [LORE_K_KERNEL] = {load_kernel, "kernels"},
    [LORE_K_VERSION] = {load_version, "versions"},
    [LORE_K_ENVIRONMENT] = {load_environment, "environments"},
    [LORE_K_RUN] = {load_run, "runs"},
    [LORE_K_HYPOTHESIS] = {load_hypothesis, "hypotheses"},
    [LORE_K_EXPERIMENT] = {load_experiment, "experiments"},
    [LORE_K_ATTRIBUTION] = {load_attribution, NULL},
    [LORE_K_INSIGHT] = {load_insight, "insights"},
    [LORE_K_SOURCE_DOCUMENT] = {load_source_document, "source-documents"},
    [LORE_K_SPEC] = {load_spec, "specs"},
    [LORE_K_TECHNIQUE] = {load_technique_def, NULL},
    [LORE_K_VERIFICATION] = {load_verification, NULL},
    [LORE_K_CAMPAIGN] = {load_campaign, "campaigns"},
    [LORE_K_DIRECTION] = {load_direction, "directions"},
    [LORE_K_CURATION] = {load_curation, "curations"},
};

const char *
lore_record_address(struct lore_arena *arena, const char *kind, const char *id)
{
    for (int k = 0; k < LORE_K_COUNT; k++)
        if (lore_streq(lore_kind_name(k), kind) && kinds[k].address != NULL)
            return lore_format(arena, "/api/v1/%s/%s", kinds[k].address, id);
    return lore_format(arena, "/api/v1/records/%s", id);
}

void
lore_present_review(struct lore_jsonw *w, const struct lore_standing *s)
{
    lore_w_key(w, "review");
    if (s->review == NULL) {
        lore_w_null(w);
    } else {
        lore_w_obj(w);
        lore_w_kstr(w, "state", s->review);
        lore_w_kstr_opt(w, "by", s->reviewer);
        lore_w_kstr_opt(w, "reason", s->review_reason);
        lore_w_obj_end(w);
    }
    lore_w_kbool(w, "retracted", s->retracted);
    lore_w_kstr_opt(w, "retraction", s->retraction);
}

/* What only an experiment can be: hidden, and in a merge group. */
static enum lore_status
put_hidden(struct lore_req *req, struct lore_jsonw *w, const char *id, struct lore_err *err)
{
    const char *merge = NULL, *canonical = NULL, *why = NULL;
    enum lore_status status = lore_get_hidden_why(req->db, id, &why, err);

    if (status == LORE_OK)
        status = lore_get_merge(req->db, id, req->arena, &merge, &canonical, err);
    if (status != LORE_OK)
        return status;
    lore_w_kbool(w, "masked", why != NULL);
    lore_w_kstr_opt(w, "hidden_why", why);
    lore_w_kstr_opt(w, "merge", merge);
    lore_w_kstr_opt(w, "canonical", canonical);
    return LORE_OK;
}

static enum lore_status
put_record(struct lore_req *req, struct lore_jsonw *w, const struct lore_found *found,
    const struct whole *whole, struct lore_err *err)
{
    const char *id = req->vars[0];
    struct lore_standing s = {0};
    enum lore_status status = lore_get_standing(req->db, id, req->arena, &s, err);

    if (status != LORE_OK)
        return status;
    lore_w_obj(w);
    lore_w_kstr(w, "kind", lore_kind_name(found->kind));
    lore_w_kstr(w, "id", id);
    lore_w_kstr(w, "document", found->document);
    lore_w_kstr(w, "actor", found->actor);
    if (kinds[found->kind].address != NULL)
        lore_w_kstr(w, "address", lore_record_address(req->arena, lore_kind_name(found->kind), id));
    lore_w_key(w, "standing");
    lore_w_obj(w);
    lore_present_review(w, &s);
    if (found->kind == LORE_K_EXPERIMENT)
        status = put_hidden(req, w, id, err);
    lore_w_obj_end(w);
    lore_present_record(w, found->kind, whole->record, whole->rest);
    lore_w_obj_end(w);
    return status;
}

enum lore_status
lore_api_record(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_found found = {0};
    struct whole whole = {0};
    struct lore_jsonw w;
    enum lore_status written;
    enum lore_status status = lore_find_record(req->db, req->vars[0], req->arena, &found, err);

    if (status == LORE_OK)
        status = kinds[found.kind].load(req->db, req->vars[0], req->arena, &whole, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    status = put_record(req, &w, &found, &whole, err);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}
