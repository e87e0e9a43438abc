/* GET /api/v1/recommend?method=seed-score: the ranking of the experience file that Warplore
 * replaces (service/recommend/seed_score.h), for comparison. Its rows are all experiments,
 * oldest first; hidden ones only with masked=true. The recency term uses the file's own number
 * where it was imported, else the position in order of arrival. Texts are compared as submitted. */
#include "service/recommend/seed_score.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"

enum { PAGE = 200, MAX_ROWS = 20000, FAILURES_SHOWN = 50 };

struct loaded {
    const struct lore_experiment_row **rows; /* newest first */
    size_t n, cap;
};

static enum lore_status
load(struct lore_req *req, struct loaded *out, struct lore_err *err)
{
    struct lore_experiment_filter f = {.disagrees = -1, .page.limit = PAGE};
    size_t n = 0;

    f.masked = lore_arg_bool(req, "with_masked", false) ? -1 : 0;
    do {
        struct lore_experiment_row *rows = NULL;
        enum lore_status status = lore_db_list_experiments(req->db, &f, req->arena, &rows, &n, err);

        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            *LORE_PUSH(req->arena, out->rows, out->n, out->cap) = &rows[i];
        if (n > 0)
            f.page.before = rows[n - 1].seq;
        if (out->n > MAX_ROWS)
            return lore_fail(err, LORE_TOOBIG, "there are more than %d experiments", MAX_ROWS);
    } while (n == PAGE);
    return LORE_OK;
}

/* The experiment's number in its original file; OTHERWISE when there is none. */
static int64_t
number_of(const struct lore_experiment_row *e, int64_t otherwise)
{
    LORE_SCRATCH scratch = {0};
    struct lore_json *rest = NULL;
    const struct lore_json *id;
    struct lore_err ignored;
    long long v = otherwise;

    if (!e->rest || !strstr(e->rest, "\"external_id\""))
        return otherwise;
    if (lore_json_parse(e->rest, strlen(e->rest), NULL, &scratch, &rest, &ignored) == LORE_OK) {
        id = lore_json_get(lore_json_get(rest, "provenance"), "external_id");
        if (!id || id->type != LORE_J_STRING ||
            lore_parse_i64(id->str, "external_id", &v, &ignored) != LORE_OK)
            v = otherwise;
    }
    return v;
}

/* The author's outcome, else the verdict, in the file's three words. */
static const char *
outcome_of(const struct lore_experiment_row *e)
{
    enum lore_effect effect = lore_effect_find(e->outcome.effect);

    if (e->e.claim.outcome)
        effect = lore_effect_typed(e->e.claim.outcome);
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
    if (!out->bottleneck_before && labels->n > 0)
        out->bottleneck_before = labels->v[0];
    if (e->e.n_techniques > 0)
        out->optimization =
            e->e.techniques[0].raw != NULL ? e->e.techniques[0].raw : e->e.techniques[0].name;
}

#define ROW struct lore_seed_terms
static const struct lore_object_member terms[] = {
    {"!kernel", AT(kernel)},
    {"!backend", AT(backend)},
    {"!chip", AT(chip)},
    {"!bottleneck", AT(bottleneck)},
    {"!outcome", AT(success)},
    {"!recency", AT(recency)},
};
static const struct lore_object lore_seed_terms_object = LORE_OBJECT("SeedTerms", terms);
#undef ROW

struct hit {
    const char *experiment, *title, *op, *language, *chip;
    struct lore_outcome_row outcome;
    struct lore_seed_row row;
    struct lore_seed_terms terms;
};
#define ROW struct hit
static const struct lore_object_member hit[] = {
    {"!experiment", AT(experiment), "ulid"},
    {"!title", AT(title)},
    {"operator", AT(op)},
    {"language", AT(language)},
    {"chip", AT(chip)},
    {"bottleneck", AT(row.bottleneck_before)},
    {"technique", AT(row.optimization)},
    {"typed", AT(row.outcome), "success|failure|neutral"},
    {"speedup", AT(row.speedup)},
    {"!outcome", OBJECT(outcome, lore_outcome_object)},
    {"!number", AT(row.id), NULL, "in the file, or in order of arrival"},
    {"!score", AT(terms.total)},
    {"!terms", OBJECT(terms, lore_seed_terms_object)},
};
static const struct lore_object lore_seed_row_object = LORE_OBJECT("SeedRow", hit);

