"""Replays the vectors through the service and compares.

    python -m conformance [VARIANT...] [--target HOST:PORT]

Without a target, a server of one's own is asked: the program in the environment variable ARBITER, or
target/release/arbiter. The exit code is 1 at any disagreement.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack

from arbiter_client import Arbiter
from conformance.checks import run
from conformance.comparison import Comparison
from conformance.self_test import undetected
from conformance.server import running
from conformance.vectors import rows

# Of many disagreements, only the first few are shown.
SHOWN = 5


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="conformance", description="Replays the vectors through the service."
    )
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="only these")
    parser.add_argument("--target", help="the server to ask, if not one of its own")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        target = arguments.target or stack.enter_context(running()).address
        arbiter = stack.enter_context(Arbiter(target))
        known = {variant.id: variant for variant in arbiter.variants()}
        missed = undetected(arbiter, known)
        for each in missed:
            print(f"self-test: not found out: {each}")
        disagreements = 0
        print(f"{'variant':32}{'file':40}{'rows':>6}{'checks':>8}{'disagree':>10}{'seconds':>9}")
        for variant in arguments.variants or known:
            for file, check, found in rows(variant):
                start = time.monotonic()
                comparison = Comparison()
                for row in found:
                    run(check, arbiter, known[variant], row, comparison)
                count, seconds = len(comparison.disagreements), time.monotonic() - start
                print(
                    f"{variant:32}{file:40}{comparison.rows:6}{comparison.checks:8}{count:10}{seconds:9.1f}",
                    flush=True,
                )
                for text in comparison.disagreements[:SHOWN]:
                    print(f"  {text}")
                disagreements += count
                if not found:
                    print(f"  {file} has no rows of {variant}")
                    disagreements += 1
    print(f"{disagreements} disagreements, {len(missed)} damages not found out")
    return 1 if disagreements or missed else 0


if __name__ == "__main__":
    sys.exit(main())
