"""All rows at once, on the k largest only, which are put back into vocabulary
order. Equal probabilities at the threshold are all kept: the rare row that has
more of them than its k is redone in full."""

import torch


@torch.no_grad()
def run(probs, top_k, uniform):
    k = top_k.to(torch.int64).unsqueeze(1)
    k_max = min(int(top_k.max()) + 1, probs.shape[1])
    best, index = torch.topk(probs, k_max, dim=-1)
    threshold = best.gather(1, k - 1)
    index, order = index.sort(dim=-1)
    kept = best.gather(1, order).to(torch.float64)
    kept *= kept >= threshold
    samples = _invert(kept, uniform, index)
    tied = (best[:, -1] >= threshold[:, 0]).nonzero()[:, 0]
    for row in tied.tolist():
        whole = probs[row].to(torch.float64)
        whole *= probs[row] >= threshold[row]
        everything = torch.arange(probs.shape[1], device=probs.device)
        samples[row] = _invert(whole[None], uniform[row, None], everything[None])
    return samples


def _invert(kept, uniform, index):
    cdf = kept.cumsum(dim=-1)
    target = uniform.to(torch.float64).unsqueeze(1) * cdf[:, -1:]
    return index.gather(1, torch.searchsorted(cdf, target, right=True))[:, 0]
