"""Two hundred ways out of the root, by every operation that could take them: no byte from outside, and no hang."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import dabhand
from dabhand.handoff.packet import Packet

SECRET = "top secret"
FILE_PLANS: list[dict[str, Any]] = [
    {"operation": "whole_file"},
    {"operation": "last_lines", "count": 3},
    {"operation": "line_range", "first": 1},
    {"operation": "search", "value": "e"},
    {"operation": "search", "value": "E", "ignore_case": True},
    {"operation": "json_field", "key": "e"},
    {"operation": "count_lines"},
    {"operation": "count_matches", "value": "e"},
]
FOLDER_PLANS: list[dict[str, Any]] = [
    {"operation": "list_files", "hidden": True},
    {"operation": "find_files"},
    {"operation": "search", "value": "e", "recursive": True},
    {"operation": "search", "value": "e"},
    {"operation": "count_matches", "value": "e", "recursive": True},
]
FILES_OUTSIDE = [
    "../outside/secret",
    "sub/../../outside/secret",
    "./../outside/secret",
    "..",
    "../root-sibling",
    "@outside/secret",
    "@root-sibling",
    "@root/../outside/secret",
    "//@outside/secret",
    "link",
    "absolute",
    "chain",
    "folder/secret",
    "above/outside/secret",
    "sub/up",
    "magic/root@outside/secret",
    "loop",
    "fd",
    "pipe",
    "device",
    "socket",
    "",
]
FOLDERS_OUTSIDE = ["..", "../outside", "@outside", "folder", "above", "sub/../..", "@root/..", "magic", "loop", "pipe"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret").write_text(f'{{"e": "{SECRET}"}}\n')
    (tmp_path / "root-sibling").write_text(f"{SECRET}\n")
    (root / "inside").write_text("{}\n")
    links = {
        "link": "../outside/secret",
        "absolute": str(outside / "secret"),
        "chain": "sub/up",
        "sub/up": "../../outside/secret",
        "folder": "../outside",
        "above": "..",
        "magic": "/proc/self",
        "fd": "/dev/stdin",
        "loop": "loop",
        "device": "/dev/zero",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    os.mknod(root / "socket", 0o600 | 0o140000)
    return root


def carried_out(root: Path, store: Path, plan: dict[str, Any], path: str) -> Packet:
    path = (
        path.replace("@", str(root.parent) + "/") if not path.startswith("//") else path.replace("@", str(root.parent))
    )
    done: list[Packet] = []
    worker = threading.Thread(
        target=lambda: done.append(dabhand.inspect_request(root, plan=plan | {"path": path}, store=store)), daemon=True
    )
    worker.start()
    worker.join(20)
    assert done, f"{plan['operation']} of {path!r} does not end"
    return done[0]


@pytest.mark.parametrize("plan", FILE_PLANS, ids=lambda plan: "-".join(map(str, plan.values())))
def test_no_file_outside_is_read(root: Path, store: Path, plan: dict[str, Any]) -> None:
    for path in FILES_OUTSIDE:
        packet = carried_out(root, store, plan, path)
        whole = path == "" and plan["operation"] in ("search", "count_matches")
        assert packet.status == ("rejected" if not whole else packet.status), path
        assert SECRET not in str(packet.to_json()), path
        if whole:
            assert packet.searched.paths == ("inside",)


@pytest.mark.parametrize("plan", FOLDER_PLANS, ids=lambda plan: "-".join(map(str, plan.values())))
def test_no_folder_outside_is_read(root: Path, store: Path, plan: dict[str, Any]) -> None:
    for path in FOLDERS_OUTSIDE:
        packet = carried_out(root, store, plan, path)
        assert packet.status == "rejected", path
        assert not packet.output.lines
    packet = carried_out(root, store, plan, "")
    assert SECRET not in str(packet.to_json())
    assert not {"secret", "outside", "root-sibling"} & {
        part
        for path in (*(line.text for line in packet.output.lines), *packet.searched.paths)
        for part in path.split("/")
    }


@contextmanager
def meanwhile(change: Any) -> Iterator[None]:
    """Something that is done again and again while something else runs."""
    stop = threading.Event()

    def again() -> None:
        while not stop.is_set():
            change()

    worker = threading.Thread(target=again)
    worker.start()
    try:
        yield
    finally:
        stop.set()
        worker.join()


@pytest.mark.parametrize("place", ["swapped", "folder-swapped/secret"])
def test_links_swapped_during_the_call(root: Path, store: Path, place: str) -> None:
    """A file, or the folder that it is in, is now the real one and now a link that leads outside, or gone."""
    name = root / place.split("/")[0]
    if "/" in place:
        (root / "real").mkdir()
        (root / "real" / "secret").write_text("plain\n")
        targets = [str(root.parent / "outside"), "real", "../outside"]
    else:
        (root / "real").write_text("plain\n")
        targets = ["../outside/secret", "real", str(root.parent / "outside" / "secret")]
    turns = iter(range(10**9))

    def swap() -> None:
        turn = next(turns) % 4
        name.unlink(missing_ok=True)
        if turn < 3:
            name.symlink_to(targets[turn])

    swap()
    seen = set()
    with meanwhile(swap):
        for _ in range(60):
            packet = carried_out(root, store, {"operation": "whole_file"}, place)
            assert SECRET not in str(packet.to_json())
            seen.add(packet.status)
            below = carried_out(root, store, {"operation": "search", "value": "secret", "recursive": True}, "")
            assert below.status == "no_match"
    assert "rejected" in seen


def test_a_file_that_becomes_a_pipe_or_goes_away(root: Path, store: Path) -> None:
    name = root / "changing"
    turns = iter(range(10**9))

    def change() -> None:
        turn = next(turns) % 3
        name.unlink(missing_ok=True)
        if turn == 0:
            name.write_text("plain\n")
        elif turn == 1:
            os.mkfifo(name)

    with meanwhile(change):
        for _ in range(60):
            packet = carried_out(root, store, {"operation": "whole_file"}, "changing")
            assert packet.status in ("ok", "rejected", "failed")
            if packet.status == "ok":
                assert [line.text for line in packet.output.lines] in (["plain"], [])


def test_names_are_taken_as_they_are_written(root: Path, store: Path) -> None:
    """Where case matters, another case is another name; elsewhere it is the same file, inside the root all the same."""
    packet = carried_out(root, store, {"operation": "whole_file"}, "INSIDE")
    assert packet.status == ("ok" if (root / "INSIDE").exists() else "rejected")
    for path in ("%2e%2e/outside/secret", "..\\outside\\secret", "~/secret", "$HOME", "\u2024\u2024/outside/secret"):
        assert carried_out(root, store, {"operation": "whole_file"}, path).status == "rejected"
