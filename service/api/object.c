/* Writing the JSON of a row from its table of members, and reading one (object.h). */
#include "service/api/object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "service/api/params.h"
#include "service/api/present.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/signing.h"

static bool
always(const struct lore_object_member *m)
{
    return m->name[0] == '!';
}

/* The member's name without the `!`. */
static const char *
key_of(const struct lore_object_member *m)
{
    return m->name + always(m);
}

static const void *
pointer_at(const void *field)
{
    const void *p;

    memcpy(&p, field, sizeof p);
    return p;
}

static size_t
count_of(const struct lore_object_member *m, const char *row)
{
    return *(const size_t *)(const void *)(row + m->count_at);
}

/* Whether the object of ROW is present. */
static bool
is_there(const struct lore_object *o, const char *row)
{
    if (!row || o->key == LORE_NO_KEY)
        return row;
    return o->flag ? *(const bool *)(row + o->key) : pointer_at(row + o->key) != NULL;
}

static void
write_text(struct lore_jsonw *w, const struct lore_object_member *m, const char *s)
{
    if (always(m) || (s && *s != '\0'))
        lore_w_kstr(w, key_of(m), s);
}

static void
write_i64(struct lore_jsonw *w, const struct lore_object_member *m, int64_t v)
{
    if (always(m) || v != 0)
        lore_w_ki64(w, key_of(m), v);
}

static void
write_f64(struct lore_jsonw *w, const struct lore_object_member *m, double v)
{
    if (always(m) || (v != 0 && !isnan(v)))
        lore_w_kf64(w, key_of(m), v);
}

static void
write_null(struct lore_jsonw *w, const struct lore_object_member *m)
{
    if (!always(m))
        return;
    lore_w_key(w, key_of(m));
    lore_w_null(w);
}

static void
write_words(struct lore_jsonw *w, const struct lore_object_member *m, const char *words)
{
    if (!always(m) && (!words || *words == '\0'))
        return;
    lore_w_key(w, key_of(m));
    lore_w_arr(w);
    while (words && *words != '\0') {
        size_t n = strcspn(words, ",");

        lore_w_strn(w, words, n);
        words += n + (words[n] == ',');
    }
    lore_w_arr_end(w);
}

static void
write_strings(
    struct lore_jsonw *w, const struct lore_object_member *m, const char *const *v, size_t n)
{
    if (!always(m) && !v)
        return;
    lore_w_key(w, key_of(m));
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        lore_w_str(w, v[i]);
    lore_w_arr_end(w);
}

/* A list that is not there has no items. */
static void
write_list(struct lore_jsonw *w, const struct lore_object_member *m, const void *rows, size_t n)
{
    if (!always(m) && !rows)
        return;
    lore_w_key(w, key_of(m));
    lore_object_write_list(w, m->of, rows, n);
}

static void
write_nested(struct lore_jsonw *w, const struct lore_object_member *m, const void *row)
{
    if (!always(m) && !is_there(m->of, row))
        return;
    lore_w_key(w, key_of(m));
    lore_object_write(w, m->of, row);
}

static void
write_raw(struct lore_jsonw *w, const struct lore_object_member *m, const char *json)
{
    bool empty = !json || *json == '\0';

    if (!always(m) && empty)
        return;
    lore_w_key(w, key_of(m));
    lore_w_raw(w, empty && m->type && strcmp(m->type, "object") == 0 ? "{}" : json);
}

static void
write_bytes(struct lore_jsonw *w, const struct lore_object_member *m, const unsigned char *bytes)
{
    char text[2 * LORE_SIGNATURE + 1];

    if (m->holds == LORE_AT_HEX)
        lore_hex(bytes, m->item, text);
    else
        lore_signing_text(bytes, m->item, text);
    lore_w_kstr(w, key_of(m), text);
}

