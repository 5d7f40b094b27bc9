"""Rotary embedding as a complex product: x * (cos + i sin), one half real."""

import torch


def _rotate(x, turn):
    half = x.shape[-1] // 2
    pairs = torch.complex(x[..., :half].float(), x[..., half:].float()) * turn
    return torch.cat([pairs.real, pairs.imag], dim=-1).to(x.dtype)


@torch.no_grad()
def run(q, k, cos_sin_cache, positions):
    cos, sin = cos_sin_cache[positions].unsqueeze(1).chunk(2, dim=-1)
    turn = torch.complex(cos, sin)
    return _rotate(q, turn), _rotate(k, turn)
