/* The kinds of machine code in which a signature can detect a technique. The patterns belong to the
 * client (collectors/isa/signatures.c), which reads listings; the service only needs to know
 * whether a check can detect the technique. test_isa checks that the two tables agree: a new
 * signature needs a row here. */
#include <string.h>

#include "service/catalogue/catalogue.h"
#include "service/catalogue/technique_traces.h"

#define SASS LORE_TRACE_SASS
#define GCN LORE_TRACE_AMDGCN

static const struct {
    const char *slug;
    unsigned traces;
} rows[] = {
    {"compute.bit_dequantize", SASS},
    {"compute.block_scaled_precision", SASS | GCN},
    {"compute.fast_exp", SASS | GCN},
    {"compute.fast_math", SASS | GCN},
    {"compute.fp8_fast_accumulation", SASS},
    {"compute.gemm_softmax_interleave", SASS | GCN},
    {"compute.instruction_scheduling", GCN},
    {"compute.mixed_precision", SASS | GCN},
    {"compute.packed_math", SASS | GCN},
    {"compute.register_tile", SASS | GCN},
    {"compute.scalar_uniform", GCN},
    {"compute.sparse_matrix", SASS | GCN},
    {"compute.split_precision_emulation", SASS},
    {"compute.tensor_core", SASS | GCN},
    {"compute.two_level_accumulation", SASS | GCN},
    {"compute.warp_shuffle", SASS | GCN},
    {"compute.warp_specialization", SASS},
    {"latency.flash_tiling", SASS | GCN},
    {"latency.online_recomputation", SASS | GCN},
    {"latency.pingpong_schedule", SASS},
    {"latency.register_reallocation", SASS},
    {"launch.dependent_launch", SASS},
    {"launch.dynamic_scheduler", SASS | GCN},
    {"memory.accvgpr_storage", GCN},
    {"memory.async_copy", SASS | GCN},
    {"memory.buffer_descriptor", GCN},
    {"memory.cache_hints", SASS | GCN},
    {"memory.constant_memory", GCN},
    {"memory.distributed_smem", SASS},
    {"memory.im2col_copy", SASS},
    {"memory.ldmatrix_stmatrix", SASS},
    {"memory.lds_double_buffer", GCN},
    {"memory.lds_transpose_read", GCN},
    {"memory.lds_wide_access", GCN},
    {"memory.multi_stage_pipeline", SASS | GCN},
    {"memory.readonly_path", SASS},
    {"memory.register_pressure", SASS | GCN},
    {"memory.smem_register_spilling", SASS},
    {"memory.tensor_map_reuse", SASS},
    {"memory.tiling_smem", SASS | GCN},
    {"memory.tma_descriptor_tuning", SASS},
    {"memory.tma_multicast", SASS},
    {"memory.vectorized_access", SASS | GCN},
    {"sync.asymmetric_barrier", SASS},
    {"sync.atomic_privatization", SASS | GCN},
    {"sync.cluster_sync", SASS},
    {"sync.reduce_barriers", SASS | GCN},
    {"sync.warp_aggregated_atomics", SASS | GCN},
    {"sync.warp_level_reduction", SASS | GCN},
    {"sync.warp_per_row", SASS | GCN},
};

unsigned
lore_technique_traces(const char *name, const char *vendor)
{
    const struct lore_technique *t = lore_technique_find(name);
    unsigned readable = LORE_TRACE_SASS | LORE_TRACE_AMDGCN;

    if (vendor && strcmp(vendor, "nvidia") == 0)
        readable = LORE_TRACE_SASS;
    else if (vendor && strcmp(vendor, "amd") == 0)
        readable = LORE_TRACE_AMDGCN;
    for (size_t i = 0; t != NULL && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].slug, t->slug) == 0)
            return rows[i].traces & readable;
    return 0;
}
