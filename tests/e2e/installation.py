"""The programs under test, and processes of them that end with the test."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# Generous: shared machines are slow now and then. Nothing is timed by it.
START_SECONDS = 120
RUN_SECONDS = 300

_dist = None
_cache = None
_worker_flags = ("--device=cpu",)


def use(dist, worker_flags=("--device=cpu",), cache=None):
    """Chooses the installation; its programs come first on PATH.

    `worker_flags` say which device a worker of a Stack owns, and how. `cache` is
    the folder that all tests keep builds in; None: one beside `dist`.
    """
    global _dist, _cache, _worker_flags
    _dist = dist
    _cache = cache
    _worker_flags = tuple(worker_flags)
    os.environ["PATH"] = f"{dist}/bin:" + os.environ["PATH"]
    os.environ["NO_COLOR"] = "1"
    os.environ.pop("ASSAY_SERVER", None)


def cache_folder():
    """One cache for all tests, so that a solution is built once."""
    folder = _cache or _dist.parent / ".assay" / "test-cache"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def program(name):
    return str(_dist / "bin" / name)


def dist():
    """The folder under test."""
    return _dist


def test_programs():
    """Folder of the programs that came along for tests."""
    return _dist / "libexec" / "assay" / "tests"


def assay(*arguments, server=None, cwd=None, timeout=RUN_SECONDS):
    """Runs the command line; returns the finished process with its output."""
    command = [program("assay"), *map(str, arguments)]
    if server:
        command += ["--server", server]
    return subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def assay_json(*arguments, **kwargs):
    """The one JSON document that a command prints."""
    process = assay(*arguments, "--json", **kwargs)
    if process.returncode != 0:
        raise AssertionError(f"{process.args}: {process.stdout}{process.stderr}")
    return json.loads(process.stdout)


class Daemon:
    """A program that runs until it is stopped; its output is in `log`."""

    def __init__(self, command, ready, log):
        self.log = log
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL
            )
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(
                    f"{command} did not get ready:\n{log.read_text()}"
                )
            time.sleep(0.02)

    def stop(self):
        """Asks it to end; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Stack(contextlib.ExitStack):
    """A coordinator and a worker with a store of their own.

    with Stack() as stack:
        stack.start_coordinator()
        stack.start_worker()
        stack.assay("definitions", "list")
    """

    def __enter__(self):
        super().__enter__()
        self.folder = pathlib.Path(
            self.enter_context(tempfile.TemporaryDirectory(prefix="assay-e2e-"))
        )
        self.store = self.folder / "store" / "assay.db"
        self.store.parent.mkdir()
        self.server = None
        self.coordinator = None
        self.worker = None
        return self

    def __exit__(self, *exception):
        for daemon in (self.worker, self.coordinator):
            if daemon is not None and daemon.process.poll() is None:
                daemon.kill()
        return super().__exit__(*exception)

    def start_coordinator(self, *flags):
        """A second start takes the same store and the same port."""
        port_file = self.folder / "address"
        port_file.unlink(missing_ok=True)
        self.coordinator = Daemon(
            [
                program("assay-coordinator"),
                f"--listen={self.server or '127.0.0.1:0'}",
                f"--store={self.store}",
                f"--port-file={port_file}",
                *flags,
            ],
            lambda: port_file.exists() and port_file.read_text().strip(),
            self.folder / "coordinator.log",
        )
        self.server = port_file.read_text().strip()

    def start_worker(self, *flags, cache=None):
        log = self.folder / "worker.log"
        start = log.stat().st_size if log.exists() else 0
        self.worker = Daemon(
            [
                program("assay-worker"),
                *_worker_flags,
                f"--server={self.server}",
                f"--cache={cache or cache_folder()}",
                "--id=test-worker",
                *flags,
            ],
            lambda: log.exists() and " serving " in log.read_text()[start:],
            log,
        )

    def assay(self, *arguments, **kwargs):
        return assay(*arguments, server=self.server, **kwargs)

    def assay_json(self, *arguments, **kwargs):
        return assay_json(*arguments, server=self.server, **kwargs)
