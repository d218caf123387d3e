"""Ten times the work that a server can do: it does as much as before, and refuses the rest at once.

A second server works at its peak at the same time, on the same core. How much of its goodput the first one keeps is
told by comparing the two, each by the processor time that it got: a machine that is busy with other things, and faster
or slower from one second to the next, is so to both.
"""

from statistics import median

from processes import LONG, MEMORY_LIMIT_MB, Load, Server, milliseconds

# About 3 and 7 ms of work in turn (see README.md), with answers of a few bytes.
CALLS = ["count:extreme-half", "count:extreme"]
ROUNDS = 21 if LONG else 11
# Callers that keep the worker busy without being refused.
CALLERS = 8
FACTOR = 10

GOODPUT_KEPT = 0.9
REFUSED_WITHIN_MS = 5


def run(report):
    report.begin(f"{FACTOR} times the peak is asked for, {ROUNDS} rounds")
    # One core for the servers, and one for the load, so that neither takes from the other.
    server, beside = (Server(settings={"WORKERS": 1}, core=0) for _ in range(2))
    same, kept, medians, codes, busy, with_retry_info = [], [], [], {}, 0, 0
    for _ in range(ROUNDS):
        peak, ratio = both(server, beside, concurrency=CALLERS)
        same.append(ratio)
        over, ratio = both(server, beside, rate=FACTOR * peak.total("goodput"), connections=16)
        kept.append(ratio)
        report.figure(
            f"peak {peak.total('goodput'):.0f}/s ({same[-1]:.0%} of the server beside); of "
            f"{over.document['rate']:.0f}/s {over.total('goodput'):.0f}/s are answered ({kept[-1]:.0%})"
        )
        for counts in over.kinds.values():
            if counts["refused_ms"]:
                medians.append(counts["refused_ms"]["p50"])
            busy += counts["reasons"].get("BUSY", 0)
        with_retry_info += over.total("with_retry_info")
        for result in (peak, over):
            for code, count in result.codes().items():
                codes[code] = codes.get(code, 0) + count
    for name, counts in over.kinds.items():
        report.figure(f"{name} answered in the last round: {milliseconds(counts['ok_ms'])}")
        report.figure(f"{name} refused in the last round: {milliseconds(counts['refused_ms'])}")
    report.figure(f"the load's own lag in the last round: {milliseconds(over.document['lag_ms'])}")
    memory = server.memory_mb("VmHWM")
    server.kill()
    beside.kill()
    report.figure(f"all calls: {codes}, {busy} refused as BUSY")
    report.figure(f"with the same load the two servers differ by a factor of {median(same):.3f}")
    report.bound(
        median(kept) >= GOODPUT_KEPT,
        f"at least {GOODPUT_KEPT:.0%} of the peak is kept: {median(kept):.1%} (median of {ROUNDS})",
    )
    report.bound(
        bool(medians) and median(medians) <= REFUSED_WITHIN_MS,
        f"refused within {REFUSED_WITHIN_MS} ms at the median: "
        + (f"{median(medians):.2f} ms" if medians else "none was refused"),
    )
    report.bound(
        set(codes) <= {"OK", "RESOURCE_EXHAUSTED"}
        and busy == codes.get("RESOURCE_EXHAUSTED") == with_retry_info,
        "every call is answered or refused as BUSY with RetryInfo",
    )
    report.bound(memory < MEMORY_LIMIT_MB, f"peak memory under {MEMORY_LIMIT_MB} MB: {memory:.0f} MB")


def both(server, beside, **pace):
    """Makes load for a server while the one beside it is at its peak. Gives what became of the load, and how the
    goodput of the server compares with that of the other, each for a second of its processor time."""
    loads = [
        Load([server.address], CALLS, core=1, watch=server.process.pid, seconds=1, warm_up=0.5, **pace),
        Load(
            [beside.address],
            CALLS,
            core=1,
            watch=beside.process.pid,
            seconds=1,
            warm_up=0.5,
            concurrency=CALLERS,
        ),
    ]
    results = [load.result() for load in loads]
    ours, theirs = (
        result.total("goodput") / result.document["watched_processor_seconds"] for result in results
    )
    return results[0], ours / theirs
