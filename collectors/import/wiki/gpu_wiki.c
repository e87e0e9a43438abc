/* Experience records of gpu-wiki (schema clean-1.x): one JSON file per record, and an index of all.
 * A record becomes one insight. Its payload becomes the body, its scope the scope of the insight.
 * Numbers in the text depend on conditions in the same text, so none becomes a claim or a metric.
 *
 * The id is derived from the whole record, so a changed record is another insight. Members without
 * a field are in `extra`. Misleading parts of the record are listed there as `doubts`. */
#include "collectors/import/wiki/gpu_wiki.h"

#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/prose.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define BODY_MAX (60u << 10)
#define KNOWN "schema id type level status episode_key retrieval payload evidence worth"

static const struct {
    const char *type, *kind;
} kinds[] = {{"technique-card", "technique_card"}, {"anti-strategy", "anti_strategy"},
    {"symptom-card", "symptom_card"}, {"doc", "doc"}, {"strategy", "playbook"},
    {"reference-kernel", "reference_kernel"}, {"numerics-rule", "numerics_rule"},
    {"dispatch-rule", "dispatch_rule"}};

bool
lore_gpu_wiki_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_json *root = lore_tree_json(t, unit);
    const char *schema = lore_wiki_text(root, "schema");

    return schema && lore_starts(schema, "clean-1.") &&
           (lore_json_get(root, "payload") || lore_json_get(root, "records"));
}

static const char *
kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].type, type) == 0)
            return kinds[i].kind;
    }
    return NULL;
}

/* ---- doubts, body and title ---- */

static bool
is_cut(const char *text)
{
    size_t n = strlen(text);

    while (n > 0 && strchr(" \n\t", text[n - 1]))
        n--;
    return (n >= 3 && memcmp(text + n - 3, "…", 3) == 0) ||
           (n >= 3 && memcmp(text + n - 3, "...", 3) == 0);
}

/* Note a doubt when `when` is truncated or only repeats the start of `what`: then it is not a
 * condition. */
static void
doubt_when(struct lore_import *in, struct lore_wiki_record *r)
{
    const char *what = lore_wiki_text(r->payload, "what");
    const char *when = lore_wiki_text(r->payload, "when");

    if (!when)
        return;
    if (is_cut(when))
        lore_wiki_doubt(in, r, "when is cut short",
            "payload.when is cut short in the source (it ends with \"…\")");
    size_t n = strlen(when);
    while (n > 0 && (strchr(" .\n", when[n - 1]) || (unsigned char)when[n - 1] >= 0x80))
        n--;
    if (!what || n == 0 || strncmp(what, when, n) != 0)
        return;
    r->skip_when = true;
    lore_wiki_doubt(
        in, r, "when repeats what", "payload.when repeats payload.what, so it is not a condition");
}

/* Note a doubt when a card lists headings of its page as techniques. */
static void
doubt_candidates(struct lore_import *in, struct lore_wiki_record *r)
{
    static const char headings[] =
        " candidate-techniques caveats likely-causes symptom when-to-use sources ";
    const struct lore_json *list = lore_json_get(r->payload, "candidate_techniques");

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *name = lore_wiki_text(m, "technique");
        if (!name || !strstr(headings, lore_format(in->arena, " %s ", name)))
            continue;
        lore_wiki_doubt(in, r, "candidate_techniques lists headings",
            "payload.candidate_techniques lists headings of its page (\"caveats\") as techniques");
        return;
    }
}

static void
doubt_cuts(struct lore_import *in, struct lore_wiki_record *r)
{
    const struct lore_json *sections = lore_json_get(r->payload, "sections");
    bool cut = false;

    for (const struct lore_json *s = sections ? sections->child : NULL; s; s = s->next) {
        const char *gist = lore_wiki_text(s, "gist");
        cut = cut || (gist && is_cut(gist));
    }
    if (cut)
        lore_wiki_doubt(in, r, "section gists are cut short",
            "payload.sections: gists are truncated in the source");
}

/* Whether the body omits member KEY; it is in extra then. */
static bool
is_left_out(const struct lore_wiki_record *r, const char *key)
{
    return r->skip_when && strcmp(key, "when") == 0;
}

