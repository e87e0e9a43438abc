/* Experiments: the list under facets, one with everything around it, the counts of the facets,
 * and the mask. Failures are listed like successes. */
#include "service/api/api.h"

#include <string.h>

#include "db/citing.h"
#include "service/api/edge.h"
#include "service/api/pairing.h"
#include "service/api/present.h"
#include "service/api/present_verdicts.h"
#include "service/api/records.h"
#include "service/base/text.h"

/* The label that the store filters on: exactly one. */
static enum lore_status
one_label(struct lore_req *req, const char **out, struct lore_err *err)
{
    uint32_t bits = 0;
    enum lore_status status = lore_edge_labels(req, &bits, err);

    if (status != LORE_OK)
        return status;
    if (bits == 0 && lore_arg_text(req, "bottleneck", NULL) != NULL) {
        status = lore_fail_at(err, LORE_INVALID, "unknown_label", "bottleneck",
            "bottleneck: \"%s\" names no label to filter by",
            lore_arg_text(req, "bottleneck", NULL));
        lore_err_hint(err, "leave it out to see all");
        return status;
    }
    if ((bits & (bits - 1)) != 0) {
        status = lore_fail_at(err, LORE_INVALID, "one_label", "bottleneck",
            "bottleneck: %s: one label filters experiments", lore_labels_text(req->arena, bits));
        lore_err_hint(err, "ask once per label");
        return status;
    }
    *out = bits == 0 ? NULL : lore_labels_text(req->arena, bits);
    return LORE_OK;
}

/* -1 when not given. */
static int
tristate(const struct lore_req *req, const char *name)
{
    if (lore_arg_text(req, name, NULL) == NULL)
        return -1;
    return lore_arg_bool(req, name, false);
}

/* The parameters that experiments and facets share. */
static enum lore_status
read_filter(struct lore_req *req, struct lore_experiment_filter *f, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_language language = LORE_LANG_NONE;
    enum lore_status status = lore_edge_chip(req, &chip, err);

    *f = (struct lore_experiment_filter){.disagrees = -1, .masked = -1};
    if (status == LORE_OK)
        status = lore_edge_language(req, &language, err);
    if (status == LORE_OK)
        status = one_label(req, &f->label, err);
    if (status != LORE_OK)
        return status;
    if (chip != NULL) {
        f->chip = chip->name;
        lore_edge_chip_names(req->arena, chip, &f->chips, &f->n_chips);
    }
    f->op = lore_edge_operator(req);
    f->family = lore_arg_text(req, "family", NULL);
    f->language = language == LORE_LANG_NONE ? NULL : lore_language_name(language);
    f->technique = lore_edge_technique(req);
    f->effect = lore_arg_text(req, "effect", NULL);
    f->correctness = lore_arg_text(req, "correctness", NULL);
    f->process = lore_arg_text(req, "process", NULL);
    f->evidence = lore_arg_text(req, "evidence", NULL);
    f->kernel = lore_arg_text(req, "kernel", NULL);
    f->version = lore_arg_text(req, "version", NULL);
    f->campaign = lore_arg_text(req, "campaign", NULL);
    f->workload = lore_arg_text(req, "workload", NULL);
    f->error_type = lore_arg_text(req, "error_type", NULL);
    f->text = lore_arg_text(req, "q", NULL);
    f->disagrees = tristate(req, "disagrees");
    f->masked = tristate(req, "masked");
    return LORE_OK;
}

