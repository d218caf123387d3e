"""Ten times the work that a server can do: it does as much as before, and refuses the rest at once."""

from statistics import median

from processes import LONG, MEMORY_LIMIT_MB, Server, load, milliseconds

# About 5 ms of work (see README.md), with an answer of a few bytes.
CALL = "count:extreme-half"
ROUNDS = 7 if LONG else 3
# Callers that keep the worker busy without being refused.
CALLERS = 8
FACTOR = 10

GOODPUT_KEPT = 0.9
REFUSED_WITHIN_MS = 5


def run(report):
    report.begin(f"{FACTOR} times the peak is asked for, {ROUNDS} rounds")
    # One core for the server, and one for the load, so that neither takes from the other.
    server = Server(settings={"WORKERS": 1}, core=0)
    kept, refused_medians, refused, with_retry_info, codes = [], [], 0, 0, {}
    for _ in range(ROUNDS):
        peak = load([server.address], [CALL], core=1, concurrency=CALLERS, seconds=3)
        peak_goodput = peak.total("goodput")
        over = load(
            [server.address], [CALL], core=1, rate=FACTOR * peak_goodput, seconds=4, connections=16
        )
        counts = over.kinds[CALL]
        kept.append(over.total("goodput") / peak_goodput)
        if counts["refused_ms"]:
            refused_medians.append(counts["refused_ms"]["p50"])
        refused += counts["reasons"].get("BUSY", 0)
        with_retry_info += counts["with_retry_info"]
        for result in (peak, over):
            for code, count in result.codes().items():
                codes[code] = codes.get(code, 0) + count
        report.figure(
            f"peak {peak_goodput:.0f}/s ({milliseconds(peak.kinds[CALL]['ok_ms'])}); "
            f"of {over.document['rate']:.0f}/s {over.total('goodput'):.0f}/s are answered "
            f"({milliseconds(counts['ok_ms'])}) and refused: {milliseconds(counts['refused_ms'])}; "
            f"the load's own lag: {milliseconds(over.document['lag_ms'])}"
        )
    memory = server.memory_mb("VmHWM")
    server.kill()
    report.figure(f"all calls: {codes}, {refused} refused as BUSY")
    report.bound(
        median(kept) >= GOODPUT_KEPT,
        f"at least {GOODPUT_KEPT:.0%} of the peak is kept: {median(kept):.0%} (median of {ROUNDS})",
    )
    report.bound(
        bool(refused_medians) and median(refused_medians) <= REFUSED_WITHIN_MS,
        f"refused within {REFUSED_WITHIN_MS} ms at the median: "
        + (f"{median(refused_medians):.2f} ms" if refused_medians else "none was refused"),
    )
    report.bound(
        set(codes) <= {"OK", "RESOURCE_EXHAUSTED"}
        and refused == codes.get("RESOURCE_EXHAUSTED") == with_retry_info,
        "every call is answered or refused as BUSY with RetryInfo",
    )
    report.bound(memory < MEMORY_LIMIT_MB, f"peak memory under {MEMORY_LIMIT_MB} MB: {memory:.0f} MB")
