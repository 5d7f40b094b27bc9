"""Namespaces of a child, so that children of one zygote cannot reach one another.

What the host does not allow is left out: the zygote's own sandbox stands around
all of it.
"""

import ctypes
import enum
import os
import resource

_libc = ctypes.CDLL(None, use_errno=True)

_CLONE_NEWNS = 0x00020000
_CLONE_NEWIPC = 0x08000000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_CLONE_NEWNET = 0x40000000

_MS_NOSUID = 2
_MS_NODEV = 4
_MS_BIND = 4096
_MS_MOVE = 8192
_MS_REC = 16384
_MS_PRIVATE = 1 << 18

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38

_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAP_SETFCAP = 31
_CAPABILITY_VERSION_3 = 0x20080522

_SECCOMP_MODE_FILTER = 2
_BYTES_PER_INSTRUCTION = 8

_TMPFS_OPTIONS = "size=1g,mode=1777"


class _FilterProgram(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


# What limits the system calls of children; empty outside of a sandbox.
_child_filter = b""

# How many processes and threads a child may have; None: as many as this has.
_child_processes = None

# Seconds of processor time of each process of a child; None: as this has.
_child_cpu_seconds = None


def _check(result):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def signal_on_parent_death(number):
    """Has the kernel send this signal when the parent dies."""
    _check(_libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0))


def hide_memory(hidden=True):
    """Keeps other processes of the same user from this one.

    They can neither read nor change its memory, environment and descriptors,
    nor can it itself by way of /proc/self/mem and environ. Forks inherit it; a
    program that is executed does not.
    """
    _check(_libc.prctl(_PR_SET_DUMPABLE, 0 if hidden else 1, 0, 0, 0))


def adopt_orphans():
    """Makes orphaned descendants children of this process."""
    _check(_libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def children():
    """Process ids of this process's children."""
    pid = os.getpid()
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


class Namespaces(enum.Enum):
    """What enter_namespaces gave."""

    NONE = 0
    # All but that for process ids.
    NO_PIDS = 1
    ALL = 2


def choose_namespaces():
    """The namespaces for children of this process; asks the kernel."""
    if os.environ.get("ASSAY_ISOLATE_CHILDREN") == "0":
        return Namespaces.NONE
    if os.getuid() == 0 and not _may_map_root():
        return Namespaces.NONE
    # CUDA does not start where /proc is of other process ids than its own. The
    # worker names the GPU in this variable.
    if "CUDA_VISIBLE_DEVICES" in os.environ and not _may_mount_proc():
        return Namespaces.NO_PIDS
    return Namespaces.ALL


def enter_namespaces(namespaces):
    """Gives this process namespaces of its own; returns which it got.

    A pid namespace holds for children that it forks from now on.
    """
    if namespaces == Namespaces.NONE:
        return namespaces
    uid, gid = os.getuid(), os.getgid()
    flags = _CLONE_NEWUSER | _CLONE_NEWNS | _CLONE_NEWIPC | _CLONE_NEWNET
    if namespaces == Namespaces.ALL:
        flags |= _CLONE_NEWPID
    if _libc.unshare(flags) != 0:
        return Namespaces.NONE
    # Of a process that is hidden these files are root's.
    hide_memory(False)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")
    hide_memory()
    return namespaces


def _may_mount_proc():
    """Whether a new pid namespace may have a /proc of its own; tries it."""

    def attempt():
        if enter_namespaces(Namespaces.ALL) != Namespaces.ALL:
            return False
        return _succeeds_in_fork(_mount_proc)

    return _succeeds_in_fork(attempt)


def _mount_proc():
    _mount("none", "/", None, _MS_REC | _MS_PRIVATE)
    _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV)
    return True


def _succeeds_in_fork(function):
    """Whether `function`, called in a fork, returns true."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if function() else 1
        except OSError:
            pass
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def _may_map_root():
    """Whether a new user namespace may map the root of this one."""
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("CapEff:"):
                return bool(int(line.split()[1], 16) >> _CAP_SETFCAP & 1)
    return False


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _mount(source, target, kind, flags, options=None):
    _check(
        _libc.mount(
            source.encode(),
            target.encode(),
            kind.encode() if kind else None,
            ctypes.c_ulong(flags),
            options.encode() if options else None,
        )
    )


def mount_private(keep):
    """Private /tmp and /dev/shm, and a /proc that shows this namespace only.

    Without a pid namespace /proc stays as it is.

    Args:
      keep: paths below /tmp that stay visible.
    """
    try:
        _mount_proc()
    except PermissionError:
        pass  # Parts of /proc are covered here; the kernel then allows no new.
    _mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, _TMPFS_OPTIONS)
    # Set up aside first: what it keeps is below the /tmp that it will cover.
    _mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, _TMPFS_OPTIONS)
    for path in keep:
        _bind(path, "/dev/shm" + path[len("/tmp") :])
    _mount("/dev/shm", "/tmp", None, _MS_MOVE)


def _bind(source, target):
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _write(target, "")
    _mount(source, target, None, _MS_BIND | _MS_REC)


def drop_capabilities():
    """Gives up the rights that come with a user namespace of one's own."""
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(_libc.syscall(_SYS_CAPSET[os.uname().machine], header, none))


def take_child_limits():
    """Reads what the worker left for children: a filter and bounds."""
    global _child_filter, _child_processes, _child_cpu_seconds
    number = os.environ.pop("ASSAY_CHILD_FILTER_FD", None)
    if number is not None:
        with open(int(number), "rb") as file:
            _child_filter = file.read()
    processes = os.environ.pop("ASSAY_CHILD_PROCESSES", None)
    if processes is not None:
        _child_processes = int(processes)
    seconds = os.environ.pop("ASSAY_CHILD_CPU_SECONDS", None)
    if seconds is not None:
        _child_cpu_seconds = int(seconds)


def bound_processes():
    """Has the kernel bound this user's processes in this user namespace.

    To be called after enter_namespaces: what is set earlier is a bound on all
    children together.
    """
    _bound(resource.RLIMIT_NPROC, _child_processes)


def bound_cpu_time():
    """Has the kernel end this process, or one below it, that goes on for ever."""
    _bound(resource.RLIMIT_CPU, _child_cpu_seconds)


def _bound(limit, bound):
    if bound is None:
        return
    _, most = resource.getrlimit(limit)
    if most != resource.RLIM_INFINITY:
        bound = min(bound, most)
    resource.setrlimit(limit, (bound, bound))


def filter_system_calls():
    """Limits the system calls of this process and all that it starts, for good.

    To be called after drop_capabilities, which makes it possible.
    """
    if not _child_filter:
        return
    instructions = ctypes.create_string_buffer(_child_filter)
    program = _FilterProgram(
        len(_child_filter) // _BYTES_PER_INSTRUCTION,
        ctypes.addressof(instructions),
    )
    _check(
        _libc.prctl(
            _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0
        )
    )
