// uses: wire
/* Any bytes as a batch's body: an error that names the part, or parts that lie within the body and
 * in order, and that written again read back the same. */
#include <stdlib.h>
#include <string.h>

#include "service/wire/signing.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
check(const char *body, size_t size, const struct lore_batch_part *parts, size_t n)
{
    struct lore_batch_part *again = NULL;
    struct lore_arena arena = {0};
    struct lore_buf copy = {0};
    const char *from = body;
    size_t n_again = 0;

    if (n == 0 || n > LORE_BATCH_RECORDS)
        abort();
    for (size_t i = 0; i < n; i++) {
        if (parts[i].document <= from || parts[i].n == 0 || parts[i].seq == 0 ||
            parts[i].n >= size - (size_t)(parts[i].document - body))
            abort();
        from = parts[i].document + parts[i].n;
        lore_signing_batch_add(&copy, &parts[i]);
    }
    if (lore_signing_batch_read(copy.data, copy.len, &arena, &again, &n_again, NULL) != LORE_OK ||
        n_again != n)
        abort();
    for (size_t i = 0; i < n; i++) {
        if (again[i].seq != parts[i].seq || again[i].n != parts[i].n ||
            memcmp(again[i].document, parts[i].document, parts[i].n) != 0 ||
            memcmp(again[i].signature, parts[i].signature, LORE_SIGNATURE) != 0)
            abort();
    }
    lore_buf_free(&copy);
    lore_arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_batch_part *parts = NULL;
    struct lore_err err = {0};
    size_t n = 0;

    if (lore_signing_batch_read((const char *)data, size, &arena, &parts, &n, &err) == LORE_OK)
        check((const char *)data, size, parts, n);
    else if (strncmp(err.path, "parts", 5) != 0)
        abort();
    lore_arena_free(&arena);
    return 0;
}
