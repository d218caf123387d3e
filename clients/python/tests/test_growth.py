"""A server of a later release: what it says more must neither break the client nor get lost."""

import pytest
from google.protobuf.unknown_fields import UnknownFieldSet

from arbiter_client import Arbiter, ChangeCause, IllegalReason, Move, PieceKind, Position, State, Step
from arbiter_client.v1.illegality_pb2 import Illegality
from arbiter_client.v1.listing_pb2 import LegalMovesResponse
from arbiter_client.v1.move_pb2 import Change
from arbiter_client.v1.playing_pb2 import ApplyMoveRequest, ApplyMoveResponse, GameStatusResponse
from arbiter_client.v1.status_pb2 import Status
from tests import fake

# Field 500, a text, as no message of today has it.
LATER = b"\xa2\x1f\x05later"


def grown(message: Position | Move | Step) -> bytes:
    """A message with a field of a later release."""
    return message.SerializeToString() + LATER


def later(message: Position | Move | Step) -> bool:
    """Whether a message holds that field."""
    unknown = UnknownFieldSet(message)
    fields = [unknown[index] for index in range(len(unknown))]
    return (500, b"later") in [(field.field_number, field.data) for field in fields]


def test_unknown_enum_values_are_numbers_with_a_name() -> None:
    illegal = Illegality(reason=77, message="the moon is wrong")
    with fake.answering(ApplyMove=lambda *_: ApplyMoveResponse(illegality=illegal)) as address:
        with Arbiter(address) as arbiter:
            answer = arbiter.apply_move(Position(variant="chess"), "e2e4")
    assert not answer.legal
    assert (answer.reason, answer.reason.name, answer.message) == (77, "UNKNOWN_77", "the moon is wrong")
    assert isinstance(answer.reason, IllegalReason)


def test_unknown_values_anywhere_do_not_raise() -> None:
    status = Status(state=9, reason=99, winner=9, to_move=9)
    change = Change(cause=88)
    step = Step(promotion=66)
    played = ApplyMoveResponse(legal=True, status=status, changes=[change], move=Move(steps=[step]))
    answering = fake.answering(
        ApplyMove=lambda *_: played, GameStatus=lambda *_: GameStatusResponse(status=status)
    )
    with answering as address, Arbiter(address) as arbiter:
        answer = arbiter.play(Position(variant="chess"), "e2e4")
        assert arbiter.status(answer.position) == answer.status
    assert answer.status.state == State(9)
    assert not answer.status.is_over
    assert answer.changes[0].cause is not ChangeCause.UNSPECIFIED
    assert PieceKind(answer.move.steps[0].promotion).name == "UNKNOWN_66"


@pytest.mark.parametrize("form", ["move", "steps"])
def test_unknown_fields_are_handed_back(form: str) -> None:
    position = Position.FromString(grown(Position(variant="chess", history=b"12345678")))
    step = Step.FromString(grown(Step(from_square="e2", to_square="e4")))
    move = Move.FromString(grown(Move(text="e2e4", steps=[step])))
    received: list[ApplyMoveRequest] = []

    def apply(request: ApplyMoveRequest, _context: object) -> ApplyMoveResponse:
        received.append(request)
        return ApplyMoveResponse(legal=True, position=position, move=move)

    with (
        fake.answering(ApplyMove=apply, LegalMoves=lambda *_: LegalMovesResponse(moves=[move])) as address,
        Arbiter(address) as arbiter,
    ):
        first = arbiter.play(Position(variant="chess"), "e2e4")
        listed = next(arbiter.legal_moves(first.position))
        arbiter.play(first.position, listed if form == "move" else list(listed.steps))
    assert received[1].position == position
    assert later(received[1].position)
    assert later(received[1].move) == (form == "move")
    assert later(received[1].move.steps[0])
