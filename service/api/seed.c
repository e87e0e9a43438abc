/* GET /api/v1/recommend?method=seed-score: the ranking of the experience file that Warplore
 * replaces (service/recommend/seed_score.h), for those who want to compare. Rows are all
 * experiments that are not hidden, oldest first; the id that its recency term looks at is the
 * file's own number where it was kept, else the place in order of arrival. Texts are compared as
 * they were given. */
#include "service/recommend/seed_score.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/base/text.h"

enum { PAGE = 200, MAX_ROWS = 20000, FAILURES_SHOWN = 50 };

struct loaded {
    const struct lore_experiment_row **rows; /* newest first */
    size_t n, cap;
};

static enum lore_status
load(struct lore_req *req, struct loaded *out, struct lore_err *err)
{
    struct lore_experiment_filter f = {.disagrees = -1, .limit = PAGE};
    size_t n = 0;

    f.masked = lore_arg_bool(req, "masked", false) ? -1 : 0;
    do {
        struct lore_experiment_row *rows = NULL;
        enum lore_status status = lore_list_experiments(req->db, &f, req->arena, &rows, &n, err);

        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            *LORE_PUSH(req->arena, out->rows, out->n, out->cap) = &rows[i];
        if (n > 0)
            f.before = rows[n - 1].seq;
        if (out->n > MAX_ROWS)
            return lore_fail(err, LORE_TOOBIG, "there are more than %d experiments", MAX_ROWS);
    } while (n == PAGE);
    return LORE_OK;
}

/* The number that the file it came from gave it; OTHERWISE when it came from none. */
static int64_t
number_of(const struct lore_experiment_row *e, int64_t otherwise)
{
    LORE_SCRATCH scratch = {0};
    struct lore_json *rest = NULL;
    const struct lore_json *id;
    struct lore_err ignored;
    long long v = otherwise;

    if (e->rest == NULL || strstr(e->rest, "\"external_id\"") == NULL)
        return otherwise;
    if (lore_json_parse(e->rest, strlen(e->rest), NULL, &scratch, &rest, &ignored) == LORE_OK) {
        id = lore_json_get(lore_json_get(rest, "provenance"), "external_id");
        if (id == NULL || id->type != LORE_J_STRING ||
            lore_parse_i64(id->str, "external_id", &v, &ignored) != LORE_OK)
            v = otherwise;
    }
    return v;
}

/* As typed, else what the verdict comes to in the file's three words. */
static const char *
outcome_of(const struct lore_experiment_row *e)
{
    enum lore_effect effect = lore_effect_find(e->outcome.effect);

    if (e->e.claim.outcome != NULL)
        effect = lore_typed_effect(e->e.claim.outcome);
    return effect == LORE_X_WIN       ? "success"
           : effect == LORE_X_LOSS    ? "failure"
           : effect == LORE_X_NEUTRAL ? "neutral"
                                      : NULL;
}

static void
to_row(const struct lore_experiment_row *e, int64_t at, struct lore_seed_row *out)
{
    const struct lore_texts *labels = &e->e.bottleneck.labels;

    *out = (struct lore_seed_row){.id = number_of(e, at),
        .kernel = e->op,
        .backend = e->language,
        .chip = e->e.chip,
        .bottleneck_before = e->e.bottleneck.raw_label,
        .outcome = outcome_of(e),
        .speedup = e->e.claim.speedup.set ? e->e.claim.speedup : e->outcome.speedup};
    if (out->bottleneck_before == NULL && labels->n > 0)
        out->bottleneck_before = labels->v[0];
    if (e->e.n_techniques > 0)
        out->optimization =
            e->e.techniques[0].raw != NULL ? e->e.techniques[0].raw : e->e.techniques[0].name;
}

static void
put_terms(struct lore_jsonw *w, const struct lore_seed_terms *t)
{
    lore_w_key(w, "terms");
    lore_w_obj(w);
    lore_w_ki64(w, "kernel", t->kernel);
    lore_w_ki64(w, "backend", t->backend);
    lore_w_ki64(w, "chip", t->chip);
    lore_w_ki64(w, "bottleneck", t->bottleneck);
    lore_w_ki64(w, "outcome", t->success);
    lore_w_ki64(w, "recency", t->recency);
    lore_w_obj_end(w);
}

