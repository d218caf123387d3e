"""Clients that mean harm: ordinary calls go on being answered, and nothing is left of the harm when it is over."""

import time

import attacks
from processes import MEMORY_LIMIT_MB, Load, Server, milliseconds, wait_until

# Short limits, so that their effect is seen soon. The settings of a server in use are longer.
SETTINGS = {
    "HANDSHAKE_TIMEOUT": 1,
    "KEEPALIVE_INTERVAL": 2,
    "KEEPALIVE_TIMEOUT": 1,
    "STALL_LIMIT": 2,
    "DEFAULT_DEADLINE": 3,
}
RATE = 50

P99_WITHIN_MS = 1000
# How long a server may take to clear up, and files that it may hold then beside those that it began with.
CLEARED_WITHIN = 6
SPARE_FILES = 4
# Processors that a server may use which is left alone, or whose attackers give it nothing to do.
IDLE_LIMIT = 0.1


def run(report):
    attacked(report, f"{attacks.ALL_STREAMS} streams that nobody reads", attacks.unread_streams)
    attacked(report, f"{attacks.ALL_STREAMS} streams without window", attacks.streams_without_window)
    attacked(report, "200 connections that never send", attacks.silent)
    attacked(report, "100 connections that send a byte a second", attacks.trickle)
    name = f"{attacks.SLOW_CALLS} calls that announce 4 MB and send 10 bytes a second"
    attacked(report, name, attacks.slow_messages)
    attacked(report, "garbage", attacks.garbage)
    attacked(report, "rapid reset", attacks.rapid_reset)
    attacked(report, "floods of frames", attacks.floods)
    attacked(report, "400 connections where 100 are allowed", too_many_connections, {"MAX_CONNECTIONS": 100})
    attacked(report, "220 connections where 128 files may be open", too_many_files, max_files=128)


def attacked(report, name, attack, settings=None, **limits):
    """Runs an attack beside ordinary calls on connections of their own, and looks at what is left."""
    report.begin(name)
    server = Server(settings=SETTINGS | (settings or {}), **limits)
    time.sleep(0.2)
    files = server.open_files()
    # Ordinary calls go on for as long as an attack can take.
    load = Load(
        [server.address],
        ["single:chess"],
        rate=RATE,
        seconds=attacks.SECONDS.get(attack, attacks.ATTACK_SECONDS) + 1,
        warm_up=0,
    )
    time.sleep(0.5)
    attack(server, report)
    result = load.result()
    counts = result.kinds["single:chess"]
    report.bound(server.process.poll() is None, "the server lives")
    if server.process.poll() is not None:
        return
    p99 = counts["ok_ms"]["p99"] if counts["ok_ms"] else float("inf")
    report.figure(f"ordinary calls: {counts['codes']}, {milliseconds(counts['ok_ms'])}")
    report.bound(
        result.not_ok() == 0 and p99 <= P99_WITHIN_MS,
        f"ordinary calls are answered, p99 within {P99_WITHIN_MS} ms: {result.not_ok()} fail, p99 {p99:.0f} ms",
    )
    cleared, seconds = wait_until(lambda: server.open_files() <= files + SPARE_FILES, CLEARED_WITHIN)
    report.bound(
        cleared,
        f"all connections are gone within {CLEARED_WITHIN} s: {server.open_files() - files} left after {seconds:.1f} s",
    )
    used = processors(server, 0.5)
    report.bound(used <= IDLE_LIMIT, f"nothing is worked on any more: {used:.2f} processors")
    now, peak = server.memory_mb(), server.memory_mb("VmHWM")
    report.bound(peak < MEMORY_LIMIT_MB, f"memory under {MEMORY_LIMIT_MB} MB: peak {peak:.0f}, now {now:.0f} MB")
    report.bound(server.is_healthy(), "the server is healthy")
    server.kill()


def processors(server, seconds):
    """How many processors the server uses for so long."""
    before = server.cpu_seconds()
    time.sleep(seconds)
    return (server.cpu_seconds() - before) / seconds


def too_many_connections(server, report):
    connections = attacks.crowd(server, 400)
    time.sleep(0.3)
    open_files = server.open_files()
    used = processors(server, attacks.ATTACK_SECONDS)
    report.bound(open_files <= 130, f"no more connections than allowed: {open_files} files are open")
    report.bound(used <= IDLE_LIMIT, f"the server does not spin: {used:.2f} processors")
    attacks.close(connections)


def too_many_files(server, report):
    connections = attacks.crowd(server, 220)
    used = processors(server, attacks.ATTACK_SECONDS)
    report.figure(f"{server.open_files()} files are open")
    report.bound(used <= IDLE_LIMIT, f"the server does not spin: {used:.2f} processors")
    attacks.close(connections)
