/* Turns a KernelFlow entry into records: a version for the iteration that it was compared with, one
 * for its own iteration, and an experiment that claims both medians. */
#include <string.h>

#include "collectors/import/kernelflow/kernelflow.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

#define TITLE_MAX 160

bool
lore_kernelflow_is_baseline(const struct lore_kernelflow_entry *e)
{
    return e->tags.n == 1 && strcmp(e->tags.v[0], "baseline") == 0;
}

/* The id of the version of ITERATION with median MS, added when it is new. Entries share a version
 * only when iteration and median are equal to the last digit. */
static const char *
version_of(struct lore_import *in, const struct lore_kernelflow_scope *scope, int64_t iteration,
    const struct lore_f64 *ms)
{
    struct lore_submission *doc = in->doc;
    char digits[32] = "none";

    if (ms->set)
        lore_f64_text(ms->v, digits);
    const char *id = lore_build_id(in->arena, 0, "kernelflow-version|%s|%lld|%s%s", scope->key,
        (long long)iteration, digits, lore_build_of_project(in->arena, in->doc));
    for (size_t i = 0; i < doc->n_versions; i++) {
        if (strcmp(doc->versions[i].id, id) == 0)
            return id;
    }
    struct lore_version *v =
        LORE_PUSH(in->arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = scope->kernel;
    v->kind = iteration == 0 ? LORE_V_BASELINE : LORE_V_CANDIDATE;
    if (iteration >= 0) {
        v->ordinal = (struct lore_i64){true, iteration};
        v->label = lore_format(in->arena, "v%lld", (long long)iteration);
    }
    v->provenance.system = "kernelflow";
    v->provenance.external_id =
        lore_format(in->arena, "%s/iteration/%lld", scope->key, (long long)iteration);
    return id;
}

static struct lore_provenance
provenance_of(struct lore_import *in, const struct lore_kernelflow_entry *e)
{
    struct lore_provenance p = {.system = "kernelflow"};

    p.external_id = lore_format(in->arena, "%s/%s/%s", e->scope->key, e->bucket, e->fingerprint);
    if (e->scope->published) {
        p.url = "https://github.com/KernelFlow-ops/cuda-optimized-skill";
        p.licence = "MIT";
    }
    return p;
}

static struct lore_workload
workload_of(const struct lore_kernelflow_scope *scope)
{
    struct lore_workload w = {0};

    if (scope->dims.n > 0) {
        w.set = true;
        w.op = scope->op;
        w.dims = scope->dims;
    }
    return w;
}

/* Apply one part of a reason, "name" or "name:code", to X. */
static void
take_reason(struct lore_import *in, const struct lore_kernelflow_entry *e,
    struct lore_experiment *x, const char *part)
{
    size_t len = strcspn(part, ":");
    const char *name = lore_strndup(in->arena, part, len);
    const char *code = part[len] == ':' ? part + len + 1 : NULL;
    const char *rule = NULL;

    if (strcmp(name, "proposal_contract_violation") == 0)
        rule = code ? code : name;
    else if (strcmp(name, "blocked_strategy_reused") == 0)
        rule = name;
    else if (strcmp(name, "correctness_failed") == 0)
        x->claim.correctness = LORE_C_FAIL;
    else if (strcmp(name, "benchmark_failed") == 0 || strstr(name, "ncu_failed"))
        /* the harness failed: the result was not checked */
        x->claim.correctness = LORE_C_NOT_CHECKED;
    else if (strcmp(name, "ncu_incomplete") == 0)
        rule = name;
    if (!rule)
        return;
    struct lore_violation *v =
        LORE_PUSH(in->arena, x->violations, x->n_violations, x->cap_violations);
    v->rule = rule;
    v->detail = e->reason;
}

static void
take_reasons(
    struct lore_import *in, const struct lore_kernelflow_entry *e, struct lore_experiment *x)
{
    const char *p = e->reason;

    while (*p) {
        size_t len = strcspn(p, ";");
        if (len > 0)
            take_reason(in, e, x, lore_strndup(in->arena, p, len));
        p += len + (p[len] == ';');
    }
}

static void
set_claim(const struct lore_kernelflow_entry *e, struct lore_experiment *x)
{
    x->claim.set = true;
    x->claim.outcome = e->outcome;
    if (e->before_ms.set) {
        x->claim.latency_before_ns = (struct lore_f64){true, lore_build_ns(e->before_ms.v)};
        x->claim.base = LORE_BASE_PREVIOUS;
    }
    if (e->after_ms.set)
        x->claim.latency_after_ns = (struct lore_f64){true, lore_build_ns(e->after_ms.v)};
}

/* The complete entry with its scope, so that no number is lost. */
static const char *
extra_of(struct lore_import *in, const struct lore_kernelflow_entry *e)
{
    size_t stripped = 0;

    return lore_format(in->arena,
        "{\"kernelflow\":{\"version\":1,\"scope\":%s,\"meta\":%s,\"bucket\":%s,"
        "\"fingerprint\":%s,\"entry\":%s}}",
        lore_build_json_text(in->arena, e->scope->key), e->scope->meta,
        lore_build_json_text(in->arena, e->bucket), lore_build_json_text(in->arena, e->fingerprint),
        lore_build_verbatim(in->arena, e->node, NULL, &stripped));
}

static const char *
experiment_id(struct lore_import *in, const struct lore_kernelflow_entry *e)
{
    unsigned char digest[LORE_HASH_BYTES];
    char hex[LORE_HASH_HEX];

    lore_json_digest(e->node, digest);
    lore_hex(digest, sizeof digest, hex);
    return lore_build_id(in->arena, 0, "kernelflow|%s|%s|%s|%s%s", e->scope->key, e->bucket,
        e->fingerprint, hex, lore_build_of_project(in->arena, in->doc));
}

/* What TAG says was left as it was: "preserve_warp_per_row_layout"; NULL: TAG names a change. */
static const char *
kept_by(const char *tag)
{
    static const char *const words[] = {"keep_", "preserve_", "retain_", "maintain_"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lore_starts(tag, words[i]))
            return tag + strlen(words[i]);
    return NULL;
}

static void
add_techniques(
    struct lore_import *in, const struct lore_kernelflow_entry *e, struct lore_experiment *x)
{
    if (lore_kernelflow_is_baseline(e)) {
        x->title = lore_format(in->arena, "%s: the baseline", e->scope->source);
        return;
    }
    const char *title = "";
    for (size_t i = 0; i < e->tags.n; i++) {
        title = lore_format(in->arena, "%s%s%s", title, i ? " + " : "", e->tags.v[i]);
        const char *slug = lore_technique_slug(in->arena, e->tags.v[i]);
        lore_build_technique(in->arena, x, e->tags.v[i]);
        const char *kept = kept_by(e->tags.v[i]);
        struct lore_use *use = &x->techniques[x->n_techniques - 1];
        if (kept) {
            use->status = "kept";
            use->name = lore_words_name(e->tags.v[i]) ? e->tags.v[i] : kept;
        }
        if (strcmp(slug, e->tags.v[i]) != 0)
            lore_import_note(in, LORE_IL_NAMES, "%s: technique %s", e->tags.v[i], slug);
    }
    /* use the original tags as title; when they are too long, the service makes a title */
    if (*title && strlen(title) <= TITLE_MAX)
        x->title = title;
}

void
lore_kernelflow_map(struct lore_import *in, const struct lore_kernelflow_entry *e)
{
    struct lore_submission *doc = in->doc;
    struct lore_experiment *x =
        LORE_PUSH(in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);

    x->id = experiment_id(in, e);
    x->kernel = e->scope->kernel;
    if (e->before_ms.set || e->base_iteration >= 0)
        x->from_version = version_of(in, e->scope, e->base_iteration, &e->before_ms);
    x->to_version = version_of(in, e->scope, e->iteration, &e->after_ms);
    x->chip = e->scope->chip;
    x->workload = workload_of(e->scope);
    x->evidence = LORE_EV_IMPORTED;
    add_techniques(in, e, x);
    set_claim(e, x);
    take_reasons(in, e, x);
    if (*e->reason)
        x->notes = lore_format(in->arena, "KernelFlow: %s, %s", e->outcome, e->reason);
    x->provenance = provenance_of(in, e);
    x->extra = extra_of(in, e);
}
