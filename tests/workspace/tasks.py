"""Random tasks on random folders, what a folder looks like in full, and dying or failing at a chosen system call."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from dabhand.workspace import (
    FOLDER,
    ConfinedFolder,
    File,
    Journal,
    Link,
    Origin,
    State,
    apply_to_folder,
    difference,
    renaming,
    take_snapshot,
)
from tests.workspace.folders import NAMES, write_state

MODES = (0o644, 0o600, 0o640, 0o755, 0o700, 0o444)
CHANGING = ("write", "fsync", "mkdir", "rmdir", "unlink", "link", "symlink", "rename", "replace", "fchmod", "fchown")
"""Calls of `os` that change something; the exchange of two names goes past `os`, and is counted apart."""


class Task:
    """A folder, and another that it is to become; told apart by seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.before = _random_state(self.rng)
        self.origins: dict[str, Origin] = {}
        self.after = self._changed(self.before)

    def make(self, root: Path) -> None:
        """Write the folder as it is before, with modes and times of its own."""
        rng = random.Random(1)
        write_state(root, self.before)
        for path in reversed(tuple(self.before)):
            node, place = self.before[path], _place(root, path)
            if isinstance(node, File):
                mode = rng.choice([mode for mode in MODES if bool(mode & stat.S_IXUSR) == node.executable])
                os.chmod(place, mode)  # noqa: PTH101  (names here are bytes)
            elif node == FOLDER:
                os.chmod(place, rng.choice((0o755, 0o700, 0o750)))  # noqa: PTH101
            os.utime(place, ns=(10**18, 10**18 + rng.randrange(10**9)), follow_symlinks=False)

    def apply(self, root: Path, journal: Journal) -> None:
        """Do it."""
        with ConfinedFolder(root) as folder:
            folder.lock()
            snapshot = take_snapshot(folder)
            changes = difference(snapshot.state, self.after)
            apply_to_folder(folder, snapshot, changes, journal, record_id="r1", origins=self.origins)

    def _changed(self, state: State) -> State:
        for _ in range(self.rng.randrange(1, 5)):
            state = self._changed_once(state)
        return state if state != self.before else state.with_changes({"surely": File(b"new")})

    def _changed_once(self, state: State) -> State:
        paths = list(state)
        here = self.rng.choice(paths) if paths else "a"
        there = self._somewhere(state)
        node = state.get(here)
        match self.rng.randrange(6):
            case 0:
                return state.with_changes({here: None})
            case 1:
                return _put(state, there, _random_node(self.rng))
            case 2 if isinstance(node, File):
                return state.with_changes({here: File(node.data, not node.executable)})
            case 3 if node is not None and not (there + "/").startswith(here + "/"):  # move, over what is there
                if (here + "/").startswith(there + "/"):
                    return state
                tree = {there + path[len(here) :]: state[path] for path in (here, *state.below(here))}
                self.origins |= {path: Origin(here + path[len(there) :], moved=True) for path in tree}
                moved = _put(state.with_changes({here: None}), there, None)
                return State({**moved, **tree})
            case 4:
                return _put(state, here, _random_node(self.rng))  # another kind, often
            case _ if isinstance(node, File):
                return state.with_changes({here: File(node.data + b"more\n", node.executable)})
        return state

    def _somewhere(self, state: State) -> str:
        folders = [""] + [path + "/" for path, node in state.items() if node == FOLDER]
        return self.rng.choice(folders) + self.rng.choice(NAMES)


def seen(root: Path, *, exactly: bool = True) -> dict[str, tuple[object, ...]]:
    """All of a folder: kinds, contents, modes; and, `exactly`, times and which file it is."""
    found: dict[str, tuple[object, ...]] = {}

    def look(place: bytes, prefix: str) -> None:
        for raw in os.listdir(place):  # noqa: PTH208
            name, path = raw.decode("utf-8", "surrogateescape"), os.path.join(place, raw)  # noqa: PTH118
            status = os.lstat(path)
            kind, mode = stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode)
            if stat.S_ISDIR(status.st_mode):
                found[prefix + name] = (kind, mode)
                look(path, prefix + name + "/")
            elif stat.S_ISLNK(status.st_mode):
                found[prefix + name] = (kind, os.readlink(path))  # noqa: PTH115
            else:
                with open(path, "rb") as stream:  # noqa: PTH123
                    found[prefix + name] = (kind, mode, stream.read())
                if exactly:
                    found[prefix + name] += (status.st_mtime_ns, status.st_ino)

    look(os.fsencode(root), "")
    return found


def in_child(act: Callable[[], None], at_call: int = -1) -> bool:
    """Do something in a child process that is killed at the given changing system call; False when it got through."""
    child = os.fork()
    if child == 0:
        try:
            at_calls(lambda number, name: os.kill(os.getpid(), signal.SIGKILL) if number == at_call else None)
            act()
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def count_calls(act: Callable[[], None]) -> int:
    """How many changing system calls something takes, found in a child process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            last = [0]
            at_calls(lambda number, name: last.__setitem__(0, number + 1))
            act()
            count = str(last[0]).encode()
            posix_write(writing, count)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    count = int(os.read(reading, 100) or b"-1")
    os.close(reading)
    assert os.waitpid(child, 0)[1] == 0
    return count


posix_write = os.write


def at_calls(hook: Callable[[int, str], None]) -> None:
    """Call `hook` with number and name before each changing system call of this process, for the rest of its life."""
    made = [0]

    def watched(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def instead(*given: object, **named: object) -> object:
            made[0] += 1
            hook(made[0] - 1, name)
            return call(*given, **named)

        return instead

    for name in CHANGING:
        setattr(os, name, watched(name, getattr(os, name)))
    renaming._rename = watched("exchange", renaming._rename)  # type: ignore[assignment]


def _random_state(rng: random.Random) -> State:
    made: dict[str, object] = {}
    for _ in range(rng.randrange(1, 9)):
        above = rng.choice(["", *(path + "/" for path, node in made.items() if node == FOLDER)])
        if above.count("/") < 4:
            made.setdefault(above + rng.choice(NAMES), _random_node(rng))
    return State(made)  # type: ignore[arg-type]


def _random_node(rng: random.Random) -> File | Link | object:
    match rng.randrange(6):
        case 0 | 1:
            return FOLDER
        case 2:
            return Link(rng.choice(NAMES))
        case _:
            return File(rng.choice([b"", b"same\n", rng.randbytes(rng.randrange(5000))]), rng.random() < 0.3)


def _put(state: State, path: str, node: object) -> State:
    """The state with something at a path, and nothing of what was at or below it."""
    gone = state.with_changes({path: None})
    return gone if node is None else gone.with_changes({path: node})  # type: ignore[dict-item]


def _place(root: Path, path: str) -> bytes:
    return os.fsencode(root) + b"/" + path.encode("utf-8", "surrogateescape")


@contextlib.contextmanager
def kernel(kind: int) -> Iterator[None]:
    """Do without what some kernels and file systems do not have: 1, exchanging two names; 2, hard links as well."""
    rename, link = renaming._rename, os.link
    if kind:
        renaming._rename = lambda source, target, flags: False
    if kind == 2:
        os.link = _not_permitted
    try:
        yield
    finally:
        renaming._rename, os.link = rename, link


def _not_permitted(*given: object, **named: object) -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
