"""The client."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any

import grpc

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


class Arbiter:
    """A client of the service. It may be used from several threads.

        with Arbiter("127.0.0.1:50051") as arbiter:
            position = arbiter.initial_position("bordahbee")
            answer = arbiter.apply_move(position, "A:e2e4/B:g1f3")

    Every method raises `ArbiterError` where the service cannot judge the request or cannot be reached. An
    illegal move is no error but an answer.
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
        """Makes a client. The connection is made with the first call.

        Args:
            target: `host:port`, or any target of gRPC such as `dns:///arbiter:50051`; or a list of `IP:port`,
                over which calls are spread.
            credentials: For TLS, see `tls`. Without it the connection is not encrypted.
            timeout: Seconds that a call may take, unless the call says otherwise. A stream must have come to
                its end by then; of a list by pages it is the time of one page.
            balance: Whether to spread calls over all addresses of the target, without those whose health
                service says that they are not serving. Unset: if the target is a list. True suits a name that
                stands for every replica, such as a headless service; not one address behind which a balancer
                stands.
            authority: The name under which to call the servers, which with TLS their certificates must hold.
                Unset: from the target; with a list, its first address.
            retries: Whether a call that the service could not take (UNAVAILABLE) is tried again, up to four
                times in all, with growing pauses.
            keepalive: Seconds without traffic after which a connection with open calls is checked.
            options: Further options of the gRPC channel.

        """
        settings = ChannelSettings(target, balance, authority, retries, keepalive, options)
        address, all_options = settings.resolved_target(), settings.all_options()
        if credentials is None:
            self._channel = grpc.insecure_channel(address, all_options)
        else:
            self._channel = grpc.secure_channel(address, credentials, all_options)
        self._stub = ArbiterServiceStub(self._channel)
        self._timeout = timeout

    def __enter__(self) -> Arbiter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection and ends all open calls."""
        self._channel.close()

    def _seconds(self, timeout: float | None) -> float:
        return self._timeout if timeout is None else timeout

    def variants(self, *, timeout: float | None = None) -> list[Variant]:
        """The variants that the server knows, with their boards, pieces, sides and rules."""
        with arbiter_errors():
            response = self._stub.ListVariants(ListVariantsRequest(), timeout=self._seconds(timeout))
        return list(response.variants)

    def initial_position(
        self,
        variant: str,
        *,
        above_army: Side = Side.UNSPECIFIED,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Position:
        """The position in which a game begins.

        Args:
            variant: The id of the variant, for example `chess`.
            above_army: In influence the army that the player Above helps, WHITE if unset.
            view: FULL for the boards with their pieces.
            timeout: Seconds, if not those of the client.

        """
        request = requests.initial_position(variant, above_army, view)
        with arbiter_errors():
            return self._stub.GetInitialPosition(request, timeout=self._seconds(timeout)).position

    def legal_moves(
        self,
        position: Position,
        *,
        filter: Filter | None = None,
        view: MoveView = MoveView.FULL,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Iterator[Move]:
        """The legal moves one by one, fetched page by page as they are taken. None if the game is over.

        Args:
            position: The position. `Position(variant="chess")` is the initial one.
            filter: Which moves, by their first step. Unset: all.
            view: TEXT for the texts alone, which is much smaller.
            page_size: The most moves of a page, 1,000 if unset, at most 10,000.
            timeout: Seconds for each page, if not those of the client.

        """
        token = ""
        while True:
            page = self.legal_moves_page(
                position, filter=filter, view=view, page_size=page_size, page_token=token, timeout=timeout
            )
            yield from page.moves
            token = page.next_page_token
            if not token:
                return

    def legal_moves_page(
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
        """One page of legal moves, for those who hand the pages on. Parameters as for `legal_moves`.

        Args:
            position: The position.
            filter: Which moves.
            view: What of each move.
            page_size: The most moves of the page.
            page_token: That of the page before. Empty: the first page.
            include_total: Whether to count all moves, which can take far longer than a page.
            timeout: Seconds, if not those of the client.

        """
        request = requests.legal_moves(position, filter, view, page_size, page_token, include_total)
        with arbiter_errors():
            return MovesPage.of(self._stub.LegalMoves(request, timeout=self._seconds(timeout)))

    def count_legal_moves(
        self, position: Position, *, filter: Filter | None = None, timeout: float | None = None
    ) -> int:
        """How many legal moves there are, without fetching them."""
        page = self.legal_moves_page(position, filter=filter, view=MoveView.COUNT, timeout=timeout)
        return page.total_size

    def stream_legal_moves(
        self,
        position: Position,
        *,
        filter: Filter | None = None,
        view: MoveView = MoveView.FULL,
        distinct_positions: bool = False,
        timeout: float | None = None,
    ) -> Generator[Move, None, None]:
        """The legal moves one by one, from a stream: the way for all moves where there are very many.

        The server stops when the iterator is closed, as it is at the end of a `for` that is left early.

        Args:
            position: The position.
            filter: Which moves, by their first step. Unset: all.
            view: TEXT for the texts alone, which is much smaller.
            distinct_positions: Of the moves that lead to the same position, only the first.
            timeout: Seconds until the end of the stream, if not those of the client.

        """
        request = requests.stream_legal_moves(position, filter, view, distinct_positions)
        call = self._stub.StreamLegalMoves(request, timeout=self._seconds(timeout))
        try:
            with arbiter_errors():
                for batch in call:
                    yield from batch.moves
        finally:
            call.cancel()

    def legal_steps(
        self,
        position: Position,
        prefix: Iterable[Step] = (),
        *,
        filter: Filter | None = None,
        timeout: float | None = None,
    ) -> LegalSteps | Illegal:
        """The steps that can come next, for a player who chooses a move by clicking.

        Every step offered leads to a legal move. Append the chosen one to `prefix` and call again, until
        `complete` is true; then `prefix` is a move for `apply_move`.

        Args:
            position: The position before the move.
            prefix: The steps chosen so far.
            filter: Which steps, for example those of the piece on a square. Unset: all.
            timeout: Seconds, if not those of the client; of each page, where there is more than one.

        Returns:
            The steps, or why no legal move begins with `prefix`.

        """
        request = requests.legal_steps(position, prefix, filter)
        pages: list[LegalStepsResponse] = []
        with arbiter_errors():
            while not pages or request.page_token:
                pages.append(self._stub.LegalSteps(request, timeout=self._seconds(timeout)))
                request.page_token = pages[-1].next_page_token
        return steps_or_illegal(pages)

    def apply_move(
        self,
        position: Position,
        move: MoveLike,
        *,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Played | Illegal:
        """Plays a move, or tells why it is illegal.

        Args:
            position: The position before the move, as the last answer gave it.
            move: Text (`e2e4`, `A:e2e4/B:g1f3`, `Ng1-f3`), a move of a list, or steps.
            view: FULL for the boards of the new position with their pieces.
            timeout: Seconds, if not those of the client.

        Returns:
            `Played` with `legal` true, or `Illegal` with `legal` false.

        """
        request = requests.apply_move(position, move, view)
        with arbiter_errors():
            return played_or_illegal(self._stub.ApplyMove(request, timeout=self._seconds(timeout)))

    def play(
        self,
        position: Position,
        move: MoveLike,
        *,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Played:
        """Plays a move that is known to be legal: as `apply_move`, but raises `IllegalMoveError`."""
        answer = self.apply_move(position, move, view=view, timeout=timeout)
        if not answer.legal:
            raise IllegalMoveError(answer)
        return answer

    def status(self, position: Position, *, timeout: float | None = None) -> Status:
        """Tells who is to move, which kings are attacked, whether the game is over, who won and why."""
        with arbiter_errors():
            response = self._stub.GameStatus(requests.status(position), timeout=self._seconds(timeout))
        return Status.of(response.status)

    def replay(
        self,
        position: Position,
        moves: Iterable[str],
        *,
        every_position: bool = False,
        view: PositionView = PositionView.FEN,
        timeout: float | None = None,
    ) -> Replay:
        """Plays a whole game through, up to its first illegal move if it has one.

        Args:
            position: The position in which the game starts. `Position(variant="chess")` is the initial one.
            moves: The texts of the moves, at most 20,000.
            every_position: Whether to give the position after each move. The service cuts their list at 1
                MiB; the rest is asked for.
            view: FULL for the boards with their pieces.
            timeout: Seconds, if not those of the client; of each call, where it takes more than one.

        """
        request = requests.replay(position, moves, every_position, view)
        with arbiter_errors():
            whole = part = self._stub.ReplayGame(request, timeout=self._seconds(timeout))
            positions = list(part.positions)
            while part.next_move_index:
                request = requests.rest_of_replay(request, positions[-1], part.next_move_index)
                part = self._stub.ReplayGame(request, timeout=self._seconds(timeout))
                positions += part.positions
        return Replay.of(whole, positions)
