"""The client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from types import TracebackType
from typing import Any

import grpc
import grpc.aio

from arbiter_client import requests
from arbiter_client.answers import (
    Illegal,
    LegalSteps,
    MovesPage,
    Played,
    Replay,
    Status,
    played_or_illegal,
    steps_or_illegal,
)
from arbiter_client.channel import ChannelSettings
from arbiter_client.enums import MoveView, PositionView, Side
from arbiter_client.errors import IllegalMoveError, arbiter_errors
from arbiter_client.requests import MoveLike
from arbiter_client.v1.listing_pb2 import LegalStepsResponse
from arbiter_client.v1.move_pb2 import Filter, Move, Step
from arbiter_client.v1.position_pb2 import Position
from arbiter_client.v1.service_pb2_grpc import ArbiterServiceStub
from arbiter_client.v1.starting_pb2 import ListVariantsRequest
from arbiter_client.v1.variant_pb2 import Variant


class AsyncArbiter:
    """A client of the service for asyncio. Make it inside the event loop that uses it.

        async with AsyncArbiter("127.0.0.1:50051") as arbiter:
            position = await arbiter.initial_position("bordahbee")
            async for move in arbiter.legal_moves(position):
                print(move.text)

    All is as in `Arbiter`, where parameters and answers are described.
    """

    def __init__(
        self,
        target: str | Sequence[str] = "127.0.0.1:50051",
        *,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = 30.0,
        balance: bool | None = None,
        authority: str | None = None,
        retries: bool = True,
        keepalive: float = 30.0,
        options: Sequence[tuple[str, Any]] = (),
    ) -> None:
        """Makes a client. Parameters as for `Arbiter`."""
        settings = ChannelSettings(target, balance, authority, retries, keepalive, options)
        address, all_options = settings.resolved_target(), settings.all_options()
        if credentials is None:
            self._channel = grpc.aio.insecure_channel(address, all_options)
        else:
            self._channel = grpc.aio.secure_channel(address, credentials, all_options)
        self._stub = ArbiterServiceStub(self._channel)
        self._timeout = timeout

    async def __aenter__(self) -> AsyncArbiter:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection and ends all open calls."""
        await self._channel.close()

    def _seconds(self, timeout: float | None) -> float:
        return self._timeout if timeout is None else timeout

    async def variants(self, *, timeout: float | None = None) -> list[Variant]:
        """As `Arbiter.variants`."""
        with arbiter_errors():
            response = await self._stub.ListVariants(ListVariantsRequest(), timeout=self._seconds(timeout))
        return list(response.variants)

    async def initial_position(
        self,
        variant: str,
        *,
        above_army: Side = Side.UNSPECIFIED,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Position:
        """As `Arbiter.initial_position`."""
        request = requests.initial_position(variant, above_army, view)
        with arbiter_errors():
            response = await self._stub.GetInitialPosition(request, timeout=self._seconds(timeout))
        return response.position

    async def legal_moves(
        self,
        position: Position,
        *,
        filter: Filter | None = None,
        view: MoveView = MoveView.FULL,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> AsyncIterator[Move]:
        """As `Arbiter.legal_moves`."""
        token = ""
        while True:
            page = await self.legal_moves_page(
                position, filter=filter, view=view, page_size=page_size, page_token=token, timeout=timeout
            )
            for move in page.moves:
                yield move
            token = page.next_page_token
            if not token:
                return

    async def legal_moves_page(
        self,
        position: Position,
        *,
        filter: Filter | None = None,
        view: MoveView = MoveView.FULL,
        page_size: int = 0,
        page_token: str = "",
        include_total: bool = False,
        timeout: float | None = None,
    ) -> MovesPage:
        """As `Arbiter.legal_moves_page`."""
        request = requests.legal_moves(position, filter, view, page_size, page_token, include_total)
        with arbiter_errors():
            return MovesPage.of(await self._stub.LegalMoves(request, timeout=self._seconds(timeout)))

    async def count_legal_moves(
        self, position: Position, *, filter: Filter | None = None, timeout: float | None = None
    ) -> int:
        """As `Arbiter.count_legal_moves`."""
        page = await self.legal_moves_page(position, filter=filter, view=MoveView.COUNT, timeout=timeout)
        return page.total_size

    async def stream_legal_moves(
        self,
        position: Position,
        *,
        filter: Filter | None = None,
        view: MoveView = MoveView.FULL,
        distinct_positions: bool = False,
        timeout: float | None = None,
    ) -> AsyncGenerator[Move, None]:
        """As `Arbiter.stream_legal_moves`.

        An iterator left early is closed by the event loop soon after, by `contextlib.aclosing` at once.
        """
        request = requests.stream_legal_moves(position, filter, view, distinct_positions)
        call = self._stub.StreamLegalMoves(request, timeout=self._seconds(timeout))
        try:
            with arbiter_errors():
                async for batch in call:
                    for move in batch.moves:
                        yield move
        finally:
            call.cancel()

    async def legal_steps(
        self,
        position: Position,
        prefix: Iterable[Step] = (),
        *,
        filter: Filter | None = None,
        timeout: float | None = None,
    ) -> LegalSteps | Illegal:
        """As `Arbiter.legal_steps`."""
        request = requests.legal_steps(position, prefix, filter)
        pages: list[LegalStepsResponse] = []
        with arbiter_errors():
            while not pages or request.page_token:
                pages.append(await self._stub.LegalSteps(request, timeout=self._seconds(timeout)))
                request.page_token = pages[-1].next_page_token
        return steps_or_illegal(pages)

    async def apply_move(
        self,
        position: Position,
        move: MoveLike,
        *,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Played | Illegal:
        """As `Arbiter.apply_move`."""
        request = requests.apply_move(position, move, view)
        with arbiter_errors():
            return played_or_illegal(await self._stub.ApplyMove(request, timeout=self._seconds(timeout)))

    async def play(
        self,
        position: Position,
        move: MoveLike,
        *,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Played:
        """As `Arbiter.play`."""
        answer = await self.apply_move(position, move, view=view, timeout=timeout)
        if not answer.legal:
            raise IllegalMoveError(answer)
        return answer

    async def status(self, position: Position, *, timeout: float | None = None) -> Status:
        """As `Arbiter.status`."""
        request = requests.status(position)
        with arbiter_errors():
            response = await self._stub.GameStatus(request, timeout=self._seconds(timeout))
        return Status.of(response.status)

    async def replay(
        self,
        position: Position,
        moves: Iterable[str],
        *,
        every_position: bool = False,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Replay:
        """As `Arbiter.replay`."""
        request = requests.replay(position, moves, every_position, view)
        with arbiter_errors():
            whole = part = await self._stub.ReplayGame(request, timeout=self._seconds(timeout))
            positions = list(part.positions)
            while part.next_move_index:
                request = requests.rest_of_replay(request, positions[-1], part.next_move_index)
                part = await self._stub.ReplayGame(request, timeout=self._seconds(timeout))
                positions += part.positions
        return Replay.of(whole, positions)
