/* The table of features (source_code.h): what in a source shows which techniques. To add a feature,
 * add a row; the patterns must be certain signs, not likely ones. */
#include "service/catalogue/source_code.h"

#define C LORE_CODE_C
#define PY LORE_CODE_PYTHON
#define OWN "="
#define BULK "cp.async.bulk*|cp_async_bulk*|SM90_TMA_LOAD*|SM90_BULK_COPY*"
#define ASYNC                                                                                      \
    "cp.async.ca*|cp.async.cg*|__pipeline_memcpy_async|memcpy_async (|SM80_CP_ASYNC*|cp_async*|"   \
    "__builtin_amdgcn_global_load_lds|*load_to_lds*|*_load_lds*|LDGSTS*|" BULK
#define SHUFFLE                                                                                    \
    "*shfl*_sync (|*shfl* (|shfl.sync*|__builtin_amdgcn_ds_bpermute|ds_bpermute_b32|"              \
    "__builtin_amdgcn_*dpp*|*_dpp *|SHFL*"

const struct lore_code_feature lore_code_features[] = {
    {"compute.tensor_core", C,
        "mma.sync*|mma.sp*|wgmma.mma_async*|tcgen05.mma*|wmma.mma*|mma_sync (|v_mfma_*|v_wmma_*|"
        "v_smfmac_*|__builtin_amdgcn_mfma_*|__builtin_amdgcn_wmma_*|__builtin_amdgcn_smfmac_*|HMMA*"
        "|"
        "IMMA*|QGMMA*|HGMMA*|SM80_16x8* |SM90_64x*|SM100_MMA*|warpgroup_arrive (|MMA_Atom",
        NULL, OWN},
    {"compute.tensor_core,memory.tiling_smem", PY,
        "tl . dot (|tl . dot_scaled (|T . gemm (|T . wgmma_gemm (|hl . dot (|cute . gemm (|"
        "warpgroup_mma (|tcgen05_mma (|mma_v2 (|amd_mfma (",
        NULL, NULL},
    {"compute.tensor_core", PY, "torch . addmm (|torch . matmul (|torch . baddbmm (", "hl . tile (",
        NULL},
    {"compute.block_scaled_precision", PY, "tl . dot_scaled (", NULL, NULL},
    {"compute.block_scaled_precision", C, "*kind::mxf*|*block_scale*|*_mfma_scale_*", NULL, OWN},
    {"compute.sparse_matrix", C, "mma.sp*|wgmma.mma_async.sp*|*smfmac*", NULL, OWN},
    {"compute.two_cta_mma", C, "tcgen05.mma.cta_group::2*|*cta_group::2*", NULL, OWN},
    {"memory.tensor_memory", C, "tcgen05.alloc*|tcgen05.ld*", NULL, OWN},
    {"memory.ldmatrix_stmatrix", C, "ldmatrix.*|stmatrix.*|SM75_U*_LDSM*|SM90_U*_STSM*|LDSM*", NULL,
        OWN},
    {"memory.async_copy", C, ASYNC, NULL, OWN},
    {"memory.async_copy", PY,
        "async_copy . *|tma . async_copy*|T . async_copy (|tl . make_tensor_descriptor (|"
        "cpasync . *|TensorDescriptor . from_tensor",
        NULL, NULL},
    {"memory.vectorized_access,memory.tiling_smem", C, BULK, NULL, NULL},
    {"memory.vectorized_access", C,
        "@vector|ld.global*.v2*|ld.global*.v4*|st.global*.v4*|ld.volatile.global.v4*|cp.async.cg*|"
        "__pipeline_memcpy_async ( .. , 16 )|global_load_dwordx4|global_load_b128|"
        "buffer_load_dwordx4|buffer_load_b128|*raw_buffer_load_b128|LDG.E.128*",
        NULL, NULL},
    {"memory.lds_wide_access", C,
        "@wide_shared|ld.shared*.v4*|st.shared*.v4*|ds_read_b128|ds_write_b128|ds_read2*_b64|LDS."
        "128",
        NULL, "@shared|*shared*|ds_read*"},
    {"memory.tiling_smem", C, "@tile_copy", NULL, "@shared|*shared*|ds_write*|*lds*"},
    {"memory.tiling_smem", PY,
        "T . alloc_shared (|SharedLayout (|allocate_shared_memory (|*make_smem*", NULL, NULL},
    {"memory.smem_swizzle", C,
        "@swizzle|CU_TENSOR_MAP_SWIZZLE_32B|CU_TENSOR_MAP_SWIZZLE_64B|CU_TENSOR_MAP_SWIZZLE_128B|"
        "Swizzle < #2|*_SW128_*|*_SW64_*",
        NULL, "@shared|*shared*|*lds*"},
    {"memory.smem_swizzle", PY,
        "make_swizzled_layout (|SwizzledSharedLayout (|NVMMASharedLayout (|make_swizzle (", NULL,
        NULL},
    {"memory.smem_padding", C, "@padding", NULL,
        "extern __shared__|*shared*|*pad*|*PAD*|*Pad*|+ 1 ]"},
    {"memory.smem_padding", PY, "PaddedSharedLayout (", NULL, NULL},
    {"memory.multi_stage_pipeline", C,
        "@double_buffer|__pipeline_wait_prior ( #1|cp.async.wait_group #1|cp_async_wait < #1|"
        "pipeline_consumer_wait_prior < #1|pipeline_shared_state < .. , #2",
        NULL, NULL},
    {"memory.multi_stage_pipeline", C, "% *STAGE*|% *stages*|% *Stages*|PipelineTmaAsync*",
        "mbarrier.*|" ASYNC, NULL},
    {"memory.multi_stage_pipeline", PY, "range ( .. num_stages = #2|Pipelined ( .. num_stages = #2",
        NULL, NULL},
    {"memory.multi_stage_pipeline", PY, "num_stages = #2", "tl . dot (|tl . dot_scaled (", NULL},
    {"compute.loop_unroll", C, "pragma unroll *|pragma unroll|_Pragma (", NULL, NULL},
    {"compute.loop_unroll", PY,
        "static_range (|T . unroll (|range_constexpr (|unroll = True|"
        "loop_unroll_factor = #2|unroll_full = True",
        NULL, NULL},
    {"compute.warp_shuffle", C, SHUFFLE, NULL, OWN},
    {"compute.warp_shuffle", PY, "shuffle_sync_*|shuffle_down (|T . shfl*|T . tvm_warp_shuffle*",
        NULL, NULL},
    {"sync.warp_level_reduction", C,
        "*shfl_down* (|*shfl_xor* (|shfl.sync.bfly*|shfl.sync.down*|__reduce_*_sync|redux.sync*|"
        "WarpReduce <|*_dpp *|__builtin_amdgcn_*dpp* (",
        NULL, SHUFFLE "|*reduce* (|*Reduce* <|redux*"},
    {"sync.warp_level_reduction", PY, "warp_reduction* (|warp_reduce* (|T . warp_reduce*", NULL,
        NULL},
    {"sync.warp_per_row", C, "@warp_per_row", NULL, NULL},
    {"sync.atomic_privatization", C, "@shared_atomic|== 0 ) atomic*|== 0 ) { atomic*", NULL, NULL},
    {"sync.warp_aggregated_atomics", C, "__match_any_sync|coalesced_threads|match.any*", NULL, OWN},
    {"sync.asymmetric_barrier", C,
        "mbarrier.*|bar.sync #1|barrier.sync*|cuda :: barrier|s_waitcnt|ClusterTransactionBarrier|"
        "__builtin_amdgcn_s_waitcnt|bar.arrive*|named_barrier_sync|NamedBarrier",
        NULL, NULL},
    {"sync.asymmetric_barrier", PY, "mbarrier . *|T . mbarrier_*|NamedBarrier (", NULL, NULL},
    {"sync.cluster_sync", C,
        "this_grid (|this_cluster (|barrier.cluster*|__cluster_dims__|cluster_sync (|"
        "cluster_arrive*|cudaLaunchAttributeClusterDimension",
        NULL, NULL},
    {"memory.distributed_smem", C, "map_shared_rank (|ld.shared::cluster*|st.async*", NULL, OWN},
    {"memory.tma_multicast", C, "*multicast::cluster*|SM90_TMA_LOAD_MULTICAST*", NULL, OWN},
    {"memory.tma_descriptor_tuning", C,
        "CU_TENSOR_MAP_SWIZZLE_32B|CU_TENSOR_MAP_SWIZZLE_64B|CU_TENSOR_MAP_SWIZZLE_128B", NULL,
        NULL},
    {"memory.tensor_map_reuse", C, "__grid_constant__", "CUtensorMap", NULL},
    {"compute.no_alias", C, "__restrict__|__restrict|restrict", NULL, OWN},
    {"memory.readonly_path", C,
        "__ldg (|ld.global.nc*|const $ * __restrict__|const $ * __restrict|tex1Dfetch*|tex2D*|"
        "LDG.E.CONSTANT*",
        NULL, NULL},
    {"memory.register_pressure", C,
        "__launch_bounds__|__maxnreg__|amdgpu_waves_per_eu|amdgpu_num_vgpr", NULL, NULL},
    {"memory.register_pressure", PY, "maxnreg = #2|waves_per_eu = #1", NULL, NULL},
    {"latency.register_reallocation", C, "setmaxnreg.*|warpgroup_reg_alloc*|warpgroup_reg_dealloc*",
        NULL, OWN},
    {"latency.register_reallocation", PY, "T . set_max_nreg (|warpgroup_reg_* (", NULL, NULL},
    {"compute.warp_specialization", C,
        "setmaxnreg.*|warpgroup_reg_alloc*|KernelTma*WarpSpecialized*|pipeline_role :: producer",
        NULL, NULL},
    {"compute.warp_specialization", PY,
        "warp_specialize = True|warp_specialize (|T . ws (|enable_warp_specialization = True", NULL,
        NULL},
    {"compute.register_tile", C, "@register_tile", NULL, NULL},
    {"compute.thread_coarsening", C, "@coarse|@persistent|@register_tile", NULL, NULL},
    {"latency.increase_ilp", C, "@accumulators", NULL, NULL},
    {"memory.register_cache", C, "@register_cache", NULL, NULL},
    {"launch.persistent_kernel", C, "@persistent|PersistentTileScheduler*", NULL, NULL},
    {"launch.persistent_kernel", PY,
        "range ( tl . program_id ( #0 ) , $ , $|range ( .. tl . num_programs (|range ( .. "
        "NUM_SMS|range ( .. NUM_SM|T . Persistent (|"
        "StaticPersistentTileScheduler*",
        NULL, NULL},
    {"latency.online_recomputation", C | PY, "@running_maximum", NULL, NULL},
    {"latency.flash_tiling", PY, "@running_maximum", "tl . dot (|T . gemm (|torch . baddbmm (",
        NULL},
    {"latency.flash_tiling", C, "@running_maximum",
        "mma.sync*|wgmma.mma_async*|mma_sync (|*mfma_*|SM80_16x8*|SM90_64x*|tcgen05.mma*", NULL},
    {"compute.fast_exp", C,
        "__expf (|__exp2f (|exp2f (|ex2.approx*|h2exp* (|hexp* (|h2exp2 (|v_exp_f32*|"
        "__builtin_amdgcn_exp2f|MUFU.EX2",
        NULL, OWN},
    {"compute.fast_exp", PY, "exp2 (", NULL, NULL},
    {"compute.fast_math", C,
        "rsqrtf (|__frsqrt_rn (|__fdividef (|__frcp_* (|__logf (|__log2f (|__sinf (|__cosf (|"
        "__powf (|rcp.approx*|rsqrt.approx*|__builtin_amdgcn_rcp*|__builtin_amdgcn_rsq*|v_rcp_f32*",
        NULL, NULL},
    {"compute.fast_math", PY, "rsqrt (|fast_expf (|fast_dividef (|enable_fast_math = True", NULL,
        NULL},
    {"compute.packed_math", C,
        "__hfma2 (|__hadd2 (|__hmul2 (|__hsub2 (|__hmax2 (|__hfma2_* (|fma.rn.f16x2*|"
        "fma.rn.bf16x2*|fma.rn.f32x2*|add.f16x2*|mul.f16x2*|v_pk_fma_*|v_pk_mul_*|v_pk_add_*|"
        "HFMA2*",
        NULL, NULL},
    {"compute.bit_dequantize", C, "lop3.*", NULL, NULL},
    {"compute.inline_asm", C, "asm|__asm__", NULL, OWN},
    {"compute.inline_asm", PY, "inline_asm_elementwise (|inline_asm (", NULL, NULL},
    {"compute.instruction_scheduling", C,
        "__builtin_amdgcn_sched_*|__builtin_amdgcn_iglp_opt|__builtin_amdgcn_s_setprio|s_setprio",
        NULL, OWN},
    {"compute.scalar_uniform", C, "__builtin_amdgcn_readfirstlane|v_readfirstlane_b32", NULL, NULL},
    {"compute.autotuning", PY,
        "@ triton . autotune|@ autotune|@ tilelang . autotune|@ gluon . autotune", NULL, NULL},
    {"memory.buffer_descriptor", C,
        "*raw_buffer_load*|*raw_buffer_store*|*make_buffer_r*|buffer_load_dword*|buffer_load_b*",
        NULL, OWN},
    {"memory.lds_transpose_read", C, "ds_read_b64_tr*|ds_read_tr*|*ds_read_tr*", NULL, OWN},
    {"memory.accvgpr_storage", C, "v_accvgpr_*", NULL, OWN},
    {"memory.cache_hints", C,
        "__ldcs (|__ldcg (|__ldlu (|__ldcv (|__stcs (|__stcg (|__stwt (|ld.global*.L1::*|"
        "ld.global.cs*|ld.global.cg*|st.global.cs*|*.L2::evict*|*.L2::cache_hint*|createpolicy.*|"
        "__builtin_nontemporal_load|__builtin_nontemporal_store|ld.global*evict*",
        NULL, OWN},
    {"memory.cache_hints", PY, "eviction_policy =|cache_modifier =|load_eviction_policies =", NULL,
        NULL},
    {"memory.constant_memory", C, "__constant__|cudaMemcpyToSymbol*|hipMemcpyToSymbol*", NULL, OWN},
    {"memory.l2_persistence_window", C,
        "cudaAccessPropertyPersisting|accessPolicyWindow|cudaStreamAttributeAccessPolicyWindow",
        NULL, NULL},
    {"memory.l2_grouped_ordering", PY,
        "tl . swizzle2d (|GROUP_SIZE_M = #2|GROUP_M = #2|T . use_swizzle (|// num_pid_in_group|// "
        "( GROUP*|l2_groupings =",
        NULL, NULL},
    {"memory.split_k", C | PY,
        "*split_k* = #2|*SPLIT_K* = #2|*splitk* = #2|SPLITK = #2|*kSplits = #2|SplitKSerial*|"
        "SplitKParallel*",
        NULL, NULL},
    {"launch.stream_k", C | PY, "*StreamK*|*stream_k*|*streamk*|STREAM_K", NULL, NULL},
    {"launch.dynamic_scheduler", C, "clusterlaunchcontrol.*", NULL, NULL},
    {"launch.dependent_launch", C,
        "griddepcontrol.*|cudaGridDependencySynchronize (|cudaTriggerProgrammaticLaunchCompletion "
        "(",
        NULL, NULL},
    {"launch.dependent_launch", PY, "launch_pdl = True|gdc_wait (|gdc_launch_dependents (", NULL,
        NULL},
    {"launch.graphs", C | PY,
        "cudaGraphLaunch (|cudaStreamBeginCapture*|hipGraphLaunch (|CUDAGraph (", NULL, NULL},
};
const size_t lore_code_n_features = sizeof lore_code_features / sizeof *lore_code_features;

