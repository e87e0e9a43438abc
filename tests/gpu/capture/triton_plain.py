#!/usr/bin/env python3
"""Triton: one kernel of our own, N launches and the compiler's one before."""
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def add_one(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)


n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
x = torch.zeros(10000, device="cuda")
for _ in range(n):
    add_one[(triton.cdiv(10000, 1024),)](x, 10000, BLOCK=1024)
torch.cuda.synchronize()
print("x", x.sum().item())
