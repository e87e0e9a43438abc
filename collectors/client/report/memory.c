/* memory/v<N>.json, every key of its schema in the schema's order. Deltas are this version minus
 * its parent, in the unit of the number they belong to. */
#include <stdio.h>
#include <string.h>

#include "collectors/client/report/parts.h"
#include "collectors/client/report/pretty.h"
#include "collectors/client/report/workspace.h"
#include "service/base/text.h"

int64_t
lore_memory_number(const struct lore_story_step *step)
{
    double n = 0;
    long long v = 0;

    if (lore_fetch_number(step->version, "ordinal", &n))
        return (int64_t)n;
    if (step->label && step->label[0] == 'v' &&
        lore_parse_i64(step->label + 1, "label", &v, NULL) == LORE_OK && v >= 0)
        return v;
    return -1;
}

static void
put_number(struct lore_jsonw *w, const char *key, bool known, double v)
{
    lore_w_key(w, key);
    if (known)
        lore_w_f64(w, v);
    else
        lore_w_null(w);
}

static void
put_text(struct lore_jsonw *w, const char *key, const char *text)
{
    lore_w_kstr(w, key, text);
}

static const struct lore_story_step *
parent_of(const struct lore_story *s, const struct lore_story_step *step)
{
    const char *id = lore_fetch_text(lore_fetch_first(step->version, "parents"), "version");

    for (size_t i = 0; i < s->n && id; i++)
        if (lore_streq(s->steps[i].id, id))
            return &s->steps[i];
    return NULL;
}

static bool
measured(
    const struct lore_story *s, const struct lore_story_step *step, const char *name, double *v)
{
    const char *why = NULL;

    if (strcmp(name, "latency_us") != 0)
        return lore_part_number(s, step, name, v, &why);
    *v = step->time_ns / 1e3;
    return step->time_ns > 0;
}

static void
put_delta(struct lore_jsonw *w, const struct lore_story *s, const struct lore_story_step *step,
    const char *key, const char *name)
{
    const struct lore_story_step *parent = parent_of(s, step);
    double now = 0, before = 0;
    bool known = parent && !step->not_comparable && !parent->not_comparable &&
                 measured(s, step, name, &now) && measured(s, parent, name, &before);

    put_number(w, key, known, now - before);
}

/* The name of a run's workload when the imported format gave only a name; NULL when its dims are
 * known. */
static const char *
shape_of(const struct lore_json *run)
{
    const struct lore_json *dims = lore_fetch_object(lore_fetch_object(run, "workload"), "dims");
    const char *shape = lore_fetch_text(dims, "shape");

    return shape && dims->len == (lore_json_get(dims, "set") ? 2u : 1u) ? shape : NULL;
}

/* The newest run of each shape; runs come newest first. */
static void
put_shapes(struct lore_jsonw *w, const struct lore_story_step *step)
{
    bool open = false;

    for (size_t i = step->runs.n; i > 0; i--) {
        const struct lore_json *run = step->runs.v[i - 1];
        const char *shape = shape_of(run);
        double ns = 0;
        bool newer = false;
        for (size_t k = 0; k < i - 1 && shape; k++)
            newer |= lore_streq(shape_of(step->runs.v[k]), shape);
        if (!shape || newer ||
            !lore_fetch_number(lore_fetch_object(run, "stats"), "median_ns", &ns))
            continue;
        if (!open) {
            lore_w_key(w, "latency_us_by_shape");
            lore_w_obj(w);
        }
        open = true;
        put_number(w, shape, true, ns / 1e3);
    }
    if (open)
        lore_w_obj_end(w);
}

/* The latency that the record states for a version that was timed per shape. The imported file had
 * it, so the exported file has it, too. It is not comparable with other versions. */
static bool
stated_us(const struct lore_story_step *step, double *us)
{
    const struct lore_json *claim =
        lore_fetch_object(lore_fetch_object(step->x, "record"), "claim");
    double ns = 0;

    if (!lore_fetch_number(claim, "latency_after_ns", &ns))
        return false;
    *us = ns / 1e3;
    return true;
}

static void
put_performance(
    struct lore_jsonw *w, const struct lore_story *s, const struct lore_story_step *step)
{
    static const char *const names[] = {"latency_us", "tflops", "bandwidth_gbps",
        "tflops_peak_utilization_pct", "bandwidth_peak_utilization_pct"};

    lore_w_key(w, "performance");
    lore_w_obj(w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double v = 0;
        bool known = measured(s, step, names[i], &v) || (i == 0 && stated_us(step, &v));
        put_number(w, names[i], known, v);
    }
    put_shapes(w, step);
    lore_w_key(w, "comparison_with_previous");
    lore_w_obj(w);
    put_delta(w, s, step, "latency_delta", "latency_us");
    put_delta(w, s, step, "tflops_delta", "tflops");
    put_delta(w, s, step, "bandwidth_delta", "bandwidth_gbps");
    lore_w_obj_end(w);
    lore_w_obj_end(w);
}

