"""Errors: read from real servers, and from one that says what no real one says today."""

import pickle
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from arbiter_client import (
    Arbiter,
    ArbiterError,
    ErrorReason,
    FieldViolation,
    Filter,
    Location,
    Move,
    MoveView,
    Position,
    PositionFault,
    Step,
)
from arbiter_client.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from tests import fake

INVALID = grpc.StatusCode.INVALID_ARGUMENT
CHESS = Position(variant="chess")
# Longer than any text that a position could need, and letters of which each takes three bytes.
HUGE = "♟" * 5_000


def test_all_faults_of_a_position_are_read(arbiter: Arbiter) -> None:
    position = Position(variant="chess", fen="P7/8/8/8/8/8/8/KK6 w K - 999999 1")
    with pytest.raises(ArbiterError) as raised:
        arbiter.status(position)
    error = raised.value
    assert (error.code, error.reason) == (INVALID, ErrorReason.INVALID_POSITION)
    assert set(error.faults) == {
        PositionFault.TOO_MANY_KINGS,
        PositionFault.MISSING_KING,
        PositionFault.PAWN_ON_BACK_RANK,
        PositionFault.BAD_CASTLING_RIGHT,
        PositionFault.BAD_CLOCK,
    }
    assert {each.field for each in error.violations} == {"position.fen"}
    assert all(each.description for each in error.violations)
    assert "INVALID_ARGUMENT (INVALID_POSITION)" in str(error)
    assert "position.fen: " in str(error)
    assert (error.retry_after, error.metadata["faults"]) == (None, ",".join(error.faults))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.faults, copy.violations) == (str(error), error.faults, error.violations)
    assert isinstance(error.__cause__, grpc.RpcError)


@pytest.mark.parametrize(
    ("method", "given", "reason", "field"),
    [
        ("status", [Position()], ErrorReason.MISSING_FIELD, "position.variant"),
        ("status", [Position(variant="checkers")], ErrorReason.UNKNOWN_VARIANT, "position.variant"),
        ("status", [Position(variant="Schach ♔")], ErrorReason.UNKNOWN_VARIANT, "position.variant"),
        ("status", [Position(variant=HUGE)], ErrorReason.UNKNOWN_VARIANT, "position.variant"),
        ("status", [Position(variant="chess", fen="♔")], ErrorReason.INVALID_POSITION, "position.fen"),
        (
            "status",
            [Position(variant="chess", history=b"1234567")],
            ErrorReason.INVALID_HISTORY,
            "position.history",
        ),
        ("initial_position", ["checkers"], ErrorReason.UNKNOWN_VARIANT, "variant"),
        ("apply_move", [CHESS, "e2e4♔"], ErrorReason.UNREADABLE_MOVE, "move.text"),
        ("apply_move", [CHESS, "\0"], ErrorReason.UNREADABLE_MOVE, "move.text"),
        ("apply_move", [CHESS, HUGE], ErrorReason.UNREADABLE_MOVE, "move.text"),
        ("apply_move", [CHESS, ""], ErrorReason.MISSING_FIELD, "move"),
        (
            "apply_move",
            [CHESS, [Step(from_square="e2")]],
            ErrorReason.MISSING_FIELD,
            "move.steps[0].to_square",
        ),
        (
            "apply_move",
            [CHESS, Move(text="e2e4", steps=[Step(from_square="d2", to_square="d4")])],
            ErrorReason.CONFLICTING_FORMS,
            "move.steps",
        ),
        (
            "legal_steps",
            [CHESS, [Step(from_square="é2", to_square="e4", twin=Location(square="a2"))]],
            ErrorReason.INVALID_ARGUMENT_VALUE,
            "prefix[0].from_square",
        ),
        ("replay", [CHESS, ["e2e4", "e7é5"]], ErrorReason.UNREADABLE_MOVE, "moves[1]"),
        ("replay", [CHESS, ["e2e4"] * 20_001], ErrorReason.TOO_MANY_MOVES, "moves"),
    ],
)
def test_the_reason_and_the_field_at_fault_are_read(
    arbiter: Arbiter, method: str, given: list[Any], reason: ErrorReason, field: str
) -> None:
    with pytest.raises(ArbiterError) as raised:
        getattr(arbiter, method)(*given)
    error = raised.value
    assert (error.code, error.reason) == (INVALID, reason)
    assert {each.field for each in error.violations} == {field}


