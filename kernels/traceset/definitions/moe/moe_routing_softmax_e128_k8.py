import torch

TOP_K = 8


def run(router_logits):
    # Stable, so that equal logits keep the order of their experts.
    ordered, experts = router_logits.sort(dim=-1, descending=True, stable=True)
    weights = ordered[:, :TOP_K].softmax(dim=-1)
    return weights, experts[:, :TOP_K].to(torch.int32)
