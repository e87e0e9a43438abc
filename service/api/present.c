/* Pieces of JSON that many answers share (present.h). */
#include "service/api/present.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

void
lore_present_labels(struct lore_jsonw *w, const char *key, uint32_t labels)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (int l = 0; l < LORE_L_COUNT; l++) {
        if (labels & UINT32_C(1) << l)
            lore_w_str(w, lore_label_name(l));
    }
    lore_w_arr_end(w);
}

void
lore_present_kvs(struct lore_jsonw *w, const char *key, const struct lore_kvs *kvs)
{
    lore_w_key(w, key);
    lore_w_obj(w);
    for (size_t i = 0; i < kvs->n; i++) {
        lore_w_key(w, kvs->v[i].key);
        lore_w_raw(w, kvs->v[i].value);
    }
    lore_w_obj_end(w);
}

const char *
lore_present_check(enum lore_check c)
{
    return lore_check_name(c == LORE_C_NONE ? LORE_C_NOT_CHECKED : c);
}

uint32_t
lore_present_label_bits(const struct lore_texts *labels)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < labels->n; i++)
        bits |= lore_labels_parse(labels->v[i], NULL);
    return bits;
}

/* JSON tree of the record's known fields. NULL when it cannot be written. */
static struct lore_json *
rebuild(struct lore_arena *arena, enum lore_kind kind, const void *record)
{
    LORE_BUF text = {0};
    struct lore_jsonw w;
    struct lore_json *tree = NULL;
    struct lore_err ignored;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, &ignored) != LORE_OK ||
        lore_json_parse(text.data, text.len, NULL, arena, &tree, &ignored) != LORE_OK)
        tree = NULL;
    return tree;
}

static void
write_member(struct lore_jsonw *w, const struct lore_json *m)
{
    lore_w_key(w, m->key);
    lore_w_node(w, m);
}

void
lore_present_record(struct lore_jsonw *w, enum lore_kind kind, const void *record, const char *rest)
{
    LORE_SCRATCH scratch = {0}; /* a list may hold many large records */
    struct lore_json *known = rebuild(&scratch, kind, record), *kept = NULL;
    struct lore_err ignored;

    if (rest && lore_json_parse(rest, strlen(rest), NULL, &scratch, &kept, &ignored) != LORE_OK)
        kept = NULL;
    lore_w_key(w, "record");
    lore_w_obj(w);
    for (const struct lore_json *m = !known ? NULL : known->child; m != NULL; m = m->next) {
        const struct lore_json *as_submitted = lore_json_get(kept, m->key);

        write_member(w, !as_submitted ? m : as_submitted);
    }
    for (const struct lore_json *m = !kept ? NULL : kept->child; m != NULL; m = m->next) {
        if (!lore_json_get(known, m->key))
            write_member(w, m);
    }
    lore_w_obj_end(w);
}

struct lore_differences
lore_present_differences(
    struct lore_arena *arena, const struct lore_kvs *a, const struct lore_kvs *b)
{
    struct lore_differences d = {lore_alloc_array(arena, a->n + b->n + 1, sizeof *d.v), 0};

    for (size_t i = 0; i < a->n; i++) {
        const char *other = lore_kvs_get(b, a->v[i].key);

        if (!other || !lore_streq(other, a->v[i].value))
            d.v[d.n++] = (struct lore_difference){a->v[i].key, a->v[i].value, other};
    }
    for (size_t i = 0; i < b->n; i++) {
        if (!lore_kvs_get(a, b->v[i].key))
            d.v[d.n++] = (struct lore_difference){b->v[i].key, NULL, b->v[i].value};
    }
    return d;
}
