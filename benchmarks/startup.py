"""How long `dabhand --help` takes, as a multiple of the shortest time in which Python starts at all.

python benchmarks/startup.py [--rounds 25] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from agent import AgentError, environment, installed

ROUNDS = 25
FLOOR = 6.0


def startup(program: str, rounds: int = ROUNDS) -> dict[str, Any]:
    """Time both programs in turn, so that whatever else the machine does meets both alike.

    Each runs twice before, because a user's second start is the one that counts: by then Python has its bytecode.

    Raises:
        AgentError: `dabhand --help` fails.
    """
    bare, ours = [sys.executable, "-c", "pass"], [program, "--help"]
    for _ in range(2):
        _seconds(bare)
        _seconds(ours)
    pairs = [(_seconds(bare), _seconds(ours)) for _ in range(rounds)]
    bare_median = statistics.median(pair[0] for pair in pairs)
    ours_median = statistics.median(pair[1] for pair in pairs)
    return {
        "rounds": rounds,
        "python_ms": round(1000 * bare_median, 2),
        "dabhand_help_ms": round(1000 * ours_median, 2),
        "ratio": round(ours_median / bare_median, 3),
        "floor": FLOOR,
    }


def _seconds(argv: Sequence[str]) -> float:
    started = time.perf_counter()
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, env=environment(), check=False)
    except OSError as error:
        raise AgentError(f"{argv[0]} could not be started: {error.strerror}") from error
    taken = time.perf_counter() - started
    if done.returncode:
        raise AgentError(f"{argv[0]} {argv[1]} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return taken


def main(arguments: list[str] | None = None) -> int:
    """Print the ratio; the exit code is 0, or 2 when there is no dabhand to measure."""
    parser = argparse.ArgumentParser(description="Time `dabhand --help` against `python -c pass`.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--dabhand", metavar="PATH", help="the script to measure (default: the one beside this Python)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        found = startup(options.dabhand or installed(), options.rounds)
    except AgentError as error:
        print(f"startup: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found) if options.json else sentence(found))
    return 0


def sentence(found: dict[str, Any]) -> str:
    """The result in words."""
    return (
        f"dabhand --help {found['dabhand_help_ms']:.1f} ms, python -c pass {found['python_ms']:.1f} ms: "
        f"{found['ratio']:.2f}x (at most {found['floor']:.0f}x)"
    )


if __name__ == "__main__":
    sys.exit(main())