/* Write a value that is not one scalar. */
static void
write_compound(struct lore_jsonw *w, const struct lore_object_member *m, const char *row)
{
    const void *field = row + m->at;
    const struct lore_texts *texts = field;

    switch (m->holds) {
    case LORE_AT_TEXTS:
        write_strings(w, m, texts->v, texts->n);
        break;
    case LORE_AT_STRINGS:
        write_strings(w, m, pointer_at(field), count_of(m, row));
        break;
    case LORE_AT_STRING_ARRAY:
        write_strings(w, m, field, count_of(m, row));
        break;
    case LORE_AT_KVS:
        if (always(m) || ((const struct lore_kvs *)field)->n > 0)
            lore_present_kvs(w, key_of(m), field);
        break;
    case LORE_AT_LABELS:
        if (always(m) || *(const uint32_t *)field != 0)
            lore_present_labels(w, key_of(m), *(const uint32_t *)field);
        break;
    case LORE_AT_HEX:
    case LORE_AT_BASE64:
        write_bytes(w, m, field);
        break;
    case LORE_AT_WORDS:
        write_words(w, m, pointer_at(field));
        break;
    case LORE_AT_RAW:
    case LORE_AT_RAW_LIST:
        write_raw(w, m, pointer_at(field));
        break;
    case LORE_AT_LIST:
        write_list(w, m, pointer_at(field), count_of(m, row));
        break;
    case LORE_AT_ARRAY:
        write_list(w, m, field, count_of(m, row));
        break;
    case LORE_AT_OBJECT:
        write_nested(w, m, field);
        break;
    case LORE_AT_POINTER:
        write_nested(w, m, pointer_at(field));
        break;
    case LORE_AT_MEMBERS:
        lore_object_members(w, m->of, field);
        break;
    case LORE_AT_SPREAD:
        if (pointer_at(field))
            lore_object_members(w, m->of, pointer_at(field));
        break;
    case LORE_AT_RECORD:
        lore_present_record(w, (enum lore_kind)m->item, field, pointer_at(row + m->count_at));
        break;
    case LORE_AT_FIELDS:
        lore_wire_members(w, (enum lore_kind)m->item, field);
        break;
    case LORE_WRITTEN:
    case LORE_WRITTEN_ONE:
    case LORE_WRITTEN_LIST:
        m->write(w, key_of(m), row);
        break;
    default:
        break;
    }
}

static void
write_member(struct lore_jsonw *w, const struct lore_object_member *m, const char *row)
{
    const void *field = row + m->at;

    switch (m->holds) {
    case LORE_AT_TEXT:
        write_text(w, m, pointer_at(field));
        break;
    case LORE_AT_I64:
        write_i64(w, m, *(const int64_t *)field);
        break;
    case LORE_AT_INT:
        write_i64(w, m, *(const int *)field);
        break;
    case LORE_AT_SIZE:
        write_i64(w, m, (int64_t) * (const size_t *)field);
        break;
    case LORE_AT_F64:
        write_f64(w, m, *(const double *)field);
        break;
    case LORE_AT_BOOL:
        if (always(m) || *(const bool *)field)
            lore_w_kbool(w, key_of(m), *(const bool *)field);
        break;
    case LORE_AT_SET_I64:
        if (((const struct lore_i64 *)field)->set)
            lore_w_ki64(w, key_of(m), ((const struct lore_i64 *)field)->v);
        else
            write_null(w, m);
        break;
    case LORE_AT_SET_F64:
        if (((const struct lore_f64 *)field)->set)
            lore_w_kf64(w, key_of(m), ((const struct lore_f64 *)field)->v);
        else
            write_null(w, m);
        break;
    case LORE_AT_TIME:
        if (*(const int64_t *)field != 0)
            lore_w_ktime(w, key_of(m), *(const int64_t *)field);
        else
            write_null(w, m);
        break;
    case LORE_AT_NAMED:
        if (always(m) || *(const unsigned *)field != 0)
            write_text(w, m, m->name_of(*(const unsigned *)field));
        break;
    default:
        write_compound(w, m, row);
        break;
    }
}

