"""Starts servers to ask."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("ARBITER", str(ROOT / "target/release/arbiter"))


# How long a server may take to start.
PATIENCE = 30.0


@dataclass
class Server:
    """A server that runs."""

    address: str
    process: subprocess.Popen[bytes]


@contextmanager
def running(*flags: str) -> Iterator[Server]:
    """A server with these flags on a port of its own, until the end of the block."""
    command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--log", "info", "--log-format", "json", *flags]
    # A file, as nobody would read a pipe to its end, and a full one would hold the server up.
    with tempfile.NamedTemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield Server(_address(process, Path(log.name)), process)
        finally:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where the server says that it listens."""
    give_up = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < give_up:
        if found := re.search(r'"address":"([^"]+)"', log.read_text()):
            return found.group(1)
        time.sleep(0.01)
    raise RuntimeError(f"{PROGRAM} does not serve: {log.read_text()}")


@cache
def has_flag(flag: str) -> bool:
    """Whether the server has a setting, as one that is older than this client may not."""
    told = subprocess.run([PROGRAM, "serve", "--help"], capture_output=True, text=True, check=True)
    return flag in told.stdout


def main() -> int:
    """Runs a program of Python with `--target` and the address of a server that lives as long as it does."""
    with running() as server:
        return subprocess.run([sys.executable, *sys.argv[1:], "--target", server.address]).returncode


if __name__ == "__main__":
    sys.exit(main())
