#!/usr/bin/env python3
"""A small transformer that trains in two processes on one GPU: eager, compiled, or eager in PyTorch's NVTX
ranges with their shapes.

    train.py [eager|compiled|ranges] [STEPS]

The second process makes fewer steps, so that the two differ."""
import contextlib
import sys

import torch
import torch.multiprocessing as multiprocessing
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        a = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(a.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.norm2(x))


def train(rank, mode, steps):
    torch.manual_seed(rank)
    model = nn.Sequential(*(Block(1024, 16) for _ in range(4)), nn.LayerNorm(1024)).cuda()
    step_of = torch.compile(model) if mode == "compiled" else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    data = torch.randn(8, 512, 1024).pin_memory()
    with torch.autograd.profiler.emit_nvtx(record_shapes=True) if mode == "ranges" else contextlib.nullcontext():
        for _ in range(steps - rank * (steps // 4)):
            x = data.cuda(non_blocking=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = (step_of(x) - x).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    torch.cuda.synchronize()
    print(f"rank {rank}: loss {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    mode = sys.argv[1] if len(sys.argv) > 1 else "eager"
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    multiprocessing.spawn(train, args=(mode, steps), nprocs=2)