/* The payload as Markdown: first the members in ORDER, then all others. */
static const char *
body_of(struct lore_import *in, const struct lore_wiki_record *r)
{
    static const char *const order[] = {"goal", "problem", "title", "summary", "technique", "what",
        "when", "attempted", "observed", "root_cause", "verdict", "lesson", "established_fact",
        "likely_causes", "candidate_techniques", "caveats", "success_rate_pct", "typical_gain_pct",
        "sections", "implementation"};
    const size_t n = sizeof order / sizeof *order;
    struct lore_buf out = {.max = 4u << 20};

    for (size_t i = 0; i < n; i++) {
        if (!is_left_out(r, order[i]))
            (void)lore_prose_add(
                &out, lore_prose_title(in->arena, order[i]), lore_json_get(r->payload, order[i]));
    }
    for (const struct lore_json *m = r->payload->child; m; m = m->next) {
        bool listed = false;
        for (size_t i = 0; i < n; i++)
            listed = listed || strcmp(order[i], m->key) == 0;
        if (!listed)
            (void)lore_prose_add(&out, lore_prose_title(in->arena, m->key), m);
    }
    const char *body = out.len > 0 ? lore_strndup(in->arena, out.data, out.len) : NULL;
    lore_buf_free(&out);
    return body;
}

static const char *
title_of(const struct lore_wiki_record *r)
{
    const struct lore_json *problem = lore_json_get(r->payload, "problem");
    const char *title = lore_wiki_text(r->payload, "title");

    if (!title && strcmp(r->type, "symptom-card") == 0)
        title = lore_wiki_text(r->payload, "goal");
    if (!title)
        title = lore_wiki_text(problem, "statement");
    if (!title)
        title = lore_wiki_text(r->payload, "goal");
    return title ? title : r->id;
}

/* ---- members without a field ---- */

static bool
is_empty(const struct lore_json *node)
{
    return node->type == LORE_J_NULL ||
           ((node->type == LORE_J_ARRAY || node->type == LORE_J_OBJECT) && !node->child);
}

/* Write the members of PAYLOAD that the body omits: empty ones and OMITTED (may be NULL). */
static void
write_omitted(struct lore_import *in, struct lore_jsonw *w, const struct lore_json *payload,
    const struct lore_json *omitted)
{
    lore_w_key(w, payload->key);
    lore_w_obj(w);
    for (const struct lore_json *m = payload->child; m; m = m->next) {
        if (!is_empty(m) && m != omitted)
            continue;
        lore_w_key(w, m->key);
        lore_w_node(w, m);
        lore_import_note(in, LORE_IL_EXTRA, "%s.%s: %skept in extra", payload->key, m->key,
            m == omitted ? "" : "empty; ");
    }
    lore_w_obj_end(w);
}

static void
note_members(struct lore_import *in, const struct lore_json *node)
{
    bool deep = strcmp(node->key, "retrieval") == 0 || strcmp(node->key, "worth") == 0;

    if (!deep || node->type != LORE_J_OBJECT) {
        lore_import_note(in, LORE_IL_EXTRA, "%s: kept in extra", node->key);
        return;
    }
    for (const struct lore_json *m = node->child; m; m = m->next)
        lore_import_note(in, LORE_IL_EXTRA, "%s.%s: kept in extra", node->key, m->key);
}

const char *
lore_wiki_extra(struct lore_import *in, const char *system, const struct lore_json *node,
    const struct lore_json *payload, const struct lore_json *omitted,
    const struct lore_texts *doubts)
{
    struct lore_buf out = {.max = 4u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_w_key(&w, system);
    lore_w_obj(&w);
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (m == payload) {
            write_omitted(in, &w, m, omitted);
            continue;
        }
        lore_w_key(&w, m->key);
        lore_w_node(&w, m);
        note_members(in, m);
    }
    lore_w_obj_end(&w);
    if (doubts->n > 0) {
        lore_w_key(&w, "doubts");
        lore_w_arr(&w);
        for (size_t i = 0; i < doubts->n; i++)
            lore_w_str(&w, doubts->v[i]);
        lore_w_arr_end(&w);
    }
    lore_w_obj_end(&w);
    bool ok = lore_jsonw_end(&w, NULL) == LORE_OK;
    const char *text = ok ? lore_strndup(in->arena, out.data, out.len) : NULL;
    lore_buf_free(&out);
    return text;
}

/* ---- one record ---- */

