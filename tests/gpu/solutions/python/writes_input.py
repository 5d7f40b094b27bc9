"""Doubles its input in place, which it may only read."""


def run(x, y):
    x.mul_(2)
    y.copy_(x)
