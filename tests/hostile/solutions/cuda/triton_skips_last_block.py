# Leaves the last block out: all elements are compared.
import triton
import triton.language as tl


@triton.jit
def double(x, y, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(y + offsets, tl.load(x + offsets, mask=mask) * 2, mask=mask)


def run(x, y):
    double[(triton.cdiv(x.numel(), 1024) - 1,)](x, y, x.numel(), BLOCK=1024)
