"""The contract read a second time: what steps and changes mean, and in which order moves come.

None of it is needed to use the service. It is written down here once more, from the contract alone, to
find out whether the service keeps to it.
"""

from __future__ import annotations

from typing import Any

from arbiter_client import Change, Location, Move, PieceKind, Position, Reason, Status, Step, Variant

PROMOTIONS = [
    PieceKind.UNSPECIFIED,
    PieceKind.QUEEN,
    PieceKind.ROOK,
    PieceKind.BISHOP,
    PieceKind.KNIGHT,
    PieceKind.SHIP,
    PieceKind.ARCHER,
]
LETTERS = {
    PieceKind.QUEEN: "q",
    PieceKind.ROOK: "r",
    PieceKind.BISHOP: "b",
    PieceKind.KNIGHT: "n",
    PieceKind.SHIP: "s",
    PieceKind.ARCHER: "a",
}
SIDES = {"UNSPECIFIED": None, "WHITE": "w", "BLACK": "b", "ABOVE": "a", "BELOW": "b"}


def status_in_words(status: Status) -> dict[str, Any]:
    """A status as the vectors write it."""
    return {
        "state": status.state.name.lower(),
        "winner": SIDES[status.winner.name],
        "reason": None if status.reason == Reason.UNSPECIFIED else status.reason.name.lower(),
        "checked": [name(king) for king in status.attacked_kings],
    }


def name(at: Location) -> str:
    """A square with its board."""
    return f"{at.board}:{at.square}" if at.board else at.square


def move_text(steps: list[Step]) -> str:
    """The exact text of a move, from its steps."""
    return "/".join(_step_text(step) for step in steps)


def _step_text(step: Step) -> str:
    def local(at: Location) -> str:
        return at.square if at.board == step.board else name(at)

    text = f"{step.board}:{step.from_square}" if step.board else step.from_square
    if step.to_board:
        text += f"-{step.to_board}:"
    text += step.to_square
    if step.promotion:
        text += LETTERS[PieceKind(step.promotion)]
    if step.HasField("twin"):
        text += f"+{local(step.twin)}"
    if step.removals:
        text += "x" + ",".join(local(at) for at in step.removals)
    return text


def place(variant: Variant, move: Move) -> list[tuple[Any, ...]]:
    """What moves are ordered by."""
    boards = {board.name: index for index, board in enumerate(variant.boards)}

    def spot(board: str, square: str) -> tuple[int, int, str]:
        return boards[board], int(square[1:]), square[0]

    return [
        (
            spot(step.board, step.from_square),
            spot(step.to_board or step.board, step.to_square),
            PROMOTIONS.index(PieceKind(step.promotion)),
            [spot(step.twin.board, step.twin.square)] if step.HasField("twin") else [],
            [spot(at.board, at.square) for at in step.removals],
        )
        for step in move.steps
    ]


Placement = dict[tuple[str, str], tuple[int, int, int]]


def placement(position: Position) -> Placement:
    """What stands where."""
    return {
        (board.name, piece.square): (piece.kind, piece.side, piece.twin_group)
        for board in position.boards
        for piece in board.pieces
    }


def changed(position: Position, changes: tuple[Change, ...]) -> Placement:
    """What stands where after changes, applied as the contract says."""
    standing = placement(position)
    for change in changes:
        if change.origin is not None:
            del standing[change.origin.board, change.origin.square]
        at = change.at.board, change.at.square
        if change.removed is not None:
            del standing[at]
        if change.added is not None:
            standing[at] = change.added.kind, change.added.side, change.added.twin_group
    return standing
