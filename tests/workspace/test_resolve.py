"""resolve() says of a state what the kernel says of the same folder."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dabhand.workspace import FOLDER, File, Folder, Link, State, resolve
from tests.workspace.folders import NAMES, states, write_state

asked = st.lists(st.sampled_from([*NAMES[:5], "..", "."]), min_size=1, max_size=5).map("/".join)
asked = asked.filter(lambda path: not path.endswith("/."))
LOOP = State({"a": Link("b"), "b": Link("a"), "sp ace": Link("nowhere/x"), "c.txt": Link("sp ace")})


@settings(max_examples=300, deadline=None)
@example(LOOP, "a/x")
@example(LOOP, "c.txt")
@example(State({"a": FOLDER, "a/b": Link("../c.txt"), "c.txt": File(b"x")}), "a/b")
@given(states(10), asked)
def test_agrees_with_the_kernel(state: State, path: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        # The root is nested so that `..` out of it lands on something that is not the root again.
        root = Path(scratch) / "out" / "root"
        root.parent.mkdir()
        write_state(root, state)
        _compare(root, state, path)


def _compare(root: Path, state: State, path: str) -> None:
    found = resolve(state, path)
    if "outside" in (found.parent, found.real_parent):
        return
    place = os.fsencode(root) + b"/" + path.encode("utf-8", "surrogateescape")
    try:
        os.lstat(place)
        exists = True
    except OSError:
        exists = False
    assert exists == (found.node is not None)
    try:
        kind = os.stat(place).st_mode  # noqa: PTH116  (names here are bytes)
    except OSError:
        assert found.target is None
        return
    assert found.target is not None and found.real is not None
    assert stat.S_ISDIR(kind) == isinstance(found.target, Folder)
    real = os.path.realpath(place)
    base = os.path.realpath(os.fsencode(root))
    assert real == (base + b"/" + found.real.encode("utf-8", "surrogateescape")).rstrip(b"/")


def test_outside_is_outside() -> None:
    state = State({"a": Link("../x"), "b": Link("/etc/passwd"), "d": FOLDER, "d/up": Link("../../y")})
    for path in ("..", "../x", "/etc", "d/../..", "a", "b", "d/up"):
        found = resolve(state, path)
        assert "outside" in (found.parent, found.real_parent), path


@given(states())
def test_json_round_trip(state: State) -> None:
    assert State.from_json(state.to_json()) == state
    assert hash(State.from_json(state.to_json())) == hash(state)
