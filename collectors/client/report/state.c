/* state.json of cuda-kernel-optimizer ("that system" below), with every key of that file. Paths are
 * bare file names, because directories are not recorded. The status of an iteration follows that
 * system's own rule: improved when correct and faster than the best before by more than the noise
 * threshold. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "collectors/client/report/workspace.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

struct state {
    const struct lore_story *s;
    const struct lore_json *campaign; /* the newest, or NULL */
    double noise_pct;
};

static void
put_number(struct lore_jsonw *w, const char *key, bool known, double v)
{
    lore_w_key(w, key);
    if (!known)
        lore_w_null(w);
    else if (v == (double)(int64_t)v)
        lore_w_i64(w, (int64_t)v);
    else
        lore_w_f64(w, v);
}

static const char *
file_of(const struct lore_story *s, size_t step)
{
    return step < s->n ? lore_fetch_text(lore_fetch_first(s->steps[step].version, "files"), "file")
                       : NULL;
}

/* That system compares means. */
static bool
mean_ms(const struct lore_story_step *step, double *ms)
{
    double ns = 0;

    if (!lore_fetch_number(lore_fetch_object(step->run, "stats"), "mean_ns", &ns))
        ns = step->time_ns;
    *ms = ns / 1e6;
    return ns > 0;
}

static void
put_config(struct lore_jsonw *w, const struct state *t, const char *key)
{
    const struct lore_json *m = lore_json_get(lore_fetch_object(t->campaign, "config"), key);

    lore_w_key(w, key);
    if (m)
        lore_w_node(w, m);
    else
        lore_w_null(w);
}

static void
put_env(struct lore_jsonw *w, const struct state *t)
{
    const char *name = NULL;
    const struct lore_chip *chip;

    for (size_t i = 0; i < t->s->n && !name; i++)
        name = lore_fetch_text(t->s->steps[i].run, "chip");
    chip = name ? lore_chip_find(name) : NULL;
    lore_w_key(w, "env");
    lore_w_obj(w);
    if (chip) {
        lore_w_key(w, "gpus");
        lore_w_arr(w);
        lore_w_obj(w);
        lore_w_kstr(w, "name", chip->title);
        lore_w_kstr(w, "sm_arch", chip->isa);
        lore_w_obj_end(w);
        lore_w_arr_end(w);
        lore_w_kstr(w, "primary_sm_arch", chip->isa);
    }
    lore_w_obj_end(w);
}

static void
put_head(struct lore_jsonw *w, struct state *t)
{
    const struct lore_story *s = t->s;
    const struct lore_story_step *any = s->champion < s->n ? &s->steps[s->champion] : NULL;
    const struct lore_json *dims =
        lore_fetch_object(lore_fetch_object(any ? any->run : NULL, "workload"), "dims");
    double ms = 0, n = 0;
    bool known = any && mean_ms(any, &ms);

    lore_w_kstr(w, "run_dir", NULL);
    lore_w_kstr(w, "baseline_file", file_of(s, s->baseline));
    put_config(w, t, "baseline_file_original");
    put_config(w, t, "ref_file");
    lore_w_kstr(w, "best_file", file_of(s, s->champion));
    put_number(w, "best_metric_ms", known, ms);
    lore_w_kstr(w, "best_ncu_rep", NULL);
    put_env(w, t);
    known = lore_fetch_number(t->campaign, "iterations", &n);
    put_number(w, "iterations_total", known, n);
    put_config(w, t, "ncu_num");
    put_config(w, t, "branches");
    known = lore_fetch_number(t->campaign, "noise_threshold_pct", &n);
    put_number(w, "noise_threshold_pct", known, n);
    t->noise_pct = known ? n : 2.0; /* that system's default */
    put_config(w, t, "ptr_size");
    lore_w_key(w, "dims");
    if (dims)
        lore_w_node(w, dims);
    else
        lore_w_null(w);
}

/* The fastest mean of correct versions before step AT; 0: none. */
static double
best_before(const struct state *t, size_t at)
{
    double best = 0, ms = 0;

    for (size_t i = 0; i < at; i++) {
        const struct lore_story_step *step = &t->s->steps[i];
        const char *checked = lore_story_checked(step);
        if (!lore_story_shows(step) || step->not_comparable ||
            (checked && strcmp(checked, "pass") != 0) || !mean_ms(step, &ms))
            continue;
        best = best <= 0 || ms < best ? ms : best;
    }
    return best;
}

