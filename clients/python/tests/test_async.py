"""The client for asyncio: every method gives what the other client gives."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Any, TypeVar

import grpc
import pytest

from arbiter_client import (
    Arbiter,
    ArbiterError,
    AsyncArbiter,
    ErrorReason,
    Filter,
    IllegalMoveError,
    IllegalReason,
    Move,
    MoveView,
    Position,
    PositionView,
    Side,
)
from arbiter_client.v1.listing_pb2 import StreamLegalMovesResponse
from arbiter_client.v1.playing_pb2 import ReplayGameRequest, ReplayGameResponse
from conformance.server import Server
from tests import fake

CHESS = Position(variant="chess")
UNIVERSES = Position(variant="three-universes")
FROM_E2 = Filter(board="G", from_square="e2")

T = TypeVar("T")


def ask(address: str | list[str], question: Callable[[AsyncArbiter], Awaitable[T]], **settings: Any) -> T:
    """Asks with a client of its own."""

    async def run() -> T:
        async with AsyncArbiter(address, **settings) as arbiter:
            return await question(arbiter)

    return asyncio.run(run())


async def listed(moves: AsyncIterator[Move]) -> list[Move]:
    return [move async for move in moves]


@pytest.mark.parametrize(
    ("method", "given", "named"),
    [
        ("variants", [], {}),
        ("initial_position", ["influence"], {"above_army": Side.BLACK, "view": PositionView.FULL}),
        ("legal_moves_page", [UNIVERSES], {"filter": FROM_E2, "page_size": 5, "include_total": True}),
        ("count_legal_moves", [UNIVERSES], {"filter": FROM_E2}),
        ("legal_steps", [UNIVERSES], {"filter": FROM_E2}),
        ("apply_move", [CHESS, "e2e4"], {"view": PositionView.FULL}),
        ("apply_move", [CHESS, "e2e5"], {}),
        ("play", [CHESS, "Ng1-f3"], {}),
        ("status", [CHESS], {}),
        ("replay", [CHESS, ["e2e4", "e7e5"]], {"every_position": True, "view": PositionView.FULL}),
        ("replay", [CHESS, ["e2e4", "e2e4"]], {}),
    ],
)
def test_answers_are_the_same(
    server: Server, arbiter: Arbiter, method: str, given: list[Any], named: dict[str, Any]
) -> None:
    answer = ask(server.address, lambda client: getattr(client, method)(*given, **named))
    assert answer == getattr(arbiter, method)(*given, **named)


@pytest.mark.parametrize("method", ["legal_moves", "stream_legal_moves"])
@pytest.mark.parametrize("named", [{"filter": FROM_E2}, {"view": MoveView.TEXT}])
def test_lists_are_the_same(server: Server, arbiter: Arbiter, method: str, named: dict[str, Any]) -> None:
    moves = ask(server.address, lambda client: listed(getattr(client, method)(UNIVERSES, **named)))
    assert moves == list(getattr(arbiter, method)(UNIVERSES, **named))


def test_steps_over_several_pages_come_together(server: Server, arbiter: Arbiter, heavy: Position) -> None:
    assert ask(server.address, lambda client: client.legal_steps(heavy)) == arbiter.legal_steps(heavy)


def test_positions_come_whole_from_several_calls() -> None:
    asked: list[ReplayGameRequest] = []

    def two_at_a_time(request: ReplayGameRequest, _context: object) -> ReplayGameResponse:
        asked.append(request)
        done, rest = request.moves[:2], request.moves[2:]
        positions = [Position(variant="chess", fen=move) for move in done]
        return ReplayGameResponse(
            legal=True, canonical_moves=request.moves, positions=positions, next_move_index=2 if rest else 0
        )

    moves = ["one", "two", "three", "four", "five"]
    with fake.answering(ReplayGame=two_at_a_time) as address:
        replay = ask(address, lambda client: client.replay(CHESS, moves, every_position=True))
    assert [position.fen for position in replay.positions] == list(replay.moves) == moves
    assert [request.position.fen for request in asked] == ["", "two", "four"]


def test_calls_run_side_by_side(server: Server) -> None:
    async def many(client: AsyncArbiter) -> list[int]:
        return await asyncio.gather(*(client.count_legal_moves(UNIVERSES) for _ in range(50)))

    assert ask(server.address, many) == [2_460] * 50


def test_errors_are_the_same(server: Server) -> None:
    with pytest.raises(ArbiterError) as raised:
        ask(server.address, lambda client: client.status(Position(variant="chess", fen="9 w")))
    assert raised.value.reason is ErrorReason.INVALID_POSITION
    assert raised.value.faults
    with pytest.raises(ArbiterError) as raised:
        ask(server.address, lambda client: listed(client.stream_legal_moves(Position())))
    assert raised.value.reason is ErrorReason.MISSING_FIELD
    with pytest.raises(IllegalMoveError) as illegal:
        ask(server.address, lambda client: client.play(CHESS, "a1a4"))
    assert illegal.value.illegal.reason is IllegalReason.PATH_BLOCKED


def test_deadlines_hold(server: Server, heavy: Position) -> None:
    with pytest.raises(ArbiterError) as raised:
        ask(server.address, lambda client: listed(client.stream_legal_moves(heavy)), timeout=0.02)
    assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_stream_that_is_left_is_cancelled() -> None:
    ended = threading.Event()

    def endless(_request: object, context: grpc.ServicerContext) -> Iterator[StreamLegalMovesResponse]:
        context.add_callback(ended.set)
        while not ended.wait(0.01):
            yield StreamLegalMovesResponse(moves=[Move(text="e2e4")])

    async def leave(client: AsyncArbiter) -> None:
        async with aclosing(client.stream_legal_moves(CHESS)) as moves:
            async for _ in moves:
                break
        assert await asyncio.to_thread(ended.wait, 5)

    with fake.answering(StreamLegalMoves=endless) as address:
        ask(address, leave)


def test_a_cancelled_task_cancels_its_call() -> None:
    started, ended = threading.Event(), threading.Event()

    def hang(_request: object, context: grpc.ServicerContext) -> None:
        context.add_callback(ended.set)
        started.set()
        ended.wait(10)

    async def cancel(client: AsyncArbiter) -> None:
        task = asyncio.ensure_future(client.status(CHESS))
        assert await asyncio.to_thread(started.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(ended.wait, 5)

    with fake.answering(GameStatus=hang) as address:
        ask(address, cancel)


def test_lists_of_replicas_work(server: Server) -> None:
    assert ask([server.address, server.address], lambda client: client.count_legal_moves(CHESS)) == 20
