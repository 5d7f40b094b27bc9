"""SiLU of the first half times the second, from torch operators."""

import torch


@torch.no_grad()
def run(x, y):
    gate, up = x.chunk(2, dim=-1)
    activated = torch.nn.functional.silu(gate.to(torch.float32))
    activated *= up
    y.copy_(activated)
