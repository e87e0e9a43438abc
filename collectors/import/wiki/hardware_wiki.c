/* Hardware records of gpu-wiki (schema hw-1.x). The exact text of a spec sheet becomes a source
 * document, and each number a spec that cites its line (hardware_specs.c). Features and
 * instructions become insights of kind "doc" about a chip. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/prose.h"
#include "collectors/import/wiki/gpu_wiki.h"
#include "collectors/import/wiki/hardware_wiki.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define BODY_MAX (60u << 10)
#define SOURCE_MAX (1u << 20)
#define KNOWN "schema id type status identity facts provenance"

bool
lore_hardware_wiki_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_json *root = lore_tree_json(t, unit);
    const char *schema = lore_wiki_text(root, "schema");

    return schema && lore_starts(schema, "hw-1.") &&
           (lore_json_get(root, "facts") || lore_json_get(root, "records"));
}

/* ---- features and instructions ---- */

static const char *
title_of(struct lore_import *in, const struct lore_json *root)
{
    const struct lore_json *identity = lore_json_get(root, "identity");
    const struct lore_json *facts = lore_json_get(root, "facts");
    const struct lore_json *sources = lore_json_get(lore_json_get(root, "provenance"), "sources");
    const char *mnemonic = lore_wiki_text(identity, "mnemonic");
    const char *semantics = lore_wiki_text(facts, "semantics");
    const char *title = sources ? lore_wiki_text(sources->child, "title") : NULL;

    if (mnemonic)
        title = semantics ? lore_format(in->arena, "%s: %s", mnemonic, semantics) : mnemonic;
    if (!title)
        title = lore_wiki_text(identity, "feature");
    return lore_prose_cut(in->arena, title ? title : lore_wiki_text(root, "id"), 200);
}

static const char *
confidence_of(const struct lore_json *root)
{
    const char *text = lore_wiki_text(lore_json_get(root, "provenance"), "evidence_class");

    if (lore_streq(text, "vendor-published"))
        return "documented";
    if (lore_streq(text, "derived-from-system-total"))
        return "inferred";
    return lore_streq(text, "architecture-analysis") ? "source_reported" : NULL;
}

static const char *
body_of(struct lore_import *in, const struct lore_json *facts)
{
    struct lore_buf out = {.max = 4u << 20};

    for (const struct lore_json *m = facts->child; m; m = m->next)
        (void)lore_prose_add(&out, lore_prose_title(in->arena, m->key), m);
    const char *body = out.len > 0 ? lore_strndup(in->arena, out.data, out.len) : NULL;
    lore_buf_free(&out);
    return body;
}

static void
map_insight(struct lore_import *in)
{
    const struct lore_json *identity = lore_json_get(lore_import_json(in->at), "identity");
    const struct lore_json *facts = lore_json_get(lore_import_json(in->at), "facts");
    const char *isa = lore_wiki_text(identity, "sm_arch");
    const char *product = lore_wiki_text(identity, "product");
    const struct lore_chip *chip = lore_chip_find(product ? product : isa ? isa : "");
    const struct lore_texts no_doubts = {0};
    struct lore_insight *x =
        LORE_PUSH(in->arena, in->doc->insights, in->doc->n_insights, in->doc->cap_insights);
    const char *body = body_of(in, facts);
    bool too_long = body && strlen(body) > BODY_MAX;

    x->id = lore_hardware_id(in, "insight");
    x->kind = "doc";
    x->title = title_of(in, lore_import_json(in->at));
    x->body = body ? lore_prose_cut(in->arena, body, BODY_MAX) : x->title;
    x->vendor = lore_wiki_text(identity, "vendor");
    x->arch = lore_wiki_text(identity, "arch");
    x->chip = chip ? chip->name : NULL;
    x->confidence = confidence_of(lore_import_json(in->at));
    x->provenance = lore_hardware_provenance(in);
    x->extra = lore_wiki_extra(
        in, "hardware_wiki", lore_import_json(in->at), too_long ? NULL : facts, NULL, &no_doubts);
}

