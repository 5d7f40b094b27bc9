"""The library's matrix product.

Partial sums must stay in float32: reduced in bfloat16, an element of C that is
small beside sqrt(K) would lose all its digits.
"""

import torch

if torch.cuda.is_available():
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False


@torch.no_grad()
def run(A, B, C):
    torch.matmul(A, B.T, out=C)
