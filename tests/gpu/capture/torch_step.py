#!/usr/bin/env python3
"""A training step of a small transformer (tests/gpu/profile/train.py), many times in one process: what the
step costs with and without a collector.

    torch_step.py [STEPS [WARM_UP]]

Prints the loss; says on stderr how long the steps took. The device is waited for before and after, not between
the steps, as in real training."""
import os
import sys
import time

import torch
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "profile"))
from train import Block  # noqa: E402

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
warm_up = int(sys.argv[2]) if len(sys.argv) > 2 else 30
torch.manual_seed(1)
torch.use_deterministic_algorithms(False)
model = nn.Sequential(*(Block(1024, 16) for _ in range(4)), nn.LayerNorm(1024)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
data = torch.randn(8, 512, 1024, device="cuda")


def step():
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = (model(data) - data).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss


for _ in range(warm_up):
    step()
torch.cuda.synchronize()
start = time.perf_counter_ns()
for _ in range(steps):
    last = step()
torch.cuda.synchronize()
print(f"steps {steps}")
print(f"loop_ns {time.perf_counter_ns() - start}", file=sys.stderr)
print(f"loss {last.item():.3f}", file=sys.stderr)  # atomics make its last digits differ between runs
