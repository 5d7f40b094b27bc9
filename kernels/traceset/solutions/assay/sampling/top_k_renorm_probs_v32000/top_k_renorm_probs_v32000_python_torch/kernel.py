"""All rows at once: one top-k for the largest k, thresholds gathered from it."""

import torch


@torch.no_grad()
def run(probs, top_k, renorm_probs):
    k_max = int(top_k.max())
    best = torch.topk(probs, k_max, dim=-1).values
    threshold = best.gather(1, top_k.to(torch.int64).unsqueeze(1) - 1)
    torch.mul(probs, probs >= threshold, out=renorm_probs)
    renorm_probs /= renorm_probs.sum(dim=-1, keepdim=True)