static void
put_optimization(struct lore_jsonw *w, const struct lore_story_step *step)
{
    const struct lore_json *h = lore_story_hypothesis(step);
    const struct lore_json *use = lore_fetch_first(step->x, "techniques");
    const char *category =
        lore_fetch_text(use, "raw") ? lore_fetch_text(use, "raw") : lore_fetch_text(use, "name");
    const char *change = lore_fetch_text(h, "change");

    lore_w_key(w, "optimization");
    lore_w_obj(w);
    put_text(w, "action_category", category ? category : step->baseline ? "baseline" : NULL);
    put_text(w, "action_description", change ? change : lore_fetch_text(step->x, "title"));
    put_text(w, "expected_impact", lore_fetch_text(h, "claim"));
    put_text(w, "risks_and_rollback", lore_fetch_text(h, "risk"));
    lore_w_obj_end(w);
}

/* The tool's name when EVIDENCE is "TOOL: SUMMARY", as an import stores it; else NULL. */
static const char *
tool_in(struct lore_arena *arena, const char *evidence, const char *summary)
{
    size_t all = evidence ? strlen(evidence) : 0, tail = summary ? strlen(summary) : 0;

    if (tail == 0 || all < tail + 2 || strcmp(evidence + all - tail, summary) != 0 ||
        strncmp(evidence + all - tail - 2, ": ", 2) != 0)
        return NULL;
    return lore_strndup(arena, evidence, all - tail - 2);
}

static const char *
bottleneck_of(const struct lore_story *s, const struct lore_story_step *step)
{
    const char *raw = lore_fetch_text(step->x, "raw_label");
    const char *all = lore_fetch_stated_labels(s->fetch->arena, step->x);

    if (raw || !all)
        return raw;
    if (strcmp(all, "memory") == 0 || strcmp(all, "compute") == 0)
        return lore_format(s->fetch->arena, "%s_bound", all);
    lore_fetch_note(s->fetch,
        "%s: bottleneck \"%s\" is neither memory_bound nor compute_bound; written as it is",
        step->label, all);
    return all;
}

static void
put_evidence(struct lore_jsonw *w, const struct lore_story *s, const struct lore_story_step *step)
{
    const struct lore_json *h = lore_story_hypothesis(step);
    const char *evidence = lore_fetch_text(
        lore_fetch_object(lore_fetch_object(step->x, "record"), "bottleneck"), "evidence");
    const char *summary = lore_fetch_text(h, "rationale");

    lore_w_key(w, "profile_evidence");
    lore_w_obj(w);
    put_text(w, "tool_used", tool_in(s->fetch->arena, evidence, summary));
    put_text(w, "evidence_summary", summary ? summary : evidence);
    put_text(w, "bottleneck_type", bottleneck_of(s, step));
    put_text(w, "evidence_chain", lore_fetch_text(h, "decision_link"));
    lore_w_obj_end(w);
}

static void
put_correctness(struct lore_jsonw *w, const struct lore_story_step *step)
{
    const struct lore_json *c =
        lore_fetch_object(lore_fetch_object(step->run, "record"), "correctness");
    const char *status = lore_story_checked(step);
    double v = 0;
    bool known = lore_fetch_number(c, "rel_err", &v);

    lore_w_key(w, "correctness");
    lore_w_obj(w);
    put_number(w, "rel_err", known, v);
    put_text(w, "status",
        !status                       ? NULL
        : strcmp(status, "pass") == 0 ? "PASS"
        : strcmp(status, "fail") == 0 ? "FAIL"
                                      : "TIMEOUT_FAIL");
    lore_w_obj_end(w);
}

