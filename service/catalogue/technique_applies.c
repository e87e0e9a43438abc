/* What a technique needs of the operator, the language and the vendor. A technique or an operator
 * that no row names needs and lacks nothing. */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/technique_info.h"

static const struct lore_technique_need kinds[] = {
    {"a matrix product", "gemm,conv,attention", "moe,spmm", "gemv,depthwise_conv,pooling,rope",
        "compute.tensor_core,compute.sparse_matrix,compute.split_precision_emulation,"
        "compute.two_cta_mma,compute.two_level_accumulation,compute.fp8_fast_accumulation,"
        "compute.block_scaled_precision,memory.ldmatrix_stmatrix,memory.lds_transpose_read,"
        "memory.tensor_memory,memory.accvgpr_storage,memory.float4_fragment_reuse,"
        "memory.split_k,launch.stream_k,memory.l2_grouped_ordering,latency.pingpong_schedule,"
        "memory.epilogue_fusion"},
    {"data that several threads read", "gemm,conv,attention,stencil,transpose,fft,sort,scan,sparse",
        "moe,nbody,coulomb,pnpoly,expdist,dedispersion", "rope",
        "memory.tiling_smem,memory.smem_padding,memory.smem_swizzle,memory.lds_wide_access,"
        "memory.lds_double_buffer,memory.tma_multicast,memory.distributed_smem,compute.register_"
        "tile"},
    {"a convolution", "conv", NULL, NULL, "memory.im2col_copy"},
    {"a border", "conv,stencil,attention,gemm", NULL, "gemv", "compute.interior_border_split"},
    {"attention", "attention", NULL, "rope",
        "latency.flash_tiling,compute.gemm_softmax_interleave"},
    {"an exponential", "attention",
        "softmax,log_softmax,cross_entropy,topk_softmax,moe_fused_gate,silu,silu_mul,gelu", "rope",
        "compute.fast_exp"},
    {"a softmax", "attention", "softmax,log_softmax,cross_entropy,topk_softmax", "rope",
        "latency.online_recomputation"},
    {"sums that many threads add to", "atomics,sparse,reduction", "embedding,moe_align,moe", NULL,
        "sync.atomic_privatization,sync.warp_aggregated_atomics"},
    {"a choice of the largest", "sort", "topk_softmax,moe_fused_gate,argmax", NULL,
        "compute.sorting_network,compute.candidate_filter"},
    {"a row long enough for many blocks", "sort", "argmax", NULL, "launch.multi_block_radix"},
    {"data that one thread reads again",
        "norm,attention,gemm,conv,stencil,sort,scan,fft,moe,sparse", "cross_entropy", NULL,
        "memory.register_cache"},
    {"a reduction", "reduction,norm,attention,gemm,sort,scan,moe,sparse", "quantize", "rope",
        "sync.warp_level_reduction,sync.warp_per_row,compute.reduction"},
};

/* Languages whose compiler places threads and shared memory, and what one cannot say in them. */
static const char blocks_only[] = "triton,helion,pallas,cutile";
static const char of_threads[] =
    "memory.smem_padding,memory.smem_swizzle,memory.ldmatrix_stmatrix,"
    "memory.lds_wide_access,memory.lds_transpose_read,memory.tiling_smem,"
    "memory.coalesced_access,memory.async_copy,memory.accvgpr_storage,memory.smem_reuse,"
    "memory.distributed_smem,compute.warp_shuffle,compute.no_alias,compute.scalar_uniform,"
    "compute.inline_asm,sync.warp_level_reduction,sync.warp_aggregated_atomics,"
    "sync.reduce_barriers,sync.asymmetric_barrier,sync.cluster_sync";

static bool
list_has(const char *list, const char *word)
{
    return lore_text_lists(list, word, strlen(word));
}

const struct lore_technique_need *
lore_technique_needs(size_t *n)
{
    *n = sizeof kinds / sizeof *kinds;
    return kinds;
}

static const char *
operator_lacks(const char *slug, const char *op)
{
    const struct lore_operator *known = op ? lore_operator_find(op) : NULL;

    for (size_t i = 0; known && i < sizeof kinds / sizeof *kinds; i++)
        if (list_has(kinds[i].techniques, slug) &&
            (list_has(kinds[i].not_operators, known->name) ||
                (!list_has(kinds[i].families, known->family) &&
                    !list_has(kinds[i].operators, known->name))))
            return kinds[i].what;
    return NULL;
}

static const char *
language_lacks(const char *slug, const char *language)
{
    if (language && list_has(blocks_only, language) && list_has(of_threads, slug))
        return "a language in which one places threads and shared memory";
    return NULL;
}

const char *
lore_technique_lacks(const char *name, const struct lore_technique_place *at)
{
    const struct lore_technique *known = lore_technique_find(name);
    const char *slug = known ? known->slug : name;
    enum lore_gate gate = lore_technique_gate(slug, at->chip, NULL);
    const char *lacks;

    if (gate == LORE_GATE_ARCH || gate == LORE_GATE_FEATURE)
        return "another chip";
    /* Which solver a library takes is its choice; nobody can write it into a kernel. */
    if (lore_starts(name, "miopen.") &&
        ((at->language && !list_has("library,other", at->language)) ||
            (at->chip && !lore_streq(at->chip->vendor, "amd"))))
        return "the library MIOpen";
    lacks = operator_lacks(slug, at->op);
    return lacks ? lacks : language_lacks(slug, at->language);
}
