"""Tries whether the comparison can fail: rows that are wrong on purpose must be found out."""

from __future__ import annotations

import copy
from collections.abc import Callable

from arbiter_client import Arbiter, Variant
from conformance.checks import Check, Row, run
from conformance.comparison import Comparison
from conformance.vectors import rows

Damage = Callable[[Row], None]


def undetected(arbiter: Arbiter, variants: dict[str, Variant]) -> list[str]:
    """Damages that were not found, or rows that were called wrong without damage. It should be none."""
    missed = []
    for variant, file, name, fits, damage in DAMAGES:
        check, row = _first(variant, file, fits)
        damaged = copy.deepcopy(row)
        damage(damaged)
        for each, is_wrong in ((row, False), (damaged, True)):
            comparison = Comparison()
            run(check, arbiter, variants[variant], each, comparison)
            if bool(comparison.disagreements) != is_wrong:
                missed.append(f"{variant}, {file}: {name if is_wrong else 'no damage'}")
    return missed


def _first(variant: str, file: str, fits: Callable[[Row], object]) -> tuple[Check, Row]:
    """The first row of a file for which something holds."""
    return next(
        (check, row) for each, check, found in rows(variant) if each == file for row in found if fits(row)
    )


def _is_valid(row: Row) -> bool:
    return "invalid" not in row


def _has(key: str) -> Callable[[Row], object]:
    return lambda row: row.get(key)


def _set(*path: str | int, to: object) -> Damage:
    """Sets what stands at a path of the row to something else."""

    def damage(row: Row) -> None:
        place = row
        for key in path[:-1]:
            place = place[key]  # type: ignore[index]
        place[path[-1]] = to  # type: ignore[index]

    return damage


def _swap_moves(row: Row) -> None:
    row["moves"][0] = row["moves"][0][::-1]


def _miscount_first_step(row: Row) -> None:
    row["by_first_step"][next(iter(row["by_first_step"]))] += 1


def _accept(row: Row) -> None:
    """Calls an impossible position possible, with the status and moves of a finished game."""
    del row["invalid"]
    row |= {"count": 0, "sha256": "", "after": [], "status": {}}


# Variant, file, what is wrong, the row to take, and how to damage it.
DAMAGES: list[tuple[str, str, str, Callable[[Row], object], Damage]] = [
    ("chess", "chess.jsonl", "state", _is_valid, _set("status", "state", to="drawn")),
    ("chess", "chess.jsonl", "checked king", _is_valid, _set("status", "checked", to=["a1"])),
    ("gamma2", "gamma2.jsonl", "count", _is_valid, _set("count", to=7)),
    ("gamma2", "gamma2.jsonl", "hash", _is_valid, _set("sha256", to="0" * 64)),
    ("doppelganger", "doppelganger.jsonl", "move", _has("moves"), _swap_moves),
    ("three-universes", "three-universes.jsonl", "first step", _has("by_first_step"), _miscount_first_step),
    (
        "bordahbee",
        "bordahbee.jsonl",
        "position after",
        _has("after"),
        _set("after", 0, 1, to="8/8 w - - 0 1"),
    ),
    ("chess", "chess.jsonl", "illegal move called legal", _has("after"), _set("after", 0, 0, to="a1a8")),
    ("influence", "influence.jsonl", "fault", _has("invalid"), _set("invalid", to="BOTH_LOST")),
    (
        "influence",
        "influence.jsonl",
        "possible called impossible",
        _is_valid,
        _set("invalid", to="BAD_CLOCK"),
    ),
    ("influence", "influence.jsonl", "impossible called possible", _has("invalid"), _accept),
    ("chess", "games.json", "position", _has("moves"), _set("positions", 0, to="8/8 w - - 0 1")),
    ("chess", "games.json", "status", _has("moves"), _set("statuses", -1, "state", to="won")),
    ("chess", "games.json", "move", _has("moves"), _set("moves", 0, to="a1a8")),
    ("gamma2", "long.json", "move", _has("move"), _set("move", to="a1a2")),
    ("gamma2", "long.json", "legal called illegal", _has("move"), _set("error", to="ILLEGAL_MOVE")),
    ("three-universes", "long.json", "candidates", _has("candidates"), _set("candidates", to=[])),
    ("bordahbee", "long.json", "verdict", _has("error"), _set("error", to="AMBIGUOUS_MOVE")),
    ("influence", "perft.json", "count", _has("counts"), _set("counts", 1, to=1)),
]
