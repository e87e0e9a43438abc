/* Signatures of techniques in machine code, sorted by technique and target. SASS names are those
 * that disassemblers print (wgmma is HGMMA or QGMMA, an mbarrier is SYNCS, setmaxnreg is
 * USETMAXREG, griddepcontrol is ACQBULK and PREEXIT), checked on listings of sm_80, sm_90a, sm_100a
 * and sm_120; AMDGCN names on gfx90a and gfx942. A pattern that ordinary kernels also have (FFMA,
 * MUFU.EX2, LOP3, atomics) is a hint: only its absence proves something ("missing"). A technique
 * that can also be written without these instructions has no row, because "missing" could be wrong.
 * To add one, add a row; raise the version of a row that changes. */
#include <string.h>

#include "collectors/isa/check.h"
#include "service/catalogue/catalogue.h"

#define SASS LORE_ISA_SASS
#define GCN LORE_ISA_AMDGCN
#define P(...)                                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define NONE                                                                                       \
    {                                                                                              \
        0                                                                                          \
    }

/* Shared pieces. */
#define MMA "^([HIQBDO]MMA|[HQIB]GMMA|UTC[HQIO]MMA)([.]|$| )"
#define GMMA "^[HQIB]GMMA[.]"
#define FMA "^([FD]FMA2?([.]|$)|HFMA2([.][A-Z0-9_]+)*$)"
/* HADD2.F32 is how a half becomes a float: no arithmetic in halves. */
#define HALF "^(H(FMA2|MUL2)([.][A-Z0-9_]+)*|HADD2([.](BF16|BF16_V2|SAT|FTZ))*)$"
#define SHUFFLE "^SHFL[.]"
#define REDUX "^C?REDUX([.]|$)"
#define GLOBAL_ATOMIC "^(ATOM|ATOMG|RED|REDG)[.]"
#define MFMA "^v_(mfma|smfmac|wmma|swmmac)_"
#define DPP "_dpp( |$)"
#define LANES "^(ds_b?permute_|ds_swizzle_|v_permlane|v_permlanex)"
#define GCN_ATOMIC "^(global|buffer|flat)_atomic_"
#define GCN_TO_LDS "^(global|buffer)_load_lds_|^buffer_load_.* lds( |$)"

