"""Each example configuration, in the real proxy before three real replicas, called by a client that repeats nothing."""

import re
import subprocess
import time
from pathlib import Path

import grpc
import pytest
from arbiter.v1 import listing_pb2, move_pb2, position_pb2, service_pb2_grpc, starting_pb2
from replicas import Replica, free_port, wait_until

DEPLOY = Path(__file__).parent.parent
# The ports that the files name: that of the proxy, then those of the replicas.
PORTS = ["50050", "50061", "50062", "50063"]


def haproxy(config, folder):
    return ["haproxy", "-db", "-f", config]


def nginx(config, folder):
    return ["nginx", "-p", folder, "-c", config, "-g", "daemon off;"]


def envoy(config, folder):
    return ["envoy", "--config-path", config, "--log-level", "warning", "--concurrency", "2", "--use-dynamic-base-id"]


PROXIES = {"haproxy.cfg": haproxy, "nginx.conf": nginx, "envoy.yaml": envoy}
ASK_HEALTH = ["haproxy.cfg", "envoy.yaml"]


class Setup:
    """A proxy, its replicas, and a client of the proxy."""

    def __init__(self, name, folder):
        self.replicas = [Replica(folder) for _ in range(3)]
        self.port = free_port()
        # The configuration as it is in the repository, but for the ports.
        text = (DEPLOY / name).read_text()
        for written, used in zip(PORTS, [self.port, *(replica.port for replica in self.replicas)], strict=True):
            text, found = re.subn(rf"\b{written}\b", str(used), text)
            assert found == 1, f"{name} names port {written} {found} times"
        config = folder / name
        config.write_text(text)
        self.log = folder / "proxy.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(PROXIES[name](config, folder), stdout=log, stderr=log)
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.port}", [("grpc.enable_retries", 0)])
        self.stub = service_pb2_grpc.ArbiterServiceStub(self.channel)
        wait_until(self.answers, what=f"no answer through the proxy: {self.log.read_text()}")

    def call(self, variant="chess"):
        request = starting_pb2.GetInitialPositionRequest(variant=variant)
        return self.stub.GetInitialPosition(request, timeout=5).position.fen

    def answers(self):
        try:
            return bool(self.call())
        except grpc.RpcError:
            assert self.process.poll() is None, self.log.read_text()
            return False

    def calls(self):
        return [replica.calls() for replica in self.replicas]

    def close(self):
        self.channel.close()
        self.process.terminate()
        for replica in self.replicas:
            replica.kill()
        self.process.wait()


@pytest.fixture(params=PROXIES)
def setup(request, tmp_path):
    # nginx started by root reads its configuration as root and works as another user.
    tmp_path.chmod(0o755)
    made = Setup(request.param, tmp_path)
    made.name = request.param
    yield made
    made.close()


def test_calls_are_spread_and_survive_a_dead_replica(setup):
    before = setup.calls()
    for _ in range(60):
        setup.call()
    got = [now - then for now, then in zip(setup.calls(), before, strict=True)]
    assert sum(got) == 60 and min(got) >= 5, got

    lost = setup.replicas[1]
    lost.kill()
    for _ in range(60):
        setup.call()

    lost.start()
    wait_until(lambda: setup.call() and lost.calls() > 0, what="a replica that is back gets no calls")


def test_errors_and_streams_pass(setup):
    with pytest.raises(grpc.RpcError) as error:
        setup.call("no such game")
    assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert any(key == "grpc-status-details-bin" for key, _ in error.value.trailing_metadata())

    position = position_pb2.Position(variant="bordahbee", fen=setup.call("bordahbee"))
    count = setup.stub.LegalMoves(
        listing_pb2.LegalMovesRequest(position=position, move_view=move_pb2.MOVE_VIEW_COUNT), timeout=10
    )
    stream = setup.stub.StreamLegalMoves(listing_pb2.StreamLegalMovesRequest(position=position), timeout=10)
    assert sum(len(part.moves) for part in stream) == count.total_size > 0


def test_a_replica_that_stops_loses_no_call(setup):
    stopping = setup.replicas[1]
    stopping.terminate()
    began = time.monotonic()
    noticed = None
    while stopping.process.poll() is None:
        setup.call()
        if noticed is None and time.monotonic() - began > 1:
            noticed = stopping.calls()
        assert time.monotonic() - began < 10, "it does not stop"
    assert stopping.process.returncode == 0
    if setup.name in ASK_HEALTH:
        assert noticed == stopping.calls(), "it still got calls a second after it was told to stop"
    for _ in range(60):
        setup.call()
