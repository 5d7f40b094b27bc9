# Honest: what attacks on double are compared with.
import torch


def run(x, y):
    torch.mul(x, 2, out=y)
