"""Connections that do nothing, and calls whose answers nobody reads."""

import hashlib
import json
import os
import resource
import time

import coordinator
import leases
import wire

WATCH = "/assay.v1.EvaluationService/WatchSubmissions"
PUT = "/assay.v1.BlobService/PutBlob"
GET = "/assay.v1.BlobService/GetBlob"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


class IdleTest(coordinator.HostileTest):
    memory_bound = 500 << 20

    def open_files(self, wanted):
        """Raises the limit of this process; returns what is possible."""
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return min(wanted, hard - 200)

    def test_idle_connections(self):
        wanted = self.open_files(coordinator.count(1_000, 10_000))
        for _ in range(wanted):
            self.connect()
        self.look()
        each = (self.highest - self.before) / wanted / 1024
        print(f"{wanted} idle connections, {each:.0f} KiB each", end=" ... ")
        with self.connect() as connection:
            self.assertEqual(connection.call(coordinator.INFO, b"").status, wire.OK)

    def test_connections_that_never_say_a_word(self):
        wanted = self.open_files(coordinator.count(500, 5_000))
        silent = []
        for _ in range(wanted):
            silent.append(wire.dial(self.server))
            self.addCleanup(silent[-1].close)
        self.look()
        print(f"{wanted} silent connections", end=" ... ")

    def test_handshakes_a_byte_at_a_time(self):
        slow = []
        for _ in range(coordinator.count(200, 2_000)):
            slow.append(wire.dial(self.server))
            self.addCleanup(slow[-1].close)
        # A byte a second, and never the last one: they are hung up on.
        waiting = slow
        for byte in PREFACE[:-1] + b"\0" * 60:
            waiting = [one for one in waiting if self.is_open(one, byte)]
            if not waiting:
                break
            time.sleep(1)
        self.assertEqual(len(waiting), 0, "some are still open")

    @staticmethod
    def is_open(connection, byte):
        """Says one more byte of the preface, unless it is said."""
        try:
            if byte:
                connection.send(bytes([byte]))
            connection.setblocking(False)
            # The coordinator's own settings come unasked.
            while connection.recv(4096):
                pass
            return False
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            connection.setblocking(True)

    def test_calls_that_are_never_finished(self):
        with self.connect() as connection:
            for _ in range(coordinator.count(50, 100)):
                stream = connection.open(coordinator.LIST)
                # Announces a message and sends half of it.
                connection.send(stream, b"\0\0\x10\0\0" + b"x" * 1000)
            self.look()
            answer = connection.call(coordinator.INFO, b"")
            self.assertEqual(answer.status, wire.OK, answer)


class SlowReaderTest(leases.LeaseTest):
    workloads = 200

    def put_blob(self, content):
        digest = hashlib.sha256(content).hexdigest()
        with self.connect() as connection:
            stream = connection.open(PUT)
            for at in range(0, len(content), 1 << 20):
                head = (
                    wire.field(1, digest) + wire.field(2, len(content))
                    if at == 0 else b""
                )
                connection.send(
                    stream,
                    wire.frame(head + wire.field(3, content[at : at + (1 << 20)])),
                )
            connection.send(stream, b"", end=True)
            answer = connection.wait(stream)
            self.assertEqual(answer.status, wire.OK, answer)
        return digest

    def test_blobs_that_nobody_reads(self):
        digest = self.put_blob(os.urandom(16 << 20))
        for _ in range(coordinator.count(100, 200)):
            connection = self.connect(reading=False, window=0)
            stream = connection.open(GET)
            connection.send(stream, wire.frame(wire.field(1, digest)), end=True)
        time.sleep(2)
        self.look()

    def test_watches_that_nobody_reads(self):
        submission = wire.field(1, self.first_submission())
        for _ in range(coordinator.count(200, 2_000)):
            connection = self.connect(reading=False, window=0)
            stream = connection.open(WATCH)
            connection.send(stream, wire.frame(submission), end=True)
        # There is something to tell them.
        lease, jobs = self.acquire(jobs=100)
        stream = self.worker_connection.open(leases.RUN)
        self.worker_connection.send(stream, leases.report(lease, 0, leases.ACCEPT))
        for number, (job, fence) in enumerate(jobs, 1):
            self.worker_connection.send(
                stream,
                leases.report(
                    lease, number, leases.STAGE, leases.about(job, fence, 3, 2)
                ),
            )
        self.worker_connection.send(
            stream, leases.report(lease, len(jobs) + 1, leases.FINISHED)
        )
        answer = self.worker_connection.wait(stream)
        self.assertEqual(answer.status, wire.OK, answer)
        self.look()

    def first_submission(self):
        listed = json.loads(self.command("submissions", "list", "--json"))
        return listed["submissions"][0]["id"]

    def test_uploads_that_stall(self):
        for i in range(coordinator.count(100, 400)):
            connection = self.connect()
            stream = connection.open(PUT)
            digest = hashlib.sha256(str(i).encode()).hexdigest()
            connection.send(
                stream,
                wire.frame(
                    wire.field(1, digest) + wire.field(2, 1 << 30)
                    + wire.field(3, b"x" * 100_000)
                ),
            )
        self.look()
