/* Reads the method registry of the kernel optimizer (63 ranked methods with triggers) and its file
 * of instruction patterns. Each method of a file becomes a technique definition whose slug
 * is the method's id in the file. It does not replace definitions of other catalogues. Members of
 * the file that belong to no method (features per chip, reasons for skipping) are in the extra of a
 * source document that holds the file. */
#include <stdio.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/prose.h"
#include "collectors/import/wiki/gpu_wiki.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define SYSTEM "kernelflow"
#define SCHEMA_CAP 10 /* largest priority that the schema of methods.json accepts */
#define ACCEPTED " already_selected arch_incompatible skip_condition no_trigger "

static const struct lore_json *
methods_of(const struct lore_json *root)
{
    const struct lore_json *m = lore_json_get(root, "methods");
    return m && m->type == LORE_J_OBJECT ? m : NULL;
}

static const struct lore_json *
methods_in(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    return lore_import_has(f, "\"methods\"") ? methods_of(lore_import_json(f)) : NULL;
}

bool
lore_method_registry_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_json *m = methods_in(t, unit);
    return m && m->child && lore_json_get(m->child, "axis") && lore_json_get(m->child, "priority");
}

bool
lore_sass_signatures_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_json *m = methods_in(t, unit);
    return m && m->child && lore_json_get(m->child, "sass_patterns");
}

/* ---- shared by both ---- */

static enum lore_status
read_texts(struct lore_import *in, const struct lore_json *node, const char *key,
    struct lore_texts *out, struct lore_err *err)
{
    const struct lore_json *list = lore_json_get(node, key);

    if (!list || list->type == LORE_J_NULL)
        return LORE_OK;
    if (list->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "%s: expected a list of text", key);
    for (const struct lore_json *m = list->child; m; m = m->next) {
        if (m->type != LORE_J_STRING || m->len == 0)
            return lore_fail(err, LORE_INVALID, "%s[%u]: expected text", key, m->index);
        lore_build_text(in->arena, out, m->str);
    }
    return LORE_OK;
}

static struct lore_technique_def *
add_definition(struct lore_import *in, const struct lore_json *node, const char *family)
{
    struct lore_submission *doc = in->doc;
    struct lore_technique_def *x =
        LORE_PUSH(in->arena, doc->techniques, doc->n_techniques, doc->cap_techniques);
    unsigned char digest[LORE_HASH_BYTES];
    char hex[LORE_HASH_HEX];

    lore_json_digest(node, digest);
    lore_hex(digest, sizeof digest, hex);
    x->id = lore_build_id(in->arena, 0, "%s|%s|%s", family, node->key, hex);
    x->slug = node->key;
    x->technique = lore_technique_slug(in->arena, node->key);
    if (strcmp(x->technique, node->key) != 0)
        lore_import_note(in, LORE_IL_NAMES, "%s: technique %s", node->key, x->technique);
    const char *version = lore_wiki_text(lore_import_json(in->at), "$version");
    x->provenance.system = SYSTEM;
    x->provenance.external_id = lore_prose_cut(in->arena,
        lore_format(in->arena, "%s%s%s/%s", in->file, version ? " " : "", version ? version : "",
            node->key),
        200);
    x->provenance.path = in->file;
    return x;
}

/* Add the file as a source document; its members other than "methods" go to extra. */
static void
add_document(struct lore_import *in, const char *family)
{
    struct lore_submission *doc = in->doc;
    struct lore_source_document *d = LORE_PUSH(
        in->arena, doc->source_documents, doc->n_source_documents, doc->cap_source_documents);
    const char *version = lore_wiki_text(lore_import_json(in->at), "$version");
    char hex[LORE_HASH_HEX];

    lore_hash_hex(in->text, in->at->len, hex);
    d->id = lore_build_id(in->arena, 0, "%s-document|%s|%s", family, in->file, hex);
    d->title = lore_prose_cut(in->arena,
        lore_format(in->arena, "%s%s%s", in->file, version ? " " : "", version ? version : ""),
        200);
    d->path = in->file;
    d->text = in->text;
    d->provenance.system = SYSTEM;
    d->extra = lore_format(in->arena, "{\"%s\":%s}", family,
        lore_build_verbatim(in->arena, lore_import_json(in->at), "methods", NULL));
    for (const struct lore_json *m = lore_import_json(in->at)->child; m; m = m->next) {
        if (strcmp(m->key, "methods") != 0)
            lore_import_note(
                in, LORE_IL_EXTRA, "%s: kept in the extra of the source document", m->key);
    }
}

