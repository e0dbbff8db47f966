"""Adding dabhand to a host, and taking it out again: backup first, one file at a time, byte for byte back.

What was written is recorded in the store beside copies of what was there. Where a file is still as it was written, the
copy is put back; where somebody changed it since, only what is ours is cut out of it, and a copy of what stood there is
kept.
"""

from __future__ import annotations

import errno
import hashlib
import stat
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from dabhand.errors import Conflict, UsageError
from dabhand.interfaces.hosts import editing, entries, leftovers
from dabhand.interfaces.hosts.editing import Edit, Past
from dabhand.interfaces.hosts.known import Host
from dabhand.workspace.durable import replace_file

_RECORD = "installed.json"


class Kept(msgspec.Struct, frozen=True):
    """One file as it was before we wrote to it.

    Attributes:
        path: of the file.
        copy: the name of the copy beside the record, without anything of ours; None when there was no file.
        written: the hash (SHA-256) of what we wrote.
        made: folders that were made for it, innermost last.
    """

    path: str
    copy: str | None
    written: str
    made: tuple[str, ...] = ()

    @property
    def written_copy(self) -> str:
        """The name of the copy of what we wrote."""
        return f"{digest(self.path)[:12]}-{self.written[:12]}.written"

    def past(self, folder: Path) -> Past | None:
        """What was there and what was written; None where a copy was lost or is not what it was."""
        base = None if self.copy is None else read(folder / self.copy)
        written = read(folder / self.written_copy)
        if written is None or digest(written) != self.written:
            return None
        if self.copy is not None and (base is None or self.copy != copy_name(self.path, base)):
            return None
        return Past(base, written)


class Record(msgspec.Struct, frozen=True):
    """All that was changed in one host."""

    host: str
    files: tuple[Kept, ...]


def plan_install(host: Host, command: Sequence[str], hook: str | None, folder: Path) -> list[Edit]:
    """What adding dabhand to a host changes; nothing where it is there already.

    Args:
        host: the host.
        command: the command line that starts the server.
        hook: the command line of the hook, where one is wanted.
        folder: where the store keeps what installing changed.

    Raises:
        BrokenConfiguration: a file of the host's cannot be read.
        Conflict: what stands where ours belongs may be somebody's own.
    """
    if hook is not None and host.hooks is None:
        raise UsageError(f"{host.title} has no hooks that dabhand knows.", "Install it without --hook.")
    pasts = _pasts(host, folder)
    settings, known = read(host.settings), read(host.instructions)
    edits = [
        Edit(host.settings, settings, editing.with_server(host, settings, command)),
        Edit(host.instructions, known, editing.with_instructions(host, known, pasts.get(host.instructions))),
    ]
    if hook is not None and host.hooks is not None:
        before = read(host.hooks)
        edits.append(Edit(host.hooks, before, editing.with_hook(host, before, hook)))
    return [
        msgspec.structs.replace(edit, base=_base(host, edit.path, edit.before, pasts.get(edit.path)))
        for edit in edits
        if edit.before != edit.after
    ]


def plan_remove(host: Host, folder: Path) -> list[Edit]:
    """What taking dabhand out of a host changes.

    Args:
        host: the host.
        folder: where the store keeps what installing changed.

    Raises:
        BrokenConfiguration: a file of the host's cannot be read.
    """
    pasts = _pasts(host, folder)
    edits: list[Edit] = []
    older = False
    for path in host.files:
        text = read(path)
        if not older or path in pasts:  # what another store put beside an older entry stays with it
            edits.append(Edit(path, text, _without_ours(host, path, text, pasts.get(path))))
        older = older or (path == host.settings and entries.installed(host, edits[-1].after) is not None)
    return [edit for edit in edits if edit.before != edit.after]


def _base(host: Host, path: Path, text: str | None, past: Past | None) -> str | None:
    """What removing leads back to: what is there now, where we never wrote to it."""
    return text if past is None else _without_ours(host, path, text, past)


def _without_ours(host: Host, path: Path, text: str | None, past: Past | None) -> str | None:
    """A file as it was, where it is as we wrote it; else without what is ours; None where nothing is left of it."""
    if text is None or (past is not None and past.written == text):
        return None if past is None or text is None else past.base
    if path == host.settings:
        after = editing.without_server(host, text, past)
    elif path == host.instructions:
        after = editing.without_instructions(host, text, past)
    else:
        after = editing.without_hook(host, text, past)
    is_own = path == host.instructions and host.instructions_as != "block"
    was_made = past.base is None if past is not None else is_own and after != text
    return None if was_made and editing.is_empty(host, path, after) else after


def _pasts(host: Host, folder: Path) -> dict[Path, Past]:
    found = {Path(each.path): each.past(folder) for each in _record(host, folder).files}
    return {path: past for path, past in found.items() if past is not None}


def apply(host: Host, edits: Iterable[Edit], folder: Path, *, removing: bool = False) -> list[Path]:
    """Write what was worked out.

    Returns:
        Copies of what cannot be put back byte for byte.

    Raises:
        Conflict: a file was changed meanwhile; those before it are written, and asking again goes on from there.
        UsageError: a file cannot be written.
    """
    files = {each.path: each for each in _record(host, folder).files}
    copies = []
    edits = list(edits)
    _clean(host, edits, files, folder)
    for edit in edits:
        known = files.get(str(edit.path))
        past = None if known is None else known.past(folder)
        leads_to = edit.after if removing else edit.base
        if removing and edit.before is not None and (past is None or edit.before != past.written):
            copies.append(_put_by(folder, _lasting(edit.path, edit.before), edit.before))
        if past is not None and past.base is not None and _loses(host, edit.path, past.base, leads_to):
            copies.append(_put_by(folder, _lasting(edit.path, past.base), past.base))
        if not removing and edit.after is not None:
            files[str(edit.path)] = _keep(edit, known, folder)
            _save(Record(host.name, tuple(files.values())), folder)
        _write(edit.path, edit.after, expected=edit.before)
    if removing:
        _forget(host, files, folder)
    else:
        _sweep(files.values(), folder)
    return copies


