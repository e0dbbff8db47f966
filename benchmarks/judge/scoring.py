"""Compare predictions with what happened."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.entries import Entry, Scene, bytes_from_json, scene_from_json, scene_to_json

EXACT_ENOUGH = 0.95  # a command is understood when this share of whole outcomes is predicted exactly ...
SURE_ENOUGH = 0.85  # ... with at least this confidence in the middle of them (the contract's bar for trust)
BUCKETS = (0.0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0)
SHOWN = 300  # characters of a value in the list of trusted wrong predictions


class ScoreError(ValueError):
    """A file that is not what it should be: whoever made it must mend it before a score means anything."""


@dataclass(frozen=True)
class Verdict:
    """One prediction held against what happened."""

    truth: dict[str, Any]
    known: bool
    trusted: bool
    confidence: float
    reason: str
    differs: dict[str, Any]  # per part (ok, state, stdout, other): what was predicted and what happened

    @property
    def exact(self) -> bool:
        """Whether the whole outcome was predicted."""
        return self.known and not self.differs


@dataclass
class _Tally:
    """Counts over some of the verdicts."""

    count: int = 0
    known: int = 0
    exact: int = 0
    trusted: int = 0
    trusted_wrong: int = 0
    confidences: list[float] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        self.count += 1
        self.known += verdict.known
        self.exact += verdict.exact
        self.trusted += verdict.trusted
        self.trusted_wrong += verdict.trusted and not verdict.exact
        self.confidences.append(verdict.confidence)

    def to_json(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "exact": self.exact,
            "exact_share": round(self.exact / self.count, 4) if self.count else 0.0,
            "known": self.known,
            "trusted": self.trusted,
            "trusted_wrong": self.trusted_wrong,
            "median_confidence": round(statistics.median(self.confidences), 4) if self.confidences else 0.0,
        }


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file.

    Raises:
        ScoreError: a line is not a JSON object.
    """
    return parse_lines(path.read_text(encoding="utf-8"), str(path))