static void
set_confidence(struct lore_import *in, const struct lore_wiki_record *r, struct lore_insight *x)
{
    static const char *const known[] = {
        "verified", "source_reported", "inferred", "experimental", "documented"};
    const struct lore_json *summary = lore_json_get(lore_json_get(r->node, "evidence"), "summary");
    const char *text = lore_wiki_text(summary, "confidence");

    for (size_t i = 0; text && i < sizeof known / sizeof *known; i++) {
        if (lore_streq(lore_slug(in->arena, text), known[i]))
            x->confidence = known[i];
    }
    if (text && !x->confidence)
        lore_import_note(in, LORE_IL_EXTRA, "confidence \"%s\" is not known; kept in extra", text);
}

static void
set_origin(struct lore_import *in, const struct lore_wiki_record *r, struct lore_insight *x)
{
    unsigned char digest[LORE_HASH_BYTES];
    char hex[LORE_HASH_HEX];
    const struct lore_json *raw = lore_json_get(lore_json_get(r->node, "evidence"), "raw");

    lore_json_digest(r->node, digest);
    lore_hex(digest, sizeof digest, hex);
    x->id = lore_build_id(in->arena, 0, "gpu-wiki|%s|%s", r->id, hex);
    x->provenance.system = "gpu-wiki";
    x->provenance.external_id = lore_prose_cut(in->arena, r->id, 200);
    x->provenance.path = lore_wiki_text(raw, "page_path");
    if (x->provenance.external_id != r->id)
        lore_import_note(in, LORE_IL_EXTRA, "id longer than 200 bytes; the full id is in extra");
}

static void
map(struct lore_import *in, struct lore_wiki_record *r, const char *kind)
{
    struct lore_insight *x =
        LORE_PUSH(in->arena, in->doc->insights, in->doc->n_insights, in->doc->cap_insights);
    const char *verdict = lore_wiki_text(r->payload, "verdict");

    doubt_when(in, r);
    doubt_candidates(in, r);
    doubt_cuts(in, r);
    const char *body = body_of(in, r);
    bool too_long = body && strlen(body) > BODY_MAX;

    x->kind = kind;
    x->title = lore_prose_cut(in->arena, title_of(r), 200);
    x->body = body ? lore_prose_cut(in->arena, body, BODY_MAX) : x->title;
    x->verdict = verdict ? lore_prose_cut(in->arena, verdict, 200) : NULL;
    if (too_long)
        lore_import_note(
            in, LORE_IL_EXTRA, "body cut at %u KiB; the whole payload is in extra", BODY_MAX >> 10);
    set_origin(in, r, x);
    set_confidence(in, r, x);
    lore_wiki_scope(in, r, x);
    x->extra = lore_wiki_extra(in, "gpu_wiki", r->node, too_long ? NULL : r->payload,
        r->skip_when ? lore_json_get(r->payload, "when") : NULL, &r->doubts);
}

static enum lore_status
read_record(struct lore_import *in, struct lore_wiki_record *r, struct lore_err *err)
{
    r->node = lore_import_json(in->at);
    r->id = lore_wiki_text(r->node, "id");
    r->type = lore_wiki_text(r->node, "type");
    r->retrieval = lore_json_get(r->node, "retrieval");
    r->scope = lore_json_get(r->retrieval, "scope");
    r->payload = lore_json_get(r->node, "payload");
    if (!r->id)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "id", "id: missing");
    if (!r->type)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "type", "type: missing");
    if (!r->payload || r->payload->type != LORE_J_OBJECT)
        return lore_fail_at(
            err, LORE_INVALID, "wrong_type", "payload", "payload: expected an object");
    if (!kind_of(r->type))
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "type",
            "type: \"%s\" is not supported by this importer", r->type);
    return LORE_OK;
}

enum lore_status
lore_gpu_wiki_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_wiki_record r = {0};
    struct lore_err inner = {0};

    if (!lore_import_json(in->at) || lore_import_json(in->at)->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected a record or an index, as JSON");
    if (lore_json_get(lore_import_json(in->at), "records") &&
        !lore_json_get(lore_import_json(in->at), "payload")) {
        lore_wiki_check_index(in);
        return LORE_OK;
    }
    in->records++;
    if (read_record(in, &r, &inner) != LORE_OK) {
        lore_import_refuse(in, lore_import_json(in->at), "%s", inner.msg);
        return LORE_OK;
    }
    lore_import_unknown_keys(in, lore_import_json(in->at), KNOWN);
    map(in, &r, kind_of(r.type));
    return LORE_OK;
}
