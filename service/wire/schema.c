/* JSON Schema (draft 2020-12) of a submission, written from the field tables. The schema has types,
 * limits, choices and required members, and forbids unknown ones. Rules across fields and catalogue
 * names appear only in descriptions. */
#include <string.h>

#include "service/catalogue/catalogue.h"
#include "service/wire/fields.h"

#define MAX_SHOWN 80 /* records; a test checks that all fit */

static void
collect(const struct lore_record *r, const struct lore_record **out, size_t *n, size_t most)
{
    for (size_t i = 0; i < *n; i++)
        if (out[i] == r)
            return;
    if (*n == most)
        return;
    out[(*n)++] = r;
    for (size_t i = 0; i < r->n; i++)
        if (r->fields[i].sub)
            collect(r->fields[i].sub, out, n, most);
}

size_t
lore_records(const struct lore_record **out, size_t most)
{
    size_t n = 0;

    collect(&lore_document_record, out, &n, most);
    collect(&lore_attempt_record, out, &n, most);
    collect(&lore_session_record, out, &n, most);
    return n;
}

const char *
lore_kind_field(enum lore_kind kind, size_t i, bool *required)
{
    const struct lore_record *r = lore_kind_record(kind);

    if (i >= r->n)
        return NULL;
    *required = r->fields[i].required;
    return r->fields[i].name;
}

static void
write_ref(struct lore_jsonw *w, const struct lore_record *r)
{
    char ref[80];
    LORE_BUF b = {.max = sizeof ref};

    lore_buf_printf(&b, "#/$defs/%s", r->name);
    lore_w_obj(w);
    lore_w_kstr(w, "$ref", b.data);
    lore_w_obj_end(w);
}

static void
write_type(struct lore_jsonw *w, const char *type)
{
    lore_w_obj(w);
    lore_w_kstr(w, "type", type);
    lore_w_obj_end(w);
}

static void
write_items(struct lore_jsonw *w, const struct lore_field *f)
{
    lore_w_kstr(w, "type", "array");
    lore_w_ki64(w, "maxItems", (int64_t)f->max);
    lore_w_key(w, "items");
}

static void
write_choices(struct lore_jsonw *w, const struct lore_choices *c)
{
    lore_w_kstr(w, "type", "string");
    lore_w_key(w, "enum");
    lore_w_arr(w);
    for (size_t i = 0; i < c->n; i++)
        if (c->names[i])
            lore_w_str(w, c->names[i]);
    lore_w_arr_end(w);
}

/* The canonical names, or any string, since the service accepts other spellings. */
static void
write_language_type(struct lore_jsonw *w, const struct lore_choices *c)
{
    lore_w_key(w, "anyOf");
    lore_w_arr(w);
    lore_w_obj(w);
    write_choices(w, c);
    lore_w_obj_end(w);
    write_type(w, "string");
    lore_w_arr_end(w);
}

static void
write_range(struct lore_jsonw *w, const struct lore_field *f)
{
    if (f->min >= f->max)
        return;
    lore_w_kf64(w, "minimum", f->min);
    lore_w_kf64(w, "maximum", f->max);
}

static void
write_text_type(struct lore_jsonw *w, const struct lore_field *f)
{
    lore_w_kstr(w, "type", "string");
    if (f->required && f->type != LORE_F_BODY)
        lore_w_ki64(w, "minLength", 1);
    if (f->max > 0)
        lore_w_ki64(w, "maxLength", (int64_t)f->max);
    if (f->type == LORE_F_BASE64)
        lore_w_kstr(w, "contentEncoding", "base64");
}

static void
write_time_type(struct lore_jsonw *w)
{
    lore_w_kstr(w, "type", "string");
    lore_w_key(w, "anyOf");
    lore_w_arr(w);
    for (int i = 0; i < 2; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "format", i == 0 ? "date-time" : "date");
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
write_scalar_map(struct lore_jsonw *w, const struct lore_field *f)
{
    static const char *const types[] = {"string", "number", "boolean"};

    lore_w_kstr(w, "type", "object");
    lore_w_ki64(w, "maxProperties", (int64_t)f->max);
    lore_w_key(w, "additionalProperties");
    lore_w_obj(w);
    lore_w_key(w, "type");
    lore_w_arr(w);
    for (size_t i = 0; i < 3; i++)
        lore_w_str(w, types[i]);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

static void
write_samples_type(struct lore_jsonw *w, const struct lore_field *f)
{
    write_items(w, f);
    lore_w_obj(w);
    lore_w_kstr(w, "type", "integer");
    lore_w_ki64(w, "minimum", 0);
    lore_w_ki64(w, "maximum", (int64_t)LORE_MAX_NS);
    lore_w_obj_end(w);
}

static void
write_labels_type(struct lore_jsonw *w)
{
    lore_w_key(w, "anyOf");
    lore_w_arr(w);
    write_type(w, "string");
    lore_w_obj(w);
    lore_w_kstr(w, "type", "array");
    lore_w_ki64(w, "maxItems", 32);
    lore_w_key(w, "items");
    write_type(w, "string");
    lore_w_obj_end(w);
    lore_w_arr_end(w);
    lore_w_key(w, "examples");
    lore_w_arr(w);
    for (unsigned l = 0; l < LORE_L_COUNT; l++)
        lore_w_str(w, lore_label_name((enum lore_label)l));
    lore_w_arr_end(w);
}

static void
write_chip_type(struct lore_jsonw *w)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n);

    lore_w_kstr(w, "type", "string");
    lore_w_key(w, "examples");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        lore_w_str(w, chips[i].name);
    lore_w_arr_end(w);
}

