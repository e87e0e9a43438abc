// uses: isa
/* Any bytes as a cubin: its kernels have names and are in symbol order, or there is an error. */
#include <stdlib.h>
#include <string.h>

#include "collectors/isa/cubin.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_cubin c;

    if (lore_cubin_read(data, size, &arena, &c, NULL) == LORE_OK)
        for (size_t i = 0; i < c.n_kernels; i++)
            if (!c.kernels[i].symbol || (i > 0 && c.kernels[i].index <= c.kernels[i - 1].index) ||
                !lore_cubin_kernel(&c, c.kernels[i].symbol))
                abort();
    lore_arena_free(&arena);
    return 0;
}
