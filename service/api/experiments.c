/* Experiments: the filtered list, one experiment with its related records, and facet counts.
 * Failures are listed like successes. */
#include "service/api/api.h"

#include <string.h>

#include "db/citing.h"
#include "service/api/objects.h"
#include "service/api/pairing.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/verdicts/verdicts.h"

#define ROW struct lore_use
static const struct lore_object_member use[] = {
    {"!name", AT(name)},
    {"raw", AT(raw), NULL, "as written"},
};
static const struct lore_object lore_used_technique_object = LORE_OBJECT("UsedTechnique", use);
#undef ROW

struct labels_from {
    const char *source, *rule_set, *basis, *run;
};
#define ROW struct labels_from
static const struct lore_object_member labels_from[] = {
    {"!source", AT(source), "said|derived"},
    {"rule_set", AT(rule_set), NULL, "rule set that derived them"},
    {"basis", AT(basis), "run_before|stated|earlier_run", "source of the metrics"},
    {"run", AT(run), "ulid"},
};
static const struct lore_object lore_labels_from_object = LORE_OBJECT("LabelsFrom", labels_from);
#undef ROW

/* The declared labels; if there are none, those derived from metrics. */
static uint32_t
labels_of(const struct lore_experiment_row *r)
{
    return lore_present_label_bits(&r->e.bottleneck.labels) | r->derived.labels;
}

static void
write_labels(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_present_labels(w, key, labels_of(row));
}

static void
write_labels_from(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_experiment_row *r = row;
    const struct lore_derived_bottleneck *d = &r->derived;
    struct labels_from from = {d->labels != 0 ? "derived" : "said", d->rule_set, d->basis, d->run};

    if (labels_of(r) == 0)
        return;
    lore_w_key(w, key);
    lore_object_write(w, &lore_labels_from_object, &from);
}

#define ROW struct lore_experiment_row
static const struct lore_object_member experiment[] = {
    {"!id", AT(e.id), "ulid"},
    {"!title", AT(e.title)},
    {"operator", AT(op)},
    {"family", AT(family)},
    {"!kernel", AT(e.kernel), "ulid"},
    {"kernel_name", AT(kernel_name)},
    {"language", AT(language)},
    {"project", AT(project)},
    {"copy_of", AT(copy_of), "ulid", "the earlier one that it repeats, which counts instead"},
    {"copy_of_project", AT(copy_of_project)},
    {"chip", AT(e.chip)},
    {"!workload", OBJECT(workload, lore_workload_object)},
    {"from_version", AT(e.from_version), "ulid"},
    {"to_version", AT(e.to_version), "ulid"},
    {"hypothesis", AT(e.hypothesis), "ulid"},
    {"!techniques", LIST(e.techniques, e.n_techniques, lore_used_technique_object)},
    {"!labels", WRITTEN(write_labels), "[text", "bottlenecks before the change"},
    {"raw_label", AT(e.bottleneck.raw_label), NULL, "the bottleneck as written"},
    {"labels_from", WRITTEN_ONE(write_labels_from, lore_labels_from_object), NULL,
        "whether they were declared or derived"},
    {"!evidence", NAMED(e.evidence, lore_evidence_name), LORE_EVIDENCE_NAMES},
    {"typed_outcome", AT(e.claim.outcome), NULL, "outcome as its author wrote it"},
    {"!outcome", OBJECT(outcome, lore_outcome_object)},
    {"!masked", AT(masked), NULL, "hidden from recommendations"},
    {"withheld", AT(withheld), NULL, "must not be exported"},
    {"notes", AT(e.notes)},
    {"lesson", AT(e.lesson)},
    {"author", AT(e.author)},
    {"happened_at", TIME(happened_us)},
    {"received_at", TIME(received_us)},
    {"!seq", AT(seq)},
};
const struct lore_object lore_experiment_object = LORE_OBJECT("Experiment", experiment);
#undef ROW

