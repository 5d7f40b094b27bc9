import torch


def run(hidden_states, weight, eps):
    x = hidden_states.to(torch.float32)
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    normalized = x * torch.rsqrt(mean_square + eps)
    return (normalized * weight.to(torch.float32)).to(hidden_states.dtype)
