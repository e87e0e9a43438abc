"""The harness for versions in Triton and for library programs: the same problems, inputs, options
and output as bench.cu, with the float64 reference computed by PyTorch.

A program calls main(operator, launch); launch(out, *inputs) fills `out`, or returns the result
(one tensor, or two for topk). Its launches are recognised by the names of its kernels; the L2 is
flushed by a kernel called flush_l2."""
import argparse
import hashlib
import os
import sys

import numpy as np
import torch
import triton
import triton.language as tl

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False


@triton.jit
def flush_l2(x, sink, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x + at), 0)
    if total == 0x5EED:
        tl.store(sink, total)


def noise(n, seed):
    """24-bit numbers of elements 0 … n-1; op.h's noise()."""
    x = np.arange(n, dtype=np.uint32) * np.uint32(0x9E3779B1)
    x += np.uint32(seed * 0x85EBCA6B & 0xFFFFFFFF)
    x = (x ^ x >> np.uint32(16)) * np.uint32(0x7FEB352D)
    x = (x ^ x >> np.uint32(15)) * np.uint32(0x846CA68B)
    return (x ^ x >> np.uint32(16)) >> np.uint32(8)


def uniform(shape, seed, lo, hi, dtype=torch.float32):
    n = int(np.prod(shape))
    x = np.float32(lo) + np.float32(hi - lo) * (noise(n, seed) / 16777216.0).astype(np.float32)
    return torch.from_numpy(x).reshape(shape).cuda().to(dtype)


def in_512ths(n):
    x = ((noise(n, 1) >> np.uint32(15)).astype(np.int32) * 2 - 511) / 512.0
    return torch.from_numpy(x.astype(np.float32)).cuda()


def octets(n):
    return torch.from_numpy((noise(n, 6) >> np.uint32(16)).astype(np.uint8)).cuda()


def rmsnorm_reference(x, w):
    x = x.double()
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * w.double()


def stencil_reference(x):
    y = x.double()
    c, out = slice(1, -1), x.double()
    around = y[:-2, c, c] + y[2:, c, c] + y[c, :-2, c] + y[c, 2:, c] + y[c, c, :-2] + y[c, c, 2:]
    out[c, c, c] = 0.4 * y[c, c, c] + 0.1 * around
    return out


BF16 = torch.bfloat16
# operator: default dims, inputs of dims, reference of inputs, result of (dims, inputs), limits
OPERATORS = {
    "reduction": (dict(n=1 << 26), lambda d: [in_512ths(d["n"])], lambda x: x.double().sum(),
                  lambda d: torch.empty((), device="cuda"), 0, 0),
    "softmax": (dict(rows=8192, cols=4096), lambda d: [uniform((d["rows"], d["cols"]), 2, -4, 4)],
                lambda x: torch.softmax(x.double(), -1),
                lambda d: torch.empty((d["rows"], d["cols"]), device="cuda"), 1e-8, 1e-5),
    "rmsnorm": (dict(rows=8192, cols=4096),
                lambda d: [uniform((d["rows"], d["cols"]), 3, -2, 2, BF16),
                           uniform((d["cols"],), 4, 0.5, 1.5, BF16)], rmsnorm_reference,
                lambda d: torch.empty((d["rows"], d["cols"]), device="cuda", dtype=BF16),
                1e-6, 4e-3),
    "transpose": (dict(rows=8192, cols=8192),
                  lambda d: [uniform((d["rows"], d["cols"]), 5, -1, 1)], lambda x: x.t().double(),
                  lambda d: torch.empty((d["cols"], d["rows"]), device="cuda"), 0, 0),
    "gemm_f32": (dict(m=4096, n=4096, k=4096),
                 lambda d: [uniform((d["m"], d["k"]), 9, -1, 1),
                            uniform((d["k"], d["n"]), 10, -1, 1)],
                 lambda a, b: a.double() @ b.double(),
                 lambda d: torch.empty((d["m"], d["n"]), device="cuda"), 2e-3, 1e-5),
    "gemm_bf16": (dict(m=4096, n=4096, k=4096),
                  lambda d: [uniform((d["m"], d["k"]), 11, -1, 1, BF16),
                             uniform((d["n"], d["k"]), 12, -1, 1, BF16)],
                  lambda a, b: a.double() @ b.double().t(),
                  lambda d: torch.empty((d["m"], d["n"]), device="cuda", dtype=BF16), 0.02, 5e-3),
    "histogram": (dict(n=1 << 28), lambda d: [octets(d["n"])],
                  lambda x: torch.stack([(x == v).sum() for v in range(256)]).double(),
                  lambda d: torch.empty(256, device="cuda", dtype=torch.int32), 0, 0),
    "stencil": (dict(nz=512, ny=512, nx=512),
                lambda d: [uniform((d["nz"], d["ny"], d["nx"]), 7, -1, 1)], stencil_reference,
                lambda d: torch.empty((d["nz"], d["ny"], d["nx"]), device="cuda"), 1e-6, 1e-6),
    "topk": (dict(rows=4096, cols=8192, k=8),
             lambda d: [uniform((d["rows"], d["cols"]), 8, -1, 1)],
             lambda x: torch.topk(x.double(), 8)[0],
             lambda d: torch.empty((d["rows"], 8), device="cuda"), 0, 0),
}


