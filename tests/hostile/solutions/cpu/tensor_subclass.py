# Returns a tensor subclass that computes when it is looked at: only plain
# tensors are taken.
import torch


class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        plain = [
            a.as_subclass(torch.Tensor).mul(2) if isinstance(a, Lazy) else a
            for a in args
        ]
        return function(*plain, **(kwargs or {}))


def run(x):
    return x.as_subclass(Lazy)
