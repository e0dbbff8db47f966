"""How long inspections take and how much memory, beside what they are measured against, in the same run.

python benchmarks/inspecting.py [--json] [--only cold reads last search] [--gigabytes 1]

cold: `dabhand inspect` in a process of its own, to `python -c pass`.
reads: in process, after the first call, milliseconds above the bare read of the same file of 1 MB.
last: the last lines of a sparse and of a full file of 5 GB, milliseconds and the process's peak memory.
search: a literal in a log of 1 GB, rare, absent and frequent, to ripgrep on the same file; and peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agent import environment
from ratios import INSPECTING

PARTS = ("cold", "reads", "last", "search")
ROUNDS = 15
MB = 1 << 20
WORDS = ("connect", "request", "handler", "worker", "timeout", "retry", "socket", "database", "user", "session")
WORDS += ("cache", "index", "queue", "INFO", "WARN", "DEBUG", "200", "404", "500", "GET", "POST", "/api/v1/items")
RARE, ABSENT, FREQUENT = "quorum lost", "connection refused", "ERROR"
_IN_PROCESS = """
import json, re, sys, time
from pathlib import Path
import dabhand
root, store, plan, rounds = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4])
warm = {"operation": "search", "path": "small", "value": "x"}
dabhand.inspect_request(root, plan=warm, store=store)
dabhand.inspect_request(root, plan={"operation": "last_lines", "path": "small", "count": 1}, store=store)
taken = []
for _ in range(rounds):
    start = time.perf_counter()
    packet = dabhand.inspect_request(root, plan=plan, store=store)
    taken.append(1000 * (time.perf_counter() - start))
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps({"ms": min(taken), "peak_mb": peak, "status": packet.status, "lines": packet.output.total_lines}))
"""


def measure(parts: Sequence[str], gigabytes: float) -> dict[str, Any]:
    """Every part asked for, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="dabhand-inspecting-") as place:
        folder = Path(place)
        (folder / "root").mkdir()
        (folder / "root" / "small").write_text("x\n")
        work: dict[str, Callable[[Path], dict[str, Any]]] = {
            "cold": cold,
            "reads": reads,
            "last": last_lines,
            "search": lambda folder: search(folder, gigabytes),
        }
        found = {part: work[part](folder) for part in PARTS if part in parts}
    return found | {"ratios": ratios(found), "shown": shown(found)}


def cold(folder: Path) -> dict[str, Any]:
    """Both programs in turn, so that whatever else the machine does meets both alike."""
    script = shutil.which("dabhand", path=str(Path(sys.executable).parent))
    ours = [script] if script else [sys.executable, "-m", "dabhand"]
    plan = json.dumps({"operation": "last_lines", "path": "small", "count": 5})
    ours += ["inspect", "--root", str(folder / "root"), "--plan", plan, "--json", "--store", str(folder / "store")]
    bare = [sys.executable, "-c", "pass"]
    for _ in range(2):
        _milliseconds(bare), _milliseconds(ours)
    pairs = [(_milliseconds(bare), _milliseconds(ours)) for _ in range(ROUNDS)]
    python, inspect = (statistics.median(each) for each in zip(*pairs, strict=True))
    return {"python_ms": round(python, 1), "inspect_ms": round(inspect, 1), "ratio": round(inspect / python, 2)}