enum lore_status
lore_api_experiments(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_experiment_filter f;
    struct lore_experiment_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    int64_t total = 0;
    size_t n = 0;
    bool more;
    enum lore_status status = read_filter(req, &f, err);

    if (status == LORE_OK)
        status = lore_edge_cut(req, &cut, err);
    if (status != LORE_OK)
        return status;
    /* By text the best match comes first, so pages go by offset; else by order of arrival. */
    if (f.text != NULL)
        f.offset = (size_t)cut.at;
    else
        f.before = cut.at;
    f.limit = cut.limit + 1;
    status = lore_list_experiments(req->db, &f, req->arena, &rows, &n, err);
    if (status == LORE_OK)
        status = lore_count_total(req->db, &f, &total, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_present_experiment(&w, &rows[i]);
        lore_w_obj_end(&w);
    }
    lore_rows_end(&w, more, f.text != NULL ? cut.at + (int64_t)n : n == 0 ? 0 : rows[n - 1].seq);
    lore_w_ki64(&w, "total", total);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* What surrounds one experiment. */
struct around {
    struct lore_experiment_row e;
    struct lore_hypothesis_row hypothesis;
    struct lore_attribution_row *attributions;
    size_t n_attributions;
    struct lore_outcome_row *outcomes;
    size_t n_outcomes;
    struct lore_mask_row *masks;
    size_t n_masks;
    struct lore_judgement_row *judgements;
    size_t n_judgements;
    struct lore_technique_verdict_row *techniques;
    size_t n_techniques;
    struct lore_insight_row *insights;
    struct lore_standing *reviews; /* of each insight */
    size_t n_insights;
    struct lore_claim_check check;
    struct lore_arena scratch; /* every sample of the experiment: not in the request's memory */
    bool has_synergy;
    struct lore_synergy synergy;
    struct lore_pairing pairing;
};

static enum lore_status
read_verdicts(struct lore_req *req, struct around *x, struct lore_err *err)
{
    struct lore_arena *a = req->arena;
    const char *id = x->e.e.id;
    enum lore_status status =
        lore_list_judgements(req->db, id, a, &x->judgements, &x->n_judgements, err);

    if (status == LORE_OK)
        status =
            lore_list_technique_verdicts(req->db, id, a, &x->techniques, &x->n_techniques, err);
    if (status == LORE_OK)
        status = lore_edge_unmasked(req, x->e.e.id, err);
    if (status == LORE_OK && x->e.e.hypothesis != NULL)
        status = lore_get_claim_check(req->db, id, &x->scratch, &x->check, err);
    if (status == LORE_OK && x->n_attributions > 0)
        status = lore_get_synergy(
            req->db, id, &x->e.outcome, &x->scratch, &x->has_synergy, &x->synergy, err);
    return status;
}

static enum lore_status
read_insights(struct lore_req *req, struct around *x, struct lore_err *err)
{
    enum lore_status status =
        lore_list_citing(req->db, x->e.e.id, req->arena, &x->insights, &x->n_insights, err);

    if (status == LORE_OK)
        x->reviews = lore_alloc_array(req->arena, x->n_insights + 1, sizeof *x->reviews);
    for (size_t i = 0; status == LORE_OK && i < x->n_insights; i++)
        status = lore_get_standing(req->db, x->insights[i].i.id, req->arena, &x->reviews[i], err);
    return status;
}

static enum lore_status
read_around(struct lore_req *req, struct around *x, struct lore_err *err)
{
    struct lore_arena *a = req->arena;
    enum lore_status status = lore_get_experiment(req->db, req->vars[0], a, &x->e, err);

    if (status == LORE_OK && x->e.e.hypothesis != NULL)
        status = lore_get_hypothesis(req->db, x->e.e.hypothesis, a, &x->hypothesis, err);
    if (status == LORE_OK)
        status = lore_list_attributions(
            req->db, x->e.e.id, a, &x->attributions, &x->n_attributions, err);
    if (status == LORE_OK)
        status = lore_list_outcomes(req->db, x->e.e.id, a, &x->outcomes, &x->n_outcomes, err);
    if (status == LORE_OK)
        status = lore_list_masks(req->db, x->e.e.id, a, &x->masks, &x->n_masks, err);
    if (status == LORE_OK)
        status = read_verdicts(req, x, err);
    if (status == LORE_OK)
        status = read_insights(req, x, err);
    return status;
}

/* Each run is read, written and forgotten: all their samples at once may be more than a request's
 * memory holds. */
static enum lore_status
write_run(struct lore_jsonw *w, struct lore_db *db, const char *id, struct around *x, int after,
    struct lore_err *err)
{
    struct lore_arena scratch = {0};
    struct lore_run_row run = {0};
    enum lore_status status = lore_get_run(db, id, &scratch, &run, err);

    if (status == LORE_OK) {
        lore_w_obj(w);
        lore_present_run_whole(w, &run);
        lore_w_obj_end(w);
        lore_pairing_add(&x->pairing, after, &run, &x->scratch);
    }
    lore_arena_free(&scratch);
    return status;
}

static enum lore_status
write_runs(
    struct lore_jsonw *w, struct lore_db *db, struct around *x, int after, struct lore_err *err)
{
    const struct lore_texts *ids = after ? &x->e.e.runs_after : &x->e.e.runs_before;
    enum lore_status status = LORE_OK;

    lore_w_key(w, after ? "after" : "before");
    lore_w_arr(w);
    for (size_t i = 0; status == LORE_OK && i < ids->n; i++)
        status = write_run(w, db, ids->v[i], x, after, err);
    lore_w_arr_end(w);
    return status;
}

static void
write_attributions(struct lore_jsonw *w, const struct lore_attribution_row *rows, size_t n)
{
    lore_w_key(w, "attributions");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_wire_members(w, LORE_K_ATTRIBUTION, &rows[i].a);
        lore_w_ki64(w, "seq", rows[i].seq);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* The lessons that rest on it; what they say is at their own address. */
static void
write_insights(struct lore_jsonw *w, const struct around *x)
{
    lore_w_key(w, "insights");
    lore_w_arr(w);
    for (size_t i = 0; i < x->n_insights; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "id", x->insights[i].i.id);
        lore_w_kstr(w, "kind", x->insights[i].i.kind);
        lore_w_kstr(w, "title", x->insights[i].i.title);
        lore_present_review(w, &x->reviews[i]);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
write_history(struct lore_jsonw *w, const struct around *x)
{
    lore_w_key(w, "outcomes");
    lore_w_arr(w);
    for (size_t i = 0; i < x->n_outcomes; i++)
        lore_present_outcome(w, &x->outcomes[i]);
    lore_w_arr_end(w);
    lore_w_key(w, "masks");
    lore_w_arr(w);
    for (size_t i = 0; i < x->n_masks; i++) {
        lore_w_obj(w);
        lore_w_kbool(w, "masked", x->masks[i].masked);
        lore_w_kstr(w, "reason", x->masks[i].reason);
        lore_w_kstr(w, "actor", x->masks[i].actor);
        lore_present_time(w, "at", x->masks[i].at_us);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
write_rest(struct lore_jsonw *w, const struct around *x)
{
    lore_w_key(w, "hypothesis_record");
    if (x->hypothesis.h.id == NULL)
        lore_w_null(w);
    else
        lore_present_hypothesis(w, &x->hypothesis);
    lore_present_judgements(w, x->judgements, x->n_judgements);
    lore_present_claim_check(w, &x->check);
    lore_present_technique_verdicts(w, x->techniques, x->n_techniques);
    lore_present_synergy(w, x->has_synergy, &x->synergy);
    write_attributions(w, x->attributions, x->n_attributions);
    write_insights(w, x);
    write_history(w, x);
    lore_w_kstr_opt(w, "document", x->e.document);
}

enum lore_status
lore_api_experiment(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct around x = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_jsonw w;
    enum lore_status status = read_around(req, &x, err), written;

    if (status != LORE_OK) {
        lore_arena_free(&x.scratch);
        return status;
    }
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_present_experiment(&w, &x.e);
    lore_present_record(&w, LORE_K_EXPERIMENT, &x.e.e, x.e.rest);
    status = write_runs(&w, req->db, &x, 0, err);
    if (status == LORE_OK)
        status = write_runs(&w, req->db, &x, 1, err);
    lore_present_paired(&w, &x.pairing, x.e.e.id, &x.scratch);
    write_rest(&w, &x);
    lore_arena_free(&x.scratch);
    lore_w_obj_end(&w);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

enum lore_status
lore_api_facets(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const struct {
        const char *name;
        enum lore_facet facet;
    } shown[] = {{"operator", LORE_FACET_OPERATOR}, {"chip", LORE_FACET_CHIP},
        {"language", LORE_FACET_LANGUAGE}, {"technique", LORE_FACET_TECHNIQUE},
        {"effect", LORE_FACET_EFFECT}, {"evidence", LORE_FACET_EVIDENCE},
        {"bottleneck", LORE_FACET_LABEL}};
    struct lore_experiment_filter f;
    struct lore_facets facets;
    struct lore_jsonw w;
    enum lore_status status = read_filter(req, &f, err);

    if (status == LORE_OK)
        status = lore_count_facets(req->db, &f, req->arena, &facets, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "total", facets.total);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const struct lore_counts *c = &facets.of[shown[i].facet];

        lore_w_key(&w, shown[i].name);
        lore_w_arr(&w);
        for (size_t k = 0; k < c->n; k++) {
            lore_w_obj(&w);
            lore_w_kstr(&w, "name", c->v[k].name);
            lore_w_ki64(&w, "n", c->v[k].n);
            lore_w_obj_end(&w);
        }
        lore_w_arr_end(&w);
    }
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
