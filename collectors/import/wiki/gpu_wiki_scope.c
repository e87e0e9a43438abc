/* Finds the scope of a wiki record. The wiki derives scopes from folder names and headings, so
 * some fields are wrong. The operator family may be a symptom or a folder ("hands-on"), the
 * technique a heading ("Caveats"). Operators, chips, languages, labels and techniques become scope
 * only when the catalogue has them; vendor and architecture are copied. The original values are in
 * extra, and the report counts them. */
#include <string.h>

#include "collectors/import/wiki/gpu_wiki.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

const char *
lore_wiki_text(const struct lore_json *node, const char *key)
{
    const struct lore_json *m = lore_json_get(node, key);
    return m && m->type == LORE_J_STRING && m->len > 0 ? m->str : NULL;
}

void
lore_wiki_doubt(
    struct lore_import *in, struct lore_wiki_record *r, const char *what, const char *line)
{
    lore_build_text(in->arena, &r->doubts, what);
    lore_import_note(in, LORE_IL_DOUBTS, "%s", line);
}

static bool
is_any(const char *text)
{
    return !text || lore_streqi(text, "any") || lore_streqi(text, "generic");
}

static bool
contains(const struct lore_json *list, const char *text)
{
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        if (m->type == LORE_J_STRING && strcmp(m->str, text) == 0)
            return true;
    }
    return false;
}

static bool
is_family(const char *name)
{
    size_t n = 0;
    const struct lore_operator *all = lore_operators(&n);

    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i].family, name) == 0)
            return true;
    }
    return false;
}

/* In the wiki, a page about a "converter" or "fp8-conversion" has the operator "conv". Return the
 * word of the record's id that caused this; NULL: NAME is correct. */
static const char *
misfiled_by(struct lore_import *in, const struct lore_wiki_record *r, const char *name)
{
    static const char separators[] = ".-_";
    const char *found = NULL;

    if (strcmp(name, "conv") != 0)
        return NULL;
    for (const char *p = r->id; *p;) {
        size_t n = strcspn(p, separators);
        const char *word = lore_strndup(in->arena, p, n);
        const struct lore_operator *op = lore_operator_find(word);
        if (op && strcmp(op->family, name) == 0)
            return NULL;
        if (!found && lore_starts(word, "conver"))
            found = word;
        p += n + (p[n] != '\0');
    }
    return found;
}

static void
set_family(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    const char *family = lore_wiki_text(r->scope, "operator_family");
    const struct lore_json *symptoms =
        lore_json_get(lore_json_get(r->retrieval, "signals"), "symptoms");

    if (is_any(family))
        return;
    if (strcmp(r->type, "symptom-card") == 0 || contains(symptoms, family)) {
        lore_wiki_doubt(in, r, "operator_family is a symptom",
            "operator_family names a symptom: kept as the symptom, not as an operator");
        if (!x->symptom)
            x->symptom = family;
        return;
    }
    const struct lore_operator *op = lore_operator_find(family);
    const char *word = misfiled_by(in, r, family);
    if (word)
        lore_wiki_doubt(in, r,
            lore_format(in->arena, "operator_family comes from the word \"%s\"", word),
            lore_format(in->arena,
                "operator_family \"%s\" comes from the word \"%s\": not used as scope", family,
                word));
    else if (op)
        x->family = op->family;
    else if (is_family(family))
        x->family = family;
    else
        lore_wiki_doubt(in, r, "operator_family is no operator family",
            lore_format(in->arena,
                "operator_family \"%s\" is a folder, not a family: not used as scope", family));
    if (x->family && strcmp(x->family, family) != 0)
        lore_import_note(in, LORE_IL_NAMES, "operator_family %s: family %s", family, x->family);
}

