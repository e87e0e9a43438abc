/* Decode a submission by walking the field tables over the JSON tree. Every error has the JSON path
 * of the faulty value. The search for a member starts behind the previous one, since most writers
 * keep the order of the tables. values.c reads single values; rules.c applies rules across fields.
 * At the end, a reference to a record of this document must have the right kind; the service checks
 * all other references. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/attempt.h"
#include "service/wire/decoder.h"

const struct lore_json_limits lore_wire_limits = {.string_bytes = LORE_WIRE_MAX_BYTES};

/* A message cut in the middle of a character is invalid UTF-8, which an answer must not contain. */
void
lore_decode_tidy_utf8(char *s)
{
    if (lore_utf8_valid(s, strlen(s)))
        return;
    for (; *s != '\0'; s++)
        if ((unsigned char)*s >= 0x80)
            *s = '?';
}

enum lore_status
lore_decode_fail(struct lore_decoder *d, const struct lore_json *node, const char *key,
    const char *code, const char *fmt, ...)
{
    char path[160], what[200];
    va_list ap;

    lore_json_path(node, path, sizeof path);
    if (key) {
        size_t n = strlen(path);
        bool root = strcmp(path, "$") == 0;

        snprintf(path + (root ? 0 : n), sizeof path - (root ? 0 : n), "%s%s", root ? "" : ".", key);
    }
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    lore_decode_tidy_utf8(what);
    return lore_fail_at(d->err, LORE_INVALID, code, path, "%s: %s", path, what);
}

void
lore_decode_hint(struct lore_decoder *d, const char *fmt, ...)
{
    char hint[240];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(hint, sizeof hint, fmt, ap);
    va_end(ap);
    lore_decode_tidy_utf8(hint);
    lore_err_hint(d->err, "%s", hint);
}

static int
find_field(const struct lore_record *r, const struct lore_json *member, size_t from)
{
    for (size_t k = 0, i = from; k < r->n; k++, i++) {
        if (i >= r->n)
            i -= r->n;
        if (r->fields[i].name[0] == member->key[0] && strcmp(r->fields[i].name, member->key) == 0)
            return (int)i;
    }
    return -1;
}