/* ---- shared by both files ---- */

const char *
lore_hardware_id(struct lore_import *in, const char *what)
{
    unsigned char digest[LORE_HASH_BYTES];
    char hex[LORE_HASH_HEX];

    lore_json_digest(lore_import_json(in->at), digest);
    lore_hex(digest, sizeof digest, hex);
    return lore_build_id(in->arena, 0, "hardware-wiki|%s|%s|%s", what,
        lore_wiki_text(lore_import_json(in->at), "id"), hex);
}

struct lore_provenance
lore_hardware_provenance(struct lore_import *in)
{
    struct lore_provenance p = {.system = "gpu-wiki"};
    const struct lore_json *sources =
        lore_json_get(lore_json_get(lore_import_json(in->at), "provenance"), "sources");
    const char *ref = sources ? lore_wiki_text(sources->child, "ref") : NULL;

    p.external_id = lore_prose_cut(in->arena, lore_wiki_text(lore_import_json(in->at), "id"), 200);
    p.path = ref ? lore_prose_cut(in->arena, ref, 1000) : NULL;
    return p;
}

/* The path of the record in the wiki's repository, whichever of its folders was imported. */
const char *
lore_hardware_path(struct lore_import *in)
{
    const struct lore_json *identity = lore_json_get(lore_import_json(in->at), "identity");
    const char *at = strstr(in->at->path, "records/");
    const char *vendor = lore_wiki_text(identity, "vendor");
    const char *arch = lore_wiki_text(identity, "arch");

    if (at && (at == in->at->path || at[-1] == '/'))
        return lore_format(in->arena, "hardware_wiki/%s", at);
    return lore_format(in->arena, "hardware_wiki/records/%s/%s/%s/%s",
        lore_wiki_text(lore_import_json(in->at), "type"), vendor ? vendor : "any",
        arch ? arch : "any", in->file);
}

static enum lore_status
check(const struct lore_import *in, const char **type, struct lore_err *err)
{
    const struct lore_json *facts = lore_json_get(lore_import_json(in->at), "facts");

    *type = lore_wiki_text(lore_import_json(in->at), "type");
    if (!lore_wiki_text(lore_import_json(in->at), "id"))
        return lore_fail_at(err, LORE_INVALID, "missing_field", "id", "id: missing");
    if (!*type)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "type", "type: missing");
    if (!facts || facts->type != LORE_J_OBJECT)
        return lore_fail_at(err, LORE_INVALID, "wrong_type", "facts", "facts: expected an object");
    if (strcmp(*type, "spec-sheet") == 0 && in->at->len > SOURCE_MAX)
        return lore_fail(err, LORE_TOOBIG, "longer than 1 MiB, the limit of a source document");
    if (strcmp(*type, "spec-sheet") != 0 && strcmp(*type, "arch-feature") != 0 &&
        strcmp(*type, "instruction") != 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "type",
            "type: \"%s\" is not supported by this importer", *type);
    return LORE_OK;
}

enum lore_status
lore_hardware_wiki_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_err inner = {0};
    const char *type = NULL;

    if (!lore_import_json(in->at) || lore_import_json(in->at)->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected a record or an index, as JSON");
    if (lore_json_get(lore_import_json(in->at), "records") &&
        !lore_json_get(lore_import_json(in->at), "facts")) {
        lore_wiki_check_index(in);
        return LORE_OK;
    }
    in->records++;
    if (check(in, &type, &inner) != LORE_OK) {
        lore_import_refuse(in, lore_import_json(in->at), "%s", inner.msg);
        return LORE_OK;
    }
    lore_import_unknown_keys(in, lore_import_json(in->at), KNOWN);
    if (strcmp(type, "spec-sheet") == 0)
        lore_hardware_map_sheet(in);
    else
        map_insight(in);
    return LORE_OK;
}
