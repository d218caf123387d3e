"""Ten times the work that a server can do: it does as much as before, and refuses the rest at once."""

from statistics import median

from processes import LONG, MEMORY_LIMIT_MB, Server, load, milliseconds

# About 3 and 7 ms of work in turn (see README.md), with answers of a few bytes.
CALLS = ["count:extreme-half", "count:extreme"]
# Short ones, as the machine may be faster or slower from one second to the next.
ROUNDS = 31 if LONG else 9
# Callers that keep the worker busy without being refused.
CALLERS = 8
FACTOR = 10

GOODPUT_KEPT = 0.9
REFUSED_WITHIN_MS = 5


def run(report):
    report.begin(f"{FACTOR} times the peak is asked for, {ROUNDS} rounds")
    # One core for the server, and one for the load, so that neither takes from the other.
    server = Server(settings={"WORKERS": 1}, core=0)
    kept, medians, codes, busy, with_retry_info = [], [], {}, 0, 0
    for _ in range(ROUNDS):
        peak, peak_each = measured(server, concurrency=CALLERS)
        over, over_each = measured(server, rate=FACTOR * peak.total("goodput"), connections=16)
        kept.append(over_each / peak_each)
        report.figure(
            f"peak {peak.total('goodput'):.0f}/s; of {over.document['rate']:.0f}/s "
            f"{over.total('goodput'):.0f}/s are answered; of a processor's work {kept[-1]:.0%} is kept"
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
    report.figure(f"all calls: {codes}, {busy} refused as BUSY")
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


def measured(server, **pace):
    """What became of a load, and how many calls were answered for each second of the server's processor: the goodput
    of a processor that nothing else runs on, whatever else the machine does."""
    pid = server.process.pid
    result = load([server.address], CALLS, core=1, watch=pid, seconds=1, warm_up=0.5, **pace)
    return result, result.total("goodput") / result.document["watched_processor_seconds"]
