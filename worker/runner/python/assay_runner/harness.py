"""libassay_harness.so through ctypes; mirrors worker/runner/harness_c_api.h."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t
from typing import NamedTuple


class AssayFile(ctypes.Structure):
    _fields_ = [
        ("path", c_char_p),
        # Not c_char_p: ends at its length, not at a NUL.
        ("content", ctypes.c_void_p),
        ("content_bytes", c_size_t),
    ]


class AssayParameter(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_char_p), ("is_scalar", c_int32)]


class AssaySetUp(ctypes.Structure):
    _fields_ = [("cuda_ordinal", c_int32)]


class AssayLoad(ctypes.Structure):
    _fields_ = [
        ("module_fd", c_int32),
        ("entry_file", c_char_p),
        ("symbol", c_char_p),
        ("destination_passing", c_int32),
        ("inputs", POINTER(AssayParameter)),
        ("input_count", c_size_t),
        ("outputs", POINTER(AssayParameter)),
        ("output_count", c_size_t),
        ("files", POINTER(AssayFile)),
        ("file_count", c_size_t),
    ]


class AssayTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("bytes", c_int64),
        ("dtype", c_char_p),
        ("shape", POINTER(c_int64)),
        ("ndim", c_size_t),
    ]


TENSOR, INT, FLOAT, BOOL = range(4)


class AssayValue(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32),
        ("tensor", AssayTensor),
        ("int_value", c_int64),
        ("float_value", c_double),
    ]


class AssayValues(ctypes.Structure):
    _fields_ = [("values", POINTER(AssayValue)), ("count", c_size_t)]


class AssayBind(ctypes.Structure):
    _fields_ = [
        ("draws", POINTER(AssayValues)),
        ("draw_count", c_size_t),
        ("slots", POINTER(AssayValues)),
        ("slot_count", c_size_t),
    ]


_SET_UP = ctypes.CFUNCTYPE(None, POINTER(AssaySetUp), ctypes.c_void_p)
_LOAD = ctypes.CFUNCTYPE(None, POINTER(AssayLoad), ctypes.c_void_p)
_BIND = ctypes.CFUNCTYPE(None, POINTER(AssayBind), ctypes.c_void_p)
_CALL = ctypes.CFUNCTYPE(c_int32, c_int64, c_int64, POINTER(ctypes.c_void_p))
_EXPLAIN = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class AssayCallbacks(ctypes.Structure):
    _fields_ = [
        ("set_up", _SET_UP),
        ("load", _LOAD),
        ("bind", _BIND),
        ("call", _CALL),
        ("explain", _EXPLAIN),
    ]


class Parameter(NamedTuple):
    name: str
    dtype: str
    is_scalar: bool


class LoadRequest(NamedTuple):
    # Of a compiled module, in place of files; else -1.
    module_fd: int
    entry_file: str
    symbol: str
    destination_passing: bool
    inputs: list
    outputs: list
    # Pairs of path and content (bytes).
    files: list


def _parameters(array, count):
    return [
        Parameter(p.name.decode(), p.dtype.decode(), bool(p.is_scalar))
        for p in array[:count]
    ]


def load_request(load):
    """Copies an AssayLoad."""
    return LoadRequest(
        load.module_fd,
        load.entry_file.decode(),
        load.symbol.decode(),
        bool(load.destination_passing),
        _parameters(load.inputs, load.input_count),
        _parameters(load.outputs, load.output_count),
        [
            (f.path.decode(), ctypes.string_at(f.content, f.content_bytes))
            for f in load.files[: load.file_count]
        ],
    )


class Harness:
    """The loaded library."""

    def __init__(self, library):
        self._fail = library.assay_harness_fail
        self._fail.argtypes = [ctypes.c_void_p, c_char_p, c_char_p, c_size_t]
        self._fail.restype = None
        self._serve = library.assay_harness_serve
        self._serve.argtypes = [ctypes.c_int, POINTER(AssayCallbacks)]
        self._serve.restype = ctypes.c_int

    def fail(self, failure, kind, message):
        """Reports a failure of the callback that got `failure`."""
        text = message.encode("utf-8", "replace")
        self._fail(failure, kind.encode(), text, len(text))

    def serve(self, fd, runner):
        """Serves until the worker hangs up; `runner` has the five methods."""
        callbacks = AssayCallbacks(
            _SET_UP(runner.set_up),
            _LOAD(runner.load),
            _BIND(runner.bind),
            _CALL(runner.call),
            _EXPLAIN(runner.explain),
        )
        return self._serve(fd, ctypes.byref(callbacks))


def load(path):
    return Harness(ctypes.CDLL(path))
