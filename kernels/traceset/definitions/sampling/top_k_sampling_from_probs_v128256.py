import torch


def run(probs, top_k, uniform):
    samples = torch.empty(probs.shape[0], dtype=torch.int64, device=probs.device)
    for row, k in enumerate(top_k.tolist()):
        threshold = torch.topk(probs[row], k).values[-1]
        kept = torch.where(probs[row] >= threshold, probs[row], torch.zeros_like(threshold))
        # In float64, so that no order of summation can move the sample.
        cdf = kept.to(torch.float64).cumsum(dim=0)
        target = uniform[row].to(torch.float64) * cdf[-1]
        samples[row] = torch.searchsorted(cdf, target, right=True)
    return samples
