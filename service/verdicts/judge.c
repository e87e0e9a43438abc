/* Judging an experiment from the facts that are stored now: outcome, bottleneck, expectations of
 * the hypothesis, techniques. All rules are in service/derive; this file holds no policy. */
#include <stdlib.h>
#include <string.h>

#include "db/put.h"
#include "service/base/text.h"
#include "service/derive/claims.h"
#include "service/stats/stats.h"
#include "service/verdicts/gather.h"
#include "service/wire/wire.h"

/* Every claim about time sorts the samples of both sides, which can be half a million. Longer sides
 * are replaced by this many quantiles, which have nearly the same median. */
enum { CLAIM_SAMPLES = 2048 };

static void
reduce_samples(struct lore_side *s, struct lore_arena *a)
{
    int64_t *sorted, *some;

    if (s->n <= CLAIM_SAMPLES)
        return;
    sorted = lore_memdup(a, s->samples_ns, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, lore_select_by_i64);
    some = lore_alloc_array(a, CLAIM_SAMPLES, sizeof *some);
    for (size_t i = 0; i < CLAIM_SAMPLES; i++)
        some[i] = sorted[(2 * i + 1) * s->n / (2 * CLAIM_SAMPLES)];
    s->samples_ns = some;
    s->n = CLAIM_SAMPLES;
}

/* One side as input for judging claims: its runs, else the stated time. */
static struct lore_claim_side
claim_side(const struct lore_gathered *f, int side, struct lore_arena *a)
{
    struct lore_claim_side s = {side == 0 ? f->in.before : f->in.after, f->measured[side].metrics};

    if (s.runs.n == 0 && s.runs.median_ns <= 0 && f->measured[side].duration_ns.set)
        s.runs.median_ns = f->measured[side].duration_ns.v;
    reduce_samples(&s.runs, a);
    return s;
}

/* Old judgements are deleted only where some can exist: for a judged experiment with a
 * hypothesis. */
static enum lore_status
judge_claims(
    struct lore_db *db, const struct lore_gathered *f, struct lore_arena *a, struct lore_err *err)
{
    const struct lore_hypothesis *h = &f->claim.h;
    struct lore_claim_side before = claim_side(f, 0, a), after = claim_side(f, 1, a);
    enum lore_status status = LORE_OK;

    if (f->x.judged && f->x.hypothesis)
        status = lore_db_forget_judgements(db, f->x.seq, err);
    for (size_t i = 0; status == LORE_OK && i < h->n_expected; i++) {
        LORE_SCRATCH scratch = {0};
        struct lore_claim_judged judged;

        lore_claims_judge(
            &h->expected[i], &before, &after, (struct lore_f64){0}, &scratch, &judged);
        status = lore_put_judgement(db, f->x.seq,
            &(struct lore_judgement_row){.position = (int64_t)i,
                .metric = h->expected[i].metric,
                .verdict = lore_claim_verdict_name(judged.verdict),
                .why = judged.sentence,
                .before = judged.measured.before,
                .after = judged.measured.after},
            err);
    }
    return status;
}

/* The outcome as the row that is stored. */
static struct lore_outcome_row
row_of(const struct lore_outcome *o)
{
    return (struct lore_outcome_row){.policy = o->policy != NULL ? o->policy : "none",
        .effect = lore_effect_name(o->effect),
        .correctness =
            lore_check_name(o->correctness != LORE_C_NONE ? o->correctness : LORE_C_NOT_CHECKED),
        .process = o->process_broken ? "broken" : "clean",
        .rules = o->rules != NULL ? o->rules : "",
        .flags = o->flags != NULL ? o->flags : "",
        .basis = lore_basis_name(o->basis),
        .speedup = o->speedup,
        .low = o->low,
        .high = o->high,
        .gain = o->gain,
        .before_ns = o->before_ns,
        .after_ns = o->after_ns,
        .disagrees = o->disagrees};
}

enum lore_status
lore_verdicts_judge(struct lore_db *db, const char *experiment, struct lore_arena *scratch,
    int64_t now_us, struct lore_err *err)
{
    struct lore_gathered g;
    struct lore_outcome outcome;
    enum lore_status status = lore_gather(db, experiment, true, scratch, &g, err);

    if (status != LORE_OK)
        return status;
    lore_outcome_derive(&g.in, scratch, &outcome);
    struct lore_outcome_row row = row_of(&outcome);
    status = lore_judge_bottleneck(db, &g, scratch, err);
    if (status == LORE_OK)
        status = lore_put_outcome(db, &g.x, &row, now_us, err);
    if (status == LORE_OK)
        status = lore_put_behind(db, &g.x, outcome.share, err);
    if (status == LORE_OK)
        status = judge_claims(db, &g, scratch, err);
    if (status == LORE_OK)
        status = lore_judge_techniques(db, experiment, &g, &outcome, scratch, err);
    return status == LORE_OK ? lore_verdicts_update_rows(db, &g.x, scratch, err) : status;
}

enum lore_status
lore_verdicts_claim_check(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_claim_check *out, struct lore_err *err)
{
    struct lore_gathered f;
    struct lore_outcome outcome;
    struct lore_rule_facts facts = {.correctness = LORE_C_NONE};
    enum lore_status status = lore_gather(db, experiment, true, a, &f, err);

    if (status != LORE_OK)
        return status;
    *out = (struct lore_claim_check){.verdict = NULL};
    if (!f.x.hypothesis)
        return LORE_OK;
    lore_outcome_derive(&f.in, a, &outcome);
    facts.before = claim_side(&f, 0, a);
    facts.after = claim_side(&f, 1, a);
    facts.correctness = outcome.correctness;
    out->verdict = lore_claims_hypothesis_verdict(&outcome);
    out->has_rule = f.claim.h.accept_if != NULL || f.claim.h.reject_if;
    lore_claims_decide(f.claim.h.accept_if, f.claim.h.reject_if, &facts, a, &out->decided);
    out->watch =
        lore_claims_watch(&f.claim.h.watch, &facts.before, &facts.after, (struct lore_f64){0}, a);
    out->n_watch = f.claim.h.watch.n;
    return LORE_OK;
}
