"""Let dabhand practise, and have the judge score what it then predicts: the measurements behind curve.py and run.py."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent import Dabhand, Learned
from judge.scoring import questions, score
from judge.templates import OUTSIDE
from sets import fresh_set

POINTS = (100, 200, 400, 900, 2000)
COUNT = 2000  # held-out experiments per seed
LISTED = 30  # trusted wrong predictions kept per score
PER_THOUSAND = 1000

Progress = Callable[[str], None]


def to_stderr(text: str) -> None:
    """Tell whoever waits how far it is."""
    print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Measuring:
    """What all measurements of a run share.

    Attributes:
        agent: what is measured.
        count: held-out experiments per seed.
        workers: sandboxes side by side; None leaves it to dabhand.
        cache: where held-out sets are kept; None for the usual place.
        tell: told how far it is.
    """

    agent: Dabhand
    count: int = COUNT
    workers: int | None = None
    cache: Path | None = None
    tell: Progress = field(default=to_stderr)

    def curve(self, seed: int, points: Sequence[int] = POINTS) -> list[dict[str, Any]]:
        """Practise in one store up to each of the points in turn, with a score at each."""
        found = []
        with tempfile.TemporaryDirectory(prefix="dabhand-curve-") as folder:
            store = Path(folder) / "store"
            done = 0
            for point in sorted(points):
                learned = self.agent.learn(store, seed, point - done, workers=self.workers)
                done += int(learned.report["experiments"])
                found.append({"point": point, "experiments": done} | self._measured("posix", seed, store, learned))
                self._say(f"seed {seed}: {done} experiments", found[-1])
        return found

    def until_understood(self, seed: int) -> dict[str, Any]:
        """Practise the pack in a fresh store until dabhand says that it is done."""
        with tempfile.TemporaryDirectory(prefix="dabhand-until-") as folder:
            store = Path(folder) / "store"
            learned = self.agent.learn(store, seed, until_understood=True, workers=self.workers)
            found = self._finished("posix", seed, store, learned)
        self._say(f"seed {seed}: until understood, {found['experiments']} experiments", found)
        return found

    def outside(self, seed: int) -> dict[str, Any]:
        """Practise templates outside the pack until dabhand says that it is done."""
        with tempfile.TemporaryDirectory(prefix="dabhand-outside-") as folder:
            store = Path(folder) / "store"
            learned = self.agent.learn(
                store, seed, until_understood=True, templates=list(OUTSIDE), workers=self.workers
            )
            found = self._finished("outside", seed, store, learned)
        self._say(f"seed {seed}: outside the pack, {found['experiments']} experiments", found)
        return found

    def _finished(self, suite: str, seed: int, store: Path, learned: Learned) -> dict[str, Any]:
        return {"experiments": int(learned.report["experiments"])} | self._measured(suite, seed, store, learned)

    def _measured(self, suite: str, seed: int, store: Path, learned: Learned) -> dict[str, Any]:
        truth = fresh_set(suite, seed, self.count, self.cache)
        predicted = self.agent.predict(store, questions(truth))
        scored = score(truth, predicted.rows)
        return {
            "learn": _practice(learned),
            "predict": {"questions": len(truth), **predicted.usage.to_json()},
            "score": _with_statuses(scored, learned.report["commands"]),
        }

    def _say(self, what: str, found: dict[str, Any]) -> None:
        scored = found["score"]
        self.tell(
            f"{what}, {found['learn']['wall_seconds']:.1f} s: {100 * scored['exact_share']:.2f}% exact, "
            f"{scored['trusted_wrong']} of {scored['trusted']} trusted wrong, "
            f"{scored['understood']} of {scored['of']} understood (it says {found['learn']['says_understood']})"
        )


def _practice(learned: Learned) -> dict[str, Any]:
    """A practice run's own figures beside those that were measured from outside."""
    report, usage = learned.report, learned.usage
    told = ("experiments", "seconds", "sandbox_seconds", "accuracy_recent", "surprises", "tier")
    inside = report.get("sandbox_seconds")
    return {
        "says_understood": report["understood"],
        "statuses": dict(Counter(command["status"] for command in report["commands"])),
        **{name: report[name] for name in told if name in report},
        **usage.to_json(),
        # The sandbox's share is dabhand's word. The second figure needs no word: what its process computed itself.
        "outside_share": None if inside is None else round(max(0.0, 1 - inside / usage.wall_seconds), 4),
        "own_cpu_share": round(usage.own_cpu_seconds / usage.wall_seconds, 4),
    }


def _with_statuses(scored: dict[str, Any], reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Put beside each command's score what dabhand says of it."""
    for report in reports:
        if row := scored["commands"].get(report["command"]):
            row |= {"status": report["status"], "experiments": report.get("experiments")}
    return scored


def trimmed(found: dict[str, Any], parts: Sequence[str]) -> dict[str, Any]:
    """A measurement small enough to keep: of the long parts of its score only those named."""
    scored = {name: value for name, value in found["score"].items() if name not in _LONG - set(parts)}
    if "trusted_wrong_list" in scored:
        scored["trusted_wrong_list"] = scored["trusted_wrong_list"][:LISTED]
    return found | {"score": scored}


_LONG = {"commands", "contexts", "trusted_wrong_list", "untrusted_wrong_list", "calibration", "unknown_reasons"}


def wrong_per_thousand(scored: dict[str, Any]) -> float:
    """How many of a thousand trusted predictions were wrong; 0 when nothing was trusted."""
    trusted: int = scored["trusted"]
    return PER_THOUSAND * int(scored["trusted_wrong"]) / trusted if trusted else 0.0


def merged(scores: Sequence[dict[str, Any]], part: str) -> dict[str, dict[str, Any]]:
    """The rows of a part ("commands" or "contexts") added up over several scores.

    A median cannot be added up: the lowest is kept.
    """
    rows: dict[str, dict[str, Any]] = {}
    for scored in scores:
        for name, row in scored[part].items():
            into = rows.setdefault(name, dict.fromkeys(_COUNTS, 0) | {"median_confidence": 1.0, "statuses": {}})
            for key in _COUNTS:
                into[key] += int(row.get(key, 0))
            into["median_confidence"] = min(into["median_confidence"], row["median_confidence"])
            if "status" in row:
                into["statuses"][row["status"]] = into["statuses"].get(row["status"], 0) + 1
    for row in rows.values():
        row["exact_share"] = round(row["exact"] / row["count"], 4) if row["count"] else 0.0
    return rows


_COUNTS = ("count", "exact", "known", "trusted", "trusted_wrong", "understood")
