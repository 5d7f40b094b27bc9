"""Rotary embedding as a complex product: neighbours are one complex number."""

import torch


def _rotate(x, turn, out):
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    out.copy_(torch.view_as_real(pairs * turn).flatten(-2))


@torch.no_grad()
def run(q, k, cos_sin_cache, positions, q_out, k_out):
    cos, sin = cos_sin_cache[positions].unsqueeze(1).chunk(2, dim=-1)
    turn = torch.complex(cos, sin)
    _rotate(q, turn, q_out)
    _rotate(k, turn, k_out)
