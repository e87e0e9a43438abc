/* The tables of technique_applies.h. A technique or an operator that no row names needs and lacks
 * nothing. The numbers of the tests are limits of the hardware or of what a block holds; between
 * NO and YES it depends on the code. */
#include "service/catalogue/technique_applies.h"

#include <string.h>

#include "service/base/text.h"

static const struct lore_technique_need kinds[] = {
    {"a matrix product", "gemm,conv,attention", "moe,spmm", "gemv,depthwise_conv,pooling,rope",
        "compute.tensor_core,compute.sparse_matrix,compute.split_precision_emulation,"
        "compute.two_cta_mma,compute.two_level_accumulation,compute.fp8_fast_accumulation,"
        "compute.block_scaled_precision,memory.ldmatrix_stmatrix,memory.lds_transpose_read,"
        "memory.tensor_memory,memory.accvgpr_storage,memory.float4_fragment_reuse,"
        "memory.split_k,launch.stream_k,memory.l2_grouped_ordering,latency.pingpong_schedule,"
        "memory.epilogue_fusion,compute.register_tile"},
    {"data that several threads read", "gemm,conv,attention,stencil,transpose,fft,sort,scan,sparse",
        "moe,nbody,coulomb,pnpoly,expdist,dedispersion", "rope",
        "memory.tiling_smem,memory.smem_padding,memory.smem_swizzle,memory.lds_wide_access,"
        "memory.lds_double_buffer,memory.tma_multicast,memory.distributed_smem,memory.async_copy"},
    {"a loop over tiles", "gemm,conv,attention,stencil,scan,fft,sort,sparse,reduction,atomics",
        "moe,nbody,coulomb,dedispersion,expdist", "rope",
        "memory.multi_stage_pipeline,memory.lds_double_buffer"},
    {"a loop of products", "gemm,conv,attention,scan", "moe", "rope,gemv,pooling",
        "compute.warp_specialization,latency.register_reallocation"},
    {"a convolution", "conv", NULL, NULL, "memory.im2col_copy"},
    {"a border", "conv,stencil,attention,gemm", NULL, "gemv", "compute.interior_border_split"},
    {"a small table that all threads read", "conv,stencil,fft", "pnpoly,coulomb,dedispersion", NULL,
        "memory.constant_memory"},
    {"attention", "attention", NULL, "rope",
        "latency.flash_tiling,compute.gemm_softmax_interleave"},
    {"an exponential", "attention",
        "softmax,log_softmax,cross_entropy,topk_softmax,moe_fused_gate,silu,silu_mul,gelu", "rope",
        "compute.fast_exp"},
    {"a function that may be approximate", "attention,norm",
        "softmax,log_softmax,cross_entropy,topk_softmax,moe_fused_gate,silu,silu_mul,gelu,nbody,"
        "coulomb,expdist",
        NULL, "compute.fast_math"},
    {"a softmax", "attention", "softmax,log_softmax,cross_entropy,topk_softmax", "rope",
        "latency.online_recomputation"},
    {"sums that many threads add to", "atomics,sparse,reduction", "embedding,moe_align,moe", NULL,
        "sync.atomic_privatization,sync.warp_aggregated_atomics"},
    {"a choice of the largest", "sort", "topk_softmax,moe_fused_gate,argmax", NULL,
        "compute.sorting_network,compute.candidate_filter"},
    {"a search in rows", "sort", "argmax", NULL, "launch.multi_block_radix"},
    {"data that one thread reads again", "norm,attention,stencil,sort,scan,fft,sparse",
        "cross_entropy", NULL, "memory.register_cache"},
    {"a reduction", "reduction,norm,attention,sort,scan,moe,sparse", "quantize,gemv", "rope",
        "sync.warp_level_reduction,sync.warp_per_row,compute.reduction"},
    {"products in FP8", "gemm,attention", "moe", "gemv,rope",
        "compute.fp8_fast_accumulation,compute.two_level_accumulation"},
};

/* A register file holds 64 K words, so a wave of 32 lanes at most 255 per lane; a kernel of less
 * than 20 us costs no more than its launch. The cure of a cost needs the cost: conflicts, waits. */
