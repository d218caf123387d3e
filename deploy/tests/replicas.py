"""Starts and stops the service, as replicas that a test can count the calls of."""

import os
import signal
import socket
import subprocess
import time

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc


def free_port():
    """A port of the kernel's choice. Another process could take it before it is used; none here does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(happens, limit=10, what="it did not happen in time"):
    """Waits for a condition, and fails when it takes too long."""
    end = time.monotonic() + limit
    while not happens():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def serving(address):
    """Whether gRPC health at an address says that the service is serving."""
    with grpc.insecure_channel(address) as channel:
        request = health_pb2.HealthCheckRequest(service="arbiter.v1.ArbiterService")
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=1)
        except grpc.RpcError:
            return False
        return answer.status == health_pb2.HealthCheckResponse.SERVING


class Replica:
    """One process of the service, on a port of its own that it keeps when it is started again."""

    def __init__(self, folder):
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.log = folder / f"{self.port}.log"
        self.start()

    def start(self):
        # Every call is a line of the log.
        settings = {"ARBITER_LISTEN": self.address, "ARBITER_LOG": "debug", "ARBITER_DRAIN_DELAY": "3"}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [os.environ["ARBITER"], "serve"], env=os.environ | settings, stdout=log, stderr=log
            )
        wait_until(lambda: serving(self.address), what=f"the replica does not serve: {self.log.read_text()}")

    def calls(self):
        """How many calls it has answered since it was started, checks of health not counted."""
        lines = self.log.read_text().splitlines()
        return sum("a call ended" in line and "arbiter.v1.ArbiterService/" in line for line in lines)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
