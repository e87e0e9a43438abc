/* Decoding single values: text, numbers, enums, times, ids, names of the catalogue, flat objects,
 * samples. One small function per kind of value and a switch that picks it. Text is borrowed from
 * the JSON tree; new values live in the decoder's arena. */
#include <stdio.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/decoder.h"

static enum lore_status
wrong_type(struct lore_decoder *d, const struct lore_json *node, const char *expected)
{
    (void)lore_decode_fail(d, node, NULL, "wrong_type", "expected %s, got %s", expected,
        lore_json_type_name(node->type));
    if (node->type == LORE_J_NULL)
        lore_decode_hint(d, "leave the member out when it has no value");
    return LORE_INVALID;
}

static enum lore_status
read_text(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    const char **out)
{
    if (node->type != LORE_J_STRING)
        return wrong_type(d, node, "string");
    if (f->max > 0 && node->len > f->max)
        return lore_decode_fail(
            d, node, NULL, "too_long", "%u bytes, at most %.0f", node->len, f->max);
    if (node->len == 0 && f->required && f->type != LORE_F_BODY)
        return lore_decode_fail(d, node, NULL, "missing_field", "is empty");
    *out = node->len == 0 && f->type != LORE_F_BODY ? NULL : node->str;
    return LORE_OK;
}