#define PARALLELISM "launch.more_parallelism"
static const struct lore_technique_test tests[] = {
    {"a shape that is known before the launch", LORE_FACT_SHAPE, 0, 1, NULL,
        "compute.fast_path_dispatch"},
    {"rows that are multiples of 16 bytes", LORE_FACT_WHOLE_VECTORS, 0, 1, NULL,
        "memory.vectorized_access,memory.async_copy,memory.lds_wide_access"},
    {"inputs of 8 bits or less", LORE_FACT_ELEMENT_BITS, 16, 8, NULL,
        "compute.fp8_fast_accumulation,compute.two_level_accumulation,compute.bit_dequantize"},
    {"inputs of 16 bits or less", LORE_FACT_ELEMENT_BITS, 32, 16, NULL,
        "memory.lds_transpose_read"},
    {"inputs of 32 bits", LORE_FACT_ELEMENT_BITS, 16, 32, NULL,
        "compute.split_precision_emulation"},
    {"rows short enough for the registers of one wave", LORE_FACT_ROW, 4096, 2048, NULL,
        "sync.warp_per_row"},
    {"a row long enough for many blocks", LORE_FACT_ROW, 8192, 65536, NULL,
        "launch.multi_block_radix"},
    {"fewer output tiles than the chip has units", LORE_FACT_FEW_TILES, 0, 1, NULL,
        "memory.split_k"},
    {"fewer output tiles than the chip has units", LORE_FACT_FEW_TILES, 0, 1, NULL, PARALLELISM},
    {"a long reduction", LORE_FACT_DEPTH, 256, 1024, NULL, "memory.split_k,launch.stream_k"},
    {"a last wave of tiles that leaves units idle", LORE_FACT_TAIL, 0, 1, NULL, "launch.stream_k"},
    {"inputs larger than L2", LORE_FACT_INPUTS_PER_L2, 0.5, 1, NULL, "memory.l2_grouped_ordering"},
    {"more blocks than fit on the chip at once", LORE_FACT_WAVES, 1, 1.5, NULL,
        "compute.thread_coarsening,launch.persistent_kernel,launch.dynamic_scheduler"},
    {"tiles in shared memory", LORE_FACT_SHARED_BYTES, 1024, 4096, "memory.tiling_smem",
        "memory.smem_padding,memory.smem_swizzle,memory.lds_wide_access,memory.lds_double_buffer,"
        "memory.async_copy,memory.ldmatrix_stmatrix,memory.lds_transpose_read,memory.smem_reuse,"
        "memory.tma_multicast,memory.distributed_smem,memory.multi_stage_pipeline"},
    {"shared memory for one more stage", LORE_FACT_SHARED_SHARE, 0.75, 0.4, NULL,
        "memory.multi_stage_pipeline,memory.lds_double_buffer"},
    {"registers to spare", LORE_FACT_REGISTERS, 200, 128, NULL,
        "compute.register_tile,compute.loop_unroll,latency.increase_ilp"},
    {"matrix units that are idle", LORE_FACT_MATRIX_UNITS, 5, 1, NULL, "compute.tensor_core"},
    {"bank conflicts", LORE_FACT_CONFLICTS, 10, 20, NULL,
        "memory.smem_padding,memory.smem_swizzle"},
    {"spilled registers", LORE_FACT_SPILLED, 0, 1, NULL, "memory.smem_register_spilling"},
    {"an occupancy below 60 %", LORE_FACT_OCCUPANCY, 60, 40, NULL, "latency.increase_occupancy"},
    {"matrix units in use", LORE_FACT_MATRIX_UNITS, 1, 5, "compute.tensor_core",
        "memory.ldmatrix_stmatrix,memory.lds_transpose_read,memory.accvgpr_storage,memory.tensor_"
        "memory,compute.two_cta_mma,latency.pingpong_schedule,compute.two_level_accumulation,"
        "compute.fp8_fast_accumulation"},
    {"barriers that warps wait at", LORE_FACT_BARRIER_WAITS, 0.1, 1, NULL,
        "sync.reduce_barriers,sync.asymmetric_barrier"},
    {"global loads by threads", LORE_FACT_GLOBAL_LOADS, 0, 1, NULL,
        "memory.vectorized_access,memory.coalesced_access,memory.readonly_path"},
    {"lanes that idle", LORE_FACT_ACTIVE_LANES, 90, 75, NULL, "compute.branch_eliminate"},
    {"fewer blocks than fit on the chip at once", LORE_FACT_WAVES, 1, 0.9, NULL, PARALLELISM},
    {"inputs of 32 bits or less", LORE_FACT_ELEMENT_BITS, 65, 32, NULL, "compute.tensor_core"},
    {"a kernel so short that its launch costs time", LORE_FACT_DURATION_US, 200, 20, NULL,
        "launch.graphs,launch.dependent_launch,launch.stream_overlap"},
};

