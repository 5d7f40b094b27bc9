"""One top-k and one softmax over what it found.

torch.topk leaves the order of equal values open. So it gets integers, no two of
which are equal: the order of the logits, then that of the experts.
"""

import torch

NUM_EXPERTS = 8
TOP_K = 2


@torch.no_grad()
def run(router_logits):
    bits = router_logits.view(torch.int32)
    # Integers in the order of the floats: those of negative ones run backwards.
    order = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    backwards = torch.arange(NUM_EXPERTS - 1, -1, -1, device=bits.device)
    keys = order.to(torch.int64) * NUM_EXPERTS + backwards
    best = torch.topk(keys, TOP_K, dim=-1).values
    experts = NUM_EXPERTS - 1 - best.remainder(NUM_EXPERTS)
    weights = router_logits.gather(1, experts).softmax(dim=-1)
    return weights, experts.to(torch.int32)