/* How much faster step AT is than the best before it; 0: not known. */
static double
gain_of(const struct state *t, size_t at)
{
    double ms = 0, best = best_before(t, at);

    return best > 0 && !t->s->steps[at].not_comparable && mean_ms(&t->s->steps[at], &ms) ? best / ms
                                                                                         : 0;
}

/* ---- methods ---- */

static bool
recorded_iteration(const struct lore_json *x, int64_t *out)
{
    double n = 0;

    if (!lore_fetch_number(lore_fetch_object(x, "record"), "iteration", &n))
        return false;
    *out = (int64_t)n;
    return true;
}

static int64_t
iteration_of(const struct state *t, size_t step)
{
    int64_t count = 0;

    if (recorded_iteration(t->s->steps[step].x, &count))
        return count;
    for (size_t i = 0; i <= step; i++)
        count += t->s->steps[i].x != NULL && lore_story_shows(&t->s->steps[i]);
    return count;
}

static const char *
title_of(const char *slug)
{
    const struct lore_technique *known = slug ? lore_technique_find(slug) : NULL;

    return known ? known->title : slug;
}

/* The axis of the technique SLUG: the catalogue's, else the prefix of a slug like "compute.ilp". */
static const char *
axis_of(const char *slug)
{
    static const char *const axes[] = {"compute", "memory", "latency"};
    const struct lore_technique *known = slug ? lore_technique_find(slug) : NULL;

    for (size_t i = 0; slug && !known && i < 3; i++)
        if (lore_starts(slug, axes[i]) && slug[strlen(axes[i])] == '.')
            return axes[i];
    return known ? known->axis : NULL;
}

static void
put_method(struct lore_jsonw *w, const struct lore_json *x, int64_t iteration, const char *slug)
{
    const struct lore_json *use = lore_fetch_first(lore_fetch_object(x, "record"), "techniques");
    double v = 0;

    while (use && !lore_streq(lore_fetch_text(use, "name"), slug))
        use = use->next;
    lore_w_kstr(w, "id", slug);
    lore_w_kstr(w, "name", title_of(slug));
    lore_w_kstr(w, "axis", axis_of(slug));
    if (lore_fetch_number(use, "priority", &v))
        put_number(w, "priority", true, v);
    if (lore_fetch_number(use, "strength", &v))
        put_number(w, "trigger_strength", true, v);
    lore_w_kstr_opt(w, "expected_metric_shift", lore_fetch_text(use, "expected"));
    lore_w_ki64(w, "iter", iteration);
}

static void
put_selected(struct lore_jsonw *w, const struct state *t)
{
    lore_w_key(w, "selected_methods");
    lore_w_arr(w);
    for (size_t i = 0; i < t->s->n; i++) {
        const struct lore_json *u = lore_fetch_first(t->s->steps[i].x, "techniques");
        for (; u && lore_story_shows(&t->s->steps[i]); u = u->next) {
            lore_w_obj(w);
            put_method(w, t->s->steps[i].x, iteration_of(t, i), lore_fetch_text(u, "name"));
            lore_w_obj_end(w);
        }
    }
    for (size_t i = 0; i < t->s->other_experiments.n; i++) {
        const struct lore_json *u = lore_fetch_first(t->s->other_experiments.v[i], "techniques");
        int64_t n = 0;
        for (; u && recorded_iteration(t->s->other_experiments.v[i], &n); u = u->next) {
            lore_w_obj(w);
            put_method(w, t->s->other_experiments.v[i], n, lore_fetch_text(u, "name"));
            lore_w_obj_end(w);
        }
    }
    lore_w_arr_end(w);
}

static bool
share_of(const struct lore_json *x, const char *technique, double *ns)
{
    for (const struct lore_json *a = lore_fetch_first(x, "attributions"); a; a = a->next)
        if (lore_streq(lore_fetch_text(a, "technique"), technique))
            return lore_fetch_number(a, "attribution_ns", ns);
    return false;
}

/* Methods whose verdict is VERDICT, under KEY. */
static void
put_judged(struct lore_jsonw *w, const struct state *t, const char *key, const char *verdict)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < t->s->n; i++) {
        const struct lore_story_step *step = &t->s->steps[i];
        const struct lore_json *v = lore_fetch_first(step->x, "technique_verdicts");
        for (; v && lore_story_shows(step); v = v->next) {
            double ns = 0;
            bool known = share_of(step->x, lore_fetch_text(v, "technique"), &ns);
            if (!lore_streq(lore_fetch_text(v, "verdict"), verdict))
                continue;
            lore_w_obj(w);
            put_method(w, step->x, iteration_of(t, i), lore_fetch_text(v, "technique"));
            if (strcmp(verdict, "effective") == 0) {
                put_number(w, "attribution_ms", known, ns / 1e6);
                put_number(w, "speedup_vs_best_before", gain_of(t, i) > 0, gain_of(t, i));
            } else {
                lore_w_kstr(w, "note", lore_fetch_text(v, "why"));
            }
            lore_w_obj_end(w);
        }
    }
    lore_w_arr_end(w);
}

