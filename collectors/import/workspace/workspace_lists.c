/* Reads the lists of a version's record: metrics with targets, searches, pitfalls, references,
 * sub-experiments and open directions. An item without its required field is kept in extra. */
#include <string.h>

#include "collectors/import/workspace/workspace.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_ITEMS 200

static const struct lore_json *
items(const struct lore_json *root, const char *key)
{
    const struct lore_json *list = lore_json_get(root, key);
    return list && list->type == LORE_J_ARRAY ? list->child : NULL;
}

/* Read a target: a number, or a text such as ">= 90 %", which is also kept in extra. */
static void
take_value(struct lore_take *t, const struct lore_json *item, struct lore_target *out)
{
    const struct lore_json *m = lore_json_get(item, "target");
    const char *text = NULL, *rest = NULL;

    if (lore_take_f64(t, item, "target", &out->value) || !m || m->type != LORE_J_STRING)
        return;
    text = m->str;
    const char *number = text + strspn(text, "<>= ");
    if (lore_starts(text, "≥") || lore_starts(text, "≤"))
        number = text + strlen("≥") + strspn(text + strlen("≥"), " ");
    if (!lore_md_number(number, &out->value.v, &rest, NULL) || strlen(rest) > 20)
        return;
    out->value.set = true;
    rest += strspn(rest, " ");
    out->unit = *rest ? rest : NULL;
    if (*text == '>' || lore_starts(text, "≥"))
        out->direction = "up";
    else if (*text == '<' || lore_starts(text, "≤"))
        out->direction = "down";
}

static void
take_targets(struct lore_take *t, const struct lore_json *root, struct lore_experiment *x)
{
    for (const struct lore_json *m = items(root, "isa_metric_progress"); m; m = m->next) {
        struct lore_target out = {.met = "unknown"};
        bool met = false;
        const char *text = NULL, *rest = NULL;
        if (x->n_targets >= MAX_ITEMS ||
            !lore_take_text(t, m, "metric", LORE_TAKE_NAME, &out.metric))
            continue;
        take_value(t, m, &out);
        const struct lore_json *current = lore_json_get(m, "current");
        double v = 0;
        if (!lore_take_f64(t, m, "current", &out.current) && current &&
            current->type == LORE_J_STRING && lore_md_number(current->str, &v, &rest, NULL)) {
            out.current = (struct lore_f64){true, v};
            if (!*rest)
                (void)lore_take_text(t, m, "current", LORE_TAKE_NAME, &text);
        }
        if (lore_take_bool(t, m, "met", &met))
            out.met = met ? "yes" : "no";
        *LORE_PUSH(t->in->arena, x->targets, x->n_targets, x->cap_targets) = out;
    }
}

static void
take_lookups(struct lore_take *t, const struct lore_json *root, struct lore_experiment *x)
{
    for (const struct lore_json *m = items(root, "search_log"); m; m = m->next) {
        struct lore_lookup out = {0};
        if (x->n_lookups >= MAX_ITEMS || !lore_take_text(t, m, "query", LORE_TAKE_LINE, &out.query))
            continue;
        (void)lore_take_text(t, m, "source", LORE_TAKE_NAME, &out.source);
        (void)lore_take_text(t, m, "finding", LORE_TAKE_TEXT, &out.finding);
        (void)lore_take_text(t, m, "actionability", LORE_TAKE_TEXT, &out.use);
        *LORE_PUSH(t->in->arena, x->lookups, x->n_lookups, x->cap_lookups) = out;
    }
}

static bool
is_failure(const char *type)
{
    static const char *const names[] = {"compilation", "runtime", "accuracy", "performance",
        "timeout", "profiling", "environment", "process"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(type, names[i]) == 0)
            return true;
    }
    return false;
}

