/* Storing experiments, the unit of experience: the row, its techniques, the runs it compares, and
 * its words for search.
 *
 * The verdict is not written here: outcome.c stores what service/derive found, and with it the row
 * that makes the experiment appear in lists. */
#include <stdio.h>
#include <string.h>

#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/metrics.h"
#include "db/names_inner.h"
#include "db/put_inner.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/seen.h"
#include "db/workload.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

/* What is resolved or made before the row is written. */
struct resolved {
    const struct lore_name *kernel; /* a: operator, b: language */
    const char *workload, *chip, *title, *labels, *rest;
    size_t before_len; /* of the packed metrics in scratch: before, then after */
};

/* A chip or workload that the experiment leaves out is that of its runs. */
static enum lore_status
inherit(const struct lore_put_ctx *c, const struct lore_experiment *r, struct resolved *x,
    struct lore_err *err)
{
    LORE_STMT q = {0};
    const char *run = r->runs_after.n > 0    ? r->runs_after.v[0]
                      : r->runs_before.n > 0 ? r->runs_before.v[0]
                                             : NULL;

    if (run == NULL || (x->chip != NULL && x->workload != NULL))
        return LORE_OK;
    q = lore_sql(c->db, "SELECT chip, workload FROM fact_run WHERE id = $1");
    lore_bind_text(&q, 1, run);
    if (lore_row(&q)) {
        x->chip = x->chip != NULL ? x->chip : lore_col_text(&q, 0, c->arena);
        x->workload = x->workload != NULL ? x->workload : lore_col_text(&q, 1, c->arena);
    }
    return lore_done(&q, err);
}

/* One that was not applied, or was blocked, is told in the rest and was never tried. */
static bool
tried(const struct lore_use *use)
{
    return use->status == NULL || strcmp(use->status, "applied") == 0;
}

static const char *
title_of(const struct lore_experiment *r, struct lore_arena *a)
{
    const char *names = NULL;

    if (r->title != NULL)
        return r->title;
    for (size_t i = 0; i < r->n_techniques; i++) {
        const char *name = r->techniques[i].name;

        if (tried(&r->techniques[i]))
            names = names == NULL ? name : lore_format(a, "%s + %s", names, name);
    }
    return names != NULL ? names : "untitled experiment";
}

/* Does a column of fact_experiment_technique not take all of USE? */
static bool
has_story(const struct lore_use *use)
{
    return use->params.n > 0 || use->priority.set || use->strength.set || use->evidence != NULL ||
           use->expected != NULL || use->status != NULL;
}

/* What a workflow around the experiment says about it. */
static bool
has_context(const struct lore_experiment *r)
{
    return r->campaign != NULL || r->iteration.set || r->retries.set || r->repeat_count.set ||
           r->decision != NULL || r->gate.set || r->n_skipped > 0 || r->n_pitfalls > 0 ||
           r->n_references > 0 || r->n_lookups > 0 || r->n_targets > 0;
}

static void
keep_context(const struct lore_experiment *r, struct lore_experiment *lean)
{
    lean->campaign = r->campaign;
    lean->iteration = r->iteration;
    lean->retries = r->retries;
    lean->repeat_count = r->repeat_count;
    lean->decision = r->decision;
    lean->gate = r->gate;
    lean->skipped = r->skipped;
    lean->n_skipped = r->n_skipped;
    lean->pitfalls = r->pitfalls;
    lean->n_pitfalls = r->n_pitfalls;
    lean->references = r->references;
    lean->n_references = r->n_references;
    lean->lookups = r->lookups;
    lean->n_lookups = r->n_lookups;
    lean->targets = r->targets;
    lean->n_targets = r->n_targets;
}

