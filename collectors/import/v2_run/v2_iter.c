/* One iteration becomes one experiment: the change in methods.json, from the best version so far to
 * the fastest valid branch of the iteration, which the workflow calls its champion. An iteration is
 * imported even when every branch failed or the workflow lists none of its methods. The workflow's
 * outcome is stored as a claim; the service decides the verdict. */
#include <string.h>

#include "collectors/import/markdown.h"
#include "collectors/import/v2_run/v2.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* The text of the sections of MD whose title contains NAME; NULL: none. */
static const char *
section_of(struct lore_v2 *co, const struct lore_md *md, const char *name)
{
    struct lore_buf b = {.max = LORE_TAKE_TEXT};

    for (size_t i = 0; i < md->n_lines; i++) {
        const struct lore_md_line *l = &md->lines[i];
        if (l->level == 0 && strstr(l->section, name))
            lore_buf_printf(&b, "%s%s", b.len ? "\n" : "", l->text);
    }
    const char *out = b.len && !b.over ? lore_strndup(co->in->arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

static void
take_analysis(struct lore_v2 *co, const struct lore_v2_iter *it, struct lore_experiment *x)
{
    struct lore_import_file *f = lore_tree_file(co->in->tree, it->dir, "analysis.md");
    struct lore_md md;

    if (!f || !f->utf8)
        return;
    lore_import_open(co->in, f);
    lore_md_parse(co->in->arena, f->text, f->len, NULL, &md);
    x->notes = section_of(co, &md, "Diagnosis");
    x->lesson = section_of(co, &md, "Post-hoc");
    lore_import_note(co->in, LORE_IL_EXTRA,
        "analysis.md: sections Diagnosis and Post-hoc are imported; the rest is in the stored "
        "file");
}

static bool
same_number(const struct lore_json *node, const struct lore_f64 *ms)
{
    return node && node->type == LORE_J_NUMBER && ms->set &&
           node->f * (1 - 1e-9) <= ms->v * (1 + 1e-9) && ms->v * (1 - 1e-9) <= node->f * (1 + 1e-9);
}

static void
take_times(struct lore_v2 *co, const struct lore_json *h, const struct lore_v2_iter *it,
    const struct lore_f64 *champion_ms, struct lore_experiment *x)
{
    const struct lore_json *ms = lore_json_get(h, "ms");

    if (ms && ms->type == LORE_J_NUMBER && champion_ms->set && !same_number(ms, champion_ms))
        lore_import_note(co->in, LORE_IL_CONFLICTS,
            "iteration %lld: state.json says %s ms, bench.json %.6g ms", (long long)it->n, ms->str,
            champion_ms->v);
    (void)lore_take_ns(&co->take, h, "ms", 1e6, &x->claim.latency_after_ns);
    struct lore_f64 speedup = {0};
    const struct lore_json *s = lore_json_get(h, "speedup_vs_best_before");
    if (s && s->type == LORE_J_NUMBER && s->f >= 0 && s->f <= 1e9 &&
        lore_take_f64(&co->take, h, "speedup_vs_best_before", &speedup)) {
        x->claim.speedup = speedup;
        x->claim.base = LORE_BASE_BEST_SO_FAR;
    }
}

/* Add the methods in state.json as techniques when methods.json gave no hypothesis. */
static void
take_history_methods(struct lore_v2 *co, const struct lore_json *h, struct lore_experiment *x)
{
    const struct lore_json *list = lore_json_get(h, "methods");

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *id = m->type == LORE_J_OBJECT ? lore_json_get(m, "id") : m;
        if (!id || id->type != LORE_J_STRING || id->len == 0 || id->len > LORE_TAKE_NAME)
            continue;
        bool known = false;
        for (size_t i = 0; i < x->n_techniques && !known; i++)
            known = strcmp(x->techniques[i].name, id->str) == 0;
        if (known) {
            lore_take_mark(&co->take, id);
            continue;
        }
        if (x->hypothesis || x->n_techniques >= 16)
            continue;
        struct lore_use *u =
            LORE_PUSH(co->in->arena, x->techniques, x->n_techniques, x->cap_techniques);
        u->name = u->raw = id->str;
        lore_take_mark(&co->take, id);
    }
}

static void
take_history(struct lore_v2 *co, struct lore_v2_iter *it, const struct lore_f64 *champion_ms,
    struct lore_experiment *x)
{
    const struct lore_json *h = it->history;
    struct lore_i64 iter = {0};
    const char *status = NULL, *path = NULL;
    bool passed = false;

    x->claim.set = true;
    if (!h)
        return;
    lore_import_open(co->in, lore_tree_file(co->in->tree, co->in->unit, "state.json"));
    (void)lore_take_count(&co->take, h, "iter", &iter);
    (void)lore_take_path(&co->take, h, "kernel_file", &path);
    (void)lore_take_text(&co->take, h, "status", LORE_TAKE_NAME, &status);
    x->claim.outcome = status;
    lore_take_count(&co->take, h, "retries", &x->retries);
    if (lore_take_bool(&co->take, h, "validation_passed", &passed))
        x->claim.correctness = passed ? LORE_C_PASS : LORE_C_FAIL;
    it->failed =
        (status && strcmp(status, "failed_validation") == 0) || x->claim.correctness == LORE_C_FAIL;
    take_times(co, h, it, champion_ms, x);
    take_history_methods(co, h, x);
}

static bool
listed(const struct lore_v2 *co, const char *key, const char *method, int64_t iter)
{
    const struct lore_json *list = lore_json_get(co->state, key);

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *id = lore_json_get(m, "id"), *n = lore_json_get(m, "iter");
        if (id && id->type == LORE_J_STRING && strcmp(id->str, method) == 0 &&
            (!n || (n->is_int && n->i == iter)))
            return true;
    }
    return false;
}