static enum lore_status
check_file(struct lore_import *in, struct lore_err *err)
{
    if (!methods_of(lore_import_json(in->at)))
        return lore_fail_at(
            err, LORE_INVALID, "wrong_type", "methods", "methods: expected an object");
    if (in->at->len > (1u << 20))
        return lore_fail(err, LORE_TOOBIG, "longer than 1 MiB, the limit of a source document");
    return LORE_OK;
}

/* ---- the registry ---- */

static enum lore_status
read_number(
    const struct lore_json *node, const char *key, struct lore_f64 *out, struct lore_err *err)
{
    const struct lore_json *m = lore_json_get(node, key);

    if (!m || m->type == LORE_J_NULL)
        return LORE_OK;
    out->set = true;
    return lore_json_f64(node, key, &out->v, err);
}

static enum lore_status
read_trigger(const struct lore_json *node, struct lore_def_trigger *t, struct lore_err *err)
{
    const char *direction = lore_wiki_text(node, "trigger_direction");

    t->metric = lore_wiki_text(node, "trigger_metric");
    t->set = t->metric != NULL;
    enum lore_status status = read_number(node, "trigger_good", &t->good, err);
    if (status == LORE_OK)
        status = read_number(node, "trigger_bad", &t->bad, err);
    if (status == LORE_OK && direction && strcmp(direction, "low_is_bad") != 0 &&
        strcmp(direction, "high_is_bad") != 0)
        status = lore_fail(err, LORE_INVALID, "trigger_direction: low_is_bad or high_is_bad");
    t->direction = direction;
    return status;
}

/* Add the partners of ID in its coupled pairs to OUT; return the pairs as JSON for extra. */
static const char *
read_coupled(struct lore_import *in, const char *id, struct lore_texts *out)
{
    const struct lore_json *pairs = lore_json_get(lore_import_json(in->at), "coupled_methods");
    const char *verbatim = "";

    for (const struct lore_json *p = pairs ? pairs->child : NULL; p; p = p->next) {
        const struct lore_json *ids = lore_json_get(p, "ids");
        bool named = false;
        for (const struct lore_json *m = ids ? ids->child : NULL; m; m = m->next)
            named = named || (m->type == LORE_J_STRING && strcmp(m->str, id) == 0);
        if (!named)
            continue;
        for (const struct lore_json *m = ids->child; m; m = m->next) {
            if (m->type == LORE_J_STRING && strcmp(m->str, id) != 0)
                lore_build_text(in->arena, out, m->str);
        }
        verbatim = lore_format(in->arena, "%s%s%s", verbatim, *verbatim ? "," : "",
            lore_build_verbatim(in->arena, p, NULL, NULL));
    }
    return verbatim;
}

static bool
contains(const struct lore_texts *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->v[i], text) == 0)
            return true;
    }
    return false;
}

/* Note features that a method requires but its minimum architecture lacks according to the file. */
static void
doubt_features(struct lore_import *in, const struct lore_technique_def *x)
{
    const struct lore_json *map = lore_json_get(lore_import_json(in->at), "arch_feature_map");
    const struct lore_json *list = x->min_arch ? lore_json_get(map, x->min_arch) : NULL;

    for (size_t i = 0; list && i < x->features.n; i++) {
        bool found = false;
        for (const struct lore_json *m = list->child; m; m = m->next)
            found = found || (m->type == LORE_J_STRING && strcmp(m->str, x->features.v[i]) == 0);
        if (!found)
            lore_import_note(in, LORE_IL_DOUBTS, "%s: minimum architecture is %s, but %s has no %s",
                x->slug, x->min_arch, x->min_arch, x->features.v[i]);
    }
}

static void
doubt_method(struct lore_import *in, const struct lore_technique_def *x)
{
    for (size_t i = 0; i < x->coupled.n; i++) {
        const char *other = x->coupled.v[i];
        /* report each pair once: at the method whose name sorts first */
        if (contains(&x->complements, other) && strcmp(x->slug, other) < 0)
            lore_import_note(in, LORE_IL_CONFLICTS,
                "%s, %s: complements of each other and a coupled pair that may not be chosen "
                "together",
                x->slug, other);
    }
    if (x->priority.set && x->priority.v > SCHEMA_CAP)
        lore_import_note(in, LORE_IL_DOUBTS,
            "priority above %d: the schema of methods.json does not accept it", SCHEMA_CAP);
    doubt_features(in, x);
}

static void
doubt_reasons(struct lore_import *in)
{
    const struct lore_json *codes = lore_json_get(lore_import_json(in->at), "skip_reason_codes");

    for (const struct lore_json *m = codes ? codes->child : NULL; m; m = m->next) {
        if (m->type == LORE_J_STRING && !strstr(ACCEPTED, lore_format(in->arena, " %s ", m->str)))
            lore_import_note(in, LORE_IL_CONFLICTS,
                "skip_reason_codes: \"%s\" is declared here, but the schema refuses it", m->str);
    }
}

