"""What a line of bash consists of: lists of pipelines of commands, each with its place in the text."""

from __future__ import annotations

import msgspec

from dabhand.handoff.shells.words import Word


class Redirection(msgspec.Struct, frozen=True):
    """`2>/dev/null`: which descriptor ("" for the usual one), the operator, and where to."""

    descriptor: str
    operator: str
    target: Word | None


class Branch(msgspec.Struct, frozen=True):
    """What a compound command carries out, and the lists that it asks first; none for `else`, `case` or a function."""

    asks: tuple[AndOr, ...]
    does: tuple[AndOr, ...]


class Substitution(msgspec.Struct, frozen=True):
    """Commands inside a word: `$( )`, `<( )`, or a text that the command carries out.

    Attributes:
        begin: its first byte in the source that it stands in.
        end: the byte after its last.
        kind: command, backticks, process, or code (a literal word that `eval` or `bash -c` carries out).
        lists: what is in it.
        source: of code, its own, which the places of its lists count; else None.
    """

    begin: int
    end: int
    kind: str
    lists: tuple[AndOr, ...]
    source: bytes | None = None


class Command(msgspec.Struct, frozen=True):
    """One stage of a pipeline.

    Attributes:
        begin: its first byte in the line.
        end: the byte after its last, redirections included.
        text: what stands there.
        kind: simple, subshell, group, loop, choice, function, test, or other.
        words: of a simple command, its name first.
        assignments: `X=1` in front of a simple command, as written.
        redirections: in the order in which they stand.
        inner: the lists inside a subshell, group, loop or choice, without its conditions.
        branches: of a loop, choice or function, each part of it with its condition.
        substitutions: in its words, assignments and redirections, and in what a compound command asks or goes through.
        starts: where its own words begin, behind redirections in front.
    """

    begin: int
    end: int
    text: str
    kind: str
    words: tuple[Word, ...] = ()
    assignments: tuple[str, ...] = ()
    redirections: tuple[Redirection, ...] = ()
    inner: tuple[AndOr, ...] = ()
    branches: tuple[Branch, ...] = ()
    substitutions: tuple[Substitution, ...] = ()
    starts: int = -1

    @property
    def name(self) -> str:
        """The name of the program, without its folder; "" where it is not written out."""
        first = self.words[0].value if self.words else None
        return (first or "").rsplit("/", 1)[-1]


class Pipeline(msgspec.Struct, frozen=True):
    """Commands joined by `|` or `|&`."""

    begin: int
    end: int
    commands: tuple[Command, ...]
    negated: bool = False


class AndOr(msgspec.Struct, frozen=True):
    """Pipelines joined by `&&` and `||`.

    Attributes:
        operators: between them, one fewer than pipelines.
        background: it ends in `&`.
        here_document: one of its commands reads a here-document, whose text follows it.
    """

    begin: int
    end: int
    pipelines: tuple[Pipeline, ...]
    operators: tuple[str, ...] = ()
    background: bool = False
    here_document: bool = False


class Script(msgspec.Struct, frozen=True):
    """A whole line, or several.

    Attributes:
        source: its bytes, which all places count.
        lists: in order.
        understood: nothing in it is unreadable; where it is False, `lists` must not be relied upon.
        begins: where each simple command begins, however deep inside of others.
    """

    source: bytes
    lists: tuple[AndOr, ...]
    understood: bool
    begins: frozenset[int] = frozenset()