static void
take_pitfalls(struct lore_take *t, const struct lore_json *root, struct lore_experiment *x)
{
    for (const struct lore_json *m = items(root, "pitfalls_and_fixes"); m; m = m->next) {
        struct lore_pitfall out = {.type = "process"};
        const struct lore_json *type = lore_json_get(m, "error_type");
        if (x->n_pitfalls >= MAX_ITEMS || m->type != LORE_J_OBJECT)
            continue;
        if (type && type->type == LORE_J_STRING && is_failure(type->str))
            (void)lore_take_text(t, m, "error_type", LORE_TAKE_NAME, &out.type);
        else
            lore_import_note(t->in, LORE_IL_DOUBTS,
                "%s: pitfall with an unknown error_type; stored as process, the original is in "
                "extra",
                t->in->at->path);
        (void)lore_take_text(t, m, "error_message", LORE_TAKE_TEXT, &out.message);
        (void)lore_take_text(t, m, "root_cause", LORE_TAKE_TEXT, &out.root_cause);
        (void)lore_take_text(t, m, "fix_applied", LORE_TAKE_TEXT, &out.fix);
        (void)lore_take_text(t, m, "lesson", LORE_TAKE_TEXT, &out.lesson);
        if (out.message && strstr(out.message, "artial restart"))
            lore_import_note(t->in, LORE_IL_DOUBTS,
                "%s: a pitfall mentions a partial restart. The masks show the hidden versions; who "
                "chose them is not recorded",
                t->in->at->path);
        *LORE_PUSH(t->in->arena, x->pitfalls, x->n_pitfalls, x->cap_pitfalls) = out;
    }
}

static void
take_references(struct lore_take *t, const struct lore_json *root, struct lore_experiment *x)
{
    for (const struct lore_json *m = items(root, "references"); m; m = m->next) {
        struct lore_reference out = {0};
        if (x->n_references >= MAX_ITEMS || !lore_take_path(t, m, "path_or_url", &out.target))
            continue;
        (void)lore_take_text(t, m, "source_type", LORE_TAKE_NAME, &out.kind);
        (void)lore_take_text(t, m, "description", LORE_TAKE_TEXT, &out.description);
        *LORE_PUSH(t->in->arena, x->references, x->n_references, x->cap_references) = out;
    }
}

static void
mark_empty(struct lore_take *t, const struct lore_json *root)
{
    static const char *const keys[] = {
        "isa_metric_progress", "search_log", "pitfalls_and_fixes", "references", "open_directions"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct lore_json *m = lore_json_get(root, keys[i]);
        if (m && m->len == 0)
            lore_take_mark(t, m);
    }
}

void
lore_workspace_lists(struct lore_workspace *at, struct lore_take *t, const struct lore_json *root,
    struct lore_experiment *x)
{
    (void)at;
    take_targets(t, root, x);
    take_lookups(t, root, x);
    take_pitfalls(t, root, x);
    take_references(t, root, x);
    mark_empty(t, root);
}

/* ---- sub-experiments ---- */

static void
take_notes(struct lore_workspace *at, struct lore_take *t, const struct lore_json *m,
    struct lore_experiment *x)
{
    const char *result = NULL, *evidence = NULL;

    (void)lore_take_text(t, m, "result", LORE_TAKE_TEXT / 2 - 20, &result);
    (void)lore_take_text(t, m, "evidence", LORE_TAKE_TEXT / 2 - 20, &evidence);
    if (result && evidence)
        x->notes = lore_format(at->in->arena, "%s\nEvidence: %s", result, evidence);
    else
        x->notes = result ? result : evidence;
}

static void
take_decision(struct lore_take *t, const struct lore_json *m, struct lore_experiment *x)
{
    static const char *const known[] = {"adopt", "continue", "revert", "pivot", "stop"};
    const struct lore_json *d = lore_json_get(m, "decision");

    for (size_t i = 0; d && d->type == LORE_J_STRING && i < sizeof known / sizeof *known; i++) {
        if (strcmp(d->str, known[i]) == 0)
            (void)lore_take_text(t, m, "decision", LORE_TAKE_NAME, &x->decision);
    }
}

