"""The partitions of a corpus on disk: who stands where, a manifest of hashes, how often the final test was opened."""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from dabhand.corpus.splitting import SHARES, Assigned, hashes, leaks, split
from dabhand.corpus.stored import CorpusError, replace, triples_of
from dabhand.errors import Conflict

FOLDER = "partitions"
ASSIGNED = "assigned.jsonl"
MANIFEST = "manifest.json"
BEGUN = "begun"
"""There while the first manifest is not written yet."""


class Manifest(msgspec.Struct, frozen=True):
    """What is said of the partitions.

    Attributes:
        shares: what was aimed at.
        items: calls on each side; left_out: why others are on none.
        hashes: of each partition.
        opened: how often the final test was opened.
    """

    shares: dict[str, float]
    items: dict[str, int]
    left_out: dict[str, int]
    hashes: dict[str, str]
    opened: int = 0


def refresh(corpus: Path) -> dict[str, Any]:
    """Assign what is new, write it down, and report; what was assigned stays.

    Raises:
        CorpusError: as `triples_of`; or what was frozen is not what its hashes say.
        Conflict: somebody else is at it.
    """
    triples = triples_of(corpus)
    with _held(corpus) as folder:
        frozen, manifest = _frozen(folder)
        there = {triple.id for triple in triples}
        assigned = split(triples, frozen)
        found = leaks(triples, assigned)
        made = _manifest(assigned, manifest.opened if manifest else 0)
        if assigned != frozen or made != manifest:
            if manifest is None:
                (folder / BEGUN).touch()
            replace(folder / ASSIGNED, b"".join(msgspec.json.encode(each) + b"\n" for each in assigned))
            replace(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
            (folder / BEGUN).unlink(missing_ok=True)
    return {
        "items": made.items,
        "left_out": made.left_out,
        "hashes": made.hashes,
        "new": len(assigned) - len(frozen),
        "gone": sum(each.id not in there for each in frozen),
        "opened": made.opened,
        "leaks": msgspec.to_builtins(found),
    }


def open_partition(corpus: Path, name: str, out: Path) -> int:
    """Write the triples of one side to a file; opening the final test is counted, before it is written.

    Returns:
        how many there are.

    Raises:
        CorpusError: the corpus is not split, or there is something at `out` already.
    """
    triples = triples_of(corpus)
    with _held(corpus) as folder:
        frozen, manifest = _frozen(folder)
        if manifest is None:
            raise CorpusError(f"The corpus {str(corpus)!r} is not split.", "Split it first: dabhand corpus split")
        if name == "final_test":
            counted = msgspec.structs.replace(manifest, opened=manifest.opened + 1)
            replace(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(counted), indent=1) + b"\n")
    chosen = {each.id for each in frozen if each.partition == name}
    lines = [msgspec.json.encode(triple) + b"\n" for triple in triples if triple.id in chosen]
    try:
        fd = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CorpusError(f"{str(out)!r} cannot be made: {error.strerror}.", "Name a new file.") from error
    with os.fdopen(fd, "wb") as stream:
        stream.writelines(lines)
    return len(lines)


def _frozen(folder: Path) -> tuple[list[Assigned], Manifest | None]:
    there = [(folder / name).exists() for name in (ASSIGNED, MANIFEST)]
    if not any(there):
        return [], None
    try:
        lines = (folder / ASSIGNED).read_bytes().splitlines()
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        assigned = [msgspec.json.decode(line, type=Assigned) for line in lines]
    except FileNotFoundError as error:
        if there[0] and _is_first(folder):
            return [], None
        raise CorpusError(f"Of the partitions in {str(folder)!r} a part is missing.", "Put it back.") from error
    except msgspec.DecodeError as error:
        raise CorpusError(f"The partitions in {str(folder)!r} are damaged: {error}.", "Put them back.") from error
    counted = sum(manifest.items.values()) + sum(manifest.left_out.values())
    if len(assigned) > counted and hashes(assigned[:counted]) == manifest.hashes:
        return assigned[:counted], manifest  # it was broken off before the manifest of what is new was written
    if hashes(assigned) != manifest.hashes:
        raise CorpusError(f"The partitions in {str(folder)!r} are not those of their manifest.", "Put them back.")
    return assigned, manifest


def _is_first(folder: Path) -> bool:
    """Whether the very first splitting was broken off: its manifest was never written."""
    return (folder / BEGUN).exists()


def _manifest(assigned: list[Assigned], opened: int) -> Manifest:
    items = Counter(each.partition for each in assigned)
    reasons = Counter(each.reason for each in assigned if each.partition is None)
    shares: dict[str, float] = {str(name): share for name, share in SHARES.items()}
    counts: dict[str, int] = {name: items[name] for name in SHARES}
    return Manifest(shares, counts, dict(sorted(reasons.items())), hashes(assigned), opened)


@contextmanager
def _held(corpus: Path) -> Iterator[Path]:
    """The folder of the partitions, private and held by us alone."""
    folder = corpus / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Conflict(f"Somebody else is splitting {str(corpus)!r}.", "Wait for it to end.") from error
        yield folder
    finally:
        os.close(fd)
