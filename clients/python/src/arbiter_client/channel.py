"""How a client reaches the service: addresses, TLS, retries, keepalive."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

SERVICE = "arbiter.v1.ArbiterService"

# UNAVAILABLE means that the server is starting or stopping, or cannot be reached: another try, perhaps with
# another replica, may do. All methods are free of side effects. A busy server says RESOURCE_EXHAUSTED, and
# when to come back, which is left to the caller: repeating at once would keep it busy.
RETRY_POLICY = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}


def tls(
    ca_file: str | Path | None = None,
    cert_file: str | Path | None = None,
    key_file: str | Path | None = None,
) -> grpc.ChannelCredentials:
    """Credentials for TLS from PEM files.

    Args:
        ca_file: The certificates to trust. Without it, those that come with gRPC.
        cert_file: The client's own certificate chain, where the server asks for one (mutual TLS).
        key_file: The key to it.

    """

    def read(file: str | Path | None) -> bytes | None:
        return None if file is None else Path(file).read_bytes()

    return grpc.ssl_channel_credentials(read(ca_file), read(key_file), read(cert_file))


@dataclass(frozen=True)
class ChannelSettings:
    """What a client is told about the way to the service. See `Arbiter`."""

    target: str | Sequence[str]
    balance: bool | None
    authority: str | None
    retries: bool
    keepalive: float
    options: Sequence[tuple[str, Any]]

    def resolved_target(self) -> str:
        """The target as gRPC understands it."""
        return self.target if isinstance(self.target, str) else _address_list(self.target)

    def all_options(self) -> list[tuple[str, Any]]:
        """The options of the channel. Those of the caller come last, and so win."""
        options: list[tuple[str, Any]] = [
            ("grpc.service_config", json.dumps(self._service_config())),
            ("grpc.enable_retries", int(self.retries)),
            ("grpc.keepalive_time_ms", int(self.keepalive * 1000)),
            ("grpc.keepalive_timeout_ms", 10_000),
        ]
        if self.authority is not None:
            options.append(("grpc.default_authority", self.authority))
        elif not isinstance(self.target, str):
            # gRPC would take the whole list for the name, which servers refuse.
            options.append(("grpc.default_authority", self.target[0]))
        return [*options, *self.options]

    def _service_config(self) -> dict[str, Any]:
        config: dict[str, Any] = {
            # Most failing? Then repeating helps nobody.
            "retryThrottling": {"maxTokens": 100, "tokenRatio": 0.1},
            "methodConfig": [{"name": [{"service": SERVICE}], "retryPolicy": RETRY_POLICY}],
        }
        balance = self.balance if self.balance is not None else not isinstance(self.target, str)
        if balance:
            config["loadBalancingConfig"] = [{"round_robin": {}}]
            # A replica that is stopping says so by its health first, and is left out from then on.
            config["healthCheckConfig"] = {"serviceName": SERVICE}
        return config


def _address_list(addresses: Sequence[str]) -> str:
    """Several addresses as one target, `ipv4:192.0.2.1:50051,192.0.2.2:50051`."""
    if not addresses:
        raise ValueError("a list of addresses must not be empty")
    versions = set()
    for address in addresses:
        host, _, port = address.rpartition(":")
        try:
            versions.add(ipaddress.ip_address(host.strip("[]")).version)
        except ValueError:
            message = f"{address!r} is not IP:PORT; for a name give one target such as 'dns:///name:50051'"
            raise ValueError(message) from None
        if not port.isdecimal():
            raise ValueError(f"{address!r} has no port")
    if len(versions) > 1:
        raise ValueError("a list of addresses must be all IPv4 or all IPv6")
    return f"ipv{versions.pop()}:{','.join(addresses)}"
