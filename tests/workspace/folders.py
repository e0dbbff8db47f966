"""Writing a state to a real folder and random states: the material of this room's tests."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import strategies as st

from dabhand.workspace import FOLDER, File, Folder, Link, State

NAMES = ["a", "b", "c.txt", "-x", "sp ace", "é", "q'uote", "\udcff\udc80", "new\nline", "$(x)"]
names = st.sampled_from(NAMES)
contents = st.sampled_from([b"", b"x", b"b\na\n", b"\xff\xfe", b"no newline"])
targets = st.lists(st.sampled_from([*NAMES[:4], "..", "."]), min_size=1, max_size=4).map("/".join)
targets = targets.filter(lambda target: target == "." or not target.endswith("/."))
"""What links point to; "x/." is left out: it asks for a folder in a way a state's links do not (see `resolve`)."""
nodes = st.one_of(st.builds(File, contents, st.booleans()), st.just(FOLDER), st.builds(Link, targets), st.just(FOLDER))


@st.composite
def states(draw: st.DrawFn, size: int = 8) -> State:
    """A random folder, at most three deep."""
    made: dict[str, object] = {}
    for _ in range(draw(st.integers(0, size))):
        above = draw(st.sampled_from([""] + [path + "/" for path, node in made.items() if isinstance(node, Folder)]))
        if above.count("/") < 3:
            made.setdefault(above + draw(names), draw(nodes))
    return State(made)  # type: ignore[arg-type]


def write_state(root: Path, state: State) -> None:
    """Make a real folder hold a state."""
    root.mkdir(exist_ok=True)
    for path, node in state.items():
        place = os.fsencode(root) + b"/" + path.encode("utf-8", "surrogateescape")
        match node:
            case Folder():
                os.mkdir(place)  # noqa: PTH102  (names here are bytes)
            case Link(target):
                os.symlink(target.encode("utf-8", "surrogateescape"), place)  # noqa: PTH211
            case File(data, executable):
                fd = os.open(place, os.O_WRONLY | os.O_CREAT, 0o755 if executable else 0o644)
                os.write(fd, data)
                os.close(fd)