def _clean(host: Host, edits: Iterable[Edit], files: dict[str, Kept], folder: Path) -> None:
    """Remove what an installation or removal that was killed left half written."""
    texts = {edit.path: [edit.before, edit.after] for edit in edits}
    for path in host.files:
        kept = files.get(str(path))
        past = None if kept is None else kept.past(folder)
        known = [] if past is None else [past.base, past.written]
        leftovers.clean(path, [*texts.get(path, ()), *known])


def _loses(host: Host, path: Path, base: str, after: str | None) -> bool:
    """Whether an entry that was there before us is in a file no longer."""
    if path != host.settings or entries.standing(host, base) is None:
        return False
    return entries.standing(host, after) is None


def _lasting(path: Path, text: str) -> str:
    """The name of a copy that stays until somebody removes it."""
    return copy_name(str(path), text).replace(".backup", ".removed")


def _forget(host: Host, files: dict[str, Kept], folder: Path) -> None:
    """Let go of what was kept of this host's files; the record may tell of others, of the same host elsewhere."""
    gone = [files.pop(str(path)) for path in host.files if str(path) in files]
    for made in sorted({made for each in gone for made in each.made}, key=len, reverse=True):
        _remove_empty(Path(made))
    if files:
        _save(Record(host.name, tuple(files.values())), folder)
    elif gone or (folder / _name(host)).exists():
        (folder / _name(host)).unlink(missing_ok=True)
    for each in gone:
        for name in (each.copy, each.written_copy):
            if name is not None:
                (folder / name).unlink(missing_ok=True)


def _keep(edit: Edit, known: Kept | None, folder: Path) -> Kept:
    """Put by what is there without us, and what is going to be written."""
    assert edit.after is not None
    path = str(edit.path)
    real = edit.path.resolve()  # a link may lead to where no folder is yet
    missing = [each for each in real.parents if not each.exists()]
    made = tuple(str(each) for each in reversed(missing)) or (known.made if known else ())
    copy = None if edit.base is None else copy_name(path, edit.base)
    kept = Kept(path, copy, digest(edit.after), made)
    if copy is not None and edit.base is not None:
        _put_by(folder, copy, edit.base)
    _put_by(folder, kept.written_copy, edit.after)
    return kept


def _put_by(folder: Path, name: str, text: str) -> Path:
    _make_private(folder)
    _write(folder / name, text, mode=0o600)
    return folder / name


def _sweep(kept: Iterable[Kept], folder: Path) -> None:
    """Let go of copies that a later installation took the place of."""
    every = list(kept)
    wanted = {name for each in every for name in (each.copy, each.written_copy)}
    for each in every:
        for file in folder.glob(f"{digest(each.path)[:12]}-*"):
            if file.suffix in (".backup", ".written") and file.name not in wanted:
                file.unlink(missing_ok=True)


def copy_name(path: str, text: str) -> str:
    """What the copy of a file is called."""
    return f"{digest(path)[:12]}-{digest(text)[:12]}.backup"


def read(path: Path) -> str | None:
    """What a file holds, or None where there is none.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # which may never end, or never begin
            raise UsageError(f"{str(path)!r} is no regular file.", "Put a file in its place, then try again.")
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror}.", "Mend that, then try again.") from error


def digest(text: str) -> str:
    """A hash of a text (SHA-256)."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _write(path: Path, text: str | None, *, mode: int | None = None, expected: str | None = None) -> None:
    """Replace a file's content by one rename, through a link to it, or remove it (never the link).

    Raises:
        Conflict: it is not what was expected, where it is one that others write to.
        UsageError: it cannot be written.
    """
    path = path.resolve()
    try:
        if text is None:
            _require(path, expected)
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        is_ours = mode is not None
        mode = mode if mode is not None else (path.stat().st_mode & 0o777 if path.exists() else 0o600)
        check = partial(_require, path, expected) if not is_ours else lambda: None
        replace_file(path, text.encode("utf-8", "surrogateescape"), mode, check)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}.", "Mend that, then try again.") from error


def _require(path: Path, expected: str | None) -> None:
    if read(path) != expected:
        raise Conflict(f"{str(path)!r} was changed by somebody else just now.", "Try again.")


def _make_private(folder: Path) -> None:
    """Make the folder of records, and the store that it is in, for nobody else: settings of hosts hold keys."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"The folder {str(folder)!r} cannot be made: {error.strerror}.", "Name another store with --store."
        ) from error


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.ENOENT, errno.EEXIST):
            raise


def _name(host: Host) -> str:
    return f"{host.name}-{_RECORD}"


def _record(host: Host, folder: Path) -> Record:
    text = read(folder / _name(host))
    if text is None:
        return Record(host.name, ())
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogateescape"), type=Record)
    except msgspec.DecodeError as error:
        raise UsageError(
            f"The record {str(folder / _name(host))!r} is damaged: {error}.", "Remove it by hand."
        ) from error


def _save(record: Record, folder: Path) -> None:
    _make_private(folder)
    _write(folder / f"{record.host}-{_RECORD}", msgspec.json.encode(record).decode(), mode=0o600)
