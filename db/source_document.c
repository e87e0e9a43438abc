/* Documents that state facts. Their words are a blob, stored once however often they come; the row
 * keeps the rest, and quotes are checked against the words (quote.c). */
#include <string.h>

#include "db/blob.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/knowledge.h"
#include "db/rest.h"

LORE_KIND_BEFORE(source_document)
{
    const struct lore_source_document *r = record;
    struct lore_source_document lean = *r;
    char *hash = lore_alloc(c->arena, 65);
    enum lore_status status;

    lean.text = NULL;
    made->text[0] = hash;
    made->has_rest = true;
    status = lore_rest_write(LORE_K_SOURCE_DOCUMENT, &lean, c->arena, &made->rest, err);
    return status == LORE_OK
               ? lore_blob_put(c->db, r->text, strlen(r->text), "text/markdown", hash, err)
               : status;
}

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, t.blob FROM fact_source_document t"       \
    " JOIN fact_document d ON d.seq = t.document"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_source_document_row *out = row;
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
static const struct lore_row_shape shape = {
    sizeof(struct lore_source_document_row), columns, "source document"};

enum lore_status
lore_db_get_source_document(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_source_document_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_list_source_documents(struct lore_db *db, const char *path, struct lore_page page,
    struct lore_arena *a, struct lore_source_document_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR t.path = $1)"
                                      " AND ($2 = 0 OR t.seq < $2) ORDER BY t.seq DESC LIMIT $3");

    lore_bind_text(&q, 1, path);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}