/* The label that the store filters on: exactly one. */
static enum lore_status
one_label(struct lore_req *req, const char **out, struct lore_err *err)
{
    uint32_t bits = 0;
    enum lore_status status = lore_params_labels(req, &bits, err);

    if (status != LORE_OK)
        return status;
    if (bits == 0 && lore_arg_text(req, "bottleneck", NULL)) {
        status = lore_fail_at(err, LORE_INVALID, "unknown_label", "bottleneck",
            "bottleneck: \"%s\" names no label to filter by",
            lore_arg_text(req, "bottleneck", NULL));
        lore_err_hint(err, "leave it out to see all");
        return status;
    }
    if ((bits & (bits - 1)) != 0) {
        status = lore_fail_at(err, LORE_INVALID, "one_label", "bottleneck",
            "bottleneck: %s: give only one label", lore_labels_text(req->arena, bits));
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
    if (!lore_arg_text(req, name, NULL))
        return -1;
    return lore_arg_bool(req, name, false);
}

/* The parameters that experiments and facets share. */
static enum lore_status
read_filter(struct lore_req *req, struct lore_experiment_filter *f, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_language language = LORE_LANG_NONE;
    enum lore_status status = lore_params_chip(req, &chip, err);

    *f = (struct lore_experiment_filter){.disagrees = -1, .masked = -1};
    if (status == LORE_OK)
        status = lore_params_language(req, &language, err);
    if (status == LORE_OK)
        status = one_label(req, &f->label, err);
    if (status != LORE_OK)
        return status;
    if (chip) {
        f->chip = chip->name;
        lore_params_chip_names(req->arena, chip, &f->chips, &f->n_chips);
    }
    f->op = lore_params_operator(req);
    f->family = lore_arg_text(req, "family", NULL);
    f->language = language == LORE_LANG_NONE ? NULL : lore_language_name(language);
    f->technique = lore_params_technique(req);
    f->effect = lore_arg_text(req, "effect", NULL);
    f->correctness = lore_arg_text(req, "correctness", NULL);
    f->process = lore_arg_text(req, "process", NULL);
    f->evidence = lore_arg_text(req, "evidence", NULL);
    f->kernel = lore_arg_text(req, "kernel", NULL);
    f->version = lore_arg_text(req, "version", NULL);
    f->campaign = lore_arg_text(req, "campaign", NULL);
    f->project = lore_arg_text(req, "project", NULL);
    f->workload = lore_arg_text(req, "workload", NULL);
    f->error_type = lore_params_error_type(req);
    f->text = lore_arg_text(req, "words", NULL);
    f->disagrees = tristate(req, "disagrees");
    f->masked = tristate(req, "masked");
    return LORE_OK;
}

enum lore_status
lore_api_experiments(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_experiment_filter f;
    struct lore_experiment_row *rows = NULL;
    struct lore_paging paging;
    struct lore_jsonw w;
    int64_t total = 0;
    size_t n = 0;
    bool more, ranked;
    enum lore_status status = read_filter(req, &f, err);

    if (status == LORE_OK)
        status = lore_params_page(req, &paging, &f.page, err);
    if (status != LORE_OK)
        return status;
    /* Search results are ranked, so their cursors are offsets; others are sequence numbers. */
    ranked = lore_experiments_ranked(&f);
    f.offset = (size_t)paging.at;
    status = lore_db_list_experiments(req->db, &f, req->arena, &rows, &n, err);
    if (status == LORE_OK)
        status = lore_count_total(req->db, &f, &total, err);
    if (status != LORE_OK)
        return status;
    n = lore_paging_rows(&paging, n, &more);
    lore_paging_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        lore_object_write(&w, &lore_experiment_object, &rows[i]);
    lore_w_arr_end(&w);
    lore_paging_next(&w, paging.sort, more,
        ranked   ? paging.at + (int64_t)n
        : n == 0 ? 0
                 : rows[n - 1].seq);
    lore_w_ki64(&w, "total", total);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* An insight that cites an experiment, with the decisions about it. */
struct citing {
    struct lore_insight_row insight;
    struct lore_standing standing;
};
#define ROW struct citing
static const struct lore_object_member citing[] = {
    {"!id", AT(insight.i.id), "ulid"},
    {"!kind", AT(insight.i.kind)},
    {"!title", AT(insight.i.title)},
    {"", MEMBERS(standing, lore_standing_object)},
};
static const struct lore_object lore_citing_object = LORE_OBJECT("CitingInsight", citing);
#undef ROW

#define ROW struct lore_attribution_row
static const struct lore_object_member attribution[] = {
    {"!", FIELDS(a, LORE_K_ATTRIBUTION)},
    {"!seq", AT(seq)},
};
static const struct lore_object lore_attribution_object = LORE_OBJECT("Attribution", attribution);
#undef ROW

#define ROW struct lore_mask_row
static const struct lore_object_member mask[] = {
    {"!masked", AT(masked)},
    {"!reason", AT(reason)},
    {"!actor", AT(actor)},
    {"at", TIME(at_us)},
};
static const struct lore_object lore_mask_object = LORE_OBJECT("Mask", mask);
#undef ROW

/* Runs are read while the answer is written, one by one. */
struct reading {
    struct lore_object_reading of;
    struct lore_pairing pairing;
    struct lore_arena scratch; /* every sample of the experiment */
};

/* One experiment with its related records. */
struct related {
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
    struct citing *insights;
    size_t n_insights;
    struct lore_claim_check check;
    const struct lore_rule_decision *decided; /* NULL: no rule was written before the run */
    struct lore_synergy *synergy;             /* NULL: no ablation, or no measured gain */
    struct reading *reading;
};

/* Read and write one run at a time, to bound memory. */
static enum lore_status
write_run(struct lore_jsonw *w, const char *id, struct reading *r, int after)
{
    LORE_SCRATCH scratch = {0};
    struct lore_run_row run = {0};
    enum lore_status status = lore_db_get_run(r->of.db, id, &scratch, &run, &r->of.err);

    if (status == LORE_OK) {
        lore_object_write(w, &lore_run_full_object, &run);
        lore_pairing_add(&r->pairing, after, &run, &r->scratch);
    }
    return status;
}

static void
write_runs(struct lore_jsonw *w, const char *key, const struct lore_texts *ids, struct reading *r)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; r->of.status == LORE_OK && i < ids->n; i++)
        r->of.status = write_run(w, ids->v[i], r, lore_streq(key, "after"));
    lore_w_arr_end(w);
}

