"""`dabhand model status` and `serve`: what is said, what never is, and a server that others find and that goes away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dabhand.interfaces.cli.model_status import command as status
from dabhand.models.completion import Ask
from dabhand.models.confidence import Calibration, kept
from dabhand.models.served import Address, publish, served_engine
from dabhand.models.weights import is_installed

KEY = "sk-secret-0123456789"


def test_status_says_what_there_is_and_never_the_key(monkeypatch: pytest.MonkeyPatch, own_store: Path) -> None:
    monkeypatch.setenv("DABHAND_REMOTE", "openai")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("DABHAND_ADAPTER", "none")
    publish(Address("http://127.0.0.1:9", KEY, os.getpid()), own_store / "model.json")
    for arguments in ([], ["--json"]):
        said = CliRunner().invoke(status, arguments)
        assert said.exit_code == 0, said.output
        assert KEY not in said.output
        assert "127.0.0.1:9" in said.output
    document = json.loads(said.output)
    assert document["adapter"] is None
    assert document["remote"]["key"] is True
    assert document["served"] == {"url": "http://127.0.0.1:9", "process": os.getpid()}
    monkeypatch.setenv("DABHAND_REMOTE", "nobody")
    assert "nobody" in CliRunner().invoke(status, []).output


def test_status_says_what_the_adapter_was_trained_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "adapter.gguf").write_bytes(b"x" * 1_500_000)
    (tmp_path / "record.json").write_text('{"examples": 4907, "steps": 20}')
    known = {"plan": Calibration((0.1, 0.8), (0.5, 1.0), 1.0, 200)}
    (tmp_path / "calibration.json").write_bytes(kept(known, tmp_path / "adapter.gguf"))
    monkeypatch.setenv("DABHAND_ADAPTER", str(tmp_path / "adapter.gguf"))
    said = CliRunner().invoke(status, [])
    assert "1.5 MB" in said.output
    assert "4907" in said.output
    assert "plan from a confidence of 1.000 on" in said.output


@pytest.mark.skipif(not is_installed(), reason="the extra 'local' is not installed")
def test_a_served_model_is_found_by_others_and_leaves_nothing_behind(own_store: Path) -> None:
    code = "from dabhand.interfaces.cli.model_serve import command; command(['--untrained'])"
    serving = subprocess.Popen([sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None
        assert serving.stdout.readline().startswith("Serving at http://127.0.0.1:")
        engine = served_engine()
        assert engine is not None
        assert engine.complete(Ask("Hello", tokens=2, patience=120)).text
        another = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "served already" in another.stderr
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(60) == 0
    finally:
        serving.kill()
        serving.wait()
    assert not (own_store / "model.json").exists()
