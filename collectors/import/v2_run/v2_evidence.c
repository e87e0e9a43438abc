/* Reads the evidence for each method of an iteration: attribution.json (times without the method)
 * and sass_check.json (the method's instructions in the compiled code). The tool writes
 * "contributed" or "verified: true" even when it had nothing to measure or check. The importer then
 * stores unknown, inconclusive, not applicable or unavailable; the original is in extra. */
#include <math.h>
#include <string.h>

#include "collectors/import/v2_run/v2.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* ---- attribution ---- */

static char *
with_underscores(struct lore_arena *arena, const char *id)
{
    char *out = lore_strdup(arena, id);

    for (char *p = out; *p; p++) {
        if (*p == '.')
            *p = '_';
    }
    return out;
}

static const char *
ablation_folder(
    const struct lore_v2 *co, const struct lore_v2_iter *it, const char *method, const char *path)
{
    struct lore_arena *arena = co->in->arena;
    const char *plain = with_underscores(arena, method);
    const char *tail = strrchr(method, '.');
    const char *const names[] = {lore_format(arena, "no_%s", method),
        lore_format(arena, "no_%s", plain), plain, method,
        lore_format(arena, "no_%s", tail ? tail + 1 : method), NULL};

    return lore_v2_folder(co, it, "ablations", path, names);
}

/* Add the version without METHOD and its run, and set them in A. */
static void
add_ablation(struct lore_v2 *co, struct lore_take *t, const struct lore_v2_iter *it,
    const struct lore_json *node, const char *method, struct lore_attribution *a)
{
    struct lore_import_file *file = lore_tree_file(co->in->tree, it->dir, "attribution.json");
    const struct lore_json *kernel = lore_json_get(node, "ablated_kernel");
    const char *path = kernel && kernel->type == LORE_J_STRING ? kernel->str : NULL;
    const char *dir = ablation_folder(co, it, method, path), *cut = NULL;
    const char *name = lore_format(co->in->arena, "iterv%lld/no_%s", (long long)it->n, method);
    struct lore_f64 ms = {0}, mean = {0};
    const char *run = NULL;

    if (!path && !dir)
        return;
    (void)lore_take_path(t, node, "ablated_kernel", &cut);
    a->ablated_version = lore_v2_version(co, name, LORE_V_ABLATION, dir, "kernel",
        (struct lore_parent){it->champion, LORE_E_ABLATION_OF});
    if (dir)
        run = lore_v2_bench(co, dir, a->ablated_version, LORE_ROLE_ABLATION, &mean);
    lore_import_open(co->in, file);
    if (!lore_take_ns(t, node, "ablated_ms", 1e6, &ms)) {
        a->ablated_run = run;
        return;
    }
    if (run && mean.set && fabs(mean.v * 1e6 - ms.v) > 1 + ms.v * 1e-6)
        lore_import_note(co->in, LORE_IL_CONFLICTS,
            "%s: ablated_ms differs from the mean in the bench.json of the ablation", method);
    if (!run) {
        struct lore_run *r = lore_v2_add_run(co, name, a->ablated_version, LORE_ROLE_ABLATION);
        r->tool = "ablate.py";
        r->summary.set = true;
        r->summary.mean_ns = ms;
        lore_kvs_set(co->in->arena, &r->method, "statistic", "\"mean\"");
        run = r->id;
    }
    a->ablated_run = run;
}

/* Read numbers and verdict into A, but only when the kernel without the method was timed. */
static void
take_contribution(struct lore_v2 *co, struct lore_take *t, const struct lore_json *node,
    const char *method, struct lore_attribution *a)
{
    const struct lore_json *ablated = lore_json_get(node, "ablated_ms");
    const struct lore_json *share = lore_json_get(node, "attribution_ms");
    struct lore_f64 champion = {0};
    bool contributed = false;

    a->contributed = "unknown";
    (void)lore_take_text(t, node, "note", LORE_TAKE_TEXT, &a->note);
    (void)lore_take_ns(t, node, "champion_ms", 1e6, &champion);
    if (!ablated || ablated->type != LORE_J_NUMBER)
        return;
    if (share && share->type == LORE_J_NUMBER && fabs(share->f) < 1e9) {
        double sign = share->f < 0 ? -1 : 1;
        a->attribution_ns = (struct lore_f64){true, sign * lore_build_ns(fabs(share->f))};
        lore_take_mark(t, share);
    }
    (void)lore_take_f64(t, node, "attribution_pct", &a->attribution_pct);
    if (!lore_take_bool(t, node, "contributed", &contributed))
        return;
    a->contributed = contributed ? "yes" : "no";
    if (a->attribution_pct.set && a->noise_pct.set &&
        contributed != (a->attribution_pct.v > a->noise_pct.v))
        lore_import_note(co->in, LORE_IL_CONFLICTS,
            "%s: contributed is %s at %.4g %% with noise at %.4g %%", method, a->contributed,
            a->attribution_pct.v, a->noise_pct.v);
}

