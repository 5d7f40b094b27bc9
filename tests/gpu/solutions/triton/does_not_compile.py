"""Uses a name that Triton does not have."""

import triton
import triton.language as tl


@triton.jit
def broken_kernel(y_ptr):
    tl.store(y_ptr, tl.no_such_function(1.0))


def run(x, y):
    broken_kernel[(1,)](y)
