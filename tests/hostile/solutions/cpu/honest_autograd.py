# Honest: lets autograd watch, and returns a result with a history.
import torch

scale = torch.nn.Parameter(torch.full((), 2.0))


def run(x):
    return x * scale
