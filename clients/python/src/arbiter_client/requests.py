"""Requests: what callers give, as messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter_client.enums import MoveView, PositionView, Side
from arbiter_client.v1.listing_pb2 import LegalMovesRequest, LegalStepsRequest, StreamLegalMovesRequest
from arbiter_client.v1.move_pb2 import Filter, Move, Step
from arbiter_client.v1.playing_pb2 import ApplyMoveRequest, GameStatusRequest, ReplayGameRequest
from arbiter_client.v1.position_pb2 import Position
from arbiter_client.v1.starting_pb2 import GetInitialPositionRequest

MoveLike = str | Move | Sequence[Step]
"""A move: its text, exact or long algebraic; the message that a list gave; or its steps."""


def initial_position(variant: str, above_army: Side, view: PositionView) -> GetInitialPositionRequest:
    return GetInitialPositionRequest(variant=variant, above_army=above_army, position_view=view)


def legal_moves(
    position: Position,
    filter: Filter | None,
    view: MoveView,
    page_size: int,
    page_token: str = "",
    include_total: bool = False,
) -> LegalMovesRequest:
    return LegalMovesRequest(
        position=position,
        filter=filter,
        move_view=view,
        page_size=page_size,
        page_token=page_token,
        include_total=include_total,
    )


def stream_legal_moves(
    position: Position, filter: Filter | None, view: MoveView, distinct_positions: bool
) -> StreamLegalMovesRequest:
    return StreamLegalMovesRequest(
        position=position, filter=filter, move_view=view, distinct_positions=distinct_positions
    )


def legal_steps(position: Position, prefix: Iterable[Step], filter: Filter | None) -> LegalStepsRequest:
    return LegalStepsRequest(position=position, prefix=prefix, filter=filter)


def apply_move(position: Position, move: MoveLike, view: PositionView) -> ApplyMoveRequest:
    if isinstance(move, str):
        move = Move(text=move)
    elif not isinstance(move, Move):
        move = Move(steps=move)
    return ApplyMoveRequest(position=position, move=move, position_view=view)


def status(position: Position) -> GameStatusRequest:
    return GameStatusRequest(position=position)


def replay(
    position: Position, moves: Iterable[str], every_position: bool, view: PositionView
) -> ReplayGameRequest:
    if isinstance(moves, str):
        raise TypeError("moves is a list of texts, not one text")
    return ReplayGameRequest(
        position=position, moves=moves, every_position=every_position, position_view=view
    )


def rest_of_replay(request: ReplayGameRequest, last: Position, next_move_index: int) -> ReplayGameRequest:
    """What to ask next where the positions had to stop before a move."""
    return ReplayGameRequest(
        position=last,
        moves=request.moves[next_move_index:],
        every_position=True,
        position_view=request.position_view,
    )
