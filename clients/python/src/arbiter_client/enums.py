"""The enums of the contract, under short names.

They are open: a number that this release does not know, since the server is newer, becomes a member named
`UNKNOWN_<number>` and raises nothing. What each value means is said in the contract
(`proto/arbiter/v1`) and in the docstrings of the stubs (`arbiter_client.v1`).
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TypeVar

_Member = TypeVar("_Member", bound="OpenEnum")


class OpenEnum(IntEnum):
    """An enum that takes numbers which it has no name for."""

    @classmethod
    def _missing_(cls: type[_Member], value: object) -> _Member | None:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member


class Side(OpenEnum):
    """A player or an army. Influence is played by Above and Below, all else by White and Black."""

    UNSPECIFIED = 0
    WHITE = 1
    BLACK = 2
    ABOVE = 3
    BELOW = 4


class PieceKind(OpenEnum):
    """A kind of piece."""

    UNSPECIFIED = 0
    KING = 1
    QUEEN = 2
    ROOK = 3
    BISHOP = 4
    KNIGHT = 5
    PAWN = 6
    BEROLINA_PAWN = 7
    SHIP = 8
    ARCHER = 9
    PRINCE = 10
    COMMANDER = 11


class PositionView(OpenEnum):
    """How much of a position an answer carries: text and history, or the boards with their pieces as well."""

    UNSPECIFIED = 0
    FEN = 1
    FULL = 2


class MoveView(OpenEnum):
    """What a list of moves carries: text, long text and steps, or the text alone."""

    UNSPECIFIED = 0
    FULL = 1
    TEXT = 2
    COUNT = 3


class ChangeCause(OpenEnum):
    """Why a square changes."""

    UNSPECIFIED = 0
    MOVED = 1
    CAPTURED = 2
    TWIN_REMOVED = 3
    PAWN_REMOVED = 4
    PROMOTED = 5
    TWIN_PROMOTED = 6
    CASTLED = 7
    VANISHED = 8


class State(OpenEnum):
    """Whether a game goes on."""

    UNSPECIFIED = 0
    ONGOING = 1
    WON = 2
    DRAWN = 3


class Reason(OpenEnum):
    """How a game ended."""

    UNSPECIFIED = 0
    CHECKMATE = 1
    KING_CAPTURED = 2
    NO_LEGAL_MOVE = 3
    STALEMATE = 4
    THREEFOLD_REPETITION = 5
    FIFTY_MOVES = 6


class IllegalReason(OpenEnum):
    """Why a move is illegal."""

    UNSPECIFIED = 0
    NO_PIECE = 1
    NOT_YOUR_PIECE = 2
    OWN_PIECE_THERE = 3
    PIECE_DOES_NOT_MOVE_SO = 4
    PATH_BLOCKED = 5
    CASTLING_NOT_AVAILABLE = 6
    PASSAGE_NOT_OPEN = 7
    BOARD_VANISHED = 8
    SAME_BOARD_TWICE = 9
    PAIR_NOT_ALLOWED = 10
    NO_INFLUENCE = 11
    INFLUENCE_OVERRULED = 12
    MIRROR_DIFFERS = 13
    MIRROR_BLOCKED = 14
    PROMOTION_MISSING = 15
    PROMOTION_NOT_OPEN = 16
    TWIN_MISSING = 17
    TWIN_NOT_OPEN = 18
    REMOVAL_MISSING = 19
    REMOVAL_NOT_OPEN = 20
    REMOVAL_OPENS_CHECK = 21
    OWN_KING_CAPTURED = 22
    KING_LEFT_ATTACKED = 23
    STEP_MISSING = 24
    TOO_MANY_STEPS = 25
    NOTATION_DISAGREES = 26
    AMBIGUOUS = 27
    GAME_OVER = 28


class TextEnum(str, Enum):
    """An enum of texts, whose members print as these."""

    __str__ = str.__str__


class ErrorReason(TextEnum):
    """Why a request could not be judged. Errors name it by text, so the members are texts."""

    INVALID_POSITION = "INVALID_POSITION"
    INVALID_HISTORY = "INVALID_HISTORY"
    UNKNOWN_VARIANT = "UNKNOWN_VARIANT"
    UNREADABLE_MOVE = "UNREADABLE_MOVE"
    CONFLICTING_FORMS = "CONFLICTING_FORMS"
    INVALID_PAGE_TOKEN = "INVALID_PAGE_TOKEN"
    PAGE_TOKEN_MISMATCH = "PAGE_TOKEN_MISMATCH"
    PAGE_TOKEN_EXPIRED = "PAGE_TOKEN_EXPIRED"
    INVALID_PAGE_SIZE = "INVALID_PAGE_SIZE"
    INVALID_FILTER = "INVALID_FILTER"
    INVALID_ARGUMENT_VALUE = "INVALID_ARGUMENT_VALUE"
    MISSING_FIELD = "MISSING_FIELD"
    TOO_MANY_MOVES = "TOO_MANY_MOVES"
    REQUEST_TOO_LARGE = "REQUEST_TOO_LARGE"
    UNDECODABLE_REQUEST = "UNDECODABLE_REQUEST"
    DISTINCT_TOO_LARGE = "DISTINCT_TOO_LARGE"
    BUSY = "BUSY"
    UNAVAILABLE = "UNAVAILABLE"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    INTERNAL = "INTERNAL"


class PositionFault(TextEnum):
    """What is wrong with a position."""

    TOO_MANY_KINGS = "TOO_MANY_KINGS"
    MISSING_KING = "MISSING_KING"
    PAWN_ON_BACK_RANK = "PAWN_ON_BACK_RANK"
    TOO_MANY_PAWNS = "TOO_MANY_PAWNS"
    TOO_MANY_PIECES = "TOO_MANY_PIECES"
    BAD_CASTLING_RIGHT = "BAD_CASTLING_RIGHT"
    BAD_EN_PASSANT = "BAD_EN_PASSANT"
    OPPONENT_IN_CHECK = "OPPONENT_IN_CHECK"
    BAD_BOARD_COUNT = "BAD_BOARD_COUNT"
    BAD_BOARD_SIZE = "BAD_BOARD_SIZE"
    UNKNOWN_PIECE = "UNKNOWN_PIECE"
    PIECE_ON_WRONG_BOARD = "PIECE_ON_WRONG_BOARD"
    BAD_TWIN_GROUP = "BAD_TWIN_GROUP"
    UNIVERSE_WITHOUT_KINGS = "UNIVERSE_WITHOUT_KINGS"
    BOTH_LOST = "BOTH_LOST"
    BAD_CLOCK = "BAD_CLOCK"
    BAD_TURN = "BAD_TURN"
    BAD_ARMY = "BAD_ARMY"
    BAD_FIELDS = "BAD_FIELDS"
