"""Library base: torch.matmul in bf16 (cuBLAS)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import torch

bench.main("gemm_bf16", lambda out, a, b: torch.matmul(a, b.t(), out=out))
