"""Replicas that die, restart and join under load, behind HAProxy and with a client that balances itself."""

import signal
import time

from processes import LONG, Load, Server
from proxy import Proxy

# Calls of all lengths, from a tenth of a millisecond to a quarter of a second, about half a core of work at the rate
# below.
CALLS = [
    "single:chess=40",
    "single:three-universes=20",
    "status:gamma2=20",
    "list:100=9",
    "count:extreme-half=10",
    "stream:extreme-half=1",
]
# A stream that has begun cannot be made again by policy: where a replica dies, only whole answers can be had from
# another.
WHOLE_CALLS = CALLS[:-1]
RATE = 200
# Long, as it is not the time that calls take which is looked at here.
DEADLINE = 30

# How long a replica stands still before it dies, so that calls are in flight on it.
FREEZE = 0.1
# A call that was sent before the client learned that the connection is gone was in flight, too.
NOTICE = 0.05

# Long enough for the proxy, which asks every 0.2 s, to learn that a replica drains, and for the streams under way to
# end (see README.md).
SETTINGS = {"DRAIN_DELAY": 2}


def run(report):
    for way in (Proxied, Balanced):
        for repeats, retry in way.DEATHS:
            death(report, way, repeats, retry)
        for retry in (False, True) if LONG else (False,):
            rolling_restart(report, way, retry)
        joining(report, way)


class Proxied:
    """Load through a proxy."""

    NAME = "behind HAProxy"
    # Whether the proxy repeats calls, and whether the client does.
    DEATHS = [(False, False), (False, True), (True, False)]

    def __init__(self, addresses, repeats=True):
        self.proxy = Proxy(addresses, repeats)
        self.targets = [self.proxy.address]

    def calls(self, result):
        return self.proxy.calls()

    def end(self):
        self.proxy.kill()


class Balanced:
    """Load by a client that spreads its calls over all replicas."""

    NAME = "balanced by the client"
    DEATHS = [(False, False), (False, True)]

    def __init__(self, addresses, repeats=False):
        self.targets = addresses

    def calls(self, result):
        return [sum(target["attempts"].values()) for target in result.document["targets"]]

    def end(self):
        pass


def death(report, way, repeats, retry):
    """One of three replicas freezes and is killed."""
    who = [name for name, does in (("the proxy", repeats), ("the client", retry)) if does]
    report.begin(f"{way.NAME}, a replica is killed, {' and '.join(who) or 'nobody'} tries again")
    servers = [Server(settings=SETTINGS) for _ in range(3)]
    path = way([server.address for server in servers], repeats)
    load = Load(path.targets, WHOLE_CALLS, rate=RATE, deadline=DEADLINE, seconds=3, warm_up=0.5, retry=retry)
    time.sleep(1.5)
    servers[1].signal(signal.SIGSTOP)
    time.sleep(FREEZE)
    killed = time.time()
    servers[1].signal(signal.SIGKILL)
    result = load.result()
    end(path, servers)
    describe(report, result)
    # HAProxy hands back a call whose replica died as REFUSED_STREAM, if the replica had answered others on the same
    # connection. Clients of gRPC make such a call again, once, without any policy.
    retried, handed_back = result.total("attempts") - result.total("calls"), result.total("unseen")
    if not repeats:
        report.bound(
            result.not_ok() + retried + handed_back > 0,
            f"calls were in flight on the replica: {result.not_ok()} failed, {retried} were tried again, "
            f"{handed_back} were handed back",
        )
    if repeats or retry:
        report.bound(result.not_ok() == 0, f"no call fails: {result.not_ok()} of {result.total('calls')}")
    else:
        later = [failure for failure in result.failures if failure["began"] > killed + NOTICE]
        report.bound(not later, f"only calls in flight fail: {len(later)} began after the replica was killed")


def rolling_restart(report, way, retry):
    """Each of three replicas is told to end and started again."""
    who = "the client tries again" if retry else "nobody tries again"
    report.begin(f"{way.NAME}, the replicas are restarted in turn, {who}")
    servers = [Server(settings=SETTINGS) for _ in range(3)]
    path = way([server.address for server in servers], repeats=False)
    load = Load(path.targets, CALLS, rate=RATE, deadline=DEADLINE, seconds=18, warm_up=0.5, retry=retry)
    time.sleep(1.5)
    codes = []
    for server in servers:
        codes.append(server.stop())
        server.start()
        # Until clients and the proxy have found it again.
        time.sleep(1.5)
    ended_before = load.process.poll() is not None
    result = load.result()
    end(path, servers)
    describe(report, result)
    report.bound(codes == [0, 0, 0], f"each ends with exit code 0: {codes}")
    report.bound(not ended_before, "the load lasts until all are restarted")
    report.bound(result.not_ok() == 0, f"no call fails: {result.not_ok()} of {result.total('calls')}")


def joining(report, way):
    """A third replica is started beside two."""
    report.begin(f"{way.NAME}, a third replica joins")
    servers = [Server(settings=SETTINGS) for _ in range(3)]
    servers[2].kill()
    path = way([server.address for server in servers])
    Load(path.targets, CALLS, rate=RATE, deadline=DEADLINE, seconds=1, warm_up=0).result()
    without = path.proxy.calls() if way is Proxied else None
    load = Load(path.targets, CALLS, rate=RATE, deadline=DEADLINE, seconds=3, warm_up=2.5)
    servers[2].start()
    time.sleep(2.3)
    before = path.proxy.calls() if way is Proxied else [0, 0, 0]
    result = load.result()
    after = path.calls(result)
    end(path, servers)
    calls = [now - then for now, then in zip(after, before)]
    share = calls[2] / max(1, sum(calls))
    describe(report, result)
    report.figure(f"calls by replica, then: {calls}" + (f", before: {without}" if without else ""))
    report.bound(result.not_ok() == 0, f"no call fails: {result.not_ok()} of {result.total('calls')}")
    report.bound(0.2 <= share <= 0.6, f"the third takes its share of calls: {share:.0%}")


def end(path, servers):
    path.end()
    for server in servers:
        server.kill()


def describe(report, result):
    codes = ", ".join(f"{count} {code}" for code, count in sorted(result.codes().items()))
    report.figure(f"{result.total('calls')} calls, {result.total('attempts')} attempts: {codes}")
    for failure in result.first_failures():
        report.figure(f"for example {failure}")