/* The members that no column or link takes; NULL, without touching JSON, when there are none. */
static enum lore_status
rest_of(
    const struct lore_experiment *r, struct lore_arena *a, const char **out, struct lore_err *err)
{
    struct lore_experiment lean = {.provenance = r->provenance, .extra = r->extra};
    bool any = r->extra != NULL || lore_rest_provenance(&r->provenance) || has_context(r);

    keep_context(r, &lean);
    for (size_t i = 0; i < r->n_techniques; i++)
        if (has_story(&r->techniques[i])) {
            lean.techniques = r->techniques;
            lean.n_techniques = r->n_techniques;
        }
    for (size_t i = 0; i < r->n_violations; i++)
        if (r->violations[i].detail != NULL || strchr(r->violations[i].rule, ',') != NULL) {
            lean.violations = r->violations;
            lean.n_violations = r->n_violations;
        }
    if (r->bottleneck.rule_set != NULL || r->bottleneck.evidence != NULL)
        lean.bottleneck = r->bottleneck;
    if (!any && lean.n_techniques == 0 && lean.n_violations == 0 &&
        lean.bottleneck.rule_set == NULL && lean.bottleneck.evidence == NULL)
        return LORE_OK;
    return lore_rest_write(LORE_K_EXPERIMENT, &lean, a, out, err);
}

static enum lore_status
resolve(const struct lore_put_ctx *c, const struct lore_experiment *r, struct resolved *x,
    struct lore_err *err)
{
    struct lore_buf *packed = &c->db->scratch;
    enum lore_status status;

    x->chip = r->chip;
    x->title = title_of(r, c->arena);
    x->labels = lore_join(&r->bottleneck.labels, '+', c->arena);
    status = lore_name_kernel(c->db, r->kernel, "kernel", &x->kernel, err);
    if (status == LORE_OK)
        status = lore_workload_put(c, &r->workload, x->kernel->a, &x->workload, err);
    if (status == LORE_OK)
        status = inherit(c, r, x, err);
    if (status == LORE_OK)
        status = rest_of(r, c->arena, &x->rest, err);
    lore_buf_reset(packed);
    if (status == LORE_OK)
        status = lore_metrics_pack(c->db, &r->metrics_before, packed, err);
    x->before_len = packed->len;
    if (status == LORE_OK)
        status = lore_metrics_pack(c->db, &r->metrics_after, packed, err);
    return status;
}

static const char *
violations_of(const struct lore_experiment *r, struct lore_arena *a)
{
    struct lore_texts rules = {0};

    for (size_t i = 0; i < r->n_violations; i++)
        *LORE_PUSH(a, rules.v, rules.n, rules.cap) = r->violations[i].rule;
    return lore_join(&rules, ',', a);
}

static void
bind_claim(struct lore_stmt *q, int n, const struct lore_claim *claim)
{
    enum lore_base base = claim->base != LORE_BASE_NONE ? claim->base : LORE_BASE_PARENT;

    lore_bind_opt_f64(q, n++, claim->latency_before_ns);
    lore_bind_opt_f64(q, n++, claim->latency_after_ns);
    lore_bind_opt_f64(q, n++, claim->speedup);
    lore_bind_opt_f64(q, n++, claim->speedup_low);
    lore_bind_opt_f64(q, n++, claim->speedup_high);
    lore_bind_text(q, n++, claim->set ? lore_base_name(base) : NULL);
    lore_bind_text(q, n++, claim->base_name);
    lore_bind_text(q, n++, claim->outcome);
    lore_bind_text(
        q, n++, claim->correctness != LORE_C_NONE ? lore_check_name(claim->correctness) : NULL);
}

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_experiment *r, const struct resolved *x,
    struct lore_insert *in, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_experiment (id, digest, document, kernel, hypothesis, from_version,"
        " to_version, workload, chip, title, labels, raw_label, evidence, claimed_before_ns,"
        " claimed_after_ns, claimed_speedup, claimed_low, claimed_high, base, base_name,"
        " typed_outcome, correctness, violations, notes, lesson, author, happened_us,"
        " metrics_before, metrics_after, rest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,"
        " $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27,"
        " $28, $29, $30) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_experiment WHERE id = $1");
    const struct lore_buf *packed = &c->db->scratch;
    size_t after_len = packed->len - x->before_len;

    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->kernel);
    lore_bind_text(&q, 5, r->hypothesis);
    lore_bind_text(&q, 6, r->from_version);
    lore_bind_text(&q, 7, r->to_version);
    lore_bind_text(&q, 8, x->workload);
    lore_bind_text(&q, 9, x->chip);
    lore_bind_text(&q, 10, x->title);
    lore_bind_text(&q, 11, x->labels);
    lore_bind_text(&q, 12, r->bottleneck.raw_label);
    lore_bind_text(
        &q, 13, r->evidence != LORE_EV_NONE ? lore_evidence_name(r->evidence) : "claimed");
    bind_claim(&q, 14, &r->claim);
    lore_bind_text(&q, 23, violations_of(r, c->arena));
    lore_bind_text(&q, 24, r->notes);
    lore_bind_text(&q, 25, r->lesson);
    lore_bind_text(&q, 26, r->author);
    lore_bind_time(&q, 27, r->happened_at);
    lore_bind_blob(&q, 28, x->before_len > 0 ? packed->data : NULL, x->before_len);
    lore_bind_blob(&q, 29, after_len > 0 ? packed->data + x->before_len : NULL, after_len);
    lore_bind_text(&q, 30, x->rest);
    return lore_insert_run(&q, &digests, in, err);
}

