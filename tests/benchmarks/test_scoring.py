from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import heldout
import pytest
from judge.reporting import table
from judge.scoring import ScoreError, questions, score


def truth(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "id": number,
        "command": "tac {A} > {B}",
        "slots": {"A": "a", "B": "b"},
        "state": {"a": {"text": "1\n2\n"}},
        "tags": ["A: file"],
        "line": "tac a > b",
        "ok": True,
        "after": {"a": {"text": "1\n2\n"}, "b": {"text": "2\n1\n"}},
        "stdout": "",
        "repeatable": True,
        "portable": True,
    } | changes


def prediction(number: int = 1, **changes: Any) -> dict[str, Any]:
    right = truth()
    said = {"ok": right["ok"], "state": right["after"], "stdout": ""}
    return {"id": number, "known": True, "trusted": True, "confidence": 0.9} | said | changes


def test_a_whole_outcome_is_exact() -> None:
    result = score([truth()], [prediction()])
    assert (result["exact"], result["known"], result["trusted"], result["trusted_wrong"]) == (1, 1, 1, 0)
    assert result["commands"]["tac {A} > {B}"]["understood"]
    assert result["contexts"]["A: file"]["exact_share"] == 1.0


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("ok", {"ok": False}),
        ("stdout", {"stdout": "x"}),
        ("state", {"state": {"a": {"text": "1\n2\n"}}}),
        ("state", {"state": {**truth()["after"], "c": {"dir": True}}}),
        ("state", {"state": {**truth()["after"], "b": {"text": "2\n1\n", "executable": True}}}),
        ("state", {"state": {**truth()["after"], "b": {"link": "a"}}}),
        ("malformed", {"state": None}),
        ("malformed", {"state": {"a": {"text": 3}}}),
        ("malformed", {"ok": None}),
        ("malformed", {"confidence": 2}),
        ("malformed", {"confidence": float("nan")}),
        ("malformed", {"confidence": None}),
        ("malformed", {"known": False}),
    ],
)
def test_every_part_counts_and_a_trusted_mistake_is_listed(part: str, change: dict[str, Any]) -> None:
    result = score([truth()], [prediction(**change)])
    assert (result["exact"], result["trusted_wrong"]) == (0, 1)
    listed = result["trusted_wrong_list"][0]
    assert listed["id"] == 1
    assert list(listed["differs"]) == [part]
    assert "tac a > b" in table(result)


def test_unknown_and_missing_are_not_exact_and_not_wrong() -> None:
    unknown = {"id": 1, "known": False, "reason": "never tried with B a folder"}
    result = score([truth(1), truth(2)], [unknown])
    assert (result["exact"], result["known"], result["trusted_wrong"]) == (0, 0, 0)
    assert result["unknown_reasons"] == {"never tried with B a folder": 1, "(no prediction)": 1}


def test_a_parts_that_is_left_out_is_malformed_not_right() -> None:
    said = prediction()
    del said["stdout"]
    assert score([truth()], [said])["wrong_parts"] == {"malformed": 1}


def test_bytes_that_are_not_text_compare_as_bytes() -> None:
    odd = truth(stdout={"base64": "6Qo="}, after={"a": {"base64": "6Q=="}})
    right = prediction(stdout={"base64": "6Qo="}, state={"a": {"base64": "6Q=="}})
    assert score([odd], [right])["exact"] == 1
    assert score([odd], [prediction(stdout="\u00e9\n", state={"a": {"base64": "6Q=="}})])["wrong_parts"] == {
        "stdout": 1
    }


def test_trusting_what_cannot_be_repeated_is_wrong_even_when_lucky() -> None:
    result = score([truth(repeatable=False)], [prediction()])
    assert (result["exact"], result["trusted_wrong"]) == (0, 1)
    assert score([truth(repeatable=False)], [prediction(trusted=False)])["exact"] == 1


def test_calibration_counts_known_predictions_by_confidence() -> None:
    rows = [prediction(1, confidence=1), prediction(2, confidence=0.91), prediction(3, confidence=0.94, ok=False)]
    result = score([truth(1), truth(2), truth(3), truth(4)], rows)
    found = [(row["from"], row["to"], row["count"], row["exact"]) for row in result["calibration"]]
    assert found == [(0.9, 0.95, 2, 1), (0.98, 1.0, 1, 1)]


def test_understood_needs_confidence_too() -> None:
    assert score([truth()], [prediction(trusted=False, confidence=0.5)])["understood"] == 0


@pytest.mark.parametrize("rows", [[prediction(1), prediction(1)], [prediction(9)], [{"known": True}]])
def test_mixed_up_predictions_are_refused(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(ScoreError):
        score([truth()], rows)


def test_questions_hold_no_answers() -> None:
    assert set(json.loads(questions([truth()]))) == {"id", "command", "slots", "state"}


def test_the_program_generates_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, said = tmp_path / "truth.jsonl", tmp_path / "predictions.jsonl"
    assert heldout.main(["generate", "--seed", "1", "--count", "35", "--out", str(made)]) == 0
    rows = [json.loads(line) for line in made.read_text().splitlines()]
    assert len({row["command"] for row in rows}) == len(rows) >= 34
    perfect = [
        {"id": row["id"], "known": True, "trusted": True, "confidence": 0.99}
        | {"ok": row["ok"], "state": row["after"], "stdout": row["stdout"]}
        for row in rows
    ]
    said.write_text("".join(json.dumps(row) + "\n" for row in perfect))
    capsys.readouterr()
    assert heldout.main(["score", "--truth", str(made), "--predictions", str(said), "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["exact"] == len(rows)
    said.write_text("nonsense\n")
    assert heldout.main(["score", "--truth", str(made), "--predictions", str(said)]) == 2
