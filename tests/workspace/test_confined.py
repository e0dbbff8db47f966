"""No name, link or swap leads out of a confined folder."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from dabhand.errors import Conflict, NotConfined, UsageError
from dabhand.workspace import ApplyFailed, Change, ConfinedFolder, File, Journal, apply_to_folder, take_snapshot


@pytest.fixture
def root(tmp_path: Path) -> Path:
    inside = tmp_path / "root"
    inside.mkdir()
    (inside / "a.txt").write_text("inside")
    (inside / "box").mkdir()
    (inside / "box" / "b.txt").write_text("boxed")
    (tmp_path / "root-evil").mkdir()
    (tmp_path / "root-evil" / "secret").write_text("secret")
    (tmp_path / "secret").write_text("secret")
    return inside


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../secret",
        "box/../../secret",
        "/etc/passwd",
        "../root-evil/secret",
        "box/../a.txt",
        "a\0b",
        "//etc/passwd",
    ],
)
def test_names_that_lead_out(root: Path, path: str) -> None:
    with ConfinedFolder(root) as folder, pytest.raises(NotConfined):
        folder.read(path)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("../secret", "l"),
        ("..", "l/secret"),
        ("/etc", "l/passwd"),
        ("../root-evil", "l/secret"),
        ("box/../../secret", "l"),
        ("l", "l"),
        ("l/x", "l"),
    ],
)
def test_links_that_lead_out(root: Path, target: str, path: str) -> None:
    (root / "l").symlink_to(target)
    with ConfinedFolder(root) as folder:
        with pytest.raises(NotConfined):
            folder.read(path)
        with pytest.raises(NotConfined):
            folder.stat(path, follow=True)


def test_links_that_stay_inside(root: Path) -> None:
    (root / "l").symlink_to("box/../a.txt")
    (root / "box" / "up").symlink_to("..")
    (root / "chain").symlink_to("box/up/l")
    with ConfinedFolder(root) as folder:
        assert folder.read("l") == folder.read("box/up/l") == folder.read("chain") == b"inside"
        assert folder.names("box/up") == ("a.txt", "box", "chain", "l")
        with pytest.raises(NotConfined):
            folder.read("box/up/a.txt", follow=False)


def test_what_is_not_there_yet(root: Path) -> None:
    (root / "dangling").symlink_to("box/new.txt")
    with ConfinedFolder(root) as folder:
        assert folder.stat("new.txt") is None
        assert folder.stat("no/such/place") is None
        with folder.place("dangling") as place:
            assert place.name == "new.txt"
        with pytest.raises(FileNotFoundError):
            folder.read("new.txt")
        with pytest.raises(OSError, match="not a regular file"):
            folder.read("box")


def test_a_pipe_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with ConfinedFolder(root) as folder, pytest.raises(OSError, match="not a regular file"):
        folder.read("pipe")


@pytest.mark.parametrize("name", ["missing", "a.txt", "a.txt/x"])
def test_roots_that_are_none(root: Path, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        ConfinedFolder(root / name)
    assert caught.value.exit_code == 2


def test_only_one_at_a_time(root: Path) -> None:
    with ConfinedFolder(root) as first, ConfinedFolder(root) as second:
        first.lock()
        with pytest.raises(Conflict):
            second.lock()


def test_a_replaced_root_is_noticed(root: Path) -> None:
    with ConfinedFolder(root) as folder:
        folder.require_in_place()
        root.rename(root.with_name("moved"))
        root.symlink_to("root-evil")
        with pytest.raises(Conflict):
            folder.require_in_place()


class Swapper:
    """A thread that keeps swapping a folder inside the root for a link to one outside."""

    def __init__(self, root: Path) -> None:
        self.root, self.done = root, threading.Event()
        self.outside = root.parent / "root-evil"
        (self.outside / "b.txt").write_text("SECRET")
        (root / "link").symlink_to(self.outside)
        self.thread = threading.Thread(target=self._swap)

    def _swap(self) -> None:
        box, link, spare = self.root / "box", self.root / "link", self.root / "spare"
        while not self.done.is_set():
            box.rename(spare)
            link.rename(box)
            box.rename(link)
            spare.rename(box)

    def __enter__(self) -> Swapper:
        self.thread.start()
        return self

    def __exit__(self, *what: object) -> None:
        self.done.set()
        self.thread.join()


@pytest.mark.parametrize("follow", [True, False])
def test_swapped_while_reading(root: Path, follow: bool) -> None:
    read = 0
    with Swapper(root), ConfinedFolder(root) as folder:
        for _ in range(3000):
            try:
                assert folder.read("box/b.txt", follow=follow) == b"boxed"
                read += 1
            except (NotConfined, FileNotFoundError, NotADirectoryError):
                continue
    assert read > 0


def test_swapped_while_writing(root: Path, tmp_path: Path) -> None:
    before = [*sorted(item.name for item in (tmp_path / "root-evil").iterdir()), "b.txt"]
    with Swapper(root) as swapper, ConfinedFolder(root) as folder:
        folder.lock()
        for number in range(150):
            try:
                snapshot = take_snapshot(folder)
                if "box/b.txt" not in snapshot.state:
                    continue
                changes = [
                    Change("box/b.txt", snapshot.state["box/b.txt"], File(b"new %d" % number)),
                    Change(f"box/{number}", None, File(b"made")),
                ]
                apply_to_folder(folder, snapshot, changes, Journal(tmp_path / "j"), record_id=f"r{number}")
            except (Conflict, NotConfined, ApplyFailed):
                continue
        assert sorted(item.name for item in swapper.outside.iterdir()) == sorted(before)
        assert (swapper.outside / "b.txt").read_text() == "SECRET"
