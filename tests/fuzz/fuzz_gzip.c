// uses: import
/* Any bytes as a gzip file: text within its ceiling or an error; and any bytes packed come out as
 * they went in. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/gzip.h"

#define CEILING (1u << 20)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_buf out = {.max = CEILING}, packed = {0}, again = {.max = CEILING};
    const char *bytes = (const char *)data;

    if (lore_gzip_unpack(bytes, size, &out, NULL) == LORE_OK && out.len > CEILING)
        abort();
    if (size < CEILING && (lore_gzip(bytes, size, &packed, NULL) != LORE_OK ||
                              lore_gzip_unpack(packed.data, packed.len, &again, NULL) != LORE_OK ||
                              again.len != size || (size > 0 && memcmp(again.data, bytes, size))))
        abort();
    lore_buf_free(&out);
    lore_buf_free(&packed);
    lore_buf_free(&again);
    return 0;
}