static void
doubt_contribution(struct lore_v2 *co, const struct lore_json *node, const char *method)
{
    const struct lore_json *note = lore_json_get(node, "note");
    const struct lore_json *said = lore_json_get(node, "contributed");
    const struct lore_json *ablated = lore_json_get(node, "ablated_ms");

    if ((ablated && ablated->type == LORE_J_NUMBER) || !said || said->type != LORE_J_BOOL)
        return;
    lore_import_note(co->in, LORE_IL_DOUBTS,
        "attribution of %s: \"contributed: %s\" without a time (%s); stored as unknown", method,
        said->i ? "true" : "false", note && note->type == LORE_J_STRING ? note->str : "no note");
}

static void
take_attribution(struct lore_v2 *co, struct lore_take *t, const struct lore_v2_iter *it,
    const struct lore_json *node, struct lore_f64 noise)
{
    struct lore_submission *doc = co->in->doc;
    const char *method = NULL;

    if (node->type != LORE_J_OBJECT ||
        !lore_take_text(t, node, "method_id", LORE_TAKE_NAME, &method)) {
        co->in->records++;
        lore_import_refuse(co->in, node, "method_id: missing");
        return;
    }
    struct lore_attribution a = {.experiment = it->experiment, .technique = method};
    a.id = lore_v2_id(
        co, lore_format(co->in->arena, "attribution|%lld|%u", (long long)it->n, node->index));
    a.noise_pct = noise;
    take_contribution(co, t, node, method, &a);
    doubt_contribution(co, node, method);
    if (it->champion)
        add_ablation(co, t, it, node, method, &a);
    a.champion_run = it->champion_run;
    *LORE_PUSH(co->in->arena, doc->attributions, doc->n_attributions, doc->cap_attributions) = a;
}

void
lore_v2_attribution(struct lore_v2 *co, const struct lore_v2_iter *it, const char **extra)
{
    const struct lore_json *file = lore_v2_file(co, it->dir, "attribution.json");
    const struct lore_json *list = lore_json_get(file, "attributions");
    struct lore_take t = {.in = co->in};
    struct lore_f64 noise = {0}, ms = {0};
    struct lore_i64 iter = {0};

    if (!file)
        return;
    (void)lore_take_count(&t, file, "iter", &iter);
    (void)lore_take_ns(&t, file, "champion_ms", 1e6, &ms);
    if (!lore_take_amount(&t, file, "noise_threshold_pct", &noise))
        noise = co->noise_pct;
    if (noise.v > 1e6)
        noise.set = false;
    for (const struct lore_json *a = list ? list->child : NULL; a; a = a->next)
        take_attribution(co, &t, it, a, noise);
    lore_import_open(co->in, lore_tree_file(co->in->tree, it->dir, "attribution.json"));
    *extra = lore_take_rest(&t, file, "attribution.json");
}

/* ---- compiled code ---- */

static const char *
status_by_note(const char *note)
{
    if (!note)
        return NULL;
    if (lore_starts(note, "no_patterns_defined") || strstr(note, "not_applicable"))
        return "not_applicable";
    if (strstr(note, "unavailable") || strstr(note, "not_found"))
        return "unavailable";
    return NULL;
}

static const char *
status_by_name(const char *status)
{
    const struct {
        const char *said, *means;
    } rows[] = {{"passed", "verified"}, {"verified", "verified"}, {"failed", "missing"},
        {"missing", "missing"}, {"not_applicable", "not_applicable"},
        {"unavailable", "unavailable"}, {"inconclusive", "inconclusive"}};

    for (size_t i = 0; status && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].said, status) == 0)
            return rows[i].means;
    }
    return NULL;
}