/* ---- history ---- */

static void
put_methods_of(struct lore_jsonw *w, const struct lore_json *x)
{
    for (int names = 0; names < 2; names++) {
        lore_w_key(w, names ? "method_names" : "methods");
        lore_w_arr(w);
        for (const struct lore_json *u = lore_fetch_first(x, "techniques"); u; u = u->next)
            lore_w_str(
                w, names ? title_of(lore_fetch_text(u, "name")) : lore_fetch_text(u, "name"));
        lore_w_arr_end(w);
    }
}

/* The claim of the step's record. It is used if the version's time is missing or not comparable. */
static const struct lore_json *
stated(const struct lore_story_step *step)
{
    return lore_fetch_object(lore_fetch_object(step->x, "record"), "claim");
}

/* The status by that system's rule; the first measurement is always "improved". */
static const char *
status_of(const struct state *t, size_t at, const char *checked)
{
    double ms = 0, gain = gain_of(t, at);

    if (checked && strcmp(checked, "pass") != 0)
        return "failed_validation";
    if (!mean_ms(&t->s->steps[at], &ms) || t->s->steps[at].not_comparable)
        return lore_fetch_text(stated(&t->s->steps[at]), "outcome");
    return gain <= 0 || gain * (1 - t->noise_pct / 100) > 1 ? "improved" : "regressed";
}

static void
put_iteration(struct lore_jsonw *w, const struct state *t, size_t i)
{
    const struct lore_story_step *step = &t->s->steps[i];
    const char *checked = lore_story_checked(step);
    double ms = 0, n = 0;
    bool known = mean_ms(step, &ms);

    if (!known && lore_fetch_number(stated(step), "latency_after_ns", &n)) {
        known = true;
        ms = n / 1e6;
    }
    lore_w_obj(w);
    lore_w_ki64(w, "iter", iteration_of(t, i));
    lore_w_kstr(w, "kernel_file", file_of(t->s, i));
    put_methods_of(w, step->x);
    put_number(w, "ms", known, ms);
    put_number(w, "ref_ms", false, 0);
    put_number(w, "speedup_vs_ref", false, 0);
    put_number(w, "speedup_vs_best_before", gain_of(t, i) > 0, gain_of(t, i));
    lore_w_key(w, "validation_passed");
    if (checked)
        lore_w_bool(w, strcmp(checked, "pass") == 0);
    else
        lore_w_null(w);
    lore_w_kstr(w, "status", status_of(t, i, checked));
    known = lore_fetch_number(lore_fetch_object(step->x, "record"), "retries", &n);
    put_number(w, "retries", known, n);
    lore_w_obj_end(w);
}

/* An iteration that left no version: its experiment is all there is. */
static void
put_without_version(struct lore_jsonw *w, const struct lore_json *x, int64_t iteration)
{
    const char *checked = lore_fetch_text(lore_fetch_object(x, "outcome"), "correctness");
    bool judged = checked && strcmp(checked, "not_checked") != 0;
    bool passed = lore_streq(checked, "pass");
    double n = 0;
    bool known = lore_fetch_number(lore_fetch_object(x, "record"), "retries", &n);

    lore_w_obj(w);
    lore_w_ki64(w, "iter", iteration);
    lore_w_kstr(w, "kernel_file", NULL);
    put_methods_of(w, x);
    for (const char *const *k = (const char *const[]){"ms", "ref_ms", "speedup_vs_ref",
             "speedup_vs_best_before", NULL};
         *k; k++)
        put_number(w, *k, false, 0);
    lore_w_key(w, "validation_passed");
    if (judged)
        lore_w_bool(w, passed);
    else
        lore_w_null(w);
    lore_w_kstr(w, "status", judged && !passed ? "failed_validation" : NULL);
    put_number(w, "retries", known, n);
    lore_w_obj_end(w);
}