def test_lists_raise_when_they_are_first_asked(arbiter: Arbiter) -> None:
    for moves, reason in (
        (arbiter.legal_moves(CHESS, filter=Filter(from_square="z9")), ErrorReason.INVALID_FILTER),
        (arbiter.legal_moves(CHESS, page_size=-1), ErrorReason.INVALID_PAGE_SIZE),
        (arbiter.stream_legal_moves(CHESS, filter=Filter(board="Ä")), ErrorReason.INVALID_FILTER),
        (arbiter.stream_legal_moves(CHESS, view=MoveView.COUNT), ErrorReason.INVALID_ARGUMENT_VALUE),
    ):
        with pytest.raises(ArbiterError) as raised:
            next(moves)
        assert (raised.value.code, raised.value.reason) == (INVALID, reason)
    with pytest.raises(ArbiterError) as raised:
        arbiter.legal_moves_page(CHESS, page_token="?")
    assert raised.value.reason is ErrorReason.INVALID_PAGE_TOKEN


def test_a_request_over_the_limit_of_the_transport_is_refused(arbiter: Arbiter) -> None:
    with pytest.raises(ArbiterError) as raised:
        arbiter.apply_move(CHESS, "x" * (5 << 20))
    assert (raised.value.code, raised.value.reason) == (
        grpc.StatusCode.OUT_OF_RANGE,
        ErrorReason.REQUEST_TOO_LARGE,
    )
    assert arbiter.count_legal_moves(CHESS) == 20


def test_text_that_is_not_unicode_does_not_leave_the_client(arbiter: Arbiter) -> None:
    with pytest.raises((UnicodeEncodeError, ValueError)):
        arbiter.apply_move(CHESS, "\ud800")


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with Arbiter("127.0.0.1:1", timeout=10.0) as arbiter, pytest.raises(ArbiterError) as raised:
        arbiter.status(CHESS)
    error = raised.value
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, None)
    assert (error.violations, error.faults, error.retry_after, error.metadata) == ((), (), None, {})


def test_all_details_are_read() -> None:
    def busy(_request: object, context: grpc.ServicerContext) -> None:
        fake.refuse(
            context,
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "come back later",
            ErrorInfo(domain="arbiter", reason="BUSY", metadata={"queue": "full"}),
            RetryInfo(retry_delay=Duration(seconds=1, nanos=250_000_000)),
            BadRequest(
                field_violations=[BadRequest.FieldViolation(field="position.fen", description="long")]
            ),
        )

    with fake.answering(GameStatus=busy) as address, Arbiter(address) as arbiter:
        with pytest.raises(ArbiterError) as raised:
            arbiter.status(CHESS)
    error = raised.value
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.BUSY)
    assert (error.message, error.retry_after) == ("come back later", 1.25)
    assert error.violations == (FieldViolation("position.fen", "long"),)
    assert error.metadata == {"queue": "full"}


def test_reasons_and_faults_of_a_later_contract_are_texts() -> None:
    def refuse(_request: object, context: grpc.ServicerContext) -> None:
        info = ErrorInfo(domain="arbiter", reason="MOON_PHASE", metadata={"faults": "MISSING_KING,TOO_ROUND"})
        fake.refuse(context, INVALID, "no", info)

    with fake.answering(GameStatus=refuse) as address, Arbiter(address) as arbiter:
        with pytest.raises(ArbiterError, match="INVALID_ARGUMENT \\(MOON_PHASE\\): no") as raised:
            arbiter.status(CHESS)
    assert raised.value.reason == "MOON_PHASE"
    assert raised.value.faults == (PositionFault.MISSING_KING, "TOO_ROUND")


def test_damaged_details_leave_the_error_as_it_is() -> None:
    def refuse(_request: object, context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", b"\xff\xff\xff"),))
        context.abort(INVALID, "no")

    with fake.answering(GameStatus=refuse) as address, Arbiter(address) as arbiter:
        with pytest.raises(ArbiterError, match="INVALID_ARGUMENT: no") as raised:
            arbiter.status(CHESS)
    assert raised.value.reason is None
