"""What a child of the zygote does: loads one solution and calls it."""

import faulthandler
import os
import sys

import torch

from assay_runner import entry, gpu, harness, outputs, tensors
from assay_runner.errors import Failure, format_exception

CONTROL_FD = 3


class Runner:
    """The harness's callbacks for one solution."""

    def __init__(self, library, root):
        self._library = library
        self._root = root
        # Of the GPU; None on a CPU.
        self._ordinal = None
        self._request = None
        self._function = None
        # Names of returned outputs; empty: it fills its arguments.
        self._names = []
        # Positional arguments by draw, then by slot.
        self._arguments = []
        # Output tensors by slot.
        self._slots = []
        # What the last call returned, as plain tensors.
        self._returned = None
        self._error = None

    def set_up(self, set_up, failure):
        def body():
            self._ordinal = set_up.contents.cuda_ordinal
            gpu.open_gpu(self._ordinal)

        self._guard(failure, body)

    def load(self, load, failure):
        def body():
            self._request = harness.load_request(load.contents)
            if not self._request.destination_passing:
                self._names = [o.name for o in self._request.outputs]
            self._function = entry.load(self._request, self._root)

        self._guard(failure, body)

    def bind(self, bind, failure):
        def body():
            self._returned = None
            given = bind.contents
            self._slots = self._rows(given.slots, given.slot_count)
            draws = self._rows(given.draws, given.draw_count)
            passing = self._request.destination_passing
            self._arguments = [
                [
                    tuple(draw + slot if passing else draw)
                    for slot in self._slots
                ]
                for draw in draws
            ]
            if not draws and self._ordinal is not None:
                gpu.release_memory()

        self._guard(failure, body)

    def call(self, draw, slot, returned):
        """Calls the solution; true when all went well.

        All Python code that runs for a call runs in here, where it is timed:
        that of what the call before returned, too, when that is let go.
        """
        try:
            self._returned = None
            value = self._function(*self._arguments[draw][slot])
            if self._names:
                slots = self._slots[slot]
                self._returned = outputs.collect(value, self._names, slots)
                for i, tensor in enumerate(self._returned):
                    returned[i] = tensor.data_ptr()
            del value
            _flush()
            return True
        except BaseException as error:  # pylint: disable=broad-except
            self._error = error
            return False

    def explain(self, failure):
        def body():
            error, self._error = self._error, None
            _flush()
            raise error

        self._guard(failure, body)

    def _rows(self, rows, count):
        return [
            [self._python_value(value) for value in row.values[: row.count]]
            for row in rows[:count]
        ]

    def _python_value(self, value):
        if value.kind == harness.TENSOR:
            return tensors.wrap(value.tensor, self._ordinal)
        if value.kind == harness.FLOAT:
            return value.float_value
        if value.kind == harness.BOOL:
            return bool(value.int_value)
        return value.int_value

    def _guard(self, failure, body):
        """Runs a callback; nothing may be raised into the harness."""
        try:
            body()
        except Failure as error:
            self._library.fail(failure, error.kind, error.message)
        except BaseException as error:  # pylint: disable=broad-except
            text = format_exception(error, self._root)
            self._library.fail(failure, "RAISED", text)


def _flush():
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass  # A solution may have closed or replaced them.


def _set_up(socket_fd, root, compiled):
    # Not inheritable: programs that a solution starts must not hold it open.
    os.dup2(socket_fd, CONTROL_FD, inheritable=False)
    os.closerange(CONTROL_FD + 1, os.sysconf("SC_OPEN_MAX"))
    # What is printed must not be lost when the process is killed.
    sys.stdout.reconfigure(line_buffering=True)
    faulthandler.enable()
    gpu.prepare_environment(root, compiled)
    threads = int(os.environ.get("ASSAY_TORCH_THREADS", "0"))
    torch.set_num_threads(threads or len(os.sched_getaffinity(0)))


def main(library, socket_fd, root, compiled):
    """Serves the control socket until the worker hangs up.

    Args:
      library: a harness.Harness.
      socket_fd: the control socket.
      root: an empty folder for the solution.
      compiled: what gpu.compile_ahead returned.
    """
    _set_up(socket_fd, root, compiled)
    result = library.serve(CONTROL_FD, Runner(library, root))
    _flush()
    return result
