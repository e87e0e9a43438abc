"""t3: t1 as a persistent kernel: 528 programs walk rows in a loop that Triton pipelines in two
stages."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import triton
import triton.language as tl


@triton.jit
def softmax_t3(x, y, rows, COLS: tl.constexpr, PROGRAMS: tl.constexpr):
    c = tl.arange(0, COLS)
    for r in tl.range(tl.program_id(0), rows, PROGRAMS, num_stages=2):
        at = r.to(tl.int64) * COLS + c
        v = tl.load(x + at)
        e = tl.exp(v - tl.max(v, 0))
        tl.store(y + at, e / tl.sum(e, 0))


def launch(out, x):
    softmax_t3[(528,)](x, out, x.shape[0], x.shape[1], 528, num_warps=8)


bench.main("softmax", launch)
