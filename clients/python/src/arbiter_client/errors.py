"""Errors: requests that cannot be judged, and calls that did not get through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message

from arbiter_client.answers import Illegal
from arbiter_client.enums import ErrorReason, PositionFault
from arbiter_client.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo, Status

_Detail = TypeVar("_Detail", bound=Message)


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that is at fault."""

    field: str
    """Its path as the contract names it, for example `position.fen` or `moves[17]`."""
    description: str
    """A sentence for people."""


class ArbiterError(Exception):
    """A call that failed. Decide by `code` and `reason`; messages are for people and may change."""

    code: grpc.StatusCode
    """The gRPC code."""
    reason: ErrorReason | str | None
    """The service's reason; its text if this release does not know it; None if the error does not come from
    the service, but from the network or the transport."""
    message: str
    """A sentence for people."""
    violations: tuple[FieldViolation, ...]
    """The fields at fault, if any."""
    faults: tuple[PositionFault | str, ...]
    """All faults of the position, with the reason INVALID_POSITION."""
    retry_after: float | None
    """Seconds to wait before the next try, if the service says so (with the reason BUSY)."""
    metadata: dict[str, str]
    """What else the service says of the reason."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        reason: ErrorReason | str | None = None,
        violations: tuple[FieldViolation, ...] = (),
        faults: tuple[PositionFault | str, ...] = (),
        retry_after: float | None = None,
        metadata: dict[str, str] | None = None,
    ) -> None:
        # All of it, so that errors can be pickled.
        super().__init__(code, message, reason, violations, faults, retry_after, metadata)
        self.code = code
        self.message = message
        self.reason = reason
        self.violations = violations
        self.faults = faults
        self.retry_after = retry_after
        self.metadata = metadata or {}

    def __str__(self) -> str:
        reason = f" ({self.reason})" if self.reason else ""
        lines = [f"{self.code.name}{reason}: {self.message}"]
        lines += [f"{each.field}: {each.description}" for each in self.violations]
        return "\n  ".join(lines)

    @classmethod
    def of(cls, error: grpc.RpcError) -> ArbiterError:
        """The error that gRPC raised, with what the service attached to it."""
        status = _attached_status(error)
        info = _detail(status, ErrorInfo) or ErrorInfo()
        violations = (_detail(status, BadRequest) or BadRequest()).field_violations
        retry = _detail(status, RetryInfo)
        faults = info.metadata.get("faults", "")
        return cls(
            code=error.code(),
            message=error.details() or "",
            reason=_known(ErrorReason, info.reason) if info.reason else None,
            violations=tuple(FieldViolation(each.field, each.description) for each in violations),
            faults=tuple(_known(PositionFault, fault) for fault in faults.split(",") if fault),
            retry_after=retry.retry_delay.ToTimedelta().total_seconds() if retry else None,
            metadata=dict(info.metadata),
        )


class IllegalMoveError(Exception):
    """An illegal move, for those who asked for an exception: see `Arbiter.play`."""

    illegal: Illegal
    """Why the move is illegal."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal)
        self.illegal = illegal

    def __str__(self) -> str:
        return f"{self.illegal.reason.name}: {self.illegal.message}"


_Text = TypeVar("_Text", ErrorReason, PositionFault)


def _known(enum: type[_Text], text: str) -> _Text | str:
    return enum(text) if text in enum.__members__ else text


def _attached_status(error: grpc.RpcError) -> Status:
    """The details that the service attached to an error. Empty if none can be read."""
    trailers = cast(Iterable[tuple[str, str | bytes]], error.trailing_metadata() or ())
    status = Status()
    for key, value in trailers:
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            # The details explain an error. It must reach the caller even if they are damaged.
            try:
                status.ParseFromString(value)
            except DecodeError:
                status.Clear()
    return status


def _detail(status: Status, kind: type[_Detail]) -> _Detail | None:
    """The detail of a kind, which a status has once or not at all."""
    for attached in status.details:
        if attached.type_url == f"type.googleapis.com/google.rpc.{kind.DESCRIPTOR.name}":
            try:
                return kind.FromString(attached.value)
            except DecodeError:
                return None
    return None


@contextmanager
def arbiter_errors() -> Iterator[None]:
    """Raises the errors of gRPC as `ArbiterError`."""
    try:
        yield
    except grpc.RpcError as error:
        raise ArbiterError.of(error) from error