static void
add_sub_experiment(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *m, const char *campaign)
{
    struct lore_submission *doc = at->in->doc;
    struct lore_experiment x = {.kernel = at->kernel, .evidence = LORE_EV_IMPORTED};
    struct lore_hypothesis h = {.from_version = v->parent};

    x.id = lore_build_id(at->in->arena, 0, "workspace-sub|%s|%u", v->experiment, m->index);
    lore_take_count(t, m, "index", &x.iteration);
    (void)lore_take_text(t, m, "name", LORE_TAKE_NAME, &x.title);
    (void)lore_take_text(t, m, "hypothesis", LORE_TAKE_TEXT, &h.claim);
    (void)lore_take_text(t, m, "change", LORE_TAKE_TEXT, &h.change);
    take_notes(at, t, m, &x);
    take_decision(t, m, &x);
    if (!h.claim)
        h.claim = h.change;
    x.from_version = v->parent;
    x.chip = at->chip;
    x.workload = at->workload;
    x.campaign = campaign;
    x.provenance.system = LORE_WORKSPACE_SYSTEM;
    x.provenance.external_id = lore_format(at->in->arena, "%s/experience/%u", v->label, m->index);
    if (h.claim) {
        h.id = lore_build_id(at->in->arena, 0, "workspace-sub-hypothesis|%s", x.id);
        h.campaign = campaign;
        *LORE_PUSH(at->in->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses) = h;
        x.hypothesis = h.id;
        lore_build_title(at->in->arena, &x, h.claim);
    }
    if (!x.title)
        x.title = lore_format(at->in->arena, "%s: sub-experiment %u", v->label, m->index + 1);
    *LORE_PUSH(at->in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments) = x;
}

/* Add the sub-experiments of V. When the record counts more experiments than it lists, the report
 * says how many are lost. */
void
lore_workspace_experience(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *root)
{
    const struct lore_json *e = lore_json_get(root, "experience");
    const struct lore_json *list = lore_json_get(e, "experiments");
    struct lore_submission *doc = at->in->doc;
    struct lore_i64 made = {0}, recorded = {0};
    size_t n = 0;

    if (!e || e->type != LORE_J_OBJECT)
        return;
    lore_take_count(t, e, "experiment_count", &made);
    const char *campaign = lore_build_id(at->in->arena, 0, "workspace-session|%s", v->experiment);
    for (const struct lore_json *m = items(e, "experiments"); m; m = m->next) {
        at->in->records++;
        if (m->type != LORE_J_OBJECT) {
            lore_import_refuse(at->in, m, "expected an object");
            continue;
        }
        add_sub_experiment(at, v, t, m, campaign);
        n++;
    }
    if (list && list->len == 0)
        lore_take_mark(t, list);
    const struct lore_json *r = lore_json_get(e, "recorded_experiment_count");
    if (r && r->is_int && r->i == (int64_t)n)
        lore_take_count(t, e, "recorded_experiment_count", &recorded);
    else if (r && r->type == LORE_J_NUMBER)
        lore_import_note(at->in, LORE_IL_CONFLICTS,
            "%s: recorded_experiment_count is %s, the list has %zu", v->label, r->str, n);
    if (made.set && made.v > (int64_t)n)
        lore_import_note(at->in, LORE_IL_DOUBTS,
            "%s: %lld experiments were made, %zu recorded: %lld lost", v->label, (long long)made.v,
            n, (long long)(made.v - (int64_t)n));
    if (!made.set && n == 0)
        return;
    struct lore_campaign *c =
        LORE_PUSH(at->in->arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);
    c->id = campaign;
    c->label = lore_format(at->in->arena, "%s, session of %s", at->name, v->label);
    c->kernel = at->kernel;
    c->baseline = v->parent;
    c->chip = at->chip;
    c->expected_records = made.set ? made : (struct lore_i64){true, (int64_t)n};
    c->provenance.system = LORE_WORKSPACE_SYSTEM;
}

void
lore_workspace_directions(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *root)
{
    struct lore_submission *doc = at->in->doc;
    size_t n = 0;

    for (const struct lore_json *m = items(root, "open_directions"); m; m = m->next) {
        struct lore_direction d = {.kernel = at->kernel, .experiment = v->experiment};
        if (!lore_take_text(t, m, "direction", LORE_TAKE_TEXT, &d.text))
            continue;
        (void)lore_take_text(t, m, "rationale", LORE_TAKE_TEXT, &d.rationale);
        d.id =
            lore_build_id(at->in->arena, 0, "workspace-direction|%s|%u", v->experiment, m->index);
        d.campaign = at->campaign;
        d.rank = (struct lore_i64){true, (int64_t)m->index + 1};
        d.provenance.system = LORE_WORKSPACE_SYSTEM;
        *LORE_PUSH(at->in->arena, doc->directions, doc->n_directions, doc->cap_directions) = d;
        n++;
    }
    if (n > 3)
        lore_import_note(at->in, LORE_IL_DOUBTS,
            "%s: %zu open directions; the workflow allows three", v->label, n);
}
