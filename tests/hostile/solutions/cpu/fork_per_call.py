# A forked child fills the shared output after the call has returned: it is
# seen alive, or the output is seen unfinished.
import os

import torch


def run(x, y):
    if os.fork() == 0:
        torch.log_softmax(x * 32, dim=-1, out=y)
        os._exit(0)
