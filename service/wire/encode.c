/* Writing records as JSON, from the same field tables that read them. Absent members are left out,
 * enums are written by name. An object with a `set` flag is written when the flag is true, an
 * object without one when any of its members is present. What is written decodes to the same
 * structs. */
#include <string.h>

#include "service/wire/fields.h"

static void write_members(struct lore_jsonw *w, const struct lore_record *r, const void *record);

static const char *
text_at(const void *member)
{
    const char *s;

    memcpy(&s, member, sizeof s);
    return s;
}

static unsigned
enum_at(const void *member)
{
    unsigned v;

    memcpy(&v, member, sizeof v);
    return v;
}

static size_t
count_at(const struct lore_field *f, const void *record)
{
    return *(const size_t *)lore_cmember(record, f->n_offset);
}

static bool record_present(const struct lore_record *r, const void *record);

static bool
field_present(const struct lore_field *f, const void *record)
{
    const void *m = lore_cmember(record, f->offset);

    switch (f->type) {
    case LORE_F_ENUM:
    case LORE_F_LANGUAGE:
        return enum_at(m) != 0;
    case LORE_F_I64:
        return ((const struct lore_i64 *)m)->set;
    case LORE_F_F64:
        return ((const struct lore_f64 *)m)->set;
    case LORE_F_PLAIN:
    case LORE_F_FORMAT:
        return true;
    case LORE_F_BOOL:
        return *(const bool *)m;
    case LORE_F_SAMPLES:
    case LORE_F_LIST:
        return count_at(f, record) > 0;
    case LORE_F_TEXTS:
    case LORE_F_LABELS:
    case LORE_F_REFS:
        return ((const struct lore_texts *)m)->n > 0;
    case LORE_F_KVS:
        return ((const struct lore_kvs *)m)->n > 0;
    case LORE_F_METRICS:
        return ((const struct lore_metrics *)m)->n > 0;
    case LORE_F_OBJECT:
        return record_present(f->sub, m);
    default:
        return text_at(m);
    }
}

static bool
record_present(const struct lore_record *r, const void *record)
{
    if (r->flag != LORE_NO_FLAG)
        return *(const bool *)lore_cmember(record, r->flag);
    for (size_t i = 0; i < r->n; i++)
        if (field_present(&r->fields[i], record))
            return true;
    return false;
}

static void
write_texts(struct lore_jsonw *w, const struct lore_texts *t)
{
    lore_w_arr(w);
    for (size_t i = 0; i < t->n; i++)
        lore_w_str(w, t->v[i]);
    lore_w_arr_end(w);
}

static void
write_kvs(struct lore_jsonw *w, const struct lore_kvs *kvs)
{
    lore_w_obj(w);
    for (size_t i = 0; i < kvs->n; i++) {
        lore_w_key(w, kvs->v[i].key);
        lore_w_raw(w, kvs->v[i].value);
    }
    lore_w_obj_end(w);
}

static void
write_samples(struct lore_jsonw *w, const struct lore_field *f, const void *record)
{
    const int64_t *v;

    memcpy(&v, lore_cmember(record, f->offset), sizeof v);
    lore_w_arr(w);
    for (size_t i = 0; i < count_at(f, record); i++)
        lore_w_i64(w, v[i]);
    lore_w_arr_end(w);
}

static void
write_list(struct lore_jsonw *w, const struct lore_field *f, const void *record)
{
    const char *items = text_at(lore_cmember(record, f->offset));

    lore_w_arr(w);
    for (size_t i = 0; i < count_at(f, record); i++) {
        lore_w_obj(w);
        write_members(w, f->sub, items + i * f->sub->size);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
write_metric(struct lore_jsonw *w, const struct lore_metric *m)
{
    bool plain = m->missing == LORE_MISS_NONE && !m->unit && !m->n.set && !m->std.set &&
                 !m->min.set && !m->max.set && !m->precision_lost;

    if (plain) {
        lore_w_f64(w, m->value);
        return;
    }
    lore_w_obj(w);
    write_members(w, &lore_metric_record, m);
    lore_w_obj_end(w);
}

static void
write_metrics(struct lore_jsonw *w, const struct lore_metrics *m)
{
    lore_w_obj(w);
    for (size_t i = 0; i < m->n; i++) {
        lore_w_key(w, m->v[i].name);
        write_metric(w, &m->v[i]);
    }
    lore_w_obj_end(w);
}

static void
write_object(struct lore_jsonw *w, const struct lore_record *r, const void *record)
{
    lore_w_obj(w);
    write_members(w, r, record);
    lore_w_obj_end(w);
}

static void
write_value(struct lore_jsonw *w, const struct lore_field *f, const void *record)
{
    const void *m = lore_cmember(record, f->offset);

    switch (f->type) {
    case LORE_F_ENUM:
    case LORE_F_LANGUAGE:
        lore_w_str(w, enum_at(m) < f->choices->n ? f->choices->names[enum_at(m)] : NULL);
        break;
    case LORE_F_I64:
        lore_w_i64(w, ((const struct lore_i64 *)m)->v);
        break;
    case LORE_F_F64:
        lore_w_f64(w, ((const struct lore_f64 *)m)->v);
        break;
    case LORE_F_PLAIN:
        lore_w_f64(w, *(const double *)m);
        break;
    case LORE_F_FORMAT:
        lore_w_i64(w, LORE_WIRE_VERSION);
        break;
    case LORE_F_BOOL:
        lore_w_bool(w, *(const bool *)m);
        break;
    case LORE_F_SAMPLES:
        write_samples(w, f, record);
        break;
    case LORE_F_TEXTS:
    case LORE_F_LABELS:
    case LORE_F_REFS:
        write_texts(w, m);
        break;
    case LORE_F_KVS:
        write_kvs(w, m);
        break;
    case LORE_F_METRICS:
        write_metrics(w, m);
        break;
    case LORE_F_LIST:
        write_list(w, f, record);
        break;
    case LORE_F_OBJECT:
        write_object(w, f->sub, m);
        break;
    case LORE_F_RAW:
        lore_w_raw(w, text_at(m));
        break;
    default:
        lore_w_str(w, text_at(m));
        break;
    }
}

/* The value of a missing metric is not written, whatever the struct holds. */
static bool
is_unset_value(const struct lore_record *r, const struct lore_field *f, const void *record)
{
    return r == &lore_metric_record && f->type == LORE_F_PLAIN &&
           ((const struct lore_metric *)record)->missing != LORE_MISS_NONE;
}

static void
write_members(struct lore_jsonw *w, const struct lore_record *r, const void *record)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct lore_field *f = &r->fields[i];

        if (!field_present(f, record) || is_unset_value(r, f, record))
            continue;
        lore_w_key(w, f->name);
        write_value(w, f, record);
    }
}

void
lore_wire_members(struct lore_jsonw *w, enum lore_kind kind, const void *record)
{
    if ((unsigned)kind < LORE_K_COUNT)
        write_members(w, lore_kind_record(kind), record);
}

void
lore_wire_encode(struct lore_jsonw *w, const struct lore_submission *doc)
{
    write_object(w, &lore_document_record, doc);
}
