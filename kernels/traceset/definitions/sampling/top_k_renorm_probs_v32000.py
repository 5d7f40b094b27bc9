import torch


def run(probs, top_k):
    output = torch.zeros_like(probs)
    for row, k in enumerate(top_k.tolist()):
        threshold = torch.topk(probs[row], k).values[-1]
        kept = torch.where(probs[row] >= threshold, probs[row], torch.zeros_like(threshold))
        output[row] = kept / kept.sum()
    return output
