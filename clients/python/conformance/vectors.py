"""Reading the vectors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from conformance.checks import Check, Row, check_game, check_long, check_perft, check_row

VECTORS = Path(__file__).resolve().parents[3] / "tests/vectors"


def rows(variant: str) -> Iterator[tuple[str, Check, list[Row]]]:
    """The rows of a variant: the file that they are in, what is asked about each, and the rows."""
    yield f"{variant}.jsonl", check_row, [json.loads(line) for line in _read(f"{variant}.jsonl").splitlines()]
    for name, check in (("games.json", check_game), ("long.json", check_long)):
        yield name, check, [row for row in json.loads(_read(name)) if row["variant"] == variant]
    yield "perft.json", check_perft, json.loads(_read("perft.json"))[variant]


def _read(name: str) -> str:
    return (VECTORS / name).read_text()