static void
take_patterns(struct lore_v2 *co, struct lore_take *t, const struct lore_json *check,
    const char *key, struct lore_texts *out)
{
    const struct lore_json *list = lore_json_get(check, key);

    if (list && list->type == LORE_J_ARRAY && list->len == 0)
        lore_take_mark(t, list);
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        if (m->type != LORE_J_STRING || m->len > LORE_TAKE_LINE || m->len == 0 || out->n >= 200)
            continue;
        lore_build_text(co->in->arena, out, m->str);
        lore_take_mark(t, m);
    }
}

/* Set the status of V. It is "verified" only when a pattern was found. */
static void
set_status(struct lore_v2 *co, struct lore_take *t, const struct lore_json *check,
    const char *method, struct lore_verification *v)
{
    const char *said = NULL;
    bool verified = false;
    bool given = lore_take_bool(t, check, "verified", &verified);
    const char *by_note = status_by_note(v->note);

    (void)lore_take_text(t, check, "status", LORE_TAKE_NAME, &said);
    v->status = status_by_name(said);
    if (by_note && (!v->status || strcmp(v->status, "verified") == 0))
        v->status = by_note;
    if (!v->status)
        v->status = given && verified && v->found.n > 0 ? "verified"
                    : given && !verified                ? "missing"
                                                        : "inconclusive";
    if (strcmp(v->status, "verified") == 0 && v->found.n == 0)
        v->status = "inconclusive";
    if (given && verified && strcmp(v->status, "verified") != 0)
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "sass_check of %s: \"verified: true\" without a pattern found (%s); stored as %s",
            method, v->note ? v->note : "no note", v->status);
}

static void
add_verification(struct lore_v2 *co, struct lore_take *t, const struct lore_v2_iter *it,
    const struct lore_json *check, const char *method, const char *why)
{
    struct lore_submission *doc = co->in->doc;
    struct lore_verification v = {.version = it->champion, .technique = method};

    v.id = lore_v2_id(
        co, lore_format(co->in->arena, "verification|%lld|%s", (long long)it->n, method));
    for (size_t i = 0; i < doc->n_verifications; i++) {
        if (strcmp(doc->verifications[i].id, v.id) == 0)
            return;
    }
    v.tool = "cuobjdump";
    v.signature = "sass_signatures@seed";
    v.provenance.system = LORE_V2_SYSTEM;
    if (check) {
        (void)lore_take_text(t, check, "note", LORE_TAKE_TEXT, &v.note);
        take_patterns(co, t, check, "patterns_found", &v.found);
        take_patterns(co, t, check, "patterns_missing", &v.missing);
        set_status(co, t, check, method, &v);
    } else {
        v.status = "unavailable";
        v.note = why;
    }
    *LORE_PUSH(co->in->arena, doc->verifications, doc->n_verifications, doc->cap_verifications) = v;
}

/* The tool stops at its first error and then lists no method. Add "unavailable" for each method of
 * the iteration. */
static void
add_unavailable(struct lore_v2 *co, struct lore_take *t, const struct lore_v2_iter *it,
    const struct lore_json *file)
{
    const struct lore_import_file *f = lore_tree_file(co->in->tree, it->dir, "methods.json");
    const struct lore_json *list =
        f && lore_import_json(f) ? lore_json_get(lore_import_json(f), "methods") : NULL;
    const char *why = NULL;

    if (!lore_take_text(t, file, "error", LORE_TAKE_TEXT, &why))
        return;
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *id = lore_json_get(m, "id");
        if (id && id->type == LORE_J_STRING && id->len > 0 && id->len <= LORE_TAKE_NAME)
            add_verification(co, t, it, NULL, id->str, why);
    }
}

void
lore_v2_sass(struct lore_v2 *co, const struct lore_v2_iter *it, const char **extra)
{
    const struct lore_json *file = lore_v2_file(co, it->dir, "sass_check.json");
    const struct lore_json *list = lore_json_get(file, "checks");
    struct lore_take t = {.in = co->in};

    if (!file)
        return;
    for (const struct lore_json *c = list ? list->child : NULL; c && it->champion; c = c->next) {
        const char *method = NULL;
        if (c->type == LORE_J_OBJECT &&
            lore_take_text(&t, c, "method_id", LORE_TAKE_NAME, &method)) {
            add_verification(co, &t, it, c, method, NULL);
        } else {
            co->in->records++;
            lore_import_refuse(co->in, c, "method_id: missing; it names the method");
        }
    }
    if (it->champion && (!list || !list->child))
        add_unavailable(co, &t, it, file);
    *extra = lore_take_rest(&t, file, "sass_check.json");
}