/* Techniques whose kind of work, or place, is all that they need. */
static const char nothing_else[] =
    "compute.autotuning,compute.compiler_flags,compute.fast_exp,compute.fast_math,compute.launch_"
    "config,compute.mixed_precision,compute.reduction,compute.sparse_matrix,compute.warp_shuffle,"
    "latency.flash_tiling,latency.online_recomputation,memory.constant_memory,memory.low_precision_"
    "io,memory.register_cache,memory.tiling_smem,sync.atomic_privatization,sync.warp_aggregated_"
    "atomics,sync.warp_level_reduction";

/* Techniques that are part of others. */
static const struct {
    const char *technique, *of;
} parts[] = {
    {"compute.thread_coarsening", "compute.register_tile,compute.tensor_core"},
    {"memory.multi_stage_pipeline", "memory.lds_double_buffer,compute.warp_specialization"},
    {"memory.async_copy", "compute.warp_specialization,memory.tma_multicast"},
    {"memory.vectorized_access",
        "compute.warp_specialization,memory.tma_multicast,memory.async_copy"},
    {"memory.tiling_smem",
        "memory.smem_padding,memory.smem_swizzle,memory.ldmatrix_stmatrix,memory.tma_multicast,"
        "compute.warp_specialization,latency.flash_tiling"},
};

/* BITS: of the narrowest inputs whose result changes. */
static const struct {
    const char *technique;
    double bits;
    const char *how;
} changes[] = {
    {"compute.tensor_core", 32, "32-bit inputs are rounded to TF32 or narrower"},
    {"compute.split_precision_emulation", 32, "products are sums of narrower ones"},
    {"compute.mixed_precision", 0, "products are narrower"},
    {"compute.fp8_fast_accumulation", 0, "sums are narrower"},
    {"compute.block_scaled_precision", 0, "inputs have 4 to 8 bits"},
    {"compute.sparse_matrix", 0, "half of the weights become 0"},
    {"compute.fast_math", 0, "functions are approximate"},
    {"compute.fast_exp", 0, "the exponential is approximate"},
    {"memory.low_precision_io", 0, "stored values have fewer bits"},
};

/* Languages whose compiler places threads and shared memory, and what one cannot say in them. */
static const char blocks_only[] = "triton,helion,pallas,cutile";
static const char chooses_units[] = "triton,helion,pallas,cutile,tilelang,croqtile";
static const char of_threads[] =
    "memory.smem_padding,memory.smem_swizzle,memory.ldmatrix_stmatrix,"
    "memory.lds_wide_access,memory.lds_transpose_read,memory.tiling_smem,"
    "memory.coalesced_access,memory.async_copy,memory.accvgpr_storage,memory.smem_reuse,"
    "memory.distributed_smem,compute.warp_shuffle,compute.no_alias,compute.scalar_uniform,"
    "compute.inline_asm,sync.warp_level_reduction,sync.warp_aggregated_atomics,"
    "sync.reduce_barriers,sync.asymmetric_barrier,sync.cluster_sync";

enum answer { UNKNOWN, MET, LACKING };

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

const struct lore_technique_test *
lore_technique_tests(size_t *n)
{
    *n = sizeof tests / sizeof *tests;
    return tests;
}

static const char *
slug_of(const char *name)
{
    const struct lore_technique *known = lore_technique_find(name);

    return known ? known->slug : name;
}

/* Whether the version has a technique of LIST. */
static bool
has_any(const struct lore_technique_place *at, const char *list)
{
    for (size_t i = 0; list && i < at->n_has; i++)
        if (list_has(list, at->has[i]))
            return true;
    return false;
}

static enum answer
kind_answer(const struct lore_technique_need *k, const char *op)
{
    const struct lore_operator *known = op ? lore_operator_find(op) : NULL;

    if (!known)
        return UNKNOWN;
    return !list_has(k->not_operators, known->name) &&
                   (list_has(k->families, known->family) || list_has(k->operators, known->name))
               ? MET
               : LACKING;
}

static enum answer
test_answer(const struct lore_technique_test *t, const struct lore_technique_place *at)
{
    const struct lore_place_facts *f = at->facts;

    if (has_any(at, t->shown_by))
        return MET;
    if (!f || !f->known[t->fact])
        return UNKNOWN;
    bool up = t->no < t->yes;
    double v = f->v[t->fact];

    if (up ? v <= t->no : v >= t->no)
        return LACKING;
    return (up ? v >= t->yes : v <= t->yes) ? MET : UNKNOWN;
}

static const char *
kind_lacking(const char *slug, const char *op)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (list_has(kinds[i].techniques, slug) && kind_answer(&kinds[i], op) == LACKING)
            return kinds[i].what;
    return NULL;
}

