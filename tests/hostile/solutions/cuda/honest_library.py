# Honest: sums through a library's matrix product.
import torch

ones = {}


def run(x, y):
    if x.shape[1] not in ones:
        ones[x.shape[1]] = torch.ones(x.shape[1], dtype=x.dtype, device=x.device)
    torch.mv(x, ones[x.shape[1]], out=y)
