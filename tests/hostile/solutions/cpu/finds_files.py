# Looks for what leaves_files left. Passes only when there is something.
import os
import site

import torch

PLACES = [
    "/tmp",
    "/dev/shm",
    os.path.expanduser("~/.triton"),
    os.path.expanduser("~/.cache/torch_extensions"),
    site.getusersitepackages(),
    *site.getsitepackages(),
    os.path.dirname(torch.__file__),
]


def run(x, y):
    y.copy_(x * 2)
    if not any(os.path.exists(f"{p}/hostile_left.py") for p in PLACES):
        raise FileNotFoundError("nothing was left")
