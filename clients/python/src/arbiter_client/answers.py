"""Answers: what the service says, as plain values with enums.

What is sent back to the service, that is positions, moves and steps, stays the message that came, so that
nothing of it is lost on the way, be it newer than this release.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from arbiter_client.enums import ChangeCause, IllegalReason, Reason, Side, State
from arbiter_client.v1 import illegality_pb2, listing_pb2, move_pb2, playing_pb2, status_pb2
from arbiter_client.v1.move_pb2 import Move, Step
from arbiter_client.v1.position_pb2 import Location, Piece, Position


@dataclass(frozen=True)
class Status:
    """How the game stands in a position."""

    state: State
    winner: Side
    """UNSPECIFIED unless the game is won."""
    reason: Reason
    """How the game ended; UNSPECIFIED while it goes on."""
    to_move: Side
    attacked_kings: tuple[Location, ...]
    """The attacked kings of the player to move."""
    repetitions: int
    """How often the position has occurred, this time included."""

    @property
    def is_over(self) -> bool:
        """Whether the game is won or drawn."""
        return self.state in (State.WON, State.DRAWN)

    @classmethod
    def of(cls, message: status_pb2.Status) -> Status:
        """The answer in a message."""
        return cls(
            state=State(message.state),
            winner=Side(message.winner),
            reason=Reason(message.reason),
            to_move=Side(message.to_move),
            attacked_kings=tuple(message.attacked_kings),
            repetitions=message.repetitions,
        )


@dataclass(frozen=True)
class Change:
    """One change on the boards. To apply it: clear `origin`, clear `at` if `removed`, put `added` on `at`."""

    step_index: int
    cause: ChangeCause
    at: Location
    origin: Location | None
    """Where a piece comes from that moved (`from` in the contract)."""
    removed: Piece | None
    added: Piece | None

    @classmethod
    def of(cls, message: move_pb2.Change) -> Change:
        """The answer in a message."""
        return cls(
            step_index=message.step_index,
            cause=ChangeCause(message.cause),
            at=message.at,
            # The field's name is a keyword here.
            origin=getattr(message, "from") if message.HasField("from") else None,
            removed=message.removed if message.HasField("removed") else None,
            added=message.added if message.HasField("added") else None,
        )


@dataclass(frozen=True)
class Illegal:
    """Why a move is illegal."""

    reason: IllegalReason
    message: str
    """A sentence for people, in English. It may change."""
    step_index: int
    """The step at fault, from 0."""
    squares: tuple[Location, ...]
    """The squares that explain the reason, to highlight them."""
    candidates: tuple[str, ...]
    """With AMBIGUOUS, the texts of the moves that could be meant."""
    candidates_truncated: bool
    """Whether there are more candidates than these."""
    legal: Literal[False] = field(default=False, init=False, repr=False)

    @classmethod
    def of(cls, message: illegality_pb2.Illegality) -> Illegal:
        """The answer in a message."""
        return cls(
            reason=IllegalReason(message.reason),
            message=message.message,
            step_index=message.step_index,
            squares=tuple(message.squares),
            candidates=tuple(message.candidates),
            candidates_truncated=message.candidates_truncated,
        )


@dataclass(frozen=True)
class Played:
    """A move that was legal and was played."""

    position: Position
    """The position after the move. Send it back as it is with the next."""
    status: Status
    changes: tuple[Change, ...]
    """What the move changed on the boards, in order, enough to animate it."""
    move: Move
    """The move with its exact text, however it was given."""
    legal: Literal[True] = field(default=True, init=False, repr=False)

    @classmethod
    def of(cls, message: playing_pb2.ApplyMoveResponse) -> Played:
        """The answer in a message that says that the move is legal."""
        return cls(
            position=message.position,
            status=Status.of(message.status),
            changes=tuple(Change.of(change) for change in message.changes),
            move=message.move,
        )


def played_or_illegal(message: playing_pb2.ApplyMoveResponse) -> Played | Illegal:
    """The answer to a move."""
    return Played.of(message) if message.legal else Illegal.of(message.illegality)


@dataclass(frozen=True)
class MovesPage:
    """A page of legal moves."""

    moves: tuple[Move, ...]
    next_page_token: str
    """The token of the next page. Empty if there is none."""
    total_size: int
    """How many moves all pages together hold, where that was asked for."""

    @classmethod
    def of(cls, message: listing_pb2.LegalMovesResponse) -> MovesPage:
        """The answer in a message."""
        return cls(tuple(message.moves), message.next_page_token, message.total_size)


@dataclass(frozen=True)
class LegalSteps:
    """The steps that can come next."""

    steps: tuple[Step, ...]
    complete: bool
    """Whether the steps chosen so far are a legal move already."""
    changes: tuple[Change, ...]
    """What the steps chosen so far change on the boards."""
    legal: Literal[True] = field(default=True, init=False, repr=False)

    @classmethod
    def of(cls, pages: list[listing_pb2.LegalStepsResponse]) -> LegalSteps:
        """The answer in its pages, of which there is at least one."""
        return cls(
            steps=tuple(step for page in pages for step in page.steps),
            complete=pages[0].complete,
            changes=tuple(Change.of(change) for change in pages[0].changes),
        )


def steps_or_illegal(pages: list[listing_pb2.LegalStepsResponse]) -> LegalSteps | Illegal:
    """The answer to the steps chosen so far."""
    return LegalSteps.of(pages) if pages[0].legal else Illegal.of(pages[0].illegality)


@dataclass(frozen=True)
class Replay:
    """A game that was played through, up to its end or to its first illegal move."""

    legal: bool
    """Whether all moves are legal."""
    bad_move_index: int | None
    """The index of the first illegal move."""
    illegal: Illegal | None
    """Why that move is illegal."""
    moves: tuple[str, ...]
    """The exact texts of the moves played."""
    position: Position
    """The position after the last of them."""
    status: Status
    """How the game stands in that position."""
    positions: tuple[Position, ...]
    """The position after each move played, where they were asked for."""

    @classmethod
    def of(cls, message: playing_pb2.ReplayGameResponse, positions: list[Position]) -> Replay:
        """The answer in a message, with the positions of it and of those that carried on from it."""
        return cls(
            legal=message.legal,
            bad_move_index=message.bad_move_index if message.HasField("bad_move_index") else None,
            illegal=None if message.legal else Illegal.of(message.illegality),
            moves=tuple(message.canonical_moves),
            position=message.position,
            status=Status.of(message.status),
            positions=tuple(positions),
        )
