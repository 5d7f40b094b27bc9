"""y = 2 x, returned."""


def run(x):
    return x * 2