static void
write_id_type(struct lore_jsonw *w)
{
    lore_w_kstr(w, "$ref", "#/$defs/ulid");
}

static void
write_reference_type(struct lore_jsonw *w, const struct lore_field *f)
{
    if (f->type == LORE_F_OBJECT) {
        lore_w_key(w, "allOf");
        lore_w_arr(w);
        write_ref(w, f->sub);
        lore_w_arr_end(w);
    } else if (f->type == LORE_F_LIST) {
        write_items(w, f);
        write_ref(w, f->sub);
    } else {
        lore_w_kstr(w, "type", "object");
        lore_w_ki64(w, "maxProperties", (int64_t)f->max);
        lore_w_key(w, "additionalProperties");
        write_ref(w, f->sub);
    }
}

static void
write_list_type(struct lore_jsonw *w, const struct lore_field *f)
{
    write_items(w, f);
    if (f->type == LORE_F_TEXTS) {
        write_type(w, "string");
        return;
    }
    lore_w_obj(w);
    write_id_type(w);
    lore_w_obj_end(w);
}

static void
write_number_type(struct lore_jsonw *w, const struct lore_field *f)
{
    lore_w_kstr(w, "type", f->type == LORE_F_I64 ? "integer" : "number");
    write_range(w, f);
}

static void
write_field_type(struct lore_jsonw *w, const struct lore_field *f)
{
    switch (f->type) {
    case LORE_F_TIME:
        write_time_type(w);
        break;
    case LORE_F_ID:
    case LORE_F_REF:
        write_id_type(w);
        break;
    case LORE_F_REFS:
    case LORE_F_TEXTS:
        write_list_type(w, f);
        break;
    case LORE_F_LANGUAGE:
        write_language_type(w, f->choices);
        break;
    case LORE_F_ENUM:
    case LORE_F_CHOICE:
        write_choices(w, f->choices);
        break;
    case LORE_F_I64:
    case LORE_F_F64:
    case LORE_F_PLAIN:
        write_number_type(w, f);
        break;
    case LORE_F_BOOL:
        lore_w_kstr(w, "type", "boolean");
        break;
    case LORE_F_FORMAT:
        lore_w_ki64(w, "const", LORE_WIRE_VERSION);
        break;
    case LORE_F_SAMPLES:
        write_samples_type(w, f);
        break;
    case LORE_F_LABELS:
        write_labels_type(w);
        break;
    case LORE_F_KVS:
        write_scalar_map(w, f);
        break;
    case LORE_F_OBJECT:
    case LORE_F_LIST:
    case LORE_F_METRICS:
        write_reference_type(w, f);
        break;
    case LORE_F_RAW:
        lore_w_kstr(w, "type", "object");
        break;
    case LORE_F_CHIP:
        write_chip_type(w);
        break;
    default:
        write_text_type(w, f);
        break;
    }
}

static void
write_object_schema(struct lore_jsonw *w, const struct lore_record *r)
{
    lore_w_kstr(w, "type", "object");
    lore_w_key(w, "properties");
    lore_w_obj(w);
    for (size_t i = 0; i < r->n; i++) {
        lore_w_key(w, r->fields[i].name);
        lore_w_obj(w);
        write_field_type(w, &r->fields[i]);
        lore_w_kstr(w, "description", r->fields[i].help);
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
    lore_w_key(w, "required");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n; i++)
        if (r->fields[i].required)
            lore_w_str(w, r->fields[i].name);
    lore_w_arr_end(w);
    lore_w_kbool(w, "additionalProperties", false);
}

static void
write_short_forms(struct lore_jsonw *w, unsigned shorthand)
{
    if (shorthand & LORE_SHORT_NUMBER)
        write_type(w, "number");
    if (shorthand & LORE_SHORT_TEXT)
        write_type(w, "string");
    if (shorthand & LORE_SHORT_TEXTS) {
        lore_w_obj(w);
        lore_w_kstr(w, "type", "array");
        lore_w_key(w, "items");
        write_type(w, "string");
        lore_w_obj_end(w);
    }
}

static void
write_record_schema(struct lore_jsonw *w, const struct lore_record *r)
{
    lore_w_obj(w);
    lore_w_kstr(w, "description", r->help);
    if (r->shorthand == 0) {
        write_object_schema(w, r);
    } else {
        lore_w_key(w, "anyOf");
        lore_w_arr(w);
        lore_w_obj(w);
        write_object_schema(w, r);
        lore_w_obj_end(w);
        write_short_forms(w, r->shorthand);
        lore_w_arr_end(w);
    }
    lore_w_obj_end(w);
}

void
lore_wire_schema(struct lore_jsonw *w)
{
    const struct lore_record *records[MAX_SHOWN];
    size_t n = lore_records(records, MAX_SHOWN);

    lore_w_obj(w);
    lore_w_kstr(w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    lore_w_kstr(w, "title", "Warplore submission, format 1");
    lore_w_kstr(w, "$ref", "#/$defs/document");
    lore_w_key(w, "$defs");
    lore_w_obj(w);
    lore_w_key(w, "ulid");
    lore_w_obj(w);
    lore_w_kstr(w, "type", "string");
    lore_w_kstr(w, "pattern", "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$");
    lore_w_kstr(w, "description", "A ULID; lower case is accepted and stored as upper case.");
    lore_w_obj_end(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_key(w, records[i]->name);
        write_record_schema(w, records[i]);
    }
    lore_w_obj_end(w);
    lore_w_obj_end(w);
}
