"""Grouped routing with top-k instead of sorting, into given outputs."""

import torch

NUM_GROUPS = 8
TOP_GROUPS = 4


@torch.no_grad()
def run(router_logits, routing_bias, routed_scaling_factor, topk_weights, topk_ids):
    scores = torch.sigmoid(router_logits.double())
    groups = (scores + routing_bias).unflatten(1, (NUM_GROUPS, -1))
    worth = groups.topk(2, dim=-1).values.sum(dim=-1)
    threshold = worth.topk(TOP_GROUPS, dim=-1).values[:, -1:]
    closed = (worth < threshold).unsqueeze(-1)
    candidates = groups.masked_fill(closed, -torch.inf).flatten(1)
    experts = candidates.topk(topk_ids.shape[1], dim=-1).indices
    weights = scores.gather(1, experts)
    weights *= routed_scaling_factor / weights.sum(dim=-1, keepdim=True)
    topk_weights.copy_(weights)
    topk_ids.copy_(experts)
