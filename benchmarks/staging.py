"""What staging a folder of 100,000 files costs, to staging one of 100: taken in, staged, one step run, let go of.

Both folders hold the same two files that the step is about, and hold them among the others. They are staged in turns
within one run, so that a busy machine slows both alike; the ratio is of the medians. `copy` is the same for the small
folder without an overlay, for comparison. `python benchmarks/staging.py --json` prints one JSON document.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path
from statistics import median

from dabhand.agent.experimenting import LIMITS
from dabhand.agent.focus import taken
from dabhand.goals import Goal, IsCopy
from dabhand.sandbox import How, probe_overlay, stage
from dabhand.workspace import ConfinedFolder

FEW, MANY = 100, 100_000
GOAL = Goal((IsCopy("copy.txt", "f7.txt"),))
STEP = "cp f7.txt copy.txt"


def fill(folder: Path, count: int) -> Path:
    """Write that many files, half of them at the top."""
    folder.mkdir()
    for number in range(count // 2):
        (folder / f"f{number}.txt").write_bytes(b"pear\napple\n")
    for number in range(count - count // 2):
        box = folder / f"box{number // 1000}"
        box.mkdir(exist_ok=True)
        (box / f"g{number}.txt").write_bytes(b"pear\napple\n")
    return folder


def once(root: Path, how: How) -> float:
    """Seconds from an opened folder to a stage that was let go of, with one step in between."""
    with ConfinedFolder(root) as folder:
        started = time.perf_counter()
        with stage(folder, taken(folder, GOAL), LIMITS, how=how) as staged:
            outcome = staged.run(STEP)
        seconds = time.perf_counter() - started
        assert "copy.txt" in outcome.state and not outcome.elsewhere, outcome
        return seconds


def measure(rounds: int, few: int, many: int) -> dict[str, object]:
    """Both folders in turns."""
    report = probe_overlay()
    if not report.available:
        return {"overlay": False, "why": report.detail, "ratios": {}}
    seconds: dict[str, list[float]] = {"few": [], "many": [], "copy": []}
    with tempfile.TemporaryDirectory(prefix="dabhand-staging-") as base:
        small, large = fill(Path(base) / "few", few), fill(Path(base) / "many", many)
        for _ in range(rounds):
            seconds["few"].append(once(small, "overlay"))
            seconds["many"].append(once(large, "overlay"))
            seconds["copy"].append(once(small, "copy"))
    middle = {name: median(values) for name, values in seconds.items()}
    return {
        "overlay": True,
        "files": {"few": few, "many": many},
        "rounds": rounds,
        "milliseconds": {name: round(1000 * value, 1) for name, value in middle.items()},
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "ratios": {"many_to_few": middle["many"] / middle["few"], "copy_to_few": middle["copy"] / middle["few"]},
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="accepted for symmetry: the output is always JSON")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--few", type=int, default=FEW)
    parser.add_argument("--many", type=int, default=MANY)
    options = parser.parse_args()
    print(json.dumps(measure(options.rounds, options.few, options.many), indent=2))


if __name__ == "__main__":
    main()
