"""The enums are those of the contract, and take what a later contract adds."""

import pickle
from enum import Enum

import pytest

import arbiter_client
from arbiter_client import ErrorReason, IllegalReason, PositionFault, Side
from arbiter_client.enums import OpenEnum
from arbiter_client.v1 import errors_pb2, illegality_pb2, move_pb2, position_pb2, status_pb2

FILES = [errors_pb2, illegality_pb2, move_pb2, position_pb2, status_pb2]
IN_CONTRACT = {name: enum for file in FILES for name, enum in file.DESCRIPTOR.enum_types_by_name.items()}


def prefix(name: str) -> str:
    """`MoveView` as `MOVE_VIEW_`."""
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name).lstrip("_") + "_"


def test_every_enum_of_the_contract_is_here() -> None:
    assert {name for name in IN_CONTRACT if not hasattr(arbiter_client, name)} == set()


@pytest.mark.parametrize("name", IN_CONTRACT)
def test_members_are_those_of_the_contract(name: str) -> None:
    enum: type[Enum] = getattr(arbiter_client, name)
    wanted = {value.name.removeprefix(prefix(name)): value.number for value in IN_CONTRACT[name].values}
    if issubclass(enum, OpenEnum):
        assert {member.name: int(member) for member in enum} == wanted
    else:
        # Errors carry the name, and no error carries none.
        del wanted["UNSPECIFIED"]
        assert [member.name for member in enum] == list(wanted)
        assert all(member.value == member.name for member in enum)


def test_unknown_numbers_become_members() -> None:
    unknown = IllegalReason(999)
    assert isinstance(unknown, IllegalReason)
    assert (unknown.name, unknown.value, unknown) == ("UNKNOWN_999", 999, 999)
    assert repr(unknown) == "<IllegalReason.UNKNOWN_999: 999>"
    assert unknown == IllegalReason(999)
    assert unknown not in list(IllegalReason)
    assert pickle.loads(pickle.dumps(unknown)) == unknown
    assert Side(-1).name == "UNKNOWN_-1"
    for nonsense in ("WHITE", None, 1.5):
        with pytest.raises(ValueError, match="is not a valid Side"):
            Side(nonsense)  # type: ignore[arg-type]


def test_reasons_of_errors_are_texts() -> None:
    assert ErrorReason("BUSY") is ErrorReason.BUSY
    assert ErrorReason.BUSY == "BUSY"
    assert {"BUSY": 1}[ErrorReason.BUSY] == 1
    assert [str(PositionFault.BAD_TURN), f"{PositionFault.BAD_TURN}"] == ["BAD_TURN", "BAD_TURN"]
