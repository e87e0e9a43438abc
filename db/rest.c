/* Records as JSON text in the submission format, for the `rest` columns, and back. Members without
 * a column are written and read by the code of submissions, so that they are described once.
 *
 * A record is read by decoding a document made of it alone; the getters then overwrite it with the
 * columns. */
#include "db/rest.h"

#include <string.h>

#include "service/base/buf.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"

enum lore_status
lore_rest_write(enum lore_kind kind, const void *record, struct lore_arena *a, const char **out,
    struct lore_err *err)
{
    LORE_BUF text = {0};
    struct lore_jsonw w;
    enum lore_status status;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        *out = text.len > 2 ? lore_strndup(a, text.data, text.len) : NULL; /* 2: {} */
    return status;
}

enum lore_status
lore_rest_read(enum lore_kind kind, const char *head, const char *rest, struct lore_arena *a,
    struct lore_submission *doc, struct lore_err *err)
{
    LORE_BUF text = {0};
    struct lore_json *root;
    enum lore_status status;

    lore_buf_printf(&text, "{\"warplore\":1,\"id\":\"00000000000000000000000000\",\"%s\":[{%s",
        lore_kind_plural(kind), head);
    lore_buf_puts(&text, rest + 1);
    lore_buf_puts(&text, "]}");
    status = lore_json_parse(text.data, text.len, NULL, a, &root, err);
    if (status == LORE_OK)
        status = lore_wire_decode(root, a, doc, err);
    if (status == LORE_INVALID) {
        char why[sizeof err->msg] = "";

        if (err)
            memcpy(why, err->msg, sizeof why);
        return lore_fail(
            err, LORE_CORRUPT, "a stored %s cannot be read: %.150s", lore_kind_name(kind), why);
    }
    return status;
}

enum lore_status
lore_rest_kvs(const char *object, struct lore_arena *a, struct lore_kvs *out, struct lore_err *err)
{
    struct lore_json *root;
    enum lore_status status;

    if (!object)
        return LORE_OK;
    status = lore_json_parse(object, strlen(object), NULL, a, &root, err);
    for (const struct lore_json *m = status == LORE_OK ? root->child : NULL; m != NULL;
         m = m->next) {
        LORE_BUF value = {0};
        struct lore_jsonw w;

        lore_jsonw_begin(&w, &value, false);
        lore_w_node(&w, m);
        status = lore_jsonw_end(&w, err);
        if (status == LORE_OK)
            *LORE_PUSH(a, out->v, out->n, out->cap) =
                (struct lore_kv){m->key, lore_strndup(a, value.data, value.len)};
        if (status != LORE_OK)
            return status;
    }
    return status;
}

bool
lore_rest_provenance(const struct lore_provenance *p)
{
    return p->system || p->external_id || p->url || p->path || p->commit || p->licence ||
           p->quote || p->redistribution;
}