static enum lore_status
read_method(struct lore_import *in, const struct lore_json *node, struct lore_technique_def *x,
    struct lore_err *err)
{
    int64_t priority = -1, min_sm = 0;

    if (node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    enum lore_status status = lore_json_i64(node, "priority", &priority, err);
    if (status == LORE_OK)
        status = lore_json_i64(node, "min_sm", &min_sm, err);
    if (status == LORE_OK)
        status = read_trigger(node, &x->trigger, err);
    if (status == LORE_OK)
        status = read_texts(in, node, "required_features", &x->features, err);
    if (status == LORE_OK)
        status = read_texts(in, node, "conflict_with", &x->conflicts, err);
    if (status == LORE_OK)
        status = read_texts(in, node, "complements", &x->complements, err);
    if (status == LORE_OK && (min_sm < 0 || min_sm > 9999))
        status = lore_fail(err, LORE_INVALID, "min_sm: out of range");
    if (status != LORE_OK)
        return status;
    if (priority >= 0)
        x->priority = (struct lore_i64){true, priority};
    if (min_sm > 0)
        x->min_arch = lore_format(in->arena, "sm_%lld", (long long)min_sm);
    x->title = lore_wiki_text(node, "name");
    x->axis = lore_wiki_text(node, "axis");
    x->reference = lore_wiki_text(node, "reference_impl");
    x->typical_gain = lore_wiki_text(node, "typical_speedup");
    return LORE_OK;
}

static void
map_method(struct lore_import *in, const struct lore_json *node, const struct lore_technique_def *r)
{
    struct lore_technique_def *x = add_definition(in, node, "method-registry");
    struct lore_technique_def identity = *x;

    *x = *r;
    x->id = identity.id;
    x->slug = identity.slug;
    x->technique = identity.technique;
    x->provenance = identity.provenance;
    const char *coupled = read_coupled(in, node->key, &x->coupled);
    x->extra = lore_format(in->arena, "{\"method_registry\":{\"entry\":%s,\"coupled\":[%s]}}",
        lore_build_verbatim(in->arena, node, NULL, NULL), coupled);
    doubt_method(in, x);
}

enum lore_status
lore_method_registry_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_err inner = {0};

    enum lore_status status = check_file(in, err);
    if (status != LORE_OK)
        return status;
    for (const struct lore_json *m = methods_of(lore_import_json(in->at))->child; m; m = m->next) {
        struct lore_technique_def r = {0};
        in->records++;
        if (read_method(in, m, &r, &inner) != LORE_OK) {
            lore_import_refuse(in, m, "%s", inner.msg);
            continue;
        }
        lore_import_unknown_keys(in, m,
            "axis priority min_sm name trigger_metric trigger_good trigger_bad trigger_direction "
            "required_features reference_impl typical_speedup conflict_with complements");
        map_method(in, m, &r);
    }
    doubt_reasons(in);
    add_document(in, "method_registry");
    return LORE_OK;
}

/* ---- instruction patterns ---- */

static enum lore_status
read_signature(struct lore_import *in, const struct lore_json *node, struct lore_signature *s,
    struct lore_err *err)
{
    bool any = true;

    if (node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    enum lore_status status = read_texts(in, node, "sass_patterns", &s->patterns, err);
    if (status == LORE_OK)
        status = lore_json_bool(node, "require_any", &any, err);
    s->target = "sass";
    s->require = any ? "any" : "all";
    s->note = lore_wiki_text(node, "note");
    return status;
}

static void
map_signature(struct lore_import *in, const struct lore_json *node, const struct lore_signature *s)
{
    struct lore_technique_def *x = add_definition(in, node, "sass-signatures");

    *LORE_PUSH(in->arena, x->signatures, x->n_signatures, x->cap_signatures) = *s;
    x->extra = lore_format(in->arena, "{\"sass_signatures\":{\"entry\":%s}}",
        lore_build_verbatim(in->arena, node, NULL, NULL));
    if (s->patterns.n == 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "no patterns: machine code cannot show the method, but the tool reports it as "
            "verified");
}

enum lore_status
lore_sass_signatures_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_err inner = {0};

    enum lore_status status = check_file(in, err);
    if (status != LORE_OK)
        return status;
    for (const struct lore_json *m = methods_of(lore_import_json(in->at))->child; m; m = m->next) {
        struct lore_signature s = {0};
        in->records++;
        if (read_signature(in, m, &s, &inner) != LORE_OK) {
            lore_import_refuse(in, m, "%s", inner.msg);
            continue;
        }
        lore_import_unknown_keys(in, m, "sass_patterns require_any note");
        map_signature(in, m, &s);
    }
    add_document(in, "sass_signatures");
    return LORE_OK;
}
