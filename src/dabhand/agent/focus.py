"""The part of a folder that a request is about: all that is read, imagined and checked when the whole is large."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from dabhand.errors import NotConfined
from dabhand.goals import Goal, IsCopy, Refused
from dabhand.language import Const, Kind
from dabhand.language.terms import subterms
from dabhand.planning.fillings import SCRATCH, scratch_name
from dabhand.sandbox import Part
from dabhand.workspace import ConfinedFolder, SnapshotLimits, is_small, take_parts, take_snapshot

SMALL_ENTRIES = 200
SMALL_BYTES = 1 << 20
"""A folder up to this size is taken in as a whole: what a command may do to anything in it is then foreseen exactly."""


class LiveView:
    """A real folder as the terms of a goal see it: read only where it is asked about, and each thing once.

    What is no readable file reads as nothing, as in a `StateView`.
    """

    def __init__(self, folder: ConfinedFolder) -> None:
        self._folder = folder
        self._limit = SnapshotLimits().file_bytes
        self._texts: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._names: dict[str, tuple[str, ...] | None] = {}

    def text(self, path: str) -> str:
        """The text of the file; "" where there is none.

        Raises:
            Refused: it is too large to be worked with, or may not be read.
        """
        if path not in self._texts:
            self._texts[path] = self._read(path) if self.kind(path) == "file" else ""
        return self._texts[path]

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in the folder; None where there is none."""
        if path not in self._names:
            self._names[path] = self._list(path) if self.kind(path) == "folder" else None
        return self._names[path]

    def kind(self, path: str) -> str:
        """What the path leads to.

        Raises:
            Refused: nobody lets us look, so whether anything is there is not known.
        """
        if path not in self._kinds:
            self._kinds[path] = self._look(path)
        return self._kinds[path]

    def _look(self, path: str) -> str:
        import stat

        try:
            found = self._folder.stat(_inside(path), follow=True)
        except PermissionError as error:
            raise self._closed(path) from error
        except (NotConfined, OSError):
            return "missing"
        if found is None:
            return "missing"
        return "file" if stat.S_ISREG(found.st_mode) else "folder" if stat.S_ISDIR(found.st_mode) else "missing"

    def _list(self, path: str) -> tuple[str, ...] | None:
        try:
            return self._folder.names(_inside(path))
        except PermissionError as error:
            raise self._closed(path) from error
        except (NotConfined, OSError):
            return None

    def _read(self, path: str) -> str:
        try:
            data = self._folder.read(_inside(path), limit=self._limit + 1)
        except PermissionError as error:
            raise self._closed(path) from error
        except (NotConfined, OSError):
            return ""
        if len(data) > self._limit:
            raise Refused(f"{path!r} cannot be worked with: it is larger than {self._limit} bytes.")
        return data.decode("utf-8", "surrogateescape")

    def _closed(self, path: str) -> Refused:
        """What keeps us from `path`: the innermost thing on the way there that can be seen."""
        seen = _inside(path)
        while seen:
            try:
                self._folder.stat(seen, follow=True)
                break
            except (PermissionError, NotConfined):
                seen = seen.rpartition("/")[0]
        return Refused(
            f"{seen or '.'!r} cannot be looked into: permission denied.", "Change who may read it, or ask its owner."
        )


def taken(folder: ConfinedFolder, goal: Goal) -> Part:
    """All of a folder that is small; of a large one what the goal speaks of, with all above and below it.

    Raises:
        FolderTooLarge: what the goal speaks of is more than one run may take in.
        Conflict: it changes while it is read.
        PermissionError: the way to something that the goal speaks of is closed.
    """
    spoken = {_inside(path) for path in spoken_of(goal)}
    if "" in spoken or is_small(folder, SMALL_ENTRIES, SMALL_BYTES):
        return Part(take_snapshot(folder))
    return Part(*take_parts(folder, (*spoken, *_scratch_names(folder))))


def spoken_of(goal: Goal) -> tuple[str, ...]:
    """Paths of which a goal speaks, in its conditions and its terms."""
    copied = [one.source for one in goal.conditions if isinstance(one, IsCopy)]
    read = [
        str(part.value)
        for term in goal.terms
        for part in subterms(term)
        if isinstance(part, Const) and part.kind is Kind.PATH
    ]
    return tuple(dict.fromkeys((*goal.paths, *goal.reads, *copied, *read)))


def _scratch_names(folder: ConfinedFolder) -> Iterator[str]:
    """Names that planning would take for free, although something has them."""
    free = 0
    for name in map(scratch_name, itertools.count(1)):
        if folder.stat(name) is not None:
            yield name
            continue
        free += 1
        if free >= SCRATCH:
            return


def _inside(path: str) -> str:
    """A path as it is inside the folder: "" for the folder itself."""
    return "/".join(part for part in path.split("/") if part not in ("", ".")) if not path.startswith("/") else path
