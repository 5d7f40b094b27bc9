"""Ends its process in the middle of a call."""

import os


def run(x, y):
    y.copy_(x * 2)
    os._exit(0)
