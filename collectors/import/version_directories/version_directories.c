/* Reads version directories. A case is a directory with v0, v1 …, each with sources,
 * correctness.md, ncu_summary.md, ncu_details.md and hypothesis.txt. Beside them are env_check.md,
 * benchmark.md, final_report.md and ref.py. A case becomes a kernel, a campaign, a version per
 * directory, a run per report, and an experiment per step from a parent version to its child.
 *
 * The name of the case is the operator. Only stated dims give the workload, because cases of the
 * same name have different shapes. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static void
set_name(struct lore_case *c)
{
    const char *unit = c->in->unit;
    const char *name = *unit != '\0' ? lore_build_basename(unit) : c->in->tree->name;

    if (!name || *name == '\0' || *lore_slug(c->in->arena, name) == '\0')
        name = "unnamed";
    c->name = lore_case_truncate(c->in->arena, name, 150);
    c->op = lore_operator_name(c->in->arena, c->name);
    if (strcmp(c->op, c->name) != 0)
        lore_import_note(c->in, LORE_IL_NAMES, "%s: operator %s", c->name, c->op);
}

/* Set the language from the sources when no field such as "Backend" has set it. */
static void
set_language(struct lore_case *c)
{
    for (size_t i = 0; i < c->n && c->language == LORE_LANG_NONE; i++) {
        const struct lore_import_file *f = c->versions[i].source;
        const char *dot = f != NULL ? strrchr(f->path, '.') : NULL;
        if (!dot)
            continue;
        if (strcmp(dot, ".cu") == 0 || strcmp(dot, ".cuh") == 0)
            c->language = LORE_LANG_CUDA;
        else if (strcmp(dot, ".hip") == 0)
            c->language = LORE_LANG_HIP;
        else if (strcmp(dot, ".py") == 0 && strstr(f->text, "import triton"))
            c->language = LORE_LANG_TRITON;
        else if (strcmp(dot, ".py") == 0 && strstr(f->text, "cutlass"))
            c->language = LORE_LANG_CUTE_DSL;
    }
    if (c->language == LORE_LANG_NONE) {
        c->language = LORE_LANG_OTHER;
        lore_import_note(c->in, LORE_IL_NAMES, "%s: language unknown; recorded as other", c->name);
    }
}

/* ---- versions ---- */

static void
add_sources(struct lore_case *c, const struct lore_case_version *v, struct lore_version *out)
{
    for (struct lore_import_file *f = lore_tree_next(c->in->tree, v->dir, NULL); f != NULL;
         f = lore_tree_next(c->in->tree, v->dir, f)) {
        if (!lore_case_is_source(f) || f->len == 0 || f->len > 1u << 20 || out->n_sources == 64)
            continue;
        lore_import_open(c->in, f);
        struct lore_source *s =
            LORE_PUSH(c->in->arena, out->sources, out->n_sources, out->cap_sources);
        s->file = lore_case_truncate(c->in->arena, f->path + strlen(v->dir) + 1, 180);
        s->text = f->text;
    }
}

static void
add_version(struct lore_case *c, struct lore_case_version *v)
{
    struct lore_submission *doc = c->in->doc;
    struct lore_arena *arena = c->in->arena;
    struct lore_version out = {.kernel = c->kernel, .label = v->label};

    out.kind = v == c->versions ? LORE_V_BASELINE : LORE_V_CANDIDATE;
    out.ordinal = (struct lore_i64){true, v->ordinal};
    add_sources(c, v, &out);
    if (v->parent >= 0) {
        struct lore_parent *p = LORE_PUSH(arena, out.parents, out.n_parents, out.cap_parents);
        p->version = c->versions[v->parent].id;
        p->kind = LORE_E_DERIVED_FROM;
        out.extra = v->parent_source != NULL
                        ? lore_format(arena, "{\"lineage_from\":\"%s\"}", v->parent_source)
                        : "{\"lineage_inferred\":true}";
    }
    out.provenance.system = LORE_CASE_SYSTEM;
    out.provenance.path = v->label;
    v->id = out.id = lore_case_derive_id(c, LORE_K_VERSION, &out);
    *LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions) = out;
}

