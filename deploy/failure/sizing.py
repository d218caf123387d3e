"""What a replica needs, as docs/operations.md says it: memory for connections and calls, processor time for answers.

Nothing is harmed here, and the one bound is the limit of memory: these are figures to plan with.
"""

import resource
import time
from functools import partial

import certificate
import http2
from processes import MEMORY_LIMIT_MB, Load, Server

CONNECTIONS = 1_000
# Streams that their clients do not read, on connections with as many each.
STREAMS, STREAMS_EACH = 500, 50
CALL = http2.call("LegalMoves", http2.field(1, http2.field(1, b"chess")))

SECONDS = 4
# What is asked for one after the other. Some answer with several messages.
CALLS = [
    "single:chess",
    "single:three-universes",
    "status:gamma2",
    "list:100",
    "list:1000",
    "count:extreme",
    "stream:universes",
    "stream:extreme",
]


def run(report):
    # Both ends of the connections are files, those of the clients of this process.
    resource.setrlimit(resource.RLIMIT_NOFILE, (4 * CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    connections(report)
    streams(report)
    answers(report)


def connections(report):
    report.begin(f"{CONNECTIONS} connections that have made a call")
    authority = certificate.Authority("sizing")
    pair, context = authority.issue("sizing server"), authority.context()
    tls = {"TLS_CERT": pair.certificate, "TLS_KEY": pair.key}
    connect_with_tls = partial(certificate.connect, context=context)
    for name, settings, connect in (("plain", {}, http2.connect), ("with TLS", tls, connect_with_tls)):
        server = Server(settings=settings)
        before = server.memory_mb()
        opened = [connect(server) for _ in range(CONNECTIONS)]
        for connection in opened:
            connection.sendall(http2.OPENING + CALL)
        for connection in opened:
            http2.read_frames(connection, 0.005)
        time.sleep(1)
        after = server.memory_mb()
        for connection in opened:
            connection.close()
        server.kill()
        each = (after - before) * 1024 / CONNECTIONS
        report.figure(f"{name}: {before:.1f} MB without a connection, {after:.1f} MB with all: {each:.0f} KiB each")


def streams(report):
    report.begin(f"{STREAMS} streams of a long list that nobody reads")
    server = Server()
    before = server.memory_mb()
    opened = []
    for _ in range(STREAMS // STREAMS_EACH):
        connection = http2.connect(server, receive_buffer=4096)
        calls = (http2.call("StreamLegalMoves", http2.LONG_LIST, 2 * n + 1) for n in range(STREAMS_EACH))
        connection.sendall(http2.GREEDY_OPENING + b"".join(calls))
        opened.append(connection)
    time.sleep(3)
    after, most = server.memory_mb(), server.memory_mb("VmHWM")
    for connection in opened:
        connection.close()
    server.kill()
    report.figure(f"{before:.1f} MB before, {after:.1f} MB with them: {(after - before) * 1024 / STREAMS:.0f} KiB each")
    report.bound(most < MEMORY_LIMIT_MB, f"peak memory under {MEMORY_LIMIT_MB} MB: {most:.0f} MB")


def answers(report):
    report.begin("answers for a second of processor time, by the server on a core of its own")
    server = Server(settings={"WORKERS": 1}, core=0)
    for call in CALLS:
        load = Load(
            [server.address], [call], core=1, watch=server.process.pid, concurrency=4, seconds=SECONDS, warm_up=0.5
        )
        result = load.result()
        goodput, used = result.total("goodput"), result.document["watched_processor_seconds"] / SECONDS
        report.figure(
            f"{call}: {goodput:.0f} a second with {used:.0%} of the core, so {goodput / used:.0f} for a whole one, "
            f"{1000 * used / goodput:.3f} ms each"
        )
    report.figure(f"peak memory: {server.memory_mb('VmHWM'):.0f} MB")
    server.kill()
