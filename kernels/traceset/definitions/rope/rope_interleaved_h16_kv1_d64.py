import torch


def run(q, k, cos_sin_cache, positions):
    cos, sin = cos_sin_cache[positions].unsqueeze(1).chunk(2, dim=-1)

    def rotate(x):
        # Element 2i turns together with element 2i + 1.
        a, b = x.to(torch.float32).unflatten(-1, (-1, 2)).unbind(-1)
        turned = torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1)
        return turned.flatten(-2).to(x.dtype)

    return rotate(q), rotate(k)
