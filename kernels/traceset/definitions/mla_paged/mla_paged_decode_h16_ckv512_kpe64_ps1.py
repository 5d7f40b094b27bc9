import math

import torch


def run(q_nope, q_pe, ckv_cache, kpe_cache, kv_indptr, kv_indices, sm_scale):
    batch_size, num_qo_heads, _ = q_nope.shape
    output = torch.zeros_like(q_nope)
    lse = torch.full(
        (batch_size, num_qo_heads), -math.inf, dtype=torch.float32, device=q_nope.device
    )
    bounds = kv_indptr.tolist()
    for b in range(batch_size):
        pages = kv_indices[bounds[b] : bounds[b + 1]].to(torch.int64)
        if pages.numel() == 0:
            continue  # nothing to attend to: zeros, and the logarithm of zero
        ckv = ckv_cache[pages, 0].to(torch.float32)  # [tokens, 512], keys and values
        kpe = kpe_cache[pages, 0].to(torch.float32)  # [tokens, 64]
        logits = q_nope[b].to(torch.float32) @ ckv.T + q_pe[b].to(torch.float32) @ kpe.T
        logits *= sm_scale  # [heads, tokens]
        output[b] = logits.softmax(dim=-1) @ ckv
        lse[b] = logits.logsumexp(dim=-1) / math.log(2.0)
    return output, lse
