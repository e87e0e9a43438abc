/* Turns memory/v<N>.json into records: the version, its runs, its hypothesis, the experiment and a
 * mask. workspace_reports.c adds the plan and the report of the version. */
#include <string.h>
#include <strings.h>

#include "collectors/import/workspace/workspace.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

static enum lore_version_kind
kind_of(const struct lore_workspace_version *v, const char *category)
{
    if (v->n == 0 || lore_streqi(category, "baseline"))
        return LORE_V_BASELINE;
    return category && strcasestr(category, "revert") ? LORE_V_REVERT : LORE_V_CANDIDATE;
}

static void
add_version(struct lore_workspace *at, const struct lore_workspace_version *v,
    enum lore_version_kind kind, const char *summary, const char *commit, const char *when)
{
    struct lore_submission *doc = at->in->doc;
    struct lore_version *out =
        LORE_PUSH(at->in->arena, doc->versions, doc->n_versions, doc->cap_versions);

    out->id = v->id;
    out->kernel = at->kernel;
    out->kind = kind;
    out->ordinal = (struct lore_i64){true, v->n};
    out->label = v->label;
    out->summary = summary;
    out->git_commit = commit;
    out->created_at = when;
    out->provenance.system = LORE_WORKSPACE_SYSTEM;
    out->provenance.external_id = v->label;
    out->provenance.commit = commit;
    if (!v->parent)
        return;
    struct lore_parent *p =
        LORE_PUSH(at->in->arena, out->parents, out->n_parents, out->cap_parents);
    *p = (struct lore_parent){v->parent, LORE_E_DERIVED_FROM};
    out->extra = "{\"lineage_inferred\":true}";
}

/* Split a text with risk and rollback: `risk` gets the whole text, `rollback` the text after
 * "Rollback:". */
static void
split_risks(const char *text, struct lore_hypothesis *h)
{
    const char *cut = strcasestr(text, "rollback:");
    const char *rollback = cut ? cut + strlen("rollback:") : "";

    h->risk = text;
    rollback += strspn(rollback, " ");
    h->rollback = *rollback ? rollback : NULL;
}

static void
take_evidence(struct lore_workspace *at, struct lore_take *t, const struct lore_json *root,
    struct lore_experiment *x, struct lore_hypothesis *h)
{
    const struct lore_json *e = lore_json_get(root, "profile_evidence");
    const char *tool = NULL, *summary = NULL, *type = NULL;

    (void)lore_take_text(t, e, "tool_used", LORE_TAKE_NAME, &tool);
    (void)lore_take_text(t, e, "evidence_summary", LORE_TAKE_TEXT - LORE_TAKE_NAME - 4, &summary);
    (void)lore_take_text(t, e, "evidence_chain", LORE_TAKE_TEXT, &h->decision_link);
    if (lore_take_text(t, e, "bottleneck_type", LORE_TAKE_NAME, &type)) {
        bool understood = lore_build_labels(at->in->arena, &x->bottleneck, type);
        const char *labels = lore_labels_text(at->in->arena, lore_labels_parse(type, NULL));
        lore_import_note(at->in, LORE_IL_LABELS, "\"%s\": %s", type,
            understood ? labels : "not understood; kept as text");
    }
    if (tool && summary)
        x->bottleneck.evidence = lore_format(at->in->arena, "%s: %s", tool, summary);
    else
        x->bottleneck.evidence = tool ? tool : summary;
    h->rationale = summary;
    if (tool && strstr(tool, "do_bench"))
        lore_import_note(at->in, LORE_IL_DOUBTS,
            "%s: a timer is given as the tool that found the bottleneck", at->in->at->path);
    if (summary && !strpbrk(summary, "0123456789"))
        lore_import_note(
            at->in, LORE_IL_DOUBTS, "%s: the evidence contains no number", at->in->at->path);
}

static void
take_action(struct lore_workspace *at, struct lore_take *t, const struct lore_json *root,
    struct lore_experiment *x, struct lore_hypothesis *h, const char **category)
{
    const struct lore_json *o = lore_json_get(root, "optimization");
    const char *risks = NULL, *impact = NULL;

