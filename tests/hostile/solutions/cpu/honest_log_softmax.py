# Honest: what attacks on log_softmax are compared with.
import torch


def run(x, y):
    torch.log_softmax(x * 32, dim=-1, out=y)
