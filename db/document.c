/* Submitted documents with their exact bytes, and the files that came with them. */
#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "db/blob.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/put.h"
#include "db/put_context.h"
#include "db/read.h"
#include "db/rows.h"
#include "db/sorted.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

/* An artifact of this size is read from its document: base64 of bytes that are compressed already
 * takes as much there as a copy of them would. */
#define READ_FROM_DOCUMENT ((size_t)64 << 10)

enum lore_status
lore_put_document_find(struct lore_db *db, const char *id, const char *hash, int64_t *seq,
    bool *same, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, hash FROM fact_document WHERE id = $1");

    db->quoted_bytes = 0; /* each document starts anew */
    lore_bind_text(&q, 1, id);
    *seq = lore_row(&q) ? lore_col_i64(&q, 0) : 0;
    *same = *seq != 0 && strcmp(lore_col_text(&q, 1, NULL), hash) == 0;
    return lore_done(&q, err);
}

enum lore_status
lore_put_document(
    struct lore_db *db, const struct lore_arrived *d, int64_t *seq, struct lore_err *err)
{
    const struct lore_submission *doc = d->doc;
    LORE_STMT q = lore_sql(db,
        "INSERT INTO fact_document (id, hash, zstd, bytes, received_us, created_us, actor, author,"
        " author_kind, author_model) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        " ON CONFLICT (id) DO NOTHING");

    lore_bind_text(&q, 1, doc->id);
    lore_bind_text(&q, 2, d->hash);
    lore_bind_blob(&q, 3, d->zstd->data, d->zstd->len);
    lore_bind_i64(&q, 4, (int64_t)d->bytes);
    lore_bind_i64(&q, 5, d->at_us);
    lore_bind_time(&q, 6, doc->created_at);
    lore_bind_text(&q, 7, d->actor);
    lore_bind_text(&q, 8, doc->author.name);
    lore_bind_text(&q, 9, doc->author.kind);
    lore_bind_text(&q, 10, doc->author.model);
    lore_row(&q);
    if (q.rc == SQLITE_OK && sqlite3_changes(db->handle) == 0)
        return lore_fail_at(err, LORE_CONFLICT, "conflict", "id",
            "id: document %s is stored with other bytes", doc->id);
    if (q.rc == SQLITE_OK)
        *seq = sqlite3_last_insert_rowid(db->handle);
    return lore_done(&q, err);
}

enum lore_status
lore_put_owner(struct lore_db *db, int64_t document, const char *owner, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO fact_document_owner (document, owner) VALUES ($1, $2)");

    lore_bind_i64(&q, 1, document);
    lore_bind_text(&q, 2, owner);
    return lore_done(&q, err);
}

static enum lore_status
artifact_bytes(const struct lore_artifact *r, struct lore_arena *a, const void **p, size_t *n,
    struct lore_err *err)
{
    size_t len = r->base64 != NULL ? strlen(r->base64) : 0;
    unsigned char *plain;

