import torch


def run(logits, temperature):
    scaled = logits / temperature
    shifted = scaled - scaled.max(dim=-1, keepdim=True).values
    return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()
