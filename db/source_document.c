/* Documents that state facts. The text is a blob, stored once however often it is submitted. The
 * row has the other members. Quotes are checked against the text (quote.c). */
#include <string.h>

#include "db/blob.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"

LORE_KIND_BEFORE(source_document)
{
    const struct lore_source_document *r = record;
    struct lore_source_document lean = *r;
    struct lore_blob *blob = lore_alloc(c->arena, sizeof *blob);
    enum lore_status status;

    lean.text = NULL;
    made->text[0] = blob->hash;
    made->has_rest = true;
    status = lore_rest_write(LORE_K_SOURCE_DOCUMENT, &lean, c->arena, &made->rest, err);
    return status == LORE_OK
               ? lore_blob_put(c->db, r->text, strlen(r->text), "text/markdown", blob, err)
               : status;
}

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, t.blob FROM fact_source_document t"       \
    " JOIN fact_document d ON d.seq = t.document"

static enum lore_status
clear_text(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    (void)q, (void)a, (void)err;
    ((struct lore_source_document_row *)row)->r.text = NULL;
    return LORE_OK;
}

#define ROW struct lore_source_document_row
static const struct lore_row_member members[] = {LORE_KNOWN_MEMBERS, AT(blob)};
const struct lore_row_shape lore_source_document_rows = {LORE_MEMBERS(members),
    .noun = "source document", LORE_RECORD(LORE_K_SOURCE_DOCUMENT, LORE_DECODE_LISTS, r),
    .head = "\"text\":\"\",", .more = clear_text, .get = LORE_LITERAL(SELECT " WHERE t.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE ($path IS NULL OR t.path = $path)" LORE_PAGE("t"))};
