/* Reads ncu_top.json and roofline.json of an iteration. The first holds only the strongest metrics
 * per axis, so a missing metric may have any value. The second is a diagnosis by the workflow's
 * rules. Its numbers are stored unchanged, with a doubt when they may result from a missing metric.
 *
 * The workflow writes both before the change, for the best kernel so far. After the change, it
 * overwrites only ncu_top.json, for the champion. Its profiled_file names the profiled kernel. */
#include <math.h>
#include <string.h>

#include "collectors/import/v2_run/v2.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static const char *const axes[] = {"compute", "memory", "latency"};

static enum lore_missing
why_degraded(const char *reason)
{
    if (!reason)
        return LORE_MISS_NOT_COLLECTED;
    if (strstr(reason, "PERM") || strstr(reason, "ermission"))
        return LORE_MISS_PERMISSION_DENIED;
    if (strstr(reason, "not found") || strstr(reason, "navailable") || strstr(reason, "missing"))
        return LORE_MISS_TOOL_UNAVAILABLE;
    return LORE_MISS_NOT_COLLECTED;
}

/* Add metric {name, value, unit, higher_is_worse, samples} to R. WHY is set for a degraded profile:
 * its values count as missing. */
static void
take_item(struct lore_v2 *co, struct lore_take *t, const struct lore_json *item,
    enum lore_missing why, struct lore_run *r)
{
    const char *name = NULL, *unit = NULL;
    struct lore_f64 value = {0};
    struct lore_i64 n = {0};

    if (item->type != LORE_J_OBJECT || !lore_take_text(t, item, "name", LORE_TAKE_NAME, &name))
        return;
    for (size_t i = 0; i < r->metrics.n; i++) {
        if (strcmp(r->metrics.v[i].name, name) == 0)
            return; /* listed on two axes: the second item is kept in extra */
    }
    (void)lore_take_text(t, item, "unit", LORE_TAKE_NAME, &unit);
    if (why == LORE_MISS_NONE && !lore_take_f64(t, item, "value", &value))
        why = LORE_MISS_NOT_COLLECTED;
    if (lore_take_count(t, item, "samples", &n) && n.v < 1)
        n.set = false;
    lore_build_metric(co->in->arena, &r->metrics, name, unit, value.v);
    r->metrics.v[r->metrics.n - 1].missing = why;
    if (why == LORE_MISS_NONE)
        r->metrics.v[r->metrics.n - 1].n = n;
}

/* The axis of each metric as JSON: {"dram__…": "memory"}. */
static const char *
axes_of(struct lore_v2 *co, const struct lore_json *top)
{
    struct lore_buf b = {.max = 1u << 20};
    struct lore_jsonw w;
    const char *seen[256];
    size_t n = 0;

    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    for (size_t a = 0; a < 3; a++) {
        const struct lore_json *list = lore_json_get(top, axes[a]);
        for (const struct lore_json *m = list ? list->child : NULL; m && n < 256; m = m->next) {
            const struct lore_json *name = lore_json_get(m, "name");
            bool again = !name || name->type != LORE_J_STRING;
            for (size_t i = 0; i < n && !again; i++)
                again = strcmp(seen[i], name->str) == 0;
            if (again)
                continue;
            seen[n++] = name->str;
            lore_w_kstr(&w, name->str, axes[a]);
        }
    }
    lore_w_obj_end(&w);
    bool good = lore_jsonw_end(&w, NULL) == LORE_OK && n > 0;
    const char *out = good ? lore_strndup(co->in->arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

/* The profiled version: the champion when PATH is in the iteration's folder, else the input. */
static const char *
profiled_version(struct lore_v2 *co, const struct lore_v2_iter *it, const char *path)
{
    const char *mark = lore_format(co->in->arena, "iterv%lld/", (long long)it->n);
    const char *in_iteration = path ? strstr(path, mark) : NULL;

    if (in_iteration && it->champion)
        return it->champion;
    return it->input;
}

static struct lore_run *
take_top(struct lore_v2 *co, const struct lore_v2_iter *it, const char **version)
{
    const struct lore_json *top = lore_v2_file(co, it->dir, "ncu_top.json");
    struct lore_take t = {.in = co->in};
    const char *reason = NULL;
    bool degraded = false;

    if (!top)
        return NULL;
    const struct lore_json *path = lore_json_get(top, "profiled_file");
    *version = profiled_version(co, it, path && path->type == LORE_J_STRING ? path->str : NULL);
    struct lore_run *r =
        lore_v2_add_run(co, lore_format(co->in->arena, "iterv%lld|profile", (long long)it->n),
            *version, *version == it->champion ? LORE_ROLE_CANDIDATE : LORE_ROLE_BASELINE);
    r->tool = "ncu";
    (void)lore_take_bool(&t, top, "degraded", &degraded);
    (void)lore_take_text(&t, top, "reason", LORE_TAKE_TEXT, &reason);
    (void)lore_take_kv(&t, top, "profiled_file", &r->method);
    (void)lore_take_kv(&t, top, "backend", &r->method);
    (void)lore_take_kv(&t, top, "ncu_rep", &r->method);
    (void)lore_take_kv(&t, top, "metric_count_collected", &r->method);
    lore_kvs_set(co->in->arena, &r->method, "degraded", degraded ? "true" : "false");
    enum lore_missing why = degraded ? why_degraded(reason) : LORE_MISS_NONE;
    for (size_t a = 0; a < 3; a++) {
        const struct lore_json *list = lore_json_get(top, axes[a]);
        if (list && list->len == 0)
            lore_take_mark(&t, list);
        for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next)
            take_item(co, &t, m, why, r);
    }
    if (degraded) {
        r->error = (struct lore_failure){true, "profiling", "ncu", NULL, reason};
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "%s: degraded profile (%s); its values are stored as missing", co->in->at->path,
            reason ? reason : "no reason given");
    }
    const struct lore_named parts[] = {
        {"ncu_top", lore_take_rest(&t, top, "ncu_top.json")}, {"axes", axes_of(co, top)}};
    r->extra = lore_take_extra(co->in->arena, parts, 2);
    return r;
}

