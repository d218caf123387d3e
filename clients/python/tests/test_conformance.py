"""The conformance run finds out wrong answers. For wrong rows its own self-test does."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from arbiter_client import Arbiter, Illegal, IllegalReason, LegalSteps
from arbiter_client.v1.illegality_pb2 import Illegality
from conformance.checks import Check, Row, run
from conformance.comparison import Comparison
from conformance.server import Server
from conformance.vectors import rows

Answer = LegalSteps | Illegal


class Liar(Arbiter):
    """Says something else of the steps that can come next."""

    def __init__(self, address: str, lie: Callable[[Answer], Answer]) -> None:
        super().__init__(address)
        self._lie = lie

    def legal_steps(self, *arguments: Any, **options: Any) -> Answer:
        return self._lie(super().legal_steps(*arguments, **options))


def first(variant: str, fits: Callable[[Row], object]) -> tuple[Check, Row]:
    _, check, found = next(rows(variant))
    return check, next(row for row in found if "invalid" not in row and fits(row))


def say(**fields: Any) -> Callable[[Answer], Answer]:
    return lambda answer: dataclasses.replace(answer, **fields)


def without_the_last(answer: Answer) -> Answer:
    assert isinstance(answer, LegalSteps)
    return dataclasses.replace(answer, steps=answer.steps[:-1])


ILLEGAL = Illegal.of(Illegality(reason=IllegalReason.NO_PIECE))


@pytest.mark.parametrize(
    ("variant", "count", "lie", "about"),
    [
        ("bordahbee", 1, without_the_last, "steps offered after no step"),
        ("bordahbee", 1, say(complete=True), "whether the move is complete after no step"),
        ("bordahbee", 1, say(complete=False), "whether the move is complete after A:"),
        ("bordahbee", 1, lambda _: ILLEGAL, "legality after no step"),
        ("chess", 0, lambda _: ILLEGAL, "why nothing is offered"),
    ],
)
def test_wrong_steps_are_found_out(
    server: Server, variant: str, count: int, lie: Callable[[Answer], Answer], about: str
) -> None:
    with Arbiter(server.address) as honest, Liar(server.address, lie) as liar:
        [listed] = [each for each in honest.variants() if each.id == variant]
        check, row = first(variant, lambda row: min(row["count"], 1) == count)
        for arbiter, is_found in ((honest, False), (liar, True)):
            comparison = Comparison()
            run(check, arbiter, listed, row, comparison)
            assert any(about in text for text in comparison.disagreements) == is_found
