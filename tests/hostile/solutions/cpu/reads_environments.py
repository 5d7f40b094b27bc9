# Looks for a secret in the environment of every process: none is readable.
# Passes only when it found the one that the test left in the worker's.
import glob


def finds_any():
    for path in glob.glob("/proc/*/environ"):
        try:
            with open(path, "rb") as file:
                if b"HOSTILE_TEST_SECRET" in file.read():
                    return True
        except OSError:
            pass
    return False


found = finds_any()


def run(x, y):
    if not found:
        raise PermissionError("nothing was found")
    y.copy_(x * 2)