void
lore_object_members(struct lore_jsonw *w, const struct lore_object *o, const void *row)
{
    for (size_t i = 0; i < o->n; i++)
        write_member(w, &o->members[i], row);
}

void
lore_object_write(struct lore_jsonw *w, const struct lore_object *o, const void *row)
{
    if (!is_there(o, row)) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_object_members(w, o, row);
    lore_w_obj_end(w);
}

void
lore_object_write_list(
    struct lore_jsonw *w, const struct lore_object *o, const void *rows, size_t n)
{
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        lore_object_write(w, o, (const char *)rows + i * o->size);
    lore_w_arr_end(w);
}

enum lore_status
lore_reply_object(
    struct lore_resp *resp, const struct lore_object *o, const void *row, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &resp->body, false);
    lore_jsonw_only(&w, LORE_ROW_LEVEL, resp->only, resp->n_only);
    lore_object_write(&w, o, row);
    return lore_jsonw_end(&w, err);
}

enum lore_status
lore_reply_reading(struct lore_resp *resp, const struct lore_object *o, const void *row,
    const struct lore_object_reading *reading, struct lore_err *err)
{
    enum lore_status status = lore_reply_object(resp, o, row, err);

    if (status == LORE_OK && reading->status != LORE_OK) {
        status = reading->status;
        *err = reading->err;
    }
    return status;
}

/* The `seq` of ROW; 0: it has none. */
static int64_t
seq_of(const struct lore_object *o, const char *row)
{
    int64_t seq = 0;

    for (size_t i = 0; i < o->n && seq == 0; i++) {
        const struct lore_object_member *m = &o->members[i];

        if (m->holds == LORE_AT_MEMBERS)
            seq = seq_of(m->of, row + m->at);
        else if (m->holds == LORE_AT_I64 && strcmp(key_of(m), "seq") == 0)
            seq = *(const int64_t *)(const void *)(row + m->at);
    }
    return seq;
}

enum lore_status
lore_reply_rows(struct lore_resp *resp, const struct lore_object *o, const void *rows, size_t n,
    const struct lore_paging *paging, struct lore_err *err)
{
    struct lore_jsonw w;
    bool more = false;

    if (paging)
        n = lore_paging_rows(paging, n, &more);
    lore_paging_open(&w, resp);
    lore_object_write_list(&w, o, rows, n);
    lore_paging_next(&w, paging ? paging->sort : NULL, more,
        more ? seq_of(o, (const char *)rows + (n - 1) * o->size) : 0);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* Append "|a|b|c". */
static void
add_names(const struct lore_object *o, char *names, size_t size)
{
    for (size_t i = 0; i < o->n; i++) {
        size_t n = strlen(names);

        if (o->members[i].holds == LORE_AT_MEMBERS)
            add_names(o->members[i].of, names, size);
        else
            snprintf(names + n, size - n, "|%s", key_of(&o->members[i]));
    }
}

static enum lore_status
read_texts(
    const struct lore_object *o, const struct lore_json *body, char *row, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < o->n && status == LORE_OK; i++) {
        const struct lore_object_member *m = &o->members[i];
        void *field = row + m->at;

        if (m->holds == LORE_AT_MEMBERS)
            status = read_texts(m->of, body, field, err);
        else if (m->holds == LORE_AT_TEXT)
            status = lore_json_text(body, key_of(m), field, err);
    }
    return status;
}

enum lore_status
lore_object_read(
    const struct lore_object *o, const struct lore_json *body, void *row, struct lore_err *err)
{
    char names[200] = "";

    add_names(o, names, sizeof names);
    for (const struct lore_json *m = body->child; m != NULL; m = m->next) {
        if (lore_choice(names + 1, m->key))
            continue;
        (void)!lore_fail_at(
            err, LORE_INVALID, "unknown_field", m->key, "%.60s: unknown field", m->key);
        lore_err_hint(err, "fields: %s", names + 1);
        return LORE_INVALID;
    }
    return read_texts(o, body, row, err);
}
