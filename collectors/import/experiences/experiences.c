/* Reads experiences.json, a JSON array of experiments with numbers before and after. Each entry
 * becomes an experiment, its hypothesis and, when it names an iteration, a version.
 *
 * The `merge` command of the source tool renumbers `id`, so our ids do not depend on it; only the
 * stored file contains it. All other members of the entry are in `extra`, with absolute paths cut
 * to the file name. Equal entries get different ids by their order. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "collectors/import/import.h"
#include "collectors/import/importers.h"
#include "collectors/import/index.h"
#include "collectors/import/rows.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define KNOWN                                                                                      \
    "id date iteration kernel backend chip dims bottleneck_before dominant_stall metrics_before "  \
    "metrics_after optimization hypothesis outcome speedup notes merged_count merged_from_iters"

struct numbers {
    struct lore_f64 memory_sol, sm_sol, latency_ms, occupancy;
};
struct entry {
    const struct lore_json *node;
    const char *date, *iteration, *op_text, *backend, *chip, *dims, *bottleneck, *stall;
    const char *optimization, *hypothesis, *outcome, *notes;
    bool doubled_percent; /* texts contain "%%" where "%" was meant */
    struct lore_f64 speedup;
    struct numbers before, after;
    const char *key; /* hash of the entry; "|N" follows for the N-th equal entry */
};

bool
lore_experiences_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    if (!lore_import_has(f, "\"optimization\""))
        return false;
    if (!f->whole)
        return f->head[strspn(f->head, " \t\r\n")] == '[' && lore_import_has(f, "\"outcome\"") &&
               lore_import_has(f, "\"bottleneck_before\"");
    const struct lore_json *root = lore_import_json(f);
    const struct lore_json *first = root && root->type == LORE_J_ARRAY ? root->child : NULL;
    return first && lore_json_get(first, "outcome") && lore_json_get(first, "optimization");
}

static enum lore_status
read_number(
    const struct lore_json *object, const char *key, struct lore_f64 *out, struct lore_err *err)
{
    const struct lore_json *m = lore_json_get(object, key);

    if (!m || m->type == LORE_J_NULL)
        return LORE_OK;
    enum lore_status status = lore_json_f64(object, key, &out->v, err);
    if (status == LORE_OK && out->v < 0)
        status = lore_fail(err, LORE_INVALID, "%s%s%s: negative", object->key ? object->key : "",
            object->key ? "." : "", key);
    out->set = status == LORE_OK;
    return status;
}

static enum lore_status
read_metrics(struct lore_import *in, const struct lore_json *entry, const char *key,
    struct numbers *out, struct lore_err *err)
{
    const struct lore_json *m = lore_json_get(entry, key);

    if (!m || m->type == LORE_J_NULL)
        return LORE_OK;
    if (m->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "%s: expected an object", key);
    lore_import_unknown_keys(in, m, "memory_sol_pct sm_sol_pct latency_ms achieved_occupancy");
    enum lore_status status = read_number(m, "memory_sol_pct", &out->memory_sol, err);
    if (status == LORE_OK)
        status = read_number(m, "sm_sol_pct", &out->sm_sol, err);
    if (status == LORE_OK)
        status = read_number(m, "latency_ms", &out->latency_ms, err);
    if (status == LORE_OK)
        status = read_number(m, "achieved_occupancy", &out->occupancy, err);
    return status;
}

static enum lore_status
read_texts(struct entry *e, struct lore_err *err)
{
    const struct {
        const char *key;
        const char **out;
    } texts[] = {{"date", &e->date}, {"iteration", &e->iteration}, {"kernel", &e->op_text},
        {"backend", &e->backend}, {"chip", &e->chip}, {"dims", &e->dims},
        {"bottleneck_before", &e->bottleneck}, {"dominant_stall", &e->stall},
        {"optimization", &e->optimization}, {"hypothesis", &e->hypothesis},
        {"outcome", &e->outcome}, {"notes", &e->notes}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i].out = "";
        enum lore_status status = lore_json_text(e->node, texts[i].key, texts[i].out, err);
        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}

/* Replace "%%" by "%": a formatter doubled the percent signs of some rows. */
static const char *
undouble_percent(struct lore_import *in, const char *text, bool *found)
{
    if (!strstr(text, "%%"))
        return text;
    char *out = lore_strndup(in->arena, text, strlen(text)), *to = out;
    for (const char *p = text; *p; p++) {
        *to++ = *p;
        p += p[0] == '%' && p[1] == '%';
    }
    *to = '\0';
    *found = true;
    return out;
}