/* Four characters of the alphabet at a time, padding only at the end. */
static bool
base64_valid(const char *s, size_t n)
{
    size_t pad = n >= 1 && s[n - 1] == '=' ? 1 + (n >= 2 && s[n - 2] == '=') : 0;

    for (size_t i = 0; i < n - pad; i++) {
        unsigned char c = (unsigned char)s[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

        if (!letter && !(c >= '0' && c <= '9') && c != '+' && c != '/')
            return false;
    }
    return n % 4 == 0;
}

static enum lore_status
read_base64(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    const char **out)
{
    if (read_text(d, f, node, out) != LORE_OK)
        return LORE_INVALID;
    if (*out && !base64_valid(*out, node->len))
        return lore_decode_fail(
            d, node, NULL, "invalid_base64", "not base64 (RFC 4648, with padding)");
    return LORE_OK;
}

static enum lore_status
read_time(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    const char **out)
{
    int64_t us;

    if (read_text(d, f, node, out) != LORE_OK)
        return LORE_INVALID;
    if (*out == NULL || lore_time_parse(*out, &us, NULL) == LORE_OK)
        return LORE_OK;
    (void)lore_decode_fail(d, node, NULL, "invalid_time", "'%.60s' is no time", node->str);
    lore_decode_hint(d, "RFC 3339: 2026-11-21T08:43:39Z, or a date");
    return LORE_INVALID;
}

enum lore_status
lore_value_id(struct lore_decoder *d, const struct lore_json *node, const char **out)
{
    char *upper;

    if (node->type != LORE_J_STRING)
        return wrong_type(d, node, "string");
    if (node->len == 26) {
        upper = lore_strndup(d->arena, node->str, 26);
        for (char *p = upper; *p != '\0'; p++)
            if (*p >= 'a' && *p <= 'z')
                *p = (char)(*p - ('a' - 'A'));
        if (lore_ulid_valid(upper)) {
            *out = upper;
            return LORE_OK;
        }
    }
    (void)lore_decode_fail(d, node, NULL, "invalid_id", "'%.40s' is no ULID", node->str);
    lore_decode_hint(
        d, "26 characters of Crockford base32, first one 0 to 7: 01ARZ3NDEKTSV4RRFFQ69G5FAV");
    return LORE_INVALID;
}

static enum lore_status
read_ref(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    const char **out)
{
    if (lore_value_id(d, node, out) != LORE_OK)
        return LORE_INVALID;
    lore_decode_ref(d, node, f->kind, *out);
    return LORE_OK;
}

static enum lore_status
not_a_choice(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node)
{
    const char *names[64];
    char list[220] = "";
    size_t n = 0;

    for (size_t i = 0; i < f->choices->n && n < sizeof names / sizeof *names; i++) {
        size_t used = strlen(list);

        if (!f->choices->names[i])
            continue;
        names[n++] = f->choices->names[i];
        snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", names[n - 1]);
    }
    (void)lore_decode_fail(
        d, node, NULL, "invalid_choice", "'%.60s' is not one of the choices", node->str);
    int near = lore_nearest(node->str, names, n);
    if (near >= 0)
        lore_decode_hint(d, "did you mean %s? one of: %s", names[near], list);
    else
        lore_decode_hint(d, "one of: %s", list);
    return LORE_INVALID;
}

/* Store NODE's choice: its index as an enum value, or the static text of a LORE_F_CHOICE. */
static enum lore_status
read_choice(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    unsigned v = 0;

    if (node->type != LORE_J_STRING)
        return wrong_type(d, node, "string");
    if (f->type == LORE_F_LANGUAGE)
        v = lore_language_find(node->str);
    for (size_t i = 0; v == 0 && f->type != LORE_F_LANGUAGE && i < f->choices->n; i++) {
        if (!f->choices->names[i] || strcmp(f->choices->names[i], node->str) != 0)
            continue;
        if (f->type == LORE_F_CHOICE) {
            memcpy(out, &f->choices->names[i], sizeof f->choices->names[i]);
            return LORE_OK;
        }
        v = (unsigned)i;
    }
    if (v == 0)
        return not_a_choice(d, f, node);
    memcpy(out, &v, sizeof v);
    return LORE_OK;
}

static enum lore_status
out_of_range(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node)
{
    return lore_decode_fail(
        d, node, NULL, "out_of_range", "%.40s is not in %.17g … %.17g", node->str, f->min, f->max);
}

static enum lore_status
read_f64(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, double *out)
{
    if (node->type != LORE_J_NUMBER)
        return wrong_type(d, node, "number");
    if (f->min < f->max && (node->f < f->min || node->f > f->max))
        return out_of_range(d, f, node);
    *out = node->f;
    return LORE_OK;
}

static enum lore_status
read_i64(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, int64_t *out)
{
    if (node->type != LORE_J_NUMBER || !node->is_int)
        return wrong_type(d, node, "integer");
    if (f->min < f->max && (node->i < (int64_t)f->min || node->i > (int64_t)f->max))
        return out_of_range(d, f, node);
    *out = node->i;
    return LORE_OK;
}

static enum lore_status
read_format(struct lore_decoder *d, const struct lore_json *node, int64_t *out)
{
    if (node->type != LORE_J_NUMBER || !node->is_int)
        return wrong_type(d, node, "integer");
    if (node->i != LORE_WIRE_VERSION)
        return lore_decode_fail(d, node, NULL, "unsupported_version",
            "format %.20s, this service reads format %d", node->str, LORE_WIRE_VERSION);
    *out = node->i;
    return LORE_OK;
}

static enum lore_status
expect_list(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node)
{
    if (node->type != LORE_J_ARRAY)
        return wrong_type(d, node, "array");
    if (node->len > f->max)
        return lore_decode_fail(
            d, node, NULL, "too_many", "%u items, at most %.0f", node->len, f->max);
    return LORE_OK;
}

/* Items are few, so comparing each with each is fine. */
static bool
named_before(const struct lore_texts *t)
{
    for (size_t i = 0; i + 1 < t->n; i++)
        if (strcmp(t->v[i], t->v[t->n - 1]) == 0)
            return true;
    return false;
}

static enum lore_status
read_texts(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    struct lore_texts *out)
{
    static const struct lore_field item = {
        .type = LORE_F_TEXT, .required = true, .max = LORE_MAX_TEXT};

    if (expect_list(d, f, node) != LORE_OK)
        return LORE_INVALID;
    out->v = lore_alloc_array(d->arena, node->len, sizeof *out->v);
    out->cap = node->len;
    for (const struct lore_json *c = node->child; c != NULL; c = c->next) {
        enum lore_status status = f->type == LORE_F_REFS ? read_ref(d, f, c, &out->v[out->n])
                                                         : read_text(d, &item, c, &out->v[out->n]);

        if (status != LORE_OK)
            return status;
        out->n++;
        if (f->type == LORE_F_REFS && named_before(out))
            return lore_decode_fail(d, c, NULL, "duplicate_id", "the list names this %s already",
                lore_kind_name(f->kind));
    }
    return LORE_OK;
}

static enum lore_status
read_scalar(struct lore_decoder *d, const struct lore_json *node, const char **out)
{
    if (node->type == LORE_J_NUMBER) {
        if (strlen(node->str) > LORE_MAX_NAME)
            return lore_decode_fail(
                d, node, NULL, "too_long", "a number has at most %d characters", LORE_MAX_NAME);
        *out = node->str;
    } else if (node->type == LORE_J_BOOL) {
        *out = node->i ? "true" : "false";
    } else if (node->type != LORE_J_STRING) {
        (void)wrong_type(d, node, "number, string or boolean");
        if (node->type != LORE_J_NULL)
            lore_decode_hint(d, "the object is flat: write a text, or one member per part");
        return LORE_INVALID;
    } else if (node->len > LORE_MAX_TEXT) {
        return lore_decode_fail(
            d, node, NULL, "too_long", "%u bytes, at most %d", node->len, LORE_MAX_TEXT);
    } else {
        *out = lore_kvs_quote(d->arena, node->str);
    }
    return LORE_OK;
}

static enum lore_status
read_kvs(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    struct lore_kvs *out)
{
    if (node->type != LORE_J_OBJECT)
        return wrong_type(d, node, "object");
    if (node->len > f->max)
        return lore_decode_fail(
            d, node, NULL, "too_many", "%u members, at most %.0f", node->len, f->max);
    if (node->len == 0)
        return LORE_OK;
    out->v = lore_alloc_array(d->arena, node->len, sizeof *out->v);
    out->cap = node->len;
    for (const struct lore_json *c = node->child; c != NULL; c = c->next) {
        if (c->key_len == 0 || c->key_len > LORE_MAX_NAME)
            return lore_decode_fail(
                d, c, NULL, "too_long", "a name has 1 to %d bytes", LORE_MAX_NAME);
        out->v[out->n].key = c->key;
        if (read_scalar(d, c, &out->v[out->n].value) != LORE_OK)
            return LORE_INVALID;
        out->n++;
    }
    return LORE_OK;
}

static enum lore_status
read_samples(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    static const struct lore_field item = {.min = 0, .max = LORE_MAX_NS};
    char *record = (char *)out - f->offset;
    size_t n = 0;
    int64_t *v;

    if (expect_list(d, f, node) != LORE_OK)
        return LORE_INVALID;
    if (node->len == 0)
        return LORE_OK;
    v = lore_alloc_array(d->arena, node->len, sizeof *v);
    for (const struct lore_json *c = node->child; c != NULL; c = c->next, n++)
        if (read_i64(d, &item, c, &v[n]) != LORE_OK)
            return LORE_INVALID;
    memcpy(out, &v, sizeof v);
    *(size_t *)lore_member(record, f->n_offset) = n;
    *(size_t *)lore_member(record, f->cap_offset) = n;
    return LORE_OK;
}

static enum lore_status
read_raw(struct lore_decoder *d, const struct lore_json *node, const char **out)
{
    LORE_BUF buf = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_jsonw w = {0};
    enum lore_status status;

    if (node->type != LORE_J_OBJECT)
        return wrong_type(d, node, "object");
    if (node->len == 0)
        return LORE_OK;
    lore_jsonw_begin(&w, &buf, false);
    lore_w_node(&w, node);
    status = lore_jsonw_end(&w, d->err);
    if (status == LORE_OK)
        *out = lore_strndup(d->arena, buf.data, buf.len);
    return status == LORE_OK
               ? LORE_OK
               : lore_decode_fail(d, node, NULL, "too_long", "cannot be stored as text");
}

static enum lore_status
read_chip(struct lore_decoder *d, const struct lore_json *node, const char **out)
{
    const struct lore_chip *chip;
    const char *near;

    if (node->type != LORE_J_STRING)
        return wrong_type(d, node, "string");
    chip = lore_chip_find(node->str);
    if (chip) {
        *out = chip->name;
        return LORE_OK;
    }
    (void)lore_decode_fail(
        d, node, NULL, "unknown_chip", "'%.60s' is not in the catalogue", node->str);
    near = lore_chip_hint(d->arena, node->str);
    if (near[0] != '\0')
        lore_decode_hint(d, "similar names: %s; GET /api/v1/chips?all=true lists all", near);
    else
        lore_decode_hint(
            d, "GET /api/v1/chips?all=true lists all; give gfx… or sm_… if only the ISA is known");
    return LORE_INVALID;
}

static enum lore_status
read_name(struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node,
    const char **out)
{
    if (read_text(d, f, node, out) != LORE_OK)
        return LORE_INVALID;
    if (*out != NULL)
        *out = f->type == LORE_F_OPERATOR ? lore_operator_name(d->arena, *out)
                                          : lore_technique_slug(d->arena, *out);
    return LORE_OK;
}

static enum lore_status
unknown_label(struct lore_decoder *d, const struct lore_json *node)
{
    const char *list = lore_labels_text(d->arena, ((uint32_t)1 << LORE_L_COUNT) - 1);

    (void)lore_decode_fail(
        d, node, NULL, "unknown_label", "'%.60s' is no bottleneck label", node->str);
    lore_decode_hint(d, "labels: %s; other words go into raw_label", list);
    return LORE_INVALID;
}

/* Append the labels of BITS to OUT. ORIGINAL is the user's text for them. */
static void
set_labels(struct lore_decoder *d, uint32_t bits, const char *original, struct lore_texts *out,
    const char **raw)
{
    for (unsigned l = 0; l < LORE_L_COUNT; l++)
        if (bits >> l & 1)
            *LORE_PUSH(d->arena, out->v, out->n, out->cap) = lore_label_name((enum lore_label)l);
    if (raw && original && original[0] != '\0' &&
        strcmp(original, lore_labels_text(d->arena, bits)) != 0)
        *raw = original;
}

enum lore_status
lore_value_labels(
    struct lore_decoder *d, const struct lore_json *node, struct lore_texts *out, const char **raw)
{
    bool list = node->type == LORE_J_ARRAY, unknown = false, canonical = true;
    const char *original = NULL;
    uint32_t bits = 0;

    if (!list && node->type != LORE_J_STRING)
        return wrong_type(d, node, "string or array of strings");
    if (list && node->len > 32)
        return lore_decode_fail(d, node, NULL, "too_many", "%u items, at most 32", node->len);
    for (const struct lore_json *c = list ? node->child : node; c != NULL;
         c = list ? c->next : NULL) {
        uint32_t part;

        if (c->type != LORE_J_STRING)
            return wrong_type(d, c, "string");
        if (c->len > LORE_MAX_NAME)
            return lore_decode_fail(
                d, c, NULL, "too_long", "%u bytes, at most %d", c->len, LORE_MAX_NAME);
        part = lore_labels_parse(c->str, &unknown);
        if (unknown)
            return unknown_label(d, c);
        canonical = canonical && strcmp(c->str, lore_labels_text(d->arena, part)) == 0;
        original = !original ? c->str : lore_format(d->arena, "%s+%s", original, c->str);
        bits |= part;
    }
    set_labels(d, bits, canonical ? NULL : original, out, raw);
    return LORE_OK;
}

static enum lore_status
read_bool(struct lore_decoder *d, const struct lore_json *node, bool *out)
{
    if (node->type != LORE_J_BOOL)
        return wrong_type(d, node, "boolean");
    *out = node->i != 0;
    return LORE_OK;
}

static enum lore_status
read_number(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    struct lore_f64 *real = out;
    struct lore_i64 *whole = out;
    enum lore_status status;

    if (f->type == LORE_F_PLAIN)
        return read_f64(d, f, node, out);
    if (f->type == LORE_F_F64) {
        status = read_f64(d, f, node, &real->v);
        real->set = status == LORE_OK;
    } else {
        status = read_i64(d, f, node, &whole->v);
        whole->set = status == LORE_OK;
    }
    return status;
}

enum lore_status
lore_value_decode(
    struct lore_decoder *d, const struct lore_field *f, const struct lore_json *node, void *out)
{
    switch (f->type) {
    case LORE_F_TEXT:
    case LORE_F_BODY:
        return read_text(d, f, node, out);
    case LORE_F_BASE64:
        return read_base64(d, f, node, out);
    case LORE_F_TIME:
        return read_time(d, f, node, out);
    case LORE_F_ID:
        return lore_value_id(d, node, out);
    case LORE_F_REF:
        return read_ref(d, f, node, out);
    case LORE_F_ENUM:
    case LORE_F_LANGUAGE:
    case LORE_F_CHOICE:
        return read_choice(d, f, node, out);
    case LORE_F_I64:
    case LORE_F_F64:
    case LORE_F_PLAIN:
        return read_number(d, f, node, out);
    case LORE_F_BOOL:
        return read_bool(d, node, out);
    case LORE_F_FORMAT:
        return read_format(d, node, out);
    case LORE_F_SAMPLES:
        return read_samples(d, f, node, out);
    case LORE_F_TEXTS:
    case LORE_F_REFS:
        return read_texts(d, f, node, out);
    case LORE_F_LABELS:
        return lore_value_labels(d, node, out, NULL);
    case LORE_F_KVS:
        return read_kvs(d, f, node, out);
    case LORE_F_RAW:
        return read_raw(d, node, out);
    case LORE_F_CHIP:
        return read_chip(d, node, out);
    case LORE_F_OPERATOR:
    case LORE_F_TECHNIQUE:
        return read_name(d, f, node, out);
    case LORE_F_OBJECT:
    case LORE_F_LIST:
    case LORE_F_METRICS:
        break; /* decode.c */
    }
    return lore_decode_fail(d, node, NULL, "wrong_type", "no reader for this field");
}
