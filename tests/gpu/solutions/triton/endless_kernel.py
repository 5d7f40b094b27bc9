"""Its kernel does not end in any time that one would wait."""

import triton
import triton.language as tl


@triton.jit
def spin_kernel(y_ptr, rounds):
    for i in range(rounds):
        tl.atomic_add(y_ptr, 1.0)


def run(x, y):
    spin_kernel[(1,)](y, 1 << 60)
