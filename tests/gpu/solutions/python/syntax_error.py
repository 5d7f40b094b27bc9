"""Is not Python."""


def run(x, y)
    pass
