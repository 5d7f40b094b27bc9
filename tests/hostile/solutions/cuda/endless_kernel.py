# A kernel that does not end: the process is killed, and the device with nobody
# on it is well.
import triton
import triton.language as tl


@triton.jit
def spin(x, y):
    value = tl.load(x)
    rounds = 0
    # Never so many; the compiler must not know.
    while rounds < 1 << 30:
        rounds += tl.where(tl.load(x, volatile=True) == value, 0, 1)
    tl.store(y, value)


def run(x, y):
    spin[(1,)](x, y)
