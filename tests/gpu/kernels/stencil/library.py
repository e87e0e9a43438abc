"""Library base: the stencil as a 3 × 3 × 3 convolution by cuDNN; the border is copied by two more
kernels, because no library has this operator."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import torch

weights = torch.zeros(1, 1, 3, 3, 3, device="cuda")
weights[0, 0, 1, 1, 1] = 0.4
for z, y, x in ((0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)):
    weights[0, 0, z, y, x] = 0.1


def launch(out, x):
    out.copy_(x)
    out[1:-1, 1:-1, 1:-1] = torch.nn.functional.conv3d(x[None, None], weights)[0, 0]


bench.main("stencil", launch)
