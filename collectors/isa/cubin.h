/* The kernels of a cubin, NVIDIA's ELF file of machine code: their symbols, and what tells apart
 * two kernels of one name, as an autotuner loads them. */
#ifndef LORE_ISA_CUBIN_H
#define LORE_ISA_CUBIN_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/status.h"

enum { LORE_CUBIN_KERNELS = 65536 };

struct lore_cubin_kernel {
    const char *symbol;
    uint32_t index;     /* in the symbol table; nvdisasm --function-index takes it */
    uint32_t registers; /* of a thread; 0: not stated */
};
struct lore_cubin {
    struct lore_cubin_kernel *kernels; /* functions that the file contains, in symbol order */
    size_t n_kernels;
};
/* Read the N bytes at P. LORE_INVALID: not a cubin, or damaged; LORE_TOOBIG: above
 * LORE_CUBIN_KERNELS. Texts live in ARENA. */
enum lore_status lore_cubin_read(const void *p, size_t n, struct lore_arena *arena,
    struct lore_cubin *out, struct lore_err *err) LORE_MUST;
/* The kernel SYMBOL; NULL: none. */
const struct lore_cubin_kernel *lore_cubin_kernel(const struct lore_cubin *c, const char *symbol);

#endif