static enum lore_status
missing(const struct lore_put_ctx *c, const struct lore_experiment *r, const struct resolved *x,
    const struct lore_insert *in, struct lore_err *err)
{
    enum lore_status status =
        lore_reference(c->db, LORE_REF_HYPOTHESIS, "hypothesis", r->hypothesis, err);

    if (status == LORE_OK)
        status = lore_reference(c->db, LORE_REF_VERSION, "from_version", r->from_version, err);
    if (status == LORE_OK)
        status = lore_reference(c->db, LORE_REF_VERSION, "to_version", r->to_version, err);
    if (status == LORE_OK)
        status = lore_reference(c->db, LORE_REF_CHIP, "chip", x->chip, err);
    return status == LORE_OK ? lore_reference_lost(in, err) : status;
}

static enum lore_status
put_techniques(const struct lore_put_ctx *c, const struct lore_experiment *r, int64_t seq,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < r->n_techniques && status == LORE_OK; i++) {
        if (!tried(&r->techniques[i]))
            continue;
        LORE_STMT q = lore_sql(c->db,
            "INSERT INTO fact_experiment_technique (experiment, position, technique, raw)"
            " VALUES ($1, $2, $3, $4)");
        const char *slug;

        status = lore_name_technique(c->db, r->techniques[i].name, c->arena, &slug, err);
        if (status != LORE_OK)
            break;
        lore_bind_i64(&q, 1, seq);
        lore_bind_i64(&q, 2, (int64_t)i);
        lore_bind_text(&q, 3, slug);
        lore_bind_text(&q, 4, r->techniques[i].raw);
        status = lore_done(&q, err);
    }
    return status;
}

static enum lore_status
put_runs(const struct lore_put_ctx *c, const struct lore_texts *runs, int side, int64_t seq,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < runs->n && status == LORE_OK; i++) {
        LORE_STMT q =
            lore_sql(c->db, "INSERT INTO fact_experiment_run (experiment, side, position, run)"
                            " VALUES ($1, $2, $3, $4)");
        char path[40];

        lore_bind_i64(&q, 1, seq);
        lore_bind_i64(&q, 2, side);
        lore_bind_i64(&q, 3, (int64_t)i);
        lore_bind_text(&q, 4, runs->v[i]);
        lore_row(&q);
        if (q.rc != SQLITE_CONSTRAINT_FOREIGNKEY) {
            status = lore_done(&q, err);
            continue;
        }
        snprintf(path, sizeof path, "%s[%zu]", side == 0 ? "runs_before" : "runs_after", i);
        status = lore_reference(c->db, LORE_REF_RUN, path, runs->v[i], err);
    }
    return status;
}

static enum lore_status
put_campaign(const struct lore_put_ctx *c, const struct lore_experiment *r, int64_t seq,
    struct lore_err *err)
{
    LORE_STMT q = {0};