    if (!r->base64) {
        *p = r->text != NULL ? r->text : "";
        *n = strlen(*p);
        return LORE_OK;
    }
    plain = lore_alloc(a, len / 4 * 3 + 3);
    if (sodium_base642bin(plain, len / 4 * 3 + 3, r->base64, len, " \r\n", n, NULL,
            sodium_base64_VARIANT_ORIGINAL) != 0)
        return lore_fail_at(
            err, LORE_INVALID, "invalid_base64", "base64", "base64: not valid base64");
    *p = plain;
    return LORE_OK;
}

enum lore_status
lore_put_artifact(
    const struct lore_put_ctx *c, const struct lore_artifact *r, bool *is_new, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(c->db, "INSERT INTO fact_artifact (document, name, blob) VALUES ($1, $2, $3)");
    const char *type = r->media_type != NULL ? r->media_type : "application/octet-stream";
    enum lore_status status;
    struct lore_blob blob = {0};
    const void *p = NULL;
    size_t n = 0;

    status = artifact_bytes(r, c->arena, &p, &n, err);
    if (status == LORE_OK)
        status = r->base64 && n >= READ_FROM_DOCUMENT
                     ? lore_blob_note(c->db, p, n, type, &blob, err)
                     : lore_blob_put(c->db, p, n, type, &blob, err);
    if (status != LORE_OK)
        return status;
    lore_bind_i64(&q, 1, c->document);
    lore_bind_text(&q, 2, r->name);
    lore_bind_text(&q, 3, blob.hash);
    *is_new = blob.is_new;
    return lore_done(&q, err);
}

#define COLUMNS                                                                                    \
    "SELECT seq, bytes, received_us, id, hash, actor, author, author_kind, author_model"           \
    " FROM fact_document t WHERE"

#define ROW struct lore_document_row
static const struct lore_row_member members[] = {AT(seq), AT(bytes), AT(received_us), AT(id),
    AT(hash), AT(actor), AT(author), AT(author_kind), AT(author_model)};
const struct lore_row_shape lore_document_rows = {LORE_MEMBERS(members), .noun = "document",
    .seq = offsetof(ROW, seq), .document = offsetof(ROW, id),
    .received = offsetof(ROW, received_us), .author = offsetof(ROW, author)};

static enum lore_status
document_bytes(struct lore_db *db, int64_t seq, struct lore_buf *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT zstd FROM fact_document WHERE seq = $1");
    enum lore_status status;
    const void *packed;
    size_t len;

    lore_bind_i64(&q, 1, seq);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "document %" PRId64 ": gone", seq);
    packed = lore_col_blob(&q, 0, &len, NULL);
    status = lore_zstd_unpack(packed, len, out, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* The artifact NAME of a document, as TEXT; NULL: there is none. */
static const struct lore_artifact *
find_artifact(
    const struct lore_buf *text, const char *name, struct lore_arena *a, struct lore_artifact *out)
{
    struct lore_json *root = NULL;
    const struct lore_json *list;

    if (lore_json_parse(text->data, text->len, &lore_wire_limits, a, &root, NULL) != LORE_OK)
        return NULL;
    list = lore_json_get(root, "artifacts");
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        *out = (struct lore_artifact){0};
        if (lore_json_text(m, "name", &out->name, NULL) == LORE_OK && lore_streq(out->name, name) &&
            lore_json_text(m, "base64", &out->base64, NULL) == LORE_OK && out->base64)
            return out;
    }
    return NULL;
}

enum lore_status
lore_artifact_read(struct lore_db *db, const char *hash, struct lore_buf *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT f.document, f.name FROM fact_artifact f WHERE f.blob = $1"
                               " ORDER BY f.document LIMIT 1");
    LORE_SCRATCH a = {0};
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_artifact artifact;
    enum lore_status status;
    const void *p = NULL;
    size_t n = 0;

    lore_bind_text(&q, 1, hash);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "blob %s: no document has it", hash);
    status = document_bytes(db, lore_col_i64(&q, 0), &text, err);
    if (status == LORE_OK && !find_artifact(&text, lore_col_text(&q, 1, &a), &a, &artifact))
        status = lore_fail(err, LORE_CORRUPT, "blob %s: its document lacks it", hash);
    if (status == LORE_OK)
        status = artifact_bytes(&artifact, &a, &p, &n, err);
    if (status != LORE_OK)
        return status;
    lore_buf_add(out, p, n);
    return lore_done(&q, err);
}

enum lore_status
lore_db_get_document(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_document_row *out, struct lore_buf *bytes, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, COLUMNS " id = $1");
    size_t before = bytes ? bytes->len : 0;
    char hash[LORE_HASH_HEX];
    enum lore_status status = lore_db_one(&q, &lore_document_rows, id, a, out, err);

    if (status == LORE_OK && bytes)
        status = document_bytes(db, out->seq, bytes, err);
    if (status != LORE_OK || !bytes)
        return status;
    lore_hash_hex(bytes->data + before, bytes->len - before, hash);
    return strcmp(hash, out->hash) == 0
               ? LORE_OK
               : lore_fail(
                     err, LORE_CORRUPT, "document %s: its bytes are not those that arrived", id);
}

enum lore_status
lore_db_list_documents(struct lore_db *db, const struct lore_list_filter *f, struct lore_arena *a,
    struct lore_document_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sorted_open(db, COLUMNS " 1" LORE_PAGE("t"), &lore_document_rows, f);

    return lore_db_collect(&q, &lore_document_rows, a, out, n, err);
}

enum lore_status
lore_db_list_artifacts(struct lore_db *db, const char *document_id, struct lore_arena *a,
    struct lore_source_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT f.name, f.blob, b.bytes FROM fact_document d"
                               " JOIN fact_artifact f ON f.document = d.seq"
                               " JOIN fact_blob b ON b.hash = f.blob"
                               " WHERE d.id = $1 ORDER BY f.seq");

    lore_bind_text(&q, 1, document_id);
    return lore_db_collect(&q, &lore_file_rows, a, out, n, err);
}