static void
diagnose(struct lore_case *c, struct lore_case_version *v)
{
    struct lore_run *run = &v->profile;

    if (!v->has_profile || !v->bottleneck || lore_starts(v->bottleneck, "N/A") ||
        *v->bottleneck == '\0')
        return;
    struct lore_diagnosis *d =
        LORE_PUSH(c->in->arena, run->diagnoses, run->n_diagnoses, run->cap_diagnoses);
    bool understood = lore_build_labels(c->in->arena, d, v->bottleneck);
    const char *labels = lore_labels_text(c->in->arena, lore_labels_parse(v->bottleneck, NULL));
    lore_import_note(c->in, LORE_IL_LABELS, "\"%s\": %s", v->bottleneck,
        !understood ? "not understood; kept as text"
        : *labels   ? labels
                    : "no label");
}

/* ---- hypotheses and experiments ---- */

static void
add_hypothesis(struct lore_case *c, struct lore_case_hypothesis *claim, const char *campaign)
{
    struct lore_submission *doc = c->in->doc;
    struct lore_arena *arena = c->in->arena;
    struct lore_hypothesis h = claim->t.h;

    h.from_version = claim->from >= 0 ? c->versions[claim->from].id : NULL;
    h.to_version = claim->to >= 0 ? c->versions[claim->to].id : NULL;
    h.campaign = campaign;
    if (!h.decision_link)
        h.decision_link = lore_case_kbs_link(c, &c->versions[claim->dir]);
    if (!claim->from_stated || !claim->to_stated)
        h.extra = lore_format(arena, "{\"lineage_inferred\":\"%s\"%s%s",
            claim->from_stated ? "target"
            : claim->to_stated ? "source"
                               : "source and target",
            h.extra != NULL ? "," : "}", h.extra != NULL ? h.extra + 1 : "");
    claim->id = h.id = lore_case_derive_id(c, LORE_K_HYPOTHESIS, &h);
    for (size_t i = 0; i < doc->n_hypotheses; i++) {
        if (strcmp(doc->hypotheses[i].id, h.id) == 0)
            return;
    }
    *LORE_PUSH(arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses) = h;
}

static bool
applied_any(const struct lore_experiment *x)
{
    for (size_t i = 0; i < x->n_techniques; i++) {
        if (!x->techniques[i].status)
            return true;
    }
    return false;
}

static void
set_title(struct lore_case *c, const struct lore_case_version *v, struct lore_experiment *x)
{
    const char *text = v->claim >= 0 ? c->claims[v->claim].t.h.claim : x->notes;

    if (applied_any(x))
        return;
    if (!text)
        text = lore_format(c->in->arena, "%s from %s", v->label, c->versions[v->parent].label);
    text = lore_strndup(c->in->arena, text, strcspn(text, "\r\n"));
    x->title = lore_case_truncate(c->in->arena, text, 120);
}

static void
add_experiment(struct lore_case *c, const struct lore_case_version *v, const char *campaign)
{
    struct lore_submission *doc = c->in->doc;
    const struct lore_case_version *parent = &c->versions[v->parent];
    struct lore_experiment x = {.kernel = c->kernel, .campaign = campaign};
    struct lore_case_unmapped_list rest = {0};
    struct lore_kvs more = {0};

    x.from_version = parent->id;
    x.to_version = v->id;
    x.runs_before = parent->runs;
    x.runs_after = v->runs;
    x.evidence = LORE_EV_IMPORTED;
    x.chip = c->chip;
    x.iteration = (struct lore_i64){true, v->ordinal};
    x.workload = v->profile.workload.set ? v->profile.workload : v->check.workload;
    x.happened_at = c->date;
    if (v->claim >= 0) {
        const struct lore_case_hypothesis *claim = &c->claims[v->claim];
        x.hypothesis = claim->id;
        lore_case_apply_kbs(c, &c->versions[claim->dir], &x, &rest);
    }
    lore_case_apply_report(c, v, &x);
    set_title(c, v, &x);
    if (!v->parent_source)
        lore_kvs_set(c->in->arena, &more, "lineage_inferred", "true");
    x.provenance.system = LORE_CASE_SYSTEM;
    x.provenance.path = v->label;
    x.extra = lore_case_extra(c->in->arena, &more, &rest);
    x.id = lore_case_derive_id(c, LORE_K_EXPERIMENT, &x);
    *LORE_PUSH(c->in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments) = x;
}

/* ---- the campaign ---- */

/* The workload common to all profiles; not set when they differ. */
static struct lore_workload
common_workload(const struct lore_case *c)
{
    struct lore_workload out = {0};

    for (size_t i = 0; i < c->n; i++) {
        const struct lore_workload *w = &c->versions[i].profile.workload;
        if (!w->set)
            continue;
        if (out.set && strcmp(lore_workload_text(c->in->arena, c->op, &out),
                           lore_workload_text(c->in->arena, c->op, w)) != 0)
            return (struct lore_workload){0};
        out = *w;
    }
    return out;
}

