/* Stored documents that are stored again: from a journal, or to verify a database. They are
 * unpacked and prepared on several threads (prepare_many.c). */
#ifndef LORE_INGEST_PREPARE_MANY_H
#define LORE_INGEST_PREPARE_MANY_H

#include "service/ingest/document.h"

/* Documents of one transaction, and the bytes that they may have together, unpacked. */
#define LORE_MANY 1024
#define LORE_MANY_BYTES ((size_t)32 << 20)
/* As for a request (docs/operating.md). */
#define LORE_DOCUMENT_MEMORY ((size_t)512 << 20)

struct lore_prepared {
    const void *packed; /* zstd, of the caller; NULL: there is nothing to prepare */
    size_t len;
    struct lore_ingest_doc in; /* but for its body */
    struct lore_arena arena;   /* of the document; begins zeroed, like what follows */
    struct lore_document document;
    struct lore_buf body;
    enum lore_status status; /* LORE_OK: document is set */
    struct lore_err err;
};
/* Prepare N documents, with as many threads as there are processors. */
void lore_prepare_many(struct lore_prepared *v, size_t n);
void lore_prepared_free(struct lore_prepared *v, size_t n);
/* Whether one of LEN packed bytes more still belongs to a transaction of N documents with *BYTES,
 * to which its size is then added. The first always does. */
bool lore_prepared_fits(const void *packed, size_t len, size_t n, size_t *bytes);

#endif
