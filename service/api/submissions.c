/* Submissions: POST stores a document through the one writer and answers after its commit; the
 * other handlers return stored bytes unchanged. Bytes from users leave as attachments. */
#include "service/api/api.h"

#include <string.h>

#include "service/api/curate.h"
#include "service/api/new_names.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"

enum { ALIKE_ASKED = 200 }; /* new lessons of one document that are compared with known ones */

/* The receipt of a document, and known lessons similar to its own. */
struct submitted {
    struct lore_receipt r;
    struct lore_alike *similar; /* NULL: none */
    size_t n_similar;
    struct lore_new_names names;
};

/* `{"kernels": 1}` over the items in STATE. */
static void
write_counts(struct lore_jsonw *w, const char *key, const struct lore_receipt *r,
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

static void
write_stored(struct lore_jsonw *w, const char *key, const void *row)
{
    write_counts(w, key, &((const struct submitted *)row)->r, LORE_STORED);
}

static void
write_duplicates(struct lore_jsonw *w, const char *key, const void *row)
{
    write_counts(w, key, &((const struct submitted *)row)->r, LORE_DUPLICATE);
}

static void
write_status(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, ((const struct submitted *)row)->r.duplicate ? "duplicate" : "stored");
}

static const char *
state_name(enum lore_record_state state)
{
    return state == LORE_STORED ? "stored" : "duplicate";
}

static void
write_alike(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, ((const struct lore_alike *)row)->conflict ? "conflict" : "same");
}

#define ROW struct lore_alike
static const struct lore_object_member alike[] = {
    {"!id", AT(other), "ulid"},
    {"!kind", WRITTEN(write_alike), "same|conflict"},
    {"!of", AT(id), "ulid", "the new lesson"},
};
static const struct lore_object lore_similar_object = LORE_OBJECT("Similar", alike);
#undef ROW

#define ROW struct lore_receipt_item
static const struct lore_object_member item[] = {
    {"!kind", NAMED(kind, lore_kind_name), LORE_KIND_NAMES},
    {"!id", AT(id), "ulid"},
    {"!status", NAMED(state, state_name), "stored|duplicate"},
};
static const struct lore_object lore_receipt_record_object = LORE_OBJECT("ReceiptRecord", item);
#undef ROW

#define ROW struct submitted
static const struct lore_object_member receipt[] = {
    {"!id", AT(r.id), "ulid"},
    {"!status", WRITTEN(write_status), "stored|duplicate"},
    {"!stored", WRITTEN(write_stored), "object", "records by kind"},
    {"!duplicates", WRITTEN(write_duplicates), "object", "records by kind"},
    {"!records", LIST(r.items, r.n_items, lore_receipt_record_object)},
    {"similar", LIST(similar, n_similar, lore_similar_object), NULL,
        "known lessons that say the same or the opposite"},
    {"new_names", LIST(names.v, names.n, lore_new_name_object), NULL,
        "names that neither the catalogue nor an earlier record has"},
};
const struct lore_object lore_receipt_object = LORE_OBJECT("Receipt", receipt);
#undef ROW

/* Find known lessons that repeat or contradict a new one. The document is stored already, so a
 * failed lookup only leaves the list out. */
static void
find_similar(struct lore_req *req, struct submitted *x)
{
    const struct lore_receipt *r = &x->r;
    struct lore_texts ids = {0};
    struct lore_err ignored;

    for (size_t i = 0; i < r->n_items && ids.n < ALIKE_ASKED; i++)
        if (r->items[i].kind == LORE_K_INSIGHT && r->items[i].state == LORE_STORED)
            *LORE_PUSH(req->arena, ids.v, ids.n, ids.cap) = r->items[i].id;
    if (ids.n == 0 || lore_req_read(req, NULL, &ignored) != LORE_OK)
        return;
    if (lore_db_list_alike(req->db, &ids, req->arena, &x->similar, &x->n_similar, &ignored) !=
            LORE_OK ||
        x->n_similar == 0)
        x->similar = NULL;
    lore_req_read_end(req);
}

enum lore_status
lore_api_submit(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct submitted x = {0};
    enum lore_status status = lore_ingest_submit(req->app->ingest,
        &(struct lore_ingest_doc){req->body, req->body_len, req->actor, req->role >= LORE_CURATOR,
            req->owner, lore_now_us()},
        req->arena, &x.r, err);

    if (status != LORE_OK)
        return status;
    resp->status = x.r.duplicate ? 200 : 201;
    find_similar(req, &x);
    x.names = lore_new_names_of(&x.r, req->arena);
    return lore_reply_object(resp, &lore_receipt_object, &x, err);
}

#define ROW struct lore_document_row
static const struct lore_object_member author[] = {
    {"name", AT(author)},
    {"kind", AT(author_kind)},
    {"model", AT(author_model)},
};
static const struct lore_object lore_author_object = LORE_OBJECT("Author", author);

static const struct lore_object_member document[] = {
    {"!id", AT(id), "ulid"},
    {"!hash", AT(hash)},
    {"!bytes", AT(bytes)},
    {"!actor", AT(actor), NULL, "owner of the token, or agent, that sent it"},
    {"!author", PART(lore_author_object)},
    {"!received_at", TIME(received_us), "time"},
    {"!seq", AT(seq)},
};
const struct lore_object lore_document_object = LORE_OBJECT("Document", document);
#undef ROW

#define ROW struct lore_source_row
static const struct lore_object_member artifact[] = {
    {"!name", AT(file)},
    {"!blob", AT(blob), NULL, "its hash; GET /api/v1/blobs/{hash} returns the bytes"},
    {"!bytes", AT(bytes)},
};
static const struct lore_object lore_artifact_object = LORE_OBJECT("Artifact", artifact);
#undef ROW

struct document_full {
    struct lore_document_row d;
    struct lore_source_row *files;
    size_t n_files;
};
#define ROW struct document_full
static const struct lore_object_member document_full[] = {
    {"", MEMBERS(d, lore_document_object)},
    {"!artifacts", LIST(files, n_files, lore_artifact_object)},
};
const struct lore_object lore_document_full_object = LORE_OBJECT("DocumentFull", document_full);
#undef ROW

LORE_LIST_HANDLER(lore_api_submissions, documents, document, lore_document_object)

enum lore_status
lore_api_submission(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct document_full x = {0};
    enum lore_status status =
        lore_db_get_document(req->db, req->vars[0], req->arena, &x.d, NULL, err);

    if (status == LORE_OK)
        status = lore_db_list_artifacts(req->db, x.d.id, req->arena, &x.files, &x.n_files, err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_document_full_object, &x, err)
                             : status;
}

enum lore_status
lore_api_submission_raw(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_document_row d = {0};
    enum lore_status status =
        lore_db_get_document(req->db, req->vars[0], req->arena, &d, &resp->body, err);

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
        lore_db_get_blob(req->db, req->vars[0], &resp->body, &media_type, req->arena, err);

    if (status != LORE_OK)
        return status;
    /* The sender's media type is ignored, so that a browser never executes the bytes. */
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
