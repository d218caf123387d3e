"""A server that answers what a test wants, for what no real one does on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NoReturn

import grpc
from google.protobuf.message import Message

from arbiter_client.error_details_pb2 import Status
from arbiter_client.v1.service_pb2_grpc import ArbiterServiceServicer, add_ArbiterServiceServicer_to_server

Method = Callable[[Any, grpc.ServicerContext], Any]


@contextmanager
def answering(
    address: str = "127.0.0.1:0", credentials: grpc.ServerCredentials | None = None, **methods: Method
) -> Iterator[str]:
    """A server whose methods are these, at the address that it gives."""
    server = grpc.server(ThreadPoolExecutor(4))
    add_ArbiterServiceServicer_to_server(type("Fake", (ArbiterServiceServicer,), _bound(methods))(), server)
    if credentials is None:
        port = server.add_insecure_port(address)
    else:
        port = server.add_secure_port(address, credentials)
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(grace=None).wait()


def _bound(methods: dict[str, Method]) -> dict[str, object]:
    """The functions as methods of a class."""
    return {name: staticmethod(method) for name, method in methods.items()}


def refuse(context: grpc.ServicerContext, code: grpc.StatusCode, message: str, *details: Message) -> NoReturn:
    """Ends a call with an error that has these details."""
    status = Status(code=code.value[0], message=message)
    for detail in details:
        status.details.add(
            type_url=f"type.googleapis.com/google.rpc.{detail.DESCRIPTOR.name}",
            value=detail.SerializeToString(),
        )
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    context.abort(code, message)
    raise AssertionError
