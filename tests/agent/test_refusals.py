"""Requests that cannot or must not be carried out: each ends with a reason, and with the folder as it was.

One request a line in `data/refusals.jsonl`: what kind of request it is, the statuses allowed, a word that the reason
should contain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dabhand.agent.do import carry_out
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store
from dabhand.workspace import File, Folder, Link, State

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
TEMPLATES = ("sort {A} > {B}", "mkdir {A}", "rm {A}", "cp {A} {B}", "mv {A} {B}", "wc -l < {A} > {B}", "cat {A}")
LINES = Path(__file__).with_name("data").joinpath("refusals.jsonl").read_text("utf-8").splitlines()
FILES = {
    "a.txt": {"text": "pear\napple\nfig\n"}, "b.txt": {"text": "1\n2\n"}, "bin.dat": {"base64": "/wD+AQ=="},
    "box": {"dir": True}, "box/in.txt": {"text": "inside\n"}, "empty": {"dir": True}, "l": {"link": "a.txt"},
    "leak": {"link": "/etc/hostname"}, "run.sh": {"text": "echo hi\n", "executable": True},
}  # fmt: skip


def cases() -> Iterator[Any]:
    for line in LINES:
        case = json.loads(line)
        yield pytest.param(case, id=f"{case['id']}-{case['kind']}")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("learned")) as opened:
        practise(opened, [parse_template(text) for text in TEMPLATES], until_understood=True, experiments=300, seed=1)
        yield opened


def seen(root: Path) -> dict[str, object]:
    """Everything in a folder, with modes and times."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path)] = (status.st_mode, status.st_mtime_ns, content)
    return found


def write(root: Path, state: State) -> None:
    root.mkdir()
    for path, node in state.items():
        match node:
            case Folder():
                (root / path).mkdir()
            case Link(target):
                (root / path).symlink_to(target)
            case File(data, executable):
                (root / path).write_bytes(data)
                (root / path).chmod(0o755 if executable else 0o644)


def test_there_are_enough_of_many_kinds() -> None:
    found = [json.loads(line) for line in LINES]
    assert len(found) >= 100 and len({case["kind"] for case in found}) >= 10


@pytest.mark.parametrize("case", list(cases()))
def test_it_ends_with_a_reason_and_nothing_changes(case: dict[str, Any], store: Store, tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, State.from_json(case.get("files", FILES)))
    before = seen(root)
    document = carry_out(store, case["request"], root, targets=case.get("targets"), yes=case.get("yes", True))
    assert document.status in case["allowed"], document
    assert document.reason and case["word"] in document.reason + document.hint, document.reason
    assert not document.changes and document.answer is None
    assert seen(root) == before
