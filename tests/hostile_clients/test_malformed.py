"""Bytes that are no HTTP/2, HTTP/2 that is no gRPC, gRPC that is no message."""

import os
import struct

import coordinator
import wire

CREATE = "/assay.v1.EvaluationService/CreateSubmission"
IMPORT = "/assay.v1.CatalogService/ImportTraceSet"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def http2_frame(kind, flags, stream, payload, size=None):
    """A frame whose length may lie."""
    length = len(payload) if size is None else size
    return (
        struct.pack(">I", length)[1:] + bytes([kind, flags]) +
        struct.pack(">I", stream) + payload
    )


class MalformedTest(coordinator.HostileTest):
    def send_and_drain(self, data):
        """Sends bytes on a connection of their own and reads until the end, or
        for a moment where there is none."""
        connection = wire.dial(self.server, timeout=2)
        self.addCleanup(connection.close)
        try:
            connection.sendall(data)
            while connection.recv(1 << 16):
                pass
        except OSError:
            pass

    def test_bytes_that_are_no_http2(self):
        self.send_and_drain(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        self.send_and_drain(b"\x16\x03\x01" + os.urandom(500))
        self.send_and_drain(os.urandom(100_000))
        self.send_and_drain(b"\0" * 100_000)

    def test_frames_that_lie(self):
        settings = http2_frame(4, 0, 0, b"")
        for frames in (
            # Longer than any frame may be.
            http2_frame(0, 0, 1, b"x" * 100, size=0xFFFFFF),
            # Data, window and reset of streams that nobody opened.
            http2_frame(0, 1, 5, b"data"),
            http2_frame(8, 0, 7, struct.pack(">I", 0)),
            http2_frame(3, 0, 9, struct.pack(">I", 0)),
            # Headers that no table can decode; a continuation of nothing.
            http2_frame(1, 4, 1, b"\xff" * 200),
            http2_frame(9, 4, 1, b"\x82"),
            # Settings with half an entry; a ping of a wrong size.
            http2_frame(4, 0, 0, b"\0\1\0"),
            http2_frame(6, 0, 0, b"short"),
            # An even stream; a priority on itself.
            http2_frame(1, 5, 2, b"\x82"),
            http2_frame(2, 0, 1, struct.pack(">IB", 1, 0)),
        ):
            self.send_and_drain(PREFACE + settings + frames)

    def test_floods_of_small_frames(self):
        settings = PREFACE + http2_frame(4, 0, 0, b"")
        many = 20_000
        self.send_and_drain(settings + http2_frame(6, 0, 0, b"pingping") * many)
        self.send_and_drain(settings + http2_frame(4, 0, 0, b"") * many)
        self.send_and_drain(
            settings + http2_frame(8, 0, 0, struct.pack(">I", 1)) * many
        )

    def test_headers_without_end(self):
        # A continuation never ends the headers, and each adds to them.
        data = http2_frame(1, 0, 1, b"\x82")
        block = b"\0" + b"\x05abcde" + b"\x7f\x81\x7d" + b"v" * 16_000
        data += http2_frame(9, 0, 1, block) * 500
        self.send_and_drain(PREFACE + http2_frame(4, 0, 0, b"") + data)
        self.look()

    def test_large_headers(self):
        large = [("x-large", "v" * 20_000)]
        # The limit holds from when the client has acknowledged it; until then
        # memory is bounded all the same.
        for _ in range(5):
            self.connect().call(coordinator.INFO, b"", large)
        self.look()
        connection = self.connect()
        self.assertEqual(connection.call(coordinator.INFO, b"").status, wire.OK)
        try:
            answer = connection.call(coordinator.INFO, b"", large)
            self.assertNotEqual(answer.status, wire.OK, answer)
        except wire.Closed:
            pass

    def test_reset_of_calls_as_soon_as_they_begin(self):
        with self.connect() as connection:
            for _ in range(coordinator.count(3_000, 30_000)):
                stream = connection.open(coordinator.LIST)
                connection.h2.reset_stream(stream)
                connection.flush()
        self.look()

    def test_messages_that_lie_about_their_length(self):
        with self.connect() as connection:
            # One byte more than a message may have.
            stream = connection.open(CREATE)
            connection.send(stream, wire.frame(b"\0" * ((64 << 20) + 1)), end=True)
            answer = connection.wait(stream)
            self.assert_refused(answer, wire.RESOURCE_EXHAUSTED, "larger than max")
            self.look()
            # Shorter than announced.
            stream = connection.open(CREATE)
            connection.send(stream, struct.pack(">BI", 0, 100) + b"x", end=True)
            self.assertNotIn(connection.wait(stream).status, (None, wire.OK))
            # No such compression.
            stream = connection.open(CREATE, [("grpc-encoding", "unknown")])
            connection.send(stream, struct.pack(">BI", 1, 3) + b"xyz", end=True)
            self.assertNotIn(connection.wait(stream).status, (None, wire.OK))

    def test_messages_that_never_end(self):
        # 4 GiB are announced; the coordinator takes no more than it can hold.
        connection = self.connect()
        connection.socket.settimeout(5)
        stream = connection.open(CREATE)
        sent = 0
        try:
            connection.send(stream, struct.pack(">BI", 0, 0xFFFFFFFF))
            for _ in range(coordinator.count(800, 3_000)):
                connection.send(stream, b"x" * (1 << 20))
                sent += 1
                if sent % 50 == 0:
                    self.look()
        except (TimeoutError, OSError, wire.Closed):
            pass
        print(f"sent {sent} MiB", end=" ... ")
        self.look()

    def test_messages_that_are_none(self):
        with self.connect() as connection:
            for message in (
                # A field that ends after the message; a varint without end; a
                # group; a field number of 0; text that is no UTF-8.
                b"\x0a\xff\xff\xff\xff\x0f",
                b"\x08" + b"\xff" * 20,
                b"\x0b\x0b\x0b",
                b"\x02\x00",
                wire.field(2, b"\xff\xfe"),
            ):
                answer = connection.call(CREATE, message)
                self.assertIn(
                    answer.status,
                    # gRPC itself says UNIMPLEMENTED of what it cannot read.
                    (wire.UNIMPLEMENTED, wire.INTERNAL, wire.INVALID_ARGUMENT),
                    answer,
                )

    def test_messages_that_are_deep(self):
        deep = b""
        for _ in range(5_000):
            deep = wire.field(1, deep)
        with self.connect() as connection:
            answer = connection.call(CREATE, deep)
            self.assertNotIn(answer.status, (None, wire.OK), answer)

    def test_sources_beyond_the_limit(self):
        source = wire.field(1, "main.py") + wire.field(2, b"x" * (17 << 20))
        solution = (
            wire.field(1, "large") + wire.field(2, "d") + wire.field(3, "me") +
            wire.field(5, wire.field(1, 1)) + wire.field(6, source)
        )
        with self.connect() as connection:
            answer = connection.call(CREATE, wire.field(2, solution))
            self.assert_refused(answer, wire.INVALID_ARGUMENT, "sources")

    def test_calls_that_do_not_exist(self):
        with self.connect() as connection:
            for method in (
                "/assay.v1.AdminService/Shutdown",
                "/assay.v1.BlobService/GetBlob/../../etc/passwd",
                "/",
                "//",
                "/" + "x" * 4_000,
            ):
                answer = connection.call(method, b"")
                self.assertEqual(answer.status, wire.UNIMPLEMENTED, answer)

    def test_imports_of_rubbish(self):
        with self.connect() as connection:
            stream = connection.open(IMPORT)
            for _ in range(2_000):
                connection.send(stream, wire.frame(wire.field(1, b"\x0a\x00")))
            connection.send(stream, b"", end=True)
            answer = connection.wait(stream)
            self.assertIn(answer.status, (wire.OK, wire.INVALID_ARGUMENT, wire.INTERNAL))
        self.look()
