import math

import torch


def run(q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale):
    batch_size, num_qo_heads, head_dim = q.shape
    num_kv_heads = k_cache.shape[2]
    output = torch.zeros_like(q)
    lse = torch.full(
        (batch_size, num_qo_heads), -math.inf, dtype=torch.float32, device=q.device
    )
    bounds = kv_indptr.tolist()
    for b in range(batch_size):
        pages = kv_indices[bounds[b] : bounds[b + 1]].to(torch.int64)
        if pages.numel() == 0:
            continue  # nothing to attend to: zeros, and the logarithm of zero
        k = k_cache[pages, 0].to(torch.float32).transpose(0, 1)  # [kv heads, tokens, dim]
        v = v_cache[pages, 0].to(torch.float32).transpose(0, 1)
        heads = q[b].to(torch.float32).view(num_kv_heads, -1, head_dim)
        logits = heads @ k.transpose(1, 2) * sm_scale  # [kv heads, group, tokens]
        output[b] = (logits.softmax(dim=-1) @ v).view(num_qo_heads, head_dim)
        lse[b] = logits.logsumexp(dim=-1).flatten() / math.log(2.0)
    return output, lse
