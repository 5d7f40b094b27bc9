"""A coordinator and its clients as processes that can be killed."""

import os
import pathlib
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Stack:
    """Everything lies in `folder`; the store in `data`, which may be another."""

    def __init__(self, coordinator, client, folder, data=None, ttl="2s"):
        self.coordinator_program = coordinator
        self.client_program = client
        self.folder = pathlib.Path(folder)
        self.data = pathlib.Path(data or folder)
        self.ttl = ttl
        self.address = f"127.0.0.1:{free_port()}"
        self.coordinator = None
        self.clients = {}

    @property
    def store(self):
        return self.data / "chaos.db"

    def _log(self, name):
        return open(self.folder / f"{name}.log", "ab")

    def start_coordinator(self, patience=30):
        """Until it listens; raises when it ends instead."""
        ready, write = os.pipe()
        with self._log("coordinator") as log:
            self.coordinator = subprocess.Popen(
                [
                    self.coordinator_program,
                    "--listen", self.address,
                    "--store", str(self.store),
                    "--lease-ttl", self.ttl,
                    "--ready-fd", str(write),
                ],
                stdout=log, stderr=log, pass_fds=[write],
            )  # fmt: skip
        os.close(write)
        with os.fdopen(ready) as pipe:
            if not pipe.readline():
                raise RuntimeError(f"the coordinator ended: see {self.folder}/coordinator.log")

    def kill_coordinator(self):
        self.coordinator.send_signal(signal.SIGKILL)
        self.coordinator.wait()

    def stop_coordinator(self):
        self.coordinator.terminate()
        return self.coordinator.wait(timeout=60)

    def start_client(self, name, *arguments):
        with self._log(name) as log:
            self.clients[name] = subprocess.Popen(
                [self.client_program, "--server", self.address, *arguments,
                 "--log", str(self.folder / f"{name}.events")],
                stdout=log, stderr=log,
            )  # fmt: skip

    def start_worker(self, number):
        self.start_client(f"worker-{number}", "worker", "--id", f"w{number}")

    def start_submitter(self, pause_ms=50):
        self.start_client("submit", "submit", "--pause-ms", str(pause_ms))

    def kill_client(self, name):
        client = self.clients.pop(name)
        client.send_signal(signal.SIGKILL)
        client.wait()

    def ended_clients(self):
        """Names of clients that ended by themselves, which none should."""
        return [name for name, client in self.clients.items() if client.poll() is not None]

    def await_end(self, seconds):
        """Until every job has ended; what is wrong when that does not happen."""
        result = subprocess.run(
            [self.client_program, "--server", self.address, "await", "--seconds", str(seconds)],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        return result.stderr.strip() if result.returncode else ""

    def stop(self):
        for name in list(self.clients):
            self.kill_client(name)
        if self.coordinator is not None and self.coordinator.poll() is None:
            self.coordinator.kill()
            self.coordinator.wait()

    def events(self, kind):
        """How many events of the kind clients have noted so far."""
        count = 0
        for path in self.folder.glob("*.events"):
            count += sum(line.startswith(kind + "\t") for line in path.read_text().splitlines())
        return count

    def wait_for_progress(self, kind="acknowledged", count=20, patience=60):
        """Until `count` more such events are noted; False when they are not."""
        target = self.events(kind) + count
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if self.events(kind) >= target:
                return True
            time.sleep(0.05)
        return False
