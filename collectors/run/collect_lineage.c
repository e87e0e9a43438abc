/* Finds a version's parent and records this run as an experiment from the parent, with its
 * hypothesis, or as an ablation of a champion. Facts that the ledger lacks are left out; the
 * service then shows "not measured". */
#include <math.h>
#include <string.h>

#include "collectors/run/collect_parts.h"
#include "collectors/run/hypothesis_file.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/stats/stats.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define NOISE_FLOOR_PCT 2.0 /* percent; an attribution assumes at least this much noise */

enum lore_version_kind
lore_collect_kind(const struct lore_run_options *w)
{
    if (w->kind)
        return w->kind;
    if (w->ablates)
        return LORE_V_ABLATION;
    return w->parent || !w->op ? LORE_V_CANDIDATE : LORE_V_BASELINE;
}

void
lore_collect_context(struct lore_arena *arena, const struct lore_submission *doc,
    const struct lore_run *run, const char **workload, const char **hard)
{
    char hash[33];

    *workload = *hard = "";
    if (run->workload.set) {
        lore_workload_id(lore_workload_text(arena, run->workload.op, &run->workload), hash);
        *workload = lore_strdup(arena, hash);
    }
    for (size_t i = 0; run->environment && i < doc->n_environments; i++) {
        if (strcmp(doc->environments[i].id, run->environment) != 0)
            continue;
        lore_kvs_hash(&doc->environments[i].hard, hash);
        *hard =
            lore_format(arena, "%s%s%s", run->chip ? run->chip : "", run->chip ? ":" : "", hash);
    }
}

/* ---- the parent ---- */

static enum lore_edge_kind
edge_of(const struct lore_run_options *w)
{
    switch (lore_collect_kind(w)) {
    case LORE_V_ABLATION:
        return LORE_E_ABLATION_OF;
    case LORE_V_BRANCH:
        return LORE_E_BRANCH_OF;
    case LORE_V_REVERT:
        return LORE_E_REVERT_OF;
    default:
        return LORE_E_DERIVED_FROM;
    }
}

/* Find in the ledger the last version of KERNEL with the parent's file and the other files of this
 * version. If there is none, find the last version with the parent's file alone. *out is NULL if
 * the ledger has neither. */
static enum lore_status
find_parent(struct lore_collecting *b, const char *kernel, struct lore_texts *files,
    const struct lore_ledger_entry **out)
{
    const struct lore_run_options *w = &b->c->what;
    const char *content = NULL;
    struct lore_texts alone = {0};

    lore_build_text(b->arena, files, w->parent);
    lore_build_text(b->arena, &alone, w->parent);
    for (size_t i = 1; i < w->version_files.n; i++)
        lore_build_text(b->arena, files, w->version_files.v[i]);
    enum lore_status status = lore_collect_content(b->arena, files, NULL, &content, b->err);
    if (status == LORE_OK)
        *out = lore_ledger_content(&b->ledger, kernel, content);
    if (status == LORE_OK && !*out && files->n > 1) {
        status = lore_collect_content(b->arena, &alone, NULL, &content, b->err);
        *out = status == LORE_OK ? lore_ledger_content(&b->ledger, kernel, content) : NULL;
    }
    if (status != LORE_OK && b->err)
        (void)lore_fail_at(b->err, status, b->err->code, "--parent",
            "--parent is not the id of a version; reading it as a file failed: %s", b->err->msg);
    return status;
}

enum lore_status
lore_collect_parent(struct lore_collecting *b, const char *kernel, struct lore_parent *out)
{
    const struct lore_run_options *w = &b->c->what;
    const struct lore_ledger_entry *known = NULL;
    struct lore_version_spec spec = {
        .kernel = kernel, .kind = LORE_V_BASELINE, .licence = w->licence};
    const char *content;

    memset(out, 0, sizeof *out);
    if (!w->parent)
        return LORE_OK;
    out->kind = edge_of(w);
    if (lore_ulid_valid(w->parent)) {
        out->version = w->parent;
        return LORE_OK;
    }
    enum lore_status status = find_parent(b, kernel, &spec.files, &known);
    if (status != LORE_OK)
        return status;
    if (known) {
        out->version = known->version;
        return LORE_OK;
    }
    /* the parent was never measured here: add its record, so that the experiment can refer to it */
    return lore_collect_version(b, &spec, &out->version, &content);
}

