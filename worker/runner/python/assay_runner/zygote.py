"""Imports torch once, then forks a child for each solution.

The worker asks with text messages on descriptor 3, a SOCK_SEQPACKET socket:

  fork ID   with two descriptors: the child's control socket and its log.
            Answer: `forked ID`, which the child sends itself, or
            `failed ID REASON`.
  kill ID   Ends the child and all that it started. No answer of its own.

Unasked, once: `ready`, and `exited ID STATUS` for each child, where STATUS is
as waitpid gives it. When the worker hangs up, everything ends.
"""

import ctypes
import gc
import importlib
import os
import select
import signal
import socket
import traceback

from assay_runner import child, gpu, harness, isolation, supervisor

# So that children have them; who needs one that is broken is told then.
for _name in ("numpy", "triton", "triton.language"):
    try:
        importlib.import_module(_name)
    except Exception:  # pylint: disable=broad-except
        pass

CONTROL_FD = 3

_SA_NOCLDSTOP = 1


class _SigAction(ctypes.Structure):
    """struct sigaction of Linux's C libraries."""

    _fields_ = [
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    ]


class Zygote:
    """Serves the control socket; single-threaded."""

    def __init__(self, control, run_child):
        """`run_child(socket_fd, log_fd)` is called in each fork."""
        self._control = control
        self._run_child = run_child
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        # Descriptor of the process (pidfd) -> (ID, process id).
        self._children = {}

    def serve(self):
        self._send("ready")
        while True:
            for fd, _ in self._poll.poll():
                if fd != self._control.fileno():
                    self._reap(fd)
                elif not self._answer():
                    self._end()
                    return

    def _send(self, text):
        try:
            self._control.send(text.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # The next receive says so.

    def _answer(self):
        """Handles one message; false when the worker has hung up."""
        data, fds, _, _ = socket.recv_fds(self._control, 4096, 2)
        if not data:
            return False
        verb, number = data.decode().split()
        if verb == "fork":
            self._fork(number, fds)
        elif verb == "kill":
            self._kill(number)
        for fd in fds:
            os.close(fd)
        return True

    def _fork(self, number, fds):
        try:
            pid = os.fork()
        except OSError as error:
            self._send(f"failed {number} {error}")
            return
        if pid == 0:
            self._become_child(number, fds)
        pidfd = os.pidfd_open(pid)
        self._children[pidfd] = (number, pid)
        self._poll.register(pidfd, select.POLLIN)

    def _become_child(self, number, fds):
        """Never returns."""
        try:
            # From here, so that the worker learns which process it is.
            self._send(f"forked {number}")
            self._control.close()
            for pidfd in self._children:
                os.close(pidfd)
            self._run_child(*fds)
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc()
        finally:
            os._exit(1)

    def _kill(self, number):
        for child, pid in self._children.values():
            if child == number:
                # Its supervisor takes that as the wish to end.
                os.kill(pid, signal.SIGTERM)

    def _reap(self, pidfd):
        number, pid = self._children.pop(pidfd)
        self._poll.unregister(pidfd)
        _, status = os.waitpid(pid, 0)
        os.close(pidfd)
        self._send(f"exited {number} {status}")

    def _end(self):
        for _, pid in self._children.values():
            os.kill(pid, signal.SIGTERM)
        for _, pid in self._children.values():
            os.waitpid(pid, 0)


def _let_stops_pass():
    """Has this process, and those that it forks, not told of stopped children.

    The worker stops a child after each call, and has it go on for the next:
    who woke up then would be at work beside the call.
    """
    action = _SigAction(flags=_SA_NOCLDSTOP)
    ctypes.CDLL(None).sigaction(signal.SIGCHLD, ctypes.byref(action), None)


def main(harness_path, keep):
    """Serves until the worker hangs up; returns an exit code."""
    isolation.take_child_limits()
    library = harness.load(harness_path)
    _let_stops_pass()
    namespaces = isolation.choose_namespaces()
    # Children inherit it.
    isolation.hide_memory()
    compiled = gpu.compile_ahead()

    def run_child(socket_fd, log_fd):
        supervisor.supervise(
            socket_fd,
            log_fd,
            keep,
            namespaces,
            lambda folder: child.main(library, socket_fd, folder, compiled),
        )

    # Collections would touch, and so copy, every page that children share.
    gc.collect()
    gc.freeze()
    control = socket.socket(fileno=CONTROL_FD)
    # Credentials would take the room for descriptors.
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    Zygote(control, run_child).serve()
    return 0
