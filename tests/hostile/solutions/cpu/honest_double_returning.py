# Honest: what attacks that return a double are compared with. Returns the same
# memory each time, which is the fastest way.
import torch

buffers = {}


def run(x):
    y = buffers.setdefault(x.shape, torch.empty_like(x))
    return torch.mul(x, 2, out=y)
