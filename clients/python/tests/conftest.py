from collections.abc import Iterator

import pytest

from arbiter_client import Arbiter, Position
from conformance.server import Server, running
from conformance.vectors import rows


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A real server that all tests share."""
    with running() as server:
        yield server


@pytest.fixture
def arbiter(server: Server) -> Iterator[Arbiter]:
    with Arbiter(server.address) as arbiter:
        yield arbiter


@pytest.fixture(scope="session")
def heavy() -> Position:
    """A position with more than 100,000 moves."""
    variant = "doppelganger-bordahbee-extreme"
    _, _, found = next(rows(variant))
    most = max(found, key=lambda row: int(row.get("count", 0)))
    assert most["count"] > 100_000
    return Position(variant=variant, fen=most["position"])
