"""t3: t2 with tiles walked in groups of eight rows of tiles, so that programs in flight share more
of A and B in the L2."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import triton
import triton.language as tl


@triton.jit
def gemm_bf16_t3(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                 GROUP: tl.constexpr):
    pid, tiles_n = tl.program_id(0), n // BN
    first = pid // (GROUP * tiles_n) * GROUP
    pid_m = first + pid % GROUP
    pid_n = pid % (GROUP * tiles_n) // GROUP
    row = pid_m * BM + tl.arange(0, BM)
    col = pid_n * BN + tl.arange(0, BN)
    step = tl.arange(0, BK)
    x = a + row[:, None] * k + step[None, :]
    y = b + col[None, :] * k + step[:, None]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, k, BK):
        total = tl.dot(tl.load(x), tl.load(y), total)
        x += BK
        y += BK
    tl.store(c + row[:, None] * n + col[None, :], total.to(tl.bfloat16))


def launch(out, a, b):
    (m, k), n = a.shape, b.shape[0]
    gemm_bf16_t3[(n // 256 * (m // 128),)](a, b, out, m, n, k, 128, 256, 64, 8,
                                         num_warps=8, num_stages=3)


bench.main("gemm_bf16", launch)
