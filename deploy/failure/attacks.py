"""What hostile clients do. Each attack takes some seconds, and gives up its connections at the end."""

import os
import selectors
import struct
import threading
import time

import http2
from processes import LONG, wait_until

# How long an attack lasts that the server does not end.
ATTACK_SECONDS = 10 if LONG else 2

FLOOD_SECONDS = ATTACK_SECONDS / 2

# How much later than its limit the server may end what it must end.
SLACK = 2.5

# Connections, and streams on each; with LONG=1 in all as many as a server takes if it is told nothing else.
CONNECTIONS, STREAMS = (128, 16) if LONG else (64, 8)
ALL_STREAMS = CONNECTIONS * STREAMS
# Half as many, since a server that has all the calls that it takes refuses others.
SLOW_CALLS = ALL_STREAMS // 2


def unread_streams(server, report):
    """Streams of a long list, asked for by clients that say that they take in everything and then read nothing."""
    begun = server.open_files()
    connections = []
    for _ in range(CONNECTIONS):
        connection = http2.connect(server, receive_buffer=4096)
        calls = (http2.call("StreamLegalMoves", http2.LONG_LIST, 2 * n + 1) for n in range(STREAMS))
        connection.sendall(http2.GREEDY_OPENING + b"".join(calls))
        connections.append(connection)
    time.sleep(1)
    report.figure(f"after a second the server has {server.memory_mb():.0f} MB and {server.open_files()} open files")
    # The limit of a stall, then a ping that nobody answers.
    limit = server.settings["KEEPALIVE_INTERVAL"] + server.settings["KEEPALIVE_TIMEOUT"]
    limit = max(limit, server.settings["STALL_LIMIT"]) + SLACK
    ended, seconds = wait_until(lambda: server.open_files() < begun + CONNECTIONS // 10, limit)
    report.bound(
        ended,
        f"the server closes connections that do not move within {limit} s: "
        f"{server.open_files() - begun} of {CONNECTIONS} are open after {seconds:.1f} s",
    )
    close(connections)


def streams_without_window(server, report):
    """Streams of a long list, asked for by clients that read and answer pings, and never open the window."""
    peers = []
    for _ in range(CONNECTIONS):
        peer = Peer(server)
        for n in range(STREAMS):
            peer.call(http2.call("StreamLegalMoves", http2.LONG_LIST, 2 * n + 1), 2 * n + 1)
        peers.append(peer)
    time.sleep(1)
    report.figure(f"after a second the server has {server.memory_mb():.0f} MB")
    end_of_calls(report, peers, server.settings["STALL_LIMIT"] + SLACK)


def silent(server, report):
    """Connections on which nothing is sent."""
    connections = [http2.connect(server) for _ in range(200)]
    end_of_handshakes(server, report, connections, lambda: None)


def trickle(server, report):
    """Connections that begin as they must, at a byte a second."""
    connections = [http2.connect(server) for _ in range(100)]
    sent = 0

    def send():
        nonlocal sent
        for connection in connections:
            try:
                connection.send(http2.OPENING[sent : sent + 1])
            except OSError:
                pass
        sent += 1

    end_of_handshakes(server, report, connections, send)


def end_of_handshakes(server, report, connections, each_second):
    """Waits until the server has closed connections that do not come to speak HTTP/2."""
    limit = server.settings["HANDSHAKE_TIMEOUT"] + SLACK
    begun = time.monotonic()
    still_open = connections
    while still_open and time.monotonic() - begun < limit:
        each_second()
        time.sleep(0.5)
        still_open = [connection for connection in still_open if http2.is_open(connection)]
        time.sleep(0.5)
    report.bound(
        not still_open,
        f"the server closes them within {limit} s: {len(still_open)} of {len(connections)} are open",
    )
    close(connections)


def slow_messages(server, report):
    """Calls that announce a message of almost 4 MiB, which a server may make room for, and send ten bytes a second."""
    announced = b"\0" + struct.pack(">I", 4_000_000)
    peers = []
    for _ in range(CONNECTIONS // 2):
        peer = Peer(server)
        for n in range(STREAMS):
            stream = 2 * n + 1
            peer.call(http2.headers("ApplyMove", stream=stream) + http2.frame(http2.DATA, 0, stream, announced), stream)
        peers.append(peer)

    def send():
        for peer in peers:
            peer.send(b"".join(http2.frame(http2.DATA, 0, stream, bytes(10)) for stream in peer.calls))

    end_of_calls(report, peers, server.settings["DEFAULT_DEADLINE"] + SLACK, send)


def end_of_calls(report, peers, limit, each_second=lambda: None):
    """Waits until the server has ended all calls."""
    begun = next_second = time.monotonic()
    while any(peer.calls for peer in peers) and time.monotonic() - begun < limit:
        if time.monotonic() >= next_second:
            each_second()
            next_second += 1
        read_all(peers, 0.2)
    seconds = time.monotonic() - begun
    left = sum(len(peer.calls) for peer in peers)
    report.bound(left == 0, f"the server ends them within {limit} s: {left} are open after {seconds:.1f} s")
    close([peer.connection for peer in peers])


class Peer:
    """A client that reads what the server sends, and answers its pings."""

    def __init__(self, server):
        self.connection = http2.connect(server)
        self.connection.sendall(http2.OPENING)
        # The streams of calls that the server has not ended.
        self.calls = set()

    def call(self, frames, stream):
        self.calls.add(stream)
        self.send(frames)

    def send(self, frames):
        try:
            self.connection.setblocking(True)
            self.connection.sendall(frames)
        except OSError:
            self.calls.clear()

    def read(self):
        frames, ended = http2.read_frames(self.connection, 0.02)
        for kind, flags, stream, payload in frames:
            if kind == http2.PING and not flags & http2.ACK:
                self.send(http2.frame(http2.PING, http2.ACK, 0, payload))
            if kind == http2.RST_STREAM or kind in (http2.HEADERS, http2.DATA) and flags & http2.END_STREAM:
                self.calls.discard(stream)
        if ended:
            self.calls.clear()


def read_all(peers, seconds):
    """Reads from all to whom something was sent within so many seconds."""
    with selectors.DefaultSelector() as selector:
        for peer in peers:
            if peer.calls:
                selector.register(peer.connection, selectors.EVENT_READ, peer)
        for key, _ in selector.select(seconds) if selector.get_map() else []:
            key.data.read()


def garbage(server, report):
    """Bytes without sense, instead of HTTP/2 and within it."""
    hello = bytes.fromhex("16030100a5010000a10303") + os.urandom(160)
    openings = [b"", http2.OPENING, hello, b"GET / HTTP/1.1\r\nhost: arbiter\r\n\r\n"]

    def attack(turn):
        connection = http2.connect(server)
        connection.sendall(openings[turn % len(openings)] + os.urandom(4096))
        http2.read_frames(connection, 0.02)
        connection.close()
        return 1

    report.figure(f"{repeated(attack, 8)} connections")


def rapid_reset(server, report):
    """Calls of heavy work that are given up as soon as they were made."""
    closed = []

    def attack(turn):
        connection = http2.connect(server)
        connection.sendall(http2.OPENING)
        until = time.monotonic() + 1
        streams = iter(range(1, 2**31, 2))
        resets = 0
        try:
            while time.monotonic() < until:
                batch = [next(streams) for _ in range(100)]
                connection.settimeout(2)
                connection.sendall(
                    b"".join(http2.call("StreamLegalMoves", http2.LONG_LIST, n) + http2.reset(n) for n in batch)
                )
                resets += len(batch)
                if not http2.is_open(connection):
                    closed.append(1)
                    break
        except OSError:
            closed.append(1)
        connection.close()
        return resets

    total = repeated(attack, 4)
    report.figure(f"{total} calls were made and reset; the server closed {len(closed)} connections")


def _headers_that_never_end():
    opening = http2.headers("ApplyMove", end=0)
    # The same header again and again, each a name of 1 byte and a value of 1,000.
    more = (b"\0\x01x\x7f\xe9\x06" + b"v" * 1000) * 16
    return opening, http2.frame(http2.CONTINUATION, 0, 1, more)


def _stream_that_never_ends():
    return http2.headers("ApplyMove"), http2.frame(http2.DATA, 0, 1) * 1000


# What is sent first, and what is sent again and again.
FLOODS = {
    "PING": (b"", http2.frame(http2.PING, 0, 0, bytes(8)) * 1000),
    "SETTINGS": (b"", http2.settings(window=http2.DEFAULT_WINDOW) * 1000),
    "WINDOW_UPDATE": (b"", http2.frame(http2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)) * 1000),
    "empty DATA": _stream_that_never_ends(),
    "CONTINUATION": _headers_that_never_end(),
}


def floods(server, report):
    """One frame again and again, and nothing is read."""
    for name, (opening, again) in FLOODS.items():
        closed = []

        def attack(turn):
            connection = http2.connect(server)
            connection.settimeout(1)
            sent = 0
            try:
                connection.sendall(http2.OPENING + opening)
                until = time.monotonic() + FLOOD_SECONDS
                while time.monotonic() < until:
                    connection.sendall(again)
                    sent += len(again)
            except TimeoutError:
                pass
            except OSError:
                closed.append(1)
            connection.close()
            return sent

        total = repeated(attack, 4, FLOOD_SECONDS)
        report.figure(f"{name}: {total / 1e6:.0f} MB were sent; the server closed {len(closed)} connections")


def repeated(attack, threads, seconds=ATTACK_SECONDS):
    """Runs an attack again and again on so many threads, and sums up what it gives."""
    until = time.monotonic() + seconds
    totals = []

    def work():
        # Attackers are on machines of their own: they do not take the processors of those who are attacked.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        total = turn = 0
        while time.monotonic() < until:
            try:
                total += attack(turn)
            except OSError:
                # A server under attack may refuse or close a connection at any moment.
                time.sleep(0.01)
            turn += 1
        totals.append(total)

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(totals)


def crowd(server, count):
    """So many connections that begin as they must and then do nothing. Those that the server does not accept wait in
    the queue of its operating system, which here has room for all."""
    connections = []
    for _ in range(count):
        try:
            connection = http2.connect(server)
            connection.sendall(http2.OPENING)
            connections.append(connection)
        except OSError:
            pass
    return connections


def close(connections):
    for connection in connections:
        connection.close()


# How long attacks last that take longer than others, where the server does not end them.
SECONDS = {
    unread_streams: 7,
    streams_without_window: 6,
    silent: 4,
    trickle: 4,
    slow_messages: 6,
    floods: len(FLOODS) * FLOOD_SECONDS,
}
