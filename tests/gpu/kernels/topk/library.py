"""Library base: torch.topk."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import torch

bench.main("topk", lambda out, x: torch.topk(x, 8))
