/* Documents that state facts. Their words are a blob, stored once however often they come; the row
 * keeps the rest, and quotes are checked against the words (quote.c). */
#include <string.h>

#include "db/blob.h"
#include "db/internal.h"
#include "db/put_inner.h"
#include "db/rest.h"
#include "db/search.h"

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_source_document *r, struct lore_insert *in,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_source_document (id, digest, document, title, path, git_commit, blob,"
        " rest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_source_document WHERE id = $1");
    struct lore_source_document lean = *r;
    const char *rest = NULL;
    char hash[65];
    enum lore_status status;

    lean.text = NULL;
    status = lore_rest_write(LORE_K_SOURCE_DOCUMENT, &lean, c->arena, &rest, err);
    if (status == LORE_OK)
        status = lore_blob_put(c->db, r->text, strlen(r->text), "text/markdown", hash, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->title);
    lore_bind_text(&q, 5, r->path);
    lore_bind_text(&q, 6, r->commit);
    lore_bind_text(&q, 7, hash);
    lore_bind_text(&q, 8, rest);
    return lore_insert_run(&q, &digests, in, err);
}

/* The words themselves are not searched: they would drown the records made from them. */
enum lore_status
lore_words_source_document(
    const struct lore_put_ctx *c, const struct lore_source_document *r, struct lore_err *err)
{
    const char *words[] = {r->path};

    return lore_search_words(c, "source_document", r->id, r->title, words, 1, err);
}

enum lore_status
lore_put_source_document(const struct lore_put_ctx *c, const struct lore_source_document *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "source document", .id = r->id, .digest = digest};
    enum lore_status status = put_row(c, r, &in, err);

    if (status == LORE_OK && in.no_reference)
        return lore_reference_lost(&in, err);
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_words_source_document(c, r, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, t.blob FROM fact_source_document t"       \
    " JOIN fact_document d ON d.seq = t.document"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_source_document_row *out,
    struct lore_err *err)
{
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    out->blob = lore_col_text(q, 5, a);
    status = lore_rest_read(LORE_K_SOURCE_DOCUMENT, "\"text\":\"\",", out->rest, a, &doc, err);
    if (status == LORE_OK) {
        out->r = doc.source_documents[0];
        out->r.text = NULL;
    }
    return status;
}

enum lore_status
lore_get_source_document(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_source_document_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.id = $1");
    struct lore_source_document_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "source document %s: no such source document", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

enum lore_status
lore_list_source_documents(struct lore_db *db, const char *path, struct lore_page page,
    struct lore_arena *a, struct lore_source_document_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR t.path = $1)"
                                      " AND ($2 = 0 OR t.seq < $2) ORDER BY t.seq DESC LIMIT $3");
    struct lore_source_document_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, path);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    while (status == LORE_OK && lore_row(&q))
        status = columns(&q, a, LORE_PUSH(a, rows, count, cap), err);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