/* Note contradictions between the experiment and the workflow's lists of methods. The workflow
 * drops methods whose iteration failed validation. */
static void
doubt_methods(struct lore_v2 *co, const struct lore_v2_iter *it, const struct lore_experiment *x)
{
    for (size_t i = 0; it->history && i < x->n_techniques; i++) {
        const char *m = x->techniques[i].name;
        bool effective = listed(co, "effective_methods", m, it->n);
        bool broken = listed(co, "implementation_failed_methods", m, it->n);
        if (!effective && !broken && !listed(co, "ineffective_methods", m, it->n))
            lore_import_note(co->in, LORE_IL_DOUBTS,
                "iteration %lld: %s is in none of the workflow's lists (%s); the experiment "
                "keeps it",
                (long long)it->n, m, it->failed ? "its validation failed" : "not classified");
        if (effective && it->failed)
            lore_import_note(co->in, LORE_IL_CONFLICTS,
                "iteration %lld: %s is listed as effective, but the validation failed",
                (long long)it->n, m);
    }
    if (x->n_techniques > 1)
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "iteration %lld applies %zu methods at once; only ablations can attribute the gain",
            (long long)it->n, x->n_techniques);
}

/* Make the champion the best version when the history calls the iteration "improved". */
static void
update_best(struct lore_v2 *co, const struct lore_v2_iter *it, const struct lore_f64 *ms,
    const struct lore_experiment *x)
{
    if (!it->champion || !x->claim.outcome || strcmp(x->claim.outcome, "improved") != 0)
        return;
    co->best = it->champion;
    co->best_run = it->champion_run;
    co->best_ms = *ms;
}

static void
set_runs(struct lore_v2 *co, const struct lore_v2_iter *it, struct lore_experiment *x)
{
    x->from_version = it->input;
    x->to_version = it->champion;
    if (it->input_run)
        lore_build_text(co->in->arena, &x->runs_before, it->input_run);
    if (it->champion_run)
        lore_build_text(co->in->arena, &x->runs_after, it->champion_run);
}

void
lore_v2_iteration(struct lore_v2 *co, struct lore_v2_iter *it)
{
    struct lore_submission *doc = co->in->doc;
    const char *branches = NULL, *roofline = NULL, *methods = NULL, *shares = NULL, *sass = NULL;
    struct lore_experiment x = {.kernel = co->kernel, .evidence = LORE_EV_IMPORTED};
    struct lore_f64 ms = {0};

    x.id = it->experiment =
        lore_v2_id(co, lore_format(co->in->arena, "experiment|%lld", (long long)it->n));
    it->input = co->best;
    it->input_run = co->best_run;
    lore_v2_branches(co, it, &branches);
    if (it->champion)
        it->champion_run = lore_v2_bench(co, it->dir, it->champion, LORE_ROLE_CANDIDATE, &ms);
    lore_v2_methods(co, it, &x, &methods);
    take_history(co, it, &ms, &x);
    lore_v2_profile(co, it, &x.bottleneck, &roofline);
    lore_v2_attribution(co, it, &shares);
    lore_v2_sass(co, it, &sass);
    take_analysis(co, it, &x);
    set_runs(co, it, &x);
    doubt_methods(co, it, &x);
    if (x.n_techniques == 0)
        x.title = lore_format(co->in->arena, "%s iteration %lld", co->label, (long long)it->n);
    x.chip = co->chip;
    x.workload = co->workload;
    x.campaign = co->campaign;
    x.iteration = (struct lore_i64){true, it->n};
    x.provenance.system = LORE_V2_SYSTEM;
    x.provenance.external_id =
        lore_format(co->in->arena, "%s/iterv%lld", co->label, (long long)it->n);
    const struct lore_named parts[] = {{"methods", methods}, {"branch_results", branches},
        {"roofline", roofline}, {"attribution", shares}, {"sass_check", sass}};
    x.extra = lore_take_extra(co->in->arena, parts, sizeof parts / sizeof *parts);
    update_best(co, it, &ms, &x);
    *LORE_PUSH(co->in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments) = x;
}
