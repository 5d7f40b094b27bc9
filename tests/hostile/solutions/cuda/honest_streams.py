# Honest: two streams of torch, which the current one waits for.
import torch

side = torch.cuda.Stream()


def run(x, y):
    current = torch.cuda.current_stream()
    side.wait_stream(current)
    half = x.shape[0] // 2
    torch.log_softmax(x[:half] * 32, dim=-1, out=y[:half])
    with torch.cuda.stream(side):
        torch.log_softmax(x[half:] * 32, dim=-1, out=y[half:])
    current.wait_stream(side)
