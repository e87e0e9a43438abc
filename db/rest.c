/* Records as JSON text in the submission format, for the `rest` columns, and back: what has no
 * column is written and read by the same code as a submission, so nothing is described twice.
 *
 * A record is read by decoding a document of its own around it; the getters then lay the columns
 * over it. */
#include <string.h>

#include "internal.h"
#include "rest.h"
#include "text.h"

enum lore_status
lore_rest_write(enum lore_kind kind, const void *record, struct lore_arena *a, const char **out,
    struct lore_err *err)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;
    enum lore_status status;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        *out = text.len > 2 ? lore_strndup(a, text.data, text.len) : NULL; /* 2: {} */
    lore_buf_free(&text);
    return status;
}

enum lore_status
lore_rest_read(enum lore_kind kind, const char *head, const char *rest, struct lore_arena *a,
    struct lore_submission *doc, struct lore_err *err)
{
    struct lore_buf text = {0};
    struct lore_json *root;
    enum lore_status status;

    lore_buf_printf(&text, "{\"warplore\":1,\"id\":\"00000000000000000000000000\",\"%s\":[{%s",
        lore_kind_plural(kind), head);
    lore_buf_puts(&text, rest + 1);
    lore_buf_puts(&text, "]}");
    status = lore_json_parse(text.data, text.len, NULL, a, &root, err);
    if (status == LORE_OK)
        status = lore_wire_decode(root, a, doc, err);
    lore_buf_free(&text);
    if (status == LORE_INVALID) {
        char why[sizeof err->msg] = "";

        if (err != NULL)
            memcpy(why, err->msg, sizeof why);
        return lore_fail(
            err, LORE_CORRUPT, "a stored %s does not read back: %.150s", lore_kind_name(kind), why);
    }
    return status;
}

enum lore_status
lore_rest_kvs(const char *object, struct lore_arena *a, struct lore_kvs *out, struct lore_err *err)
{
    struct lore_json *root;
    enum lore_status status;

    if (object == NULL)
        return LORE_OK;
    status = lore_json_parse(object, strlen(object), NULL, a, &root, err);
    for (const struct lore_json *m = status == LORE_OK ? root->child : NULL; m != NULL;
         m = m->next) {
        struct lore_buf value = {0};
        struct lore_jsonw w;

        lore_jsonw_begin(&w, &value, false);
        lore_w_node(&w, m);
        status = lore_jsonw_end(&w, err);
        if (status == LORE_OK)
            *LORE_PUSH(a, out->v, out->n, out->cap) =
                (struct lore_kv){m->key, lore_strndup(a, value.data, value.len)};
        lore_buf_free(&value);
        if (status != LORE_OK)
            return status;
    }
    return status;
}

bool
lore_rest_provenance(const struct lore_provenance *p)
{
    return p->system != NULL || p->external_id != NULL || p->url != NULL || p->path != NULL ||
           p->commit != NULL || p->licence != NULL || p->quote != NULL || p->redistribution != NULL;
}

void
lore_split(const char *text, char separator, struct lore_arena *a, struct lore_texts *out)
{
    while (text != NULL && *text != '\0') {
        const char *end = strchr(text, separator);
        size_t n = end != NULL ? (size_t)(end - text) : strlen(text);

        if (n > 0)
            *LORE_PUSH(a, out->v, out->n, out->cap) = lore_strndup(a, text, n);
        text = end != NULL ? end + 1 : NULL;
    }
}

const char *
lore_join(const struct lore_texts *t, char separator, struct lore_arena *a)
{
    size_t len = 1;
    char *text, *at;

    if (t->n == 0)
        return "";
    if (t->n == 1)
        return t->v[0];
    for (size_t i = 0; i < t->n; i++)
        len += strlen(t->v[i]) + 1;
    at = text = lore_alloc(a, len);
    for (size_t i = 0; i < t->n; i++) {
        size_t n = strlen(t->v[i]);

        if (i > 0)
            *at++ = separator;
        memcpy(at, t->v[i], n);
        at += n;
    }
    return text;
}

/* An enum from its name. */
#define OF(function, type, name_of, count)                                                         \
    type function(const char *s)                                                                   \
    {                                                                                              \
        for (int i = 1; s != NULL && i < (count); i++)                                             \
            if (lore_streq(name_of((type)i), s))                                                   \
                return (type)i;                                                                    \
        return (type)0;                                                                            \
    }
OF(lore_evidence_of, enum lore_evidence, lore_evidence_name, LORE_EV_COUNT)
OF(lore_version_kind_of, enum lore_version_kind, lore_version_kind_name, LORE_V_COUNT)
OF(lore_edge_kind_of, enum lore_edge_kind, lore_edge_kind_name, LORE_E_COUNT)
OF(lore_check_of, enum lore_check, lore_check_name, LORE_C_COUNT)
OF(lore_base_of, enum lore_base, lore_base_name, LORE_BASE_COUNT)
OF(lore_run_role_of, enum lore_run_role, lore_run_role_name, LORE_ROLE_COUNT)