    if (r->campaign == NULL)
        return LORE_OK;
    q = lore_sql(c->db, "INSERT INTO fact_experiment_campaign (experiment, campaign, iteration)"
                        " VALUES ($1, $2, $3)");
    lore_bind_i64(&q, 1, seq);
    lore_bind_text(&q, 2, r->campaign);
    lore_bind_opt_i64(&q, 3, r->iteration);
    lore_row(&q);
    if (q.rc != SQLITE_CONSTRAINT_FOREIGNKEY)
        return lore_done(&q, err);
    lore_stmt_close(&q);
    return lore_reference(c->db, LORE_REF_CAMPAIGN, "campaign", r->campaign, err);
}

static enum lore_status
add_hypothesis(struct lore_db *db, const char *id, struct lore_buf *b, struct lore_err *err)
{
    LORE_STMT q = {0};

    if (id == NULL)
        return LORE_OK;
    q = lore_sql(db, "SELECT claim FROM fact_hypothesis WHERE id = $1");
    lore_bind_text(&q, 1, id);
    if (lore_row(&q))
        lore_buf_printf(b, "%s\n", lore_col_text(&q, 0, NULL));
    return lore_done(&q, err);
}

static void
add_word(struct lore_buf *b, const char *word, char separator)
{
    if (word == NULL || *word == '\0')
        return;
    lore_buf_puts(b, word);
    lore_buf_putc(b, separator);
}

enum lore_status
lore_words_experiment(
    const struct lore_put_ctx *c, const struct lore_experiment *r, struct lore_err *err)
{
    const struct lore_chip *chip = r->chip != NULL ? lore_chip_find(r->chip) : NULL;
    struct lore_buf *b = &c->db->words;
    const struct lore_name *kernel;
    enum lore_status status = lore_name_kernel(c->db, r->kernel, "kernel", &kernel, err);

    if (status != LORE_OK)
        return status;
    lore_buf_reset(b);
    add_word(b, r->lesson, '\n');
    add_word(b, r->notes, '\n');
    for (size_t i = 0; i < r->n_techniques; i++) {
        add_word(b, r->techniques[i].name, ' ');
        add_word(b, r->techniques[i].raw, ' ');
    }
    status = add_hypothesis(c->db, r->hypothesis, b, err);
    add_word(b, kernel->a, ' ');
    add_word(b, kernel->b, ' ');
    add_word(b, lore_join(&r->bottleneck.labels, '+', c->arena), ' ');
    add_word(b, r->bottleneck.raw_label, ' ');
    add_word(b, r->chip, ' ');
    add_word(b, chip != NULL ? chip->title : NULL, ' ');
    if (status == LORE_OK)
        status = lore_search_put(c->db, "experiment", r->id, r->title, b, err);
    return status;
}

enum lore_status
lore_put_experiment(const struct lore_put_ctx *c, const struct lore_experiment *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "experiment", .id = r->id, .digest = digest};
    struct lore_experiment full = *r; /* as a reader will see it */
    struct resolved x = {0};
    enum lore_status status;

    status = resolve(c, r, &x, err);
    if (status == LORE_OK)
        status = put_row(c, r, &x, &in, err);
    if (status == LORE_OK && in.no_reference)
        status = missing(c, r, &x, &in, err);
    if (status == LORE_OK && in.state == LORE_PUT_STORED) {
        status = put_techniques(c, r, in.seq, err);
        if (status == LORE_OK)
            status = put_runs(c, &r->runs_before, 0, in.seq, err);
        if (status == LORE_OK)
            status = put_runs(c, &r->runs_after, 1, in.seq, err);
        if (status == LORE_OK)
            status = put_campaign(c, r, in.seq, err);
        if (status == LORE_OK)
            status = lore_reference_targets(c->db, r->targets, r->n_targets, err);
        full.chip = x.chip;
        full.title = x.title;
        lore_seen_title(c->db, r->id, x.title);
        if (status == LORE_OK)
            status = lore_words_experiment(c, &full, err);
    }
    if (status == LORE_OK)
        *out = in.state;
    return status;
}
