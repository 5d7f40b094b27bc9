"""Asks for all memory of the device and more, and keeps what it gets."""

import torch

KEPT = []


def run(x, y):
    y.copy_(x * 2)
    while True:
        KEPT.append(torch.empty(1 << 32, dtype=torch.uint8, device=x.device))
