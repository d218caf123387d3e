"""HAProxy before three replicas, with the configuration of this repository."""

import csv
import io
import os
import socket

from processes import FOLDER, ROOT, Child, free_port, wait_until

CONFIG = ROOT / os.environ.get("HAPROXY_CFG", "deploy/haproxy.cfg")
REPEATS = "retry-on conn-failure empty-response"


class Proxy(Child):
    def __init__(self, replicas, repeats=True):
        """A proxy that repeats calls whose replica died, as configured, or one that does not."""
        self.address = f"127.0.0.1:{free_port()}"
        # A name without a file, as the path of a socket must be short.
        self.socket = f"arbiter-failure-{os.getpid()}-{self.address[10:]}"
        text = CONFIG.read_text()
        if REPEATS not in text:
            raise ValueError(f"{CONFIG} does not repeat calls as it did")
        if not repeats:
            text = text.replace(REPEATS, "retry-on conn-failure")
        config = FOLDER / "haproxy.cfg"
        config.write_text(text)
        statistics = FOLDER / "statistics.cfg"
        statistics.write_text(f"global\n    stats socket abns@{self.socket}\n")
        env = {"ARBITER_PROXY_LISTEN": self.address}
        for number, replica in enumerate(replicas, 1):
            env[f"ARBITER_REPLICA_{number}"] = replica
        super().__init__(["haproxy", "-db", "-f", config, "-f", statistics], env=env)
        ready, _ = wait_until(self._is_up, 10)
        if not ready:
            raise RuntimeError(f"the proxy does not serve: {self.log.read_text()}")

    def _is_up(self):
        try:
            return any(row["status"] == "UP" for row in self.replicas())
        except OSError:
            return False

    def replicas(self):
        """The statistics of each replica."""
        with socket.socket(socket.AF_UNIX) as connection:
            # HAProxy fills the name up to the 108 bytes that an address has.
            connection.connect(f"\0{self.socket}".ljust(108, "\0"))
            connection.sendall(b"show stat\n")
            text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        rows = csv.DictReader(io.StringIO(text.removeprefix("# ")))
        return [row for row in rows if row["svname"] not in ("FRONTEND", "BACKEND")]

    def calls(self):
        """How many calls each replica was given so far."""
        return [int(row["stot"]) for row in self.replicas()]