    (void)lore_take_text(t, o, "action_category", LORE_TAKE_NAME, category);
    (void)lore_take_text(t, o, "action_description", LORE_TAKE_TEXT, &h->change);
    if (lore_take_text(t, o, "expected_impact", LORE_TAKE_TEXT, &impact))
        h->claim = impact;
    if (lore_take_text(t, o, "risks_and_rollback", LORE_TAKE_TEXT, &risks))
        split_risks(risks, h);
    if (!h->claim)
        h->claim = h->change;
    if (!*category || lore_streqi(*category, "baseline"))
        return;
    struct lore_use *u =
        LORE_PUSH(at->in->arena, x->techniques, x->n_techniques, x->cap_techniques);
    u->name = u->raw = *category;
    u->expected = impact && strlen(impact) <= LORE_TAKE_LINE ? impact : NULL;
    h->technique = *category;
    const char *slug = lore_technique_slug(at->in->arena, *category);
    if (strcmp(slug, *category) != 0)
        lore_import_note(at->in, LORE_IL_NAMES, "%s: technique %s", *category, slug);
}

static void
take_gate(struct lore_take *t, const struct lore_json *root, struct lore_experiment *x)
{
    const struct lore_json *g = lore_json_get(root, "quality_gate");

    x->gate.set = lore_take_text(t, g, "result", LORE_TAKE_NAME, &x->gate.result);
    if (x->gate.set)
        (void)lore_take_text(t, g, "failure_reason", LORE_TAKE_TEXT, &x->gate.reason);
}

static void
take_mask(struct lore_workspace *at, const struct lore_workspace_version *v, struct lore_take *t,
    const struct lore_json *root)
{
    struct lore_submission *doc = at->in->doc;
    bool masked = false;

    if (!lore_take_bool(t, root, "masked", &masked) || !masked)
        return;
    struct lore_curation *c =
        LORE_PUSH(at->in->arena, doc->curations, doc->n_curations, doc->cap_curations);
    c->id = lore_build_id(at->in->arena, 0, "workspace-mask|%s", v->experiment);
    c->action = "mask";
    lore_build_text(at->in->arena, &c->subjects, v->experiment);
    c->reason = "masked in the workspace";
    lore_import_note(at->in, LORE_IL_DOUBTS,
        "%s is masked; who masked it, when and why is not recorded", v->label);
}

/* Add specs whose value is UNKNOWN as pitfalls to the first version, because they belong to the
 * task. */
static void
add_unknown_specs(
    struct lore_workspace *at, const struct lore_workspace_version *v, struct lore_experiment *x)
{
    if (v != &at->versions[0])
        return;
    for (size_t i = 0; i < at->unknown_specs.n && x->n_pitfalls < 200; i++) {
        struct lore_pitfall *p =
            LORE_PUSH(at->in->arena, x->pitfalls, x->n_pitfalls, x->cap_pitfalls);
        p->type = "process";
        p->stage = "hardware spec";
        p->message = at->unknown_specs.v[i];
    }
}

/* Add the hypothesis of V; NULL for a baseline, which claims nothing. claimed_at is unknown,
 * because the record is written after the run. */
static const char *
add_hypothesis(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_hypothesis *h, const char *category)
{
    struct lore_submission *doc = at->in->doc;

    if (!h->claim || kind_of(v, category) == LORE_V_BASELINE)
        return NULL;
    h->id = lore_build_id(at->in->arena, 0, "workspace-hypothesis|%s", v->experiment);
    h->from_version = v->parent;
    h->to_version = v->id;
    h->campaign = at->campaign;
    *LORE_PUSH(at->in->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses) = *h;
    return h->id;
}

static void
check_name(struct lore_workspace *at, const struct lore_workspace_version *v, struct lore_take *t,
    const struct lore_json *root)
{
    const char *said = NULL;

    if (lore_take_text(t, root, "version", LORE_TAKE_NAME, &said) && strcmp(said, v->label) != 0)
        lore_import_note(at->in, LORE_IL_CONFLICTS, "%s says it is %s; using the file's name",
            at->in->at->path, said);
}