static enum lore_status
read_entry(struct lore_import *in, struct entry *e, struct lore_err *err)
{
    int64_t us = 0;

    if (e->node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    enum lore_status status = read_texts(e, err);
    if (status == LORE_OK) {
        e->notes = undouble_percent(in, e->notes, &e->doubled_percent);
        e->hypothesis = undouble_percent(in, e->hypothesis, &e->doubled_percent);
    }
    if (status == LORE_OK && (!*e->op_text || lore_streqi(e->op_text, "unknown")))
        status = lore_fail(err, LORE_INVALID, "kernel: missing");
    if (status == LORE_OK && *e->date && lore_time_parse(e->date, &us, NULL) != LORE_OK)
        status = lore_fail(err, LORE_INVALID, "date: \"%s\" is no date", e->date);
    if (status == LORE_OK)
        status = read_number(e->node, "speedup", &e->speedup, err);
    if (status == LORE_OK)
        status = read_metrics(in, e->node, "metrics_before", &e->before, err);
    if (status == LORE_OK)
        status = read_metrics(in, e->node, "metrics_after", &e->after, err);
    lore_import_unknown_keys(in, e->node, KNOWN);
    return status;
}

/* ---- records ---- */

static void
add_metrics(struct lore_import *in, const struct numbers *n, struct lore_metrics *out)
{
    const struct {
        const char *name;
        const struct lore_f64 *value;
    } rows[] = {{"memory_sol_pct", &n->memory_sol}, {"sm_sol_pct", &n->sm_sol},
        {"achieved_occupancy", &n->occupancy}};

    for (size_t i = 0; i < 3; i++) {
        if (rows[i].value->set)
            lore_build_metric(in->arena, out, rows[i].name, "%", rows[i].value->v);
    }
}

static void
set_claim(const struct entry *e, struct lore_experiment *x)
{
    x->claim.set = true;
    x->claim.outcome = *e->outcome ? e->outcome : NULL;
    x->claim.speedup = e->speedup;
    x->claim.base = LORE_BASE_PARENT;
    if (e->before.latency_ms.set)
        x->claim.latency_before_ns = (struct lore_f64){true, lore_build_ns(e->before.latency_ms.v)};
    if (e->after.latency_ms.set)
        x->claim.latency_after_ns = (struct lore_f64){true, lore_build_ns(e->after.latency_ms.v)};
}

static const char *
chip_of(struct lore_import *in, const struct entry *e)
{
    const struct lore_chip *chip = lore_chip_find(e->chip);

    if (chip)
        return chip->name;
    if (*e->chip && !lore_streqi(e->chip, "unknown"))
        lore_import_note(
            in, LORE_IL_DOUBTS, "chip \"%s\" is not known; kept in extra only", e->chip);
    return NULL;
}

static void
set_workload(struct lore_import *in, const struct entry *e, const char *op, struct lore_workload *w)
{
    struct lore_err err = {0};

    if (!*e->dims)
        return;
    if (lore_dims_parse(e->dims, in->arena, &w->dims, &err) != LORE_OK) {
        lore_import_note(in, LORE_IL_EXTRA, "dims \"%s\": not understood; kept in extra", e->dims);
        return;
    }
    w->set = w->dims.n > 0;
    w->op = w->set ? op : NULL;
}

static const char *
add_version(struct lore_import *in, const struct entry *e, const char *kernel)
{
    struct lore_submission *doc = in->doc;
    const char *digits = e->iteration + strcspn(e->iteration, "0123456789");
    long long ordinal = 0;

    if (!*e->iteration || strcmp(e->iteration, "—") == 0)
        return NULL;
    struct lore_version *v =
        LORE_PUSH(in->arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = lore_build_id(in->arena, 0, "experiences-version|%s", e->key);
    v->kernel = kernel;
    v->kind = LORE_V_CANDIDATE;
    v->label = e->iteration;
    if (*digits && lore_parse_i64(digits, "iteration", &ordinal, NULL) == LORE_OK && ordinal >= 0)
        v->ordinal = (struct lore_i64){true, ordinal};
    v->provenance.system = "fmh66/kernel-opt-skill";
    return v->id;
}

static const char *
add_hypothesis(struct lore_import *in, const struct entry *e, const char *to_version)
{
    struct lore_submission *doc = in->doc;

    if (!*e->hypothesis)
        return NULL;
    struct lore_hypothesis *h =
        LORE_PUSH(in->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses);
    h->id = lore_build_id(in->arena, 0, "experiences-hypothesis|%s", e->key);
    h->claim = e->hypothesis;
    h->to_version = to_version;
    h->claimed_at = *e->date ? e->date : NULL;
    return h->id;
}

static void
set_bottleneck(struct lore_import *in, const struct entry *e, struct lore_experiment *x)
{
    bool understood = lore_build_labels(in->arena, &x->bottleneck, e->bottleneck);

    if (*e->stall)
        x->bottleneck.evidence = lore_format(in->arena, "dominant stall: %s", e->stall);
    if (!*e->bottleneck)
        return;
    const char *labels = lore_labels_text(in->arena, lore_labels_parse(e->bottleneck, NULL));
    if (!understood)
        lore_import_note(in, LORE_IL_LABELS, "\"%s\": not understood; kept as text", e->bottleneck);
    else if (strcmp(labels, e->bottleneck) != 0)
        lore_import_note(
            in, LORE_IL_LABELS, "\"%s\": %s", e->bottleneck, *labels ? labels : "no label");
}

static enum lore_language
language_of(struct lore_import *in, const char *backend)
{
    enum lore_language language = lore_language_find(*backend ? backend : "cuda");

    if (!*backend)
        lore_import_note(in, LORE_IL_NAMES, "no backend: language cuda, the default of the format");
    if (language != LORE_LANG_NONE)
        return language;
    lore_import_note(in, LORE_IL_NAMES, "backend \"%s\": language other", backend);
    return LORE_LANG_OTHER;
}

static void
add_technique(struct lore_import *in, const struct entry *e, struct lore_experiment *x)
{
    lore_build_technique(in->arena, x, e->optimization);
    if (x->n_techniques == 0)
        return;
    const char *slug = lore_technique_slug(in->arena, e->optimization);
    if (strcmp(slug, x->techniques[0].name) != 0)
        lore_import_note(in, LORE_IL_NAMES, "\"%s\": technique %s", e->optimization, slug);
}

static void
map_entry(struct lore_import *in, const struct entry *e)
{
    struct lore_submission *doc = in->doc;
    const char *op = lore_operator_name(in->arena, e->op_text);
    size_t stripped = 0;

    if (strcmp(op, e->op_text) != 0)
        lore_import_note(in, LORE_IL_NAMES, "%s: operator %s", e->op_text, op);
    struct lore_experiment *x =
        LORE_PUSH(in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);
    x->id = lore_build_id(in->arena, 0, "experiences|%s", e->key);
    x->kernel = lore_build_kernel(in->arena, doc, op, language_of(in, e->backend), op);
    x->to_version = add_version(in, e, x->kernel);
    x->hypothesis = add_hypothesis(in, e, x->to_version);
    x->chip = chip_of(in, e);
    set_workload(in, e, op, &x->workload);
    add_technique(in, e, x);
    set_bottleneck(in, e, x);
    set_claim(e, x);
    add_metrics(in, &e->before, &x->metrics_before);
    add_metrics(in, &e->after, &x->metrics_after);
    x->evidence = LORE_EV_IMPORTED;
    x->notes = *e->notes ? e->notes : NULL;
    lore_build_title(in->arena, x, *e->hypothesis ? e->hypothesis : NULL);
    x->happened_at = *e->date ? e->date : NULL;
    x->provenance.system = "fmh66/kernel-opt-skill";
    x->extra = lore_format(in->arena, "{\"experiences\":%s}",
        lore_build_verbatim(in->arena, e->node, "id", &stripped));
    if (stripped > 0)
        lore_import_note(in, LORE_IL_DOUBTS, "absolute paths are cut to the file name");
}

/* ---- doubts ---- */

static void
note_doubts(struct lore_import *in, const struct entry *e)
{
    const char *id = lore_json_get(e->node, "id") ? lore_json_get(e->node, "id")->str : "?";
    double before = e->before.latency_ms.v, after = e->after.latency_ms.v;
    double speedup = e->before.latency_ms.set && e->after.latency_ms.set && after > 0
                         ? before / after
                     : e->speedup.set ? e->speedup.v
                                      : 0;
    uint32_t labels = lore_labels_parse(e->bottleneck, NULL);

    if (speedup > 0 && lore_streq(e->outcome, "success") && speedup <= 1.05)
        lore_import_note(in, LORE_IL_DOUBTS, "id %s: \"success\" at %.3fx", id, speedup);
    if (speedup > 0 && lore_streq(e->outcome, "neutral") && speedup < 1 / 1.02)
        lore_import_note(in, LORE_IL_DOUBTS, "id %s: \"neutral\" at %.3fx", id, speedup);
    if (speedup > 0 && lore_streq(e->outcome, "failure") && speedup > 1.05)
        lore_import_note(in, LORE_IL_DOUBTS, "id %s: \"failure\" at %.3fx", id, speedup);
    if (speedup > 0 && e->speedup.set && fabs(speedup - e->speedup.v) > 0.0051)
        lore_import_note(in, LORE_IL_CONFLICTS, "id %s: speedup %.2f, but the latencies give %.3f",
            id, e->speedup.v, speedup);
    if ((labels & (1u << LORE_L_MEMORY)) && e->before.memory_sol.set && e->before.sm_sol.set &&
        e->before.memory_sol.v < 40 && e->before.sm_sol.v > 60)
        lore_import_note(in, LORE_IL_DOUBTS,
            "id %s: \"%s\" with memory at %.4g %% and compute at %.4g %%", id, e->bottleneck,
            e->before.memory_sol.v, e->before.sm_sol.v);
    if (e->before.occupancy.v > 100 || e->after.occupancy.v > 100)
        lore_import_note(in, LORE_IL_DOUBTS, "id %s: occupancy above 100 %%", id);
    if (*e->optimization && lore_technique_is_placeholder(lore_slug(in->arena, e->optimization)))
        lore_import_note(
            in, LORE_IL_DOUBTS, "id %s: placeholder technique \"%s\"", id, e->optimization);
    if (!*e->optimization)
        lore_import_note(in, LORE_IL_DOUBTS, "id %s: no optimization named", id);
    if (!*e->dims)
        lore_import_note(in, LORE_IL_DOUBTS, "no dims: workload unknown");
    if (!*e->iteration || strcmp(e->iteration, "—") == 0)
        lore_import_note(in, LORE_IL_DOUBTS, "no iteration: the entry gives no version");
    if (e->doubled_percent)
        lore_import_note(
            in, LORE_IL_DOUBTS, "id %s: \"%%%%\" read as \"%%\"; extra has the original text", id);
    if (lore_json_get(e->node, "merged_count"))
        lore_import_note(
            in, LORE_IL_DOUBTS, "id %s: the source tool merged it from several records", id);
}

static const char *
digest_of(struct lore_import *in, const struct lore_json *node)
{
    const char *text = lore_build_verbatim(in->arena, node, "id", NULL);
    char hex[LORE_HASH_HEX];

    lore_hash_hex(text, strlen(text), hex);
    return lore_strdup(in->arena, hex);
}

/* What was read before: contents, and the last entry of each trial. */
struct earlier {
    struct lore_index contents, trials;
};
struct trial {
    const struct lore_json *node;
    size_t line; /* 0: that of NODE */
};

static size_t
line_of(const struct lore_import *in, const struct trial *t)
{
    return t->line > 0 ? t->line : lore_json_line(in->text, t->node);
}

/* Set the key of E, which is in LINE (0: that of its node), from its content and the number of
 * equal earlier entries. Note the last entry that looks like the same trial. */
static void
compare_with_earlier(struct lore_import *in, struct earlier *before, struct entry *e, size_t line)
{
    struct lore_arena *kept = lore_import_kept(in);
    const char *digest = digest_of(in, e->node);
    size_t equal = (*lore_index_at(kept, &before->contents, digest))++;
    struct trial now = {e->node, line};

    if (*e->optimization) {
        char *what = lore_format(
            in->arena, "%s|%s|%s|%s|%s", e->optimization, e->op_text, e->backend, e->chip, e->dims);
        for (size_t i = 0; e->optimization[i] != '\0'; i++)
            what[i] = (char)tolower((unsigned char)what[i]);
        struct trial **last = (struct trial **)(void *)lore_index_at(kept, &before->trials, what);
        if (*last)
            lore_import_note(in, LORE_IL_DOUBTS,
                "lines %zu and %zu: the same trial twice? (%s, %s)", line_of(in, *last),
                line_of(in, &now), e->op_text, e->optimization);
        *last = lore_memdup(kept, &now, sizeof now);
    }
    e->key = equal ? lore_format(in->arena, "%s|%zu", digest, equal + 1) : digest;
    e->key = lore_format(in->arena, "%s%s", e->key, lore_build_of_project(in->arena, in->doc));
}

static void
read_one(struct lore_import *in, struct earlier *before, const struct lore_rows *rows)
{
    struct entry e = {.node = rows->row};
    struct lore_err inner = {0};

    in->records++;
    if (read_entry(in, &e, &inner) != LORE_OK) {
        lore_import_refuse(in, rows->row, "%s", inner.msg);
        return;
    }
    compare_with_earlier(in, before, &e, rows->line);
    note_doubts(in, &e);
    map_entry(in, &e);
}

enum lore_status
lore_experiences_read(struct lore_import *in, struct lore_err *err)
{
    struct earlier before = {.contents = {.n = 0}};
    LORE_ROWS rows = {.in = NULL};
    enum lore_status status = lore_rows_items(in, "", &rows, err);

    if (status != LORE_OK || rows.head->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "expected a list of experiences");
    while (status == LORE_OK && lore_rows_next(&rows)) {
        read_one(in, &before, &rows);
        status = lore_import_flush(in, err);
    }
    if (before.contents.n > 0)
        lore_import_note(in, LORE_IL_EXTRA,
            "id: kept in the stored file only, because the merge command of the source tool "
            "renumbers it");
    return status;
}
