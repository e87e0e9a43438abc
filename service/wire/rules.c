/* Decoding rules that a field table cannot express: short forms of objects, defaults, rules across
 * fields. The tables name these functions. decode.c calls read_short instead of walking the fields,
 * and finish after walking them. Bit i of GIVEN is set when row i was present. */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/decoder.h"

/* Whether the field NAME of R was present. */
static bool
was_given(const struct lore_record *r, uint64_t given, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->fields[i].name, name) == 0)
            return given >> i & 1;
    return false;
}

enum lore_status
lore_rules_finish_provenance(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_provenance *p = out;

    (void)d;
    (void)node;
    if (given != 0 && !p->redistribution)
        p->redistribution = "allowed";
    return LORE_OK;
}

enum lore_status
lore_rules_finish_artifact(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    const struct lore_artifact *a = out;

    (void)given;
    if ((a->text != NULL) == (a->base64 != NULL))
        return lore_decode_fail(d, node, "text", "missing_field", "give either text or base64");
    return LORE_OK;
}

enum lore_status
lore_rules_finish_kernel(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_kernel *k = out;
    const struct lore_operator *known = lore_operator_find(k->op);

    (void)given;
    if (!k->family)
        return LORE_OK;
    k->family = lore_slug(d->arena, k->family);
    if (!known || strcmp(known->family, k->family) == 0)
        return LORE_OK;
    (void)lore_decode_fail(
        d, node, "family", "family_mismatch", "%s is of family %s", known->name, known->family);
    lore_decode_hint(d, "leave the family of a known operator out");
    return LORE_INVALID;
}

enum lore_status
lore_rules_short_parent(struct lore_decoder *d, const struct lore_json *node, void *out)
{
    struct lore_parent *p = out;

    if (lore_value_id(d, node, &p->version) != LORE_OK)
        return LORE_INVALID;
    lore_decode_ref(d, node, LORE_K_VERSION, p->version);
    p->kind = LORE_E_DERIVED_FROM;
    return LORE_OK;
}

enum lore_status
lore_rules_finish_parent(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_parent *p = out;

    (void)d;
    (void)node;
    (void)given;
    if (p->kind == LORE_E_NONE)
        p->kind = LORE_E_DERIVED_FROM;
    return LORE_OK;
}

enum lore_status
lore_rules_finish_version(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    const struct lore_version *v = out;

    (void)given;
    for (size_t i = 0; i < v->n_parents; i++)
        if (strcmp(v->parents[i].version, v->id) == 0)
            return lore_decode_fail(
                d, node, "parents", "wrong_reference", "a version is not its own parent");
    return LORE_OK;
}

enum lore_status
lore_rules_finish_run(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_run *r = out;

    (void)d;
    (void)node;
    (void)given;
    if (r->role == LORE_ROLE_NONE)
        r->role = LORE_ROLE_CANDIDATE;
    if (r->evidence == LORE_EV_NONE)
        r->evidence = r->n_samples > 0 ? LORE_EV_MEASURED : LORE_EV_CLAIMED;
    return LORE_OK;
}

enum lore_status
lore_rules_short_metric(struct lore_decoder *d, const struct lore_json *node, void *out)
{
    (void)d;
    ((struct lore_metric *)out)->value = node->f;
    return LORE_OK;
}

enum lore_status
lore_rules_finish_metric(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    const struct lore_metric *m = out;
    bool value = was_given(&lore_metric_record, given, "value");

    if (m->missing != LORE_MISS_NONE && value)
        return lore_decode_fail(d, node, "value", "invalid_value", "a missing metric has no value");
    if (m->missing == LORE_MISS_NONE && !value) {
        (void)lore_decode_fail(
            d, node, "value", "missing_field", "give value, or missing with the reason");
        lore_decode_hint(d, "say why there is no value: {\"missing\": \"not_collected\"}");
        return LORE_INVALID;
    }
    return LORE_OK;
}

enum lore_status
lore_rules_finish_use(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_use *u = out;
    const char *slug = lore_technique_slug(d->arena, u->name);

    (void)node;
    (void)given;
    if (!u->raw && strcmp(slug, u->name) != 0)
        u->raw = u->name;
    u->name = slug;
    return LORE_OK;
}

enum lore_status
lore_rules_short_use(struct lore_decoder *d, const struct lore_json *node, void *out)
{
    struct lore_use *u = out;

    if (node->len == 0 || node->len > 2000)
        return lore_decode_fail(
            d, node, NULL, "too_long", "a technique's name has 1 to 2000 bytes");
    u->name = node->str;
    return lore_rules_finish_use(d, node, out, 0);
}

enum lore_status
lore_rules_short_plan(struct lore_decoder *d, const struct lore_json *node, void *out)
{
    if (node->len == 0 || node->len > LORE_MAX_TEXT)
        return lore_decode_fail(
            d, node, NULL, "too_long", "a hypothesis has 1 to %d bytes", LORE_MAX_TEXT);
    ((struct lore_hypothesis *)out)->claim = node->str;
    return LORE_OK;
}

enum lore_status
lore_rules_short_diagnosis(struct lore_decoder *d, const struct lore_json *node, void *out)
{
    struct lore_diagnosis *g = out;

    return lore_value_labels(d, node, &g->labels, &g->raw_label);
}

/* Keep the original label text of the object form, too. */
enum lore_status
lore_rules_finish_diagnosis(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_diagnosis *g = out;
    struct lore_texts again = {0};
    const struct lore_json *labels = lore_json_get(node, "labels");

    (void)given;
    if (!labels || g->raw_label)
        return LORE_OK;
    return lore_value_labels(d, labels, &again, &g->raw_label);
}

enum lore_status
lore_rules_finish_claim(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_claim *c = out;

    if (c->base == LORE_BASE_NONE)
        c->base = LORE_BASE_PARENT;
    if (c->speedup_low.set && c->speedup_high.set && c->speedup_low.v > c->speedup_high.v)
        return lore_decode_fail(d, node, "speedup_low", "out_of_range", "is above speedup_high");
    (void)given;
    return LORE_OK;
}

enum lore_status
lore_rules_finish_experiment(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_experiment *e = out;

    (void)d;
    (void)node;
    (void)given;
    if (e->evidence == LORE_EV_NONE)
        e->evidence =
            e->runs_before.n > 0 && e->runs_after.n > 0 ? LORE_EV_MEASURED : LORE_EV_CLAIMED;
    return LORE_OK;
}
