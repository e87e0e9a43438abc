#!/usr/bin/env python3
"""PyTorch in processes that are spawned: new interpreters that inherit only the environment.

    torch_spawn.py N"""
import sys

import torch
import torch.multiprocessing as multiprocessing


def work(rank, n):
    x = torch.zeros(1 << 16, device="cuda")
    for _ in range(n):
        x.add_(1.0)
    torch.cuda.synchronize()
    assert x.sum().item() == n << 16, rank


if __name__ == "__main__":
    multiprocessing.spawn(work, args=(int(sys.argv[1]),), nprocs=2)
    print("both added", sys.argv[1])
