/* Verdicts on the techniques of an experiment, from submitted ablations and from verifications of
 * the machine code. service/derive judges both. */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/technique_traces.h"
#include "service/verdicts/gather.h"

/* Ablations of an experiment, one per technique that has any. */
struct ablations {
    const char **technique;
    struct lore_ablation *v;
    size_t n;
};

/* One run as a side of a comparison. */
static enum lore_status
side_of(struct lore_db *db, const char *run, struct lore_arena *a, struct lore_side *out,
    enum lore_check *check, struct lore_err *err)
{
    struct lore_fact_run timing = {0};
    enum lore_status status = lore_fact_timing(db, run, a, &timing, err);

    out->samples_ns = timing.samples;
    out->n = timing.n_samples;
    out->median_ns = timing.stated_ns.v;
    out->failed = timing.failed;
    *check = timing.correctness;
    return status;
}

/* Take the attribution as stated. Without any number, run or version of an ablation, the
 * contribution counts as unknown. */
static void
as_stated(const struct lore_attribution *at, struct lore_ablation *out)
{
    bool traced =
        at->attribution_ns.set || at->attribution_pct.set || at->ablated_version || at->ablated_run;

    *out = (struct lore_ablation){.attribution_ns = at->attribution_ns,
        .attribution_pct = at->attribution_pct,
        .noise_pct = at->noise_pct.set ? at->noise_pct.v : LORE_NOISE_DEFAULT_PCT,
        .reason = traced ? "stated in the attribution, not recomputed" : "no ablation"};
    if (traced && lore_streq(at->contributed, "yes"))
        out->contributed = LORE_CONTRIB_YES;
    else if (traced && lore_streq(at->contributed, "no"))
        out->contributed = LORE_CONTRIB_NO;
}

static enum lore_status
judge_one(struct lore_db *db, const struct lore_attribution *at, struct lore_ablation *out,
    struct lore_err *err)
{
    LORE_SCRATCH scratch = {0}; /* holds the samples of two runs; there may be many attributions */
    struct lore_ablation_in in = {.has_ablation = true, .noise_pct = at->noise_pct};
    enum lore_check champion = LORE_C_NONE;
    enum lore_status status;

    if (!at->champion_run || !at->ablated_run) {
        as_stated(at, out);
        return LORE_OK;
    }
    status = side_of(db, at->champion_run, &scratch, &in.champion, &champion, err);
    if (status == LORE_OK)
        status = side_of(db, at->ablated_run, &scratch, &in.ablated, &in.ablated_correctness, err);
    if (status == LORE_OK)
        lore_ablation_judge(&in, &scratch, out);
    return status;
}

/* Of several attributions to one technique the last counts. */
static enum lore_status
ablations_of(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct ablations *out, struct lore_err *err)
{
    struct lore_attribution_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_attributions(db, experiment, a, &rows, &n, err);

    out->technique = lore_alloc_array(a, n + 1, sizeof *out->technique);
    out->v = lore_alloc_array(a, n + 1, sizeof *out->v);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        const char *slug = lore_technique_slug(a, rows[i].a.technique);
        size_t k = 0;

        if (rows[i].retracted)
            continue;
        while (k < out->n && !lore_streq(out->technique[k], slug))
            k++;
        out->n += k == out->n;
        out->technique[k] = slug;
        status = judge_one(db, &rows[i].a, &out->v[k], err);
    }
    return status;
}

static const struct lore_ablation *
find(const struct ablations *all, const char *technique)
{
    for (size_t i = 0; i < all->n; i++) {
        if (lore_streq(all->technique[i], technique))
            return &all->v[i];
    }
    return NULL;
}

/* Delete old verdicts and read the attributions. Skipped for a new experiment, which has
 * neither. */
static enum lore_status
reload_ablations(struct lore_db *db, const char *experiment, const struct lore_gathered *f,
    struct lore_arena *a, struct ablations *out, struct lore_err *err)
{
    if (!f->x.judged)
        return LORE_OK;
    enum lore_status status = lore_db_forget_technique_verdicts(db, f->x.seq, err);
    return status == LORE_OK ? ablations_of(db, experiment, a, out, err) : status;
}

enum lore_status
lore_judge_techniques(struct lore_db *db, const char *experiment, const struct lore_gathered *f,
    const struct lore_outcome *outcome, struct lore_arena *a, struct lore_err *err)
{
    struct ablations all = {0};
    const struct lore_chip *chip = !f->x.chip ? NULL : lore_chip_find(f->x.chip);
    const char *vendor = !chip ? NULL : chip->vendor;
    enum lore_status status = reload_ablations(db, experiment, f, a, &all, err);

    for (size_t i = 0; status == LORE_OK && i < f->n_uses; i++) {
        const struct lore_gathered_technique *use = &f->uses[i];
        const struct lore_ablation *ablation = find(&all, use->technique);
        struct lore_technique_facts facts = {.effect = outcome->effect,
            .correctness = outcome->correctness,
            .claimed = f->x.evidence == LORE_EV_CLAIMED,
            .n_techniques = f->n_uses,
            .contributed = ablation != NULL ? ablation->contributed : LORE_CONTRIB_UNKNOWN,
            .isa = use->isa,
            .no_signature = lore_technique_traces(use->technique, vendor) == 0};
        const char *reason = NULL;
        struct lore_technique_verdict_row row = {.technique = use->technique,
            .position = use->position,
            .verdict = lore_technique_verdict_name(lore_technique_judge(&facts, &reason)),
            .contributed = lore_contributed_name(facts.contributed),
            .isa = lore_signature_state_name(use->isa),
            .policy = LORE_TECHNIQUE_POLICY,
            .why = reason};

        if (ablation && ablation->reason && *ablation->reason != '\0')
            row.why = lore_format(a, "%s; ablation: %s", reason, ablation->reason);
        status = lore_put_technique_verdict(db, f->x.seq, &row, err);
    }
    return status;
}

enum lore_status
lore_verdicts_synergy(struct lore_db *db, const char *experiment,
    const struct lore_outcome_row *outcome, struct lore_arena *a, struct lore_synergy *out,
    struct lore_err *err)
{
    struct lore_gathered f;
    struct ablations all = {0};
    struct lore_ablation *each;
    enum lore_status status = lore_gather(db, experiment, false, a, &f, err);

    if (status == LORE_OK)
        status = ablations_of(db, experiment, a, &all, err);
    if (status != LORE_OK)
        return status;
    *out = (struct lore_synergy){0};
    if (all.n == 0)
        return LORE_OK;
    each = lore_alloc_array(a, f.n_uses + 1, sizeof *each); /* zeroed: contribution unknown */
    for (size_t i = 0; i < f.n_uses; i++) {
        const struct lore_ablation *found = find(&all, f.uses[i].technique);

        if (found)
            each[i] = *found;
    }
    lore_ablation_synergy(each, f.n_uses, outcome->before_ns, outcome->after_ns,
        lore_effect_find(outcome->effect), out);
    return LORE_OK;
}
