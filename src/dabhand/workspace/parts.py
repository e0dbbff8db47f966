"""Taking in a part of a folder: some paths, all below them and what lies above; a large rest costs nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from dabhand.errors import NotConfined
from dabhand.workspace.confined import ConfinedFolder, reason
from dabhand.workspace.resolve import MAX_LINKS
from dabhand.workspace.snapshot import Odd, Snapshot, SnapshotLimits, Taker
from dabhand.workspace.state import FOLDER, Link, parent_of


def is_small(folder: ConfinedFolder, entries: int, size: int) -> bool:
    """Whether a folder holds no more than so many entries and bytes; looks at no more than about so many."""
    waiting, left = [""], size
    while waiting:
        path = waiting.pop()
        try:
            with folder.folder(path, follow=False) as fd, os.scandir(fd) as listing:
                for item in listing:
                    entries -= 1
                    left -= item.stat(follow_symlinks=False).st_size if item.is_file(follow_symlinks=False) else 0
                    if entries < 0 or left < 0:
                        return False
                    if item.is_dir(follow_symlinks=False):
                        name = os.fsencode(item.name).decode("utf-8", "surrogateescape")
                        waiting.append(f"{path}/{name}" if path else name)
        except (OSError, NotConfined):
            continue  # what cannot be looked into, or is gone by now, is not much to take in
    return True


def take_parts(
    folder: ConfinedFolder, paths: Iterable[str], limits: SnapshotLimits | None = None
) -> tuple[Snapshot, frozenset[str]]:
    """Read what lies at some paths, and below them; links on the way are followed inside the folder.

    Args:
        folder: the folder.
        paths: relative; what is not there is taken in as missing.
        limits: of all that is taken in together.

    Returns:
        The part, and the folders in it of which not everything inside was read ("" is the folder itself).

    Raises:
        FolderTooLarge: when the part is larger than `limits` allow.
        Conflict: when it changes so much while it is read that no one moment can be had.
    """
    taking = _Taking(folder, Taker(limits or SnapshotLimits()))
    for path in sorted(set(paths)):
        taking.take(path)
    return taking.taker.snapshot(), frozenset(taking.partial | {""})


class _Taking:
    def __init__(self, folder: ConfinedFolder, taker: Taker) -> None:
        self.folder = folder
        self.taker = taker
        self.partial: set[str] = set()
        self._links = 0

    def take(self, path: str) -> None:
        """Take in the entry at a path, following links in the part of the way that is known to be folders."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        here = ""
        for number, part in enumerate(parts):
            here = f"{here}/{part}" if here else part
            if here in self.taker.nodes and here not in self.partial and not isinstance(self.taker.nodes[here], Link):
                return  # it came with a whole tree
            found = self.folder.stat(here)
            if found is None:
                return
            if stat.S_ISLNK(found.st_mode):
                self._take_entry(here)
                self._follow(here, parts[number + 1 :])
                return
            if number == len(parts) - 1 or not stat.S_ISDIR(found.st_mode):
                self._take_entry(here)
                return
            if here not in self.taker.nodes:
                self.taker.add(here, FOLDER, found)
                self.partial.add(here)

    def _take_entry(self, path: str) -> None:
        if path in self.partial:  # read whole from now on
            self.partial.discard(path)
            inner = [key for key in self.taker.nodes if key == path or key.startswith(path + "/")]
            for key in inner:
                del self.taker.nodes[key]
                self.partial.discard(key)
        if path in self.taker.nodes:
            return
        try:
            with self.folder.place(path, follow=False) as place:
                self.taker.take_entry(place, path, path.count("/"))
        except (OSError, NotConfined) as error:
            self.taker.odd.append(Odd(path, f"it cannot be read: {reason(error)}"))

    def _follow(self, link: str, rest: list[str]) -> None:
        """Take in what a link leads to, unless that is outside."""
        node = self.taker.nodes.get(link)
        self._links += 1
        if not isinstance(node, Link) or node.target.startswith("/") or self._links > MAX_LINKS:
            return
        parts = [part for part in parent_of(link).split("/") if part]
        for part in [*node.target.split("/"), *rest]:
            if part == "..":
                if not parts:
                    return
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        self.take("/".join(parts))