/* ---- the roofline ---- */

static bool
has_metric(
    const struct lore_v2 *co, const struct lore_v2_iter *it, const char *axis, const char *word)
{
    const struct lore_import_file *f = lore_tree_file(co->in->tree, it->dir, "ncu_top.json");
    const struct lore_json *list =
        f && lore_import_json(f) ? lore_json_get(lore_import_json(f), axis) : NULL;

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *name = lore_json_get(m, "name");
        if (name && name->type == LORE_J_STRING && strstr(name->str, word))
            return true;
    }
    return false;
}

/* Note a delta_memory or delta_compute of exactly 1 without a stored metric: the workflow computes
 * 1 when the metric is missing. */
static void
doubt_deltas(struct lore_v2 *co, const struct lore_v2_iter *it, const struct lore_json *roof)
{
    const struct lore_json *memory = lore_json_get(roof, "delta_memory");
    const struct lore_json *compute = lore_json_get(roof, "delta_compute");
    const struct lore_json *ridge = lore_json_get(roof, "ai_ridge");
    bool full_gap_memory = memory && memory->type == LORE_J_NUMBER && fabs(memory->f - 1) < 1e-9;
    bool full_gap_compute =
        compute && compute->type == LORE_J_NUMBER && fabs(compute->f - 1) < 1e-9;

    if (full_gap_memory && !has_metric(co, it, "memory", "dram__throughput"))
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "%s: delta_memory is 1, but no DRAM throughput was stored; the workflow may have read "
            "a missing value as 0",
            co->in->at->path);
    if (full_gap_compute && !has_metric(co, it, "compute", "throughput"))
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "%s: delta_compute is 1, but no compute throughput was stored; the workflow may have "
            "read a missing value as 0",
            co->in->at->path);
    if (ridge && ridge->type == LORE_J_NUMBER)
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "roofline.json: ai_ridge comes from a table without sources; not recorded as a spec");
}

/* All numbers of the roofline with their names: "delta_compute 0.85, delta_memory 0.6, …". */
static const char *
evidence_of(struct lore_v2 *co, const struct lore_json *roof)
{
    struct lore_buf b = {.max = LORE_TAKE_TEXT};

    for (const struct lore_json *m = roof->child; m; m = m->next) {
        if (m->type == LORE_J_NUMBER)
            lore_buf_printf(&b, "%s%s %s", b.len ? ", " : "", m->key, m->str);
    }
    const char *out = b.len && !b.over ? lore_strndup(co->in->arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

/* The entry for iteration N in roofline_history of state.json; NULL: none. */
static const struct lore_json *
roofline_of_state(struct lore_v2 *co, int64_t n)
{
    const struct lore_json *list = lore_json_get(co->state, "roofline_history");

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *iter = lore_json_get(m, "iter");
        if (m->type == LORE_J_OBJECT && iter && iter->is_int && iter->i == n) {
            lore_import_open(co->in, lore_tree_file(co->in->tree, co->in->unit, "state.json"));
            return m;
        }
    }
    return NULL;
}

static const char *
take_roofline(struct lore_v2 *co, const struct lore_v2_iter *it, struct lore_diagnosis *out)
{
    const struct lore_json *roof = lore_v2_file(co, it->dir, "roofline.json");
    struct lore_take t = {.in = co->in};
    const char *bound = NULL;

    if (!roof)
        roof = roofline_of_state(co, it->n);
    if (!roof)
        return NULL;
    if (lore_take_text(&t, roof, "bound", LORE_TAKE_NAME, &bound) &&
        !lore_build_labels(co->in->arena, out, bound))
        lore_import_note(co->in, LORE_IL_LABELS, "\"%s\": not understood; kept as text", bound);
    out->rule_set = "roofline-gaps@seed";
    out->evidence = evidence_of(co, roof);
    doubt_deltas(co, it, roof);
    return lore_build_verbatim(co->in->arena, roof, "bound", NULL);
}

void
lore_v2_profile(struct lore_v2 *co, const struct lore_v2_iter *it, struct lore_diagnosis *out,
    const char **extra)
{
    const char *version = NULL;
    struct lore_run *r = take_top(co, it, &version);

    *extra = take_roofline(co, it, out);
    /* roofline.json describes the version before the change, so only the run of that version gets
     * the diagnosis */
    if (!r || !out->rule_set || version != it->input)
        return;
    struct lore_diagnosis *d =
        LORE_PUSH(co->in->arena, r->diagnoses, r->n_diagnoses, r->cap_diagnoses);
    *d = *out;
}
