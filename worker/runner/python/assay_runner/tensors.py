"""Torch tensors over memory that belongs to the worker."""

import ctypes

import torch

from assay_runner.errors import Failure


def dtype_of(name):
    """torch's dtype for a name of assay.v1.DType, e.g. "DTYPE_BFLOAT16"."""
    short = name.removeprefix("DTYPE_").lower()
    dtype = getattr(torch, short, None)
    if not isinstance(dtype, torch.dtype):
        raise Failure(
            "INTERNAL",
            f'torch {torch.__version__} of this worker has no dtype "{short}"',
        )
    return dtype


def wrap(tensor):
    """A torch tensor over the memory of a harness.AssayTensor; no copy.

    Where the memory is mapped for reading only, a write ends the process.
    """
    dtype = dtype_of(tensor.dtype.decode())
    shape = tuple(tensor.shape[: tensor.ndim])
    if tensor.bytes == 0:
        return torch.empty(shape, dtype=dtype)
    memory = (ctypes.c_char * tensor.bytes).from_address(tensor.data)
    flat = torch.frombuffer(memory, dtype=torch.uint8)
    return flat.view(dtype).view(shape)


def as_bytes(tensor):
    """The elements of a contiguous tensor of at least one element, as uint8."""
    return tensor.view(-1).view(torch.uint8)
