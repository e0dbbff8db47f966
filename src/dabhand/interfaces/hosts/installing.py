"""Adding dabhand to a host, and taking it out again: backup first, one file at a time, byte for byte back.

What was written is recorded in the store beside copies of what was there. Where a file is still as it was written, the
copy is put back; where somebody changed it since, only what is ours is cut out of it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from dabhand.errors import Conflict, UsageError
from dabhand.interfaces.hosts import editing
from dabhand.interfaces.hosts.editing import Edit
from dabhand.interfaces.hosts.known import Host
from dabhand.workspace.durable import sync_path

_RECORD = "installed.json"


class Kept(msgspec.Struct, frozen=True):
    """One file as it was before we wrote to it.

    Attributes:
        path: of the file.
        copy: the name of the copy beside the record; None when there was no file.
        written: the hash (SHA-256) of what we wrote.
        made: folders that were made for it, innermost last.
    """

    path: str
    copy: str | None
    written: str
    made: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True):
    """All that was changed in one host."""

    host: str
    files: tuple[Kept, ...]


def plan_install(host: Host, command: Sequence[str], hook: str | None) -> list[Edit]:
    """What adding dabhand to a host changes; nothing where it is there already.

    Args:
        host: the host.
        command: the command line that starts the server.
        hook: the command line of the hook, where one is wanted.

    Raises:
        BrokenConfiguration: a file of the host's cannot be read.
    """
    if hook is not None and host.hooks is None:
        raise UsageError(f"{host.title} has no hooks that dabhand knows.", "Install it without --hook.")
    settings = read(host.settings)
    edits = [Edit(host.settings, settings, editing.with_server(host, settings, command))]
    known = read(host.instructions)
    edits.append(Edit(host.instructions, known, editing.with_instructions(host, known)))
    if hook is not None and host.hooks is not None:
        before = read(host.hooks)
        edits.append(Edit(host.hooks, before, editing.with_hook(host, before, hook)))
    return [edit for edit in edits if edit.before != edit.after]


def plan_remove(host: Host, folder: Path) -> list[Edit]:
    """What taking dabhand out of a host changes.

    Args:
        host: the host.
        folder: where the store keeps what installing changed.

    Raises:
        BrokenConfiguration: a file of the host's cannot be read.
    """
    kept = {each.path: each for each in _record(host, folder).files}
    edits = [
        _back(host.settings, kept, folder, lambda text, ours: editing.without_server(host, text, emptied=ours)),
        _back(host.instructions, kept, folder, lambda text, ours: editing.without_instructions(host, text)),
    ]
    if host.hooks is not None:
        edits.append(_back(host.hooks, kept, folder, lambda text, ours: editing.without_hook(host, text, emptied=ours)))
    return [edit for edit in edits if edit.before != edit.after]


def _back(path: Path, kept: dict[str, Kept], folder: Path, cut: object) -> Edit:
    """A file as it was, where it is as we wrote it; else without what is ours."""
    text, record = read(path), kept.get(str(path))
    if text is None:
        return Edit(path, None, None)
    assert callable(cut)
    if record is not None and digest(text) == record.written:
        return Edit(path, text, None if record.copy is None else read(folder / record.copy))
    after = cut(text, record is not None and record.copy is None)
    if after is not None and not after.strip() and record is not None and record.copy is None:
        after = None
    return Edit(path, text, after)


def apply(host: Host, edits: Iterable[Edit], folder: Path, *, removing: bool = False) -> None:
    """Write what was worked out.

    Raises:
        Conflict: a file was changed meanwhile; those before it are written, and asking again goes on from there.
        UsageError: a file cannot be written.
    """
    record = _record(host, folder)
    files = {each.path: each for each in record.files}
    for edit in edits:
        if read(edit.path) != edit.before:
            raise Conflict(f"{str(edit.path)!r} was changed by somebody else just now.", "Try again.")
        known = files.get(str(edit.path))
        if not removing and edit.after is not None:
            files[str(edit.path)] = _keep(edit, known, folder)
            _save(Record(host.name, tuple(files.values())), folder)
        _write(edit.path, edit.after)
    if removing:
        for made in sorted({made for each in files.values() for made in each.made}, key=len, reverse=True):
            _remove_empty(Path(made))
        for each in files.values():
            if each.copy is not None:
                (folder / each.copy).unlink(missing_ok=True)
        (folder / _name(host)).unlink(missing_ok=True)


def _keep(edit: Edit, known: Kept | None, folder: Path) -> Kept:
    """Put by what is there, unless the very first version is put by already and nothing else was written since."""
    assert edit.after is not None
    if known is not None and edit.before is not None and digest(edit.before) == known.written:
        return msgspec.structs.replace(known, written=digest(edit.after))
    copy = None
    if edit.before is not None:
        copy = f"{digest(str(edit.path))[:12]}-{digest(edit.before)[:12]}.backup"
        _make_private(folder)
        _write(folder / copy, edit.before, mode=0o600)
    missing = [each for each in (edit.path.parent, *edit.path.parent.parents) if not each.exists()]
    made = tuple(str(each) for each in reversed(missing))
    return Kept(str(edit.path), copy, digest(edit.after), made or (known.made if known else ()))


def read(path: Path) -> str | None:
    """What a file holds, or None where there is none.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror}.", "Mend that, then try again.") from error


def digest(text: str) -> str:
    """A hash of a text (SHA-256)."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _write(path: Path, text: str | None, mode: int | None = None) -> None:
    """Replace a file's content by one rename, through a link to it, or remove it."""
    try:
        if text is None:
            path.unlink()
            return
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = mode if mode is not None else (path.stat().st_mode & 0o777 if path.exists() else 0o600)
        fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(fd, "wb") as stream:
                os.fchmod(fd, mode)
                stream.write(text.encode("utf-8", "surrogateescape"))
                stream.flush()
                os.fsync(fd)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        sync_path(path.parent)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}.", "Mend that, then try again.") from error


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
