# Honest: threads of an executor, kept, and waited for in each call.
import concurrent.futures

import torch

executor = concurrent.futures.ThreadPoolExecutor(2)


def half(x, y):
    torch.log_softmax(x * 32, dim=-1, out=y)


def run(x, y):
    middle = x.shape[0] // 2
    futures = [
        executor.submit(half, x[:middle], y[:middle]),
        executor.submit(half, x[middle:], y[middle:]),
    ]
    for future in futures:
        future.result()