static void
write_before(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct related *x = row;

    write_runs(w, key, &x->e.e.runs_before, x->reading);
}

static void
write_after(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct related *x = row;

    write_runs(w, key, &x->e.e.runs_after, x->reading);
}

static void
write_paired(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct related *x = row;
    struct lore_paired p = {0};
    bool known = lore_pairing_compare(&x->reading->pairing, x->e.e.id, &x->reading->scratch, &p);

    lore_w_key(w, key);
    lore_object_write(w, &lore_paired_object, known ? &p : NULL);
}

#define ROW struct related
static const struct lore_object_member full[] = {
    {"", MEMBERS(e, lore_experiment_object)},
    {"!record", RECORD(e.e, LORE_K_EXPERIMENT, e.rest)},
    {"!before", WRITTEN_LIST(write_before, lore_run_full_object)},
    {"!after", WRITTEN_LIST(write_after, lore_run_full_object)},
    {"!paired", WRITTEN_ONE(write_paired, lore_paired_object), "#Paired?",
        "samples that were taken in turns"},
    {"!hypothesis_record", OBJECT(hypothesis, lore_hypothesis_object)},
    {"!judgements", LIST(judgements, n_judgements, lore_judgement_object)},
    {"!claim_verdict", AT(check.verdict), "text?"},
    {"!decision", POINTER(decided, lore_decided_object)},
    {"!watch", LIST(check.watch, check.n_watch, lore_watched_object)},
    {"!technique_verdicts", LIST(techniques, n_techniques, lore_technique_verdict_object)},
    {"!synergy", POINTER(synergy, lore_synergy_object)},
    {"!attributions", LIST(attributions, n_attributions, lore_attribution_object)},
    {"!insights", LIST(insights, n_insights, lore_citing_object), NULL, "lessons that cite it"},
    {"!outcomes", LIST(outcomes, n_outcomes, lore_outcome_object), NULL, "newest first"},
    {"!masks", LIST(masks, n_masks, lore_mask_object)},
    {"document", AT(e.document), "ulid"},
};
const struct lore_object lore_experiment_full_object = LORE_OBJECT("ExperimentFull", full);
#undef ROW

static enum lore_status
read_synergy(struct lore_req *req, struct related *x, struct lore_err *err)
{
    struct lore_synergy *s = lore_alloc(req->arena, sizeof *s);
    enum lore_status status =
        lore_verdicts_synergy(req->db, x->e.e.id, &x->e.outcome, &x->reading->scratch, s, err);

    if (status == LORE_OK && s->total_ns.set)
        x->synergy = s;
    return status;
}