/* ---- hypothesis and experiment ---- */

/* The id of the campaign. A campaign given by label gets a record, with an id derived from kernel
 * and label. */
static const char *
campaign_of(struct lore_collecting *b, const char *kernel)
{
    const char *name = b->c->what.campaign;
    struct lore_submission *doc = b->doc;

    if (!name || lore_ulid_valid(name))
        return name;
    struct lore_campaign *c =
        LORE_PUSH(b->arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);
    c->id = lore_build_id(b->arena, 0, "campaign|%s|%s", kernel, name);
    c->label = name;
    c->kernel = kernel;
    return c->id;
}

static enum lore_status
add_hypothesis(struct lore_collecting *b, const char *version, const char *parent,
    const char *campaign, struct lore_hypothesis **out)
{
    const struct lore_run_options *w = &b->c->what;
    struct lore_submission *doc = b->doc;
    struct lore_hypothesis h;

    *out = NULL;
    if (!w->hypothesis)
        return LORE_OK;
    enum lore_status status = lore_hypothesis_file_read(w->hypothesis, b->arena, &h, b->err);
    if (status != LORE_OK)
        return status;
    h.from_version = parent;
    h.to_version = version;
    h.campaign = campaign;
    h.author = h.author ? h.author : w->author;
    if (!h.technique && w->techniques.n == 1)
        h.technique = lore_technique_slug(b->arena, w->techniques.v[0]);
    /* a repeated run with the same file makes the same claim, so it gets the same id */
    h.id = lore_build_id(b->arena, 0, "hypothesis|%s|%s|%s|%s|%s|%s|%s", parent ? parent : "",
        version, campaign ? campaign : "", h.author ? h.author : "", h.claimed_at,
        h.technique ? h.technique : "", h.raw_text ? h.raw_text : h.claim);
    for (size_t i = 0; i < doc->n_hypotheses && !*out; i++) /* of another workload */
        if (strcmp(doc->hypotheses[i].id, h.id) == 0)
            *out = &doc->hypotheses[i];
    if (*out)
        return LORE_OK;
    *out = LORE_PUSH(b->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses);
    **out = h;
    return LORE_OK;
}

static void
add_experiment(struct lore_collecting *b, const char *kernel, const char *parent,
    const struct lore_run *run, const struct lore_hypothesis *h, const char *campaign)
{
    const struct lore_run_options *w = &b->c->what;
    struct lore_submission *doc = b->doc;
    const char *workload, *hard;
    struct lore_experiment *x =
        LORE_PUSH(b->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);

    lore_collect_context(b->arena, doc, run, &workload, &hard);
    const struct lore_ledger_entry *before = lore_ledger_last(&b->ledger, parent, workload, hard);
    x->id = lore_build_new_id(b->arena);
    x->kernel = kernel;
    x->hypothesis = h ? h->id : NULL;
    x->from_version = parent;
    x->to_version = run->version;
    if (before)
        lore_build_text(b->arena, &x->runs_before, before->run);
    lore_build_text(b->arena, &x->runs_after, run->id);
    for (size_t i = 0; i < w->techniques.n && i < 16; i++)
        lore_build_technique(b->arena, x, w->techniques.v[i]);
    if (x->n_techniques == 0 && h && h->technique)
        lore_build_technique(b->arena, x, h->technique);
    lore_build_title(b->arena, x, h ? h->claim : NULL);
    x->workload = run->workload;
    x->chip = run->chip;
    x->campaign = campaign;
    x->author = w->author;
    x->happened_at = run->measured_at;
    if (w->advice)
        x->extra = lore_format(b->arena, "{\"advice\":\"%s\"}", w->advice);
}

/* The experiment that RUN repeats: the same versions (a version's id covers its parent) on the
 * same workload and hardware. If H is not NULL, its hypothesis is H. If the ledger has runs of the
 * parent, an experiment before the first of them does not count: it had no run to compare with. */