void
lore_workspace_map(struct lore_workspace *at, struct lore_workspace_version *v)
{
    struct lore_submission *doc = at->in->doc;
    const struct lore_json *root = lore_import_json(v->file);
    struct lore_take t = {.in = at->in};
    struct lore_experiment x = {.kernel = at->kernel, .evidence = LORE_EV_IMPORTED};
    struct lore_hypothesis h = {0};
    const char *category = NULL, *commit = NULL;

    lore_import_open(at->in, v->file);
    check_name(at, v, &t, root);
    take_action(at, &t, root, &x, &h, &category);
    take_evidence(at, &t, root, &x, &h);
    lore_workspace_runs(at, v, &t, root, &x);
    take_gate(&t, root, &x);
    lore_workspace_lists(at, &t, root, &x);
    take_mask(at, v, &t, root);
    (void)lore_take_text(&t, root, "git_commit_hash", LORE_TAKE_NAME, &commit);
    lore_workspace_experience(at, v, &t, root);
    lore_workspace_directions(at, v, &t, root);
    add_unknown_specs(at, v, &x);
    add_version(at, v, kind_of(v, category), h.change, commit, x.happened_at);
    x.id = v->experiment;
    x.from_version = v->parent;
    x.to_version = v->id;
    x.chip = at->chip;
    x.workload = at->workload;
    x.campaign = at->campaign;
    x.iteration = (struct lore_i64){true, v->n};
    x.provenance.system = LORE_WORKSPACE_SYSTEM;
    x.provenance.external_id = v->label;
    x.provenance.commit = commit;
    const char *rest = lore_take_rest(&t, root, "memory/v<N>.json");
    lore_workspace_plan(at, v, &x, &h);
    lore_workspace_report(at, v, &x);
    x.hypothesis = add_hypothesis(at, v, &h, category);
    lore_build_title(at->in->arena, &x, h.change ? h.change : h.claim);
    if (x.n_techniques == 0 && !x.title)
        x.title = v->n == 0 ? "v0: the baseline" : v->label;
    const struct lore_named parts[] = {{"memory", rest}, {"att", lore_workspace_att(at, v)}};
    x.extra = lore_take_extra(at->in->arena, parts, 2);
    *LORE_PUSH(at->in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments) = x;
}

/* ---- the legacy log ---- */

static const char *
cell(const struct lore_md_row *row, size_t i)
{
    return i < row->n && *row->cells[i] && strcmp(row->cells[i], "-") != 0 &&
                   strcmp(row->cells[i], "—") != 0
               ? row->cells[i]
               : NULL;
}

/* Add the records of a row of memory.md: Version | Evidence | Action | TFLOPS | Bandwidth(GB/s) |
 * Gain. */
void
lore_workspace_map_row(struct lore_workspace *at, struct lore_workspace_version *v)
{
    struct lore_submission *doc = at->in->doc;
    const struct lore_md_row *row = v->row;
    const char *action = cell(row, 2), *evidence = cell(row, 1), *gain = cell(row, 5), *rest = NULL;
    struct lore_experiment x = {.kernel = at->kernel, .evidence = LORE_EV_IMPORTED};
    struct lore_metrics metrics = {0};
    const char *const names[] = {"TFLOPS", "GB/s"};
    double value = 0;

    add_version(at, v, v->n == 0 ? LORE_V_BASELINE : LORE_V_CANDIDATE, action, NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        if (lore_md_number(cell(row, 3 + i), &value, NULL, NULL))
            lore_build_metric(
                at->in->arena, &metrics, i ? "bandwidth_gbps" : "tflops", names[i], value);
    }
    if (metrics.n > 0) {
        struct lore_run *r = LORE_PUSH(at->in->arena, doc->runs, doc->n_runs, doc->cap_runs);
        r->id = lore_build_id(at->in->arena, 0, "workspace-run|%s|%s|", v->id, at->context);
        r->version = v->id;
        r->evidence = LORE_EV_IMPORTED;
        r->chip = at->chip;
        r->workload = at->workload;
        r->metrics = metrics;
        r->provenance.system = LORE_WORKSPACE_SYSTEM;
        lore_build_text(at->in->arena, &x.runs_after, r->id);
    }
    x.id = v->experiment;
    x.from_version = v->parent;
    x.to_version = v->id;
    x.chip = at->chip;
    x.workload = at->workload;
    x.campaign = at->campaign;
    x.iteration = (struct lore_i64){true, v->n};
    x.bottleneck.evidence = evidence;
    lore_build_title(at->in->arena, &x, action);
    if (!x.title)
        x.title = v->label;
    x.notes = gain ? lore_format(at->in->arena, "gain: %s", gain) : NULL;
    if (gain && lore_md_number(gain, &value, &rest, NULL) && value >= 0 && value < 1e9 &&
        (*rest == 'x' || lore_starts(rest, "×"))) {
        x.claim.set = true;
        x.claim.speedup = (struct lore_f64){true, value};
    }
    x.provenance.system = LORE_WORKSPACE_SYSTEM;
    x.provenance.external_id = lore_format(at->in->arena, "memory.md:%zu", row->line);
    *LORE_PUSH(at->in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments) = x;
}
