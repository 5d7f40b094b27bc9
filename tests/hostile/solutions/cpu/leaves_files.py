# Leaves files in every place that Python reads by itself. A right answer by
# itself; what counts is that finds_files finds none of them.
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
    for place in PLACES:
        try:
            os.makedirs(place, exist_ok=True)
            path = os.path.join(place, "hostile_left.py")
            with open(path, "w", encoding="ascii") as file:
                file.write("left = True\n")
        except OSError:
            pass
    torch.log_softmax(x * 32, dim=-1, out=y)
