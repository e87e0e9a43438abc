/* Submissions: POST stores a document through the one writer and answers after its commit; the
 * rest gives back what was stored, byte for byte. Bytes from users leave as attachments. */
#include "service/api/api.h"

#include <string.h>

#include "service/api/curate.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"

enum { ALIKE_ASKED = 200 }; /* new lessons of one document that are compared with known ones */

/* `KEY: {"kernels": 1}` over the items in STATE. */
static void
counts_by_kind(struct lore_jsonw *w, const char *key, const struct lore_receipt *r,
    enum lore_record_state state)
{
    lore_w_key(w, key);
    lore_w_obj(w);
    for (int kind = 0; kind < LORE_K_COUNT; kind++) {
        int64_t n = 0;

        for (size_t i = 0; i < r->n_items; i++)
            n += r->items[i].kind == kind && r->items[i].state == state;
        if (n > 0)
            lore_w_ki64(w, lore_kind_plural(kind), n);
    }
    lore_w_obj_end(w);
}

/* Lessons that were there before and say what a new one says, or the opposite. The document is
 * stored: when nobody can look it up in time, nothing is said. */
static void
put_similar(struct lore_req *req, struct lore_jsonw *w, const struct lore_receipt *r)
{
    const char **ids = lore_alloc_array(req->arena, r->n_items + 1, sizeof *ids);
    struct lore_alike *found = NULL;
    struct lore_err ignored;
    size_t n_ids = 0, n = 0;
    enum lore_status status;

    for (size_t i = 0; i < r->n_items && n_ids < ALIKE_ASKED; i++)
        if (r->items[i].kind == LORE_K_INSIGHT && r->items[i].state == LORE_STORED)
            ids[n_ids++] = r->items[i].id;
    if (n_ids == 0 || lore_curate_look(req, &ignored) != LORE_OK)
        return;
    status = lore_list_alike(req->db, ids, n_ids, req->arena, &found, &n, &ignored);
    lore_curate_looked(req);
    if (status != LORE_OK || n == 0)
        return;
    lore_w_key(w, "similar");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "id", found[i].other);
        lore_w_kstr(w, "kind", found[i].conflict ? "conflict" : "same");
        lore_w_kstr(w, "of", found[i].id);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

enum lore_status
lore_api_submit(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_receipt r = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_ingest_submit(req->app->ingest,
        &(struct lore_ingest_doc){req->body, req->body_len, req->actor, req->role >= LORE_CURATOR},
        req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    resp->status = r.duplicate ? 200 : 201;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "id", r.id);
    lore_w_kstr(&w, "status", r.duplicate ? "duplicate" : "stored");
    counts_by_kind(&w, "stored", &r, LORE_STORED);
    counts_by_kind(&w, "duplicates", &r, LORE_DUPLICATE);
    lore_w_key(&w, "records");
    lore_w_arr(&w);
    for (size_t i = 0; i < r.n_items; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "kind", lore_kind_name(r.items[i].kind));
        lore_w_kstr(&w, "id", r.items[i].id);
        lore_w_kstr(&w, "status", r.items[i].state == LORE_STORED ? "stored" : "duplicate");
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    put_similar(req, &w, &r);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

static void
document_members(struct lore_jsonw *w, const struct lore_document_row *d)
{
    lore_w_kstr(w, "id", d->id);
    lore_w_kstr(w, "hash", d->hash);
    lore_w_ki64(w, "bytes", d->bytes);
    lore_w_kstr(w, "actor", d->actor);
    lore_w_key(w, "author");
    lore_w_obj(w);
    lore_w_kstr_opt(w, "name", d->author);
    lore_w_kstr_opt(w, "kind", d->author_kind);
    lore_w_kstr_opt(w, "model", d->author_model);
    lore_w_obj_end(w);
    lore_present_time(w, "received_at", d->received_us);
    lore_w_ki64(w, "seq", d->seq);
}

enum lore_status
lore_api_submissions(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_document_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_list_documents(req->db, lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        document_members(&w, &rows[i]);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

enum lore_status
lore_api_submission(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_source_row *files = NULL;
    struct lore_document_row d = {0};
    struct lore_jsonw w;
    size_t n = 0;
    enum lore_status status = lore_get_document(req->db, req->vars[0], req->arena, &d, NULL, err);

    if (status == LORE_OK)
        status = lore_list_artifacts(req->db, d.id, req->arena, &files, &n, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    document_members(&w, &d);
    lore_w_key(&w, "artifacts");
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "name", files[i].file);
        lore_w_kstr(&w, "blob", files[i].blob);
        lore_w_ki64(&w, "bytes", files[i].bytes);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

enum lore_status
lore_api_submission_raw(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_document_row d = {0};
    enum lore_status status =
        lore_get_document(req->db, req->vars[0], req->arena, &d, &resp->body, err);

    if (status != LORE_OK)
        return status;
    resp->content_type = "application/json";
    resp->download = lore_format(req->arena, "%s.json", d.id);
    resp->etag = d.hash;
    resp->immutable = true;
    return LORE_OK;
}

enum lore_status
lore_api_blob(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *media_type = NULL;
    enum lore_status status =
        lore_get_blob(req->db, req->vars[0], &resp->body, &media_type, req->arena, err);

    if (status != LORE_OK)
        return status;
    /* Whatever the sender called it, a browser must not run it. */
    resp->content_type = lore_utf8_valid(resp->body.data, resp->body.len)
                             ? "text/plain; charset=utf-8"
                             : "application/octet-stream";
    resp->download = lore_format(req->arena, "%.16s.txt", req->vars[0]);
    if (strcmp(resp->content_type, "application/octet-stream") == 0)
        resp->download = lore_format(req->arena, "%.16s.bin", req->vars[0]);
    resp->etag = req->vars[0];
    resp->immutable = true;
    return LORE_OK;
}
