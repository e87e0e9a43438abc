// uses: run
/* Any bytes as the metadata of a kernel in Triton's cache: a kernel with a name and warps, or none.
 */
#include <stdlib.h>
#include <string.h>

#include "collectors/run/triton_cache.h"
#include "service/base/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_triton_kernel k;

    if (lore_triton_metadata((const char *)data, size, &arena, &k) &&
        (!k.symbol || !*k.symbol || !lore_utf8_valid(k.symbol, strlen(k.symbol)) ||
            k.num_warps <= 0 || k.num_stages < 0 || k.shared_bytes < 0 || k.cubin))
        abort();
    lore_arena_free(&arena);
    return 0;
}