def read_options(dims):
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=200)
    p.add_argument("--warmup", type=int, default=20)
    p.add_argument("--size", default="", help="name=value,…")
    p.add_argument("--no-flush", action="store_true")
    p.add_argument("--check", action="store_true")
    p.add_argument("--events", action="store_true")
    p.add_argument("--names", action="store_true", help="names of the kernels of one launch")
    o = p.parse_args()
    for pair in filter(None, o.size.split(",")):
        name, value = pair.split("=")
        dims[name] = int(value) if name in dims else p.error(f"--size: no dim {name}")
    return o


def launch_all(o, launch, out, inputs):
    buffer = torch.ones(1 << 26, dtype=torch.int32, device="cuda")  # 256 MiB
    n = max(1, o.warmup + o.iterations)
    pairs = []
    for i in range(n):
        if i == n - 1:
            out.view(torch.uint8 if out.dim() else out.dtype).fill_(255)
        if not o.no_flush:
            flush_l2[(1 << 14,)](buffer, buffer, BLOCK=1 << 12)
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        result = launch(out, *inputs)
        after.record()
        pairs.append((before, after))
    torch.cuda.synchronize()
    times = sorted(a.elapsed_time(b) * 1000 for a, b in pairs[o.warmup:])
    return out if result is None else result, times


def check(operator, result, inputs, reference, abs_tol, rel_tol):
    values = result[0] if isinstance(result, tuple) else result
    ref, got = reference(*inputs), values.double()
    error = (got - ref).abs()
    bad = int((~(error <= abs_tol + rel_tol * ref.abs())).sum())
    rel = float(error.norm() / ref.norm())
    ok = got.shape == ref.shape and bad == 0 and rel <= rel_tol
    if isinstance(result, tuple):
        ok = ok and bool((inputs[0].gather(1, result[1]) == values).all())
    print(f"check max_abs_err={float(error.max()):.3e} rel_err={rel:.3e} mismatches={bad} "
          f"of={ref.numel()} limits={abs_tol:.0e}+{rel_tol:.0e}*ref {'pass' if ok else 'FAIL'}")
    return ok


def main(operator, launch):
    dims, make, reference, empty, abs_tol, rel_tol = OPERATORS[operator]
    o = read_options(dims)
    name = f"{operator}_{os.path.basename(sys.argv[0])[:-3]}"
    inputs, out = make(dims), empty(dims)
    if o.names:
        from torch.profiler import ProfilerActivity, profile
        launch(out, *inputs)
        with profile(activities=[ProfilerActivity.CUDA]) as prof:
            launch(out, *inputs)
            torch.cuda.synchronize()
        for e in prof.key_averages():
            print(f"{name} kernel {e.key}")
        return
    result, times = launch_all(o, launch, out, inputs)
    parts = result if isinstance(result, tuple) else (result,)
    digest = hashlib.blake2b(digest_size=8)
    for t in parts:
        digest.update(t.contiguous().reshape(-1).view(torch.uint8).cpu().numpy().tobytes())
    print(name, *(f"{k}={v}" for k, v in dims.items()), f"checksum={digest.hexdigest()}")
    ok = not o.check or check(operator, result, inputs, reference, abs_tol, rel_tol)
    if o.events and times:
        n = len(times)
        print(f"{name} events median_us={times[n // 2]:.2f} p10_us={times[n // 10]:.2f} "
              f"p90_us={times[n * 9 // 10]:.2f} n={n}", file=sys.stderr)
    sys.exit(0 if ok else 1)
