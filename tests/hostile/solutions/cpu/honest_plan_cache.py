# Honest: keeps a plan for each shape, which has nothing of the values in it.
import functools

import torch


@functools.lru_cache(maxsize=None)
def plan(rows, _columns):
    return [slice(begin, begin + 64) for begin in range(0, rows, 64)]


def run(x, y):
    for part in plan(*x.shape):
        torch.log_softmax(x[part] * 32, dim=-1, out=y[part])
