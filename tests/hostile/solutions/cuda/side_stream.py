# Works on a stream that nobody waits for: spans are taken of all streams, and
# the device has to be idle.
import torch

side = torch.cuda.Stream()


def run(x, y):
    with torch.cuda.stream(side):
        torch.log_softmax(x * 32, dim=-1, out=y)
