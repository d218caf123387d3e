"""The programs of a test: servers, load and proxy, started as children and watched through /proc."""

import atexit
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARBITER = os.environ["ARBITER"]
ARBITER_LOAD = os.environ["ARBITER_LOAD"]
# With LONG=1 tests run longer or more often.
LONG = os.environ.get("LONG") == "1"

# No service of this kind may need more, whatever is done to it.
MEMORY_LIMIT_MB = 200

_started = []


def _folder():
    (ROOT / "target").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="failure-", dir=ROOT / "target"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# For logs, certificates and configurations of this run.
FOLDER = _folder()


@atexit.register
def _end_all():
    for process in _started:
        if process.poll() is None:
            process.kill()
            process.wait()


def free_port():
    """A port that nobody listens on, below those that the kernel gives to outgoing connections, so that it is still
    free when a server that was stopped comes back to it."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def wait_until(condition, seconds, interval=0.02):
    """Whether the condition came true within so many seconds, and how long that took."""
    begun = time.monotonic()
    while True:
        if condition():
            return True, time.monotonic() - begun
        if time.monotonic() - begun > seconds:
            return False, time.monotonic() - begun
        time.sleep(interval)


class Child:
    """A program that was started."""

    def __init__(self, command, env=None, core=None, max_files=None, nice=0, stdout=None):
        def prepare():
            if core is not None:
                os.sched_setaffinity(0, {core})
            if max_files is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (max_files, max_files))
            if nice:
                os.nice(nice)

        self.log = FOLDER / f"{Path(command[0]).name}-{len(_started)}.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [str(part) for part in command],
                env=os.environ | (env or {}),
                stdout=stdout or log,
                stderr=log,
                preexec_fn=prepare,
                cwd=ROOT,
            )
        _started.append(self.process)

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, seconds):
        """The exit code; none if the program does not end in time."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def _proc(self, name):
        return Path(f"/proc/{self.process.pid}/{name}")

    def cpu_seconds(self):
        fields = self._proc("stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self, line="VmRSS"):
        """The memory of the process now, or with `VmHWM` at its peak."""
        for text in self._proc("status").read_text().splitlines():
            if text.startswith(f"{line}:"):
                return int(text.split()[1]) / 1024
        raise ValueError(f"no {line}: the process has ended")

    def open_files(self):
        return len(list(self._proc("fd").iterdir()))


class Server(Child):
    """A server of Arbiter on a port of its own. Settings are given as environment variables, without the prefix."""

    def __init__(self, port=None, settings=None, **limits):
        self.port = port or free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.settings = settings or {}
        self.limits = limits
        self.start()

    def start(self):
        env = {f"ARBITER_{name}": str(value) for name, value in self.settings.items()}
        command = [ARBITER, "serve", "--listen", self.address]
        super().__init__(command, env={"ARBITER_LOG": "warn"} | env, **self.limits)
        ready, _ = wait_until(self.is_healthy, 20)
        if not ready:
            raise RuntimeError(f"the server does not serve: {self.log.read_text()}")

    def is_healthy(self):
        """Whether it says that it serves; with TLS, which the check does not speak, whether it listens."""
        if "TLS_CERT" in self.settings:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0
        command = [ARBITER, "healthcheck", "--address", self.address]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def stop(self, number=signal.SIGTERM, seconds=30):
        """Ends the server by a signal and gives its exit code."""
        self.signal(number)
        return self.wait(seconds)


class Load(Child):
    """The load generator, started with the options given by name."""

    def __init__(self, targets, calls, core=None, nice=0, **options):
        command = [ARBITER_LOAD]
        for target in targets:
            command += ["--target", target]
        for call in calls:
            command += ["--call", call]
        for name, value in options.items():
            flag = f"--{name.replace('_', '-')}"
            command += [flag] if value is True else [] if value is False else [flag, value]
        super().__init__(command, core=core, nice=nice, stdout=subprocess.PIPE)

    def result(self):
        """What became of the calls, when the load has ended."""
        output, _ = self.process.communicate(timeout=600)
        if self.process.returncode != 0:
            raise RuntimeError(f"no load could be made: {self.log.read_text()}")
        return Result(json.loads(output))


def load(targets, calls, **options):
    """Makes load and waits for its end."""
    return Load(targets, calls, **options).result()


class Result:
    """What became of the calls of a load."""

    def __init__(self, document):
        self.document = document
        self.kinds = document["kinds"]
        self.failures = document["failures"]

    def total(self, what):
        return sum(kind[what] for kind in self.kinds.values())

    def codes(self):
        """All calls by the code that they ended with."""
        codes = {}
        for kind in self.kinds.values():
            for code, count in kind["codes"].items():
                codes[code] = codes.get(code, 0) + count
        return codes

    def not_ok(self):
        return self.total("calls") - self.total("ok")

    def shares(self):
        """The part of all attempts that each target was given."""
        attempts = [sum(target["attempts"].values()) for target in self.document["targets"]]
        return [count / max(1, sum(attempts)) for count in attempts]

    def first_failures(self, most=3):
        seen = {}
        for failure in self.failures:
            seen.setdefault((failure["kind"], failure["code"], failure["message"]), failure)
        return [f"{kind} {code}: {message}" for kind, code, message in list(seen)[:most]]


def milliseconds(quantiles):
    """Quantiles for people."""
    if quantiles is None:
        return "none"
    return ", ".join(f"{name.replace('p99_9', 'p99.9')} {value:.1f} ms" for name, value in quantiles.items())
