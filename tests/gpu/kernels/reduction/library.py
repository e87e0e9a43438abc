"""Library base: torch.sum."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import torch

bench.main("reduction", lambda out, x: torch.sum(x, 0, out=out))
