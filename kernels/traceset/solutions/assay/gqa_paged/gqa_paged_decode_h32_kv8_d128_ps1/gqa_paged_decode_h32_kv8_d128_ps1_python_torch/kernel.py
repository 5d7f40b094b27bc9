"""All sequences in one padded batch: gather, two batched products, one softmax.

Padding costs memory when lengths differ much, and saves a loop in Python.
"""

import math

import torch


@torch.no_grad()
def run(q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale):
    batch_size, num_qo_heads, head_dim = q.shape
    num_kv_heads = k_cache.shape[2]
    starts = kv_indptr[:-1].to(torch.int64)
    lengths = kv_indptr[1:].to(torch.int64) - starts
    longest = max(int(lengths.max()), 1)

    offsets = torch.arange(longest, device=q.device)
    padding = offsets >= lengths.unsqueeze(1)  # [batch, tokens]
    places = (starts.unsqueeze(1) + offsets).masked_fill(padding, 0)
    pages = kv_indices[places.clamp(max=kv_indices.shape[0] - 1)].to(torch.int64)

    k = k_cache[pages, 0].float().permute(0, 2, 3, 1)  # [batch, kv heads, dim, tokens]
    v = v_cache[pages, 0].float().transpose(1, 2)  # [batch, kv heads, tokens, dim]
    heads = q.float().view(batch_size, num_kv_heads, -1, head_dim) * sm_scale
    logits = (heads @ k).masked_fill(padding[:, None, None, :], -math.inf)
    lse = logits.logsumexp(dim=-1)
    # A sequence without tokens has lse = -inf; its weights must become zero.
    weights = torch.exp(logits - lse.clamp(min=-1e30).unsqueeze(-1))
    output = (weights @ v).view_as(q).to(q.dtype)
    return output, lse.flatten(1) / math.log(2.0)
