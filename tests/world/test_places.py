"""Places: where a filling's paths lead, compared with what the kernel says of the same folder."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dabhand.workspace import FOLDER, File, Folder, Link, State
from dabhand.world.places import NOWHERE, At, Beside, Fixed, Inside, Spot, last_name, locate, spot, standing
from tests.workspace.folders import NAMES, states, write_state

parts = st.sampled_from([*NAMES[:5], "..", "."])
paths = st.lists(parts, min_size=1, max_size=4).map("/".join).filter(lambda path: not path.endswith("/."))
BOX = State({"a": FOLDER, "a/b": File(b"x"), "c.txt": Link("a"), "-x": Link("gone"), "b": Link("gone/x")})


def as_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


@contextmanager
def real(state: State) -> Iterator[bytes]:
    """A real folder that holds the state; nested, so that `..` out of it does not lead back to it."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(os.path.realpath(scratch)) / "out" / "root"
        root.parent.mkdir()
        write_state(root, state)
        yield os.fsencode(root)


def entries(root: bytes) -> set[str]:
    """All that is in a real folder, by relative path."""
    found = set()
    for folder, folders, files in os.walk(root):
        found |= {os.path.relpath(os.path.join(folder, name), root) for name in folders + files}  # noqa: PTH118
    return {path.decode("utf-8", "surrogateescape") for path in found}


def leaves(found: Spot) -> bool:
    """Whether the way leads out of the folder, where nothing is claimed."""
    return "outside" in (found.parent, found.real_parent)


@settings(max_examples=100)
@example(BOX, "c.txt/b")
@example(BOX, "c.txt/../a/b")
@example(BOX, "a/b/x")
@given(states(), paths)
def test_what_is_there_is_what_the_kernel_finds(state: State, path: str) -> None:
    found = locate(At("A"), {"A": path}, state)
    assume(not leaves(found))
    with real(state) as root:
        place = root + b"/" + as_bytes(path)
        assert os.path.lexists(place) == (found.node is not None)
        assert os.path.isdir(place) == isinstance(found.target, Folder)  # noqa: PTH112
        assert os.path.isfile(place) == isinstance(found.target, File)  # noqa: PTH113
        assert os.path.islink(place) == isinstance(found.node, Link)  # noqa: PTH114
        if found.target is not None:
            assert found.real is not None
            assert os.path.realpath(place) == (root + b"/" + as_bytes(found.real)).rstrip(b"/")


@settings(max_examples=100)
@example(BOX, "-x")
@example(BOX, "b")
@example(BOX, "c.txt/new")
@given(states(), paths)
def test_a_new_file_appears_where_the_spot_says(state: State, path: str) -> None:
    found = spot(path, state)
    if leaves(found) or found.target is not None:
        return
    with real(state) as root:
        before = entries(root)
        with suppress(OSError), open(root + b"/" + as_bytes(path), "xb" if found.node is None else "wb"):  # noqa: PTH123
            pass
        made = entries(root) - before
        can_be_made = found.real is not None and found.parent == found.real_parent == "folder"
        assert made == ({found.real} if can_be_made else set())


@settings(max_examples=100)
@example(BOX, "new/er/est")
@example(BOX, "c.txt/new/er")
@example(BOX, "new/../er")
@example(BOX, "b/new")
@given(states(), paths)
def test_missing_parents_are_the_folders_to_come(state: State, path: str) -> None:
    found = spot(path, state)
    if found.parent != "missing":
        return
    with real(state) as root:
        before = entries(root)
        place = root + b"/" + as_bytes(path)
        with pytest.raises(OSError):
            os.mkdir(place)  # noqa: PTH102
        if found.entry is None:
            return
        os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120
        assert entries(root) - before == set(found.missing_parents)
        os.mkdir(place)  # noqa: PTH102
        assert entries(root) - before == {*found.missing_parents, found.entry}


@settings(max_examples=100)
@example(BOX, "a/b/x")
@example(BOX, "new/../x")
@example(State({"a": Link("b"), "b": Link("a")}), "a/x")
@given(states(), paths)
def test_a_path_that_leads_nowhere_cannot_be_made(state: State, path: str) -> None:
    found = spot(path, state)
    if found.entry is not None or leaves(found):
        return
    assert standing(found) in ("nowhere", "beyond a file", "beyond a loop")
    with real(state) as root, pytest.raises(OSError):
        os.mkdir(root + b"/" + as_bytes(path))  # noqa: PTH102


@settings(max_examples=100)
@example(BOX, "a", "x/b")
@example(BOX, "c.txt", "b")
@example(BOX, "a", "..")
@given(states(), paths, paths)
def test_inside_a_folder_under_the_last_name(state: State, folder: str, named: str) -> None:
    found = locate(Inside("B", "A"), {"A": named, "B": folder}, state)
    holder = spot(folder, state)
    assume(not leaves(holder) and not leaves(found))
    name = named.rpartition("/")[2]
    with real(state) as root:
        place = root + b"/" + as_bytes(folder)
        if not os.path.isdir(place) or name in ("", ".", ".."):  # noqa: PTH112
            assert found is NOWHERE
            return
        assert found.entry is not None
        inside = place + b"/" + as_bytes(name)
        assert os.path.lexists(inside) == (found.node is not None)
        above, _, last = (root + b"/" + as_bytes(found.entry)).rpartition(b"/")
        assert os.path.realpath(place) == above and last == as_bytes(name)


@given(states(), paths, st.integers(1, 2))
def test_a_slash_at_the_end_means_the_same_place(state: State, path: str, slashes: int) -> None:
    assume(not leaves(spot(path, state)))
    assert spot(path + "/" * slashes, state) == spot(path, state)
    assert last_name(path + "/" * slashes) == last_name(path)


@given(states(), paths)
def test_fixed_and_beside_are_paths_like_others(state: State, path: str) -> None:
    assert locate(Fixed(path), {}, state) == spot(path, state)
    assert locate(Beside("A", ".txt"), {"A": path.removesuffix(".txt")}, state) == spot(
        path.removesuffix(".txt") + ".txt", state
    )


@pytest.mark.parametrize("path", ["..", "../x", "/etc/passwd", "a/../../x", "a/..//../y"])
def test_outside_is_no_place(path: str) -> None:
    found = locate(At("A"), {"A": path}, BOX)
    assert (found.entry, found.node, found.target, found.parent) == (None, None, None, "outside")
    assert standing(found) == "nowhere"


@settings(max_examples=100)
@given(states(), paths)
def test_the_word_for_a_path_is_what_the_kernel_would_say(state: State, path: str) -> None:
    found = spot(path, state)
    assume(not leaves(found))
    word = standing(found)
    with real(state) as root:
        place = root + b"/" + as_bytes(path)
        try:
            entry, target = os.lstat(place).st_mode, _mode(place)
        except FileNotFoundError:
            assert word in ("missing", "without parent", "nowhere")
            return
        except OSError:
            assert word in ("beyond a file", "beyond a loop")
            return
        if not stat.S_ISLNK(entry):
            assert word == ("folder" if stat.S_ISDIR(entry) else "file")
        elif target is None:
            assert word in ("dangling link", "dead link")
        else:
            assert word == ("link to a folder" if stat.S_ISDIR(target) else "link to a file")


def _mode(place: bytes) -> int | None:
    try:
        return os.stat(place).st_mode  # noqa: PTH116
    except OSError:
        return None
