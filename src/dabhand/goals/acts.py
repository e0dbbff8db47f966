"""What a sentence says, before it is held against a folder: expressions for texts, and acts on paths."""

from __future__ import annotations

import msgspec

IT = "\0it"
"""Stands where a sentence says "it": the path or text spoken of last."""


ANSWER = "\0answer"
"""Stands for the answer, as the place where a text goes when no other is said."""


class FileText(msgspec.Struct, frozen=True, tag=True):
    """The text of a file."""

    path: str


class Words(msgspec.Struct, frozen=True, tag=True):
    """Words written out in the request; `own_line`: it says that they are a line."""

    text: str
    own_line: bool = False


class Changed(msgspec.Struct, frozen=True, tag=True):
    """A text after an operation."""

    operation: str
    args: tuple[str | int, ...]
    of: Expression


class Joined(msgspec.Struct, frozen=True, tag=True):
    """Several texts one after the other, or (two of them) side by side."""

    parts: tuple[Expression, ...]
    beside: bool = False


Expression = FileText | Words | Changed | Joined


class MakeFolder(msgspec.Struct, frozen=True, tag=True):
    """Make a folder, and those above it that are missing; with `tolerant` it may be there already."""

    path: str
    tolerant: bool = False


class MakeFile(msgspec.Struct, frozen=True, tag=True):
    """Make a file that is not there yet."""

    path: str
    content: Expression | None = None


class Write(msgspec.Struct, frozen=True, tag=True):
    """Let a file hold a text."""

    content: Expression
    path: str


class Hold(msgspec.Struct, frozen=True, tag=True):
    """Work a text out; where it goes is said later, else `fallback` (a file that is edited in place) gets it."""

    content: Expression
    fallback: str | None = None


class Tell(msgspec.Struct, frozen=True, tag=True):
    """Answer with a text."""

    content: Expression


class Append(msgspec.Struct, frozen=True, tag=True):
    """Add a text to a file, at its end or its beginning; `own_line`: it is said to begin a line there."""

    content: Expression
    path: str
    at_front: bool = False
    own_line: bool = False


class Copy(msgspec.Struct, frozen=True, tag=True):
    """Copy an entry to a path; `into`: it is the folder to put the copy in (None: when it is one)."""

    source: str
    target: str
    into: bool | None = None


class Move(msgspec.Struct, frozen=True, tag=True):
    """Move an entry to a path, as `Copy`; with `rename` a bare name stays in the entry's own folder."""

    source: str
    target: str
    into: bool | None = None
    rename: bool = False


class Delete(msgspec.Struct, frozen=True, tag=True):
    """Delete an entry, which must be of this kind when one is said."""

    path: str
    kind: str = ""


class MakeExecutable(msgspec.Struct, frozen=True, tag=True):
    """Let a file be executable, or not."""

    path: str
    executable: bool = True


Act = MakeFolder | MakeFile | Write | Hold | Tell | Append | Copy | Move | Delete | MakeExecutable
Acts = tuple[Act, ...]
