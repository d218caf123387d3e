"""Deadlines, and streams that are left."""

import contextlib
import threading
import time
from collections.abc import Iterator

import grpc
import pytest

from arbiter_client import Arbiter, ArbiterError, ErrorReason, Move, MoveView, Position
from arbiter_client.v1.listing_pb2 import StreamLegalMovesResponse
from conformance.server import Server, has_flag, running
from tests import fake

CHESS = Position(variant="chess")


def test_a_deadline_that_passes_is_told(arbiter: Arbiter, heavy: Position) -> None:
    for moves in (
        arbiter.stream_legal_moves(heavy, timeout=0.02),
        arbiter.legal_moves(heavy, page_size=10_000, timeout=0.001),
    ):
        with pytest.raises(ArbiterError) as raised:
            list(moves)
        assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_the_deadline_of_the_client_holds_unless_the_call_has_its_own(
    server: Server, heavy: Position
) -> None:
    with Arbiter(server.address, timeout=0.02) as arbiter:
        with pytest.raises(ArbiterError) as raised:
            list(arbiter.stream_legal_moves(heavy))
        assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
        assert sum(1 for _ in arbiter.stream_legal_moves(heavy, view=MoveView.TEXT, timeout=30.0)) > 100_000


@pytest.mark.parametrize("way", ["break", "close"])
def test_a_stream_that_is_left_is_cancelled(way: str) -> None:
    ended = threading.Event()

    def endless(_request: object, context: grpc.ServicerContext) -> Iterator[StreamLegalMovesResponse]:
        context.add_callback(ended.set)
        while not ended.is_set():
            yield StreamLegalMovesResponse(moves=[Move(text="e2e4")])
            time.sleep(0.01)

    with fake.answering(StreamLegalMoves=endless) as address, Arbiter(address) as arbiter:
        if way == "break":
            for _ in arbiter.stream_legal_moves(CHESS):
                break
        else:
            moves = arbiter.stream_legal_moves(CHESS)
            next(moves)
            assert not ended.wait(0.1)
            moves.close()
        assert ended.wait(5)


@pytest.mark.skipif(not has_flag("--max-calls"), reason="the server cannot be held to so many calls")
def test_streams_that_are_left_free_the_server(heavy: Position) -> None:
    with running("--max-calls", "2", "--list-share", "100") as server, Arbiter(server.address) as arbiter:
        streams = [arbiter.stream_legal_moves(heavy) for _ in range(2)]
        for stream in streams:
            next(stream)
        # The server has no room beside the streams, and says so.
        with pytest.raises(ArbiterError) as raised:
            arbiter.status(CHESS)
        assert (raised.value.reason, bool(raised.value.retry_after)) == (ErrorReason.BUSY, True)
        for stream in streams:
            stream.close()
        for _ in range(50):
            with contextlib.suppress(ArbiterError):
                arbiter.status(CHESS)
                break
            time.sleep(0.1)
        else:
            pytest.fail("the streams were left and the server is still busy")


def test_a_server_works_no_more_for_a_stream_that_is_left(heavy: Position) -> None:
    with running("--workers", "1") as server, Arbiter(server.address) as arbiter:
        for _ in range(20):
            moves = arbiter.stream_legal_moves(heavy)
            next(moves)
            moves.close()
        # The next one has the only worker for itself.
        assert sum(1 for _ in arbiter.stream_legal_moves(heavy, view=MoveView.TEXT)) > 100_000
        before = cpu_ticks(server)
        time.sleep(0.5)
        assert cpu_ticks(server) - before <= 5


def cpu_ticks(server: Server) -> int:
    """The processor time that a server has used, in hundredths of a second."""
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