static const char *
fact_lacking(const char *slug, const struct lore_technique_place *at)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (list_has(tests[i].techniques, slug) && test_answer(&tests[i], at) == LACKING)
            return tests[i].what;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lore_streq(parts[i].technique, slug) && has_any(at, parts[i].of))
            return "a version without it: what is there includes it";
    return NULL;
}

static const char *
language_lacks(const char *slug, const struct lore_technique_place *at)
{
    const struct lore_place_facts *f = at->facts;

    if (at->language && list_has(blocks_only, at->language) && list_has(of_threads, slug))
        return "a language in which one places threads and shared memory";
    if (at->language && list_has(chooses_units, at->language) && f &&
        f->known[LORE_FACT_ELEMENT_BITS] && f->v[LORE_FACT_ELEMENT_BITS] <= 16 &&
        lore_streq(slug, "compute.tensor_core"))
        return "a language whose compiler does not use the matrix units by itself";
    return NULL;
}

const char *
lore_technique_lacks(const char *name, const struct lore_technique_place *at)
{
    const char *slug = slug_of(name), *lacks;
    enum lore_gate gate = lore_technique_gate(slug, at->chip, NULL);

    if (gate == LORE_GATE_ARCH || gate == LORE_GATE_FEATURE)
        return "another chip";
    /* Which solver a library takes is its choice; nobody can write it into a kernel. */
    if (lore_starts(name, "miopen.") &&
        ((at->language && !list_has("library,other", at->language)) ||
            (at->chip && !lore_streq(at->chip->vendor, "amd"))))
        return "the library MIOpen";
    lacks = kind_lacking(slug, at->op);
    if (!lacks)
        lacks = fact_lacking(slug, at);
    return lacks ? lacks : language_lacks(slug, at);
}

/* What nearly every kernel has is worth no word while nothing is known of it, nor are the tiles of
 * a product where blocks decide. */
static bool
is_usual(const struct lore_technique_test *t)
{
    return t->fact == LORE_FACT_GLOBAL_LOADS ||
           (t->fact == LORE_FACT_FEW_TILES && lore_streq(t->techniques, PARALLELISM)) ||
           (t->fact == LORE_FACT_MATRIX_UNITS && t->yes < t->no);
}

static const char *
and_also(struct lore_arena *arena, const char *text, const char *more)
{
    return text ? lore_format(arena, "%s, and %s", text, more) : more;
}

const char *
lore_technique_asks(
    const char *name, const struct lore_technique_place *at, struct lore_arena *arena)
{
    const char *slug = slug_of(name), *text = NULL;
    const struct lore_technique_info *info = lore_technique_info(slug);
    bool tested = list_has(nothing_else, slug);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (list_has(kinds[i].techniques, slug) && kind_answer(&kinds[i], at->op) == UNKNOWN)
            text = and_also(arena, text, kinds[i].what);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (!list_has(tests[i].techniques, slug))
            continue;
        tested = true;
        if (!is_usual(&tests[i]) && test_answer(&tests[i], at) == UNKNOWN)
            text = and_also(arena, text, tests[i].what);
    }
    return tested || !info ? text : and_also(arena, text, info->needs);
}

static bool
is_cost(enum lore_place_fact fact)
{
    return fact == LORE_FACT_FEW_TILES || fact == LORE_FACT_TAIL || fact == LORE_FACT_WAVES ||
           fact == LORE_FACT_SPILLED || fact == LORE_FACT_CONFLICTS ||
           fact == LORE_FACT_OCCUPANCY || fact == LORE_FACT_ACTIVE_LANES ||
           fact == LORE_FACT_BARRIER_WAITS || fact == LORE_FACT_DURATION_US ||
           fact == LORE_FACT_MATRIX_UNITS;
}

bool
lore_technique_is_called_for(const char *name, const struct lore_technique_place *at)
{
    const char *slug = slug_of(name);

    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (list_has(tests[i].techniques, slug) && is_cost(tests[i].fact) && at->facts &&
            at->facts->known[tests[i].fact] && test_answer(&tests[i], at) == MET)
            return true;
    return false;
}

const char *
lore_technique_changes(const char *name, const struct lore_technique_place *at)
{
    const struct lore_place_facts *f = at->facts;
    const char *slug = slug_of(name);

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bool wide = f && f->known[LORE_FACT_ELEMENT_BITS] &&
                    f->v[LORE_FACT_ELEMENT_BITS] >= changes[i].bits;
        if (lore_streq(changes[i].technique, slug) && (changes[i].bits == 0 || wide))
            return changes[i].how;
    }
    return NULL;
}