const struct lore_code_feature lore_code_moot[] = {
    {"memory.smem_padding", C, "@swizzle|CU_TENSOR_MAP_SWIZZLE_*B|Swizzle < #2", NULL, "="},
    {"memory.ldmatrix_stmatrix,compute.register_tile", C, "wgmma.mma_async*|tcgen05.mma*", NULL,
        "="},
    {"memory.readonly_path,memory.coalesced_access", C, BULK, NULL, NULL},
    {"sync.warp_per_row,compute.thread_coarsening,compute.packed_math", C,
        "mma.sync*|wgmma.mma_async*|tcgen05.mma*|mma_sync (|v_mfma_*|__builtin_amdgcn_mfma_*", NULL,
        NULL},
    {"compute.register_tile,compute.thread_coarsening,memory.register_cache,"
     "memory.vectorized_access,sync.warp_per_row",
        PY, "tl . dot (|tl . dot_scaled (", NULL, NULL},
    {"memory.register_cache", PY, "@no_loop", NULL, NULL},
    {"sync.reduce_barriers", C, "@no_barrier", NULL, NULL},
    {"memory.smem_padding,memory.smem_swizzle,memory.lds_wide_access,memory.smem_reuse", C,
        "@no_shared", NULL, NULL},
};
const size_t lore_code_n_moot = sizeof lore_code_moot / sizeof *lore_code_moot;
