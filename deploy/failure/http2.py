"""As much of HTTP/2 as is needed to misuse it: frames by hand, on plain sockets."""

import socket
import struct
import time

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4

CANCEL = 8
INITIAL_WINDOW_SIZE = 4
LARGEST_WINDOW = 2**31 - 1
DEFAULT_WINDOW = 65_535

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

SERVICE = "/arbiter.v1.ArbiterService"


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(**values):
    """A SETTINGS frame; of its values only the initial window is used here."""
    window = values.get("window")
    payload = b"" if window is None else struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
    return frame(SETTINGS, payload=payload)


# What a client sends first, and what it sends to take in all that the server has, without ever saying that it read it.
OPENING = PREFACE + settings()
GREEDY_OPENING = (
    PREFACE
    + settings(window=LARGEST_WINDOW)
    + frame(WINDOW_UPDATE, payload=struct.pack(">I", LARGEST_WINDOW - DEFAULT_WINDOW))
)


def headers(method, end=END_HEADERS, stream=1):
    """HEADERS of a call, each header as its length and text."""
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", f"{SERVICE}/{method}"),
        (":authority", "arbiter"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ]
    block = b""
    for name, value in fields:
        block += b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
    return frame(HEADERS, end, stream, block)


def reset(stream):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", CANCEL))


def message(payload):
    """A gRPC message: not compressed, its length, its bytes."""
    return b"\0" + struct.pack(">I", len(payload)) + payload


def call(method, payload, stream=1):
    """All frames of a call with one message."""
    return headers(method, stream=stream) + frame(DATA, END_STREAM, stream, message(payload))


def field(number, text):
    """A field of a protobuf message: text or a message, up to 16 KiB."""
    length = len(text)
    size = bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])
    return bytes([number << 3 | 2]) + size + text


def position(variant, fen):
    """A message whose first field is a position."""
    return field(1, field(1, variant.encode()) + field(2, fen.encode()))


# A list of 1,987,067 moves.
LONG_LIST = position(
    "doppelganger-bordahbee-extreme",
    "4N3/1pnPRp1P/B1P1R1pP/1pNp3k/2B1Pp1p/P1Pq4/2KPp3/Q6b|"
    "2N1b3/p1Q5/1pnp1Pp1/PNP1K1pB/4PppP/1Pp2q2/R2PP1B1/R3k3 w -|- -|- 0 30",
)


def connect(server, receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(5)
    connection.connect(("127.0.0.1", server.port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def read_frames(connection, seconds):
    """The frames that come within so many seconds as (kind, flags, stream, payload), and whether the connection has
    ended then."""
    buffer, frames = bytearray(), []
    until = time.monotonic() + seconds
    ended = False
    while not ended and (left := until - time.monotonic()) > 0:
        connection.settimeout(left)
        try:
            data = connection.recv(1 << 16)
            ended = not data
        except TimeoutError:
            break
        except OSError:
            data, ended = b"", True
        buffer += data
        at = 0
        while len(buffer) - at >= 9 and len(buffer) - at >= 9 + (length := int.from_bytes(buffer[at : at + 3])):
            kind, flags, stream = struct.unpack_from(">BBI", buffer, at + 3)
            frames.append((kind, flags, stream, bytes(buffer[at + 9 : at + 9 + length])))
            at += 9 + length
        del buffer[:at]
    return frames, ended


def is_open(connection):
    """Whether the peer has not closed the connection. What it sent is read and dropped."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
