/* The phrases of techniques and parameters: see word_table.h. Techniques by slug. To teach the
 * resolver how people say something, add a phrase to its row; a name of its own that somebody may
 * type as a whole is an alias in technique_table.c. */
#include "service/catalogue/word_table.h"

const struct lore_word_phrases lore_word_phrases[] = {
    /* Words that name a problem, a resource or a measurement. */
    {NULL, "register pressure|compile/compilation/lowering pipeline|producer consumer overlap|smem "
           "limit/overflow/exceeded/size/pressure/usage/capacity/budget|tile/block/thread "
           "count|single/one/half warp row|pad to|hazard/seq/sequence/len/dim "
           "pad|query/input/feature/matrix vector|warp & simd|cache hit/miss/line"},
    {"compute.autotuning",
        "autotune|auto tune|tune/sweep/search & size/config/configuration/parameter/tile|parameter "
        "search/sweep|grid search|exhaustive search|triton config|tune/search "
        "space|autotune/tune/sweep/search & tile/block/thread/stage/warp & "
        "size/shape/config/count"},
    {"compute.bit_dequantize", "lop3|dequantize & lop3/bit/trick/shift/prmt/permute|bit & "
                               "dequantize|magic number dequantize|prmt & convert/dequantize"},
    {"compute.block_scaled_precision",
        "block scale precision/format/fp4/fp8/mma|microscale|mx "
        "format|ue8m0|nvfp4/mxfp4/mxfp6/mxfp8 mma/precision|nvfp4 & mxfp8|mxfp4 & mxfp8|mxfp8 & "
        "mxfp6|use nvfp4/mxfp4/mxfp8|block scale structure/layout/factor|level scale|scale "
        "granularity"},
    {"compute.branch_eliminate",
        "branchless|branch free|remove/eliminate/avoid/fewer & "
        "branch/divergence|predicate|remove/drop/eliminate/skip bound/boundary check|bound check "
        "removal/elimination|divergence free|warp retire|select instead branch|mask instead "
        "branch|uniform branch|early exit/out|floor & skip/branch|diverge & "
        "retire/avoid/instead/reduce/less|active thread side"},
    {"compute.candidate_filter",
        "threshold/floor & list/filter/candidate/enter/skip|candidate "
        "list/filter/buffer|prefilter|survivor & list|pre filter|filter candidate"},
    {"compute.compiler_flags",
        "compiler/nvcc/hipcc/ptxas/llvm flag/option/switch|xptxas|xcompiler|lineinfo|generate line "
        "info|default stream|warn spill|res usage|expt relaxed|opt level|expensive "
        "optimization|forceinline|force inline|device vectorization|align double|relocatable "
        "device|lto|o2|o3|combined flag|best flag|rdc|mllvm|amdgpu flag"},
    {"compute.fast_exp",
        "expf|exp2f|exp2|ex2|fast exp/exponential|exponential & "
        "fast/approximate/hardware/expf/ex2/polynomial/intrinsic|expf/logf intrinsic|mufu "
        "ex2|software exp|exp approximation|approximate exp|polynomial exp/exp2"},
    {"compute.fast_math", "fast math|use fast math|fused multiply add|ffast math|rcp/reciprocal & "
                          "approximate/multiply/instead|rsqrt|fmaf|approximate "
                          "division/divide|fast division intrinsic|fdividef|ftz|fmad"},
    {"compute.fast_path_dispatch",
        "fast path|specialize * shape/size/kernel/path|shape specialize|dispatch & "
        "special/shape/size/specialize/kernel/path|special case|separate kernel * "
        "small/large|template specialize|compile time shape/constant/size|hardcode * "
        "size/shape/stride/dim|constexpr * shape/size/stride/dim|path not auto selected|path "
        "select/selected/selection|full path|per shape/size/k/dim specialize"},
    {"compute.fp8_fast_accumulation", "fp8 fast accumulate/accumulation/accum|fast accum"},
    {"compute.gemm_softmax_interleave", "softmax & interleave|softmax & overlap & "
                                        "gemm/mma/matmul|overlap softmax|interleave qk/pv"},
    {"compute.inline_asm",
        "inline ptx/asm/assembly|handwritten ptx/asm/assembly/sass|hand write/written asm|asm "
        "volatile|raw ptx|sass edit/assembly|ptx ^mma/wgmma/ldmatrix/cp/fma|ptx "
        "code/assembly/intrinsic|via/raw/use/write/custom ptx|ptx inline"},
    {"compute.instruction_scheduling",
        "iglp|iglp opt|sched group barrier|sched barrier|setprio|s setprio|instruction "
        "schedule/reorder/order|schedule hint|reorder & instruction/load/mma/mfma|isa schedule"},
    {"compute.interior_border_split",
        "interior & border/edge/boundary/halo|border/boundary/edge path|halo split|full tile "
        "path|tail/remainder tile separate"},
    {"compute.launch_config",
        "launch config/configuration/parameter|tile/block shape/dim|tile/block/grid size "
        "tune/select/selection/change/sweep|tile size|block size|thread "
        "layout/map/mapping|map/mapping & thread|# thread|thread per block|# warp "
        "per/block/program|warp per block/program|# element per warp|@ element per warp|warp "
        "layout|@ warp/warps|smaller/bigger/larger tile|smaller/larger block|more/fewer "
        "warp|more/fewer thread|retile|@ tile|@ block|tile config|@ mma tile|step of k|@ cell|step "
        "& tile|block & # cell|grid shape|wider/larger tile n|output tile|warp count|wider/larger "
        "v/n/m/k tile"},
    {"compute.loop_unroll", "unroll|loop unroll|full unroll|pragma unroll|static range"},
    {"compute.mixed_precision",
        "mixed precision|fp16/bf16/half/fp8/tf32 compute/math/accumulate/accumulator|compute & "
        "fp16/bf16/fp8/half|accumulate & fp16/half|low/reduced/lower precision compute/math|half "
        "precision accumulate/compute|lowprecision compute|mixedprecision|low bitwidth"},
    {"compute.no_alias", "restrict|no alias|noalias|alias elimination|pointer alias"},
    {"compute.overlap_compute_memory",
        "overlap & compute/math/mma/wgmma/mfma/copy/load/memory/tma/store|latency hide|interleave "
        "& load/mma/mfma/memory/compute|latencyhide|hide & latency"},
    {"compute.packed_math",
        "half2 math/arithmetic/fma|hfma2|bfloat162|v pk fma|pk fma/add/mul|packed "
        "math/fp32/half/arithmetic/fma/instruction|hadd2|hmul2|fma2|ffma2|v pk"},
    {"compute.pad_to_power_of_two", "pad & power|round & power|next power of two/2|pow2 pad"},
    {"compute.reduction", "tree reduce/reduction|two phase/pass/stage reduce/reduction|block "
                          "reduce/reduction|hierarchical reduce/reduction|pairwise "
                          "reduce/reduction/sum|reduction restructure/tree|tree * reduction"},
    {"compute.register_tile", "register tile/block|thread tile|@ element/output/result/value per "
                              "thread|outer product|compute @ per thread|tile register|micro "
                              "tile|microtile|@ per thread|@ register tile|2d register"},
    {"compute.scalar_uniform",
        "readfirstlane|scalar register|sgpr|uniform & register/datapath/value/scalar"},
    {"compute.sorting_network", "sort network|bitonic"},
    {"compute.sparse_matrix", "structured sparsity|mma sp|sparse mma|smfmac|sparse tensor core"},
    {"compute.split_precision_emulation",
        "3xtf32|bf16x6|bf16x9|bf16x3|split precision|tf32 emulation|emulate & fp32"},
    {"compute.strength_reduce",
        "strength reduce/reduction|fast divmod|fastdivmod|replace division/modulo|division & "
        "shift/multiply|hoist & address/index/offset/scale/invariant/computation|index/address "
        "simplify/simplification/precompute|precompute & index/address/offset/pointer/stride|loop "
        "invariant|pointer increment|hoist|strengthreduce"},
    {"compute.tensor_core", "~tensor core|~wmma|~wgmma|~mfma|mma sync|~mma|~tcgen05|~umma|~matrix "
                            "core|~hmma|mma atom|tf32 tensor/mma|wmma instruction/fragment|tensor "
                            "op|warpgroup instruction/mma/operation|wmma/wgmma/mma/mfma "
                            "kernel/fp16/f16/bf16/fp8"},
    {"compute.thread_coarsening",
        "coarsen|# row/query/column/output/element/cell/value per thread/block/program/cta|walk # "
        "cell|# element * per thread|many/several/multiple/more element/row/output/value|more work "
        "per thread|thread many element|row per block/program/thread|query row per block|element "
        "per thread|# cell * per thread|# cell & thread|multiple & per thread|work per thread|item "
        "per thread|multi row|walk # cell"},
    {"compute.two_cta_mma", "pair umma|cta pair|cta group|2sm|2 sm mma/cooperative|peer cta|2 cta "
                            "mma/umma/kernel|cta group 2|# cta cooperate|2 cta * kernel"},
    {"compute.two_level_accumulation",
        "two level accumulate/accumulation|promote/promotion & accumulator/accumulate/fp32|partial "
        "accumulator promote/promotion|cuda core promotion|accumulation promotion"},
    {"compute.warp_shuffle", "warp shuffle|shfl|shuffle|shfl xor/down/sync|shuffle exchange|ds "
                             "bpermute|bpermute|permlane|ds swizzle|cross lane"},
    {"compute.warp_specialization",
        "warp specialize|warpspecialize|special warp|producer & consumer|producer/consumer "
        "warp/warpgroup|dedicated & warp/warpgroup|warpgroup load & compute|load warp|# "
        "producer|consumer warp|warp special|# consumer "
        "warp/warpgroup/group|tma/mma/dma/load/epilogue/softmax/correction/copy/compute/math/store "
        "warp|warp role"},
    {"latency.flash_tiling",
        "flash attention tile/style|flash style|tiled attention|score matrix never|attention tile"},
    {"latency.increase_ilp",
        "ilp|instruction level parallel|independent & accumulator/load/chain|# independent "
        "load/accumulator/chain|independent chain|split accumulator|# "
        "accumulator|multiple/several/more accumulator|# load flight|# load in flight"},
    {"latency.increase_occupancy",
        "occupancy tune/target|more block/cta/warp per sm/cu|# block/cta per sm/cu|more warp in "
        "flight|higher/more occupancy|increase/raise/improve/boost * occupancy"},
    {"latency.online_recomputation",
        "online softmax|online normalize/normalizer/normalization|running max/maximum|single pass "
        "softmax|one pass softmax|rescaled sum|online recompute/recomputation"},
    {"latency.pingpong_schedule",
        "ping pong|pingpong|ping pong schedule/kernel|warpgroup take turn|alternate warpgroup"},
    {"latency.register_reallocation",
        "setmaxnreg|set max nreg|register reallocate/reallocation|regctrl|warpgroup reg "
        "alloc/dealloc|register reconfigure|regdealloc|warpgroup reg/register alloc/dealloc"},
    {"launch.dependent_launch", "pdl|programmatic dependent launch|dependent "
                                "launch|griddepcontrol|grid dependency|gdc wait/launch"},
    {"launch.dynamic_scheduler", "dynamic & schedule/scheduler|work steal/stealing|atomic & tile & "
                                 "counter/scheduler|cluster launch control|clc|dynamic tile "
                                 "schedule/scheduler|work queue|atomic counter work/tile"},
    {"launch.graphs", "cuda/hip graph|graph capture/replay/launch"},
    {"launch.more_parallelism",
        "more/increase/extra parallel/parallelism|split & more block|one block per "
        "row/head/column|parallel over row/head/batch/sequence|more block/cta|double cta "
        "count|fill * sm|increase grid"},
    {"launch.multi_block_radix", "radix select/selection|multi block radix"},
    {"launch.persistent_kernel",
        "persistent|persistent kernel/block/cta/program/thread/grid/loop/gemm|# block per sm & "
        "walk|one block per sm|block per sm * walk/loop|only as many block|as many block as "
        "fit|persistent tile schedule/scheduler"},
    {"launch.stream_k", "stream k|streamk"},
    {"launch.stream_overlap", "multi stream|multiple/concurrent/parallel/two stream|concurrent "
                              "kernel|stream overlap|side stream"},
    {"memory.accvgpr_storage", "agpr|accvgpr|acc vgpr|accumulation register"},
    {"memory.async_copy",
        "cp async|~tma|tma load/store/copy|async copy/load/store|bulk copy/store/load|copy "
        "engine|direct to lds|buffer load lds|tensor memory accelerator|tensor descriptor|global "
        "load lds|cp async bulk|memcpy async|async global|async dma"},
    {"memory.buffer_descriptor",
        "buffer descriptor/resource/load/store|raw buffer|make buffer resource|buffer op"},
    {"memory.cache_hints",
        "cache hint/modifier/policy/operator/control|evict first/last|eviction "
        "priority/policy/hint|stream load/store/hint|mark & stream|nontemporal|non "
        "temporal|ldcs|stcs|ldcg|ldca|stwt|no allocate|l1 no allocate|slc/glc|dlcm|l1 cach|bypass "
        "& l1/l2/cache|l2 256b|l2 promotion|promote & l2|level1 eviction|cache global|l1 evict"},
    {"memory.coalesced_access",
        "coalesce|coalesce access/load/store/read/write|contiguous access/load/read|adjacent "
        "thread access|uncoalesced fix|neighbour/neighbor thread"},
    {"memory.constant_memory", "constant memory/cache/mem|s load|scalar cache|use cmem|cmem"},
    {"memory.data_layout",
        "data layout|structure/struct of array|soa|layout "
        "change/transform/conversion/transformation|preshuffle|pre shuffle|weight "
        "shuffle/layout/pack|reorder data/weight/layout|memory layout change|k major|transposed "
        "layout|layout for * alignment|need * layout|interleaved layout|repack|swap layout|data "
        "reorder/rearrange|aos|reorder & soa/alignment/layout/pad|soa & pad|soa & alignment & pad "
        "& reorder|pre permute|permute weight|prepack|pre pack|prepermute"},
    {"memory.distributed_smem",
        "distributed smem|dsmem|distributed shared|cluster smem|cluster reduce/reduction"},
    {"memory.epilogue_fusion",
        "epilogue fuse|fuse & epilogue|fuse bias/activation/scale/scaling/relu/gelu|epilogue "
        "visitor|evt|fuse & bias/activation/dequantize/silu/scale/scaling|fuse & activation"},
    {"memory.float4_fragment_reuse",
        "fragment reuse|register fragment * reuse|reuse vector fragment"},
    {"memory.im2col_copy", "implicit gemm|im2col"},
    {"memory.kernel_fusion",
        "kernel fuse|fuse kernel|fuse & "
        "kernel/operator/op/norm/pass/loop/rope/quantize/add/into|op fuse|operator "
        "fuse|megakernel|mega kernel|single kernel fuse|fuse & and/with"},
    {"memory.l2_grouped_ordering",
        "group order|swizzle group|group size|swizzle size|l2 swizzle|swizzle & "
        "l2|block/tile/cta/grid/threadblock/xcd swizzle|tile/tiles in "
        "group|raster|rasterize|rasterization|l2 group/grouping|supergroup|super group|diagonal & "
        "block/schedule/walk/tile|walk & group/diagonal|tile order|block order|hilbert|z "
        "order|morton|scheduler swizzle|xcd remap|remap & block/cta/tile/xcd|column major tile|l2 "
        "tile|swizzle & block/cta/grid/xcd/raster/id"},
    {"memory.l2_persistence_window",
        "l2 persistent|l2 persist|persist & l2|persistent & l2|access policy window|l2 set "
        "aside|l2 residency|persistent cache window|access window"},
    {"memory.ldmatrix_stmatrix",
        "ldmatrix|stmatrix|ldsm|stsm|ld matrix|st matrix|ldmatrix x4|movmatrix"},
    {"memory.lds_double_buffer", "lds double buffer|double buffer lds|lds ping pong|ping pong "
                                 "lds|two lds buffer|lds & double & buffer"},
    {"memory.lds_transpose_read",
        "ds read tr|ds read b64 tr|transpose read lds|lds transpose read/load|transposing "
        "read|transpose load|ds load tr|ds load tr16"},
    {"memory.lds_wide_access",
        "ds read b128|ds write b128|ds read2|wide lds|lds & # bit|lds vectorize|# byte "
        "read/write/access smem|wide smem|vectorize smem|# byte & smem"},
    {"memory.low_precision_io",
        "fp16/bf16/fp8/int8/int4/half io/storage/load/store|store & "
        "fp16/bf16/fp8/int8/half|compress * io/load/store|quantize io|low precision io"},
    {"memory.multi_stage_pipeline",
        "# stage|software pipeline|pipeline stage/depth/loop/load|multi "
        "stage|multistage|~pipeline|stage pipeline|double/triple/quad/quadruple/multi "
        "buffer|doublebuffer|buffer double/triple|prefetch|next tile/row/block/iteration/stage * "
        "flight/load|load * next row/tile/block|next row/tile/one * in flight|next tile * load|# "
        "tile in flight|circular/ring buffer|load ahead|lookahead|num stage|deep pipeline|two "
        "buffer|stage fill|more/fewer/less stage|single stage|# tile & flight|k "
        "interblock|interblock|doublebuffer|stage count|load while/during|next * loaded|next * "
        "being loaded"},
    {"memory.readonly_path",
        "~ldg|read only cache/path/load|readonly cache/load|texture cache/path|load & read "
        "only|mark & read only|const restrict|~tex|read only path|readonly path"},
    {"memory.register_cache",
        "keep/hold/cache/stay/retain & register|register resident|register cache|in register "
        "between|cell * register|row in register|hold * row|hand in register|stay in "
        "register|value in register|register reuse"},
    {"memory.register_pressure",
        "launch bound|bound * launch|maxrregcount|maxreg|max registers|maxnreg|register "
        "budget/budgeting/limit/cap/cap|cap/limit/bound/constrain & "
        "register|reduce/lower/less/fewer register/vgpr|register pressure control/reduction|reduce "
        "register pressure|avoid/eliminate/reduce/remove/fix & spill/spilling|waves per eu|warp "
        "per eu|reg limit|min blocks|minblocks|spill free"},
    {"memory.smem_padding", "pad & smem/lds/tile/stride/column/bank/row|~pad|smem/lds pad|pad "
                            "smem/lds|bank conflict & pad|pad # element"},
    {"memory.smem_register_spilling",
        "spill & smem|smem register spill|smem spill|register spill & smem"},
    {"memory.smem_reuse",
        "share kv lds|share & lds & buffer/kv|lds share|smem/lds alias/union/overlay|reuse & "
        "smem/lds & buffer|alias smem/lds|share * lds|overlay smem"},
    {"memory.smem_swizzle",
        "swizzle|smem/lds/xor/bank swizzle|swizzle & smem/lds/xor/bank/conflict|xor & "
        "permute/column/address/index/bank|permute & bank/xor|swizzled smem|swizzle tile"},
    {"memory.split_k",
        "split k|splitk|k split|split kv|slice k|split & reduction|flash decoding|split sequence"},
    {"memory.tensor_memory", "~tmem|~tensor memory|accumulator & tmem"},
    {"memory.tensor_map_reuse",
        "tensor map reuse/rebuild|grid constant|descriptor reuse/hoist|reuse descriptor|prefetch "
        "descriptor/tensormap|descriptor prefetch"},
    {"memory.tiling_smem",
        "smem tile|tile & smem/lds|stage & smem/lds|smem stage/staging|cache & "
        "smem/lds|row/column/tile/neighbour in smem|smem cache|smem reuse|block tile smem|lds "
        "tile|stage in smem|use smem/lds|keep & smem/lds|read & smem & tile|cooperative "
        "load/preload|through "
        "smem/lds|!without/no/drop/remove/disable/avoid/skip smem/lds"},
    {"memory.tma_descriptor_tuning",
        "tma descriptor|tma swizzle|tma box|descriptor swizzle|tensor map swizzle|tma & "
        "swizzle/box|tma swizzle mode|swizzle mode|tma descriptor swizzle|tma descriptor swizzle "
        "multicast"},
    {"memory.tma_multicast", "multicast|tma multicast|cluster multicast|multicast & cluster"},
    {"memory.vectorized_access",
        "float4|uint4|int4 load|dwordx4|dwordx2|ldg128|ldg 128|ld128|float2|vectorize "
        "load/store/access/io/read/write/copy/gmem|vectorize & "
        "load/store/access/gmem|float4/float2/half2/half4/half8/uint4/uint2/int4/dwordx4 "
        "load/store/read/write/access/io/copy|float4 & vectorize|half2 load/store|wide "
        "load/store/read/write/access/transaction|# byte load/store/access/vector|# byte "
        "time/once|load/store/read/write * # byte|load/store * # byte|# bit "
        "load/store/copy/access/vector/transaction/io|vec2/vec4/vec8 "
        "load/store/copy/access|# float/bf16/half/value/element/word per "
        "instruction/load/store/transaction|load/store # float/bf16/half/element|word of # "
        "byte|vec load/store|# byte per load/lane/instruction/transaction|128b load/store/access|# "
        "bit ldg"},
    {"sync.asymmetric_barrier",
        "mbarrier|named barrier|warpgroup wait|warpgroup & wait|waitcnt|s "
        "waitcnt|vmcnt|lgkmcnt|wait group|cp async wait|barrier arrive|split arrive|arrive & "
        "wait|wait count|transaction barrier|full/empty barrier|meet at mbarrier|warpgroup "
        "arrive|warpgroup commit|wait depth|arrive"},
    {"sync.atomic_privatization",
        "histogram per warp/block/thread|per warp/block/thread histogram/counter|local & "
        "atomic|counter per lane/thread/warp|count in smem|count without atomic|counter of|# "
        "counter|merge once|column of counter|private copy/histogram/counter|privatized "
        "copy/histogram|privatize & "
        "histogram/atomic/counter/copy/thread/warp/smem/accumulator|smem histogram"},
    {"sync.cluster_sync",
        "cluster synchronize|cooperative group|grid synchronize|cluster barrier|thread block "
        "cluster|block cluster|cluster size|cluster launch|cooperative cluster|grid barrier"},
    {"sync.reduce_barriers",
        "remove/fewer/reduce/drop/eliminate/skip/less & barrier/fence|barrier/fence removal|remove "
        "synchronize|fewer synchronize|# barrier instead|# barrier per|redundant barrier|merge "
        "barrier|remove & barrier|synchronize warp instead|redundant & barrier"},
    {"sync.warp_aggregated_atomics", "warp aggregated|aggregate & atomic|match any|one atomic per "
                                     "warp|atomic per warp|warp aggregate|add once for all"},
    {"sync.warp_level_reduction",
        "warp reduce/reduction|warp level reduce/reduction|shuffle reduce/reduction|reduction "
        "in/inside warp|dpp|warp shuffle & replace|warp shuffle "
        "reduce/reduction|butterfly|reduction & warp/shuffle/dpp|reduce * "
        "in/inside/by/with/across/via * warp/shuffle/dpp/lane|reduce inside/within warp|reduction "
        "& warp & shuffle|reduce & warp & shuffle"},
    {"sync.warp_per_row", "warp per row|# warp per row|row to one warp|each row & warp|row per "
                          "warp|warp & # row each|give & row & warp|warp owns row"},
};
const size_t lore_n_word_phrases = sizeof lore_word_phrases / sizeof *lore_word_phrases;