/* Write a list of objects with text members. NAMES pairs each key of the file with the record's. */
static void
put_list(struct lore_jsonw *w, const char *key, const struct lore_json *first,
    const char *const (*names)[2], size_t n)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (const struct lore_json *m = first; m; m = m->next) {
        lore_w_obj(w);
        for (size_t i = 0; i < n; i++)
            put_text(w, names[i][0], lore_fetch_text(m, names[i][1]));
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* Write a target with a direction as text, ">= 0.9", and one without as a number. */
static void
put_target(struct lore_jsonw *w, const struct lore_json *m, bool known, double v)
{
    const char *direction = lore_fetch_text(m, "direction");
    char text[32], words[48];

    if (!known || !direction) {
        put_number(w, "target", known, v);
        return;
    }
    lore_f64_text(v, text);
    (void)snprintf(words, sizeof words, "%s %s", strcmp(direction, "up") == 0 ? ">=" : "<=", text);
    put_text(w, "target", words);
}

static void
put_targets(struct lore_jsonw *w, const struct lore_json *record)
{
    lore_w_key(w, "isa_metric_progress");
    lore_w_arr(w);
    for (const struct lore_json *m = lore_fetch_first(record, "targets"); m; m = m->next) {
        const char *met = lore_fetch_text(m, "met");
        double v = 0;
        bool known = lore_fetch_number(m, "value", &v);
        lore_w_obj(w);
        put_text(w, "metric", lore_fetch_text(m, "metric"));
        put_target(w, m, known, v);
        known = lore_fetch_number(m, "current", &v);
        put_number(w, "current", known, v);
        lore_w_key(w, "met");
        if (lore_streq(met, "yes") || lore_streq(met, "no"))
            lore_w_bool(w, met[0] == 'y');
        else
            lore_w_null(w);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_lists(struct lore_jsonw *w, const struct lore_json *record)
{
    static const char *const lookups[][2] = {
        {"source", "source"}, {"query", "query"}, {"finding", "finding"}, {"actionability", "use"}};
    static const char *const pitfalls[][2] = {{"error_type", "type"}, {"error_message", "message"},
        {"root_cause", "root_cause"}, {"fix_applied", "fix"}, {"lesson", "lesson"}};
    static const char *const references[][2] = {
        {"source_type", "kind"}, {"path_or_url", "target"}, {"description", "description"}};

    put_targets(w, record);
    put_list(w, "search_log", lore_fetch_first(record, "lookups"), lookups, 4);
    put_list(w, "pitfalls_and_fixes", lore_fetch_first(record, "pitfalls"), pitfalls, 5);
    put_list(w, "references", lore_fetch_first(record, "references"), references, 3);
}

static void
put_gate(struct lore_jsonw *w, const struct lore_json *record)
{
    const struct lore_json *gate = lore_fetch_object(record, "gate");

    lore_w_key(w, "quality_gate");
    lore_w_obj(w);
    put_text(w, "result", lore_fetch_text(gate, "result"));
    put_text(w, "failure_reason", lore_fetch_text(gate, "reason"));
    lore_w_obj_end(w);
}

static void
put_directions(struct lore_jsonw *w, const struct lore_story *s, const struct lore_story_step *step)
{
    lore_w_key(w, "open_directions");
    lore_w_arr(w);
    for (size_t i = s->directions.n; i > 0; i--) {
        const struct lore_json *d = s->directions.v[i - 1];
        if (!step->x ||
            !lore_streq(lore_fetch_text(d, "experiment"), lore_fetch_text(step->x, "id")) ||
            lore_streq(lore_fetch_text(lore_fetch_object(d, "standing"), "state"), "closed"))
            continue;
        lore_w_obj(w);
        put_text(w, "direction", lore_fetch_text(d, "text"));
        put_text(w, "rationale", lore_fetch_text(d, "rationale"));
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

enum lore_status
lore_workspace_layout(const struct lore_story *s, struct lore_jsonw *w, struct lore_buf *compact,
    struct lore_buf *out, struct lore_err *err)
{
    struct lore_json *node = NULL;
    enum lore_status status = lore_jsonw_end(w, err);

    if (status == LORE_OK)
        status = lore_json_parse(compact->data, compact->len, NULL, s->fetch->arena, &node, err);
    lore_buf_free(compact);
    if (status != LORE_OK)
        return status;
    lore_pretty(out, node, 0);
    lore_buf_putc(out, '\n');
    return LORE_OK;
}

enum lore_status
lore_memory_file(const struct lore_story *story, const struct lore_story_step *step,
    struct lore_buf *out, struct lore_err *err)
{
    const struct lore_json *record = lore_fetch_object(step->x, "record");
    const char *when = lore_fetch_text(step->x, "happened_at");
    struct lore_buf compact = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &compact, false);
    lore_w_obj(&w);
    put_text(&w, "version",
        lore_format(story->fetch->arena, "v%lld", (long long)lore_memory_number(step)));
    lore_w_kbool(&w, "masked", step->hidden);
    put_text(&w, "timestamp", when ? when : lore_fetch_text(step->version, "created_at"));
    put_performance(&w, story, step);
    put_optimization(&w, step);
    put_evidence(&w, story, step);
    put_correctness(&w, step);
    put_lists(&w, record);
    put_gate(&w, record);
    put_text(&w, "git_commit_hash",
        lore_fetch_text(lore_fetch_object(step->version, "record"), "git_commit"));
    put_directions(&w, story, step);
    lore_w_obj_end(&w);
    return lore_workspace_layout(story, &w, &compact, out, err);
}
