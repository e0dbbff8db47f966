from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import curve
import pytest
import run
from agent import AgentError, Dabhand
from practice import Measuring, merged, wrong_per_thousand
from ratios import Ratio, all_ratios
from results import LabelError, heading, keep, place_for
from startup import startup
from watching import WatchingError, watch

FAKE = Path(__file__).with_name("fake_dabhand.py")
COUNT = 70


@pytest.fixture
def fake(tmp_path: Path) -> str:
    script = tmp_path / "dabhand"
    script.write_text(f"#!{sys.executable}\n{FAKE.read_text()}")
    script.chmod(0o755)
    return str(script)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sets")


def test_a_curve_goes_on_in_one_store_by_the_difference(fake: str, cache: Path) -> None:
    told: list[str] = []
    measuring = Measuring(Dabhand(fake), COUNT, cache=cache, tell=told.append)
    points = measuring.curve(1, (100, 30))
    assert [(point["point"], point["experiments"]) for point in points] == [(30, 30), (100, 100)]
    assert [point["learn"]["experiments"] for point in points] == [30, 70]
    assert len(told) == 2
    scored = points[0]["score"]
    assert scored["count"] == COUNT == scored["known"]
    assert 0 < scored["exact"] < COUNT
    assert scored["trusted_wrong"] == COUNT - scored["exact"]
    assert scored["commands"]["mkdir {A}"]["status"] == "understood"


def test_what_a_run_costs_is_measured_from_outside() -> None:
    hold = "x = bytearray(90 << 20); import time; time.sleep(0.6)"
    alone = watch([sys.executable, "-c", hold], env=os.environ, timeout=60).usage
    assert alone.wall_seconds > 0.6
    assert 90 < alone.own_peak_mb <= alone.tree_peak_mb
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}])"
    below = watch([sys.executable, "-c", start], env=os.environ, timeout=60).usage
    assert below.own_peak_mb < 90 < below.tree_peak_mb
    spin = "import time\nwhile time.process_time() < 0.3: pass"
    assert watch([sys.executable, "-c", spin], env=os.environ, timeout=60).usage.own_cpu_seconds > 0.15


def test_a_program_that_hangs_is_ended() -> None:
    with pytest.raises(WatchingError):
        watch([sys.executable, "-c", "import time; time.sleep(60)"], env=os.environ, timeout=0.3)
    with pytest.raises(WatchingError):
        watch(["/no/such/program"], env=os.environ, timeout=1)


def test_a_failing_dabhand_is_an_error_and_no_score(fake: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"ended with 4: .*no luck"):
        Dabhand(fake).learn(tmp_path / "store", 13, 5)
    with pytest.raises(AgentError, match="predict"):
        Dabhand(fake).predict(tmp_path / "none", '{"id": 1}\n')


def test_startup_is_a_ratio(fake: str) -> None:
    found = startup(fake, rounds=3)
    assert found["ratio"] == pytest.approx(found["dabhand_help_ms"] / found["python_ms"], rel=0.02)


def test_results_are_never_overwritten(tmp_path: Path) -> None:
    place = place_for("first", tmp_path)
    keep(place, heading("curve.py", ["--dabhand", "/somewhere/private/dabhand"]))
    assert "private" not in place.read_text()
    with pytest.raises(LabelError):
        place_for("first", tmp_path)
    with pytest.raises(LabelError):
        keep(place, {})
    with pytest.raises(LabelError):
        place_for("../first", tmp_path)


def test_figures_without_a_measurement_are_missed() -> None:
    ratios = all_ratios({})
    assert len(ratios) == 38
    assert not any(ratio.met for ratio in ratios)


def test_giving_up_early_is_no_merit() -> None:
    learn = {"outside_share": 0.2, "wall_seconds": 3.0, "tree_peak_mb": 50.0}
    scored = {"understood": 35, "of": 35, "exact": 99, "count": 100, "trusted": 0, "trusted_wrong": 0}

    def figure(understood: int) -> Ratio:
        end = {"experiments": 50, "learn": learn, "score": scored | {"understood": understood}}
        ratios = all_ratios({"posix": {"1": {"curve": [], "until_understood": end}}})
        return next(ratio for ratio in ratios if ratio.name == "experiments until understood")

    assert (figure(35).met, figure(35).value) == (True, 50)
    assert (figure(34).met, figure(34).missing) == (False, "not reached")


@pytest.mark.parametrize(
    ("ratio", "met"),
    [
        (Ratio("least", 6.0, 6.0), True),
        (Ratio("least", 5.9, 6.0), False),
        (Ratio("most", 40.0, 40.0, at_most=True), True),
        (Ratio("most", 40.1, 40.0, at_most=True), False),
        (Ratio("below", 1.0, 1.0, below=True), False),
        (Ratio("below", 0.9, 1.0, below=True), True),
    ],
)
def test_a_floor_is_a_floor(ratio: Ratio, met: bool) -> None:
    assert ratio.met is met


def test_adding_up_keeps_the_lowest_confidence() -> None:
    row = {"count": 4, "exact": 3, "known": 4, "trusted": 2, "trusted_wrong": 1, "median_confidence": 0.9}
    rows = merged(
        [{"contexts": {"A": row}}, {"contexts": {"A": row | {"exact": 4, "median_confidence": 0.8}}}], "contexts"
    )
    assert (rows["A"]["count"], rows["A"]["exact"], rows["A"]["exact_share"]) == (8, 7, 0.875)
    assert rows["A"]["median_confidence"] == 0.8
    assert wrong_per_thousand({"trusted": 0, "trusted_wrong": 0}) == 0


def test_the_whole_bench_prints_and_keeps(
    fake: str, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--dabhand", fake, "--cache", str(cache), "--results", str(tmp_path), "--count", str(COUNT)]
    asked = ["--quick", "--only", "posix", "outside", "--points", "20", "50", "--label", "one", *common]
    assert run.main(asked) == 1
    printed = capsys.readouterr().out
    for part in ("the curve", "--until-understood", "per command", "per context", "trusted and wrong", "MISSED"):
        assert part in printed
    kept: dict[str, Any] = json.loads((tmp_path / "one.json").read_text())
    assert kept["made_by"].startswith("python -m benchmarks --quick")
    assert str(tmp_path) not in json.dumps(kept)
    assert kept["posix"]["seeds"]["1"]["until_understood"]["experiments"] == 77
    assert "A: file" in kept["posix"]["contexts"]
    figures = {ratio["name"]: ratio for ratio in kept["ratios"]}
    assert figures["seconds until understood"]["met"]
    assert figures["whole outcomes predicted exactly"]["value"] < 98
    assert run.main(asked) == 2
    assert curve.main(["--seeds", "13", "--label", "two", *common]) == 1
    assert not (tmp_path / "two.json").exists()
