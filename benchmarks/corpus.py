"""Reading transcripts: what comes of a folder whose calls are known, and how fast and in how much memory it is read.

With `--data DIR` (transcripts with `truth.jsonl` and `ignored.jsonl`): the calls that are found, held against those
that are known: command, status, exit code, truncation. On a corpus that is made up (`--megabytes`): the rate of
`dabhand corpus extract`, to that of a bare loop of `msgspec.json.decode` over the same lines in this process; the gain
of a second worker; the most memory that a process took. `python benchmarks/corpus.py --json` prints one JSON document.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent))

from corpus_sessions import write_corpus

COMMAND = [sys.executable, "-m", "dabhand", "corpus", "extract"]


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--data", type=Path, help="transcripts with truth.jsonl and ignored.jsonl beside them")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="corpus-bench-") as folder:
        found: dict[str, Any] = {"speed": speed(Path(folder), options.megabytes, options.seed)}
        if options.data is not None:
            found["truth"] = truth(options.data, Path(folder) / "truth")
    rates = found["speed"]
    found["ratios"] = {name: rates[name] for name in ("to_bare_decode", "two_workers", "megabytes")}
    if "truth" in found:
        found["ratios"]["exact"] = found["truth"]["exact"] / max(found["truth"]["known"], 1)
    found["shown"] = _shown(found)
    print(json.dumps(found) if options.json else found["shown"])
    return 0


def _shown(found: dict[str, Any]) -> str:
    lines = ["reading transcripts", *(f"  {name}: {value}" for name, value in found["speed"].items())]
    if "truth" in found:
        known = found["truth"]
        lines.append(f"  known calls found exactly: {known['exact']} of {known['known']}")
        lines += [f"    {each}" for each in known["wrong"]]
    return "\n".join(lines)


def speed(folder: Path, megabytes: int, seed: int) -> dict[str, Any]:
    """Rates on a corpus that is made up, in megabytes a second.

    One worker is held against the bare loop by time of the processor, which is what one core gives, and which other
    work on the machine changes little; two workers against one by real time.
    """
    size = write_corpus(folder / "made", megabytes * 1_000_000, seed) / 1e6
    bare = _bare_loop(folder / "made")
    one = _extracted(folder / "made", folder / "one", 1)
    two = _extracted(folder / "made", folder / "two", 2)
    same = all(
        _digest(folder / "one" / name) == _digest(folder / "two" / name) for name in ("triples.jsonl", "summary.json")
    )
    return {
        "size": round(size, 1),
        "bare": round(size / bare, 1),
        "one_worker": round(size / one.processor, 1),
        "one_worker_real": round(size / one.real, 1),
        "two_workers_real": round(size / two.real, 1),
        "to_bare_decode": round(bare / one.processor, 3),
        "two_workers": round(one.real / two.real, 3),
        "megabytes": round(one.kilobytes / 1024, 1),
        "same_bytes": same,
    }


def _bare_loop(folder: Path) -> float:
    begun = time.process_time()
    for file in sorted(folder.iterdir()):
        with file.open("rb") as stream:
            for line in stream:
                msgspec.json.decode(line)
    return time.process_time() - begun


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class Cost:
    """What a run took: seconds of real time and of the processor, and the memory of the process that took most."""

    real: float
    processor: float
    kilobytes: int


def _extracted(source: Path, out: Path, workers: int) -> Cost:
    begun = time.perf_counter()
    line = [*COMMAND, str(source), "--out", str(out), "--workers", str(workers), "--json"]
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(line)} failed")
    return Cost(time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss)


def truth(data: Path, out: Path) -> dict[str, Any]:
    """What is found, held against what is known; every difference."""
    subprocess.run([*COMMAND, str(data), "--out", str(out), "--json"], check=True, stdout=subprocess.DEVNULL)
    known = [record for record in _lines(data / "truth.jsonl") if not record.get("skip")]
    reviewed = {record["file"] for record in _lines(data / "truth.jsonl") if record.get("skip")}
    ignored = {(record["file"], record["text"]) for record in _lines(data / "ignored.jsonl")}
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    wrong: list[str] = []
    for triple in _lines(out / "triples.jsonl"):
        file = triple["source"]["file"]
        found[file, triple["command"]].append(triple)
        if (file, triple["command"]) in ignored or file in reviewed:
            wrong.append(f"{file}: no command: {triple['command'][:80]!r}")
    for record in known:
        if record.get("duplicate_of"):
            continue
        same = found[record["file"], record["command"]]
        here = [triple for triple in same if triple["source"]["line"] == record["line"]] or same
        if not here:
            wrong.append(f"{record['file']}:{record['line']}: missing: {record['command'][:80]!r}")
            continue
        same.remove(here[0])
        wrong += [f"{record['file']}:{record['line']}: {what}" for what in _differences(record, here[0])]
    wrong += [f"{file}: not known: {command[:80]!r}" for (file, command), rest in found.items() for _ in rest]
    return {"known": len(known), "exact": len(known) - len(wrong), "wrong": wrong}


def _differences(known: dict[str, Any], triple: dict[str, Any]) -> Iterator[str]:
    if triple["status"] not in (known["status"], known.get("alt_status")):
        yield f"status: {triple['status']}, not {known['status']}"
    codes = {known["exit_code"]}
    codes |= {None, 0} if known.get("implied_zero") else set()
    codes |= {None} if known.get("host_code") else set()
    if triple["exit_code"] not in codes:
        yield f"exit code: {triple['exit_code']}, not {known['exit_code']}"
    if triple["truncated"] != known["truncated"]:
        yield f"truncated: {triple['truncated']}"


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open("rb") as stream:
        for line in stream:
            yield json.loads(line)


if __name__ == "__main__":
    sys.exit(main())
