# Honest: what attacks that return log_softmax are compared with.
import torch


def run(x):
    return torch.log_softmax(x * 32, dim=-1)
