"""The way to the service: retries, several replicas, TLS."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import grpc
import pytest
import trustme

from arbiter_client import Arbiter, ArbiterError, Position, tls
from arbiter_client.channel import ChannelSettings
from arbiter_client.v1.playing_pb2 import GameStatusResponse
from conformance.server import has_flag, running
from tests import fake

CHESS = Position(variant="chess")


class Failing:
    """A method that fails a number of times before it answers."""

    def __init__(self, failures: int, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
        self.calls = 0
        self._failures = failures
        self._code = code

    def __call__(self, _request: object, context: grpc.ServicerContext) -> GameStatusResponse:
        self.calls += 1
        if self.calls <= self._failures:
            context.abort(self._code, "not yet")
        return GameStatusResponse()


def test_unavailable_is_tried_again_up_to_three_times_more() -> None:
    method = Failing(3)
    with fake.answering(GameStatus=method) as address, Arbiter(address) as arbiter:
        arbiter.status(CHESS)
    assert method.calls == 4
    method = Failing(4)
    with fake.answering(GameStatus=method) as address, Arbiter(address) as arbiter:
        with pytest.raises(ArbiterError) as raised:
            arbiter.status(CHESS)
    assert (raised.value.code, method.calls) == (grpc.StatusCode.UNAVAILABLE, 4)


@pytest.mark.parametrize(
    ("method", "retries"),
    [
        (Failing(1), False),
        # A busy server, and whatever would fail again.
        (Failing(1, grpc.StatusCode.RESOURCE_EXHAUSTED), True),
        (Failing(1, grpc.StatusCode.INVALID_ARGUMENT), True),
    ],
)
def test_nothing_else_is_tried_again(method: Failing, retries: bool) -> None:
    with fake.answering(GameStatus=method) as address, Arbiter(address, retries=retries) as arbiter:
        with pytest.raises(ArbiterError):
            arbiter.status(CHESS)
        assert method.calls == 1
        arbiter.status(CHESS)


def test_calls_are_spread_over_a_list_of_replicas() -> None:
    one, other = Failing(0), Failing(0)
    with fake.answering(GameStatus=one) as first, fake.answering(GameStatus=other) as second:
        with Arbiter([first, second]) as arbiter:
            # The second connection may be made a moment after the first call.
            for _ in range(1_000):
                arbiter.status(CHESS)
                if one.calls and other.calls:
                    break
            before = one.calls, other.calls
            for _ in range(20):
                arbiter.status(CHESS)
    assert (one.calls - before[0], other.calls - before[1]) == (10, 10)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_replica_may_stop(how: signal.Signals) -> None:
    with running() as first, running() as second, Arbiter([first.address, second.address]) as arbiter:
        for _ in range(20):
            assert arbiter.count_legal_moves(CHESS) == 20
        first.process.send_signal(how)
        for _ in range(500):
            assert arbiter.count_legal_moves(CHESS) == 20


def test_lists_are_of_addresses_with_ports() -> None:
    def target(*addresses: str) -> str:
        return ChannelSettings(addresses, None, None, True, 30.0, ()).resolved_target()

    assert target("192.0.2.1:1", "192.0.2.2:2") == "ipv4:192.0.2.1:1,192.0.2.2:2"
    assert target("[2001:db8::1]:1") == "ipv6:[2001:db8::1]:1"
    for wrong in ([], ["arbiter:1"], ["192.0.2.1"], ["192.0.2.1:"], ["192.0.2.1:1", "[2001:db8::1]:1"]):
        with pytest.raises(ValueError, match=r"address|IP:PORT|port"):
            target(*wrong)


class Certificates:
    """A certificate authority, and what it has certified."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        server = authority.issue_cert("arbiter.test")
        client = authority.issue_cert("client.test")
        self.ca, self.cert, self.key = folder / "ca", folder / "cert", folder / "key"
        self.client_cert, self.client_key = folder / "client-cert", folder / "client-key"
        authority.cert_pem.write_to_path(str(self.ca))
        server.private_key_pem.write_to_path(str(self.key))
        server.cert_chain_pems[0].write_to_path(str(self.cert))
        client.private_key_pem.write_to_path(str(self.client_key))
        client.cert_chain_pems[0].write_to_path(str(self.client_cert))


@contextmanager
def fake_server(certificates: Certificates, mutual: bool) -> Iterator[str]:
    pair = certificates.key.read_bytes(), certificates.cert.read_bytes()
    ca = certificates.ca.read_bytes() if mutual else None
    credentials = grpc.ssl_server_credentials([pair], ca, require_client_auth=mutual)
    with fake.answering(credentials=credentials, GameStatus=Failing(0)) as address:
        yield address


@contextmanager
def real_server(certificates: Certificates, mutual: bool) -> Iterator[str]:
    flags = ["--tls-cert", str(certificates.cert), "--tls-key", str(certificates.key)]
    if mutual:
        flags += ["--tls-client-ca", str(certificates.ca)]
    with running(*flags) as server:
        yield server.address


Serving = Callable[[Certificates, bool], AbstractContextManager[str]]

SERVERS = [
    fake_server,
    pytest.param(
        real_server,
        marks=pytest.mark.skipif(not has_flag("--tls-cert"), reason="the server does not speak TLS"),
    ),
]


@pytest.mark.parametrize("serving", SERVERS)
@pytest.mark.parametrize("mutual", [False, True])
def test_tls(tmp_path: Path, serving: Serving, mutual: bool) -> None:
    certificates = Certificates(tmp_path)
    own = (certificates.client_cert, certificates.client_key) if mutual else ()
    good = tls(certificates.ca, *own)
    with serving(certificates, mutual) as address:
        for target in (address, [address]):
            with Arbiter(target, credentials=good, authority="arbiter.test") as arbiter:
                arbiter.status(CHESS)
        # Another name than the certificate's, no trust, no certificate of one's own, no TLS.
        wrong = [(good, "other.test"), (tls(), "arbiter.test"), (None, "arbiter.test")]
        if mutual:
            wrong.append((tls(certificates.ca), "arbiter.test"))
        for credentials, authority in wrong:
            with Arbiter(address, credentials=credentials, authority=authority, timeout=5.0) as arbiter:
                with pytest.raises(ArbiterError) as raised:
                    arbiter.status(CHESS)
                assert raised.value.code is grpc.StatusCode.UNAVAILABLE
