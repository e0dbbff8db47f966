"""Where transcripts lie, and a copy of each under its hash, from which a corpus can be built again bit for bit."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from dabhand.errors import Conflict, UsageError

SUFFIXES = (".jsonl", ".json", ".traj", ".ndjson", ".jsonl.gz", ".json.gz", ".traj.gz", ".jsonl.zst", ".json.zst")
"""Names of files that are looked at in a folder; one that is named by itself is looked at whatever its name."""

NEVER_OPENED = frozenset(
    (
        "auth.json",
        ".credentials.json",
        "credentials.json",
        "oauth_creds.json",
        "google_accounts.json",
        "mcp-oauth-tokens.json",
        "settings.json",
        "settings.local.json",
        "config.json",
        "history.jsonl",
        "session_index.jsonl",
        "installation_id",
        ".claude.json",
    )
)
"""Files beside transcripts that hold secrets, or only what was typed."""

MANIFEST = "manifest.jsonl"
BLOCK = 1 << 18


class Found(msgspec.Struct, frozen=True):
    """A file that may be a transcript: what it is called in the corpus, and where it lies.

    Attributes:
        sha256: of a file that was kept before, the hash of its first `bytes` bytes; only those count.
    """

    label: str
    path: str
    sha256: str | None = None
    bytes: int | None = None


class Kept(msgspec.Struct, frozen=True):
    """A transcript that was copied: one line of the manifest.

    Attributes:
        sha256: hash of its bytes, and its name below the folder of copies.
        modified: when the host last wrote it, in seconds since 1970.
        taken: when it was copied, in seconds since 1970.
        path: where it lay.
    """

    file: str
    sha256: str
    bytes: int
    modified: float
    taken: float
    path: str


def discover(sources: Sequence[Path], out: Path) -> list[Found]:
    """The files of all sources, sorted by label; a folder of copies counts as what it is a copy of.

    Raises:
        UsageError: a source is not there, or cannot be listed.
    """
    found: dict[str, Found] = {}
    seen: set[str] = set()
    for source in sources:
        for each in _files_of(source, out):
            label, real = each.label, os.path.realpath(each.path)
            if real in seen:
                continue
            seen.add(real)
            name, count = label, 1
            while name in found:
                count += 1
                name = f"{label} ({count})"
            found[name] = msgspec.structs.replace(each, label=name, path=os.path.abspath(each.path))  # noqa: PTH100
    return [found[label] for label in sorted(found)]


def _files_of(source: Path, out: Path) -> Iterator[Found]:
    try:
        is_folder, is_there = source.is_dir(), source.exists()
    except (OSError, ValueError) as error:
        raise UsageError(f"The source {str(source)!r} cannot be looked at: {error}.", "Name another.") from error
    if not is_there:
        raise UsageError(f"The source {str(source)!r} does not exist.", "Name a transcript, or a folder of them.")
    if not is_folder:
        yield Found(source.name, str(source))
    elif (source / MANIFEST).is_file():
        yield from _copies(source)
    else:
        yield from _below(source, out.resolve())


def _copies(source: Path) -> Iterator[Found]:
    for kept in read_manifest(source):
        yield Found(kept.file, str(source / kept.sha256[:2] / kept.sha256), kept.sha256, kept.bytes)


def read_manifest(folder: Path) -> list[Kept]:
    """What a folder of copies holds.

    Raises:
        UsageError: its manifest is none.
    """
    try:
        lines = (folder / MANIFEST).read_bytes().splitlines()
        return [msgspec.json.decode(line, type=Kept) for line in lines]
    except (OSError, msgspec.DecodeError) as error:
        hint = "Name a folder `sources` that `dabhand corpus extract` wrote."
        raise UsageError(f"{str(folder / MANIFEST)!r} is no list of copied sources: {error}.", hint) from error


def _below(source: Path, out: Path) -> Iterator[Found]:
    def complain(error: OSError) -> None:
        raise UsageError(
            f"The source {error.filename!r} cannot be listed: {error.strerror}.", "Name what may be read."
        ) from error

    for folder, below, names in os.walk(source, onerror=complain):
        below[:] = sorted(name for name in below if (Path(folder) / name).resolve() != out)
        for name in sorted(names):
            path = Path(folder) / name
            if name in NEVER_OPENED or not name.endswith(SUFFIXES) or not path.is_file():
                continue
            if name.endswith(".zst") and name.removesuffix(".zst") in names:
                continue  # the host reads the plain file where both are there
            yield Found(path.relative_to(source).as_posix(), str(path))


def keep(found: Found, folder: Path, now: float, *, copy: bool) -> Kept:
    """Keep the bytes of a file under their hash: by a copy, or by a link where the host only ever appends to it.

    What is appended to a linked file later does not matter, because only as many bytes count as there were. Where no
    link can be made (another file system, somebody else's file), it is a copy.

    Raises:
        OSError: it cannot be read, or not be copied.
        Conflict: it was kept before, and has been rewritten since.
    """
    source = Path(found.path)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with io.FileIO(source) as stream:
        about = os.fstat(stream.fileno())
        limit = about.st_size if found.bytes is None else found.bytes
        sha256, size = _hashed(stream, limit)
        if found.sha256 is not None and (sha256, size) != (found.sha256, found.bytes):
            hint = "Extract from the transcripts themselves, if they are still there."
            raise Conflict(f"{found.label!r} has been rewritten since it was kept.", hint)
        place = folder / sha256[:2] / sha256
        place.parent.mkdir(mode=0o700, exist_ok=True)
        if not place.exists() and (copy or not _linked(source, place)):
            stream.seek(0)
            sha256, size = _copied(stream, size, folder)
    return Kept(found.label, sha256, size, about.st_mtime, now, found.path)


def _hashed(stream: io.FileIO, limit: int, copy: io.FileIO | None = None) -> tuple[str, int]:
    digest, size, room = hashlib.sha256(), 0, memoryview(bytearray(BLOCK))
    while done := stream.readinto(room[: min(BLOCK, limit - size)]):
        digest.update(room[:done])
        size += done
        if copy is not None:
            copy.write(room[:done])
    return digest.hexdigest(), size


def _copied(stream: io.FileIO, limit: int, folder: Path) -> tuple[str, int]:
    handle, name = tempfile.mkstemp(prefix=".copy.", dir=folder)
    try:
        with io.FileIO(handle, "wb") as copy:
            sha256, size = _hashed(stream, limit, copy)
        place = folder / sha256[:2] / sha256
        place.parent.mkdir(mode=0o700, exist_ok=True)
        Path(name).replace(place)
    finally:
        Path(name).unlink(missing_ok=True)
    return sha256, size


def _linked(source: Path, place: Path) -> bool:
    try:
        place.hardlink_to(source)
    except OSError:
        return False
    return True
