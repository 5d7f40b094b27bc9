"""Makes plain tensors of what a function returned."""

import torch

from assay_runner.errors import Failure

_PLAIN = (torch.Tensor, torch.nn.Parameter)


def collect(returned, names, slot):
    """The tensors to copy into those of `slot`, in the order of `names`.

    Each is contiguous, with no work put off, and of the shape and dtype of its
    place. Whatever code of its own `returned` has runs in here, not when it is
    copied: call it while the function is timed.

    Args:
      returned: one output, a tuple or list of them, or a dict by name.
      names: of the outputs.
      slot: tensors with the memory that outputs belong in.
    """
    return [
        _plain(value, name, place)
        for value, name, place in zip(_in_order(returned, names), names, slot)
    ]


def _in_order(returned, names):
    if isinstance(returned, dict):
        values = {_plain_key(key): value for key, value in returned.items()}
        if set(values) != set(names):
            raise Failure(
                "WRONG_OUTPUTS",
                f"a dict with the keys {_listed(names)} must be returned, but "
                f"it has {_listed(values)}",
            )
        return [values[name] for name in names]
    if isinstance(returned, (tuple, list)):
        values = list(returned)
        if len(values) != len(names):
            raise Failure(
                "WRONG_OUTPUTS",
                f"{len(names)} outputs ({_listed(names)}) must be returned, "
                f"but {len(values)} were",
            )
        return values
    if len(names) == 1:
        return [returned]
    raise Failure(
        "WRONG_OUTPUTS",
        f"{len(names)} outputs ({_listed(names)}) must be returned as a tuple "
        f"or a dict, but {_described(returned)} was returned",
    )


def _plain_key(key):
    if isinstance(key, str):
        return str.__str__(key)
    raise Failure(
        "WRONG_OUTPUTS",
        "the keys of a dict that is returned must be names of outputs, but one "
        f"is {_described(key)}",
    )


def _plain(value, name, place):
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
    plain = value.detach().resolve_conj().resolve_neg().contiguous()
    # Zeros that torch keeps no memory for.
    return plain.clone() if plain._is_zerotensor() else plain


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
