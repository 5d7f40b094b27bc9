"""Takes up the GPU that the worker named, before anything of a solution runs.

The zygote never touches CUDA: what it forks could not use it any more.
"""

import os
import shutil
import signal
import tempfile

import torch

# Where programs below a solution keep what they compiled: its own folder, so
# that no solution finds what another left.
_CACHES = {
    "CUDA_CACHE_PATH": "cuda",
    "TORCHINDUCTOR_CACHE_DIR": "inductor",
    "TORCH_EXTENSIONS_DIR": "torch_extensions",
    "TRITON_CACHE_DIR": "triton",
}

_COMPILE_SECONDS = 20


def compile_ahead():
    """What Triton compiles for every program, as a dict of content by path.

    To be called before there is a solution: nobody has touched these files.
    Empty where there is no GPU or no Triton, or where it took too long; then
    each child compiles for itself. Raises nothing.
    """
    if "CUDA_VISIBLE_DEVICES" not in os.environ:
        return {}
    folder = None
    try:
        folder = tempfile.mkdtemp(prefix="assay-triton-")
        # A fork, because CUDA is touched.
        pid = os.fork()
        if pid == 0:
            _compile_triton_driver(folder)
        # Half of a file is worse than none.
        return _read_files(folder) if _wait_for_group(pid) == 0 else {}
    except Exception:  # pylint: disable=broad-except
        return {}
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _wait_for_group(leader):
    """Wait status of `leader`, whose group ends with it, compilers included."""
    # Until it is reaped nobody else can have its number.
    os.waitid(os.P_PID, leader, os.WEXITED | os.WNOWAIT)
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # It ended before it had a group of its own.
    _, status = os.waitpid(leader, 0)
    return status


def _compile_triton_driver(folder):
    """Never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        signal.alarm(_COMPILE_SECONDS)
        # What fails here is told to whoever needs it.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.environ["TRITON_CACHE_DIR"] = folder
        open_gpu(0)
        from triton.runtime import driver

        driver.active.utils  # Compiled when it is first asked for.
        code = 0
    finally:
        os._exit(code)


def _read_files(folder):
    contents = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                contents[os.path.relpath(path, folder)] = file.read()
    return contents


def prepare_environment(folder, compiled):
    """Sets what CUDA, torch and Triton read when they are first used.

    Args:
      folder: of the solution.
      compiled: what compile_ahead returned.
    """
    caches = os.path.join(folder, ".cache")
    for variable, name in _CACHES.items():
        os.environ[variable] = os.path.join(caches, name)
        os.makedirs(os.environ[variable])
    for name, content in compiled.items():
        path = os.path.join(os.environ["TRITON_CACHE_DIR"], name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def open_gpu(ordinal):
    """Makes torch and Triton ready on the GPU with this number."""
    torch.cuda.init()
    torch.cuda.set_device(ordinal)
    # Also takes up what torch puts off until there is a tensor.
    torch.zeros(1, device=_device()).add_(1)
    torch.cuda.synchronize()
    folder = _folder_of_driver()
    if folder is not None:
        # Else Triton asks ldconfig, which not every machine has.
        os.environ.setdefault("TRITON_LIBCUDA_PATH", folder)


def release_memory():
    """Gives the GPU back what torch keeps for later; raises nothing."""
    try:
        torch.cuda.empty_cache()
    except Exception:  # pylint: disable=broad-except
        pass  # The next call meets what is wrong with the GPU.


def _device():
    return torch.device("cuda", torch.cuda.current_device())


def _folder_of_driver():
    """Folder that the loaded libcuda.so.1 is in, or None."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line.rstrip("\n")[line.find("/") :]
            folder, name = os.path.split(path)
            if name.startswith("libcuda.so"):
                library = os.path.join(folder, "libcuda.so.1")
                return folder if os.path.exists(library) else None
    return None
