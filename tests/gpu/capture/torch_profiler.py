#!/usr/bin/env python3
"""PyTorch with its own profiler, started in the middle: it must see every kernel it asks for."""
import sys

import torch
from torch.profiler import ProfilerActivity, profile

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
b = torch.zeros(1 << 16, device="cuda")
for _ in range(200):
    b.add_(1.0)
torch.cuda.synchronize()
for _ in range(rounds):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
        for _ in range(50):
            b.mul_(1.0)
        torch.cuda.synchronize()
    kernels = [e for e in p.events() if e.device_type == torch.autograd.DeviceType.CUDA
               and "elementwise" in e.name]
    print("profiler saw", len(kernels), "all timed", all(e.device_time > 0 for e in kernels))
for _ in range(300):
    b.add_(1.0)
torch.cuda.synchronize()
print("b", b.sum().item())
