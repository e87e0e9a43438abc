"""Library base: torch.softmax."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench
import torch

bench.main("softmax", lambda out, x: torch.softmax(x, -1, out=out))
