"""gRPC by hand: connections that can do what no gRPC library would.

    with Connection(server) as connection:
        answer = connection.call("/assay.v1.AdminService/GetServerInfo", b"")
        assert answer.status == 0

Messages are written with `field` and read with `fields`: the tests need a few of
them, and many that no generated code would write.
"""

import socket
import ssl
import struct
import urllib.parse

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings

OK, CANCELLED, INVALID_ARGUMENT, NOT_FOUND = 0, 1, 3, 5
PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION = 7, 8, 9
ABORTED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE = 10, 12, 13, 14
UNAUTHENTICATED = 16

# Generous: shared machines are slow now and then. Nothing is timed by it.
TIMEOUT_SECONDS = 60


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """One field: an int as a varint, text, bytes or a message with its length."""
    if isinstance(value, bool) or isinstance(value, int):
        return varint(number << 3) + varint(value & 0xFFFFFFFFFFFFFFFF)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """Yields (number, value) of a message that the coordinator wrote."""
    at = 0

    def read_varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(message):
        key = read_varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, read_varint()
        elif kind == 2:
            size = read_varint()
            yield key >> 3, message[at : at + size]
            at += size
        elif kind == 1:
            yield key >> 3, message[at : at + 8]
            at += 8
        else:
            yield key >> 3, message[at : at + 4]
            at += 4


def first(message, number, default=b""):
    """The first field with the number."""
    return next((value for key, value in fields(message) if key == number), default)


def frame(message):
    """A message as gRPC sends it."""
    return struct.pack(">BI", 0, len(message)) + message


class Closed(Exception):
    """The coordinator has closed the connection."""


class Answer:
    """What came of a call; `status` is None until it has ended."""

    def __init__(self):
        self.status = None
        self.message = ""
        self.reset = None
        self.data = b""
        self.headers = {}

    @property
    def ended(self):
        return self.status is not None or self.reset is not None

    def messages(self):
        """The messages that are complete."""
        out, at = [], 0
        while at + 5 <= len(self.data):
            (size,) = struct.unpack(">I", self.data[at + 1 : at + 5])
            if at + 5 + size > len(self.data):
                break
            out.append(self.data[at + 5 : at + 5 + size])
            at += 5 + size
        return out

    def __repr__(self):
        return f"status {self.status} {self.message!r}, reset {self.reset}"


def dial(server, timeout=TIMEOUT_SECONDS):
    """A TCP connection to `host:port`, without a word said."""
    host, port = server.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=timeout)


class Connection:
    """One HTTP/2 connection. With `reading` off it never gives the coordinator
    leave to send more than `window` bytes of a stream."""

    def __init__(self, server, token=None, reading=True, window=None, tls=None):
        self.socket = dial(server)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        self.authority = server
        self.token = token
        self.reading = reading
        self.answers = {}
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(
                client_side=True,
                header_encoding=None,
                validate_outbound_headers=False,
                normalize_outbound_headers=False,
            )
        )
        self.h2.initiate_connection()
        if window is not None:
            self.h2.update_settings(
                {h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: window}
            )
        elif reading:
            self.h2.increment_flow_control_window(1 << 30)
        self.flush()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        self.socket.close()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.send_raw(data)

    def send_raw(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed(str(error)) from error

    def open(self, method, headers=(), token=None):
        """Begins a call; returns its stream."""
        stream = self.h2.get_next_available_stream_id()
        self.answers[stream] = Answer()
        lines = [
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", method.encode()),
            (b":authority", self.authority.encode()),
            (b"te", b"trailers"),
            (b"content-type", b"application/grpc"),
        ]
        token = token or self.token
        if token:
            lines.append((b"authorization", b"Bearer " + token.encode()))
        lines += [(key.encode(), value.encode()) for key, value in headers]
        self.h2.send_headers(stream, lines)
        self.flush()
        return stream

    def send(self, stream, data, end=False):
        """Sends bytes as they are, as the flow control allows."""
        at = 0
        while at < len(data) or end:
            if self.answers[stream].ended:
                return
            room = min(
                self.h2.local_flow_control_window(stream),
                self.h2.max_outbound_frame_size,
                len(data) - at,
            )
            # Below 0 after the coordinator has taken back what it allowed.
            if room <= 0 and at < len(data):
                self.receive()
                continue
            last = at + room == len(data)
            self.h2.send_data(stream, data[at : at + room], end_stream=end and last)
            self.flush()
            at += room
            if last:
                return

    def receive(self):
        """Takes what has come; waits for something."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError as error:
            raise Closed(str(error)) from error
        if not data:
            raise Closed("the coordinator closed the connection")
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            # After a GOAWAY, which `take` has seen or not.
            raise Closed(str(error)) from error
        for event in events:
            self.take(event)
        self.flush()

    def take(self, event):
        answer = self.answers.get(getattr(event, "stream_id", None))
        if isinstance(event, h2.events.ConnectionTerminated):
            raise Closed(f"GOAWAY {event.error_code} {event.additional_data!r}")
        if answer is None:
            return
        if isinstance(event, (h2.events.ResponseReceived, h2.events.TrailersReceived)):
            for key, value in event.headers:
                answer.headers[key.decode()] = value.decode("utf-8", "replace")
            if "grpc-status" in answer.headers:
                answer.status = int(answer.headers["grpc-status"])
                answer.message = urllib.parse.unquote(
                    answer.headers.get("grpc-message", "")
                )
        elif isinstance(event, h2.events.DataReceived):
            answer.data += event.data
            if self.reading:
                self.h2.acknowledge_received_data(
                    event.flow_controlled_length, event.stream_id
                )
        elif isinstance(event, h2.events.StreamReset):
            answer.reset = event.error_code
        elif isinstance(event, h2.events.StreamEnded) and not answer.ended:
            # Ended without a gRPC status: an HTTP answer.
            answer.reset = answer.headers.get(":status")

    def wait(self, stream, until=None):
        """Receives until the call has ended, or `until(answer)`."""
        answer = self.answers[stream]
        while not answer.ended and not (until and until(answer)):
            self.receive()
        return answer

    def call(self, method, message, headers=(), token=None):
        """One message, one answer."""
        stream = self.open(method, headers, token)
        self.send(stream, frame(message), end=True)
        return self.wait(stream)


def client_tls(authority):
    """Encryption that trusts one authority."""
    context = ssl.create_default_context(cafile=authority)
    context.set_alpn_protocols(["h2"])
    return context