static const struct lore_object_member failure[] = {
    {"!experiment", AT(experiment), "ulid"},
    {"!title", AT(title)},
    {"technique", AT(row.optimization)},
};
static const struct lore_object lore_seed_failure_object = LORE_OBJECT("SeedFailure", failure);
#undef ROW

struct answer {
    struct lore_seed_answer a;
    const char *method, *fallback; /* fallback: NULL: something scored */
    struct hit *hits, *failures;
    size_t n_failures, considered;
    bool empty;
};
#define ROW struct answer
static const struct lore_object_member best[] = {
    {"!technique", AT(a.best)},
    {"!count", AT(a.best_count)},
    {"!total", AT(a.n_success)},
};
static const struct lore_object lore_seed_best_object = LORE_KEYED_OBJECT("SeedBest", best, a.best);

static const struct lore_object_member scored[] = {
    {"!all", AT(a.n_scored)},
    {"!success", AT(a.n_success)},
    {"!failure", AT(a.n_failure)},
    {"!neutral", AT(a.n_neutral)},
};
static const struct lore_object lore_seed_scored_object = LORE_OBJECT("SeedScored", scored);

static const struct lore_object_member answer[] = {
    {"!method", AT(method)},
    {"!rows", LIST(hits, a.n_hits, lore_seed_row_object)},
    {"!most_successful", PART(lore_seed_best_object)},
    {"!scored", PART(lore_seed_scored_object)},
    {"!avoid", AT(a.avoid), NULL, "failures and no success"},
    {"!empty", AT(empty), NULL, "there is no experiment"},
    {"!fallback", AT(fallback), "text?"},
    {"!failures", LIST(failures, n_failures, lore_seed_failure_object)},
    {"!considered", AT(considered)},
};
const struct lore_object lore_seed_score_object = LORE_OBJECT("SeedScore", answer);
#undef ROW

/* ROWS[AT] was made from the experiment at position AT in order of arrival. */
static struct hit
hit_of(const struct loaded *l, const struct lore_seed_row *rows, size_t at)
{
    const struct lore_experiment_row *e = l->rows[l->n - 1 - at];

    return (struct hit){.experiment = e->e.id,
        .title = e->e.title,
        .op = e->op,
        .language = e->language,
        .chip = e->e.chip,
        .outcome = e->outcome,
        .row = rows[at]};
}

static void
list_hits(struct lore_arena *arena, const struct loaded *l, const struct lore_seed_row *rows,
    struct answer *x)
{
    x->n_failures = x->a.n_failures < FAILURES_SHOWN ? x->a.n_failures : FAILURES_SHOWN;
    x->hits = lore_alloc_array(arena, x->a.n_hits + 1, sizeof *x->hits);
    x->failures = lore_alloc_array(arena, x->n_failures + 1, sizeof *x->failures);
    for (size_t i = 0; i < x->a.n_hits; i++) {
        x->hits[i] = hit_of(l, rows, x->a.hits[i].row);
        x->hits[i].terms = x->a.hits[i].terms;
    }
    for (size_t i = 0; i < x->n_failures; i++)
        x->failures[i] = hit_of(l, rows, x->a.failures[i]);
}

enum lore_status
lore_api_recommend_seed(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_language language = LORE_LANG_NONE;
    struct answer x = {.method = "seed-score@1"};
    struct lore_seed_query q = {.kernel = lore_params_operator(req),
        .bottleneck = lore_arg_text(req, "bottleneck", NULL),
        .limit = (size_t)lore_arg_i64(req, "limit", 0)};
    struct lore_seed_row *rows;
    struct loaded l = {0};
    enum lore_status status = lore_params_chip(req, &chip, err);

    if (status == LORE_OK)
        status = lore_params_language(req, &language, err);
    if (status == LORE_OK)
        status = load(req, &l, err);
    if (status != LORE_OK)
        return status;
    q.chip = !chip ? NULL : chip->name;
    q.backend = language == LORE_LANG_NONE ? NULL : lore_language_name(language);
    rows = lore_alloc_array(req->arena, l.n + 1, sizeof *rows);
    for (size_t i = 0; i < l.n; i++)
        to_row(l.rows[l.n - 1 - i], (int64_t)i + 1, &rows[i]);
    lore_seed_recommend(rows, l.n, &q, req->arena, &x.a);
    x.empty = x.a.kind == LORE_SEED_EMPTY;
    x.fallback = x.a.kind == LORE_SEED_NO_MATCH ? "last 5" : NULL;
    x.considered = l.n;
    list_hits(req->arena, &l, rows, &x);
    return lore_reply_object(resp, &lore_seed_score_object, &x, err);
}
