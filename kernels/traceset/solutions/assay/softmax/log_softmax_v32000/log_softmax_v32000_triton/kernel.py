"""Log-softmax in Triton: one program per row, one reading and one writing pass.

The reading pass keeps a running maximum and a running sum per column of the
block, so that blocks need no reduction; there is one at the end.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _log_softmax_kernel(x_ptr, y_ptr, inverse, size, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * size
    columns = tl.arange(0, BLOCK)
    column_max = tl.full((BLOCK,), -1e30, dtype=tl.float32)
    column_sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, size, BLOCK):
        mask = first + columns < size
        x = tl.load(x_ptr + row + first + columns, mask=mask,
                    other=-float("inf")) * inverse
        new_max = tl.maximum(column_max, x)
        column_sum = column_sum * tl.exp(column_max - new_max)
        column_sum += tl.exp(x - new_max)
        column_max = new_max
    row_max = tl.max(column_max, axis=0)
    row_sum = tl.sum(column_sum * tl.exp(column_max - row_max), axis=0)
    log_sum = row_max + tl.log(row_sum)
    for first in range(0, size, BLOCK):
        mask = first + columns < size
        x = tl.load(x_ptr + row + first + columns, mask=mask) * inverse
        tl.store(y_ptr + row + first + columns, x - log_sum, mask=mask)


@torch.no_grad()
def run(logits, temperature, logprobs):
    rows, size = logits.shape
    _log_softmax_kernel[(rows,)](logits, logprobs, 1.0 / temperature, size,
                                 BLOCK=4096, num_warps=8)
