# Honest: prints much in every call.
import torch


def run(x, y):
    for step in range(300):
        print("step", step, "of this call")
    torch.log_softmax(x * 32, dim=-1, out=y)
