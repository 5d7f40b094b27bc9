# A kernel that does not end: the process is killed, and the device with nobody
# on it is well.
import triton
import triton.language as tl


@triton.jit
def spin(x, y):
    value = tl.load(x)
    while value == value:
        value = tl.load(x)
    tl.store(y, value)


def run(x, y):
    spin[(1,)](x, y)