/* In order of iterations; experiments without a version only where their iteration is recorded. */
static void
put_history(struct lore_jsonw *w, const struct state *t)
{
    const struct lore_story *s = t->s;
    size_t step = 0, other_experiments = 0;
    int64_t at = 0, other = 0;

    lore_w_key(w, "history");
    lore_w_arr(w);
    while (step < s->n || other_experiments < s->other_experiments.n) {
        if (step < s->n && (!s->steps[step].x || !lore_story_shows(&s->steps[step]))) {
            step++;
            continue;
        }
        bool has = other_experiments < s->other_experiments.n &&
                   recorded_iteration(s->other_experiments.v[other_experiments], &other);
        if (other_experiments < s->other_experiments.n && !has) {
            other_experiments++;
            continue;
        }
        at = step < s->n ? iteration_of(t, step) : INT64_MAX;
        if (has && other < at)
            put_without_version(w, s->other_experiments.v[other_experiments++], other);
        else
            put_iteration(w, t, step++);
    }
    lore_w_arr_end(w);
}

/* An unknown gap is null. That system uses the word "bandwidth" for "memory". */
static void
put_roofline(struct lore_jsonw *w, const struct state *t)
{
    static const char *const gaps[][2] = {
        {"delta_compute", "compute"}, {"delta_memory", "memory"}, {"delta_latency", "latency"}};

    lore_w_key(w, "roofline_history");
    lore_w_arr(w);
    for (size_t i = 0; i < t->s->n; i++) {
        const struct lore_story_step *step = &t->s->steps[i];
        const struct lore_json *g = lore_fetch_object(step->diagnosis, "gaps");
        const char *bound = lore_fetch_text(g, "bound");
        if (!g || !lore_story_shows(step) || (!step->x && !step->baseline))
            continue;
        lore_w_obj(w);
        lore_w_ki64(w, "iter", iteration_of(t, i));
        for (size_t k = 0; k < 3; k++) {
            double v = 0;
            bool known = lore_fetch_number(g, gaps[k][1], &v);
            put_number(w, gaps[k][0], known, v);
        }
        if (lore_streq(bound, "unknown"))
            bound = NULL;
        lore_w_kstr(w, "bound", lore_streq(bound, "memory") ? "bandwidth" : bound);
        lore_w_key(w, "axis_budget");
        const struct lore_json *budget = lore_fetch_object(step->diagnosis, "axis_budget");
        if (budget)
            lore_w_node(w, budget);
        else
            lore_w_null(w);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_frontier(struct lore_jsonw *w, const struct state *t)
{
    const struct lore_story *s = t->s;
    double best = s->champion < s->n ? s->steps[s->champion].time_ns / 1e6 : 0, n = 0, ms = 0;

    lore_w_key(w, "frontier");
    lore_w_arr(w);
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_story_step *step = &s->steps[i];
        if (!lore_streq(lore_fetch_text(step->version, "kind"), "branch"))
            continue;
        bool known = mean_ms(step, &ms);
        lore_w_obj(w);
        put_number(
            w, "iter", lore_fetch_number(lore_fetch_object(step->x, "record"), "iteration", &n), n);
        put_number(w, "branch_index", false, 0);
        lore_w_kstr(w, "kernel", file_of(s, i));
        put_number(w, "ms", known, ms);
        put_number(w, "delta_from_champion", known && best > 0, ms - best);
        put_methods_of(w, step->x);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* "2026-11-21T19:20:00Z" as "20261121_192000"; the campaign's own created_at comes first. */
static const char *
created_at(const struct state *t)
{
    const char *own = lore_fetch_text(lore_fetch_object(t->campaign, "config"), "created_at");
    const char *at = lore_fetch_text(t->campaign, "started_at");

    if (own || !at || strlen(at) < 19)
        return own;
    return lore_format(t->s->fetch->arena, "%.4s%.2s%.2s_%.2s%.2s%.2s", at, at + 5, at + 8, at + 11,
        at + 14, at + 17);
}

enum lore_status
lore_state_file(const struct lore_story *story, struct lore_buf *out, struct lore_err *err)
{
    struct state t = {.s = story};
    struct lore_buf compact = {0};
    struct lore_jsonw w;

    t.campaign = story->campaigns.n > 0 ? story->campaigns.v[0] : NULL;
    lore_jsonw_begin(&w, &compact, false);
    lore_w_obj(&w);
    put_head(&w, &t);
    put_selected(&w, &t);
    put_judged(&w, &t, "effective_methods", "effective");
    put_judged(&w, &t, "ineffective_methods", "ineffective");
    put_judged(&w, &t, "implementation_failed_methods", "implementation_failed");
    put_history(&w, &t);
    put_roofline(&w, &t);
    put_frontier(&w, &t);
    lore_w_kstr(&w, "created_at", created_at(&t));
    lore_w_obj_end(&w);
    return lore_workspace_layout(story, &w, &compact, out, err);
}
