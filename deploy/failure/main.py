"""Runs failure tests one after the other and prints a table of what was found."""

import importlib
import sys
import time
import traceback

from report import Report

NAMES = ["replicas", "overload", "fairness", "hostile", "certificate"]
# Those that run only if they are named.
OTHERS = ["sizing"]


def main(names):
    unknown = [name for name in names if name not in NAMES + OTHERS]
    if unknown:
        sys.exit(f"there is no test {', '.join(unknown)}; there are {', '.join(NAMES + OTHERS)}")
    rows = []
    for name in names or NAMES:
        report = Report(name)
        begun = time.monotonic()
        try:
            importlib.import_module(name).run(report)
        except Exception:
            traceback.print_exc()
            report.bound(False, "the test ran to its end")
        rows.append((name, report, time.monotonic() - begun))
    print(f"\n{'test':<12} {'bounds held':>11} {'seconds':>8}")
    for name, report, seconds in rows:
        print(f"{name:<12} {report.held:>5} of {report.held + len(report.broken):<2} {seconds:>8.0f}")
        for text in report.broken:
            print(f"  not held: {text}")
    sys.exit(1 if any(report.broken for _, report, _ in rows) else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
