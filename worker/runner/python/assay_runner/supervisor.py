"""Waits for a child and cleans up behind it.

Between the zygote and the process that runs a solution stands one that does
not: it makes the namespaces, ends all that the solution started, and ends in
the way the solution did.

  zygote -- supervisor -- init of the pid namespace -- child

Without a pid namespace, which isolation.choose_namespaces decides on, there is
no init, and the child is the supervisor's.
"""

import os
import shutil
import signal
import tempfile
import traceback

from assay_runner import isolation


def supervise(socket_fd, log_fd, keep, namespaces, run_child):
    """Runs `run_child(folder)` in a process of its own; does not return.

    Args:
      socket_fd: the child's alone; closed here, so that the worker notices when
        the child closes it.
      log_fd: becomes its standard output and error.
      keep: paths below /tmp that a private /tmp must still have.
      namespaces: an isolation.Namespaces, for the process.
      run_child: gets an empty folder that is removed at the end.
    """
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD})
    isolation.signal_on_parent_death(signal.SIGTERM)
    _redirect(log_fd)
    isolation.adopt_orphans()
    entered = isolation.enter_namespaces(namespaces)
    if entered == isolation.Namespaces.ALL:
        status = _supervise_namespace(socket_fd, keep, run_child)
    else:
        if entered == isolation.Namespaces.NO_PIDS:
            isolation.mount_private(keep)
        status = _run_in_folder(socket_fd, run_child)
    _end_like(status)


def _redirect(log_fd):
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log_fd, 1)
    os.dup2(log_fd, 2)


def _supervise_namespace(socket_fd, keep, run_child):
    read_end, write_end = os.pipe()

    def init():
        os.close(read_end)
        isolation.mount_private(keep)
        status = _run_in_folder(socket_fd, run_child)
        os.write(write_end, str(status).encode())
        os._exit(0)

    pid = _fork(init)
    os.close(write_end)
    os.close(socket_fd)
    status = _wait(pid)
    # The namespace's init cannot die of a signal as its child did: it says so.
    reported = os.read(read_end, 16)
    return int(reported) if reported else status


def _run_in_folder(socket_fd, run_child):
    folder = tempfile.mkdtemp(prefix="assay-")
    pid = _fork(lambda: _become_child(run_child, folder))
    os.close(socket_fd)
    status = _wait(pid)
    _kill_group(pid)
    _kill_orphans()
    shutil.rmtree(folder, ignore_errors=True)
    return status


def _become_child(run_child, folder):
    os.setpgid(0, 0)
    isolation.bound_processes()
    isolation.bound_cpu_time()
    isolation.drop_capabilities()
    isolation.filter_system_calls()
    isolation.signal_on_parent_death(signal.SIGKILL)
    signal.pthread_sigmask(
        signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGCHLD}
    )
    run_child(folder)
    os._exit(0)


def _fork(run):
    """Process id of a child that calls `run`, which must not return."""
    pid = os.fork()
    if pid == 0:
        try:
            run()
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc()
        finally:
            os._exit(1)
    return pid


def _wait(pid):
    """Wait status of `pid`, which is killed when this process is told to end.

    Reaps whatever else ends meanwhile.
    """
    while True:
        info = signal.sigwaitinfo({signal.SIGTERM, signal.SIGCHLD})
        if info.si_signo == signal.SIGTERM:
            _kill_group(pid)
            os.kill(pid, signal.SIGKILL)
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if ended == pid:
                return status
            if ended == 0:
                break


def _kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _kill_orphans():
    """Ends the descendants that a child without a pid namespace left."""
    while True:
        for pid in isolation.children():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _end_like(status):
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))