def _milliseconds(command: Sequence[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment(), check=True)
    return 1000 * (time.perf_counter() - start)


def reads(folder: Path) -> dict[str, Any]:
    """Milliseconds above the bare read, by operation."""
    import dabhand

    rng = random.Random(1)
    file = folder / "root" / "one.log"
    file.write_bytes(_block(rng, MB))
    plans: dict[str, dict[str, Any]] = {
        "first lines": {"operation": "first_lines", "count": 5},
        "last lines": {"operation": "last_lines", "count": 5},
        "a range": {"operation": "line_range", "first": 4000, "last": 4010},
        "search, rare": {"operation": "search", "value": RARE},
        "count lines": {"operation": "count_lines"},
        "count matches": {"operation": "count_matches", "value": "timeout retry"},
        "whole file": {"operation": "whole_file"},
    }
    above = {}
    for name, fields in plans.items():
        plan = fields | {"path": "one.log"}

        def ours(plan: dict[str, Any] = plan) -> object:
            return dabhand.inspect_request(folder / "root", plan=plan, store=folder / "store")

        ours()
        pairs = [(_timed(file.read_bytes), _timed(ours)) for _ in range(100)]
        bare, inspected = (statistics.median(each) for each in zip(*pairs, strict=True))
        above[name] = round(inspected - bare, 3)
    return {"above_ms": above}


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def _in_process(folder: Path, plan: dict[str, Any], rounds: int) -> dict[str, Any]:
    command = [sys.executable, "-c", _IN_PROCESS, str(folder / "root"), str(folder / "store"), json.dumps(plan)]
    done = subprocess.run([*command, str(rounds)], stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in found.items()}


def last_lines(folder: Path) -> dict[str, Any]:
    """The last ten lines of 5 GB, almost all of it a hole, and of 5 GB that are all there."""
    found = {}
    lines = b"".join(b"last line %d\n" % n for n in range(100))
    for name, filled in (("sparse", False), ("full", True)):
        file = folder / "root" / f"{name}.log"
        with file.open("wb") as opened:
            if filled:
                _fill(opened.fileno(), 5 << 30)
            else:
                opened.truncate(5 << 30)
            opened.seek(0, os.SEEK_END)
            opened.write(lines)
        found[name] = _in_process(folder, {"operation": "last_lines", "path": file.name, "count": 10}, 5)
        file.unlink()
    return found


def _fill(fd: int, size: int) -> None:
    block = _block(random.Random(2), 8 * MB)
    left = size
    while left > 0:
        left -= os.write(fd, block[: min(left, len(block))])


def search(folder: Path, gigabytes: float) -> dict[str, Any]:
    """Each search beside ripgrep, in turn, the quickest of each counts (both read from memory then)."""
    file = folder / "root" / "big.log"
    size = int(gigabytes * (1 << 30))
    with file.open("wb") as opened:
        _fill(opened.fileno(), size)
    found: dict[str, Any] = {"bytes": file.stat().st_size}
    rg = shutil.which("rg")
    for name, value in (("rare", RARE), ("absent", ABSENT), ("frequent", FREQUENT)):
        plan = {"operation": "search", "path": file.name, "value": value}
        rounds = 2 if name == "frequent" else 5
        ripgrep = None
        if rg:
            with Path(os.devnull).open("wb") as sink, (folder / "out").open("wb") as out:
                target = out if name == "frequent" else sink  # to /dev/null it would stop at the first match
                command = [rg, "-n", "-F", "--no-config", value, str(file)]
                ripgrep = min(_run(command, out if target is out else subprocess.PIPE) for _ in range(rounds))
        ours = _in_process(folder, plan, rounds)
        ratio = None if ripgrep is None else round(ours["ms"] / ripgrep, 2)
        found[name] = ours | {"ripgrep_ms": None if ripgrep is None else round(ripgrep, 1), "ratio": ratio}
    return found


def _run(command: Sequence[str], out: Any) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, check=False)
    return 1000 * (time.perf_counter() - start)


def _block(rng: random.Random, size: int) -> bytes:
    """Lines of a log; one in 50,000 holds the rare text, one in five the frequent one."""
    lines: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        level = FREQUENT if rng.random() < 0.2 else rng.choice(WORDS)
        rest = " ".join(rng.choice(WORDS) for _ in range(rng.randint(4, 16)))
        rest = f"{RARE} {rest}" if number % 50_000 == 5000 else rest
        lines.append(f"2026-11-30 12:{number // 60 % 60:02}:{number % 60:02} {level} [{rng.randint(1, 99)}] {rest}\n")
        length += len(lines[-1])
    return "".join(lines).encode()


def ratios(found: dict[str, Any]) -> dict[str, float]:
    """What has a floor, by name; only what was measured."""
    made: dict[str, float] = {}
    if "cold" in found:
        made["cold_to_python"] = found["cold"]["ratio"]
    if "reads" in found:
        made["above_read_ms"] = max(took for name, took in found["reads"]["above_ms"].items() if name != "whole file")
        made["whole_above_read_ms"] = found["reads"]["above_ms"]["whole file"]
    if "last" in found:
        made["last_ms"] = max(found["last"][name]["ms"] for name in ("sparse", "full"))
        made["last_mb"] = max(found["last"][name]["peak_mb"] for name in ("sparse", "full"))
    if "search" in found:
        for name in ("rare", "absent", "frequent"):
            if found["search"][name]["ratio"] is not None:
                made[f"search_{name}_to_ripgrep"] = found["search"][name]["ratio"]
        made["search_mb"] = max(found["search"][name]["peak_mb"] for name in ("rare", "absent", "frequent"))
    return made


UNJUDGED = {
    "whole_above_read_ms": ("all of 1 MB in process, hashed and kept, above its bare read", None, "{:.2f} ms"),
    "search_frequent_to_ripgrep": ("a text that every fourth line of 1 GB holds, to ripgrep", None, "{:.2f}x"),
}
"""What is measured without a floor: name, none, and how to print it."""


def shown(found: dict[str, Any]) -> str:
    """The figures as lines."""
    made = ratios(found)
    lines = ["inspecting"]
    for key, value in made.items():
        name, most, form = (INSPECTING | UNJUDGED)[key]
        lines.append(f"  {name}: {form.format(value)}" + (f" (at most {form.format(most)})" if most else ""))
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time inspections beside what they are measured against.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    options = parser.parse_args(arguments)
    found = measure(options.only, options.gigabytes)
    print(json.dumps(found) if options.json else found["shown"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
