/* Storing experiments, the unit of experience: the row, its techniques, the runs it compares, and
 * its words for search.
 *
 * The verdict is not written here: outcome.c stores what service/derive found, and with it the row
 * that makes the experiment appear in lists. */
#include <stdio.h>
#include <string.h>

#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/copies.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/metrics.h"
#include "db/name_cache.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/workload.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

/* Indexes of lore_made.text, as experiment_columns (kinds.c) uses them. */
enum { WORKLOAD, CHIP, TITLE, LABELS, EVIDENCE, BASE, CORRECTNESS, VIOLATIONS };

/* A chip or workload that the experiment leaves out is that of its runs. */
static enum lore_status
inherit(const struct lore_put_ctx *c, const struct lore_experiment *r, struct lore_made *made,
    struct lore_err *err)
{
    LORE_STMT q = {0};
    const char *run = r->runs_after.n > 0    ? r->runs_after.v[0]
                      : r->runs_before.n > 0 ? r->runs_before.v[0]
                                             : NULL;

    if (!run || (made->text[CHIP] && made->text[WORKLOAD]))
        return LORE_OK;
    q = lore_sql(c->db, "SELECT chip, workload FROM fact_run WHERE id = $1");
    lore_bind_text(&q, 1, run);
    if (lore_row(&q)) {
        if (!made->text[CHIP])
            made->text[CHIP] = lore_col_text(&q, 0, c->arena);
        if (!made->text[WORKLOAD])
            made->text[WORKLOAD] = lore_col_text(&q, 1, c->arena);
    }
    return lore_done(&q, err);
}

/* A technique that was blocked or not applied was not tried; only `rest` holds it. */
static bool
tried(const struct lore_use *use)
{
    return !use->status || strcmp(use->status, "applied") == 0;
}

static const char *
title_of(const struct lore_experiment *r, struct lore_arena *a)
{
    const char *names = NULL;

    if (r->title)
        return r->title;
    for (size_t i = 0; i < r->n_techniques; i++) {
        const char *name = r->techniques[i].name;

        if (tried(&r->techniques[i]))
            names = !names ? name : lore_format(a, "%s + %s", names, name);
    }
    return names ? names : "untitled experiment";
}

/* Whether USE has members without a column in fact_experiment_technique. */
static bool
needs_rest(const struct lore_use *use)
{
    return use->params.n > 0 || use->priority.set || use->strength.set || use->evidence ||
           use->expected || use->status;
}