static const struct lore_ledger_entry *
find_repeated(struct lore_collecting *b, const char *parent, const struct lore_run *run,
    const struct lore_hypothesis *h)
{
    const struct lore_ledger *l = &b->ledger;
    const char *workload, *hard;
    const struct lore_ledger_entry *parent_run = NULL; /* the first */

    lore_collect_context(b->arena, b->doc, run, &workload, &hard);
    for (size_t i = 0; i < l->n; i++) {
        const struct lore_ledger_entry *e = &l->v[i];
        if (strcmp(e->workload, workload) != 0 || strcmp(e->hard, hard) != 0)
            continue;
        if (!parent_run && strcmp(e->version, parent) == 0)
            parent_run = e;
        if (e->experiment && strcmp(e->version, run->version) == 0 &&
            (!h || lore_streq(e->hypothesis, h->id)) &&
            (parent_run || !lore_ledger_last(l, parent, workload, hard)))
            return e;
    }
    return NULL;
}

/* ---- ablation ---- */

/* The last experiment that led to VERSION on the same workload and hardware, with its run. */
static const struct lore_ledger_entry *
champion_of(const struct lore_collecting *b, const char *version, const struct lore_run *run)
{
    const char *workload, *hard;

    lore_collect_context(b->arena, b->doc, run, &workload, &hard);
    for (size_t i = b->ledger.n; i-- > 0;) {
        const struct lore_ledger_entry *e = &b->ledger.v[i];
        if (e->experiment && strcmp(e->version, version) == 0 &&
            strcmp(e->workload, workload) == 0 && strcmp(e->hard, hard) == 0)
            return e;
    }
    return NULL;
}

static void
judge(struct lore_arena *arena, const struct lore_ledger_entry *champion,
    const struct lore_run *run, struct lore_attribution *a)
{
    struct lore_flags f;

    a->contributed = "unknown";
    lore_flags_of(run->samples_ns, run->n_samples, 1, arena, &f);
    if (run->error.set || f.n == 0 || !champion->median_ns.set || champion->median_ns.v <= 0)
        return;
    double ns = f.median_ns - champion->median_ns.v, pct = 100 * ns / champion->median_ns.v;
    double noise = hypot(f.median_noise_pct, champion->noise_pct.set ? champion->noise_pct.v : 0);
    bool enough = f.n >= 6 && champion->noise_pct.set;
    a->attribution_ns = (struct lore_f64){true, ns};
    a->attribution_pct = (struct lore_f64){true, pct};
    a->noise_pct = (struct lore_f64){true, fmax(noise, NOISE_FLOOR_PCT)};
    if (run->correctness.status == LORE_C_FAIL)
        return;
    if (pct > a->noise_pct.v && enough)
        a->contributed = "yes";
    else if (noise <= NOISE_FLOOR_PCT && enough)
        a->contributed = "no";
}

static void
add_attribution(struct lore_collecting *b, const char *parent, const struct lore_run *run)
{
    const struct lore_ledger_entry *champion = champion_of(b, parent, run);
    struct lore_submission *doc = b->doc;

    if (!champion)
        return;
    struct lore_attribution *a =
        LORE_PUSH(b->arena, doc->attributions, doc->n_attributions, doc->cap_attributions);
    a->id = lore_build_new_id(b->arena);
    a->experiment = champion->experiment;
    a->technique = lore_technique_slug(b->arena, b->c->what.ablates);
    a->ablated_version = run->version;
    a->champion_run = champion->run;
    a->ablated_run = run->id;
    judge(b->arena, champion, run, a);
}

enum lore_status
lore_collect_lineage(struct lore_collecting *b, const char *kernel, const char *version,
    const char *parent, struct lore_run *run)
{
    struct lore_hypothesis *h = NULL;
    const char *campaign = campaign_of(b, kernel);
    enum lore_status status = add_hypothesis(b, version, parent, campaign, &h);

    if (status != LORE_OK || !parent)
        return status;
    if (b->c->what.ablates) {
        add_attribution(b, parent, run);
        return LORE_OK;
    }
    const struct lore_ledger_entry *before =
        b->c->what.new_experiment ? NULL : find_repeated(b, parent, run, h);
    if (before) {
        b->c->again = before->experiment;
        if (b->doc->n_experiments == 0) /* the repeated one already has its hypothesis */
            b->doc->n_hypotheses = 0;
    } else {
        add_experiment(b, kernel, parent, run, h, campaign);
    }
    return LORE_OK;
}
