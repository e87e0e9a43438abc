#!/usr/bin/env python3
"""Triton: a matrix product whose tiles its autotuner chooses, 4096 x 4096 x 4096 in bf16."""
import sys

import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"M_TILE": m, "N_TILE": n, "K_TILE": k}, num_warps=w, num_stages=s)
           for m, n, k, w, s in ((64, 64, 32, 4, 2), (128, 128, 32, 4, 3), (128, 128, 64, 8, 3), (128, 256, 64, 8, 3))]


@triton.autotune(configs=CONFIGS, key=["M", "N", "K"])
@triton.jit
def matmul_tiles(c, a, b, M, N, K, M_TILE: tl.constexpr, N_TILE: tl.constexpr, K_TILE: tl.constexpr):
    m = tl.program_id(0) * M_TILE + tl.arange(0, M_TILE)
    n = tl.program_id(1) * N_TILE + tl.arange(0, N_TILE)
    k = tl.arange(0, K_TILE)
    total = tl.zeros((M_TILE, N_TILE), tl.float32)
    for at in range(0, K, K_TILE):
        total += tl.dot(tl.load(a + m[:, None] * K + at + k[None, :]), tl.load(b + (at + k[:, None]) * N + n[None, :]))
    tl.store(c + m[:, None] * N + n[None, :], total.to(tl.bfloat16))


size = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
a = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
b = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
c = torch.empty_like(a)
grid = lambda meta: (triton.cdiv(size, meta["M_TILE"]), triton.cdiv(size, meta["N_TILE"]))  # noqa: E731
for _ in range(100):
    matmul_tiles[grid](c, a, b, size, size, size)
exact = a.float() @ b.float()
off = ((exact - c.float()).abs() / exact.abs().clamp(min=1)).max().item()
print(f"largest relative difference {off:.4f}: rounding to bf16 makes 0.0039 at most")
sys.exit(off > 0.005)
