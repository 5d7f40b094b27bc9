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


def wrap(tensor, ordinal):
    """A torch tensor over the memory of a harness.AssayTensor; no copy.

    Where the memory is mapped for reading only, a write ends the process, or
    makes the GPU useless to it.

    Args:
      tensor: what to wrap.
      ordinal: number of the GPU whose memory it is; None: of the CPU.
    """
    dtype = dtype_of(tensor.dtype.decode())
    shape = tuple(tensor.shape[: tensor.ndim])
    device = torch.device("cpu" if ordinal is None else f"cuda:{ordinal}")
    if tensor.bytes == 0:
        return torch.empty(shape, dtype=dtype, device=device)
    if ordinal is None:
        memory = (ctypes.c_char * tensor.bytes).from_address(tensor.data)
        flat = torch.frombuffer(memory, dtype=torch.uint8)
    else:
        memory = _DeviceMemory(tensor.data, tensor.bytes)
        flat = torch.as_tensor(memory, dtype=torch.uint8, device=device)
    return flat.view(dtype).view(shape)


class _DeviceMemory:
    """Bytes on a GPU as torch takes them over."""

    def __init__(self, address, size):
        self.__cuda_array_interface__ = {
            "version": 2,
            "shape": (size,),
            "typestr": "|u1",
            # Torch takes no memory that it is told is for reading only.
            "data": (address, False),
            "strides": None,
        }
