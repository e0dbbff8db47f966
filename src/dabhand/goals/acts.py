"""What a sentence says, before it is held against a folder: expressions for texts, and acts on paths."""

from __future__ import annotations

import msgspec

IT = "\0it"
"""Stands where a sentence says "it": the path or text spoken of last."""


THERE = "\0there"
"""Stands for "that folder": the folder spoken of last."""

THIS = "\0this"
"""Stands for "this folder": the folder spoken of last, or the one that is worked in."""

COPY = "\0copy"
"""Stands for "the copy": what the last copying made."""

ORIGINAL = "\0original"
"""Stands for "the original": what the last copying copied, or what the last text was made of."""

BOTH = "\0both"
"""Stands for "both": the two (or more) things spoken of last together."""

KIND = "\0kind"
"""Before the ending of a file name: stands for the one file in the folder whose name ends so."""

ITSELF = "\0itself"
"""Stands for "itself": the file that a text is made of, as the place where it goes."""

SOURCES = "\0sources"
"""Stands for all files that texts are made of."""

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


class Names(msgspec.Struct, frozen=True, tag=True):
    """The names in a folder: of its files, its folders, or all."""

    path: str
    kind: str


Expression = FileText | Words | Changed | Joined | Names


class MakeFolder(msgspec.Struct, frozen=True, tag=True):
    """Make a folder, and those above it that are missing; with `tolerant` it may be there already."""

    path: str
    tolerant: bool = False


class MakeFile(msgspec.Struct, frozen=True, tag=True):
    """Make a file that is not there yet."""

    path: str
    content: Expression | None = None


class Write(msgspec.Struct, frozen=True, tag=True):
    """Let a file hold a text; `contains`: it is only said that the text is to be in it."""

    content: Expression
    path: str
    contains: bool = False


class Hold(msgspec.Struct, frozen=True, tag=True):
    """Work a text out; where it goes is said later, else `fallback` (a file that is edited in place) gets it.

    `removing`: it is what is left when some lines are taken away, so that "them" may be those.
    """

    content: Expression
    fallback: str | None = None
    removing: bool = False


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
    """Copy an entry to a path; `into`: it is the folder to put the copy in (None: when it is one).

    `kind`: what the entry must be, when one is said.
    """

    source: str
    target: str
    into: bool | None = None
    kind: str = ""


class Move(msgspec.Struct, frozen=True, tag=True):
    """Move an entry to a path, as `Copy`; with `rename` a bare name stays in the entry's own folder.

    With `put` it is only said to be put there, as a text may be too.
    """

    source: str
    target: str
    into: bool | None = None
    rename: bool = False
    put: bool = False
    kind: str = ""


class Swap(msgspec.Struct, frozen=True, tag=True):
    """Let two entries change places: each gets what is at the other."""

    first: str
    second: str


class Delete(msgspec.Struct, frozen=True, tag=True):
    """Delete an entry, which must be of this kind when one is said."""

    path: str
    kind: str = ""


class Mention(msgspec.Struct, frozen=True, tag=True):
    """Speak of a file or folder, so that "it" stands for it afterwards.

    `claim`: what is said of a file's lines, an operation that changes nothing, or "of_lines".
    """

    path: str
    claim: str = ""


class Keep(msgspec.Struct, frozen=True, tag=True):
    """Say that an entry is to stay as it is; "" for everything that is not spoken of."""

    path: str


class Guard(msgspec.Struct, frozen=True, tag=True):
    """Go on only if something is (or is not) at a path."""

    path: str
    exists: bool = True


class MakeExecutable(msgspec.Struct, frozen=True, tag=True):
    """Let a file be executable, or not."""

    path: str
    executable: bool = True


Act = (
    MakeFolder
    | MakeFile
    | Write
    | Hold
    | Tell
    | Append
    | Copy
    | Move
    | Swap
    | Delete
    | MakeExecutable
    | Mention
    | Keep
    | Guard
)
Acts = tuple[Act, ...]
