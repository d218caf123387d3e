"""Starts servers to ask."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("ARBITER", str(ROOT / "target/release/arbiter"))


@dataclass
class Server:
    """A server that runs."""

    address: str
    process: subprocess.Popen[str]

    def stop(self) -> int:
        """Stops it, and gives its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=30)


@contextmanager
def running(*flags: str) -> Iterator[Server]:
    """A server with these flags on a port of its own, until the end of the block."""
    command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--log", "info", "--log-format", "json", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield Server(_address(process), process)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _address(process: subprocess.Popen[str]) -> str:
    """Where the server says that it listens."""
    said = []
    for line in process.stdout or ():
        said.append(line)
        if found := re.search(r'"address":"([^"]+)"', line):
            return found.group(1)
    raise RuntimeError(f"{PROGRAM} does not serve: {''.join(said)}")


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
