"""Folders and files that belong to somebody else: whoever may not look into them is told so."""

from __future__ import annotations

import os
import stat
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from dabhand.agent.do import carry_out
from dabhand.agent.document import DoDocument
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store

NOBODY = 65534
TEMPLATES = ("cp {A} {B}", "rm {A}", "cat {A}", "mkdir {A}", "echo {T} > {A}", "wc -l < {A} > {B}")
pytestmark = [
    pytest.mark.skipif(os.getuid() != 0, reason="only root can make what is somebody else's"),
    pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine"),
]


@pytest.fixture(scope="module")
def everybody() -> Iterator[Path]:
    """A folder that everybody can reach, with a store that is nobody's."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        store = Path(made) / "store"
        with Store.open(store) as opened:
            practise(opened, [parse_template(text) for text in TEMPLATES], experiments=120, seed=1)
        for path in (store, *store.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        yield Path(made)


@pytest.fixture
def root(everybody: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=everybody) as made:
        root = Path(made)
        (root / "a.txt").write_text("a\n")
        (root / "priv").mkdir()
        (root / "priv/s").write_text("secret\n")
        (root / "mine.txt").write_text("secret\n")
        for path in (root, root / "a.txt"):
            os.chown(path, NOBODY, NOBODY)
        (root / "mine.txt").chmod(0o600)
        (root / "priv").chmod(0o700)
        yield root


def as_nobody(everybody: Path, request: str, root: Path) -> DoDocument | str:
    """What comes of a request of somebody with no rights; text: a traceback."""
    seen, told = os.pipe()
    if not (child := os.fork()):
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            with Store.open(everybody / "store") as store:
                answer = msgspec.json.encode(carry_out(store, request, root, yes=True))
        except BaseException:  # noqa: BLE001  (told to the parent)
            answer = msgspec.json.encode(traceback.format_exc())
        os.write(told, answer)
        os._exit(0)
    os.close(told)
    with os.fdopen(seen, "rb") as read:
        answer = read.read()
    os.waitpid(child, 0)
    return msgspec.json.decode(answer, type=DoDocument | str)


REQUESTS = {
    "Create a file priv/n.txt": "priv", "Copy a.txt into priv": "priv", "Create a folder called priv/q": "priv",
    "Show priv/s": "priv", "Delete priv/s": "priv", "Delete priv": "priv", "Copy priv to p2": "priv",
    "How many files are in priv?": "priv", "Count the lines of mine.txt": "mine.txt",
    "Copy mine.txt to b.txt": "mine.txt",
}  # fmt: skip
OTHERWISE = [(0o744, False), (0o711, False), (0o700, True), (0o711, True)]


@pytest.mark.parametrize(
    ("request_", "mode", "large"),
    [
        *((request, 0o700, False) for request in REQUESTS),
        *((request, *way) for request in ("Create a file priv/n.txt", "Show priv/s") for way in OTHERWISE),
    ],
)
def test_what_is_closed_is_refused(everybody: Path, root: Path, request_: str, mode: int, large: bool) -> None:
    (root / "priv").chmod(mode)
    if large:
        for number in range(201):
            (root / f"{number}.txt").touch()
    document = as_nobody(everybody, request_, root)
    assert isinstance(document, DoDocument), document
    if mode == 0o711 and document.status == "done":
        assert (request_, document.answer) == ("Show priv/s", "secret")  # its name was known, and it may be read
        return
    assert document.status in ("refused", "not_done"), document
    assert REQUESTS[request_] in document.reason and "no file" not in document.reason
    assert not document.changes
    assert stat.S_IMODE((root / "priv").stat().st_mode) == mode


def test_what_is_beside_it_can_be_worked_with(everybody: Path, root: Path) -> None:
    document = as_nobody(everybody, "Count the lines of a.txt", root)
    assert isinstance(document, DoDocument), document
    assert (document.status, document.answer) == ("done", "1")
