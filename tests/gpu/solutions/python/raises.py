"""Raises."""


def run(x, y):
    raise ValueError("rows must be odd")
