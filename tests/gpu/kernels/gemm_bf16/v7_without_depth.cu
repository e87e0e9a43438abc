// v7_without_depth: v7 with two stages of tiles instead of four.

// arch: sm_90a

#include "common.h"
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>

typedef __nv_bfloat16 bf16;

enum {
    BM = 128,
    BN = 256,
    BK = 64, // 128 bytes: one swizzled row of the copy engine
    STAGES = 2,
    STAGE_BYTES = (BM + BN) * BK * 2,
    SHARED = STAGES * STAGE_BYTES + 1024 // tiles want 1,024-byte alignment
};

static __device__ unsigned
shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ void
barrier_init(uint64_t *bar, unsigned arrivals)
{
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(arrivals));
}
static __device__ void
barrier_wait(uint64_t *bar, unsigned parity)
{
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                 "@p bra DONE;\n\tbra WAIT;\n\tDONE:\n\t}" ::"r"(shared_address(bar)),
                 "r"(parity)
                 : "memory");
}
// One tile of A and one of B by the copy engine, counted at BAR. One thread calls this.
static __device__ void
load_stage(unsigned char *to, const CUtensorMap *a, const CUtensorMap *b, int row, int col, int at,
    uint64_t *bar)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)),
        "r"((unsigned)STAGE_BYTES)
        : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
                 "l"(a), "r"(at), "r"(row), "r"(shared_address(bar))
                 : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to + BM * BK * 2)),
                 "l"(b), "r"(at), "r"(col), "r"(shared_address(bar))
                 : "memory");
}
// How wgmma finds a tile whose rows are 128 bytes, swizzled, eight rows per 1,024 bytes.
static __device__ uint64_t
tile_descriptor(const unsigned char *p)
{
    return (uint64_t)(shared_address(p) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
// d (or 0 when FRESH) += 64 × 16 of A times 16 × 256 of B.
static __device__ void
wgmma(float d[128], uint64_t a, uint64_t b, bool fresh)
{
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.eq.u32 add, %130, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
        "{"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "
        "%111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
        "%127}, "
        "%128, %129, add, 1, 1, 0, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "l"(a), "l"(b), "r"((unsigned)fresh));
}
// The products of one stage: this warpgroup's 64 rows, four steps of 16 along k. Runs on after
// return.
static __device__ void
multiply_stage(float d[128], const unsigned char *stage, int group, bool fresh)
{
    uint64_t a = tile_descriptor(stage + group * 64 * BK * 2);
    uint64_t b = tile_descriptor(stage + BM * BK * 2);

    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < BK / 16; i++)
        wgmma(d, a + 2 * i, b + 2 * i, fresh && i == 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// Wait until at most N stages' products are still under way.
template <int N>
static __device__ void
wait_products(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
static __device__ void
store_tile(bf16 *c, int n, const float d[128], int t)
{
    c += (size_t)(t / 32 * 16 + t % 32 / 4) * n + t % 4 * 2;
#pragma unroll
    for (int j = 0; j < 32; j++) {
        *(__nv_bfloat162 *)(c + 8 * j) = __floats2bfloat162_rn(d[4 * j], d[4 * j + 1]);
        *(__nv_bfloat162 *)(c + (size_t)8 * n + 8 * j) =
            __floats2bfloat162_rn(d[4 * j + 2], d[4 * j + 3]);
    }
}
// The copy engine's view of ROWS × K values: boxes of BOX × BK, swizzled by 128 bytes.
static CUtensorMap
tensor_map(const void *x, long long rows, long long k, unsigned box)
{
    static PFN_cuTensorMapEncodeTiled_v12000 encode;
    cudaDriverEntryPointQueryResult found;
    CUtensorMap map = {};
    cuuint64_t size[2] = {(cuuint64_t)k, (cuuint64_t)rows}, pitch[1] = {(cuuint64_t)k * 2};
    cuuint32_t boxes[2] = {BK, box}, steps[2] = {1, 1};

    if (!encode)
        cudaGetDriverEntryPointByVersion(
            "cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    if (encode)
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void *)x, size, pitch, boxes, steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}
static __device__ void
barrier_arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}

extern "C" __global__ void
    __launch_bounds__(384, 1) gemm_bf16_v7_without_depth(const __grid_constant__ CUtensorMap a,
        const __grid_constant__ CUtensorMap b, bf16 *c, int m, int n, int k)
{
    extern __shared__ unsigned char shared[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    unsigned char *tiles = shared + (-shared_address(shared) & 1023);
    int group = threadIdx.x / 128, steps = k / BK, tiles_n = n / BN, tiles_c = m / BM * tiles_n;
    int i = 0; // steps since the start, over all tiles

    if (threadIdx.x == 0)
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], 2); // one thread of each computing group
        }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            for (int tile = blockIdx.x; tile < tiles_c; tile += gridDim.x)
                for (int j = 0; j < steps; j++, i++) {
                    barrier_wait(&empty[i % STAGES], (i / STAGES & 1) ^ 1);
                    load_stage(tiles + i % STAGES * STAGE_BYTES, &a, &b, tile / tiles_n * BM,
                        tile % tiles_n * BN, j * BK, &full[i % STAGES]);
                }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (int tile = blockIdx.x; tile < tiles_c; tile += gridDim.x) {
            int row = tile / tiles_n * BM + (group - 1) * 64, col = tile % tiles_n * BN;
            float d[128];
            for (int j = 0; j < steps; j++, i++) {
                barrier_wait(&full[i % STAGES], i / STAGES & 1);
                multiply_stage(d, tiles + i % STAGES * STAGE_BYTES, group - 1, j == 0);
                wait_products<1>();
                if (j > 0 && threadIdx.x % 128 == 0)
                    barrier_arrive(&empty[(i - 1) % STAGES]);
            }
            wait_products<0>();
            if (threadIdx.x % 128 == 0)
                barrier_arrive(&empty[(i - 1) % STAGES]);
            store_tile(c + (size_t)row * n + col, n, d, threadIdx.x % 128);
        }
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    cudaFuncSetAttribute(
        gemm_bf16_v7_without_depth, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    gemm_bf16_v7_without_depth<<<132, 384, SHARED, s>>>(
        tensor_map(p->in[0], m, k, BM), tensor_map(p->in[1], n, k, BN), (bf16 *)p->out, m, n, k);
}
