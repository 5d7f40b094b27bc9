import torch


def run(q, k, cos_sin_cache, positions):
    cos, sin = cos_sin_cache[positions].unsqueeze(1).chunk(2, dim=-1)

    def rotate(x):
        # Element i turns together with element i + head_dim / 2.
        a, b = x.to(torch.float32).chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)

    return rotate(q), rotate(k)
