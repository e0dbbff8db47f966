"""Making every entry of a record what it is to be, and taking that back, from whatever point it was cut short at.

Nothing of the folder is destroyed before all of it is made: what is deleted or replaced waits under another name in
the same folder. So taking back needs no room on the disk, and gives back the very files (their links, owners, times).
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Mapping

from dabhand.errors import Conflict, DabhandError, NotConfined
from dabhand.workspace import placing
from dabhand.workspace.confined import ConfinedFolder
from dabhand.workspace.placing import Expected, Waiting, holds
from dabhand.workspace.record import Entry, Image, Record
from dabhand.workspace.snapshot import Stamp

OnStep = Callable[[str], None]
"""Called with a word before each thing that is done: the seam at which tests cut a transaction short."""

Contents = Callable[[str], Iterable[bytes]]
"""The bytes of a content by its SHA-256, in pieces."""

_PREFIX = ".dabhand-"
_GONE = (FileNotFoundError, NotADirectoryError, NotConfined)
"""How it shows that somebody removed or replaced a folder on the way; there is nothing to be done about that."""


class Carrying:
    """One record on its way in one folder, whose lock the caller holds.

    Args:
        folder: the folder.
        record: what is done in it.
        on_step: called before each act.
    """

    def __init__(self, folder: ConfinedFolder, record: Record, on_step: OnStep) -> None:
        self.folder = folder
        self.entries = dict(sorted(enumerate(record.entries), key=lambda item: item[1].path))
        self.waiting = _waiting(record)
        self.rescued: dict[str, str] = {}
        self.id = record.id
        self._on_step = on_step

    def perform(self, contents: Contents, stamps: Mapping[int, Stamp]) -> None:
        """Make every entry's `after` out of its `before`: stage, set aside (deepest first), put in place.

        Raises:
            Conflict: when something is not what it was; what was done by then is for `take_back`.
        """
        folder, deepest_first = self.folder, tuple(reversed(self.entries.items()))
        for number, entry in self.entries.items():
            if self._is_staged(entry) and entry.after is not None:
                self._on_step(f"stage {entry.path}")
                chunks = contents(entry.after.blob) if entry.after.blob else ()
                placing.stage(folder, self.waiting[number], entry.after, chunks)
        files = (number for number, entry in self.entries.items() if self._is_staged(entry) and _is_file(entry.after))
        self._on_step("sync staged")
        placing.sync_staged(folder, [self.waiting[number] for number in files])
        for number, entry in deepest_first:
            if entry.leaves and entry.before is not None:
                self._on_step(f"remove {entry.path}")
                expected = Expected(entry.before, stamps.get(number))
                placing.set_aside(folder, entry.path, expected, self.waiting[number])
        for number, entry in self.entries.items():
            if entry.after is not None:
                self._on_step(f"place {entry.path}")
                self._place(number, entry, entry.after, stamps.get(number))
        for _, entry in deepest_first:
            if entry.arrives and entry.after is not None and entry.after.kind == "folder":
                self._on_step(f"dress {entry.path}")  # only now: filling it changed its time, and needed rights
                placing.dress_folder(self.folder, entry.path, entry.after)
        self._on_step("sync")
        self._sync()

    def clean_up(self) -> None:
        """Remove all that waits; for when everything is made, or taken back."""
        for number, entry in self.entries.items():
            self._on_step(f"clean {entry.path}")
            for above, name in self._places(number, entry):
                placing.discard(self.folder, above, name)
        self._sync({waiting.above for waiting in self.waiting.values()})

    def take_back(self, contents: Contents) -> tuple[str, ...]:
        """Put every path that this transaction changed back, and clean up.

        Returns:
            Paths that hold what somebody else put there meanwhile, and so were left alone. What was there before is
            put beside them, under the names in `rescued`.
        """
        left: list[str] = []
        for number, entry in reversed(self.entries.items()):
            self._on_step(f"take back {entry.path}")
            if not self._cleared(number, entry):
                left.append(entry.path)
        for number, entry in self.entries.items():
            self._on_step(f"bring back {entry.path}")
            if entry.path not in left and not self._bring_back(number, entry, contents):
                left.append(entry.path)
        for entry in reversed(self.entries.values()):
            if entry.leaves and _is_folder(entry.before) and holds(self.folder, entry.path, entry.before):
                assert entry.before is not None
                placing.dress_folder(self.folder, entry.path, entry.before)
        for number, entry in self.entries.items():
            if entry.path in left:
                self._rescue(number, entry)
        self._sync()
        self.clean_up()
        return tuple(sorted(left))

    # forward ---------------------------------------------------------------------------------------------------------

    def _is_staged(self, entry: Entry) -> bool:
        if entry.after is None or entry.after.kind == "folder" or entry.only_mode:
            return False
        return entry.source is None

    def _place(self, number: int, entry: Entry, after: Image, stamp: Stamp | None) -> None:
        above, name = self._comes_from(number, entry)
        if entry.only_mode and entry.before is not None:
            placing.change_mode(self.folder, entry.path, Expected(entry.before, stamp), after)
        elif entry.replaces and entry.before is not None:
            spare = self.waiting[number].old
            placing.replace(self.folder, entry.path, Expected(entry.before, stamp), above, name, spare)
        elif after.kind != "folder":
            placing.arrive(self.folder, entry.path, above, name)
        elif entry.arrives:
            placing.make_folder(self.folder, entry.path)

    def _comes_from(self, number: int, entry: Entry) -> tuple[str, str]:
        """Where what is put in place waits: a new content, or what another entry set aside."""
        if entry.source is None:
            return self.waiting[number].above, self.waiting[number].fresh
        return self.waiting[entry.source].above, self.waiting[entry.source].old

    # back ------------------------------------------------------------------------------------------------------------

    def _cleared(self, number: int, entry: Entry) -> bool:
        try:
            return self._clear_way(number, entry)
        except _GONE:
            return False

    def _clear_way(self, number: int, entry: Entry) -> bool:
        """Take what was put in place away again; False where somebody else's is there by now."""
        if entry.replaces:
            return self._unreplace(number, entry)
        if entry.only_mode:
            return self._restore_mode(entry)
        if not entry.arrives or entry.after is None or holds(self.folder, entry.path, None):
            return True
        if entry.before is not None and holds(self.folder, entry.path, entry.before):
            return True  # it was never set aside
        if not holds(self.folder, entry.path, entry.after):
            return False
        if entry.after.kind != "folder":
            placing.withdraw(self.folder, entry.path, *self._comes_from(number, entry))
            return True
        try:
            placing.remove_folder(self.folder, entry.path)
        except Conflict:
            return False
        return True

    def _unreplace(self, number: int, entry: Entry) -> bool:
        if holds(self.folder, entry.path, entry.before) or holds(self.folder, entry.path, None):
            return True  # the latter is brought back later
        above, name = self._comes_from(number, entry)
        displaced = self._where_before_waits(number, entry)
        if displaced is None:
            return True  # nothing was put there yet, so what is there is none of our doing
        if not holds(self.folder, entry.path, entry.after):
            return False
        placing.bring_back(self.folder, entry.path, above, name, displaced[1])
        return True

    def _where_before_waits(self, number: int, entry: Entry) -> tuple[str, str] | None:
        """Folder and name where what was at an entry's path waits, if it does."""
        places = self._places(number, entry)
        return next((one for one in places if holds(self.folder, _joined(*one), entry.before)), None)

    def _places(self, number: int, entry: Entry) -> tuple[tuple[str, str], ...]:
        """Wherever contents of an entry may wait."""
        own = self.waiting[number]
        above, name = self._comes_from(number, entry)
        return tuple(dict.fromkeys(((above, name), (above, own.old), (own.above, own.old), (own.above, own.fresh))))

    def _restore_mode(self, entry: Entry) -> bool:
        if holds(self.folder, entry.path, entry.before):
            return True
        if entry.before is None or entry.after is None or not holds(self.folder, entry.path, entry.after):
            return False
        placing.change_mode(self.folder, entry.path, Expected(entry.after), entry.before)
        return True

    def _bring_back(self, number: int, entry: Entry, contents: Contents) -> bool:
        """Put what was set aside back in its place; False where that is taken, or nothing is left to put there."""
        if entry.before is None or not (entry.leaves or entry.replaces):
            return True
        if not holds(self.folder, entry.path, None):
            return entry.replaces or holds(self.folder, entry.path, entry.before)
        try:
            if entry.before.kind == "folder":
                placing.make_folder(self.folder, entry.path)
            elif (waits := self._where_before_waits(number, entry)) is not None:
                placing.arrive(self.folder, entry.path, *waits)
            else:
                self._rewrite(entry, entry.before, self.waiting[number], contents)
        except (DabhandError, *_GONE):
            return False
        return True

    def _rewrite(self, entry: Entry, before: Image, waiting: Waiting, contents: Contents) -> None:
        """Write what was there anew: for when somebody removed what was set aside."""
        placing.discard(self.folder, waiting.above, waiting.fresh)
        placing.stage(self.folder, waiting, before, contents(before.blob) if before.blob else ())
        placing.sync_staged(self.folder, [waiting] if _is_file(before) else [])
        placing.arrive(self.folder, entry.path, waiting.above, waiting.fresh)

    def _rescue(self, number: int, entry: Entry) -> None:
        """Give what was at a path that is taken by now a name that people see."""
        waits = self._where_before_waits(number, entry) if entry.before is not None else None
        if waits is None or not waits[1].startswith(_PREFIX):
            return
        above, name = waits
        for shown in (f"{entry.path.rpartition('/')[2]}.before-{self.id}", f"before-{self.id}-{number}"):
            try:
                placing.arrive(self.folder, _joined(above, shown), above, name)
            except (Conflict, *_GONE):
                continue
            except OSError as error:
                if error.errno != errno.ENAMETOOLONG:
                    raise
            else:
                self.rescued[entry.path] = _joined(above, shown)
                return

    def _sync(self, folders: Iterable[str] | None = None) -> None:
        if folders is None:
            above = {waiting.above for waiting in self.waiting.values()}
            inside = {
                entry.path for entry in self.entries.values() if entry.after is not None and _is_folder(entry.after)
            }
            folders = above | inside | {entry.path.rpartition("/")[0] for entry in self.entries.values()}
        placing.sync_folders(self.folder, sorted(folders))


def _waiting(record: Record) -> dict[int, Waiting]:
    """For each entry the nearest folder above it that is there before and after, and names in it."""
    unsteady = {entry.path for entry in record.entries if not (_is_folder(entry.before) and _is_folder(entry.after))}
    found = {}
    for number, entry in enumerate(record.entries):
        above = entry.path.rpartition("/")[0]
        while above in unsteady:
            above = above.rpartition("/")[0]
        found[number] = Waiting(above, f"{_PREFIX}{record.id}-{number}", f"{_PREFIX}{record.id}-{number}-old")
    return found


def _is_file(image: Image | None) -> bool:
    return image is not None and image.kind == "file"


def _is_folder(image: Image | None) -> bool:
    return image is not None and image.kind == "folder"


def _joined(above: str, name: str) -> str:
    return f"{above}/{name}" if above else name