/* Whether R has members that a workflow adds: campaign, decision, pitfalls and the like. */
static bool
has_context(const struct lore_experiment *r)
{
    return r->campaign || r->iteration.set || r->retries.set || r->repeat_count.set ||
           r->decision || r->gate.set || r->n_skipped > 0 || r->n_pitfalls > 0 ||
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

/* The members without a column or a row in another table, as JSON; NULL: there are none. */
static enum lore_status
rest_of(
    const struct lore_experiment *r, struct lore_arena *a, const char **out, struct lore_err *err)
{
    struct lore_experiment lean = {.provenance = r->provenance, .extra = r->extra};
    bool any = r->extra || lore_rest_provenance(&r->provenance) || has_context(r);

    keep_context(r, &lean);
    for (size_t i = 0; i < r->n_techniques; i++)
        if (needs_rest(&r->techniques[i])) {
            lean.techniques = r->techniques;
            lean.n_techniques = r->n_techniques;
        }
    for (size_t i = 0; i < r->n_violations; i++)
        if (r->violations[i].detail || strchr(r->violations[i].rule, ',')) {
            lean.violations = r->violations;
            lean.n_violations = r->n_violations;
        }
    if (r->bottleneck.rule_set || r->bottleneck.evidence)
        lean.bottleneck = r->bottleneck;
    if (!any && lean.n_techniques == 0 && lean.n_violations == 0 && !lean.bottleneck.rule_set &&
        !lean.bottleneck.evidence)
        return LORE_OK;
    return lore_rest_write(LORE_K_EXPERIMENT, &lean, a, out, err);
}

static const char *
violations_of(const struct lore_experiment *r, struct lore_arena *a)
{
    struct lore_texts rules = {0};

    for (size_t i = 0; i < r->n_violations; i++)
        *LORE_PUSH(a, rules.v, rules.n, rules.cap) = r->violations[i].rule;
    return lore_join(&rules, ',', a);
}

static enum lore_status
pack_metrics(const struct lore_put_ctx *c, const struct lore_experiment *r, struct lore_made *made,
    struct lore_err *err)
{
    struct lore_buf *packed = &c->db->scratch;
    enum lore_status status;
    size_t before;

    lore_buf_reset(packed);
    status = lore_metrics_pack(c->db, &r->metrics_before, packed, err);
    before = packed->len;
    if (status == LORE_OK)
        status = lore_metrics_pack(c->db, &r->metrics_after, packed, err);
    made->blob[0].p = packed->data;
    made->blob[0].n = before;
    made->blob[1].p = packed->data != NULL ? packed->data + before : NULL;
    made->blob[1].n = packed->len - before;
    return status;
}

static void
name_claim(const struct lore_claim *claim, struct lore_made *made)
{
    enum lore_base base = claim->base != LORE_BASE_NONE ? claim->base : LORE_BASE_PARENT;

    made->text[BASE] = claim->set ? lore_base_name(base) : NULL;
    made->text[CORRECTNESS] =
        claim->correctness != LORE_C_NONE ? lore_check_name(claim->correctness) : NULL;
}

LORE_KIND_BEFORE(experiment)
{
    const struct lore_experiment *r = record;
    const struct lore_name *kernel;
    enum lore_status status;

    made->text[CHIP] = r->chip;
    made->text[TITLE] = title_of(r, c->arena);
    made->text[LABELS] = lore_join(&r->bottleneck.labels, '+', c->arena);
    made->text[EVIDENCE] =
        r->evidence != LORE_EV_NONE ? lore_evidence_name(r->evidence) : "claimed";
    made->text[VIOLATIONS] = violations_of(r, c->arena);
    name_claim(&r->claim, made);
    made->has_rest = true;
    status = lore_name_kernel(c->db, r->kernel, "kernel", &kernel, err);
    if (status == LORE_OK)
        status = lore_workload_put(c, &r->workload, kernel->a, &made->text[WORKLOAD], err);
    if (status == LORE_OK)
        status = inherit(c, r, made, err);
    if (status == LORE_OK)
        status = rest_of(r, c->arena, &made->rest, err);
    return status == LORE_OK ? pack_metrics(c, r, made, err) : status;
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
        const char *name = r->techniques[i].name, *raw = r->techniques[i].raw, *slug;

        status = lore_name_technique(c, name, raw, &slug, err);
        if (status != LORE_OK)
            break;
        lore_bind_i64(&q, 1, seq);
        lore_bind_i64(&q, 2, (int64_t)i);
        lore_bind_text(&q, 3, slug);
        lore_bind_text(&q, 4, raw || lore_streq(slug, name) ? raw : name);
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
        status = lore_reference(c->db, LORE_K_RUN, path, runs->v[i], err);
    }
    return status;
}

static enum lore_status
put_campaign(const struct lore_put_ctx *c, const struct lore_experiment *r, int64_t seq,
    struct lore_err *err)
{
    LORE_STMT q = {0};

    if (!r->campaign)
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
    return lore_reference(c->db, LORE_K_CAMPAIGN, "campaign", r->campaign, err);
}

static enum lore_status
add_hypothesis(struct lore_db *db, const char *id, struct lore_buf *b, struct lore_err *err)
{
    LORE_STMT q = {0};

    if (!id)
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
    if (!word || *word == '\0')
        return;
    lore_buf_puts(b, word);
    lore_buf_putc(b, separator);
}

LORE_KIND_SEARCH(experiment)
{
    const struct lore_experiment *r = record;
    const char *name = made != NULL ? made->text[CHIP] : r->chip;
    const struct lore_chip *chip = name != NULL ? lore_chip_find(name) : NULL;
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
    add_word(b, name, ' ');
    add_word(b, chip != NULL ? chip->title : NULL, ' ');
    if (status == LORE_OK)
        status = lore_search_put(
            c->db, "experiment", r->id, made != NULL ? made->text[TITLE] : r->title, b, err);
    return status;
}

LORE_KIND_AFTER(experiment)
{
    const struct lore_experiment *r = record;
    enum lore_status status = put_techniques(c, r, seq, err);

    if (status == LORE_OK)
        status = put_runs(c, &r->runs_before, 0, seq, err);
    if (status == LORE_OK)
        status = put_runs(c, &r->runs_after, 1, seq, err);
    if (status == LORE_OK && !c->db->facts_only)
        status = lore_copies_add_experiment(c->db, seq, r, err);
    if (status == LORE_OK)
        status = put_campaign(c, r, seq, err);
    if (status == LORE_OK)
        status = lore_reference_targets(c->db, r->targets, r->n_targets, err);
    bool may_fail = r->runs_before.n + r->runs_after.n + r->n_pitfalls > 0;
    if (!may_fail) /* nothing says how it failed, so the title is all that an answer cites */
        lore_cache_title(c->db, r->id, made->text[TITLE]);
    return status;
}
