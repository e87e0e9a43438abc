/* What the fuzz targets of the importers share: any bytes as a file of FORMAT give an answer or an
 * error, and every document that comes out is one that the service's own decoder reads. */
#ifndef LORE_TESTS_FUZZ_IMPORTER_H
#define LORE_TESTS_FUZZ_IMPORTER_H

#include <stdlib.h>
#include <string.h>

#include "collectors/import/import.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"
#include "tests/unit/import_read.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must_decode(const struct lore_submission *doc, struct lore_arena *arena)
{
    struct lore_buf body = {.max = 64u << 20};
    struct lore_submission again;
    struct lore_json *root = NULL;

    if (lore_build_encode(doc, &body, NULL) != LORE_OK ||
        lore_json_parse(body.data, body.len, NULL, arena, &root, NULL) != LORE_OK)
        abort();
    /* limits of the format (lengths, counts, ranges) may refuse; that is an answer too */
    (void)!lore_wire_decode(root, arena, &again, NULL);
    lore_buf_free(&body);
}

static int
fuzz_importer(const char *format, const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_import in;
    const struct lore_importer *used = lore_importer_find(format);

    if (size < (64u << 10) && import_read(used, "fuzz.json", (const char *)data, size, &arena, &in,
                                  &used, NULL) == LORE_OK) {
        bool one_each = strcmp(format, "kernelflow") == 0 || strcmp(format, "experiences") == 0;
        if (in.refused > in.records ||
            (one_each && in.doc->n_experiments != in.records - in.refused))
            abort();
        if (in.doc->id)
            must_decode(in.doc, &arena);
    }
    lore_arena_free(&arena);
    return 0;
}

#endif
