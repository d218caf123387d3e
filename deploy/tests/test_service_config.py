"""The service config, in a real client before servers that fail on purpose."""

import json
from concurrent import futures
from pathlib import Path

import grpc
import pytest
from arbiter.v1 import service_pb2, service_pb2_grpc, starting_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from replicas import free_port, wait_until

CONFIG = (Path(__file__).parent.parent / "service-config.json").read_text()
SERVICE = "arbiter.v1.ArbiterService"


class Failing(service_pb2_grpc.ArbiterServiceServicer):
    """Fails the next calls with the codes that it was given, and answers those that follow."""

    def __init__(self):
        self.codes = []
        self.calls = 0

    def answer(self, context, response):
        self.calls += 1
        if self.codes:
            context.abort(self.codes.pop(0), "on purpose")
        return response

    def GetInitialPosition(self, request, context):  # noqa: N802 (the name is the contract's)
        return self.answer(context, starting_pb2.GetInitialPositionResponse())


class Server:
    def __init__(self):
        self.service, self.health = Failing(), health.HealthServicer()
        self.address = f"127.0.0.1:{free_port()}"
        self.server = grpc.server(futures.ThreadPoolExecutor(4))
        service_pb2_grpc.add_ArbiterServiceServicer_to_server(self.service, self.server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        assert self.server.add_insecure_port(self.address)
        self.server.start()
        self.serve(True)

    def serve(self, serving):
        status = health_pb2.HealthCheckResponse
        self.health.set(SERVICE, status.SERVING if serving else status.NOT_SERVING)


@pytest.fixture
def servers():
    made = [Server(), Server()]
    yield made
    for one in made:
        one.server.stop(None)


def client(servers, config=CONFIG):
    options = [
        ("grpc.service_config", config),
        # A list of addresses would become the `:authority`, which is none.
        ("grpc.default_authority", "arbiter"),
        # Or else the channel shares connections, and their back-off, with those of other tests.
        ("grpc.use_local_subchannel_pool", 1),
    ]
    return grpc.insecure_channel("ipv4:" + ",".join(one.address for one in servers), options)


def call(channel, **more):
    stub = service_pb2_grpc.ArbiterServiceStub(channel)
    return stub.GetInitialPosition(starting_pb2.GetInitialPositionRequest(), timeout=10, **more)


def failure(channel):
    with pytest.raises(grpc.RpcError) as error:
        call(channel)
    return error.value.code()


def test_every_method_named_is_in_the_contract():
    methods = {method.name for method in service_pb2.DESCRIPTOR.services_by_name["ArbiterService"].methods}
    for entry in json.loads(CONFIG)["methodConfig"]:
        for name in entry["name"]:
            assert name["service"] == SERVICE
            assert name.get("method") is None or name["method"] in methods


def test_a_config_with_a_mistake_is_refused(servers):
    with client(servers, CONFIG.replace('"0.1s"', '"soon"')) as channel:
        assert failure(channel) == grpc.StatusCode.INVALID_ARGUMENT
    assert servers[0].service.calls + servers[1].service.calls == 0


def test_unavailable_is_tried_again(servers):
    only = servers[:1]
    only[0].service.codes = [grpc.StatusCode.UNAVAILABLE] * 2
    with client(only) as channel:
        call(channel)
    assert only[0].service.calls == 3


def test_four_attempts_are_the_most(servers):
    only = servers[:1]
    only[0].service.codes = [grpc.StatusCode.UNAVAILABLE] * 9
    with client(only) as channel:
        assert failure(channel) == grpc.StatusCode.UNAVAILABLE
    assert only[0].service.calls == 4


@pytest.mark.parametrize("code", [grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INVALID_ARGUMENT])
def test_nothing_else_is_tried_again(servers, code):
    only = servers[:1]
    only[0].service.codes = [code]
    with client(only) as channel:
        assert failure(channel) == code
    assert only[0].service.calls == 1


def test_calls_go_to_all_servers_that_serve(servers):
    first, second = servers
    with client(servers) as channel:
        # The channel can be ready before both connections are.
        wait_until(lambda: call(channel) is not None and first.service.calls and second.service.calls)
        before = first.service.calls
        for _ in range(20):
            call(channel)
        assert first.service.calls - before == 10

        second.serve(False)
        wait_until(lambda: stays_away(channel, second), what="a server that does not serve still gets calls")


def stays_away(channel, server):
    before = server.service.calls
    for _ in range(4):
        call(channel)
    return server.service.calls == before


def test_failures_en_masse_stop_the_repeats(servers):
    only = servers[:1]
    only[0].service.codes = [grpc.StatusCode.UNAVAILABLE] * 1000
    with client(only) as channel:
        stub = service_pb2_grpc.ArbiterServiceStub(channel)
        calls = [stub.GetInitialPosition.future(starting_pb2.GetInitialPositionRequest(), timeout=10) for _ in range(100)]
        assert all(one.code() == grpc.StatusCode.UNAVAILABLE for one in calls)
    # Four attempts each without the throttle, one each and about fifty repeats with it.
    assert 100 <= only[0].service.calls <= 200