/* The number of steps that the case should have, from the version numbers and the columns of the
 * report. A doubt is noted when fewer steps have a directory. */
static int64_t
expected_records(struct lore_case *c)
{
    const struct lore_md_table *t = lore_case_table(c, "Version Iteration Comparison");
    int64_t by_number = c->versions[c->n - 1].ordinal - c->versions[0].ordinal, columns = 0;

    for (size_t i = 1; t != NULL && i < t->header.n; i++) {
        long long n = lore_case_number(t->header.cells[i], NULL);
        bool again = false; /* the best version may have two columns */
        for (size_t k = 1; k < i; k++)
            again |= lore_case_number(t->header.cells[k], NULL) == n;
        columns += n >= 0 && !again;
    }
    int64_t expected = columns - 1 > by_number ? columns - 1 : by_number;
    if (expected > (int64_t)c->n - 1)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: %lld steps are named, %zu have a directory",
            c->name, (long long)expected, c->n - 1);
    return expected;
}

static const char *
add_campaign(struct lore_case *c)
{
    struct lore_submission *doc = c->in->doc;
    struct lore_arena *arena = c->in->arena;
    struct lore_campaign out = {.kernel = c->kernel, .chip = c->chip};
    struct lore_kvs more = {0};

    out.label = lore_format(arena, "%s (%s)%s%s", c->name, lore_language_name(c->language),
        c->date != NULL ? " " : "", c->date != NULL ? c->date : "");
    out.baseline = c->versions[0].id;
    out.workload = common_workload(c);
    out.expected_records = (struct lore_i64){true, expected_records(c)};
    out.started_at = c->env.captured_at;
    out.provenance.system = LORE_CASE_SYSTEM;
    lore_case_orphan_kbs(c);
    lore_case_close_report(c, &out, &more);
    out.extra = lore_case_extra(arena, &more, &c->report_rest);
    out.id = lore_case_derive_id(c, LORE_K_CAMPAIGN, &out);
    *LORE_PUSH(arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns) = out;
    return out.id;
}

static void
add_directions(struct lore_case *c, const char *campaign)
{
    struct lore_submission *doc = c->in->doc;

    for (size_t i = 0; i < c->directions.n; i++) {
        struct lore_direction d = {.kernel = c->kernel, .campaign = campaign};
        const char *text = c->directions.v[i], *colon = strchr(text, ':');
        const struct lore_technique *t =
            lore_technique_find(lore_strndup(c->in->arena, text, strcspn(text, ":")));
        d.text = text;
        d.technique = colon != NULL && t ? t->slug : NULL;
        d.rank = (struct lore_i64){true, (int64_t)i + 1};
        d.provenance.system = LORE_CASE_SYSTEM;
        d.provenance.path = "final_report.md";
        d.id = lore_case_derive_id(c, LORE_K_DIRECTION, &d);
        *LORE_PUSH(c->in->arena, doc->directions, doc->n_directions, doc->cap_directions) = d;
    }
}

enum lore_status
lore_version_directories_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_case c = {.in = in, .best = -1};

    set_name(&c);
    if (!lore_case_scan(&c))
        return lore_fail(err, LORE_INVALID, "%s: no version directories", c.name);
    lore_case_read_env(&c);
    lore_case_read_hypotheses(&c);
    lore_case_read_report(&c);
    lore_case_lineage(&c);
    for (size_t i = 0; i < c.n; i++) {
        lore_case_read_check(&c, &c.versions[i]);
        lore_case_read_profile(&c, &c.versions[i]);
        diagnose(&c, &c.versions[i]);
    }
    set_language(&c);
    c.kernel = lore_build_kernel(in->arena, in->doc, c.op, c.language, c.name);
    for (size_t i = 0; i < c.n; i++) {
        add_version(&c, &c.versions[i]);
        lore_case_add_runs(&c, &c.versions[i]);
    }
    lore_case_read_bench(&c);
    const char *campaign = add_campaign(&c);
    for (size_t i = 0; i < c.n_claims; i++)
        add_hypothesis(&c, &c.claims[i], campaign);
    for (size_t i = 1; i < c.n; i++)
        add_experiment(&c, &c.versions[i], campaign);
    add_directions(&c, campaign);
    lore_case_doubts(&c);
    return LORE_OK;
}