def parse_lines(text: str, name: str) -> list[dict[str, Any]]:
    """The objects of JSON Lines; `name` says in an error where they came from.

    Raises:
        ScoreError: a line is not a JSON object.
    """
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ScoreError(f"{name} line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise ScoreError(f"{name} line {number} is not a JSON object")
        rows.append(row)
    return rows


def questions(truth_rows: Iterable[dict[str, Any]]) -> str:
    """What a predictor may see of held-out experiments, as JSON Lines: never the outcome."""
    asked = ("id", "command", "slots", "state")
    return "".join(json.dumps({key: row[key] for key in asked}, ensure_ascii=False) + "\n" for row in truth_rows)


def score(truth_rows: Sequence[dict[str, Any]], prediction_rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Hold predictions against what happened.

    Only the whole outcome counts: success, the whole folder afterwards and standard output. What is unknown, missing
    or malformed is not exact; a malformed prediction that says it is trusted is a trusted wrong one, and so is any
    trusted prediction of an outcome that was different when the experiment was run again.

    Args:
        truth_rows: what `heldout.py generate` wrote.
        prediction_rows: what `dabhand predict` answered, in any order.

    Raises:
        ScoreError: two rows with one id, or a prediction for an id that was not asked.
    """
    verdicts = judge(truth_rows, prediction_rows)
    overall = _Tally()
    commands: dict[str, _Tally] = defaultdict(_Tally)
    contexts: dict[str, _Tally] = defaultdict(_Tally)
    for verdict in verdicts:
        for tally in (overall, commands[verdict.truth["command"]], *(contexts[tag] for tag in _tags(verdict.truth))):
            tally.add(verdict)
    return {
        **overall.to_json(),
        "understood": sum(_is_understood(tally) for tally in commands.values()),
        "of": len(commands),
        "wrong_parts": dict(Counter(part for verdict in verdicts if verdict.known for part in verdict.differs)),
        "unknown_reasons": dict(Counter(one.reason for one in verdicts if not one.known).most_common(40)),
        "calibration": _calibration(verdicts),
        "commands": {
            name: tally.to_json() | {"understood": _is_understood(tally)} for name, tally in sorted(commands.items())
        },
        "contexts": {tag: tally.to_json() for tag, tally in sorted(contexts.items())},
        "trusted_wrong_list": [_shown(one) for one in verdicts if one.trusted and not one.exact],
        "untrusted_wrong_list": [_shown(one) for one in verdicts if one.known and not one.exact and not one.trusted],
    }


def judge(truth_rows: Sequence[dict[str, Any]], prediction_rows: Iterable[dict[str, Any]]) -> list[Verdict]:
    """One verdict per truth row, in its order.

    Raises:
        ScoreError: two rows with one id, or a prediction for an id that was not asked.
    """
    truths = _by_id(truth_rows, "truth")
    predictions = _by_id(prediction_rows, "prediction")
    if strange := [key for key in predictions if key not in truths]:
        raise ScoreError(f"{len(strange)} predictions are for ids that were not asked, such as {strange[0]!r}")
    return [_verdict(truth, predictions.get(key)) for key, truth in truths.items()]


def _by_id(rows: Iterable[dict[str, Any]], name: str) -> dict[Any, dict[str, Any]]:
    found: dict[Any, dict[str, Any]] = {}
    for row in rows:
        key = row.get("id")
        if not isinstance(key, int | str):
            raise ScoreError(f"a {name} without an id: {str(row)[:SHOWN]}")
        if key in found:
            raise ScoreError(f"two {name}s with the id {key!r}")
        found[key] = row
    return found


def _verdict(truth: dict[str, Any], prediction: dict[str, Any] | None) -> Verdict:
    if prediction is None:
        return Verdict(truth, False, False, 0.0, "(no prediction)", {})
    known, trusted = prediction.get("known") is True, prediction.get("trusted") is True
    if not known and not trusted:
        reason = prediction.get("reason", prediction.get("error", "(no reason)"))
        return Verdict(truth, False, False, 0.0, str(reason), {})
    confidence = 0.0
    try:
        confidence = _confidence(prediction.get("confidence"))
        if not known:
            raise ValueError("trusted without being known")
        differs = _differences(truth, prediction)
    except (ValueError, KeyError) as error:
        differs = {"malformed": f"{type(error).__name__}: {error}"}
    if trusted and not truth.get("repeatable", True):
        differs = {"repeatable": "the same experiment came out differently when it was run again"} | differs
    return Verdict(truth, known, trusted, confidence, "", differs)


def _confidence(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"a confidence is a number from 0 to 1, not {value!r}")
    return float(value)


def _differences(truth: dict[str, Any], prediction: dict[str, Any]) -> dict[str, Any]:
    differs: dict[str, Any] = {}
    if not isinstance(prediction["ok"], bool):
        raise ValueError(f"ok is true or false, not {prediction['ok']!r}")
    if prediction["ok"] != truth["ok"]:
        differs["ok"] = {"predicted": prediction["ok"], "happened": truth["ok"]}
    said, came = scene_from_json(prediction["state"]), scene_from_json(truth["after"])
    if said != came:
        differs["state"] = {
            path: {"predicted": _entry(said, path), "happened": _entry(came, path)}
            for path in sorted(said.keys() | came.keys())
            if said.get(path) != came.get(path)
        }
    printed, happened = bytes_from_json(prediction["stdout"]), bytes_from_json(truth["stdout"])
    if printed != happened:
        differs["stdout"] = {"predicted": repr(printed)[:SHOWN], "happened": repr(happened)[:SHOWN]}
    return differs


def _entry(scene: Scene, path: str) -> Any:
    entry: Entry | None = scene.get(path)
    if entry is None:
        return None
    shown = scene_to_json({path: entry})[path]
    return {key: value[:SHOWN] if isinstance(value, str) else value for key, value in shown.items()}


def _tags(truth: dict[str, Any]) -> list[str]:
    tags = [*truth.get("tags", ()), "came out: ok" if truth["ok"] else "came out: failure"]
    if not truth.get("repeatable", True):
        tags.append("outcome: not repeatable")
    elif not truth.get("portable", True):
        tags.append("outcome: depends on the machine")
    return tags


def _is_understood(tally: _Tally) -> bool:
    return tally.exact >= EXACT_ENOUGH * tally.count and statistics.median(tally.confidences) >= SURE_ENOUGH


def _calibration(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """Per bucket of confidence, how often the known predictions in it were exact.

    Confidence is meant as a lower bound, so `exact_share` should not be below `mean_confidence` by more than chance.
    """
    buckets: dict[float, list[Verdict]] = {low: [] for low in BUCKETS[:-1]}
    for verdict in verdicts:
        if verdict.known:
            buckets[max(low for low in buckets if low <= verdict.confidence)].append(verdict)
    return [
        {
            "from": low,
            "to": high,
            "count": len(inside),
            "exact": sum(one.exact for one in inside),
            "exact_share": round(sum(one.exact for one in inside) / len(inside), 4),
            "mean_confidence": round(sum(one.confidence for one in inside) / len(inside), 4),
        }
        for (low, inside), high in zip(buckets.items(), BUCKETS[1:], strict=True)
        if inside
    ]


def _shown(verdict: Verdict) -> dict[str, Any]:
    truth = verdict.truth
    return {
        "id": truth["id"],
        "command": truth["command"],
        "slots": truth["slots"],
        "line": truth.get("line", ""),
        "confidence": verdict.confidence,
        "differs": verdict.differs,
        "tags": truth.get("tags", []),
    }