const char lore_words_alone[] =
    "shared memory|register pressure|bank conflict|data layout|tensor core matrix|latency "
    "hiding|flash attention|half precision|structured sparsity|multi stream|fast path|tile "
    "shape|instruction level parallelism|memory coalescing|flash decoding split|cooperative "
    "groups|implicit gemm|increase parallelism|stream event|packed io|memory.cache and "
    "readonly|block reduce|launch configuration|buffer load|buffer resource|constant cache|read "
    "only cache|scalar loads|uniform values|named barriers|texture cache|grid sync|thread "
    "layout|more parallel work|kernel fusion|loop unrolling|launch config|tensor cores|matrix "
    "core|tensor core";

#define TILES "memory.tiling_smem,compute.register_tile"
#define CONFIG "compute.launch_config"
const struct lore_word_parameter lore_word_parameters[] = {
    {"block_k", CONFIG, TILES, "block k|bk|tile k|tk|block size k|ktile|k tile", LORE_VALUE_BEHIND},
    {"block_m", CONFIG, TILES, "block m|bm|tile m|tm|block size m|mtile", LORE_VALUE_BEHIND},
    {"block_n", CONFIG, TILES, "block n|bn|tile n|tn|block size n|ntile", LORE_VALUE_BEHIND},
    {"block_size", CONFIG, TILES, "block size|block sizes|block shape|block", LORE_VALUE_SHAPE},
    {"block_v", CONFIG, TILES, "block v|bv|tile v", LORE_VALUE_BEHIND},
    {"blocks_per_sm", "latency.increase_occupancy",
        CONFIG ",launch.persistent_kernel,memory.register_pressure",
        "block per sm|block per cu|min block|occupancy hint", LORE_VALUE_STEPS},
    {"bytes", "memory.vectorized_access", "memory.lds_wide_access,memory.async_copy",
        "byte load/store/access/read/write/per/time/once", LORE_VALUE_COUNT},
    {"cluster", "sync.cluster_sync", "memory.tma_multicast,memory.distributed_smem",
        "cluster size|cluster shape|cluster m|num cta|cluster", LORE_VALUE_BEHIND},
    {"consumers", "compute.warp_specialization", "",
        "consumer|num consumer|consumer warp|consumer group|consumer warpgroup|num consumer group",
        LORE_VALUE_STEPS},
    {"elements_per_thread", "compute.thread_coarsening",
        "compute.register_tile,memory.register_cache",
        "element per thread|item per thread|value per thread|output per thread|work per "
        "thread|cell per thread",
        LORE_VALUE_COUNT},
    {"group", "memory.l2_grouped_ordering", "",
        "group size m|group size|group m|l2 group|swizzle group|supergroup|swizzle size|group",
        LORE_VALUE_BEHIND},
    {"iglp_opt", "compute.instruction_scheduling", "", "iglp opt", LORE_VALUE_BEHIND},
    {"launch_bounds", "memory.register_pressure", CONFIG, "launch bound", LORE_VALUE_BEHIND},
    {"num_stages", "memory.multi_stage_pipeline", "memory.lds_double_buffer",
        "num stage|stage|pipeline stage|pipeline depth|stage count|n stage|stage pipeline|num "
        "buffer|prefetch distance",
        LORE_VALUE_STEPS},
    {"num_warps", CONFIG, "", "num warp|warp|n warp|nwarp|warp per program|warp per block",
        LORE_VALUE_COUNT},
    {"padding", "memory.smem_padding", "", "pad|smem pad|lds pad|element pad|pad by",
        LORE_VALUE_COUNT},
    {"producers", "compute.warp_specialization", "",
        "producer|num producer|producer warp|producer warpgroup", LORE_VALUE_STEPS},
    {"registers", "memory.register_pressure", "latency.register_reallocation",
        "maxrregcount|max register|maxnreg|maxreg|num vgpr|register limit|register cap|setmaxnreg",
        LORE_VALUE_BEHIND},
    {"rows_per_block", "compute.thread_coarsening", "",
        "row per block|row per program|row per warp|row per thread|query row per block|block "
        "q|blockq",
        LORE_VALUE_COUNT},
    {"split_k", "memory.split_k", "", "split k|splitk|k split|num split|split", LORE_VALUE_BEHIND},
    {"swizzle", "memory.tma_descriptor_tuning", "memory.smem_swizzle,memory.l2_grouped_ordering",
        "swiz|swizzle|swizzle mode", LORE_VALUE_BEHIND},
    {"thread_layout", CONFIG, "", "thread layout|warp layout|layout", LORE_VALUE_SHAPE},
    {"threads", CONFIG, "",
        "thread|thread per block|block dim|blockdim|num thread|thread per row|thread count",
        LORE_VALUE_COUNT},
    {"tile", CONFIG, TILES ",memory.vectorized_access",
        "tile|tile size|tile shape|block tile|register tile|per block|element/output/value per "
        "thread|cta tile|blocking|output tile",
        LORE_VALUE_SHAPE},
    {"unroll", "compute.loop_unroll", "", "unroll|unroll factor|pragma unroll|loop unroll",
        LORE_VALUE_BEHIND},
    {"vector_width", "memory.vectorized_access", "",
        "vector width|vec size|vec width|vector size|vec", LORE_VALUE_BEHIND},
    {"warp_k", CONFIG, TILES, "warp k|wk|warp tile k", LORE_VALUE_BEHIND},
    {"warp_m", CONFIG, TILES, "warp m|wm|warp tile m", LORE_VALUE_BEHIND},
    {"warp_n", CONFIG, TILES, "warp n|wn|warp tile n", LORE_VALUE_BEHIND},
    {"warp_tile", CONFIG, TILES, "warp tile|element per warp", LORE_VALUE_SHAPE},
    {"warpgroup_wait", "sync.asymmetric_barrier", "", "warpgroup wait|wait", LORE_VALUE_BEHIND},
    {"waves_per_eu", "memory.register_pressure", "", "waves per eu|warp per eu", LORE_VALUE_BEHIND},
};
#undef CONFIG
#undef TILES
const size_t lore_n_word_parameters = sizeof lore_word_parameters / sizeof *lore_word_parameters;

const struct lore_word_pair lore_words_implied[] = {
    {"sync.warp_level_reduction", "compute.warp_shuffle"},
    {"sync.warp_aggregated_atomics", "compute.warp_shuffle"},
    {"memory.lds_wide_access", "memory.vectorized_access"},
    {"memory.lds_double_buffer", "memory.multi_stage_pipeline"},
    {"memory.l2_grouped_ordering", "memory.smem_swizzle"},
    {"memory.tma_descriptor_tuning", "memory.async_copy"},
    {"memory.tensor_map_reuse", "memory.async_copy"},
};
const size_t lore_n_words_implied = sizeof lore_words_implied / sizeof *lore_words_implied;