/* Set the operator; a list of several operators has no field and is kept in extra. */
static void
set_operator(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    const struct lore_json *list = lore_json_get(r->scope, "operators");

    if (!list || list->type != LORE_J_ARRAY || list->len == 0)
        return;
    if (list->len > 1) {
        lore_import_note(in, LORE_IL_EXTRA, "retrieval.scope.operators: several; kept in extra");
        return;
    }
    const char *name = list->child->type == LORE_J_STRING ? list->child->str : "";
    const struct lore_operator *op = lore_operator_find(name);
    if (misfiled_by(in, r, name))
        return;
    /* a name such as "norm" is a family, not an operator */
    if (!op || strcmp(name, op->family) == 0) {
        if (!x->family && (op || is_family(name)))
            x->family = op ? op->family : name;
        if (op && strcmp(op->name, name) == 0)
            x->op = op->name;
        return;
    }
    x->op = op->name;
    x->family = op->family;
    if (strcmp(op->name, name) != 0)
        lore_import_note(in, LORE_IL_NAMES, "operator %s: %s", name, op->name);
}

static void
set_chip(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    const char *vendor = lore_wiki_text(r->scope, "vendor");
    const char *arch = lore_wiki_text(r->scope, "arch");
    const char *product = lore_wiki_text(r->scope, "product");
    const struct lore_chip *chip = is_any(product) ? NULL : lore_chip_find(product);

    x->vendor = is_any(vendor) ? NULL : vendor;
    x->arch = is_any(arch) ? NULL : arch;
    if (chip && chip->product)
        x->chip = chip->name;
    else if (!is_any(product))
        lore_import_note(
            in, LORE_IL_EXTRA, "product \"%s\" is not in the catalogue; kept in extra", product);
}

static void
set_language(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    const char *dsl = lore_wiki_text(r->scope, "dsl");

    if (is_any(dsl))
        return;
    x->language = lore_language_find(dsl);
    if (x->language == LORE_LANG_NONE)
        lore_import_note(in, LORE_IL_EXTRA, "dsl \"%s\" is not known; kept in extra", dsl);
    else if (strcmp(lore_language_name(x->language), dsl) != 0)
        lore_import_note(
            in, LORE_IL_NAMES, "dsl %s: language %s", dsl, lore_language_name(x->language));
}

static void
set_symptoms(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    const struct lore_json *list =
        lore_json_get(lore_json_get(r->retrieval, "signals"), "symptoms");
    uint32_t labels = 0;
    const char *text = "";

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        bool unknown = false;
        if (m->type != LORE_J_STRING)
            continue;
        uint32_t bits = lore_labels_parse(m->str, &unknown);
        if (unknown)
            lore_import_note(in, LORE_IL_LABELS, "\"%s\": no label; kept as the symptom", m->str);
        else
            lore_import_note(
                in, LORE_IL_LABELS, "\"%s\": %s", m->str, lore_labels_text(in->arena, bits));
        labels |= bits;
        text = lore_format(in->arena, "%s%s%s", text, *text ? ", " : "", m->str);
    }
    for (int l = 0; l < LORE_L_COUNT; l++) {
        if (labels >> l & 1)
            lore_build_text(in->arena, &x->labels, lore_label_name((enum lore_label)l));
    }
    if (*text && strlen(text) <= 200)
        x->symptom = text;
}

/* The technique, when the catalogue knows the name or one of the tags. */
static void
set_technique(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    const char *name = lore_wiki_text(r->payload, "technique");
    const struct lore_technique *t = name ? lore_technique_find(name) : NULL;
    const struct lore_json *tags = lore_json_get(r->retrieval, "technique_tags");

    if (strcmp(r->type, "technique-card") != 0 && strcmp(r->type, "strategy") != 0)
        return;
    for (const struct lore_json *m = tags ? tags->child : NULL; !t && m; m = m->next) {
        /* a tag such as "flash-attention" names an operator, not a technique */
        if (m->type == LORE_J_STRING && !lore_operator_find(m->str) && !is_family(m->str))
            t = lore_technique_find(m->str);
    }
    if (t) {
        x->technique = t->slug;
        lore_import_note(
            in, LORE_IL_NAMES, "\"%s\": technique %s", name ? name : "(by its tags)", t->slug);
    } else if (name) {
        lore_wiki_doubt(in, r, "payload.technique names no technique of the catalogue",
            "payload.technique is a heading of its page or not in the catalogue; not used as "
            "scope");
    }
}

void
lore_wiki_scope(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x)
{
    set_symptoms(in, r, x);
    set_family(in, r, x);
    set_operator(in, r, x);
    set_chip(in, r, x);
    set_language(in, r, x);
    set_technique(in, r, x);
}
