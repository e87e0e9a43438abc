/* GET /api/v1/export: every submission, oldest first, with its exact text, so that another service
 * can take all of it in this order. A withheld submission (db/withheld.c) is listed without its
 * text. A page ends at MAX_BYTES of text. */
#include "db/export.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/wire/wire.h"

enum { MAX_BYTES = 4 << 20 };

static void
write_withheld(struct lore_jsonw *w, const char *key, const void *row)
{
    if (!((const struct lore_export_row *)row)->text)
        lore_w_kbool(w, key, true);
}

#define ROW struct lore_export_row
static const struct lore_object_member exported[] = {
    {"!seq", AT(seq)},
    {"!id", AT(id), "ulid"},
    {"received_at", TIME(received_us)},
    {"actor", AT(actor)},
    {"text", AT(text), NULL, "exactly as submitted"},
    {"withheld", WRITTEN(write_withheld), "boolean",
        "a source forbids redistribution, or it refers to such a record"},
};
const struct lore_object lore_exported_object = LORE_OBJECT("Exported", exported);
#undef ROW

enum lore_status
lore_api_export(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_export_part part = {.after = lore_arg_i64(req, "after", 0),
        .lines = (size_t)lore_arg_i64(req, "limit", LORE_PAGE_MAX),
        .bytes = MAX_BYTES};
    struct lore_export_row *rows = NULL, *beyond = NULL;
    struct lore_jsonw w;
    size_t n = 0, n_beyond = 0;
    enum lore_status status = lore_db_list_export(req->db, &part, req->arena, &rows, &n, err);

    part = (struct lore_export_part){n > 0 ? rows[n - 1].seq : part.after, 1, 1};
    if (status == LORE_OK)
        status = lore_db_list_export(req->db, &part, req->arena, &beyond, &n_beyond, err);
    if (status != LORE_OK)
        return status;
    resp->body.max = MAX_BYTES + 2 * (size_t)LORE_WIRE_MAX_BYTES; /* a quote becomes two bytes */
    lore_paging_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        lore_object_write(&w, &lore_exported_object, &rows[i]);
    return lore_paging_done(&w, n_beyond > 0, part.after, err);
}
