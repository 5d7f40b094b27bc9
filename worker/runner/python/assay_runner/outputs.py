"""Checks what a function returned and copies it to where outputs belong."""

import torch

from assay_runner import tensors
from assay_runner.errors import Failure

_PLAIN = (torch.Tensor, torch.nn.Parameter)


def materialise(returned):
    """`returned` with every plain tensor contiguous and with no work put off.

    That is work of the function that returned it: call it while that is timed.
    """
    if isinstance(returned, dict):
        return {key: _materialise_one(x) for key, x in returned.items()}
    if isinstance(returned, (tuple, list)):
        return [_materialise_one(x) for x in returned]
    return _materialise_one(returned)


def _materialise_one(value):
    if type(value) not in _PLAIN or value.layout != torch.strided:
        return value
    return value.detach().resolve_conj().resolve_neg().contiguous()


def store(returned, names, slot):
    """Copies `returned` into the tensors of `slot`, one for each of `names`.

    `returned` is what materialise made of one output, a tuple or list of them,
    or a dict by name.
    """
    for value, name, place in zip(_in_order(returned, names), names, slot):
        _store_one(value, name, place)


def _in_order(returned, names):
    if isinstance(returned, dict):
        if set(returned) != set(names):
            raise Failure(
                "WRONG_OUTPUTS",
                f"a dict with the keys {_listed(names)} must be returned, but "
                f"it has {_listed(map(str, returned))}",
            )
        return [returned[name] for name in names]
    if isinstance(returned, (tuple, list)):
        if len(returned) != len(names):
            raise Failure(
                "WRONG_OUTPUTS",
                f"{len(names)} outputs ({_listed(names)}) must be returned, "
                f"but {len(returned)} were",
            )
        return returned
    if len(names) == 1:
        return [returned]
    raise Failure(
        "WRONG_OUTPUTS",
        f"{len(names)} outputs ({_listed(names)}) must be returned as a tuple "
        f"or a dict, but {_described(returned)} was returned",
    )


def _store_one(value, name, place):
    if type(value) in (bool, int, float) and place.dim() == 0:
        value = _to_tensor(value, name, place)
    if type(value) not in _PLAIN:
        hint = ""
        if value is None:
            hint = (
                "; a function that fills its arguments needs "
                '"destination_passing_style": true'
            )
        _fail("WRONG_OUTPUTS", name, place, _described(value), hint)
    if value.shape != place.shape:
        _fail("WRONG_SHAPE", name, place, _described(value))
    if value.dtype != place.dtype:
        _fail("WRONG_DTYPE", name, place, _described(value))
    if value.device != place.device or value.layout != torch.strided:
        what = f"{value.layout} on {value.device}"
        _fail("WRONG_OUTPUTS", name, place, f"{_described(value)} ({what})")
    if place.numel() > 0:
        tensors.as_bytes(place).copy_(tensors.as_bytes(value))


def _to_tensor(value, name, place):
    """A number as a tensor: an int may become a float, nothing else changes."""
    if place.dtype == torch.bool:
        fits = type(value) is bool
    elif place.dtype.is_floating_point:
        fits = type(value) is not bool
    else:
        fits = type(value) is int
    if not fits:
        _fail("WRONG_DTYPE", name, place, _described(value))
    try:
        return torch.tensor(value, dtype=place.dtype, device=place.device)
    except (RuntimeError, OverflowError):
        _fail("WRONG_OUTPUTS", name, place, f"{value}, which does not fit,")


def _fail(kind, name, place, returned, hint=""):
    raise Failure(
        kind,
        f'output "{name}" must be {_described(place)}, but {returned} was '
        f"returned{hint}",
    )


def _described(value):
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        subclass = "" if type(value) in _PLAIN else f"{type(value).__name__} "
        return f"{subclass}{dtype}[{', '.join(map(str, value.shape))}]"
    if value is None:
        return "None"
    return f"a value of type {type(value).__name__}"


def _listed(names):
    return ", ".join(f'"{name}"' for name in names)
