"""C = A @ B^T in Triton: tiles on the tensor cores, float32 accumulation.

Programs are numbered so that those which run together form a square-ish group of
tiles, whose rows of A and B then stay in the L2 cache.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _gemm_kernel(a_ptr, b_ptr, c_ptr, m, n, k, BLOCK_M: tl.constexpr,
                 BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                 GROUP: tl.constexpr):
    program = tl.program_id(0)
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    first_m = program // (GROUP * tiles_n) * GROUP
    group_rows = min(tiles_m - first_m, GROUP)
    within = program % (GROUP * tiles_n)
    rows = (first_m + within % group_rows) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = within // group_rows * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)

    row_mask = rows[:, None] < m
    column_mask = columns[:, None] < n
    a_ptrs = a_ptr + rows[:, None].to(tl.int64) * k + depth[None, :]
    b_ptrs = b_ptr + columns[:, None].to(tl.int64) * k + depth[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, k, BLOCK_K):  # k is a multiple of BLOCK_K
        a = tl.load(a_ptrs, mask=row_mask, other=0.0)
        b = tl.load(b_ptrs, mask=column_mask, other=0.0)
        total = tl.dot(a, tl.trans(b), total)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K
    c_ptrs = c_ptr + rows[:, None].to(tl.int64) * n + columns[None, :]
    tl.store(c_ptrs, total.to(c_ptr.dtype.element_ty),
             mask=row_mask & (columns[None, :] < n))


@torch.no_grad()
def run(A, B):
    m, k = A.shape
    n = B.shape[0]
    c = torch.empty((m, n), dtype=A.dtype, device=A.device)
    if m <= 64 or n <= 256:
        block_m, block_n, block_k, warps = max(16, min(64, triton.next_power_of_2(m))), 64, 128, 4
    else:
        block_m, block_n, block_k, warps = 128, 256, 64, 8
    grid = (triton.cdiv(m, block_m) * triton.cdiv(n, block_n),)
    _gemm_kernel[grid](A, B, c, m, n, k, BLOCK_M=block_m, BLOCK_N=block_n,
                       BLOCK_K=block_k, GROUP=8, num_warps=warps, num_stages=3)
    return c
