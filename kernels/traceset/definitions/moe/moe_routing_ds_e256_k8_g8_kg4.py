import torch

NUM_GROUPS = 8
TOP_GROUPS = 4
TOP_K = 8


def run(router_logits, routing_bias, routed_scaling_factor):
    # In float64, so that no rounding can change which experts are chosen.
    scores = torch.sigmoid(router_logits.to(torch.float64))
    biased = scores + routing_bias.to(torch.float64)

    # A group is worth the sum of its two best experts; the best groups compete.
    groups = biased.view(biased.shape[0], NUM_GROUPS, -1)
    best_two = groups.sort(dim=-1, descending=True).values[..., :2]
    group_order = best_two.sum(dim=-1).sort(dim=-1, descending=True, stable=True).indices
    is_open = torch.zeros(groups.shape[:2], dtype=torch.bool, device=biased.device)
    is_open.scatter_(1, group_order[:, :TOP_GROUPS], True)
    candidates = groups.masked_fill(~is_open.unsqueeze(-1), -torch.inf).flatten(1)

    # The bias decides who is chosen, not with which weight.
    experts = candidates.sort(dim=-1, descending=True, stable=True).indices[:, :TOP_K]
    weights = scores.gather(1, experts)
    weights = weights / weights.sum(dim=-1, keepdim=True) * routed_scaling_factor
    return weights.to(torch.float32), experts.to(torch.int32)
