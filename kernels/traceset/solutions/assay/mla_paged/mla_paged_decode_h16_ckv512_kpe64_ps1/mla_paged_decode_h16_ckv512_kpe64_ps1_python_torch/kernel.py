"""One sequence at a time, with both parts of a key in one matrix product."""

import math

import torch


@torch.no_grad()
def run(q_nope, q_pe, ckv_cache, kpe_cache, kv_indptr, kv_indices, sm_scale,
        output, lse):
    queries = torch.cat([q_nope, q_pe], dim=-1).float() * sm_scale
    pages = kv_indices.to(torch.int64)
    dim = q_nope.shape[-1]
    bounds = kv_indptr.tolist()
    for b, (begin, end) in enumerate(zip(bounds, bounds[1:])):
        if begin == end:
            output[b] = 0
            lse[b] = -math.inf
            continue
        rows = pages[begin:end]
        keys = torch.cat([ckv_cache[rows, 0], kpe_cache[rows, 0]], dim=-1).float()
        logits = queries[b] @ keys.T
        log_sum = logits.logsumexp(dim=-1, keepdim=True)
        output[b] = torch.exp(logits - log_sum) @ keys[:, :dim]
        lse[b] = log_sum[:, 0] / math.log(2.0)
