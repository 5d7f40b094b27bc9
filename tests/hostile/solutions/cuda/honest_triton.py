# Honest: Triton, autotuned at the first call.
import triton
import triton.language as tl


@triton.autotune(
    [triton.Config({"BLOCK": block}) for block in (512, 1024, 2048)], key=["count"]
)
@triton.jit
def double(x, y, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(y + offsets, tl.load(x + offsets, mask=mask) * 2, mask=mask)


def run(x, y):
    double[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
