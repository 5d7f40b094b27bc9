# Honest: numpy on the memory of the tensors.
import numpy as np


def run(x, y):
    np.multiply(x.numpy(), 2, out=y.numpy())
