#!/usr/bin/env python3
"""PyTorch with CUDA graphs.

    torch_graphs.py graph N       a graph of three additions, captured once and replayed N times
    torch_graphs.py compiled N    torch.compile(mode="reduce-overhead"), which replays graphs of Triton kernels

The result says how often each kernel ran."""
import sys

import torch

how, n = sys.argv[1], int(sys.argv[2])
x = torch.zeros(1 << 16, device="cuda")
if how == "graph":
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            x.add_(1.0)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(3):
            x.add_(1.0)
    for _ in range(n):
        graph.replay()
else:
    w = torch.full((256, 256), 1 / 256, device="cuda")

    def chain(v):
        return torch.nn.functional.gelu(v @ w) * 0.5 + v.sin()

    fast = torch.compile(chain, mode="reduce-overhead")
    v = torch.ones(256, 256, device="cuda")
    for _ in range(n):
        torch.compiler.cudagraph_mark_step_begin()
        out = fast(v)
    x = out.clone()
torch.cuda.synchronize()
print("x", f"{x.double().sum().item():.3f}")
