// uses: import
/* Any bytes as a bzip2 file: text within its ceiling or an error. */
#include <stdlib.h>

#include "collectors/import/bzip2.h"

#define CEILING (1u << 20)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_buf out = {.max = CEILING};

    if (lore_bzip2_unpack((const char *)data, size, &out, NULL) == LORE_OK && out.len > CEILING)
        abort();
    lore_buf_free(&out);
    return 0;
}