static const struct lore_isa_signature table[] = {
    {"compute.bit_dequantize", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^LOP3[.]", "^PRMT"),
        "Logic instructions are in nearly every kernel.", 1},
    {"compute.block_scaled_precision", SASS, LORE_ISA_ANY, 0, P("^UTC[HQIO]MMA.* scaled$"), NONE,
        P("^UTC[QO]MMA", "^[QO]MMA[.]"), "A tensor product that reads block scales.", 1},
    {"compute.block_scaled_precision", GCN, LORE_ISA_ANY, 0, P("^v_mfma_scale_"), NONE, NONE,
        "A matrix product with scales.", 1},
    {"compute.fast_exp", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^MUFU[.]EX2"),
        "The exact exponential uses this instruction too.", 1},
    {"compute.fast_exp", GCN, LORE_ISA_ANY, 0, NONE, NONE, P("^v_exp_f(16|32)"),
        "The exact exponential uses this instruction too.", 1},
    {"compute.fast_math", SASS, LORE_ISA_ANY, 0, NONE, NONE, P(FMA, "^MUFU[.]"),
        "Compilers fuse and approximate without being asked.", 1},
    {"compute.fast_math", GCN, LORE_ISA_ANY, 0, NONE, NONE,
        P("^v_(pk_)?fma", "^v_(rcp|rsq|sqrt|exp|log|sin|cos)_"),
        "Compilers fuse and approximate without being asked.", 1},
    {"compute.fp8_fast_accumulation", SASS, LORE_ISA_ANY, 0, NONE, NONE,
        P("^QGMMA[.]", "^QMMA[.]", "^UTCQMMA"),
        "Shows FP8 products; how wide they accumulate is in the operands.", 1},
    {"compute.gemm_softmax_interleave", SASS, LORE_ISA_ALL, 0, NONE, NONE, P(MMA, "^MUFU[.]EX2"),
        "Products and exponentials are there; their order is not looked at.", 1},
    {"compute.gemm_softmax_interleave", GCN, LORE_ISA_ALL, 0, NONE, NONE, P(MFMA, "^v_exp_f"),
        "Products and exponentials are there; their order is not looked at.", 1},
    {"compute.instruction_scheduling", GCN, LORE_ISA_ANY, 0,
        P("^s_setprio$", "^;sched_group_barrier$", "^;sched_barrier$", "^;iglp_opt$"), NONE,
        P(MFMA, "^ds_(read|load)_"),
        "Scheduler directives exist only in assembler text; a disassembly does not show them.", 1},
    {"compute.mixed_precision", SASS, LORE_ISA_ANY, 0,
        P("^([HIQBO]MMA|[HQIB]GMMA|UTC[HQIO]MMA)([.]|$| )", HALF), NONE,
        P("^F2F", "^F2FP", "^I2F", "^HADD2[.]F32"), "Arithmetic in a narrow format.", 1},
    {"compute.mixed_precision", GCN, LORE_ISA_ANY, 0,
        P("^v_(mfma|smfmac|wmma).*(f16|bf16|fp8|bf8|f8f6f4|i8)", "^v_pk_(fma|mul|add)_b?f16",
            "^v_dot2"),
        NONE, P("^v_cvt_"), "Arithmetic in a narrow format.", 1},
    {"compute.packed_math", SASS, LORE_ISA_ANY, 0, P(HALF, "^F(FMA|ADD|MUL)2([.]|$)"), NONE, NONE,
        "Two results per lane and instruction; constants loaded that way do not count.", 1},
    {"compute.packed_math", GCN, LORE_ISA_ANY, 0, P("^v_pk_(fma|mul|add)_"), NONE, NONE,
        "Two results per lane and instruction.", 1},
    {"compute.register_tile", SASS, LORE_ISA_ANY, 0, NONE, NONE, P(FMA, MMA, "^(IMAD|IDP)([.]|$)"),
        "Multiply-adds do not show how a tile is held.", 1},
    {"compute.register_tile", GCN, LORE_ISA_ANY, 0, NONE, NONE,
        P("^v_(pk_)?(fma|fmac|mac|mad|dot)", MFMA), "Multiply-adds do not show how a tile is held.",
        1},
    {"compute.scalar_uniform", GCN, LORE_ISA_ANY, 0, P("^v_readfirstlane_b32"), NONE,
        P("^s_(add|mul|lshl)_"), "A value made uniform by hand.", 1},
    {"compute.sparse_matrix", SASS, LORE_ISA_ANY, 0, P("^([HIQO]MMA|[HQI]GMMA)[.].*SP([.]|$)"),
        NONE, P(MMA), "A product with 2:4 sparsity.", 1},
    {"compute.sparse_matrix", GCN, LORE_ISA_ANY, 0, P("^v_(smfmac|swmmac)_"), NONE, NONE,
        "A product with 2:4 sparsity.", 1},
    {"compute.split_precision_emulation", SASS, LORE_ISA_ANY, 0, NONE, NONE,
        P("^HMMA[.].*(TF32|BF16)", "^HGMMA[.].*(TF32|BF16)", "^UTC[HQ]MMA"),
        "Shows products of narrow numbers, not that they emulate a wide product.", 1},
    {"compute.tensor_core", SASS, LORE_ISA_ANY, 0, P(MMA), NONE, NONE,
        "Matrix instructions of any generation.", 1},
    {"compute.tensor_core", GCN, LORE_ISA_ANY, 0, P(MFMA), NONE, NONE, "Matrix instructions.", 1},
    {"compute.two_level_accumulation", SASS, LORE_ISA_ANY, 0, NONE, NONE,
        P("^QGMMA[.]", "^QMMA[.]", "^UTCQMMA"),
        "Shows FP8 products; the promotion looks like any addition.", 1},
    {"compute.two_level_accumulation", GCN, LORE_ISA_ANY, 0, NONE, NONE,
        P("^v_(mfma|smfmac)_.*(fp8|bf8|f8f6f4)"),
        "Shows FP8 products; the promotion looks like any addition.", 1},
    {"compute.warp_shuffle", SASS, LORE_ISA_ANY, 0, P(SHUFFLE), NONE, P(REDUX),
        "Values move between lanes.", 1},
    {"compute.warp_shuffle", GCN, LORE_ISA_ANY, 0, P(DPP, LANES), NONE, P("^v_readlane_b32"),
        "Values move between lanes.", 1},
    {"compute.warp_specialization", SASS, LORE_ISA_ANY, 0, P("^USETMAXREG[.]", "^BAR[.]ARV"), NONE,
        P("^SYNCS[.]", "^ATOMS[.]ARRIVE", "^BAR[.]SYNC.* named$"),
        "Registers moved between warps, or a barrier that some warps pass without waiting.", 1},
    {"latency.flash_tiling", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^MUFU[.]EX2", MMA),
        "Shows an exponential and products, not where scores are kept.", 1},
    {"latency.flash_tiling", GCN, LORE_ISA_ANY, 0, NONE, NONE, P("^v_exp_f", MFMA),
        "Shows an exponential and products, not where scores are kept.", 1},
    {"latency.online_recomputation", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^MUFU[.]EX2"),
        "Any softmax has the exponential.", 1},
    {"latency.online_recomputation", GCN, LORE_ISA_ANY, 0, NONE, NONE, P("^v_exp_f"),
        "Any softmax has the exponential.", 1},
    {"latency.pingpong_schedule", SASS, LORE_ISA_ALL, 0,
        P(GMMA, "^BAR[.]ARV", "^BAR[.]SYNC.* named$", "^USETMAXREG[.]"), NONE, P(GMMA),
        "Warp-group products, named barriers for taking turns, registers moved.", 1},
    {"latency.register_reallocation", SASS, LORE_ISA_ALL, 0,
        P("^USETMAXREG[.]TRY_ALLOC", "^USETMAXREG[.]DEALLOC"), NONE, NONE,
        "Registers given up by some warps and taken by others.", 1},
    {"launch.dependent_launch", SASS, LORE_ISA_ANY, 0, P("^ACQBULK", "^PREEXIT"), NONE, NONE,
        "Waits for the previous kernel, or lets the next kernel start.", 1},
    {"launch.dynamic_scheduler", SASS, LORE_ISA_ANY, 0, P("^UGETNEXTWORKID"), NONE,
        P(GLOBAL_ATOMIC), "The hardware's work queue; a counter in memory looks like any atomic.",
        1},
    {"launch.dynamic_scheduler", GCN, LORE_ISA_ANY, 0, NONE, NONE, P(GCN_ATOMIC),
        "A work counter looks like any atomic.", 1},
    {"memory.accvgpr_storage", GCN, LORE_ISA_ANY, 0, P("^v_accvgpr_(read|write|mov)"), NONE, NONE,
        "Accumulation registers are read or written by hand.", 1},
    {"memory.async_copy", SASS, LORE_ISA_ANY, 0, P("^LDGSTS[.]", "^UTMA(LDG|STG|REDG)", "^UBLKCP"),
        NONE, NONE, "Copies that bypass registers.", 1},
    {"memory.async_copy", GCN, LORE_ISA_ANY, 0, P(GCN_TO_LDS), NONE, NONE,
        "Loads that land in LDS.", 1},
    {"memory.buffer_descriptor", GCN, LORE_ISA_ANY, 0,
        P("^buffer_(load|store|atomic)_.* (offen|idxen)"), NONE, P("^buffer_(load|store|atomic)_"),
        "Buffer access with an offset register; without one it may be the stack.", 1},
    {"memory.cache_hints", SASS, LORE_ISA_ANY, 0,
        P("^(LDG|STG|LD|ST|LDGSTS)[.](.*[.])?(EF|EL|LU|NA)([.]|$)"), NONE,
        P("^(LDG|STG)[.].*(STRONG|CONSTANT|LTC)"),
        "An eviction policy; STRONG can be a load cached at L2, or a volatile load.", 1},
    {"memory.cache_hints", GCN, LORE_ISA_ANY, 0, P("^(global|buffer|flat)_.* (slc|nt)( |$)"), NONE,
        P(" (glc|sc0|sc1|dlc)( |$)"), "A streaming bit; the coherence bits are hints.", 1},
    {"memory.constant_memory", GCN, LORE_ISA_ANY, 0, NONE, NONE, P("^s_(buffer_)?load_"),
        "Every kernel loads its arguments that way.", 1},
    {"memory.distributed_smem", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^UCGABAR_", "^(LD|ST)[.]E"),
        "Another block's shared memory is reached by ordinary generic loads.", 1},
    {"memory.im2col_copy", SASS, LORE_ISA_ANY, 0, P("^UTMALDG.*IM2COL"), NONE, NONE,
        "The copy engine's convolution mode.", 1},
    {"memory.ldmatrix_stmatrix", SASS, LORE_ISA_ANY, 0, P("^LDSM[.]", "^STSM[.]", "^MOVM[.]"), NONE,
        NONE, "Collective fragment loads, stores or transposes.", 1},
    {"memory.lds_double_buffer", GCN, LORE_ISA_ANY, 0, NONE, NONE,
        P("^ds_(write|store)_", GCN_TO_LDS),
        "Shows LDS being filled, not that two tiles take turns.", 1},
    {"memory.lds_transpose_read", GCN, LORE_ISA_ANY, 0, P("^ds_read_b(64|96)_tr_"), NONE, NONE,
        "Transposing reads from LDS.", 1},
    {"memory.lds_wide_access", GCN, LORE_ISA_ANY, 0,
        P("^ds_(read|write|load|store)_b(96|128)", "^ds_(read|write|load|store)2(st64)?_b64"), NONE,
        NONE, "16 bytes per lane and LDS instruction.", 1},
    {"memory.multi_stage_pipeline", SASS, LORE_ISA_ALL, 0,
        P("^LDGSTS[.]", "^DEPBAR[.]LE outstanding$"), NONE,
        P("^LDGSTS[.]", "^UTMALDG", "^SYNCS[.]", "^STS([.]|$)", "^LDG[.]"),
        "Copies stay in flight across a wait; other pipelines are not recognised.", 1},
    {"memory.multi_stage_pipeline", GCN, LORE_ISA_ANY, 0, NONE, NONE,
        P("^s_waitcnt.*vmcnt outstanding", "^ds_(write|store)_", GCN_TO_LDS,
            "^(global|buffer|flat)_load"),
        "Loads stay in flight across waits in most kernels.", 1},
    {"memory.readonly_path", SASS, LORE_ISA_ANY, 0,
        P("^LDG[.](.*[.])?(CONSTANT|CI)([.]|$)", "^(TEX|TLD|TLD4)([.]|$)"), NONE, NONE,
        "Loads through the read-only or texture path.", 1},
    {"memory.register_pressure", SASS, LORE_ISA_NO_SPILL, 0, NONE, NONE, NONE,
        "No local memory is loaded or stored; an array in local memory counts as a spill.", 1},
    {"memory.register_pressure", GCN, LORE_ISA_NO_SPILL, 0, NONE, NONE, NONE,
        "The compiler counts no spill; without its count, nothing accesses scratch memory.", 1},
    {"memory.smem_register_spilling", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^STS([.]|$)"),
        "A spill to shared memory looks like any store to it.", 1},
    {"memory.tensor_map_reuse", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^UTMALDG", "^UTMACCTL"),
        "Shows that descriptors are used, not who builds them.", 1},
    {"memory.tiling_smem", SASS, LORE_ISA_ALL, 0,
        P("^(STS|STSM|LDGSTS|UTMALDG|UBLKCP)([.]|$)",
            "^(LDS|LDSM|[HQIB]GMMA|UTC[HQIO]MMA)([.]|$| )"),
        NONE, NONE, "Shared memory is filled and read.", 1},
    {"memory.tiling_smem", GCN, LORE_ISA_ALL, 0,
        P("^ds_(write|store)|" GCN_TO_LDS, "^ds_(read|load)"), NONE, NONE,
        "LDS is filled and read.", 1},
    {"memory.tma_descriptor_tuning", SASS, LORE_ISA_ANY, 0, NONE, NONE, P("^UTMA(LDG|STG)"),
        "Box and swizzle stand in the descriptor, not in the code.", 1},
    {"memory.tma_multicast", SASS, LORE_ISA_ANY, 0, P("^UTMALDG.*MULTICAST", "^UBLKCP.*MULTICAST"),
        NONE, NONE, "A copy that feeds several blocks.", 1},
    {"memory.vectorized_access", SASS, LORE_ISA_ANY, 0,
        P("^(LDG|STG|LD|ST|LDGSTS)[.](.*[.])?(128|256)([.]|$)"), NONE,
        P("^(LDG|STG|LD|ST|LDGSTS)[.](.*[.])?64([.]|$)", "^(LDS|STS)[.](.*[.])?128([.]|$)"),
        "Global accesses of 16 bytes or more per lane; one of 8 may be a single double.", 1},
    {"memory.vectorized_access", GCN, LORE_ISA_ANY, 0,
        P("^(global|buffer|flat)_(load|store)_(lds_)?(dwordx[34]|b96|b128)"), NONE,
        P("^(global|buffer|flat)_(load|store)_(dwordx2|b64)", "^ds_(read|write|load|store)_b128"),
        "Global accesses of 12 bytes or more per lane; one of 8 may be a single double.", 1},
    {"sync.asymmetric_barrier", SASS, LORE_ISA_ANY, 0,
        P("^SYNCS[.](ARRIVE|PHASECHK)", "^ATOMS[.]ARRIVE", "^BAR[.]ARV"), NONE,
        P("^BAR[.]SYNC.* named$"),
        "A barrier in shared memory, or one that some warps pass without waiting.", 1},
    {"sync.atomic_privatization", SASS, LORE_ISA_FEWER, 0, P(GLOBAL_ATOMIC), NONE, NONE,
        "Fewer global atomics in the code; how often they run is not visible.", 1},
    {"sync.atomic_privatization", GCN, LORE_ISA_FEWER, 0, P(GCN_ATOMIC), NONE, NONE,
        "Fewer global atomics in the code; how often they run is not visible.", 1},
    {"sync.cluster_sync", SASS, LORE_ISA_ANY, 0, P("^UCGABAR_"), NONE,
        P("^BAR[.]", "^WARPSYNC", SHUFFLE, GLOBAL_ATOMIC),
        "The barrier of a cluster; other cooperative groups have no instruction of their own.", 1},
    {"sync.reduce_barriers", SASS, LORE_ISA_FEWER, 0, P("^BAR[.](SYNC|RED)"), NONE, NONE,
        "Fewer block barriers in the code.", 1},
    {"sync.reduce_barriers", GCN, LORE_ISA_FEWER, 0, P("^s_barrier"), NONE, NONE,
        "Fewer block barriers in the code.", 1},
    {"sync.warp_aggregated_atomics", SASS, LORE_ISA_ALL, 0,
        P("^VOTEU?[.]", "^U?POPC", "^(ATOM|ATOMG|ATOMS|RED|REDG)[.]"), NONE, P(REDUX, SHUFFLE),
        "Vote, count, one atomic; compilers do this to simple counters by themselves.", 1},
    {"sync.warp_aggregated_atomics", GCN, LORE_ISA_ALL, 0,
        P("^v_mbcnt_", "^(global|buffer|flat)_atomic_|^ds_(add|sub|inc|dec)_"), NONE,
        P(DPP, LANES, "^s_bcnt1"),
        "Lane count, then an atomic; compilers do this to simple counters by themselves.", 1},
    {"sync.warp_level_reduction", SASS, LORE_ISA_ANY, 0, P(SHUFFLE, REDUX), NONE, NONE,
        "Lanes exchange values without shared memory.", 1},
    {"sync.warp_level_reduction", GCN, LORE_ISA_ANY, 0, P(DPP, LANES), NONE, P("^v_readlane_b32"),
        "Lanes exchange values without a block barrier.", 1},
    {"sync.warp_per_row", SASS, LORE_ISA_ANY, 0, P(SHUFFLE, REDUX), P("^BAR[.](SYNC|RED)"), NONE,
        "Lanes exchange values and no block barrier is left.", 1},
    {"sync.warp_per_row", GCN, LORE_ISA_ANY, 0, P(DPP, LANES), P("^s_barrier"), NONE,
        "Lanes exchange values and no block barrier is left.", 1},
};

const struct lore_isa_signature *
lore_isa_signatures(size_t *n)
{
    *n = sizeof table / sizeof *table;
    return table;
}

const struct lore_isa_signature *
lore_isa_signature(const char *technique, enum lore_isa_target target)
{
    const struct lore_technique *t = lore_technique_find(technique);

    for (size_t i = 0; t != NULL && i < sizeof table / sizeof *table; i++)
        if (table[i].target == target && strcmp(table[i].technique, t->slug) == 0)
            return &table[i];
    return NULL;
}