static void
put_hit(struct lore_jsonw *w, const struct lore_experiment_row *e, const struct lore_seed_row *row,
    const struct lore_seed_hit *hit)
{
    lore_w_obj(w);
    lore_w_kstr(w, "experiment", e->e.id);
    lore_w_kstr(w, "title", e->e.title);
    lore_w_kstr_opt(w, "operator", e->op);
    lore_w_kstr_opt(w, "language", e->language);
    lore_w_kstr_opt(w, "chip", e->e.chip);
    lore_w_kstr_opt(w, "bottleneck", row->bottleneck_before);
    lore_w_kstr_opt(w, "technique", row->optimization);
    lore_w_kstr_opt(w, "typed", row->outcome);
    lore_present_f64(w, "speedup", row->speedup);
    lore_w_key(w, "outcome");
    lore_w_object(w, &lore_outcome_object, &e->outcome);
    lore_w_ki64(w, "number", row->id);
    lore_w_ki64(w, "score", hit->terms.total);
    put_terms(w, &hit->terms);
    lore_w_obj_end(w);
}

static void
put_summary(struct lore_jsonw *w, const struct lore_seed_answer *a)
{
    lore_w_key(w, "most_successful");
    if (a->best == NULL) {
        lore_w_null(w);
    } else {
        lore_w_obj(w);
        lore_w_kstr(w, "technique", a->best);
        lore_w_ki64(w, "count", (int64_t)a->best_count);
        lore_w_ki64(w, "total", (int64_t)a->n_success);
        lore_w_obj_end(w);
    }
    lore_w_key(w, "scored");
    lore_w_obj(w);
    lore_w_ki64(w, "all", (int64_t)a->n_scored);
    lore_w_ki64(w, "success", (int64_t)a->n_success);
    lore_w_ki64(w, "failure", (int64_t)a->n_failure);
    lore_w_ki64(w, "neutral", (int64_t)a->n_neutral);
    lore_w_obj_end(w);
    lore_w_kbool(w, "avoid", a->avoid);
    lore_w_kbool(w, "empty", a->kind == LORE_SEED_EMPTY);
    lore_w_kstr(w, "fallback", a->kind == LORE_SEED_NO_MATCH ? "last 5" : NULL);
}

/* ROWS[i] was made from the experiment that came i-th. */
static void
put_answer(struct lore_jsonw *w, const struct lore_seed_answer *a, const struct lore_seed_row *rows,
    const struct loaded *l)
{
    lore_w_kstr(w, "method", "seed-score@1");
    lore_w_key(w, "rows");
    lore_w_arr(w);
    for (size_t i = 0; i < a->n_hits; i++) {
        size_t at = a->hits[i].row;

        put_hit(w, l->rows[l->n - 1 - at], &rows[at], &a->hits[i]);
    }
    lore_w_arr_end(w);
    put_summary(w, a);
    lore_w_key(w, "failures");
    lore_w_arr(w);
    for (size_t i = 0; i < a->n_failures && i < FAILURES_SHOWN; i++) {
        size_t at = a->failures[i];

        lore_w_obj(w);
        lore_w_kstr(w, "experiment", l->rows[l->n - 1 - at]->e.id);
        lore_w_kstr(w, "title", l->rows[l->n - 1 - at]->e.title);
        lore_w_kstr_opt(w, "technique", rows[at].optimization);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_ki64(w, "considered", (int64_t)l->n);
}

enum lore_status
lore_api_recommend_seed(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_language language = LORE_LANG_NONE;
    struct lore_seed_answer a = {0};
    struct lore_seed_query q = {.kernel = lore_edge_operator(req),
        .bottleneck = lore_arg_text(req, "bottleneck", NULL),
        .limit = (size_t)lore_arg_i64(req, "limit", 0)};
    struct lore_seed_row *rows;
    struct loaded l = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_edge_chip(req, &chip, err);

    if (status == LORE_OK)
        status = lore_edge_language(req, &language, err);
    if (status == LORE_OK)
        status = load(req, &l, err);
    if (status != LORE_OK)
        return status;
    q.chip = chip == NULL ? NULL : chip->name;
    q.backend = language == LORE_LANG_NONE ? NULL : lore_language_name(language);
    rows = lore_alloc_array(req->arena, l.n + 1, sizeof *rows);
    for (size_t i = 0; i < l.n; i++)
        to_row(l.rows[l.n - 1 - i], (int64_t)i + 1, &rows[i]);
    lore_seed_recommend(rows, l.n, &q, req->arena, &a);
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    put_answer(&w, &a, rows, &l);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