static enum lore_status
unknown_field(struct lore_decoder *d, const struct lore_record *r, const struct lore_json *member)
{
    const char *names[64];
    char list[220] = "";
    int near;

    for (size_t i = 0; i < r->n; i++) {
        size_t used = strlen(list);

        names[i] = r->fields[i].name;
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    near = lore_nearest(member->key, names, r->n);
    (void)lore_decode_fail(d, member, NULL, "unknown_field", "unknown field");
    if (near >= 0)
        lore_decode_hint(d, "did you mean %s?", names[near]);
    else
        lore_decode_hint(d, "a %s has: %s", r->name, list);
    return LORE_INVALID;
}

static bool
short_form(const struct lore_record *r, const struct lore_json *node)
{
    return (node->type == LORE_J_STRING && (r->shorthand & LORE_SHORT_TEXT)) ||
           (node->type == LORE_J_ARRAY && (r->shorthand & LORE_SHORT_TEXTS)) ||
           (node->type == LORE_J_NUMBER && (r->shorthand & LORE_SHORT_NUMBER));
}

static enum lore_status
not_an_object(struct lore_decoder *d, const struct lore_record *r, const struct lore_json *node)
{
    (void)lore_decode_fail(
        d, node, NULL, "wrong_type", "expected object, got %s", lore_json_type_name(node->type));
    if (node->type == LORE_J_NULL && r == &lore_metric_record)
        lore_decode_hint(d, "say why there is no value: {\"missing\": \"not_collected\"}");
    else if (node->type == LORE_J_NULL)
        lore_decode_hint(d, "leave the member out when it has no value");
    return LORE_INVALID;
}

static enum lore_status
required_fields(struct lore_decoder *d, const struct lore_record *r, const struct lore_json *node,
    uint64_t given)
{
    for (size_t i = 0; i < r->n; i++) {
        if (!r->fields[i].required || (given >> i & 1))
            continue;
        (void)lore_decode_fail(
            d, node, r->fields[i].name, "missing_field", "a %s needs this", r->name);
        lore_decode_hint(d, "%s", r->fields[i].help);
        return LORE_INVALID;
    }
    return LORE_OK;
}

static enum lore_status decode_field(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out);

static enum lore_status
decode_record(
    struct lore_decoder *d, const struct lore_record *r, const struct lore_json *node, void *out)
{
    uint64_t given = 0;
    size_t from = 0;

    if (short_form(r, node))
        return r->read_short(d, node, out);
    if (node->type != LORE_J_OBJECT)
        return not_an_object(d, r, node);
    for (const struct lore_json *c = node->child; c != NULL; c = c->next) {
        int i = find_field(r, c, from);

        if (i < 0)
            return unknown_field(d, r, c);
        if (decode_field(d, &r->fields[i], c, out) != LORE_OK)
            return LORE_INVALID;
        given |= (uint64_t)1 << i;
        from = (size_t)i + 1;
    }
    if (required_fields(d, r, node, given) != LORE_OK)
        return LORE_INVALID;
    if (r->flag != LORE_NO_FLAG)
        *(bool *)lore_member(out, r->flag) = true;
    return r->finish ? r->finish(d, node, out, given) : LORE_OK;
}

void
lore_decode_all(const struct lore_record *r, const struct lore_json *node, struct lore_arena *arena,
    void *out, struct lore_errs *errs)
{
    struct lore_err full; /* an error that finds no room */
    struct lore_decoder d = {.arena = arena, .n_slots = 16};
    size_t from = 0;

    d.ids = lore_alloc_array(arena, d.n_slots, sizeof *d.ids);
    d.err = errs->n < LORE_ERRS_MAX ? &errs->v[errs->n] : &full;
    if (node->type != LORE_J_OBJECT) {
        errs->n += not_an_object(&d, r, node) != LORE_OK && d.err != &full;
        return;
    }
    for (const struct lore_json *c = node->child; c != NULL; c = c->next) {
        int i = find_field(r, c, from);
        enum lore_status status;

        d.err = errs->n < LORE_ERRS_MAX ? &errs->v[errs->n] : &full;
        if (i < 0)
            status = unknown_field(&d, r, c);
        else
            status = decode_field(&d, &r->fields[i], c, out);
        errs->n += status != LORE_OK && d.err != &full;
        if (i >= 0)
            from = (size_t)i + 1;
    }
}

static int
kind_of(const struct lore_record *r)
{
    for (int k = 0; k < LORE_K_COUNT; k++)
        if (lore_kind_record(k) == r)
            return k;
    return -1;
}

static struct lore_id_slot *
id_slot(struct lore_decoder *d, const char *id)
{
    uint64_t h = lore_fnv_text(LORE_FNV, id);
    size_t i;

    for (i = h & (d->n_slots - 1); d->ids[i].id != NULL; i = (i + 1) & (d->n_slots - 1))
        if (strcmp(d->ids[i].id, id) == 0)
            break;
    return &d->ids[i];
}

/* The id is the first field of every record that has one. */
static enum lore_status
remember_id(
    struct lore_decoder *d, enum lore_kind kind, const struct lore_json *node, const void *record)
{
    const char *id = lore_wire_id(kind, record);
    struct lore_id_slot *slot = id_slot(d, id);

    if (slot->id)
        return lore_decode_fail(d, node, "id", "duplicate_id",
            "another %s of this document has this id", lore_kind_name(slot->kind));
    slot->id = id;
    slot->kind = kind;
    return LORE_OK;
}

static enum lore_status
decode_list(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    int kind = kind_of(f->sub);
    size_t n = 0;
    char *items;

    if (node->type != LORE_J_ARRAY)
        return lore_decode_fail(
            d, node, NULL, "wrong_type", "expected array, got %s", lore_json_type_name(node->type));
    if (node->len > f->max)
        return lore_decode_fail(
            d, node, NULL, "too_many", "%u items, at most %.0f", node->len, f->max);
    items = lore_alloc_array(d->arena, node->len, f->sub->size);
    for (const struct lore_json *c = node->child; c != NULL; c = c->next, n++) {
        if (decode_record(d, f->sub, c, items + n * f->sub->size) != LORE_OK)
            return LORE_INVALID;
        if (kind >= 0 &&
            remember_id(d, (enum lore_kind)kind, c, items + n * f->sub->size) != LORE_OK)
            return LORE_INVALID;
    }
    if (n == 0)
        return LORE_OK;
    memcpy(lore_member(out, f->offset), &items, sizeof items);
    *(size_t *)lore_member(out, f->n_offset) = n;
    *(size_t *)lore_member(out, f->cap_offset) = n;
    return LORE_OK;
}

static enum lore_status
decode_metrics(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    struct lore_metrics *m = lore_member(out, f->offset);

    if (node->type != LORE_J_OBJECT)
        return lore_decode_fail(d, node, NULL, "wrong_type", "expected object, got %s",
            lore_json_type_name(node->type));
    if (node->len > f->max)
        return lore_decode_fail(
            d, node, NULL, "too_many", "%u metrics, at most %.0f", node->len, f->max);
    if (node->len == 0)
        return LORE_OK;
    m->v = lore_alloc_array(d->arena, node->len, sizeof *m->v);
    m->cap = node->len;
    for (const struct lore_json *c = node->child; c != NULL; c = c->next) {
        if (c->key_len == 0 || c->key_len > LORE_MAX_NAME)
            return lore_decode_fail(
                d, c, NULL, "too_long", "a metric's name has 1 to %d bytes", LORE_MAX_NAME);
        m->v[m->n].name = c->key;
        if (decode_record(d, f->sub, c, &m->v[m->n]) != LORE_OK)
            return LORE_INVALID;
        m->n++;
    }
    return LORE_OK;
}

static enum lore_status
decode_field(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    if (f->type == LORE_F_OBJECT)
        return decode_record(d, f->sub, node, lore_member(out, f->offset));
    if (f->type == LORE_F_LIST)
        return decode_list(d, f, node, out);
    if (f->type == LORE_F_METRICS)
        return decode_metrics(d, f, node, out);
    return lore_value_decode(d, f, node, lore_member(out, f->offset));
}

void
lore_decode_ref(
    struct lore_decoder *d, const struct lore_json *node, enum lore_kind kind, const char *id)
{
    *LORE_PUSH(d->arena, d->refs, d->n_refs, d->cap_refs) = (struct lore_ref){id, kind, node};
}

static enum lore_status
check_refs(struct lore_decoder *d)
{
    for (size_t i = 0; i < d->n_refs; i++) {
        const struct lore_id_slot *slot = id_slot(d, d->refs[i].id);

        if (slot->id && slot->kind != d->refs[i].kind)
            return lore_decode_fail(d, d->refs[i].node, NULL, "wrong_reference",
                "names a %s, expected a %s", lore_kind_name(slot->kind),
                lore_kind_name(d->refs[i].kind));
    }
    return LORE_OK;
}

/* A document that states its project has no kernel of another one. */
static enum lore_status
check_project(const struct lore_submission *doc, struct lore_err *err)
{
    char path[40];

    for (size_t i = 0; doc->stated_project && i < doc->n_kernels; i++) {
        const char *of = doc->kernels[i].project;

        if (of && strcmp(of, doc->stated_project) == 0)
            continue;
        snprintf(path, sizeof path, "kernels[%zu].project", i);
        return lore_fail_at(err, LORE_INVALID, "other_project", path,
            "%s: expected %.100s, the project of the document", path, doc->stated_project);
    }
    return LORE_OK;
}

const char *
lore_wire_project(const struct lore_submission *doc)
{
    const char *one = doc->n_kernels > 0 ? doc->kernels[0].project : NULL;

    if (doc->stated_project)
        return doc->stated_project;
    for (size_t i = 1; i < doc->n_kernels && one; i++)
        if (!doc->kernels[i].project || strcmp(doc->kernels[i].project, one) != 0)
            one = NULL;
    return one;
}

enum lore_status
lore_wire_decode(const struct lore_json *root, struct lore_arena *arena,
    struct lore_submission *out, struct lore_err *err)
{
    struct lore_decoder d = {.arena = arena, .err = err, .n_slots = 16};
    struct lore_submission doc = {0};
    size_t records = 0;

    for (const struct lore_json *c = root->child; c != NULL; c = c->next)
        records += c->type == LORE_J_ARRAY ? c->len : 0;
    while (d.n_slots < 2 * records)
        d.n_slots *= 2;
    d.ids = lore_alloc_array(arena, d.n_slots, sizeof *d.ids);
    if (decode_record(&d, &lore_document_record, root, &doc) != LORE_OK ||
        check_refs(&d) != LORE_OK || check_project(&doc, err) != LORE_OK)
        return LORE_INVALID;
    *out = doc;
    return LORE_OK;
}

void
lore_wire_digest(const struct lore_json *record, unsigned char out[32])
{
    lore_json_digest(record, out);
}
