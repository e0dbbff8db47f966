"""The folder as it would be, in symbols, while acts are done in it."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Ambiguous, Condition, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder, Refused, text_of
from dabhand.language import FolderView, Term

_PATTERN_OF_NAMES = re.compile(r"[*?]|\{[^{}]*(,|\.\.)[^{}]*\}")

KindWord = Literal["file", "folder", "missing"]


class Made(msgspec.Struct, frozen=True):
    """A file whose text is worked out."""

    text: Term


class Tree(msgspec.Struct, frozen=True):
    """What was, with all below it, at another (or the same) path of the folder as it was."""

    source: str


class NewFolder(msgspec.Struct, frozen=True):
    """A folder that was not there."""


class Gone(msgspec.Struct, frozen=True):
    """Nothing any more."""


Thing = Made | Tree | NewFolder | Gone


class Imagined:
    """What is at every path by now: as it was, or made, moved, copied, deleted."""

    def __init__(self, folder: FolderView) -> None:
        self.folder = folder
        self.things: dict[str, Thing] = {}
        self.modes: dict[str, bool] = {}
        self.reads: dict[str, None] = {}

    # -- what is where ------------------------------------------------------------------------------------------------

    def thing(self, path: str) -> Thing:
        """What is at a path by now."""
        return self.things[path] if path in self.things else self._implied(path)

    def _implied(self, path: str) -> Thing:
        """What is at a path by what became of the folders above it."""
        above = path.rpartition("/")[0]
        while above:
            if above in self.things:
                holder = self.things[above]
                return Tree(f"{holder.source}/{path[len(above) + 1 :]}") if isinstance(holder, Tree) else Gone()
            above = above.rpartition("/")[0]
        return Tree(path)

    def kind(self, path: str) -> KindWord:
        """What kind of thing is at a path by now."""
        if path in ("", "."):
            return "folder"
        match self.thing(path):
            case Made():
                return "file"
            case NewFolder():
                return "folder"
            case Tree(source):
                found = self.folder.kind(source)
                return found if found in ("file", "folder") else "missing"  # type: ignore[return-value]
            case _:
                return "missing"

    def text(self, path: str) -> Term:
        """The term for the text of the file at a path.

        Raises:
            Refused: no file is there.
        """
        self.require(path, "file")
        match self.thing(path):
            case Made(text):
                return text
            case Tree(source):
                self.reads[source] = None
                return text_of(source)
        raise AssertionError("a file is made or was there")

    def require(self, path: str, kind: str = "") -> None:
        """Refuse when nothing, or something of another kind, is at a path."""
        empty, kind = kind.startswith("empty "), kind.removeprefix("empty ")
        found = self.kind(path)
        if empty and kind == found and not self._is_empty(path):
            raise Refused(f"The {kind} {path!r} is not empty.", "Ask without saying so if it is meant all the same.")
        if found == "missing":
            raise Refused(f"There is no {kind or 'file or folder'} {path!r}.", "Check the name.")
        if kind and found != kind:
            raise Refused(f"{path!r} is a {found}, not a {kind}.")
        if isinstance(thing := self.thing(path), Tree):
            self.reads[thing.source] = None

    def _is_empty(self, path: str) -> bool:
        """Whether what is at a path, as it was, holds nothing; what the request itself made is not looked into."""
        if not isinstance(thing := self.thing(path), Tree):
            return False
        if self.folder.kind(thing.source) == "folder":
            return not self.folder.names(thing.source)
        return not self.folder.text(thing.source)

    def path(self, given: str) -> str:
        """A path as a request gives it, as a path of the folder."""
        plain = plain_path(given)
        if _PATTERN_OF_NAMES.search(plain) and self.kind(plain) == "missing":
            raise NotUnderstood(f"{given!r} looks like a pattern for several names.", "Name each file.")
        return plain

    # -- what may be done ---------------------------------------------------------------------------------------------

    def require_parent(self, path: str) -> None:
        """Refuse when the folder that a path is in is not there."""
        above = path.rpartition("/")[0]
        if above and self.kind(above) != "folder":
            raise Refused(f"There is no folder {above!r} to put {path!r} in.", f"Ask for the folder {above!r} first.")

    def require_free_of(self, source: str, target: str) -> None:
        """Refuse to put a thing where it must not go."""
        if target == source or target.startswith(source + "/"):
            raise Refused(f"{source!r} cannot be put into itself.")
        if source.startswith(target + "/"):
            raise Refused(f"{target!r} holds {source!r} and cannot be replaced by it.")
        if self.kind(target) == "folder":
            raise Refused(f"A folder {target!r} is there already." if target else "The folder itself is there already.")
        if self.kind(target) == "file" and self.kind(source) == "folder":
            raise Refused(f"A file {target!r} is there already.")
        self.require_parent(target)

    def require_no_text(self, path: str) -> None:
        """Decline to take words "from" a file: whether their lines go too is not said."""
        above, _, words = path.rpartition("/")
        if above and self.kind(above) == "file":
            raise Ambiguous(
                f"{above!r} is a file, so the request can be taken in 2 ways: only {words!r} is taken out of its "
                "lines; or: the lines with it go.",
                f'Say "delete the lines containing {words}" or "delete all occurrences of {words}".',
            )

    def require_no_root(self, path: str, done: str) -> None:
        """Refuse to do something to the folder itself."""
        if not path:
            raise Refused(f"The folder itself, which is worked in, cannot be {done}.", "Name what is in it.")

    # -- changes ------------------------------------------------------------------------------------------------------

    def put(self, source: str, path: str) -> None:
        """Let a path hold what another holds."""
        below = {inner: thing for inner, thing in self.things.items() if inner.startswith(source + "/")}
        self.things[path] = self.thing(source)
        for inner, thing in below.items():
            self.things[path + inner[len(source) :]] = thing
        if source in self.modes:
            self.modes[path] = self.modes[source]

    def swap(self, first: str, second: str) -> None:
        """Let two things change places."""
        for one, other in ((first, second), (second, first)):
            self.require_no_root(one, "swapped")
            self.require(one)
            if one == other or one.startswith(other + "/"):
                raise Refused(f"{first!r} and {second!r} cannot change places.")
        if self.touches(first) or self.touches(second) or self.kind(first) != self.kind(second):
            raise Refused(f"{first!r} and {second!r} cannot change places.", "Move them one by one.")
        self.things[first], self.things[second] = self.thing(second), self.thing(first)

    def remove(self, path: str) -> None:
        """Let nothing be at a path."""
        for inner in [inner for inner in self.things if inner.startswith(path + "/")]:
            del self.things[inner]
        self.modes.pop(path, None)
        self.things[path] = Gone()

    # -- what it all comes to -----------------------------------------------------------------------------------------

    def conditions(self) -> tuple[Condition, ...]:
        """What differs from the folder as it was."""
        conditions: list[Condition] = []
        for path, thing in sorted(self.things.items()):
            match thing:
                case Made(text):
                    conditions.append(Holds(path, text))
                case NewFolder():
                    conditions.append(IsFolder(path))
                    conditions += [IsAbsent(inner) for inner in self._left_in(path)]
                case Tree(source) if thing != self._implied(path):
                    conditions.append(IsCopy(path, source))
                    new = self.folder.names(source) if self.folder.kind(source) == "folder" else None
                    if new is not None:  # that a file may take the place of a folder has to be said
                        conditions += [IsAbsent(inner) for inner in self._left_in(path, new)]
                case Gone() if self._would_be(path):
                    conditions.append(IsAbsent(path))
        conditions += [IsExecutable(path, wanted) for path, wanted in sorted(self.modes.items())]
        return tuple(conditions)

    def changed_in(self, folder: str) -> bool:
        """Whether something in a folder is not as it was."""
        return any(not folder or path.startswith(folder + "/") for path in self.things)

    def touches(self, path: str) -> bool:
        """Whether what is at a path, or below it, is not as it was."""
        changed = [one for one, thing in self.things.items() if thing != Tree(one)]
        return any(
            one == path or one.startswith(path + "/") or path.startswith(one + "/") for one in [*changed, *self.modes]
        )

    def comes_along(self, path: str) -> bool:
        """Whether what is at a path is only what came there with a folder that it is in, as it was."""
        own = any(one == path or one.startswith(path + "/") for one in (*self.things, *self.modes))
        return not own and isinstance(self.thing(path), Tree)

    def _left_in(self, path: str, new: Collection[str] = ()) -> list[str]:
        """What was in a folder that is gone, in whose place there is another one with these names in it."""
        if self.folder.kind(path) != "folder" or Tree(path) in self.things.values():
            return []
        names = (name for name in self.folder.names(path) or () if name not in new)
        return [f"{path}/{name}" for name in names if f"{path}/{name}" not in self.things]

    def _would_be(self, path: str) -> bool:
        """Whether something would be at a path if it were not gone: as it was, or come with the folder it is in."""
        thing = self._implied(path)
        return isinstance(thing, Tree) and self.folder.kind(thing.source) != "missing"


def plain_path(path: str) -> str:
    """A path as requests give it, as one of the folder.

    Raises:
        Refused: it leads out of the folder.
    """
    if path.startswith(("/", "~")):
        raise Refused(f"{path!r} is outside the folder.", "Give paths relative to --root.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Refused(f"{path!r} may lead out of the folder.", "Give paths without '..'.")
    if "\0" in path:
        raise Refused(f"{path!r} holds a null character, which no path can.")
    return "/".join(parts)
