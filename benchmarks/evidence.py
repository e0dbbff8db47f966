"""How well evidence is selected: recall, precision, characters, and nothing where there is nothing; beside baselines.

python benchmarks/evidence.py --data DIR [--json] [--twin dev]

DIR (or its folder `logs`) holds evidence.TWIN.jsonl and the logs that it names (default: $DABHAND_LOGS). A row has a
wish, the lines that must come (`must`) and those that may (`may`). A wish with no `must` is answered right by nothing
(or by `may` alone). Every method gets the same characters: the larger of a tenth of the log and 1,000.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from showing import aligned

from dabhand.handoff.evidence import Budget, select
from dabhand.handoff.evidence.parsing import parse

VARIABLE = "DABHAND_LOGS"
Method = Callable[[list[str], str, int], list[int]]
"""Lines, wish and characters granted, to line numbers from 1."""

_ERROR_WORDS = re.compile(
    r"\b(?:error|errors|err|fail|failed|failure|fatal|exception|traceback|panic|warning)\b", re.IGNORECASE
)
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Judged:
    """What one method returned for one wish."""

    row: str
    log: str
    kind: str
    wanted: int
    recall: float | None
    precision: float | None
    nothing: bool | None
    share: float
    milliseconds: float


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get(VARIABLE), help=f"the logs (default: ${VARIABLE})")
    parser.add_argument("--twin", default="dev", help="which half of the wishes")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    rows = _rows_of(options.data, options.twin)
    if rows is None:
        said = f"evidence: skipped, because there is no folder of logs and wishes; name one with --data or ${VARIABLE}"
        print(json.dumps({"ratios": {}, "shown": said}) if options.json else said)
        return 0
    found = measured(rows)
    print(json.dumps(found, indent=1) if options.json else found["shown"])
    return 0


def _rows_of(data: Path | str | None, twin: str) -> Path | None:
    for folder in (Path(data), Path(data) / "logs") if data is not None else ():
        if (folder / f"evidence.{twin}.jsonl").is_file():
            return folder / f"evidence.{twin}.jsonl"
    return None


def measured(rows: Path) -> dict[str, Any]:
    """Every wish by every method."""
    by_method: dict[str, list[Judged]] = {name: [] for name in METHODS}
    for line in rows.read_text("utf-8").splitlines():
        row = json.loads(line)
        text = (rows.parent / row["log"]).read_bytes().decode("utf-8", "surrogateescape")
        lines = text.removesuffix("\n").split("\n")
        for name, method in METHODS.items():
            by_method[name].append(judged(row, lines, method))
    ours = by_method["dabhand"]
    return {
        "methods": {name: totals(found) for name, found in by_method.items()},
        "kinds": {
            kind: totals([one for one in ours if one.kind == kind]) for kind in sorted({one.kind for one in ours})
        },
        "logs": {log: totals([one for one in ours if one.log == log]) for log in sorted({one.log for one in ours})},
        "rows": [one.__dict__ for one in ours],
        "ratios": {key: totals(ours)[key] for key in ("recall", "nothing") if totals(ours)[key] is not None},
        "shown": _shown(by_method),
    }


def judged(row: dict[str, Any], lines: list[str], method: Method) -> Judged:
    """One wish by one method."""
    total = sum(map(len, lines)) + len(lines)
    granted = max(total // 10, 1000)
    began = time.perf_counter()
    chosen = set(method(lines, row["wish"], granted))
    spent = time.perf_counter() - began
    must, may = set(row["must"]), set(row["may"])
    characters = sum(len(lines[number - 1]) + 1 for number in chosen)
    if characters > granted:
        chosen = set()  # more than is granted counts as none
    return Judged(
        row["id"],
        row["log"],
        kind_of(row["wish"]),
        len(must),
        len(chosen & must) / len(must) if must else None,
        len(chosen & (must | may)) / len(chosen) if must and chosen else None,
        None if must else not chosen - may,
        characters / total,
        spent * 1000,
    )


def kind_of(wish: str) -> str:
    """What kind of wish it is, by what it names."""
    ask = parse(wish).asks[0]
    if ask.demands:
        return "number"
    if ask.literals or ask.exact or ask.begins or ask.mention:
        return "exact text"
    for kind in sorted(ask.kinds):
        return {"failure": "error"}.get(kind, kind)
    return "topic"


def totals(found: list[Judged]) -> dict[str, Any]:
    """Means over wishes; None where there is none."""
    return {
        "wishes": len(found),
        "recall": _mean(one.recall for one in found),
        "whole": sum(one.recall == 1 for one in found),
        "of": sum(one.recall is not None for one in found),
        "precision": _mean(one.precision for one in found),
        "nothing": _mean(one.nothing for one in found),
        "of_nothing": sum(one.nothing is not None for one in found),
        "share": _mean(one.share for one in found),
        "milliseconds": _mean(one.milliseconds for one in found),
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [float(value) for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _dabhand(lines: list[str], wish: str, granted: int) -> list[int]:
    return list(select(lines, wish, budget=Budget(share=0, least=granted)).lines)


def _error_words(lines: list[str], wish: str, granted: int) -> list[int]:
    return _fitting(lines, [at for at, line in enumerate(lines) if _ERROR_WORDS.search(line)], granted)


def _last(lines: list[str], wish: str, granted: int) -> list[int]:
    return _fitting(lines, range(len(lines) - 1, -1, -1), granted, stop=True)


def _bm25(lines: list[str], wish: str, granted: int, k: float = 1.2, b: float = 0.75) -> list[int]:
    """Robertson and Zaragoza (2009), lines as documents, until the characters are used up."""
    words = [_WORD.findall(line.lower()) for line in lines]
    often = Counter(word for one in words for word in set(one))
    mean = sum(map(len, words)) / max(len(words), 1) or 1.0
    scores = []
    for at, one in enumerate(words):
        counts = Counter(one)
        score = sum(
            math.log(1 + (len(words) - often[word] + 0.5) / (often[word] + 0.5))
            * counts[word]
            * (k + 1)
            / (counts[word] + k * (1 - b + b * len(one) / mean))
            for word in set(_WORD.findall(wish.lower()))
            if counts[word]
        )
        if score > 0:
            scores.append((-score, at))
    return _fitting(lines, [at for _, at in sorted(scores)], granted)


def _fitting(lines: list[str], places: Iterable[int], granted: int, stop: bool = False) -> list[int]:
    chosen = []
    for at in places:
        if len(lines[at]) + 1 <= granted:
            granted -= len(lines[at]) + 1
            chosen.append(at + 1)
        elif stop:
            break
    return chosen


METHODS: dict[str, Method] = {
    "dabhand": _dabhand,
    "error words": _error_words,
    "BM25": _bm25,
    "last lines": _last,
}


def _shown(by_method: dict[str, list[Judged]]) -> str:
    head = ("", "wishes", "recall", "whole", "precision", "nothing", "characters", "ms")
    ours = by_method["dabhand"]
    kinds = sorted({one.kind for one in ours})
    tables = [
        ("selecting evidence", [_row(name, found) for name, found in by_method.items()]),
        ("dabhand, per kind of wish", [_row(kind, [one for one in ours if one.kind == kind]) for kind in kinds]),
    ]
    missed = [
        f"  {one.row}: " + (f"recall {one.recall:.2f}" if one.recall is not None else "something for nothing")
        for one in ours
        if one.nothing is False or (one.recall is not None and one.recall < 1)
    ]
    parts = [f"{title}\n{aligned(head, rows)}" for title, rows in tables]
    return "\n\n".join([*parts, *(["not whole:\n" + "\n".join(missed)] if missed else [])])


def _row(name: str, found: list[Judged]) -> list[str]:
    total = totals(found)
    return [
        name,
        str(total["wishes"]),
        _form(total["recall"]),
        f"{total['whole']}/{total['of']}",
        _form(total["precision"]),
        "" if not total["of_nothing"] else f"{sum(one.nothing is True for one in found)}/{total['of_nothing']}",
        f"{100 * (total['share'] or 0):.1f}%",
        f"{total['milliseconds'] or 0:.0f}",
    ]


def _form(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
