"""Library base: torch.matmul in float32 (cuBLAS, TF32 off)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import torch

bench.main("gemm_f32", lambda out, a, b: torch.matmul(a, b, out=out))
