"""What is asked about each row of the vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import grpc

from arbiter_client import (
    Arbiter,
    ArbiterError,
    ErrorReason,
    Illegal,
    IllegalReason,
    MoveView,
    Position,
    PositionView,
    Step,
    Variant,
)
from conformance.comparison import Comparison
from conformance.reading import changed, move_text, place, placement, status_in_words

Row = dict[str, Any]
Check = Callable[[Arbiter, Variant, Row, Comparison], None]

# Lists up to this length are also fetched with their steps.
MOST_WITH_STEPS = 3_000
# Perft asks the service about each inner position; not more than these.
MOST_INNER_POSITIONS = 450
# The most violations that an error lists.
MOST_VIOLATIONS = 16


def run(check: Check, arbiter: Arbiter, variant: Variant, row: Row, comparison: Comparison) -> None:
    """Makes a check. An error that it does not expect is a disagreement."""
    comparison.rows += 1
    try:
        check(arbiter, variant, row, comparison)
    except ArbiterError as error:
        comparison.same(f"answer for {row}", str(error), "no error")


def check_row(arbiter: Arbiter, variant: Variant, row: Row, comparison: Comparison) -> None:
    """A position: that it is refused with its fault, or has its moves, status and successors."""
    position = Position(variant=variant.id, fen=row["position"])
    if "invalid" in row:
        check_invalid(arbiter, position, row["invalid"], comparison)
    else:
        check_status(arbiter, variant, position, row, comparison)
        check_moves(arbiter, variant, position, row, comparison)
        check_after(arbiter, position, row["after"], comparison)


def check_invalid(arbiter: Arbiter, position: Position, fault: str, comparison: Comparison) -> None:
    try:
        status = arbiter.status(position)
    except ArbiterError as error:
        comparison.same(f"code of {position.fen}", error.code, grpc.StatusCode.INVALID_ARGUMENT)
        comparison.same(f"reason of {position.fen}", error.reason, ErrorReason.INVALID_POSITION)
        comparison.same(f"{fault} in {error.faults} of {position.fen}", fault in error.faults, True)
        fields = {violation.field for violation in error.violations}
        comparison.same(f"fields of {position.fen}", fields, {"position.fen"})
        # A fault that the position has several times is told each time, its code once.
        told = min(len(error.faults), MOST_VIOLATIONS) <= len(error.violations) <= MOST_VIOLATIONS
        comparison.same(f"whether all of {error.faults} are told of {position.fen}", told, True)
    else:
        comparison.same(f"status of {position.fen}", status, fault)


def check_status(
    arbiter: Arbiter, variant: Variant, position: Position, row: Row, comparison: Comparison
) -> None:
    status = arbiter.status(position)
    comparison.same(f"status of {position.fen}", status_in_words(status), row["status"])
    comparison.same(f"repetitions of {position.fen}", status.repetitions, 1)
    # A game without moves gives the position as the service understands it.
    replayed = arbiter.replay(position, [])
    comparison.same("text", replayed.position.fen, position.fen)
    comparison.same(f"status of {position.fen} by replay", replayed.status, status)
    if status.is_over:
        board = variant.boards[0].name
        refused = arbiter.apply_move(position, f"{board}:a1a2" if board else "a1a2")
        reason = refused.reason if isinstance(refused, Illegal) else None
        comparison.same(f"why nothing can be played in {position.fen}", reason, IllegalReason.GAME_OVER)
        refusal = arbiter.legal_steps(position)
        reason = refusal.reason if isinstance(refusal, Illegal) else None
        comparison.same(f"why nothing is offered in {position.fen}", reason, IllegalReason.GAME_OVER)


def check_moves(
    arbiter: Arbiter, variant: Variant, position: Position, row: Row, comparison: Comparison
) -> None:
    at, count = position.fen, row["count"]
    streamed = [move.text for move in arbiter.stream_legal_moves(position, view=MoveView.TEXT)]
    # Pages of such a size that small lists take several of them, too.
    page_size = count // 3 + 1
    paged = [move.text for move in arbiter.legal_moves(position, view=MoveView.TEXT, page_size=page_size)]
    comparison.same(f"pages and stream of {at}", paged, streamed)
    comparison.same(f"moves counted of {at}", arbiter.count_legal_moves(position), count)
    comparison.same(f"moves listed of {at}", len(streamed), count)
    moves = sorted(streamed)
    comparison.same(f"hash of {at}", sha256("\n".join(moves).encode()).hexdigest(), row["sha256"])
    if "moves" in row:
        comparison.same(f"moves of {at}", moves, row["moves"])
    if "by_first_step" in row:
        first_steps = Counter(text.split("/")[0] for text in moves)
        comparison.same(f"first steps of {at}", dict(first_steps), row["by_first_step"])
    if count <= MOST_WITH_STEPS:
        full = list(arbiter.legal_moves(position))
        comparison.same(f"texts of {at}", [move.text for move in full], streamed)
        comparison.same(f"steps of {at}", [move_text(list(move.steps)) for move in full], streamed)
        places = [place(variant, move) for move in full]
        comparison.same(f"order of {at}", places, sorted(places))
    if streamed:
        check_steps(arbiter, position, streamed, comparison)


def check_steps(arbiter: Arbiter, position: Position, listed: list[str], comparison: Comparison) -> None:
    """Chooses the longest of the listed moves step by step: what is offered is what the list goes on with."""
    longest = max(listed, key=len).split("/")
    chosen: list[Step] = []
    begun = [text.split("/") for text in listed]
    for count in range(len(longest) + 1):
        at = f"after {move_text(chosen) or 'no step'} in {position.fen}"
        answer = arbiter.legal_steps(position, chosen)
        if not comparison.same(f"legality {at}", answer.legal, True) or isinstance(answer, Illegal):
            return
        complete = any(len(move) == count for move in begun)
        comparison.same(f"whether the move is complete {at}", answer.complete, complete)
        offered = [move_text([step]) for step in answer.steps]
        following = list(dict.fromkeys(move[count] for move in begun if len(move) > count))
        if not comparison.same(f"steps offered {at}", offered, following) or count == len(longest):
            return
        chosen.append(answer.steps[offered.index(longest[count])])
        begun = [move for move in begun if move[count : count + 1] == [longest[count]]]


def check_after(arbiter: Arbiter, position: Position, after: list[Any], comparison: Comparison) -> None:
    if not after:
        return
    before = arbiter.replay(position, [], view=PositionView.FULL).position
    for text, fen in after:
        at = f"{text} in {position.fen}"
        answer = arbiter.apply_move(before, text, view=PositionView.FULL)
        if not comparison.same(f"legality of {at}", answer.legal, True) or isinstance(answer, Illegal):
            continue
        comparison.same(f"position after {at}", answer.position.fen, fen)
        comparison.same(f"move {at}", answer.move.text, text)
        comparison.same(f"changes of {at}", changed(before, answer.changes), placement(answer.position))


def check_game(arbiter: Arbiter, variant: Variant, row: Row, comparison: Comparison) -> None:
    """A game: as a whole, and move by move, with the history that makes repetition known."""
    position = Position(variant=variant.id, fen=row["start"])
    at = f"the game of {row['kind']} from {position.fen}"
    replayed = arbiter.replay(position, row["moves"], every_position=True)
    comparison.same(f"legality of {at}", (replayed.legal, replayed.bad_move_index), (True, None))
    comparison.same(f"moves of {at}", list(replayed.moves), row["moves"])
    comparison.same(f"positions of {at}", [each.fen for each in replayed.positions], row["positions"])
    comparison.same(f"end of {at}", status_in_words(replayed.status), row["statuses"][-1])
    for index, text in enumerate(row["moves"]):
        answer = arbiter.apply_move(position, text)
        if not comparison.same(f"legality of {text} in {at}", answer.legal, True) or isinstance(
            answer, Illegal
        ):
            return
        position = answer.position
        comparison.same(f"replay and play of {text} in {at}", position, replayed.positions[index])
        comparison.same(f"position after {text} in {at}", position.fen, row["positions"][index])
        comparison.same(
            f"status after {text} in {at}", status_in_words(answer.status), row["statuses"][index]
        )
    comparison.same(f"status at the end of {at}", arbiter.status(position), replayed.status)


def check_long(arbiter: Arbiter, variant: Variant, row: Row, comparison: Comparison) -> None:
    """A move in long algebraic form."""
    at = f"{row['text']} in {row['position']}"
    answer = arbiter.apply_move(Position(variant=variant.id, fen=row["position"]), row["text"])
    error = row.get("error")
    if not isinstance(answer, Illegal):
        comparison.same(f"move meant by {at}", answer.move.text, error or row["move"])
    elif error == "AMBIGUOUS_MOVE":
        comparison.same(f"reason of {at}", answer.reason, IllegalReason.AMBIGUOUS)
        comparison.same(f"candidates of {at}", sorted(answer.candidates), row.get("candidates"))
    else:
        verdict = "AMBIGUOUS_MOVE" if answer.reason == IllegalReason.AMBIGUOUS else "ILLEGAL_MOVE"
        comparison.same(f"verdict on {at}", verdict, error)


def check_perft(arbiter: Arbiter, variant: Variant, row: Row, comparison: Comparison) -> None:
    """Counts of sequences of moves, as deep as does not take too many calls."""
    inner = [Position(variant=variant.id, fen=row["position"])]
    for depth, count in enumerate(row["counts"], 1):
        counted = sum(arbiter.count_legal_moves(position) for position in inner)
        comparison.same(f"perft {depth} of {row['name']}", counted, count)
        if count > MOST_INNER_POSITIONS or depth == len(row["counts"]):
            return
        inner = [
            arbiter.play(position, move).position
            for position in inner
            for move in arbiter.legal_moves(position, view=MoveView.TEXT)
        ]
