"""The coordinator under attack, what it uses, and a client whose calls go on."""

import threading
import time
import unittest

import installation
import wire

INFO = "/assay.v1.AdminService/GetServerInfo"
LIST = "/assay.v1.CatalogService/ListDefinitions"

_long = False


def use_long_mode(value):
    global _long
    _long = value


def count(short, long):
    """How many of something: in the short mode, and in the long one."""
    return long if _long else short


def memory_bytes(process):
    """What the process has in memory now."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


class Bystander(threading.Thread):
    """Makes calls, one after the other, until it is stopped. Connects again when
    the connection is closed, and repeats the call that this cut off, once: that
    is what every gRPC client does."""

    def __init__(self, server, token):
        super().__init__(daemon=True)
        self.server = server
        self.token = token
        self.calls = 0
        self.reconnects = 0
        self.failures = []
        self.stopping = threading.Event()
        self.once = threading.Event()

    def run(self):
        connection = None
        repeated = False
        while not self.stopping.wait(0.01):
            try:
                if connection is None:
                    connection = wire.Connection(self.server, token=self.token)
                for method in (INFO, LIST):
                    answer = connection.call(method, b"")
                    self.calls += 1
                    if answer.status != wire.OK:
                        self.failures.append(repr(answer))
                repeated = False
            except (OSError, wire.Closed) as error:
                self.reconnects += 1
                if repeated:
                    self.failures.append(repr(error))
                repeated = True
                if connection is not None:
                    connection.close()
                connection = None
            self.once.set()
        if connection is not None:
            connection.close()


class HostileTest(unittest.TestCase):
    """A coordinator with an admin token, and a bystander. After each test the
    coordinator still runs, its memory is bounded and the bystander was served."""

    # What an attack may add to the coordinator's memory: the bound of its
    # buffers (server/rpc/server_limits.cc), and half as much again.
    memory_bound = 384 << 20
    coordinator_flags = ()

    def setUp(self):
        self.stack = self.enterContext(installation.Stack())
        self.admin = self.create_token("admin")
        self.stack.start_coordinator(*self.coordinator_flags)
        self.server = self.stack.server
        with wire.Connection(self.server, token=self.admin) as connection:
            self.assertEqual(connection.call(INFO, b"").status, wire.OK)
        self.before = memory_bytes(self.stack.coordinator.process)
        self.highest = self.before
        self.bystander = Bystander(self.server, self.admin)
        self.bystander.start()
        self.bystander.once.wait(wire.TIMEOUT_SECONDS)
        self.calls_before = self.bystander.calls
        self.addCleanup(self.check)

    def look(self):
        """Takes note of the coordinator's memory."""
        self.highest = max(
            self.highest, memory_bytes(self.stack.coordinator.process)
        )

    def check(self):
        self.look()
        # Whoever is served is so after the attack, too.
        seen = self.bystander.calls
        deadline = time.monotonic() + wire.TIMEOUT_SECONDS
        while self.bystander.calls < seen + 4 and time.monotonic() < deadline:
            self.assertIsNone(self.stack.coordinator.process.poll())
            time.sleep(0.01)
        self.assertGreaterEqual(self.bystander.calls, seen + 4)
        self.bystander.stopping.set()
        self.bystander.join()
        grown = (self.highest - self.before) / (1 << 20)
        print(
            f"memory {self.before / (1 << 20):.0f} MiB, at most {grown:+.0f} MiB; "
            f"{self.bystander.calls - self.calls_before} calls of a bystander, "
            f"connected again {self.bystander.reconnects} times",
            end=" ... ",
        )
        self.assertIsNone(self.stack.coordinator.process.poll())
        self.assertEqual(self.bystander.failures, [])
        self.assertLess(self.highest - self.before, self.memory_bound)

    def create_token(self, role, name="test"):
        """A token, made where the store is."""
        process = installation.subprocess.run(
            [
                installation.program("assay-coordinator"),
                "create-token",
                f"--store={self.stack.store}",
                f"--role={role}",
                f"--name={name}",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        return process.stdout.strip()

    def connect(self, token=None, **options):
        """A connection that ends with the test."""
        connection = wire.Connection(
            self.server, token=token or self.admin, **options
        )
        self.addCleanup(connection.close)
        return connection

    def assert_refused(self, answer, status, text=""):
        self.assertEqual(answer.status, status, answer)
        self.assertIn(text, answer.message)