static enum lore_status
read_verdicts(struct lore_req *req, struct related *x, struct lore_err *err)
{
    struct lore_arena *a = req->arena;
    const char *id = x->e.e.id;
    enum lore_status status =
        lore_db_list_judgements(req->db, id, a, &x->judgements, &x->n_judgements, err);

    if (status == LORE_OK)
        status =
            lore_db_list_technique_verdicts(req->db, id, a, &x->techniques, &x->n_techniques, err);
    if (status == LORE_OK)
        status = lore_params_require_visible(req, x->e.e.id, err);
    if (status == LORE_OK && x->e.e.hypothesis)
        status = lore_verdicts_claim_check(req->db, id, &x->reading->scratch, &x->check, err);
    if (status == LORE_OK && x->n_attributions > 0)
        status = read_synergy(req, x, err);
    if (x->check.has_rule)
        x->decided = &x->check.decided;
    return status;
}

static enum lore_status
read_insights(struct lore_req *req, struct related *x, struct lore_err *err)
{
    struct lore_insight_row *rows = NULL;
    enum lore_status status =
        lore_db_list_citing(req->db, x->e.e.id, req->arena, &rows, &x->n_insights, err);

    if (status == LORE_OK)
        x->insights = lore_alloc_array(req->arena, x->n_insights + 1, sizeof *x->insights);
    for (size_t i = 0; status == LORE_OK && i < x->n_insights; i++) {
        x->insights[i].insight = rows[i];
        status =
            lore_db_get_standing(req->db, rows[i].i.id, req->arena, &x->insights[i].standing, err);
    }
    return status;
}

static enum lore_status
read_related(struct lore_req *req, struct related *x, struct lore_err *err)
{
    struct lore_arena *a = req->arena;
    enum lore_status status = lore_db_get_experiment(req->db, req->vars[0], a, &x->e, err);

    if (status == LORE_OK && x->e.e.hypothesis)
        status = lore_db_get_hypothesis(req->db, x->e.e.hypothesis, a, &x->hypothesis, err);
    if (status == LORE_OK)
        status = lore_db_list_attributions(
            req->db, x->e.e.id, a, &x->attributions, &x->n_attributions, err);
    if (status == LORE_OK)
        status = lore_db_list_outcomes(req->db, x->e.e.id, a, &x->outcomes, &x->n_outcomes, err);
    if (status == LORE_OK)
        status = lore_db_list_masks(req->db, x->e.e.id, a, &x->masks, &x->n_masks, err);
    if (status == LORE_OK)
        status = read_verdicts(req, x, err);
    if (status == LORE_OK)
        status = read_insights(req, x, err);
    return status;
}

static void
free_reading(struct reading *r)
{
    lore_arena_free(&r->scratch);
}

enum lore_status
lore_api_experiment(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    __attribute__((cleanup(free_reading))) struct reading reading = {.of = {.db = req->db}};
    struct related x = {.reading = &reading};
    enum lore_status status = read_related(req, &x, err);

    return status == LORE_OK
               ? lore_reply_reading(resp, &lore_experiment_full_object, &x, &reading.of, err)
               : status;
}

#define ROW struct lore_count
static const struct lore_object_member count[] = {{"!name", AT(name)}, {"!n", AT(n)}};
static const struct lore_object lore_count_object = LORE_OBJECT("FacetCount", count);
#undef ROW

#define FACET(name) LIST(of[name].v, of[name].n, lore_count_object)
#define ROW struct lore_facets
static const struct lore_object_member facets[] = {
    {"!total", AT(total)},
    {"!operator", FACET(LORE_FACET_OPERATOR)},
    {"!chip", FACET(LORE_FACET_CHIP)},
    {"!language", FACET(LORE_FACET_LANGUAGE)},
    {"!technique", FACET(LORE_FACET_TECHNIQUE)},
    {"!effect", FACET(LORE_FACET_EFFECT)},
    {"!evidence", FACET(LORE_FACET_EVIDENCE)},
    {"!bottleneck", FACET(LORE_FACET_LABEL)},
};
const struct lore_object lore_facets_object = LORE_OBJECT("Facets", facets);
#undef ROW

enum lore_status
lore_api_facets(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_experiment_filter f;
    struct lore_facets x;
    enum lore_status status = read_filter(req, &f, err);

    if (status == LORE_OK)
        status = lore_count_facets(req->db, &f, req->arena, &x, err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_facets_object, &x, err) : status;
}
