"""A client of Arbiter, the service that knows the exact rules of chess variants.

`Arbiter` is the client, `AsyncArbiter` the same for asyncio. Positions, moves, steps and filters are the
messages of the contract (`arbiter_client.v1`); answers are plain values.
"""

from arbiter_client.answers import Change, Illegal, LegalSteps, MovesPage, Played, Replay, Status
from arbiter_client.async_client import AsyncArbiter
from arbiter_client.channel import tls
from arbiter_client.client import Arbiter
from arbiter_client.enums import (
    ChangeCause,
    ErrorReason,
    IllegalReason,
    MoveView,
    PieceKind,
    PositionFault,
    PositionView,
    Reason,
    Side,
    State,
)
from arbiter_client.errors import ArbiterError, FieldViolation, IllegalMoveError
from arbiter_client.requests import MoveLike
from arbiter_client.v1.move_pb2 import Filter, Move, Step
from arbiter_client.v1.position_pb2 import Board, EnPassant, Location, Piece, Position
from arbiter_client.v1.variant_pb2 import BoardSpec, PieceSpec, Variant

__all__ = [
    "Arbiter",
    "ArbiterError",
    "AsyncArbiter",
    "Board",
    "BoardSpec",
    "Change",
    "ChangeCause",
    "EnPassant",
    "ErrorReason",
    "FieldViolation",
    "Filter",
    "Illegal",
    "IllegalMoveError",
    "IllegalReason",
    "LegalSteps",
    "Location",
    "Move",
    "MoveLike",
    "MoveView",
    "MovesPage",
    "Piece",
    "PieceKind",
    "PieceSpec",
    "Played",
    "Position",
    "PositionFault",
    "PositionView",
    "Reason",
    "Replay",
    "Side",
    "State",
    "Status",
    "Step",
    "Variant",
    "tls",
]
