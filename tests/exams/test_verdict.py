"""The host's verdict on real folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dabhand.exams import Expect, faults
from dabhand.exams.form import folder_in
from dabhand.exams.host.folder import make, read_back

FILES = {
    "a.txt": {"text": "b\na\n"},
    "run.sh": {"text": "x\n", "executable": True},
    "box": {"dir": True},
    "box/e.txt": {"text": ""},
    "box/raw\udcff": {"base64": "//4="},
    "link": {"link": "a.txt"},
    "dangling": {"link": "no\udcffwhere"},
}
WANTED = Expect({"new/b.txt": {"text": "a\nb\n"}, "box": None}, "unchanged", "7")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make(tmp_path, folder_in(FILES))
    return tmp_path


def fulfil(root: Path) -> None:
    (root / "new").mkdir()
    (root / "new" / "b.txt").write_text("a\nb\n")
    for name in ("e.txt", "raw\udcff"):
        (root / "box" / name).unlink()
    (root / "box").rmdir()


def test_what_was_asked_for_passes(root: Path) -> None:
    before = read_back(root)
    assert before["run.sh"].executable and not before["a.txt"].executable
    assert (before["box/raw\udcff"].data, before["dangling"].data) == (b"\xff\xfe", b"no\xffwhere")
    fulfil(root)
    for answer in ("7", "7\n"):
        assert faults(before, WANTED, read_back(root), answer) == ()


def test_nothing_done_is_not_passed(root: Path) -> None:
    before = read_back(root)
    assert faults(before, WANTED, read_back(root), None) == (
        "new is missing",
        "new/b.txt is missing",
        "box is still there",
        "the answer is nothing instead of '7'",
    )


SPOILT: list[tuple[Callable[[Path], object], str]] = [
    (lambda root: (root / "a.txt").write_text("b\na"), "a.txt was changed as well"),
    (lambda root: (root / "a.txt").chmod(0o600), "a.txt was changed as well"),
    (lambda root: (root / "a.txt").unlink(), "a.txt is gone as well"),
    (lambda root: (root / "more").mkdir(), "more was made as well"),
    (lambda root: (root / "new" / "more.txt").touch(), "new/more.txt was made as well"),
    (lambda root: ((root / "link").unlink(), (root / "link").symlink_to("run.sh")), "link was changed as well"),
    (lambda root: ((root / "link").unlink(), (root / "link").write_text("b\na\n")), "link was changed as well"),
    (lambda root: (root / "box").mkdir(), "box is still there"),
    (lambda root: (root / "new" / "b.txt").chmod(0o755), "new/b.txt is executable"),
    (lambda root: (root / "new" / "b.txt").write_text("a\nb"), "new/b.txt holds 'a\\nb' instead of 'a\\nb\\n'"),
]


@pytest.mark.parametrize(("spoil", "said"), SPOILT)
def test_whatever_else_changed_is_a_fault(root: Path, spoil: Callable[[Path], object], said: str) -> None:
    before = read_back(root)
    fulfil(root)
    spoil(root)
    assert faults(before, WANTED, read_back(root), "7") == (said,)


def test_others_may_be_any(root: Path) -> None:
    before = read_back(root)
    (root / "a.txt").write_text("other")
    (root / "more").touch()
    assert faults(before, Expect({"run.sh": FILES["run.sh"]}, "any"), read_back(root), "an answer") == ()
