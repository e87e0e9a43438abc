/* What Triton left in its cache while the program ran: the kernels that it compiled, and the
 * searches of its autotuner (TRITON_CACHE_AUTOTUNING=1). */
#ifndef LORE_RUN_TRITON_CACHE_H
#define LORE_RUN_TRITON_CACHE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_triton_kernel { /* one compiled kernel; 0 and NULL: not stated */
    const char *symbol;
    int64_t num_warps, num_stages, num_ctas, shared_bytes, warp_size;
    const char *ttir_hash, *ptx_hash; /* BLAKE2b-256 of what it was compiled from */
    const char *cubin;                /* path of its machine code; NULL: not of CUDA */
    uint32_t registers;               /* of the cubin; 0: not known */
};
struct lore_triton_found {
    struct lore_triton_kernel *kernels;
    size_t n_kernels, cap_kernels;
    struct lore_texts tuned; /* paths of files *.autotune.json */
    bool cut;                /* there was more than is read */
};
/* The folder of the cache: TRITON_CACHE_DIR, or where Triton has it; NULL: not known. */
const char *lore_triton_folder(struct lore_arena *arena);
/* Read the files of FOLDER that were written at SINCE_US (wall clock) or later. Never fails; what
 * cannot be read is passed over. */
void lore_triton_left(
    const char *folder, int64_t since_us, struct lore_arena *arena, struct lore_triton_found *out);
/* Read the metadata of a kernel (kernel.json) into *out; false: it is no such file. */
bool lore_triton_metadata(
    const char *text, size_t n, struct lore_arena *arena, struct lore_triton_kernel *out);

#endif
