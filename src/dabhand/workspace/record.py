"""What one transaction does, entry by entry: the part of the journal that is written once and never changed."""

from __future__ import annotations

import os
from typing import Literal

import msgspec

from dabhand.workspace.difference import ChangeKind

RECORD_VERSION = 2


class Image(msgspec.Struct, frozen=True):
    """What is, or will be, at one path.

    Attributes:
        kind: file, folder or link.
        blob: SHA-256 of a file's bytes.
        link: hex of what a link points to (it need not be UTF-8).
        mode: permission bits to have; None takes the usual ones of the process.
        modified: modification time in nanoseconds to have; None takes the present.
        executable: of a file.
        owner: user and group to have, where the process may give them; None takes its own.
        attributes: extended attributes of a file (access lists among them) by name, as hex of their bytes.
    """

    kind: Literal["file", "folder", "link"]
    blob: str = ""
    link: str = ""
    mode: int | None = None
    modified: int | None = None
    executable: bool = False
    owner: tuple[int, int] | None = None
    attributes: dict[str, str] = {}


class Entry(msgspec.Struct, frozen=True):
    """One path of a transaction, as hex of its bytes, with what is there before and after.

    Attributes:
        source: number of the entry whose file or link moves here as it is; None where a new one is made.
    """

    path_hex: str
    before: Image | None
    after: Image | None
    source: int | None = None

    @property
    def path(self) -> str:
        """The path as text."""
        return bytes.fromhex(self.path_hex).decode("utf-8", "surrogateescape")

    @property
    def change(self) -> ChangeKind:
        """The contract's word for what happens here."""
        if self.before is None:
            return "created"
        if self.after is None:
            return "deleted"
        return "mode" if self.only_mode else "modified"

    @property
    def leaves(self) -> bool:
        """Whether what is there has to go before anything can be put in its place."""
        if self.before is None:
            return False
        return self.after is None or (self.before.kind == "folder") != (self.after.kind == "folder")

    @property
    def replaces(self) -> bool:
        """Whether a file or link takes the place of another."""
        before, after = self.before, self.after
        return (
            before is not None
            and after is not None
            and "folder" not in (before.kind, after.kind)
            and not self.only_mode
        )

    @property
    def arrives(self) -> bool:
        """Whether something is put where nothing is (any longer)."""
        return self.after is not None and (self.before is None or self.leaves)

    @property
    def only_mode(self) -> bool:
        """Whether a file keeps its content and only its permission bits change."""
        before, after = self.before, self.after
        return (
            before is not None and after is not None and before.kind == after.kind and before.blob == after.blob != ""
        )


class Record(msgspec.Struct, frozen=True):
    """What one transaction does, to which folder.

    Attributes:
        root_hex: the folder's absolute path, as hex of its bytes.
        undoes: the transaction that this one takes back.
        request: what was asked for, for people.
    """

    id: str
    root_hex: str
    device: int
    inode: int
    entries: tuple[Entry, ...]
    undoes: str = ""
    request: str = ""
    version: int = RECORD_VERSION

    @property
    def root(self) -> str:
        """The folder's path as text."""
        return os.fsdecode(bytes.fromhex(self.root_hex))

    @property
    def kept(self) -> frozenset[str]:
        """What has to be kept for undoing: contents that are nowhere in the folder afterwards."""
        moved = {entry.source for entry in self.entries if entry.source is not None and not entry.replaces}
        return frozenset(
            entry.before.blob
            for number, entry in enumerate(self.entries)
            if entry.before is not None and entry.before.blob and not entry.only_mode and number not in moved
        )
